"""Generic traversals of syntax trees."""

from __future__ import annotations

from pitviper.source.span import NO_SPAN, Span
from pitviper.syntax import tree
from pitviper.syntax.walk import children, descendants, map_children, with_fields
from tests.unit.syntax.parsing import expr, member


def rename(node: tree.Node, names: dict[str, str]) -> tree.Node:
    if isinstance(node, tree.Name) and node.name in names:
        return tree.Name(names[node.name], span=node.span)
    return map_children(node, rename, names)


def texts(nodes: list[tree.Node]) -> list[str]:
    return [node.span.text for node in nodes]


def test_children_in_source_order() -> None:
    assert texts(children(expr("f(a, b + c)"))) == ["f", "a", "b + c"]
    assert texts(children(expr("Map(a := b, c := d)"))) == ["a", "b", "c", "d"]
    assert texts(children(expr("old[l](x)"))) == ["l", "x"]
    assert children(expr("5")) == []
    method = member('@a("b") method m(x: Int) requires x > 0 { }')
    assert texts(children(method)) == ['@a("b")', "m", "x: Int", "requires x > 0", "{ }"]


def test_descendants_parents_first() -> None:
    found = list(descendants(expr("a + f(b)")))
    assert texts(found) == ["a + f(b)", "a", "f(b)", "f", "b"]


def test_nothing_changed_is_the_same_object() -> None:
    node = expr("forall i: Int :: { g(i) } [i == a, Map(a := a)[a..] == Seq(a)]")
    assert map_children(node, rename, {"z": "y"}) is node


def test_changes_reach_every_part() -> None:
    node = expr("forall i: Int :: { g(a) } [i == a, Map(a := a)[a..] == Seq(a)]")
    expected = expr("forall i: Int :: { g(b) } [i == b, Map(b := b)[b..] == Seq(b)]")
    assert rename(node, {"a": "b"}) == expected


def test_unchanged_parts_are_shared() -> None:
    node = expr("f(a, b)")
    assert isinstance(node, tree.Call)
    changed = map_children(node, rename, {"a": "c"})
    assert changed.callee is node.callee
    assert changed.args[1] is node.args[1]


def test_a_new_place() -> None:
    node = expr("f(a)")
    moved = map_children(node, lambda child, _: child, None, NO_SPAN)
    assert (moved, moved.span) == (node, NO_SPAN)


def test_with_fields() -> None:
    node = tree.Name("a", span=NO_SPAN)
    place = Span(NO_SPAN.file, 0, 0)
    changed = with_fields(node, {"name": "b", "span": place})
    assert changed == tree.Name("b", span=NO_SPAN)
    assert changed.span is place
