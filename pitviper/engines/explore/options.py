"""What can be chosen about an exploration."""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import record
from pitviper.engines.explore.runtime.run import NO_LIMITS, RunLimits


class Loops(Enum):
    """UNROLL: run loops as they are. INVARIANT: one iteration from any state of the invariant.

    AUTO: the invariant for loops whose condition depends on the input when they are entered.
    """

    UNROLL = "unroll"
    INVARIANT = "invariant"
    AUTO = "auto"


class Calls(Enum):
    """INLINE: run the body of a callee, if it has one. CONTRACT: all that its contract allows."""

    INLINE = "inline"
    CONTRACT = "contract"


@record
class ModelOptions:
    """What decides on the model that is explored.

    With `exact_amounts`, preconditions of functions need the amounts they say.
    """

    loops: Loops = Loops.UNROLL
    calls: Calls = Calls.INLINE
    exact_amounts: bool = False


@record
class SearchOptions:
    """`runs` and `nodes` bound the search; `seconds` does too, where it is given.

    `work` bounds the steps of all runs together: long runs are fewer. `solver` is what one
    question may cost in solver resources.
    """

    frontier: str = "mixed"
    runs: int = 5_000
    nodes: int = 20_000
    seconds: float | None = None
    solver: int = 2_000_000
    seed: int = 0
    limits: RunLimits = NO_LIMITS
    work: int = 2_000_000
