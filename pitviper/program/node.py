"""What all nodes of the typed program have: a place in the source."""

from __future__ import annotations

from pitviper.base.record import field, record
from pitviper.source.span import NO_SPAN, Span


@record(kw_only=True)
class Node:
    """Spans take no part in equality: two nodes are equal when they mean the same."""

    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@record
class Annotation:
    """`@key("v1", "v2")` with the values of repeated keys put together."""

    key: str
    values: tuple[str, ...]


FROM_FRONT_ENDS = frozenset({"arrays", "classes", "dispatch", "seen_by"})
"""Keys by which a front end tells what its own rules ensure. They are believed, so the text of a
program cannot write them: there they mean nothing."""
