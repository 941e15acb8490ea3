"""The log of all questions to the solver, as SMT-LIB text that plain z3 can replay."""

from __future__ import annotations

from typing import TextIO

from pitviper.solver.recording import Log
from pitviper.solver.z3.options import Z3Options


class SolverLog:
    """Sections share nothing, so each can be cut out and replayed alone."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._sections = 0

    def note(self, title: str) -> None:
        """A title for what comes next."""
        self._file.write(f"\n; ==== {' '.join(title.split())}\n")

    def section(self) -> Log:
        if self._sections:
            self._file.write("(reset)\n")
        self._sections += 1
        return Log(self._file, Z3Options().settings())
