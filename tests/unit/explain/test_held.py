"""What is held where permission is missing, and what advice makes of it."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.results.report import Problem

FIELDS = "field f: Int field next: Ref\n"
NODE = FIELDS + "predicate node(n: Ref) { acc(n.f) && acc(n.next) }\n"
LIST = FIELDS + "predicate list(n: Ref) { n != null ==> acc(n.f) && acc(n.next) && list(n.next) }\n"


def problem(program: str, backend: str = "symbolic") -> Problem:
    options = pitviper.VerifyOptions(backend=backend)
    errors = [p for p in pitviper.verify(program, options=options).problems if p.id != "undecided"]
    return errors[0]


def test_a_share_is_named() -> None:
    found = problem(FIELDS + "method m(x: Ref, y: Ref) requires acc(y.f, 1/2) { x.f := 1 }")
    assert found.held == ("acc(y.f, 1/2)",)


WANDS = [
    ("acc(y.f) --* acc(y.f)", "acc(x.f) --* acc(x.f)", "acc(y.f) --* acc(y.f)"),
    (
        "(forall r: Ref :: r in s ==> acc(r.f)) --* acc(y.f)",
        "(forall r: Ref :: r in s ==> acc(r.f)) --* acc(x.f)",
        "(forall x: Ref :: (x in s) ==> acc(x.f)) --* acc(y.f)",
    ),
    (
        "forall r: Ref :: r in s ==> (acc(r.f, 1/3) --* acc(r.f))",
        "acc(x.f, 1/3) --* acc(x.f)",
        "forall r :: (r in s) ==> acc(r.f, 1/3) --* acc(r.f)",
    ),
]


@pytest.mark.parametrize(("asked", "given", "told"), WANDS)
def test_wands_are_told_as_they_are_written(asked: str, given: str, told: str) -> None:
    method = f"method m(x: Ref, y: Ref, s: Set[Ref]) requires {asked} {{ exhale {given} }}"
    assert problem(FIELDS + method).held == (told,)


def test_both_verifiers_tell_what_is_held() -> None:
    program = (
        NODE + "method m(x: Ref) requires node(x) { unfold node(x) x.f := 1 fold node(x) x.f := 2 }"
    )
    ours, theirs = problem(program), problem(program, "vcg")
    assert ours.held == theirs.held == ("acc(node(x))",)
    assert ours.help == theirs.help
    assert [e.text for e in ours.history] == [e.text for e in theirs.history] != []


def test_an_instance_that_contains_it_is_named_with_the_cure() -> None:
    found = problem(NODE + "method m(x: Ref, y: Ref) requires node(x) && node(y) { x.f := 1 }")
    assert found.held == ("acc(node(x))", "acc(node(y))")
    assert found.help == (
        "`node(x)` contains this permission: `unfold node(x)` right before `x.f := 1`"
    )


def test_an_instance_under_another_name() -> None:
    found = problem(
        NODE + "method m(x: Ref, y: Ref) requires x == y && node(y) { x.f := 1 }",
    )
    assert "unfold node(" in (found.help or "")


def test_an_instance_that_is_gone_is_not_to_be_unfolded() -> None:
    found = problem(
        NODE
        + "method use(n: Ref) requires node(n)\n"
        + "method m(n: Ref) requires acc(n.f) && acc(n.next)\n{ fold node(n)\nuse(n)\nn.f := 1 }"
    )
    assert [event.text for event in found.history] == [
        "the permission was folded into node(n) here",
        "node(n) was given up by this call of use and not returned",
    ]
    assert (found.help or "").startswith("let `use` give it back: `ensures acc(node(n))`")


def test_quantified_permission_is_named() -> None:
    found = problem(
        FIELDS
        + "method m(s: Set[Ref], x: Ref) requires forall r: Ref :: r in s ==> acc(r.f) { x.f := 1 }"
    )
    assert found.held == ("forall r :: (r in s) ==> acc(r.f)",)


CASES = {
    "callee": (
        "method inc(c: Ref) requires acc(c.f)\n"
        "method m(x: Ref) requires acc(x.f) { inc(x)  inc(x) }",
        "let `inc` give it back: `ensures acc(c.f)`",
    ),
    "callee with a share": (
        "method inc(c: Ref) requires acc(c.f, 1/2)\n"
        "method m(x: Ref) requires acc(x.f) { inc(x)  x.f := 1 }",
        "let `inc` give it back: `ensures acc(c.f, 1/2)`",
    ),
    "loop": (
        "method m(x: Ref) requires acc(x.f)\n{ while (x != null) { x.f := 1 } }",
        "add `invariant acc(x.f)`",
    ),
    "exhale": (
        "method m(x: Ref) requires acc(x.f)\n{ exhale acc(x.f)\nx.f := 1 }",
        "gives it away: use it before",
    ),
    "value after a call": (
        "method inc(c: Ref) requires acc(c.f) ensures acc(c.f)\n"
        "method m(x: Ref) requires acc(x.f) { x.f := 1  inc(x)  assert x.f == 2 }",
        "after the call of `inc` (line 3) only its postcondition is known of `x.f`",
    ),
    "value after a loop": (
        "method m(x: Ref, b: Bool) requires acc(x.f)\n"
        "{ x.f := 1  while (b) invariant acc(x.f) { }\nassert x.f == 1 }",
        "only its invariants are known of `x.f`",
    ),
    "function": (
        "function g(x: Ref): Int { x.f }",
        "`requires acc(x.f, wildcard)`",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_cure_is_where_the_cause_is(name: str) -> None:
    program, advice = CASES[name]
    assert advice in (problem(FIELDS + program).help or "")


def test_a_value_that_is_written_after_a_call_is_not_blamed_on_it() -> None:
    found = problem(
        FIELDS
        + "method inc(c: Ref) requires acc(c.f) ensures acc(c.f)\n"
        + "method m(x: Ref) requires acc(x.f) { inc(x)  x.f := 1  assert x.f == 2 }"
    )
    assert "after the call" not in (found.help or "")


def test_folds_that_are_missing() -> None:
    made = problem(LIST + "method m() returns (n: Ref) ensures list(n) { n := new(f, next) }")
    assert (made.help or "").startswith("`fold list(n)` at the end of the body")
    opened = problem(LIST + "method m(n: Ref) requires list(n) ensures list(n) { unfold list(n) }")
    assert opened.help == "it was opened in line 3: `fold list(n)` at the end of the body"
    packaged = problem(
        LIST
        + "method m(n: Ref) requires list(n) && n != null\n"
        + "{ unfold list(n)\nvar o: Ref := n.next\npackage list(o) --* list(n) }"
    )
    assert "`package ... { fold ... }`" in (packaged.help or "")


def test_a_function_over_a_predicate_is_told_to_unfold() -> None:
    found = problem(LIST + "function g(n: Ref): Int requires list(n) { n == null ? 0 : n.f }")
    assert found.help == "`list(n)` contains this permission: write `unfolding list(n) in ...`"


def test_variables_of_macros_have_the_names_that_were_written() -> None:
    found = problem(
        FIELDS
        + "define cells(s) forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f)\n"
        + "method m(s: Seq[Ref]) requires cells(s) { }"
    )
    assert "$" not in found.message
    assert "forall i: Int, j: Int :: " in (found.help or "")


@pytest.mark.parametrize("name", ["callee", "loop", "function"])
def test_the_other_verifier_says_nothing_wrong(name: str) -> None:
    """It knows no heap to look into: what it says comes from the text of the program."""
    assert problem(FIELDS + CASES[name][0], "vcg").help is not None


def test_an_instance_inside_of_an_instance() -> None:
    found = problem(
        NODE + "predicate outer(n: Ref) { node(n) }\n"
        "method m(x: Ref) requires outer(x) { x.f := 1 }"
    )
    assert "`unfold outer(x)`" in (found.help or "")


def test_a_part_of_an_instance_is_opened_in_part() -> None:
    found = problem(NODE + "method m(x: Ref) requires acc(node(x), 1/2) { unfold node(x) }")
    assert "`unfold acc(node(x), 1/2)`" in (found.help or "")


def test_who_keeps_a_part_knows_the_value() -> None:
    """A loop that is given a half cannot change it: it is not blamed."""
    found = problem(
        FIELDS
        + "method m(x: Ref, b: Bool) requires acc(x.f)\n"
        + "{ x.f := 1  while (b) invariant acc(x.f, 1/2) { }\nassert x.f == 2 }"
    )
    assert "loop" not in (found.help or "")


def test_the_condition_of_a_loop_has_no_place_in_front() -> None:
    found = problem(
        NODE + "method m(x: Ref) requires node(x) { while (x.f > 0) invariant node(x) { } }"
    )
    cure = "write `unfolding node(x) in x.f > 0`"
    assert found.help == f"`node(x)` contains this permission: {cure}"


def test_the_body_of_a_macro_is_shown_with_its_arguments() -> None:
    found = problem(
        FIELDS + "define pos(c) c.f > 0\nmethod m(x: Ref) requires acc(x.f) { assert pos(x) }"
    )
    assert found.notes == ("`pos` is the macro of line 2: `c.f > 0`", "there `c` is `x`")


def test_the_uses_of_a_macro_are_told_where_its_statements_fail() -> None:
    found = problem(
        FIELDS
        + "define pos(c) {\n  assert c.f > 0\n}\n"
        + "method m(x: Ref)\n  requires acc(x.f)\n{\n  pos(x)\n}"
    )
    assert found.span is not None and found.span.line == 3
    assert found.notes == ("`pos` is used in line 8",)


def test_every_missing_permission_has_a_cure() -> None:
    found = problem(
        FIELDS
        + "define both(a, b) acc(a.f) && acc(b.f)\n"
        + "method m(x: Ref, y: Ref) requires acc(x.f) { exhale both(x, y) }"
    )
    assert found.help is not None


def test_a_computed_amount_that_may_not_be_enough() -> None:
    found = problem(
        "function cost(n: Int): Int predicate credit()\n"
        "method use(n: Int) requires cost(n) >= 0 && acc(credit(), cost(n) / 1)\n"
        "{ exhale acc(credit(), 1/1) }"
    )
    assert found.held == ("acc(credit(), cost(n))",)
    assert "say first how large `cost(n)` is at least, or let `cost` promise it" in found.help


def test_what_is_held_has_no_versions_in_advice_either() -> None:
    found = problem(
        NODE + "method m(x: Ref, y: Ref) requires node(x) && node(y)\n"
        "{ var z: Ref := x z := y exhale node(z) unfold node(z) }"
    )
    assert found.held == ("acc(node(x))",)
    assert "@" not in found.help


def test_an_amount_without_a_name_is_left_open() -> None:
    program = """field f: Int field g: Int
predicate valid(x: Ref, b: Bool) { b ? acc(x.f) : acc(x.g) }
method m(x: Ref, b: Bool) requires valid(x, b) && valid(x, !b) { unfold valid(x, true) x.g := 1 }
"""
    found = problem(program)
    assert set(found.held) >= {"acc(valid(x, b), ...)", "acc(valid(x, !b), ...)"}
    assert "..." not in (found.help or "").replace("{ ... }", "")
