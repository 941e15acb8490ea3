"""The program of the solver, which its wheel installs beside its library."""

from __future__ import annotations

from pathlib import Path

from pitviper.solver.z3.library import library_path


def z3_program() -> Path:
    """That of the wheel whose library is used: Python may run from another environment."""
    return library_path().parents[5] / "bin" / "z3"
