"""Failed assertions of the second verifier, for the debugger."""

from __future__ import annotations

from pitviper.debugger.obligations.vcg import Refused, VcgObligation
from pitviper.driver.front.frontend import FrontEnd
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


def vcg_obligations(
    front: FrontEnd, program: Program, encoded: Encoded, options: VerifyOptions
) -> list[VcgObligation]:
    """Returns one for each finding whose question was kept, in the order of the members."""
    check = front.reader(options.check)
    amounts = options.check.respect_function_perm_amounts
    found: list[VcgObligation] = []
    with Sessions(options.limit, options.timeout) as sessions:
        opened: list[Refusals] = []

        def open_session() -> Refusals:
            opened.append(Refusals(sessions.open()))
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
                for finding in encoded.translate(result.findings):
                    refused = _refused(finding, opened)
                    if refused is not None:
                        path, goal, session = refused
                        cx = context_for(reading, member, session)
                        kept = Refused(path, goal, session.axioms, cx)
                        error = error_of(0, finding, member.name)
                        found.append(VcgObligation(error, kept, program, check))
    return found


def _refused(finding: Finding, opened: list[Refusals]) -> tuple[Path, Term, Refusals] | None:
    """The last question about the place of a finding that was not proved."""
    for session in opened:
        question = session.refused.get(str(finding.span))
        if question is not None:
            return (*question, session)
    return None
