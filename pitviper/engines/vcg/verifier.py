"""A whole program: each member is translated into a procedure, and the procedure proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from pitviper.base.record import field, record
from pitviper.encoding.quantified_resources import Resources
from pitviper.encoding.symbols import Symbols
from pitviper.engines.shared.members import (
    Member,
    MemberResult,
    ProgramRun,
    in_dependency_order,
    supply_for,
    warnings_of,
)
from pitviper.engines.shared.reach import end_of, end_unreachable, says_unreachable
from pitviper.engines.vcg.context import Construct, Context, Services
from pitviper.engines.vcg.heap.entry import Kind
from pitviper.engines.vcg.ivl.emitter import Emitter, SearchEnded
from pitviper.engines.vcg.ivl.language import Procedure
from pitviper.engines.vcg.ivl.outcome import Effort, Outcome, ProverOptions, Strategy
from pitviper.engines.vcg.ivl.prover import prove
from pitviper.engines.vcg.kinds import field_kind, predicate_kind, wand_kind
from pitviper.engines.vcg.options import Options
from pitviper.engines.vcg.rules.clauses import told_once, without_consequences
from pitviper.engines.vcg.rules.function import translate_function
from pitviper.engines.vcg.rules.member import verify_method, verify_predicate
from pitviper.engines.vcg.rules.nesting import nesting_axioms
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.results.verdict import Undecided
from pitviper.solver.session import Solver
from pitviper.source.span import Span

Run: TypeAlias = ProgramRun[Options]


@record
class ProvedMember(MemberResult):
    """A result with what it took."""

    effort: Effort = field(default_factory=Effort)


@record
class Translated:
    """A member as a procedure, with what was noticed on the way."""

    procedure: Procedure
    solver: Solver
    warnings: tuple[tuple[Span, str], ...]
    questions: int


def verify(
    program: Program, options: Options, new_solver: Callable[[], Solver]
) -> Iterator[ProvedMember]:
    """Results in the order in which members are done: functions, predicates, methods."""
    run = start(program, options, new_solver)
    for member in in_dependency_order(run):
        yield verify_member(run, member)


def start(program: Program, options: Options, new_solver: Callable[[], Solver]) -> Run:
    """What all members share, for a caller that verifies them one at a time."""
    run = Run.on(program, options, new_solver)
    run.background = (*run.background, *nesting_axioms(run.symbols))
    return run


def verify_member(run: Run, member: Member) -> ProvedMember:
    """One member; what a function defines is known to the members that come after it."""
    try:
        translated = translate(run, member)
    except SearchEnded as ended:
        open_ = Undecided(ended.span, ended.said)
        return ProvedMember(member.name, (), (open_,), ())
    strategy = Strategy.WHOLE if run.options.whole else Strategy.WALK
    outcome = prove(translated.procedure, translated.solver, ProverOptions(strategy))
    if member.name in run.axioms and (outcome.findings or outcome.undecided):
        run.axioms[member.name] = ()  # what was not proved is not assumed elsewhere
    return _result(run, member, translated, outcome)


def translate(run: Run, member: Member) -> Translated:
    """The procedure that must hold for a member to be valid."""
    solver, supply = run.solver_for(member), supply_for(member)
    found = run.resources.of(member)
    triggered = found.looked_at if isinstance(member, Function) else found.triggered
    services = Services(
        run.program,
        run.symbols,
        run.calls,
        run.options,
        member.name,
        supply,
        Emitter(member.name, supply, solver),
        _kinds(found.quantified, run.symbols),
        _kinds(triggered, run.symbols),
    )
    cx = Context(services, Construct("internal", member))
    match member:
        case Function():
            run.axioms[member.name] = translate_function(member, cx)
        case Predicate():
            verify_predicate(member, cx)
        case Method():
            verify_method(member, cx)
    emitter = services.emitter
    return Translated(emitter.procedure(), solver, tuple(services.warnings), emitter.questions)


def _kinds(found: Resources, symbols: Symbols) -> frozenset[Kind]:
    return frozenset(
        [
            *[field_kind(name, symbols) for name in found.fields],
            *[predicate_kind(name, symbols) for name in found.predicates],
            *[wand_kind(wand, symbols) for wand in found.wands.values()],
        ]
    )


def _result(run: Run, member: Member, translated: Translated, outcome: Outcome) -> ProvedMember:
    findings = without_consequences(outcome.findings, member, run.program)
    findings = told_once(findings, member, run.symbols) or outcome.findings
    ill = {finding.span for finding in findings if finding.error == "not.wellformed"}
    told = [*translated.warnings, *outcome.warnings]
    warnings = dict.fromkeys([warning for warning in told if warning[0] not in ill])
    if isinstance(member, Method) and warnings:
        end = (end_of(member), end_unreachable(member.name))
        if findings or outcome.undecided or says_unreachable(member, run.program):
            warnings.pop(end, None)
    outcome.effort.queries += translated.questions
    return ProvedMember(
        member.name,
        findings,
        outcome.undecided,
        warnings_of(warnings),
        effort=outcome.effort,
    )
