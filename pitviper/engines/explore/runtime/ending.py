"""How a run ends: its status, and the exceptions that end it from any depth."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pitviper.engines.explore.runtime.trial import Trial

Site: TypeAlias = tuple[str, int]
"""A method and the number of an instruction in it."""


class Status(Enum):
    """How a run, or the attempt to have one, ended."""

    PASSED = "passed"
    FAILED = "failed"
    UNMET = "assumption not met"
    RETRY = "solved again with more known"
    STEPS = "too many steps"
    DEPTH = "too deep recursion"
    SIZE = "input too large"
    UNSUPPORTED = "unsupported"
    INFEASIBLE = "infeasible"
    UNKNOWN = "solver gave up"
    DIVERGED = "left the path it was made for"
    CRASHED = "worker died"
    TIMEOUT = "worker was stopped"
    LATE = "out of time"


class Ended(Exception):
    """Ends a run from any depth; caught where the run was started.

    A failure in a `trial` whose made-up state is none ends only that.
    """

    def __init__(
        self, status: Status, site: Site, detail: str = "", trial: Trial | None = None
    ) -> None:
        super().__init__(status.value)
        self.status = status
        self.site = site
        self.detail = detail
        self.trial = trial


class Leak(Exception):
    """A run would depend on the value of a variable of the solver, which has none."""
