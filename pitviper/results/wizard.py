"""What verifier and exploration together say about assertions: plain data."""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import record
from pitviper.results.testcase import TestCase
from pitviper.source.span import Span


class Colour(Enum):
    """GREEN: proved, and nothing on the way to it fails. RED: inputs make it fail. YELLOW: neither.
    UNREACHED: something before it on the way fails, so that nothing is said about it.
    """

    GREEN = "green"
    YELLOW = "yellow"
    RED = "red"
    UNREACHED = "not reached"


@record
class ColouredPlace:
    """An assertion. `by` says who proved it; `spurious` that the verifier reported it wrongly.

    `ways` are the runs that came here, `left` the ways through the method that are begun or known
    and were not run to their end; `covered` is the share of the former in both. A proof by
    exploration rests on the `bodies` of these members. `doubt` says why `test`, which fails here,
    may not be a failure of the program. `open` says why exploration has not seen all ways,
    `assuming` names domains whose axioms must have a model in which `test` fails.
    """

    span: Span
    member: str
    error: str
    colour: Colour
    by: str = ""
    spurious: bool = False
    covered: float = 0.0
    ways: int = 0
    left: int = 0
    bodies: tuple[str, ...] = ()
    doubt: str = ""
    test: TestCase | None = None
    open: tuple[str, ...] = ()
    assuming: tuple[str, ...] = ()


_WORST_FIRST = (Colour.RED, Colour.YELLOW, Colour.UNREACHED, Colour.GREEN)
_MOMENTS = {
    "invariant.not.established": "before the first iteration",
    "invariant.not.preserved": "after an iteration",
}


def moment_of(place: ColouredPlace) -> str:
    """When an assertion is checked that is checked more than once: an invariant; else nothing."""
    return _MOMENTS.get(place.error, "")


def worst_places(places: tuple[ColouredPlace, ...]) -> tuple[ColouredPlace, ...]:
    """One of all that are about the same text: a text is as good as the worst said about it."""
    found: dict[Span, ColouredPlace] = {}
    for place in sorted(places, key=lambda one: _WORST_FIRST.index(one.colour)):
        found.setdefault(place.span, place)
    return tuple([place for place in places if found[place.span] is place])


@record
class WizardReport:
    """`turns` counts how often both sides worked on what the other had changed.

    `assumed` are assertions of methods that exploration proved and the verifier then relied on;
    `gained` are findings that went away for that. `undecided` are members of which the verifier
    has no answer, and why. One that was `interrupted`, or `late`, says
    what was known.
    """

    file: str
    places: tuple[ColouredPlace, ...]
    turns: int
    assumed: tuple[tuple[str, Span], ...] = ()
    gained: tuple[Span, ...] = ()
    undecided: tuple[tuple[str, str], ...] = ()
    interrupted: bool = False
    late: bool = False

    def with_colour(self, colour: Colour) -> tuple[ColouredPlace, ...]:
        return tuple([place for place in self.places if place.colour is colour])
