"""How deep expressions nest in a tree, measured without recursion."""

from __future__ import annotations

from typing import get_args

from pitviper.base.record import names_of
from pitviper.source.span import Span
from pitviper.syntax.tree import Expr, Node

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
