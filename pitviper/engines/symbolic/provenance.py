"""Where facts, values and permissions on a path come from: plain data, which `explain` words."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.engines.symbolic.heap.chunk import Args, Heap, Resource
from pitviper.engines.symbolic.state import State
from pitviper.program import stmt as ps
from pitviper.program.node import Node
from pitviper.source.span import Span
from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import App, Term

MovesPermission: TypeAlias = (
    ps.MethodCall | ps.Inhale | ps.Exhale | ps.Cut | ps.Fold | ps.Unfold | ps.Package | ps.Apply
)
"""Statements after which permissions may be others than before."""


@record
class Provenance:
    """Where a fact on a path comes from: a group such as "precondition", and the source node."""

    group: str
    node: Node


@record
class BranchPoint:
    """The condition of a branch and the side taken; `at` is the construct being executed.

    `forced` says that the other side is impossible, so that taking this one tells nothing.
    """

    node: Node
    at: Node
    taken: bool
    forced: bool


@record
class Location:
    """A location that some rule needs permission to."""

    resource: Resource
    args: Args


@record
class Step:
    """A statement on a path: the heap before it, and the state after it.

    For a loop, the state after it is that at the head of any iteration.
    """

    statement: MovesPermission | ps.While | ps.Label
    before: Heap
    after: State


@record
class Origin:
    """The value that a location had from a place of the program on; `label` names that state."""

    resource: Resource
    args: Args
    label: str


@struct
class Origins:
    """One per member's run; a value keeps the first origin it was given.

    Labels are `debug@0`, `debug@1`, ...: one for each place, in the order of first use.
    """

    values: dict[Term, Origin] = field(default_factory=dict)
    places: dict[Span, str] = field(default_factory=dict)

    def record(self, value: Term, resource: Resource, args: Args, span: Span) -> None:
        """For a symbol that was made for the location."""
        if value in self.values:
            return
        label = self.places.get(span)
        if label is None:
            label = self.places[span] = f"debug@{len(self.places)}"
        self.values[value] = Origin(resource, args, label)

    def record_read(self, value: Term, resource: Resource, args: Args, span: Span) -> None:
        """For a value out of a snapshot; one that was put in there stands for something already."""
        if isinstance(value, App) and isinstance(value.symbol, Function):
            symbol = value.symbol
            if symbol.undoes is not None or symbol.kind is FunctionKind.SELECTOR:
                self.record(value, resource, args, span)
