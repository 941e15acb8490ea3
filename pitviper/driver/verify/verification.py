"""Verifies an accepted program: plugins, then an engine, then findings in the user's terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record
from pitviper.driver.verify.grouping import Groups
from pitviper.driver.verify.options import EngineOptions
from pitviper.driver.verify.plan import Plan
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import apply_plugins
from pitviper.program.member import Program
from pitviper.results.finding import Finding
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.source.diagnostic import Diagnostic

if TYPE_CHECKING:  # nothing of an engine is loaded where all answers are known
    from pitviper.driver.verify.sessions import Sessions


@record
class Verification:
    """What is known about all members of a program, in source order.

    `rejected` are the diagnostics of a plugin that refused the program: nothing was verified then.
    `shared` is a digest of the declarations that all members see, where a cache is in use.
    """

    members: tuple[MemberOutcome, ...]
    rejected: tuple[Diagnostic, ...] = ()
    shared: str | None = None

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
    options: EngineOptions,
    plugins: PluginOptions | None = None,
    sessions: Sessions | None = None,
    watch: Watch | None = None,
) -> Verification:
    """All members, one after the other, in this process, on a deep stack.

    A bug of ours costs the member it shows in, which is then undecided; the others go on. When
    `sessions` are stopped, the members that are not finished are undecided.
    """
    from pitviper.driver.verify.sessions import Sessions

    used = sessions or Sessions()
    return run_deep(
        lambda: _verify(program, options, plugins or PluginOptions(), used, watch or Unwatched()),
        stop=lambda: used.stop("interrupted"),
    )


def _verify(
    program: Program,
    options: EngineOptions,
    plugins: PluginOptions,
    sessions: Sessions,
    watch: Watch,
) -> Verification:
    from pitviper.driver.verify.member_verifier import Job, MemberVerifier

    encoded = apply_plugins(program, plugins)
    if encoded.diagnostics:
        return Verification((), encoded.diagnostics)
    verifier = MemberVerifier(Job(encoded.program, options, sessions.limit), sessions)
    groups = Groups(program, encoded)
    for member in Plan(encoded.program).open:
        watch.started(groups.owner(member), groups.finished, groups.total)
        for outcome in groups.add(member, verifier.verify(member)):
            watch.finished(outcome)
    return Verification(groups.outcomes())
