"""Verifies an accepted program: plugins, then an engine, then findings in the user's terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import Encoded, apply_plugins
from pitviper.program.member import Program
from pitviper.results.finding import Finding
from pitviper.results.verdict import Verdict
from pitviper.solver.z3_backend import Z3Session
from pitviper.source.diagnostic import Diagnostic
from pitviper.symbolic.options import Options
from pitviper.symbolic.verifier import MemberResult, verify


@dataclass(frozen=True, slots=True)
class Verification:
    """What is known about all members of a program.

    `rejected` are the diagnostics of a plugin that refused the program: nothing was verified then.
    """

    members: tuple[MemberResult, ...]
    findings: tuple[Finding, ...]
    rejected: tuple[Diagnostic, ...] = ()

    @property
    def verdict(self) -> Verdict:
        if self.rejected:
            return Verdict.REJECTED
        if self.findings:
            return Verdict.REFUTED
        if any(m.undecided for m in self.members):
            return Verdict.UNDECIDED
        return Verdict.VERIFIED


def verify_program(
    program: Program, options: Options, plugins: PluginOptions | None = None
) -> Verification:
    """All members, one after the other, in this process."""
    encoded = apply_plugins(program, plugins or PluginOptions())
    if encoded.diagnostics:
        return Verification((), (), encoded.diagnostics)
    members = tuple(_members(encoded, options))
    found = tuple(finding for member in members for finding in member.findings)
    return Verification(members, encoded.translate(found))


def _members(encoded: Encoded, options: Options) -> Iterator[MemberResult]:
    yield from verify(encoded.program, options, Z3Session)
