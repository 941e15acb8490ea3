"""Who is warned that nothing says that a function ends."""

from __future__ import annotations

import pytest

from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.plugins.termination.unmeasured import CODE
from pitviper.source.diagnostic import Severity

LIST = """
field next: Ref
predicate list(x: Ref) { acc(x.next) && (x.next != null ==> list(x.next)) }
"""


DEFAULTS = CheckOptions()


def found(text: str, options: CheckOptions = DEFAULTS) -> FrontEnd:
    return load_text(text, options=options)


@pytest.mark.parametrize(
    "function",
    [
        "function f(x: Ref): Int { f(x) + 1 }",
        "function f(n: Int): Int { n > 5 ? f(n) : 0 }",
        "function f(n: Int): Int { f(n - 1) }",
        "function f(n: Int): Bool { n == 0 || g(n - 1) } "
        "function g(n: Int): Bool { n != 0 && f(n - 1) }",
        "function f(n: Int): Int { n == 0 ? 0 : 1 + f(n + 1) }",
        "function f(n: Int): Int { n == 0 ? 0 : 1 + f(n - 1) }",
        "function f(n: Int): Int requires n >= 0 { n == 0 ? 0 : f(n + 1) }",
        "function f(n: Int): Int requires n >= 0 { n == 0 ? 0 : f(n + 1 - 1) }",
        "function f(n: Int): Int { n <= 10 ? f(n - 1) : 0 }",
        "function f(i: Int, n: Int): Int { i < n ? f(i + 1, n + 1) : 0 }",
        "function f(n: Int): Int { g(n) } function g(n: Int): Int { f(n) }",
        "function f(n: Int): Int decreases * { f(n) + 1 }",
        "function f(n: Int): Int decreases n if n > 0 { n <= 0 ? f(0) + 1 : 1 }",
        "function f(n: Int): Int decreases n if n > 0 decreases _ if n < 0 { f(n) }",
        "function f(n: Int): Int ensures g(n) == 0 function g(n: Int): Int { f(n) }",
        LIST + "function f(x: Ref): Int requires list(x) { unfolding list(x) in f(x) + 1 }",
        LIST + "function f(x: Ref): Int requires list(x) "
        "{ unfolding list(x) in (let y == (x) in f(y)) + 1 }",
    ],
)
def test_functions_that_do_not_look_like_an_end(function: str) -> None:
    checked = found(function)
    codes = [d.code for d in checked.warnings]
    assert CODE in codes
    assert checked.accepted


@pytest.mark.parametrize(
    "function",
    [
        "function f(n: Int): Int { n <= 0 ? 0 : f(n - 1) }",
        "function f(s: Seq[Int]): Int { |s| == 0 ? 0 : f(s[1..]) }",
        "function f(x: Ref): Int requires list(x) "
        "{ unfolding list(x) in (x.next == null ? 0 : f(x.next)) }",
        "function f(n: Int): Bool requires n >= 0 { n == 0 || g(n - 1) } "
        "function g(n: Int): Bool requires n >= 0 { n != 0 && f(n - 1) }",
        "function f(n: Int): Int requires 0 <= n && true { n == 0 ? 0 : f(n - 1) }",
        "function f(n: Int): Int { n >= 10 ? 0 : f(1 + n) }",
        "function f(n: Int): Int { n > 0 ? f(n / 2) : 0 }",
        "function f(i: Int, n: Int): Int requires i <= n { i == n ? 0 : f(i + 1, n) }",
        "function f(i: Int, j: Int): Int { i < j ? f(i + 1, j - 1) : 0 }",
        "function f(s: Seq[Int], i: Int): Int requires 0 <= i && i <= |s| "
        "{ i == |s| ? 0 : s[i] + f(s, i + 1) }",
        "function f(n: Int): Int decreases _ { f(n) }",
        "function f(n: Int): Int decreases n, 1 { f(n) }",
        "function f(n: Int): Int decreases * { n <= 0 ? 0 : f(n - 1) }",
        "function f(n: Int): Int decreases n if n > 5 { n <= 0 ? 0 : f(n - 1) }",
        "function f(n: Int): Int { g(n) } function g(n: Int): Int { n }",
        "function f(n: Int): Int",
    ],
)
def test_functions_that_end_or_promise_to(function: str) -> None:
    assert [d.code for d in found(LIST + function).warnings] == []


def test_a_function_that_needs_its_own_value_is_not_told_to_claim_an_end() -> None:
    (warning,) = found("function f(x: Int): Int ensures result > x { f(x) }").warnings
    assert warning.help is not None and "`f(x)` needs its own value here" in warning.help
    assert "decreases" not in warning.help


def test_strict_programs_have_no_such_functions() -> None:
    checked = found("function f(x: Ref): Int { f(x) + 1 }", CheckOptions(strict=True))
    assert [(d.code, d.severity) for d in checked.errors] == [(CODE, Severity.ERROR)]
    assert not checked.accepted


@pytest.mark.parametrize(
    ("clause", "help_"),
    [
        ("", "a `decreases` clause has it proved"),
        ("decreases *", "`decreases *` promises nothing"),
        ("decreases n if n > 0", "say `decreases ...` for the other arguments, too"),
    ],
)
def test_the_cure_fits_the_clauses(clause: str, help_: str) -> None:
    (warning,) = found(f"function f(n: Int): Int {clause} {{ f(n - 1) }}").warnings
    assert warning.help is not None and warning.help.startswith(help_)


@pytest.mark.parametrize(
    ("clause", "warned"),
    [("decreases n", True), ("decreases n if n > 0", True), ("decreases _", False)],
)
def test_clauses_that_nobody_checks_promise_nothing(clause: str, warned: bool) -> None:
    text = f"function f(n: Int): Int {clause} {{ f(n + 1) + 1 }}"
    unchecked = found(text, CheckOptions(termination=False))
    assert ([d.code for d in unchecked.warnings] == [CODE]) is warned
    if "if" not in clause:
        assert found(text).warnings == ()
    assert found(text, CheckOptions(termination=False, strict=True)).accepted is not warned
