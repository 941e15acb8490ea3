"""Failed assertions of the second verifier, for the debugger."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import record
from pitviper.checking.typed_input import InputReader
from pitviper.debugger.obligations.vcg import Refused, VcgObligation
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.shared.members import in_dependency_order
from pitviper.engines.symbolic.verifier import context_for
from pitviper.engines.symbolic.verifier import start as start_symbolic
from pitviper.engines.vcg.options import Options
from pitviper.engines.vcg.verifier import start, verify_member
from pitviper.explain import findings
from pitviper.plugins.pipeline import Encoded
from pitviper.program.member import Program
from pitviper.program.rooms import views
from pitviper.results.debugging import error_of
from pitviper.results.finding import Finding
from pitviper.solver.recording import Refusals
from pitviper.solver.session import Path
from pitviper.terms.term import Term


@record
class Heard:
    """The sessions of a run, and the members that they had no answer for, each with a reason."""

    sessions: Sessions
    late: list[str]


def vcg_obligations(
    program: Program,
    encoded: Encoded,
    check: InputReader,
    options: VerifyOptions,
    heard: Heard,
) -> Iterator[VcgObligation]:
    """Gives one for each finding whose question was kept, in the order of the members.

    Members that the solver could not decide are `late`.
    """
    amounts = options.check.respect_function_perm_amounts
    opened: list[Refusals] = []

    def open_session() -> Refusals:
        opened.append(Refusals(heard.sessions.open()))
        return opened[-1]

    for seen, inside in views(encoded.program):
        run = start(seen, Options(respect_function_amounts=amounts), open_session)
        reading = start_symbolic(seen, options.symbolic, open_session, findings)
        for member in in_dependency_order(run):
            if member.name not in inside:
                continue
            for name in run.dependencies.functions_before(member):
                if name not in inside and name not in run.axioms:
                    verify_member(run, run.program.functions[name])
            opened.clear()
            result = verify_member(run, member)
            heard.late.extend([f"{member.name}: {one.message}" for one in result.undecided])
            for finding in encoded.translate(result.findings):
                refused = _refused(finding, opened)
                if refused is not None:
                    path, goal, session = refused
                    cx = context_for(reading, member, session)
                    kept = Refused(path, goal, session.axioms, cx)
                    yield VcgObligation(error_of(0, finding, member.name), kept, program, check)


def _refused(finding: Finding, opened: list[Refusals]) -> tuple[Path, Term, Refusals] | None:
    """The last question about the place of a finding that was not proved."""
    for session in opened:
        question = session.refused.get(str(finding.span))
        if question is not None:
            return (*question, session)
    return None
