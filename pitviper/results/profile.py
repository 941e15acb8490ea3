"""Where the time of a member went: by place in the source, by quantifier."""

from __future__ import annotations

from pitviper.base.record import record


@record
class PlaceCost:
    """What the questions to the solver cost that one line of a file gave rise to.

    `resources` count solver steps, the unit of `--assertTimeout`; `exhausted` are the questions
    that reached their limit, `barely` those that were proved with the last tenth of it or more
    (then a further search proved them): another version of the solver may not prove them.
    """

    file: str
    line: int
    questions: int
    proved: int
    exhausted: int
    barely: int
    resources: int
    seconds: float


@record
class QuantifierCost:
    """How often the solver instantiated a quantifier; `name` is its place, or that of an axiom."""

    name: str
    instances: int


@record
class MemberProfile:
    """One member; `places` and `quantifiers` are sorted, the most expensive first.

    `seconds` are for all of it, `solver_seconds` for questions, `axiom_seconds` for telling the
    solver what is true in every member.
    """

    member: str
    seconds: float
    solver_seconds: float
    axiom_seconds: float
    questions: int
    resources: int
    places: tuple[PlaceCost, ...]
    quantifiers: tuple[QuantifierCost, ...]
