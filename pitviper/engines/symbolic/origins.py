"""What the values of heap locations stand for: the location, and the place where it got them."""

from __future__ import annotations

from pitviper.base.record import field, record, struct
from pitviper.engines.symbolic.heap.chunk import Args, Resource
from pitviper.source.span import Span
from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import App, Term


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
