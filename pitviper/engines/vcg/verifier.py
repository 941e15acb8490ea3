"""A whole program: each member is translated into a procedure, and the procedure proved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitviper.base.record import record, struct
from pitviper.encoding.background import background, register_types
from pitviper.encoding.quantified_resources import ResourceIndex, Resources
from pitviper.encoding.symbols import Symbols
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
from pitviper.program.callgraph import CallGraph, call_graph
from pitviper.program.dependencies import Dependencies
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.results.finding import Finding
from pitviper.results.ghost import GhostStep
from pitviper.results.verdict import Undecided, Verdict
from pitviper.solver.session import Solver
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import Span
from pitviper.terms.supply import Supply
from pitviper.terms.term import Term

Member = Function | Predicate | Method


@record
class MemberResult:
    """What is known about one member; `undecided` says what was not decided, and why."""

    member: str
    verdict: Verdict
    findings: tuple[Finding, ...]
    undecided: tuple[Undecided, ...]
    warnings: tuple[Diagnostic, ...]
    inferred: tuple[GhostStep, ...] = ()
    effort: Effort | None = None


@struct
class Run:
    """One verification of a program. `axioms` grows as functions are verified."""

    program: Program
    options: Options
    new_solver: Callable[[], Solver]
    symbols: Symbols
    calls: CallGraph
    axioms: dict[str, tuple[Term, ...]]
    background: tuple[Term, ...]
    resources: ResourceIndex
    dependencies: Dependencies


@record
class Translated:
    """A member as a procedure, with what was noticed on the way."""

    procedure: Procedure
    solver: Solver
    warnings: tuple[tuple[Span, str], ...]
    questions: int


def verify(
    program: Program, options: Options, new_solver: Callable[[], Solver]
) -> Iterator[MemberResult]:
    """Results in the order in which members are done: functions, predicates, methods."""
    run = start(program, options, new_solver)
    for member in in_dependency_order(run):
        yield verify_member(run, member)


def start(program: Program, options: Options, new_solver: Callable[[], Solver]) -> Run:
    """What all members share, for a caller that verifies them one at a time."""
    symbols = Symbols(program)
    register_types(symbols)
    calls = call_graph(program)
    axioms = (*background(symbols), *nesting_axioms(symbols))
    return Run(
        program,
        options,
        new_solver,
        symbols,
        calls,
        {},
        axioms,
        ResourceIndex(program),
        Dependencies(program, calls),
    )


def in_dependency_order(run: Run) -> list[Member]:
    """Functions, callees before callers, then predicates, then methods."""
    functions = [run.program.functions[name] for cycle in run.calls.components for name in cycle]
    return [*functions, *run.program.predicates.values(), *run.program.methods.values()]


def verify_member(run: Run, member: Member) -> MemberResult:
    """One member; what a function defines is known to the members that come after it."""
    try:
        translated = translate(run, member)
    except SearchEnded as ended:
        open_ = Undecided(ended.span, ended.said)
        return MemberResult(member.name, Verdict.UNDECIDED, (), (open_,), (), effort=Effort())
    strategy = Strategy.WHOLE if run.options.whole else Strategy.WALK
    outcome = prove(translated.procedure, translated.solver, ProverOptions(strategy))
    if member.name in run.axioms and (outcome.findings or outcome.undecided):
        run.axioms[member.name] = ()  # what was not proved is not assumed elsewhere
    return _result(run, member, translated, outcome)


def translate(run: Run, member: Member) -> Translated:
    """The procedure that must hold for a member to be valid."""
    solver = run.new_solver()
    solver.declare(run.background)
    for name in run.dependencies.functions_before(member):
        solver.declare(run.axioms.get(name, ()))
    supply = Supply(member.name if isinstance(member, Function) else "")
    found = run.resources.of(member)
    services = Services(
        run.program,
        run.symbols,
        run.calls,
        run.options,
        member.name,
        supply,
        Emitter(member.name, supply, solver),
        _kinds(found.quantified, run.symbols),
        _kinds(found.triggered, run.symbols),
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


def _result(run: Run, member: Member, translated: Translated, outcome: Outcome) -> MemberResult:
    findings = without_consequences(outcome.findings, member, run.program)
    findings = told_once(findings, member, run.symbols) or outcome.findings
    if findings:
        verdict = Verdict.REFUTED
    elif outcome.undecided:
        verdict = Verdict.UNDECIDED
    else:
        verdict = Verdict.VERIFIED
    ill = {finding.span for finding in findings if finding.error == "not.wellformed"}
    told = [*translated.warnings, *outcome.warnings]
    warnings = dict.fromkeys([warning for warning in told if warning[0] not in ill])
    outcome.effort.queries += translated.questions
    return MemberResult(
        member.name,
        verdict,
        findings,
        outcome.undecided,
        tuple([Diagnostic("verifier.warning", Severity.WARNING, *w) for w in warnings]),
        effort=outcome.effort,
    )
