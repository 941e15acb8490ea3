"""Tells findings about generated termination checks in terms of the source program."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import replace
from pitviper.plugins.step import Findings, Members, Translate
from pitviper.plugins.termination.obligation import Ledger, is_helper
from pitviper.results.finding import Finding


def translation(ledger: Ledger, owners: Mapping[str, str]) -> Translate:
    """NOTE(side findings): generated code repeats parts of the source: preconditions, conditions,
    measures. Where such a part has no value, the source has a finding of its own as a rule, and
    the one about the copy is dropped. If nothing else is wrong with the member it is kept: a
    proof that got stuck has proved nothing.
    """

    def translate(findings: Findings, _: Members) -> Findings:
        plain = [_plain(finding, ledger, owners) for finding in findings]
        failed = {finding.member for finding in plain if finding is not None}
        told: dict[Finding, None] = {}
        for finding, translated in zip(findings, plain, strict=True):
            if translated is not None:
                told[translated] = None
            else:
                side = _side(finding, ledger, owners)
                if side.member not in failed:
                    told[side] = None
        return tuple(told)

    return translate


def _plain(finding: Finding, ledger: Ledger, owners: Mapping[str, str]) -> Finding | None:
    """A failed obligation in terms of the source, or a finding about the source; else None."""
    obligation = ledger.find(finding)
    if obligation is not None:
        refuted = finding.id == "assert.failed:assertion.false"
        return obligation.failure(finding) if refuted else None
    return None if finding.member in owners or is_helper(finding) else finding


def _side(finding: Finding, ledger: Ledger, owners: Mapping[str, str]) -> Finding:
    obligation = ledger.find(finding)
    if obligation is not None:
        return obligation.ill_defined(finding)
    return replace(finding, member=owners.get(finding.member, finding.member), origin=())
