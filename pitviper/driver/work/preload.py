"""What a process loads that will start verifications: the solver's library, but no session."""

from __future__ import annotations

from pitviper.solver.z3.library import version


def load_solver() -> str:
    """The version of the solver, whose library is loaded afterwards."""
    return version()
