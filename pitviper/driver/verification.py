"""Verifies an accepted program: plugins, then an engine, then findings in the user's terms."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass
from typing import Protocol

from pitviper.driver.deep_stack import run_deep
from pitviper.driver.grouping import Groups, Part
from pitviper.driver.sessions import Sessions
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import apply_plugins
from pitviper.program.member import Program
from pitviper.results.finding import Finding
from pitviper.results.member import Crash, MemberOutcome, Undecided
from pitviper.results.verdict import Verdict
from pitviper.source.diagnostic import Diagnostic
from pitviper.symbolic.options import Options
from pitviper.symbolic.verifier import Member, Run, in_dependency_order, start, verify_member


@dataclass(frozen=True, slots=True)
class Verification:
    """What is known about all members of a program, in source order.

    `rejected` are the diagnostics of a plugin that refused the program: nothing was verified then.
    """

    members: tuple[MemberOutcome, ...]
    rejected: tuple[Diagnostic, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for member in self.members for finding in member.findings)

    @property
    def verdict(self) -> Verdict:
        if self.rejected:
            return Verdict.REJECTED
        verdicts = [member.verdict for member in self.members]
        for verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
            if verdict in verdicts:
                return verdict
        return Verdict.VERIFIED


class Watch(Protocol):
    """Is told how a verification goes on, in its thread."""

    def started(self, member: str, done: int, total: int) -> None: ...

    def finished(self, outcome: MemberOutcome) -> None: ...


class Unwatched:
    """Looks away."""

    def started(self, member: str, done: int, total: int) -> None:
        return

    def finished(self, outcome: MemberOutcome) -> None:
        return


def verify_program(
    program: Program,
    options: Options,
    plugins: PluginOptions | None = None,
    sessions: Sessions | None = None,
    watch: Watch | None = None,
) -> Verification:
    """All members, one after the other, in this process, on a deep stack.

    A bug of ours costs the member it shows in, which is then undecided; the others go on. When
    `sessions` are stopped, the members that are not finished are undecided.
    """
    used = sessions or Sessions()
    return run_deep(
        lambda: _verify(program, options, plugins or PluginOptions(), used, watch or Unwatched()),
        stop=lambda: used.stop("interrupted"),
    )


def _verify(
    program: Program,
    options: Options,
    plugins: PluginOptions,
    sessions: Sessions,
    watch: Watch,
) -> Verification:
    encoded = apply_plugins(program, plugins)
    if encoded.diagnostics:
        return Verification((), encoded.diagnostics)
    run = start(encoded.program, options, sessions.open)
    groups = Groups(program, encoded)
    for member in in_dependency_order(run):
        watch.started(groups.owner(member.name), groups.finished, groups.total)
        outcome = groups.add(member.name, _attempt(run, member, sessions))
        if outcome is not None:
            watch.finished(outcome)
    return Verification(groups.outcomes())


def _attempt(run: Run, member: Member, sessions: Sessions) -> Part:
    """What the engine says about a member, or why it says nothing."""
    began = time.perf_counter()
    try:
        sessions.require_going()
        sessions.note(f"{type(member).__name__.lower()} {member.name} ({member.span})")
        result = verify_member(run, member)
    except Exception as error:
        lasted = time.perf_counter() - began
        if sessions.stopped is not None:  # whatever the solver then says or raises
            return Part(undecided=(Undecided(member.span, sessions.stopped),), seconds=lasted)
        return Part(crash=_crash(error), seconds=lasted)
    finally:
        sessions.close()
    undecided = tuple([Undecided(u.span, u.message) for u in result.undecided])
    lasted = time.perf_counter() - began
    return Part(
        result.findings, undecided, result.warnings, seconds=lasted, inferred=result.inferred
    )


def _crash(error: Exception) -> Crash:
    said = traceback.format_exception_only(error)[-1].strip()
    return Crash(said, "".join(traceback.format_exception(error)))
