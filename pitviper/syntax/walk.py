"""The only generic traversals of syntax trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar, get_args

from pitviper.base.record import annotations_of, names_of
from pitviper.source.span import Span
from pitviper.syntax.tree import Expr, Node

N = TypeVar("N", bound=Node)
C = TypeVar("C")

_NO_NODES = frozenset({"str", "int", "bool", "str | None", "tuple[str, ...]", "Span"})
_PLACES: dict[type, tuple[str, ...]] = {}


def _places(cls: type) -> tuple[str, ...]:
    """The fields that can hold nodes, in source order: annotations stand in front."""
    names = _PLACES.get(cls)
    if names is None:
        held = [n for n, type_ in annotations_of(cls).items() if type_ not in _NO_NODES]
        held.sort(key=lambda name: name != "annotations")
        names = _PLACES[cls] = tuple(held)
    return names


def children(node: Node) -> list[Node]:
    """The nodes directly below `node`, in source order."""
    found: list[Node] = []
    for name in _places(type(node)):
        _add_nodes(getattr(node, name), found)
    return found


def _add_nodes(value: object, found: list[Node]) -> None:
    if isinstance(value, Node):
        found.append(value)
    elif isinstance(value, tuple):
        for item in value:
            _add_nodes(item, found)


def descendants(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it, parents first, from left to right."""
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        below = children(current)
        below.reverse()
        todo.extend(below)


def map_children(
    node: N, change: Callable[[Node, C], Node], context: C, span: Span | None = None
) -> N:
    """`node` with `change(child, context)` for each child, placed at `span` where one is given.

    Without a span, a node in which nothing changes stays the same object. Nodes of depth d need
    2 d frames beside those of `change`.
    """
    changed: dict[str, object] = {} if span is None else {"span": span}
    for name in _places(type(node)):
        old = getattr(node, name)
        if isinstance(old, Node):
            new: object = change(old, context)
        elif isinstance(old, tuple):
            new = _map_items(old, change, context)
        else:
            continue
        if new is not old:
            changed[name] = new
    return with_fields(node, changed) if changed else node


def _map_items(
    items: tuple[object, ...], change: Callable[[Node, C], Node], context: C
) -> tuple[object, ...]:
    new: list[object] = []
    same = True
    for old in items:
        item: object = old
        if isinstance(old, Node):
            item = change(old, context)
        elif isinstance(old, tuple):
            item = _map_items(old, change, context)
        same = same and item is old
        new.append(item)
    return items if same else tuple(new)


def with_fields(node: N, changed: Mapping[str, object]) -> N:
    """A copy of `node` with some fields changed."""
    values = {name: getattr(node, name) for name in names_of(node)}
    values.update(changed)
    return type(node)(**values)


_EXPRESSIONS = frozenset(get_args(Expr))


def first_beyond(root: Node, limit: int) -> Span | None:
    """The place of the first expression with `limit` expressions around it, or None."""
    stack: list[tuple[object, int]] = [(root, 0)]
    while stack:
        value, depth = stack.pop()
        if isinstance(value, Node):
            if type(value) in _EXPRESSIONS:
                depth += 1
                if depth > limit:
                    return value.span
            names = reversed(names_of(value))
            stack.extend((getattr(value, name), depth) for name in names if name != "span")
        elif isinstance(value, tuple):
            stack.extend((item, depth) for item in reversed(value))
    return None
