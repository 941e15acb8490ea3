"""What an instance and its picture tell: witnesses, earlier states, amounts, small collections."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.results.counterexample import Counterexample, Standing
from pitviper.results.heap_graph import HeapGraph, Row, graph_of
from pitviper.source.reading import Decoded
from pitviper.source.span import SourceFile
from pitviper.views.pictures.graphviz import rendered
from pitviper.views.pictures.heap import dot_text


def found_in(text: str, at: int | None = None) -> list[Counterexample]:
    options = CounterexampleOptions(at=at)
    results = counterexamples(Decoded(SourceFile(Path("a.vpr"), text)), options).results
    shown = [result for result in results if isinstance(result, Counterexample)]
    assert len(shown) == len(results)
    assert all(result.standing is not Standing.CANDIDATE for result in shown)
    return shown


def row(graph: HeapGraph, field: str) -> Row:
    (found,) = [row for node in graph.nodes for row in node.rows if row.field == field]
    return found


def svg(graph: HeapGraph) -> str:
    return rendered(dot_text(graph), "svg").decode()


LABELLED = """field f: Int
field g: Int
method m(x: Ref)
  requires acc(x.f) && acc(x.g) && x.f == 0
{
  x.f := 5
  label mid
  x.f := 8
  x.g := x.g + 1
  assert x.f == old{which}(x.f)
}
"""


@pytest.mark.parametrize(("which", "was", "since"), [("[mid]", "5", "mid"), ("", "0", "")])
def test_the_earlier_state_is_the_one_that_the_check_speaks_of(
    which: str, was: str, since: str
) -> None:
    (found,) = found_in(LABELLED.replace("{which}", which))
    graph = graph_of(found)
    shown = row(graph, "f")
    assert (shown.value, shown.before, shown.since) == ("8", was, since)
    assert (f"was {was} at mid" in svg(graph)) is bool(since)


def test_without_an_earlier_state_in_the_check_it_is_that_of_the_start() -> None:
    (found,) = found_in(LABELLED.replace("old{which}(x.f)", "9"))
    assert (row(graph_of(found), "f").before, row(graph_of(found), "f").since) == ("0", "")


@pytest.mark.parametrize(
    ("check", "witness"),
    [
        ("assert forall r: Ref :: r in nodes ==> r.f > 0", " for r = Ref1"),
        ("exhale forall n: Ref :: n in more ==> acc(n.f)", " for n = "),
        ("callee(nodes)", " for x = Ref1"),
        ("assert |a| == 2 ==> (forall i: Int :: 0 <= i && i < |a| ==> a[i] != 2)", " for i = "),
        ("assert forall i: Int, j: Int :: 0 <= i && i < j && j < |a| ==> a[i] <= a[j]", "j = "),
    ],
)
def test_the_witness_of_a_forall_is_named(check: str, witness: str) -> None:
    text = f"""field f: Int
method callee(s: Set[Ref])
  requires forall x: Ref :: x in s ==> acc(x.f) && x.f > 3
method m(nodes: Set[Ref], more: Set[Ref], a: Seq[Int])
  requires forall r: Ref :: r in nodes ==> acc(r.f)
{{
  {check}
}}
"""
    (found,) = found_in(text)
    assert witness in found.caption


def test_amounts_say_what_they_were() -> None:
    text = """field f: Int
predicate P(x: Ref) { acc(x.f) }
field g: Int
method m(x: Ref)
  requires acc(x.g) && P(x)
{
  exhale acc(x.g, 1/2) && acc(P(x), 1/4)
  assert x.g == 3
}
"""
    (found,) = found_in(text)
    graph = graph_of(found)
    assert (row(graph, "g").amount, row(graph, "g").had) == ("1/2", "write")
    assert [(frame.amount, frame.had) for frame in graph.frames] == [("3/4", "write")]
    assert svg(graph).count("was write") == 2


def test_instances_inside_instances_are_named_or_counted() -> None:
    text = """field next: Ref
predicate list(x: Ref) { acc(x.next) && (x.next != null ==> list(x.next)) }
function len(x: Ref): Int
  requires list(x)
{ unfolding list(x) in (x.next == null ? 1 : 1 + len(x.next)) }
method m(x: Ref)
  requires list(x) && len(x) >= LEAST
{ assert len(x) > 99 }
"""
    (found,) = found_in(text.replace("LEAST", "3"))
    (frame,) = graph_of(found).frames
    assert frame.inside == ("list(Ref2)", "list(Ref3)")
    assert "inside: list(Ref3)" in svg(graph_of(found))
    (longer,) = found_in(text.replace("LEAST", "6"))
    assert "inside: 2 more instances" in svg(graph_of(longer))


@pytest.mark.parametrize(
    ("given", "check", "values"),
    [
        ("|s| > 2", "s[0] < s[1]", {"s": 3}),
        ("3 in t", "4 in t", {"t": 1, "s": 0}),
        ("(3 in u) > 1", "(3 in u) > 2", {"u": 2}),
        ("7 in domain(v)", "v[7] == 4", {"v": 1}),
        ("t subset w && |t| >= 2", "|w| > 4", {"t": 2, "w": 2}),
    ],
)
def test_collections_are_as_small_as_they_can_be(
    given: str, check: str, values: dict[str, int]
) -> None:
    text = f"""method m(s: Seq[Int], t: Set[Int], u: Multiset[Int], v: Map[Int, Int], w: Set[Int])
  requires {given}
{{ assert {check} }}
"""
    (found,) = found_in(text)
    shown = {v.name: v.value.text for v in found.variables}
    for name, size in values.items():
        inside = shown[name].partition("(")[2].removesuffix(")")
        elements = inside.split(", ") if inside else []
        assert len(elements) == size, shown
        assert all(-9 <= int(e.rpartition(":= ")[2]) <= 9 for e in elements), shown


def test_collections_inside_of_instances_are_as_small_as_they_can_be() -> None:
    text = """field items: Seq[Int]
predicate stack(x: Ref) { acc(x.items) }
function contents(x: Ref): Seq[Int] requires stack(x) { unfolding stack(x) in x.items }
method pop(x: Ref)
  requires stack(x) && |contents(x)| > 0
  ensures stack(x) && contents(x) == old(contents(x)[1..])
{
  unfold stack(x)
  x.items := x.items[0..]
  fold stack(x)
}
"""
    (found,) = found_in(text)
    assert [v.text for f in found.functions for v in [f.value]] == ["Seq(0)"]


def test_links_to_the_object_itself_carry_no_labels_that_overlap() -> None:
    text = """field left: Ref
field right: Ref
method m(x: Ref)
  requires acc(x.left) && acc(x.right) && x.left == x && x.right == x
{ assert x.left == null }
"""
    (found,) = found_in(text)
    dot = dot_text(graph_of(found))
    loops = [line for line in dot.splitlines() if ":head:e" in line]
    assert len(loops) == 2
    assert not any("label" in line for line in loops)


def test_a_link_round_the_object_lies_on_no_label_of_its_other_links() -> None:
    text = """field left: Ref
field right: Ref
field value: Int
method m(x: Ref, y: Ref)
  requires acc(x.left) && acc(x.right) && x.left == x && x.right == y && y != x
  requires acc(y.left) && acc(x.value)
{ assert x.left == null || y.left == x }
"""
    (found,) = found_in(text)
    leaving = [line for line in dot_text(graph_of(found)).splitlines() if ':"f_right" ->' in line]
    assert len(leaving) == 1
    assert "label" not in leaving[0]
    drawn = svg(graph_of(found))
    way = drawn.partition("<title>o_Ref1:e&#45;&gt;o_Ref1:e</title>")[2].partition("</g>")[0]
    next_object = drawn.partition("<title>o_Ref2</title>")[2].partition("</g>")[0]
    reach = max(float(x) for x in re.findall(r"[ C](-?[\d.]+),", way.partition('d="')[2]))
    assert reach < min(float(x) for x in re.findall(r"[\" ](-?[\d.]+),-?[\d.]+", next_object))


def test_a_long_caption_has_a_row_for_each_line_and_the_method_is_named() -> None:
    name = "a_name_that_is_so_long_that_a_sum_of_them_needs_lines"
    text = f"method speaking({name}: Int) {{ assert {name} + {name} == {name} }}"
    (found,) = found_in(text)
    title = dot_text(graph_of(found)).split("label=", 1)[1].split("];", 1)[0]
    assert title.count("<TR>") >= 3
    assert "speaking: counterexample 1" in title


LINES = """field f: Int
predicate P(x: Ref) {
  acc(x.f) &&
  x.f > 0
}
method m(x: Ref, a: Int)
  requires acc(x.f)
  ensures acc(x.f)
{
  if (a > 0) {
    x.f := 1
  }
  while (x.f < 3)
    invariant acc(x.f)
  {
    x.f := x.f + 1
  }
  assert x.f >
    2
}
"""


@pytest.mark.parametrize("line", [3, 4, 7, 8, 10, 11, 13, 14, 16, 18, 19])
def test_every_line_with_a_state_has_an_example(line: int) -> None:
    shown = found_in(LINES, at=line)
    assert shown
    assert [one.number for one in shown] == list(range(1, len(shown) + 1))


def test_a_line_without_a_state_names_the_nearest_that_has_one() -> None:
    with pytest.raises(UsageError, match=r"line 12 has no state.* is 11"):
        found_in(LINES, at=12)


def test_ways_to_a_line_are_told_apart() -> None:
    shown = found_in(LINES, at=14)
    assert len({one.caption for one in shown}) == len(shown) == 2
    assert any(one.caption.endswith(", if x.f < 3") for one in shown)


PERMITTED = """field f: Int
field next: Ref
predicate P(y: Ref) { acc(y.f) && y.f > 0 }
method callee(a: Ref, n: Int)
  requires acc(a.f, 1/4) && a.f > n
method m(x: Ref, k: Int)
  requires acc(x.next) && acc(x.next.f, 1/2) && x.next != x
{
  STATEMENT
}
"""


@pytest.mark.parametrize(
    ("statement", "caption"),
    [
        ("x.next.f := 2", "there is not enough permission to write x.next.f"),
        ("exhale acc(x.next.f)", "there is not enough permission to x.next.f"),
        ("fold P(x.next)", "there is not enough permission to y.f (y is Ref2)"),
    ],
)
def test_the_location_that_permission_is_missing_to_is_named_and_marked(
    statement: str, caption: str
) -> None:
    (found,) = found_in(PERMITTED.replace("STATEMENT", statement))
    assert found.caption == f"line 9 fails: {caption}"
    assert row(graph_of(found), "f").focus
    assert not row(graph_of(found), "next").focus


def test_names_of_a_contract_are_told_by_the_objects_that_they_stand_for() -> None:
    (found,) = found_in(PERMITTED.replace("STATEMENT", "callee(x.next, k)"))
    assert found.caption.startswith("line 9 fails: a.f > n is false (")
    assert found.caption.endswith("), where a is Ref2")


@pytest.mark.parametrize("words", range(1, 40))
def test_a_value_stays_with_its_name_in_lines_of_a_caption(words: int) -> None:
    graph = HeapGraph(f"line 7 fails: {'word ' * words}is false for i = 2", "m", (), (), (), (), ())
    lines = re.findall("<B>(.*?)</B>", dot_text(graph))
    assert lines[-1].endswith("i = 2")
    assert max(len(line) for line in lines) <= 90
    assert min(len(line) for line in lines) > 20


def test_a_wand_is_drawn_whole_and_without_amounts_that_are_the_whole() -> None:
    text = """field f: Int
method m(x: Ref, y: Ref)
  requires acc(x.f, 1/2) && acc(y.f) && x != y
  requires acc(x.f) && x.f > 1 --* acc(x.f, 1/2) && acc(y.f) && y.f > 100 && x.f == 1000
{ assert x.f > 0 }
"""
    (found,) = found_in(text)
    (frame,) = graph_of(found).frames
    left, _, right = frame.text.partition(" --* ")
    assert left == "acc(Ref1.f) && Ref1.f > 1"
    assert right == "acc(Ref1.f, 1/2) && acc(Ref2.f) && Ref2.f > 100 && Ref1.f == 1000"
    assert "..." not in dot_text(graph_of(found))
