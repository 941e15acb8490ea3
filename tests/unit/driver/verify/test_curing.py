"""Cures are told only where they were seen to work."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.verify import curing
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import ProgramOutcome, open_verifier

SUM = """
method sum(n: Int) returns (s: Int)
  requires n >= 0
  ensures 2 * s == n * (n + 1)
{
  var i: Int := 0
  s := 0
  while (i < n)
  {
    i := i + 1
    s := s + i
  }
}
"""

TWICE = """
field f: Int
method fill(s: Seq[Ref])
  requires forall i: Int, j: Int :: 0 <= i && i < j && j < |s| ==> s[i] != s[j]
method bad(a: Ref)
{
  fill(Seq(a, a))
}
"""

CLIENT = """
field f: Int
method inc(x: Ref)
  requires acc(x.f)
  ensures acc(x.f)
{
  x.f := x.f + 1
}
method client(x: Ref)
  requires acc(x.f) && x.f == 0
{
  inc(x)
  assert x.f == 1
}
"""


def verified(text: str, backend: str = "symbolic", *, cures: bool = True) -> ProgramOutcome:
    with open_verifier(VerifyOptions(backend=backend, cures=cures)) as verifier:
        return verifier.verify(verifier.read_text(text, "program.vpr"))


@pytest.mark.parametrize("backend", ["symbolic", "vcg", "both"])
def test_missing_invariants_are_found(backend: str) -> None:
    (finding,) = verified(SUM, backend).findings
    assert finding.advice is not None
    assert "`invariant i <= n` and `invariant 2 * s == i * (i + 1)`" in finding.advice
    assert finding.advice.endswith("with that, `sum` verifies")


def test_what_is_told_verifies() -> None:
    clauses = "\n    invariant i <= n\n    invariant 2 * s == i * (i + 1)\n"
    mended = SUM.replace("while (i < n)\n", f"while (i < n){clauses}")
    assert verified(mended).verdict.value == "verified"


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_a_callee_is_verified_with_what_it_is_to_promise(backend: str) -> None:
    (finding,) = verified(CLIENT, backend).findings
    assert finding.advice is not None and "`ensures x.f == old(x.f) + 1`" in finding.advice
    wrong = CLIENT.replace("x.f := x.f + 1", "x.f := x.f + 2")
    (other,) = verified(wrong, backend).findings
    assert other.advice is not None and "x.f == 1` to" not in other.advice


def test_a_precondition_that_nothing_meets_is_no_cure() -> None:
    (finding,) = verified(TWICE).findings
    assert finding.advice is not None and "verifies" not in finding.advice


@pytest.mark.parametrize(
    "body", ["n == 0 ? true : even(n - 1)", "n == 0 ? true : even(n - 1) && n != 1"]
)
def test_a_function_that_never_ends_is_no_cure(body: str) -> None:
    """It satisfies every promise; the front end warns of it."""
    text = f"""function even(n: Int): Bool
  requires n >= 0
  ensures result == (n % 2 == 0)
{{ {body} }}
"""
    (finding,) = verified(text).findings
    told = finding.advice or ""
    assert "even(n)" not in told and "even(n + 1" not in told


def test_without_the_option_nothing_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a cure was tried")

    monkeypatch.setattr(curing, "Curing", refuse)
    (finding,) = verified(SUM, cures=False).findings
    assert finding.advice is not None and "verifies" not in finding.advice


def test_a_bug_of_ours_costs_the_cure_and_not_the_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("oops")

    monkeypatch.setattr(curing, "candidates", broken)
    with open_verifier(VerifyOptions(cures=True)) as verifier:
        done = verifier.verify(verifier.read_text(SUM, "program.vpr"))
        assert len(done.findings) == 1
        assert any("oops" in problem for problem in verifier.problems)


def test_large_programs_are_left_alone() -> None:
    (finding,) = verified(SUM + "// " + "x" * curing.MOST_TEXT).findings
    assert finding.advice is not None and "verifies" not in finding.advice


def test_an_edit_inside_an_import_is_not_tried(tmp_path: Path) -> None:
    (tmp_path / "other.vpr").write_text(SUM, encoding="utf-8")
    main = tmp_path / "main.vpr"
    main.write_text('import "other.vpr"\nmethod m() { }\n', encoding="utf-8")
    with open_verifier(VerifyOptions(cures=True)) as verifier:
        (finding,) = verifier.verify(verifier.read(main)).findings
    assert finding.advice is not None and "verifies" not in finding.advice


def test_the_time_of_a_run_is_not_spent_on_trials() -> None:
    with open_verifier(VerifyOptions(cures=True, timeout=600)) as verifier:
        outcome = verifier.verify(verifier.read_text(SUM, "program.vpr"))
    told = [f.advice or "" for member in outcome.members.values() for f in member.findings]
    assert told
    assert not any("verifies" in advice for advice in told)


def test_trials_end_where_they_have_cost_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str | None] = []
    verify = curing.Curing._verify

    def counted(
        self: curing.Curing, edits: tuple[curing.Edit, ...], only: str | None
    ) -> curing.Verification | None:
        tried.append(only)
        return verify(self, edits, only)

    monkeypatch.setattr(curing.Curing, "_verify", counted)
    verified(SUM)
    usual = len(tried)
    tried.clear()
    monkeypatch.setattr(curing, "MOST_RESOURCES", 1)
    verified(SUM)
    assert 0 < len(tried) < usual


ADD = """
field n: Int
method add(c: Ref, x: Int)
  requires acc(c.n)
  ensures acc(c.n) && c.n == old(c.n) + old(c.n)
{
  c.n := c.n + x
}
method client(c: Ref)
  requires acc(c.n) && c.n == 1
  ensures acc(c.n) && c.n == 9
{
  add(c, 3)
}
"""


def test_no_cure_leaves_an_argument_unread_or_forgets_what_a_call_changes() -> None:
    adding, calling = verified(ADD).findings
    assert adding.member == "add" and "c.n := c.n + c.n" not in (adding.advice or "")
    assert calling.member == "client" and "nothing assigns" not in (calling.advice or "")


def test_what_nothing_changes_is_told() -> None:
    (found,) = verified(ADD.replace("add(c, 3)", "").replace("+ old(c.n)", "+ x")).findings
    assert "nothing assigns `c.n`: write `c.n := 9`" in (found.advice or "")


DIVIDE = """
method divide(a: Int, b: Int) returns (q: Int, r: Int)
  requires a >= 0
  ensures a == q * b + r && 0 <= r && r < b
{
  q := a \\ b
  r := a % b
}
method digit(n: Int) returns (d: Int)
  requires n >= 0
  ensures 0 <= d && d < 10
{
  var t: Int
  t, d := divide(n, 10)
}
"""


def test_a_precondition_that_callers_meet_comes_before_others() -> None:
    done = verified(DIVIDE)
    assert {finding.member for finding in done.findings} == {"divide"}
    assert all("`requires b > 0`; with that, `divide` verifies" in f.advice for f in done.findings)


BORDERS = [
    (
        "method max(x: Int, y: Int) returns (r: Int) ensures r > x && r > y\n"
        "  ensures r == x || r == y { if (x >= y) { r := x } else { r := y } }",
        "promise `r >= x && r >= y`; with that, `max` verifies",
    ),
    (
        "method front(ys: Seq[Int], v: Int) returns (xs: Seq[Int])\n"
        "  requires forall i: Int, j: Int :: 0 <= i && i < j && j < |ys| ==> ys[i] <= ys[j]\n"
        "  requires |ys| > 0 ==> v <= ys[0]\n"
        "  ensures forall i: Int, j: Int :: 0 <= i && i < j && j < |xs| ==> xs[i] < xs[j]\n"
        "  ensures |xs| == |ys| + 1\n{ xs := Seq(v) ++ ys }",
        "promise `xs[i] <= xs[j]`; with that, `front` verifies",
    ),
]


@pytest.mark.parametrize(("text", "advised"), BORDERS)
def test_a_promise_that_is_too_strict_by_its_border(text: str, advised: str) -> None:
    for finding in verified(text).findings:
        assert advised in (finding.advice or "")


LEMMAS = [
    (
        "adt List { Nil() Cons(head: Int, tail: List) }\n"
        "function append(xs: List, ys: List): List\n"
        "{ xs.isNil ? ys : Cons(xs.head, append(xs.tail, ys)) }\n"
        "method right(xs: List) ensures append(xs, Nil()) == xs { }",
        "`if (xs.isCons) { right(xs.tail) }`",
    ),
    (
        "function twice(n: Int): Int requires n >= 0 { n == 0 ? 0 : 2 + twice(n - 1) }\n"
        "method even(n: Int) requires n >= 0 ensures twice(n) == 2 * n { }",
        "`if (n > 0) { even(n - 1) }`",
    ),
]


@pytest.mark.parametrize(("text", "written"), LEMMAS)
def test_a_lemma_may_use_itself_for_what_is_smaller(text: str, written: str) -> None:
    (found,) = verified(text).findings
    assert f"{written} at the end of the body; with that" in (found.advice or "")


def test_no_induction_proves_what_is_false() -> None:
    (found,) = verified(LEMMAS[1][0].replace("2 * n", "3 * n")).findings
    assert "may use itself" not in (found.advice or "")


def advice_of(text: str) -> str:
    (finding, *_) = verified(text).findings
    return finding.advice or ""


def test_no_precondition_takes_a_case_of_the_body_away() -> None:
    told = advice_of(
        "method max(a: Int, b: Int) returns (m: Int)\n  ensures m >= a && m >= b\n"
        "{ if (a > b) { m := b - 1 } else { m := a } }\n"
    )
    assert "requires" not in told and "verifies" not in told
    assert "`m` is -1 there (line 3, `m := b - 1`); mend that case" in told


def test_no_precondition_takes_a_case_of_a_function_away() -> None:
    text = "function f(n: Int): Int\n  ensures result > n\n{ n < 0 ? 1 : (n == 0 ? 0 : 2 * n) }\n"
    assert "requires n != 0" not in advice_of(text)


def test_no_precondition_takes_a_case_of_a_promise_away() -> None:
    told = advice_of(
        "function sgn(n: Int): Int\n  ensures n > 0 ==> result == 1\n"
        "  ensures n == 0 ==> result == 0\n  ensures n < 0 ==> result == -1\n"
        "{ n >= 0 ? 1 : -1 }\n"
    )
    assert "requires" not in told
    assert "write `n == 0 ? 0 : (n >= 0 ? 1 : -1)`; with that, `sgn` verifies" in told


def test_a_precondition_that_keeps_all_cases_is_told() -> None:
    told = advice_of(
        "function clamp(x: Int, lo: Int, hi: Int): Int\n"
        "  ensures lo <= result && result <= hi\n{ x < lo ? lo : (x > hi ? hi : x) }\n"
    )
    assert "`requires lo <= hi`; with that, `clamp` verifies" in told


def test_branches_that_do_the_same_are_no_cure() -> None:
    told = advice_of(
        "function occ(s: Seq[Int], v: Int): Int\n  ensures !(v in s) ==> result == 0\n"
        "{ |s| == 0 ? 0 : (s[0] == v ? 0 : 1) + occ(s[1..], v) }\n"
    )
    assert "(s[0] == v ? 1 : 0)" in told


def test_a_weaker_promise_is_told_with_its_condition() -> None:
    told = advice_of(
        "method absolute(x: Int) returns (r: Int)\n  ensures r > 0\n"
        "{ if (x < 0) { r := -x } else { r := x } }\n"
    )
    assert "if the body is right, promise `r >= 0`" in told


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        (
            "function even(n: Int): Bool\n  requires n >= 0\n"
            "  ensures result == (n % 2 == 0)\n{ n == 0 ? true : even(n - 1) }\n",
            "`n == 0 ? true : !even(n - 1)`",
        ),
        (
            "method remove(s: Set[Int], v: Int) returns (r: Set[Int])\n  ensures !(v in r)\n"
            "  ensures forall x: Int :: x != v && x in s ==> x in r\n{ r := Set(v) setminus s }\n",
            "`r := s setminus Set(v)`",
        ),
        (
            "field x: Int\nfield y: Int\nmethod right(p: Ref, d: Int)\n"
            "  requires acc(p.x) && acc(p.y)\n  ensures acc(p.x) && acc(p.y)\n"
            "  ensures p.x == old(p.x) + d && p.y == old(p.y)\n{ p.y := p.y + d }\n",
            "`p.x := p.x + d`",
        ),
        (
            "field c: Int\nmethod inc(x: Ref)\n  requires acc(x.c)\n"
            "  ensures acc(x.c) && old(x.c == x.c + 1)\n{ x.c := x.c + 1 }\n",
            "`x.c == old(x.c) + 1`",
        ),
        (
            "method clamp(x: Int, lo: Int, hi: Int) returns (r: Int)\n  requires lo <= hi\n"
            "  ensures lo <= r && r <= hi\n"
            "{ if (x < lo) { r := lo } elseif (x > hi) { r := x } else { r := x } }\n",
            "`r := hi`",
        ),
        (
            "method sign(x: Int) returns (r: Int)\n  ensures x > 0 ==> r == 1\n"
            "  ensures x == 0 ==> r == 0\n  ensures x < 0 ==> r == -1\n"
            "{ if (x > 0) { r := 1 } elseif (x < 0) { r := -1 } }\n",
            "`else { r := 0 }`",
        ),
        (
            "field next: Ref\npredicate list(x: Ref) "
            "{ x != null ==> acc(x.next) && list(x.next) }\n"
            "function len(x: Ref): Int requires list(x) decreases list(x)\n"
            "{ unfolding list(x) in x == null ? 0 : 1 + len(x) }\n",
            "`x.next` in place of `x`",
        ),
        (
            "function log2(n: Int): Int requires n > 0 decreases n\n"
            "{ n == 1 ? 0 : 1 + log2(n / 1) }\n",
            "`log2(n / 2)`",
        ),
        (
            "field v: Int\npredicate cell(c: Ref, n: Int) { acc(c.v) && c.v == n }\n"
            "method set(c: Ref, n: Int, m: Int) requires cell(c, n) ensures cell(c, m)\n"
            "{ unfold cell(c, n)\n c.v := n\n fold cell(c, m) }\n",
            "`c.v := m`",
        ),
        (
            "method copy(s: Seq[Int]) returns (r: Seq[Int])\n  ensures r == s\n{\n"
            "  r := Seq[Int]()\n  var i: Int := 0\n  while (i < |s|)\n"
            "    invariant 0 <= i && i <= |s|\n    invariant r == s[..i]\n"
            "  {\n    r := r ++ Seq(s[0])\n    i := i + 1\n  }\n}\n",
            "`r := r ++ Seq(s[i])`",
        ),
        (
            "method mul(x: Int, y: Int) returns (r: Int)\n  requires x >= 0 && y >= 0\n"
            "  ensures r == x * y\n{\n  r := 0\n  var i: Int := 0\n  while (i < x)\n"
            "    invariant 0 <= i && i <= x\n    invariant r == i * y\n  {\n"
            "    var j: Int := 0\n    while (j < y)\n      invariant 0 <= j && j <= y\n"
            "      invariant r == i * y\n    {\n      r := r + 1\n      j := j + 1\n    }\n"
            "    i := i + 1\n  }\n}\n",
            "`invariant r == i * y + j` in line 14",
        ),
    ],
)
def test_the_body_is_mended_for_the_contract_as_it_is(text: str, cure: str) -> None:
    told = advice_of(text)
    assert cure in told and "verifies" in told


def test_another_method_and_other_results() -> None:
    pair = (
        "method up(a: Int) returns (m: Int, k: Int)\n  ensures m == a + 1 && k == a\n"
        "{ m := a + 1\n k := a }\n"
        "method down(a: Int) returns (m: Int, k: Int)\n  ensures m == a - 1 && k == a\n"
        "{ m := a - 1\n k := a }\n"
    )
    first = "method c(n: Int) returns (x: Int, y: Int)\n  ensures x == n - 1\n{ x, y := up(n) }\n"
    other = "method c(n: Int) returns (x: Int, y: Int)\n  ensures x == n\n{ x, y := up(n) }\n"
    assert "Write `x, y := down(n)`" in advice_of(pair + first)
    assert "Write `y, x := up(n)`" in advice_of(pair + other)


def test_an_iteration_that_breaks_an_invariant_is_told_with_its_values() -> None:
    told = advice_of(
        "function pow(b: Int, e: Int): Int requires e >= 0\n"
        "{ e == 0 ? 1 : b * pow(b, e - 1) }\n"
        "method power(b: Int, e: Int) returns (r: Int)\n  requires e >= 0\n"
        "  ensures r == pow(b, e)\n{\n  r := 1\n  var i: Int := 0\n  while (i < e)\n"
        "    invariant 0 <= i && i <= e\n    invariant r == pow(b, i)\n  {\n"
        "    r := r + i * 3\n    i := i + 1\n  }\n}\n"
    )
    assert "an iteration that begins with `b == 0`" in told and "ends where `r` is 1" in told
