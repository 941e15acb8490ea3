"""Verifies a text with the second verifier, for tests that look at findings and effort."""

from __future__ import annotations

from pitviper.base.deep_stack import run_deep
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.shared.members import MemberResult, in_dependency_order
from pitviper.engines.vcg.options import Options
from pitviper.engines.vcg.verifier import start, verify_member
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import apply_plugins


def results_of(text: str) -> dict[str, MemberResult]:
    """What is known about each member of a program."""
    front = load_text(text, "test.vpr")
    assert front.program is not None, front.diagnostics
    encoded = apply_plugins(front.program, PluginOptions())

    def verify() -> dict[str, MemberResult]:
        with Sessions() as sessions:
            run = start(encoded.program, Options(), sessions.open)
            return {m.name: verify_member(run, m) for m in in_dependency_order(run)}

    return run_deep(verify)


def findings_of(text: str) -> list[str]:
    """`id@line` of all findings; what is undecided counts as one."""
    found = []
    for result in results_of(text).values():
        found += [f"{finding.id}@{finding.span.line}" for finding in result.findings]
        found += [f"undecided@{open_.span.line}" for open_ in result.undecided]
    return sorted(found)
