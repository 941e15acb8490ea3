"""What verifier and exploration together say about assertions: plain data."""

from __future__ import annotations

from enum import Enum

from pitviper.results.testcase import TestCase
from pitviper.source.record import record
from pitviper.source.span import Span


class Colour(Enum):
    """GREEN: proved. RED: inputs make it fail. YELLOW: neither."""

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"


@record
class ColouredPlace:
    """An assertion. `by` says who proved it; `spurious` that the verifier reported it wrongly.

    `covered` is the share of the method's lines that runs came to.
    """

    span: Span
    member: str
    error: str
    colour: Colour
    by: str = ""
    spurious: bool = False
    covered: float = 0.0
    test: TestCase | None = None


@record
class WizardReport:
    """`rounds` counts how often verifier and exploration took turns.

    `assumed` are assertions that exploration proved and the verifier then relied on; `gained` are
    findings that went away for that.
    """

    file: str
    places: tuple[ColouredPlace, ...]
    rounds: int
    assumed: tuple[Span, ...] = ()
    gained: tuple[Span, ...] = ()
    undecided: tuple[str, ...] = ()

    def with_colour(self, colour: Colour) -> tuple[ColouredPlace, ...]:
        return tuple([place for place in self.places if place.colour is colour])
