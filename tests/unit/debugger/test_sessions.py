"""Sessions on failed proofs of several kinds; `docs/debugger.md` tells them as a tutorial."""

from __future__ import annotations

import pytest

from pitviper.driver.debug.debugging import open_debugger
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.counterexample import Counterexample, Standing
from pitviper.results.debugging import CounterexampleReply, Listing, StepsReply
from tests.unit.debugger.sessions import opened, outcome, problem, said


def test_a_missing_loop_invariant() -> None:
    session = opened("missing_invariant")

    assert "left@2 <= n@0" in said(session, "show assumptions")
    assert "does not follow:  r@2 == 2 * n@0" in said(session, "why-not")
    assert outcome(session, "assume r@2 == 2 * (n@0 - left@2)") == "not proved"
    assert outcome(session, "assume left >= 0") == "proved"
    enough = said(session, "minimise")
    assert "3 facts of" in enough and "left@2 <= 0" in enough
    assert said(session, "undo") == "undone\n"
    assert outcome(session, "prove") == "not proved"


def test_an_expression_is_proved_beside_the_goal() -> None:
    session = opened("missing_invariant")

    assert outcome(session, "prove left <= n") == "proved"
    assert outcome(session, "prove left > n") == "not proved"
    assert "r@2 == 2 * n@0" in said(session, "show goal")
    assert said(session, "undo").startswith("error: there is nothing to undo")


def test_words_behind_a_command_that_takes_none_are_told() -> None:
    session = opened("missing_invariant")

    assert problem(session, "undo left") == ("nothing follows `undo`", "left")


def test_a_permission_that_a_call_kept() -> None:
    session = opened("lost_permission")

    why = said(session, "why-not")
    assert "missing:          permission to to@0.balance" in why
    assert "acc(to@0.balance, 1 / 2), which is not enough" in why
    assert "line 14:" in why and "given up by this call of audit" in why
    assert outcome(session, "assert perm(to.balance) == 1/2") == "proved"
    assert outcome(session, "assert acc(to.balance, 1/2)") == "proved"
    assert outcome(session, "assert acc(to.balance)") == "not proved"
    assert outcome(session, "assert old[debug@0](perm(to.balance)) == write") == "proved"
    changes = said(session, "diff 13 16").splitlines()
    assert "    - acc(to@0.balance, write) -> old[debug@0#l:14](to@0.balance)" in changes
    assert "    + acc(to@0.balance, 1 / 2) -> old[debug@1#l:15](to@0.balance)" in changes


def test_permissions_are_goals_but_no_assumptions() -> None:
    """With more permission the run itself would be another: the answer says what to do instead."""
    session = opened("lost_permission")
    told, marked = problem(session, "assume acc(to.balance, 1/2)")

    assert told.startswith("permissions cannot be assumed here, only facts")
    assert "write `inhale` with this assertion before line 16" in told
    assert marked == "acc(to.balance, 1/2)"
    assert problem(session, "lemma acc(to.balance, 1/2)") == (told, marked)
    assert outcome(session, "assert acc(to.balance, 1/2)") == "proved"


def test_a_wrong_branch() -> None:
    session = opened("wrong_branch")

    why = said(session, "why-not").splitlines()
    wrong = [line for line in why if "is false here" in line]
    assert len(wrong) == 1 and "a@0 + 1 < b@0" in wrong[0] and "d@2" in wrong[0]
    assert outcome(session, "assert a + 1 < b ==> d < 0") == "proved"
    assert outcome(session, "assert a + 1 >= b ==> d >= 0") == "proved"


def test_the_recorded_run_can_be_walked() -> None:
    session = opened("wrong_branch")

    steps = session.execute("path all")[0]
    assert isinstance(steps, StepsReply)
    branch = next(s.number for s in steps.steps if s.rule == "branch" and "a > b" in s.text)
    assert "d := a - b" in said(session, f"goto {branch}") + said(session, "goto then")
    assert "step" in said(session, f"goto {branch}")
    assert "member distance" in said(session, "goto parent")
    assert "produce" in said(session, "goto child")
    there = said(session, "goto next").splitlines()[2]
    assert there != said(session, "goto previous").splitlines()[2]
    assert "failure d >= 0" in said(session, "goto failure")
    assert problem(session, "goto nowhere")[0].startswith("`nowhere` is no step")


def test_a_quantified_permission_that_ends_too_early() -> None:
    session = opened("quantified")

    heap = said(session, "show heap")
    assert "forall i: Int :: 0 <= i && i < size(a@0) ==> cell(a@0, i).val  # write" in heap
    assert "assume k@2 < size(a@0)" in said(session, "suggest")
    assert outcome(session, "assume k < size(a)") == "proved"
    session.execute("undo")
    every = "forall i: Int :: 0 <= i && i < size(a) ==> perm(cell(a, i).val) == write"
    assert outcome(session, f"assert {every}") == "proved"
    assert outcome(session, "assert k < size(a)") == "not proved"
    refused = "there might be insufficient permission to access cell(a, k).val"
    assert problem(session, "assert cell(a, k).val == v")[0].lower() == refused


def test_a_wand_that_is_applied_too_early() -> None:
    session = opened("wand")

    assert "x.val <= limit" in said(session, "show goal")
    assert outcome(session, "assert x.val == old[debug@1](x.val) + 1") == "proved"
    assert outcome(session, "assert limit == old(unfolding both(x, y) in y.val)") == "proved"
    session.execute("assert")
    assert outcome(session, "assume old[debug@1](x.val) < limit") == "proved"
    enough = said(session, "minimise")
    assert "old[debug@3#l:20](x@0.val) == old[debug@1#l:14](x@0.val) + 1" in enough
    held = "acc(x@0.val) && x@0.val <= old[debug@1#l:14](y@0.val) --* "
    assert held in said(session, "show old")


def test_another_solver_in_the_same_session() -> None:
    pytest.importorskip("cvc5", reason="cvc5 is not installed")
    arithmetic = opened("gaussian_sum")
    arithmetic.execute("choose 0")
    assert outcome(arithmetic, "solver cvc5") == "not proved"
    assert outcome(arithmetic, "assert r == n.val * (n.val - 1) / 2") == "proved"
    assert outcome(arithmetic, "solver z3") == "proved"
    assert problem(arithmetic, "solver cvc5 nonsense=1")[0].startswith("cvc5 does not take")
    assert outcome(arithmetic, "prove") == "proved"  # by the solver that was there before

    predicates = opened("wand")
    assert outcome(predicates, "solver cvc5 limit 1000000") == "not proved"
    assert outcome(predicates, "assume old[debug@1](x.val) < limit") == "proved"

    quantified = opened("quantified")
    quantified.execute("solver cvc5")
    assert outcome(quantified, "assume k < size(a)") == "proved"

    collections = open_debugger(
        "method m(s: Seq[Int], t: Set[Int]) requires |s| == 3 && s[0] in t\n"
        "{ assert |s ++ s| == 7 }"
    )
    assert outcome(collections, "solver cvc5 limit 500000") != "proved"
    assert outcome(collections, "assert |s ++ s| == 6 && (s ++ s)[3] == s[0]") == "proved"
    assert outcome(collections, "assert s[0] in (t union Set(1))") == "proved"


def test_solver_options_and_limits() -> None:
    session = opened("missing_invariant")

    assert outcome(session, "solver z3 limit 100000 smt.random_seed=7") == "not proved"
    assert "smt.random_seed=7" in said(session, "solver")
    assert problem(session, "solver z3 nonsense=1")[0] == "the solver has no option nonsense"


def test_what_is_exported_fails_alike() -> None:
    session = opened("lost_permission")

    written = session.execute("export viper")[0]
    assert isinstance(written, Listing)
    with open_verifier() as verifier:
        done = verifier.verify(verifier.read_text("\n".join(written.lines), "reduced.vpr"))
    assert [f.id for f in done.findings] == ["assignment.failed:insufficient.permission"]
    assert "from.balance :=" not in "\n".join(written.lines)


def test_the_exported_query_is_the_goal() -> None:
    session = opened("missing_invariant")

    open_goal = said(session, "export smt")
    session.execute("assert left <= n")
    proved_goal = said(session, "export smt")
    assert "; goal: r@2 == 2 * n@0" in open_goal and "(check-sat)" in open_goal
    assert "; goal: left@2 <= n@0" in proved_goal


def test_a_counterexample_follows_what_the_user_assumes() -> None:
    session = opened("gaussian_sum")
    session.execute("choose 0")

    first = session.execute("counterexample")[0]
    assert isinstance(first, CounterexampleReply)
    assert isinstance(first.results[0], Counterexample)
    values = {v.name: int(v.value.text) for v in first.results[0].variables if v.type == "Int"}
    assert values["r"] == values["i"] * (values["i"] - 1) // 2
    session.execute("assume n.val > 3")
    later = session.execute("ce")[0]
    assert isinstance(later, CounterexampleReply) and isinstance(later.results[0], Counterexample)
    assert int({v.name: v.value.text for v in later.results[0].variables}["i"]) > 3
    session.execute("assert i == n.val")
    assert said(session, "ce") == "the goal is proved: it has no counterexample\n"


def test_functions_and_collections_that_only_the_user_mentions() -> None:
    session = open_debugger(
        "function half(n: Int): Int ensures result <= n || n < 0 { n / 2 }\n"
        "method m(x: Int) requires x > 3 { assert x > 10 }"
    )

    assert outcome(session, "assert half(8) == 4") == "proved"
    assert outcome(session, "assert half(x) <= x") == "proved"
    assert outcome(session, "assert |Seq(x, x + 1)| == 2 && x in Seq(1, x)") == "proved"
    assert outcome(session, "assert x in Set(1, 2)") == "not proved"
    assert outcome(session, "solver z3") == "not proved"
    assert outcome(session, "assert half(8) == 4 && |Seq(x)| == 1") == "proved"


def test_completion_knows_names_versions_labels_and_numbers() -> None:
    session = opened("wand")

    assert "assert" in session.complete("ass")
    assert set(session.complete("assert x")) == {"x", "x@0"}
    assert session.complete("assert old[debug@1") == ("debug@1#l:14",)
    assert "11" in session.complete("print 1")
    assert session.complete("show st") == ("store",)
    assert session.complete("nonsense x") == ()


def test_find_print_config_and_help() -> None:
    session = opened("wand")

    assert "[19]" in said(session, "find debug@3")
    assert said(session, "find nowhere") == "no assumption mentions nowhere\n"
    assert "place: wand.vpr@6.31--6.45" in said(session, "print 8")
    assert "snapshot" not in said(session, "show assumptions")
    said(session, "config internal on")
    assert "snapshot" in said(session, "show assumptions").replace("empty ", "")
    assert "depth of [0]: 1" in said(session, "config depth 0 1")
    assert problem(session, "config depth")[0].startswith("use it as")
    assert "why-not, w" in said(session, "help")
    assert "set another goal" in said(session, "help assert")
    assert "x.val <= limit" in said(session, "source 2")


def test_an_interrupted_session_goes_on() -> None:
    session = opened("wand")
    assert outcome(session, "prove") == "not proved"
    assert session.debugger is not None

    session.debugger.interrupt()

    assert outcome(session, "prove") == "not proved"
    assert outcome(session, "assume old[debug@1](x.val) < limit") == "proved"


def test_what_was_not_decided_can_be_looked_at() -> None:
    hard = "method m(x: Int, y: Int, z: Int) requires x > 0 && y > 0 && z > 0\n"
    hard += "{ assert x * x * x + y * y * y != z * z * z }"
    session = open_debugger(hard, VerifyOptions(limit=20_000))

    assert "before this was decided" in said(session, "errors")
    assert outcome(session, "prove") != "proved"
    assert outcome(session, "assume z == 1") == "proved"


LISTS = """
define POSITIVE(e) ((e) > 0)
adt List[T] { Nil() Cons(value: T, tail: List[T]) }
field f: Int
predicate cell(x: Ref) { acc(x.f) }
function content(x: Ref): Int requires cell(x) { unfolding cell(x) in x.f }

method m(xs: List[Int], x: Ref)
  requires cell(x) && xs.isCons
{
  label before
  unfold cell(x)
  x.f := xs.value
  fold cell(x)
  if (xs.value > 3) {
    var z: Int := content(x)
    assert xs.tail.isNil
  } else {
    var z: Bool := true
    assert xs.value == 3
  }
}

method forgotten(x: Ref)
  requires cell(x)
{ x.f := 1 }
"""


def test_data_types_macros_functions_and_labels_can_be_typed_in() -> None:
    session = open_debugger(LISTS)
    session.execute("choose 0")

    assert "xs@0.tail.isNil" in said(session, "show goal")
    assert outcome(session, "assert POSITIVE(xs.value)") == "proved"
    assert outcome(session, "assert xs == Cons(xs.value, xs.tail)") == "proved"
    assert outcome(session, "assert content(x) == xs.value && z == content(x)") == "proved"
    assert outcome(session, "assert old[before](content(x)) == content(x)") == "not proved"
    assert outcome(session, "assume xs.tail == Nil()") == "not proved"
    assert outcome(session, "assert") == "proved"


def test_locals_of_another_block_are_not_in_scope() -> None:
    session = open_debugger(LISTS)

    session.execute("choose 0")
    said = problem(session, "assert z")[0]
    assert said.startswith("found incompatible type `Int`, expected `Bool`")
    session.execute("choose 1")
    assert outcome(session, "assert z") == "proved"


def test_ghost_statements_are_suggested() -> None:
    session = open_debugger(LISTS)

    session.execute("choose 2")
    assert "unfold cell(x)" in said(session, "suggest")


TYPED_GOAL = """field x: Int
predicate Pt(this: Ref) { acc(this.x) && this.x >= 0 }
function getX(this: Ref): Int requires Pt(this) { unfolding Pt(this) in this.x }
method m(this: Ref, v: Int) returns (r: Int)
  requires Pt(this) && v > 3
  ensures Pt(this) && r > 100
{
  unfold Pt(this)
  this.x := v
  fold Pt(this)
  r := v
}
"""


def test_analyses_use_what_was_learnt_when_the_goal_was_typed() -> None:
    session = open_debugger(TYPED_GOAL)

    assert outcome(session, "assert getX(this) == v") == "proved"
    assert "enough" in said(session, "minimise")
    text = said(session, "export smt")
    assert "; learnt from the goal" in text
    assert outcome(session, "assert getX(this) == v + 1") == "not proved"
    assert "is false here:    getX(this@0) == v@0 + 1" in said(session, "why-not")
    (reply,) = session.execute("counterexample")
    assert isinstance(reply, CounterexampleReply)
    (found,) = reply.results
    assert isinstance(found, Counterexample)
    assert found.standing is Standing.CHECKED
    assert found.caption.endswith("the goal fails: getX(this) == v + 1 is false")
    assert found.finding == "assert.failed:assertion.false"
    assert {f.text: f.value.text for f in found.functions} == {"getX(Ref1)": "4"}


def test_a_function_that_was_not_selected() -> None:
    session = open_debugger(TYPED_GOAL, VerifyOptions(select=("m",)))
    told, marked = problem(session, "assert getX(this) == v")
    assert told == "getX was left out by --select: select it, too"
    assert marked == "getX(this)"


def test_states_inside_of_an_exhale_show_what_is_left() -> None:
    text = "field f: Int field g: Int\nmethod m(x: Ref) requires acc(x.f) && acc(x.g)\n"
    session = open_debugger(text + "{ exhale acc(x.f) && acc(x.g, 1/2) && x.f == 3 }")
    heap = said(session, "show heap")
    assert "x@0.f ->" not in heap
    assert "x@0.g -> old[debug@0#l:3](x@0.g)  # 1 / 2" in heap
    changes = said(session, "diff 5 10")
    assert "- acc(x@0.f, write)" in changes


def test_each_path_of_a_check_has_its_own_conditions() -> None:
    text = (
        "method m(b: Bool, c: Int) { var r: Int if (b) { r := 1 } else { r := c } assert r == 5 }"
    )
    options = VerifyOptions(join=False)
    session = open_debugger(text, options)
    assert session.debugger is not None
    assert [error.branch for error in session.debugger.errors().errors] == [("b",), ("!b",)]
    said(session, "choose 1")
    assert "r -> c@0" in said(session, "show store")


def test_a_reduced_program_keeps_the_part_that_fails() -> None:
    """Less would make other checks fail, or another part of this one."""
    text = """field f: Int
method m(x: Ref, y: Ref) requires acc(x.f) && acc(y.f) ensures acc(x.f) && acc(y.f, 1/2)
{
  var half: Perm := 1/2
  exhale acc(y.f, half)
  exhale acc(y.f, half)
}
"""
    session = open_debugger(text)
    reduced = said(session, "export viper")
    again = open_debugger(reduced)
    assert again.debugger is not None
    offending = [error.offending for error in again.debugger.errors().errors]
    assert [span.text for span in offending if span is not None] == ["y.f"]
