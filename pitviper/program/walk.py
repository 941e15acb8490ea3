"""The only generic traversals of the typed program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from pitviper.base.record import annotations_of, names_of
from pitviper.program.node import Node

N = TypeVar("N", bound=Node)

_NODELESS = frozenset(
    [
        "Span", "tuple[Annotation, ...]", "Type", "Type | None", "tuple[Type, ...]",
        "SeqType", "SetType", "MultisetType", "MapType",
        "str", "str | None", "tuple[str, ...]", "tuple[tuple[str, str], ...] | None",
        "int", "int | None", "bool",
        "PermConstant", "IntOp", "PermOp", "CompareOp", "SetOp",
    ]
)  # fmt: skip
"""Declared types of fields that hold no node, so that traversals do not look into them."""

_FIELD_NAMES: dict[type, tuple[str, ...]] = {}


def _field_names(cls: type) -> tuple[str, ...]:
    names = _FIELD_NAMES.get(cls)
    if names is None:
        names = tuple([n for n, held in annotations_of(cls).items() if held not in _NODELESS])
        _FIELD_NAMES[cls] = names
    return names


def children(node: Node) -> list[Node]:
    """The nodes directly below `node`, in source order."""
    found: list[Node] = []
    for name in _field_names(type(node)):
        value = getattr(node, name)
        if type(value) is tuple:
            _add_nodes(value, found)
        elif isinstance(value, Node):
            found.append(value)
    return found


def _add_nodes(values: tuple[object, ...], found: list[Node]) -> None:
    for value in values:
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            _add_nodes(value, found)


def descendants(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it, parents first, from left to right."""
    todo = [node]
    while todo:
        current = todo.pop()
        yield current
        todo.extend(reversed(children(current)))


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
        items = tuple([_rewrite_value(item, rule) for item in value])
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    return value


def _with_fields(node: N, changed: dict[str, object]) -> N:
    values = {name: getattr(node, name) for name in names_of(node)}
    values.update(changed)
    return type(node)(**values)
