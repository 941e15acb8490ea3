"""What an engine says about one member of the encoded program."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.results.finding import Finding
from pitviper.results.ghost import GhostStep
from pitviper.results.verdict import Crash, Undecided
from pitviper.source.diagnostic import Diagnostic


@record
class Part:
    """`remembered`: an earlier run has found it."""

    findings: tuple[Finding, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    crash: Crash | None = None
    seconds: float = 0.0
    inferred: tuple[GhostStep, ...] = ()
    remembered: bool = False
