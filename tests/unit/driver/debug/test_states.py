"""Recorded programs: steps, the state before each, the way to a failure, instances of any state."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.debug.states import LookedAt, record_program
from pitviper.driver.front.frontend import load_text
from pitviper.results.counterexample import Counterexample, Result
from pitviper.results.debugging import DebugNode

PROGRAMS = Path(__file__).parents[3] / "programs" / "counterexamples"
BRANCHES = """\
field f: Int
method m(x: Ref, n: Int)
  requires acc(x.f)
{
  var a: Int := 1
  if (n > 0) {
    x.f := a
  } else {
    x.f := 2
  }
  assert x.f == 1
}
"""


def member(text: str, name: str) -> LookedAt:
    return record_program(load_text(text)).member(name)


def first(results: object) -> Result:
    return next(iter(results))  # type: ignore[call-overload, no-any-return]


def test_a_member_that_verifies_has_steps_and_states() -> None:
    text = "field f: Int\nmethod m(x: Ref) requires acc(x.f) { x.f := 3\n x.f := x.f + 1 }"
    looked = member(text, "m")
    assert looked.view().failures == ()
    at = [step.number for step in looked.steps() if step.rule == "execute"]
    before, behind = [looked.state(number) for number in at]
    assert before.heap[0].view.value != "3"
    assert (behind.heap[0].view.value, behind.heap[0].is_new) == ("3", True)
    assert behind.previous == at[0]


def test_a_branch_leads_to_the_first_steps_of_its_sides() -> None:
    steps = member(BRANCHES, "m").steps()
    (branch,) = [step for step in steps if step.rule == "branch" and step.text == "n > 0"]
    then, otherwise = branch.sides
    assert then is not None
    assert otherwise is not None
    assert (steps[then].text, steps[otherwise].text) == ("x.f := a", "x.f := 2")


def test_the_way_to_a_failure_has_its_statements_in_order() -> None:
    looked = member("method m(n: Int) { var a: Int := n\n a := a + 1\n assert a == n }", "m")
    points = looked.path(0)
    assert [point.text for point in points][-2:] == ["a := a + 1", "assert a == n"]
    found = first(looked.instances(looked.question_of(0), 6, 1))
    assert isinstance(found, Counterexample)
    values = {name: text for moment in found.trail for name, text in moment.values}
    inputs = {v.name: v.value.text for v in found.variables}
    assert int(values["a"]) == int(inputs["n"]) + 1


def test_an_instance_of_a_state_shows_a_link_that_leaves_its_set() -> None:
    """Listing 6.1: nothing fails, and the slip in the specification is seen all the same."""
    program = record_program(load_text((PROGRAMS / "open_graph.vpr").read_text()))
    leaves = ("exists n: Ref :: n in ns && n.next != null && !(n.next in ns)",)
    looked = program.member("unlink", leaves)
    step = next(s.number for s in looked.steps() if s.text == "assert true")
    found = first(looked.instances(looked.question_at(step), 6, 1))
    assert isinstance(found, Counterexample)
    (ns,) = [v.value.objects for v in found.variables if v.name == "ns"]
    targets = {at.value.text for heap in found.heaps for at in heap.locations}
    assert targets - {"null", *ns}


@pytest.mark.parametrize(
    ("where", "said"), [("x +", "constraint"), ("y == 3", "constraint"), ("acc(x.f)", "perm")]
)
def test_a_constraint_that_says_nothing_is_told(where: str, said: str) -> None:
    program = record_program(load_text(BRANCHES))
    with pytest.raises(UsageError, match=said):
        looked = program.member("m", (where,))
        looked.question_of(0)


def test_questions_about_what_is_not_there_are_told() -> None:
    program = record_program(load_text("method m() {}"))
    with pytest.raises(UsageError, match="no member"):
        program.member("k")
    with pytest.raises(UsageError, match="no step"):
        program.member("m").state(999)
    with pytest.raises(UsageError, match="no failed check"):
        program.member("m").path(0)
    with pytest.raises(UsageError, match="errors"):
        record_program(load_text("method m( {"))


LOOP = """\
field f: Int
predicate cell(x: Ref) { acc(x.f) }
method m(x: Ref, ns: Set[Ref], n: Int) returns (r: Int)
  requires cell(x) && x != null && n > 0
  requires forall k: Ref :: k in ns ==> acc(k.f) && k.f > 0
{
  var i: Int := 3
  while (i < n)
    invariant i <= n + 3
  {
    i := i + 1
  }
  unfold cell(x)
  r := x.f + i
  x.f := 0
  assert r == 0
}
"""


def test_states_are_told_in_the_words_of_the_source() -> None:
    looked = member(LOOP, "m")
    for step in looked.steps():
        if not step.has_state:
            continue
        state = looked.state(step.number)
        said = [value.value for value in state.store]
        said += [f"{line.view.text} {line.view.value}" for line in state.heap]
        todo = list(state.facts)
        while todo:
            fact = todo.pop()
            todo += fact.children
            said += [] if fact.internal else [fact.final or ""]
        assert not [text for text in said if "@" in text or "debug" in text]


def test_values_that_are_gone_are_told_by_the_line_that_had_them() -> None:
    looked = member(LOOP, "m")
    steps = looked.steps()
    [*_, last] = [s.number for s in steps if s.text == "assert r == 0" and s.rule == "execute"]
    state = looked.state(last)
    store = {value.name: value.value for value in state.store}
    assert (store["x"], store["i"]) == ("as given", "some Int")
    assert store["r"] == "old[line 14](x.f) + i"
    wide = [line.view for line in state.heap if line.view.quantifier]
    assert [(view.location, view.amount) for view in wide] == [("r_1.f", "write")]
    [unfold] = [s.number for s in steps if s.text.startswith("unfold") and s.rule == "execute"]
    [cell] = [line.view for line in looked.state(unfold).heap if "cell" in line.view.location]
    assert [held.location for held in cell.contents] == ["x.f"]


def test_a_loop_says_which_values_it_forgets() -> None:
    looked = member(LOOP, "m")
    found = first(looked.instances(looked.question_of(0), 6, 1))
    assert isinstance(found, Counterexample)
    lines = [(m.span.line, name) for m in found.trail for name, _ in m.values]
    assert (7, "i") in lines
    assert (8, "i") in lines  # forgotten where the loop begins
    assert (7, "r") not in lines


MACROS = """\
field f: Int
define all(s) (forall n: Ref :: n in s ==> acc(n.f))
define bump(x)
{
  var old_value: Int
  old_value := x.f
  x.f := old_value + 1
}
method m(s: Set[Ref], x: Ref, b: Bool)
  requires all(s) && x in s
{
  var n: Int := 1
  if (b) {
    var k: Int := 2
    x.f := k
  } else {
    var k: Int := 3
    x.f := k
    assert x.f == n
  }
  bump(x)
  bump(x)
  assert x.f == 9
}
"""


def test_names_that_the_typed_program_numbers_are_told_as_they_are_written() -> None:
    looked = member(MACROS, "m")
    assert [step.text for step in looked.steps() if "$" in step.text] == []
    in_branch = next(s for s in looked.steps() if s.text == "assert x.f == n")
    state = looked.state(in_branch.number)
    assert ("k", "3") in [(row.name, row.value) for row in state.store]
    for step in [s for s in looked.steps() if s.has_state]:
        facts = looked.state(step.number).facts
        texts = [f"{node.description} {node.final}" for fact in facts for node in _nodes(fact)]
        assert not any("forall n$" in text for text in texts)


def _nodes(node: DebugNode) -> list[DebugNode]:
    return [node, *[inner for child in node.children for inner in _nodes(child)]]


def test_a_counterexample_has_the_variables_that_its_place_has() -> None:
    looked = member(MACROS, "m")
    shown = []
    for failure in range(2):
        found = first(looked.instances(looked.question_of(failure), 6, 1))
        assert isinstance(found, Counterexample)
        shown.append([v.name for v in found.variables])
    assert sorted(shown) == [["s", "x", "b", "n"], ["s", "x", "b", "n", "k"]]
