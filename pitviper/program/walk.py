"""The only generic traversals of the typed program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import TypeVar

from pitviper.program.node import Node

N = TypeVar("N", bound=Node)


_FIELD_NAMES: dict[type, tuple[str, ...]] = {}


def _field_names(cls: type) -> tuple[str, ...]:
    names = _FIELD_NAMES.get(cls)
    if names is None:
        skipped = ("span", "annotations", "type")
        names = tuple(f.name for f in fields(cls) if f.name not in skipped)
        _FIELD_NAMES[cls] = names
    return names


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below `node`, in source order."""
    for name in _field_names(type(node)):
        yield from _nodes_in(getattr(node, name))


def _nodes_in(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes_in(item)


def descendants(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it, parents first, from left to right."""
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(reversed(list(children(current))))


def rewrite(node: N, rule: Callable[[Node], Node | None]) -> N:
    """Replace nodes bottom-up: `rule` sees a node with rewritten children; None keeps it.

    Parts in which nothing changes stay the same objects.
    """
    changed: dict[str, object] = {}
    for name in _field_names(type(node)):
        old = getattr(node, name)
        new = _rewrite_value(old, rule)
        if new is not old:
            changed[name] = new
    rebuilt = _with_fields(node, changed) if changed else node
    replaced = rule(rebuilt)
    return rebuilt if replaced is None else replaced  # type: ignore[return-value]


def _rewrite_value(value: object, rule: Callable[[Node], Node | None]) -> object:
    if isinstance(value, Node):
        return rewrite(value, rule)
    if isinstance(value, tuple):
        items = tuple(_rewrite_value(item, rule) for item in value)
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    return value


def _with_fields(node: N, changed: dict[str, object]) -> N:
    values = {f.name: getattr(node, f.name) for f in fields(node)}
    values.update(changed)
    return type(node)(**values)
