"""States at a place: what is held and known there, on every path, also where nothing fails."""

from __future__ import annotations

import pytest

from pitviper.driver.debug.cursor import MemberRecord, record_member
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.cursor import HeldAt, StatesAt
from pitviper.views.json.cursor import states_object, track_object

TEXT = """field val: Int
field next: Ref
predicate list(x: Ref) { acc(x.val) && acc(x.next) && (x.next != null ==> list(x.next)) }
function first(x: Ref): Int requires list(x) { unfolding list(x) in x.val }
method work(x: Ref, b: Bool) returns (r: Int)
  requires acc(x.val) && acc(x.next, 1/2)
  ensures acc(x.val) && r > 0
{
  var y: Int := 3
  if (b) {
    x.val := x.val + y
    y := 4
  }
  label here
  x.val := 7
  r := y
}
method opens(x: Ref) requires list(x) ensures list(x)
{
  unfold list(x)
  x.val := 0
  fold list(x)
  done()
}
method done()
method wrong(x: Ref)
{
  x.val := 1
}
method loops(n: Int, s: Seq[Ref])
  requires forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].val)
  requires forall i: Int, j: Int :: 0 <= i && i < j && j < |s| ==> s[i] != s[j]
{
  var i: Int := 0
  while (i < n) invariant i >= 0
  {
    i := i + 1
  }
  assert i >= n
}
"""
RECORDS: dict[str, MemberRecord] = {}


def record(member: str) -> MemberRecord:
    if member not in RECORDS:
        found = record_member(load_text(TEXT, "list.vpr"), member, VerifyOptions())
        assert found is not None
        RECORDS[member] = found
    return RECORDS[member]


def at(member: str, part: str, more: int = 0) -> StatesAt:
    start = TEXT.index(f"method {member}(") if f"method {member}(" in TEXT else 0
    return record(member).at(TEXT.index(part, start) + more)


def texts(heap: tuple[HeldAt, ...]) -> list[str]:
    return [held.text for held in heap]


def test_a_verified_line_has_store_heap_and_decisions() -> None:
    (state,) = at("work", "x.val := x.val + y").states
    assert dict(state.store)["y"] == "3"
    assert texts(state.heap) == ["acc(x.val, write)", "acc(x.next, 1/2)"]
    assert state.conditions == ("b",)
    assert state.problems == ()


def test_every_path_to_a_line_has_its_own_state() -> None:
    states = at("work", "r := y").states
    assert {(s.conditions, dict(s.store)["y"]) for s in states} == {(("b",), "4"), (("!b",), "3")}
    values = {s.conditions: [h.value for h in s.heap if h.location == "x.val"] for s in states}
    assert values == {("b",): ["7"], ("!b",): ["7"]}


def test_old_heaps_have_the_values_of_their_states() -> None:
    state = next(s for s in at("work", "r := y").states if s.conditions == ("b",))
    labels = dict(state.old_heaps)
    assert [h.value for h in labels["here"] if h.location == "x.val"] == ["old(x.val) + 3"]
    assert "old" in labels


def test_the_place_behind_a_statement_is_the_state_after_it() -> None:
    state = at("work", "r := y", more=len("r := y")).states[0]
    assert state.after
    assert dict(state.store)["r"] in ("4", "3")


def test_contents_of_instances_are_shown_level_by_level() -> None:
    (state,) = at("opens", "unfold list(x)").states
    (instance,) = state.heap
    assert instance.location == "list(x)"
    inner = {held.location: held for held in instance.contents}
    assert set(inner) == {"x.val", "x.next", "list(x.next)"}
    assert inner["list(x.next)"].when == "x.next != null"
    assert [h.location for h in inner["list(x.next)"].contents][:1] == ["x.next.val"]


@pytest.mark.parametrize(
    ("member", "part", "more", "permission"),
    [
        ("work", "x.val := 7", 2, "write"),
        ("work", "acc(x.next, 1/2)", 6, "1/2"),
        ("opens", "x.val := 0", 2, "write"),
        ("opens", "fold list(x)\n  done", 6, "none"),
        ("wrong", "x.val := 1", 2, "none"),
    ],
)
def test_the_permission_for_what_is_under_the_cursor(
    member: str, part: str, more: int, permission: str
) -> None:
    found = at(member, part, more).states
    assert {s.asked.permission for s in found if s.asked is not None} == {permission}


def test_what_a_path_does_not_evaluate_has_no_value_there() -> None:
    text = """field next: Ref
predicate list(x: Ref) { x != null ==> acc(x.next) && list(x.next) }
function size(x: Ref): Int
  requires list(x)
{
  unfolding list(x) in x == null ? 0 : 1 + size(x.next)
}
"""
    found = record_member(load_text(text, "size.vpr"), "size", VerifyOptions())
    assert found is not None
    states = found.at(text.index("size(x.next)")).states
    values = {s.conditions: s.asked.value for s in states if s.asked is not None}
    assert values[("x == null",)] is None
    assert "size(" in (values[("x != null",)] or "")


def test_null_is_not_told_by_a_field_that_is_null() -> None:
    text = """field next: Ref
predicate list(x: Ref) { x != null ==> acc(x.next) && list(x.next) }
method single() returns (r: Ref)
  ensures list(r)
{
  r := new(next)
  r.next := null
  fold list(null)
  fold list(r)
}
"""
    found = record_member(load_text(text, "single.vpr"), "single", VerifyOptions())
    assert found is not None
    (state,) = found.at(text.index("fold list(r)")).states
    assert texts(state.heap) == ["acc(r.next, write)", "acc(list(null), write)"]
    assert [h.value for h in state.heap] == ["null", None]


def test_a_failing_line_has_its_state_and_what_fails() -> None:
    (state,) = at("wrong", "x.val := 1").states
    assert state.heap == ()
    assert ["insufficient permission" in problem for problem in state.problems] == [True]


def test_quantified_permissions_are_shown_as_they_are_written() -> None:
    (state,) = at("loops", "var i: Int := 0").states
    (held,) = state.heap
    assert held.quantifier.startswith("forall")
    assert held.location.endswith(".val")


def test_functions_and_predicates_have_states_too() -> None:
    found = record("first").at(TEXT.index("x.val }"))
    assert found.states[0].asked is not None
    assert "acc(x.val, write)" in texts(found.states[0].heap)
    assert record("list").at(TEXT.index("(x.next != null")).states


def test_a_place_that_no_path_comes_to_says_so() -> None:
    text = "method m() { inhale false\n assert true\n assert false }"
    found = record_member(load_text(text), "m", VerifyOptions())
    assert found is not None
    nothing = found.at(text.index("assert false"))
    assert nothing.states == () or nothing.states[0].after
    assert record_member(load_text(text), "other", VerifyOptions()) is None


def test_ways_through_a_member_are_lists_of_steps() -> None:
    ways = record("work").tracks()
    assert sorted(way.conditions for way in ways) == [("!b",), ("b",)]
    lines = [[step.span.line for step in way.steps] for way in ways if way.conditions == ("b",)]
    assert lines == [[9, 10, 11, 12, 14, 15, 16]]
    failing = record("wrong").tracks()
    assert "insufficient permission" in failing[0].ending


def test_states_and_ways_are_json() -> None:
    data = states_object(at("opens", "unfold list(x)"))
    assert data["member"] == "opens"
    assert isinstance(data["states"], list)
    assert track_object(record("work").tracks()[0])["ending"] == "the end of the path"
