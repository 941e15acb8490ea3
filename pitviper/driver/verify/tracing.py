"""One member verified with a recorder: what happened, for the debugger and for curious users."""

from __future__ import annotations

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record
from pitviper.base.usage_error import UsageError
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.symbolic.options import Options
from pitviper.engines.symbolic.verifier import in_dependency_order, start, verify_member
from pitviper.explain import findings
from pitviper.explain.recorder import TraceRecorder
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import apply_plugins
from pitviper.program.member import Program
from pitviper.results.finding import Finding
from pitviper.results.trace import StateView, TraceStep


@record
class Traced:
    """The findings about a member, and the tree of steps that led to them.

    States are looked up one at a time: a trace mentions many, and a reader looks at few.
    """

    findings: tuple[Finding, ...]
    steps: tuple[TraceStep, ...]
    recorder: TraceRecorder

    def state(self, number: int) -> StateView:
        """What was known in a state that some step mentions."""
        return self.recorder.view(number)


def trace_member(
    program: Program,
    name: str,
    options: Options | None = None,
    plugins: PluginOptions | None = None,
) -> Traced:
    """Verify a member once more and record it; UsageError for a name that the program lacks.

    The functions it depends on are verified first, unrecorded: their definitions are needed.
    """
    sessions = Sessions()
    return run_deep(
        lambda: _trace(program, name, options or Options(), plugins or PluginOptions(), sessions),
        stop=lambda: sessions.stop("interrupted"),
    )


def _trace(
    program: Program, name: str, options: Options, plugins: PluginOptions, sessions: Sessions
) -> Traced:
    encoded = apply_plugins(select_members(program, (name,)), plugins)
    if encoded.diagnostics:
        raise UsageError(encoded.diagnostics[0].message)
    run = start(encoded.program, options, sessions.open, findings)
    try:
        for member in in_dependency_order(run):
            if member.name == name:
                recorder = run.recorder = TraceRecorder()
                found = encoded.translate(verify_member(run, member).findings)
                return Traced(found, recorder.steps(), recorder)
            if name in run.program.functions or member.name in run.program.functions:
                verify_member(run, member)
    finally:
        sessions.close()
    raise UsageError(f"{name} has nothing to verify")
