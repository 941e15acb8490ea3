"""What a user can choose about an exploration."""

from __future__ import annotations

from pathlib import Path

from pitviper.base.record import field, record
from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import DEFAULTS
from pitviper.engines.explore.options import Calls, Loops, ModelOptions, SearchOptions
from pitviper.engines.explore.runtime.run import RunLimits
from pitviper.engines.explore.search.extensions import Trust

__all__ = ["Calls", "ExploreOptions", "Loops", "ModelOptions", "RunLimits", "SearchOptions"]


MEMORY = 900
"""Megabytes of a worker where nobody says otherwise: with what it shares, less than 1 GB."""


@record
class ExploreOptions:
    """`methods` names the methods to explore, none for all with a body.

    `workers` is the number of worker processes, 0 for none. `trusted` says which checks are
    proved already and are not attacked. `seconds` is the time of each method, `memory` what a
    worker may use, in megabytes.
    """

    check: CheckOptions = DEFAULTS
    library: tuple[Path, ...] = ()
    methods: tuple[str, ...] = ()
    model: ModelOptions = field(default_factory=ModelOptions)
    search: SearchOptions = field(default_factory=SearchOptions)
    workers: int = 0
    trusted: tuple[Trust, ...] = ()
    memory: int = MEMORY

    @property
    def out_of_memory(self) -> str:
        """What is said where that was not enough."""
        return f"out of memory (--memory {self.memory})"
