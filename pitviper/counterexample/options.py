"""What a user can choose about counterexamples."""

from __future__ import annotations

from pitviper.base.record import record

OBJECTS = 6
MOST = 12
"""Larger states cannot be read."""


@record
class CounterexampleOptions:
    """`objects` is the largest number of objects (if nothing is said `OBJECTS`, more where there
    are more variables for them), `instances` how many different ones to look for.

    `where` are Viper expressions over the variables of the state that must hold in it. `at` asks
    for examples of the state before the statement in that line, whatever fails. `select` names the
    members to look at; empty for all. With `alloy`, the first state is written as a model, too.
    """

    objects: int | None = None
    instances: int = 1
    where: tuple[str, ...] = ()
    at: int | None = None
    select: tuple[str, ...] = ()
    replay: bool = True
    alloy: bool = False
