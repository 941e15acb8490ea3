"""Where to look if the end of a method is never reached, with either verifier."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.verdict import Verdict

BELIEVED = """
domain D { function c(): Int  axiom { c() > 0 && c() < 0 } }
function f(n: Int): Int ensures result > n && result < n
function g(n: Int): Int { f(n) }
method promises() returns (n: Int) ensures n > n + 1
"""

CASES = (
    ("method m() { var n: Int := c() }", "mend the axioms of D"),
    ("method m(n: Int) {\n  assume n > n + 1\n}", "mend `assume` in line 7 or the axioms of D;"),
    ("method m() { var n: Int := g(1) }", "mend what f ensures or the axioms of D;"),
    ("method m() { var n: Int\n  n := promises() }", "mend what promises ensures or the"),
    (
        "method m(n: Int)\n  requires n > 0 {\n  inhale n < 0\n}",
        "mend `inhale` in line 8, the axioms of D or the precondition;",
    ),
)


@pytest.mark.parametrize("backend", ["symbolic", "vcg", "both"])
@pytest.mark.parametrize(("text", "help_"), CASES)
def test_what_the_method_believes_is_named(text: str, help_: str, backend: str) -> None:
    axioms = BELIEVED if "c()" in text else BELIEVED.replace("c() > 0 && c() < 0", "c() > 0")
    done = pitviper.verify(axioms + text, options=VerifyOptions(backend=backend))
    (warning,) = done.members["m"].warnings
    assert warning.message.startswith("the end of m is never reached")
    assert warning.help is not None
    assert help_ in warning.help
    assert done.verdict is Verdict.VERIFIED


def test_assume_gets_no_permission() -> None:
    text = "predicate credit()\nmethod m() {\n  assume acc(credit())\n  exhale credit()\n}"
    (warning,) = pitviper.verify(text).members["m"].warnings
    assert "`assume acc(credit())` in line 3" in str(warning.help)
    assert "write `inhale`" in str(warning.help)


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_many_are_counted(backend: str) -> None:
    body = "\n".join([f"  inhale n > {k}" for k in range(6)])
    text = f"method m(n: Int) {{\n{body}\n  inhale n < 0\n}}"
    (warning,) = pitviper.verify(text, options=VerifyOptions(backend=backend)).members["m"].warnings
    assert "`inhale` in line 5 or 3 more;" in str(warning.help)


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_a_callee_that_does_not_keep_its_promise_is_named(backend: str) -> None:
    program = """field f: Int
method read(x: Ref) requires acc(x.f, 1/2) ensures acc(x.f) { }
method m(x: Ref) requires acc(x.f) { read(x) }
"""
    done = pitviper.verify(program, options=VerifyOptions(backend=backend))
    (warning,) = done.members["m"].warnings
    assert "mend what read ensures (if read does not verify) or" in (warning.help or "")
    assert done.verdict is Verdict.REFUTED
