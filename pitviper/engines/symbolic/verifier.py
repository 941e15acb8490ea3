"""A whole program: functions first, callees before callers, then predicates and methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitviper.base.record import record, replace, struct
from pitviper.encoding.background import background, register_types
from pitviper.encoding.quantified_resources import ResourceIndex, Resources
from pitviper.encoding.symbols import Symbols
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import (
    Resource,
    field_resource,
    predicate_resource,
    wand_resource,
)
from pitviper.engines.symbolic.options import Options
from pitviper.engines.symbolic.recorder import Explainer, Recorder
from pitviper.engines.symbolic.rules.function import verify_function
from pitviper.engines.symbolic.rules.member import verify_method, verify_predicate
from pitviper.engines.symbolic.services import INTERNAL, Log, Obligation, Services, Undecided
from pitviper.program.callgraph import CallGraph, call_graph
from pitviper.program.dependencies import Dependencies
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.results.finding import Finding
from pitviper.results.ghost import GhostStep
from pitviper.results.verdict import Verdict
from pitviper.solver.session import Solver
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import Span
from pitviper.terms.supply import Supply
from pitviper.terms.term import Term

Member = Function | Predicate | Method


@record
class MemberResult:
    """What is known about one member; `undecided` says what was not decided, and why.

    `inferred` are the ghost statements with which that is known: see `Options.infer_ghost`.
    """

    member: str
    verdict: Verdict
    findings: tuple[Finding, ...]
    undecided: tuple[Undecided, ...]
    warnings: tuple[Diagnostic, ...]
    inferred: tuple[GhostStep, ...] = ()


@struct
class Run:
    """One verification of a program. `axioms` grows as functions are verified, here or elsewhere:
    a member is told those of the functions that it depends on, and no others.

    The `explainer` makes findings of failed checks. A `recorder` is told all about the members that
    are verified while it is there.
    """

    program: Program
    options: Options
    new_solver: Callable[[], Solver]
    symbols: Symbols
    calls: CallGraph
    axioms: dict[str, tuple[Term, ...]]
    background: tuple[Term, ...]
    resources: ResourceIndex
    dependencies: Dependencies
    explainer: Explainer
    recorder: Recorder | None = None


def verify(
    program: Program, options: Options, new_solver: Callable[[], Solver], explainer: Explainer
) -> Iterator[MemberResult]:
    """Results in the order in which members are done: functions, predicates, methods."""
    run = start(program, options, new_solver, explainer)
    for member in in_dependency_order(run):
        yield verify_member(run, member)


def start(
    program: Program, options: Options, new_solver: Callable[[], Solver], explainer: Explainer
) -> Run:
    """What all members share, for a caller that verifies them one at a time."""
    symbols = Symbols(program)
    register_types(symbols)
    calls = call_graph(program)
    return Run(
        program,
        options,
        new_solver,
        symbols,
        calls,
        {},
        background(symbols),
        ResourceIndex(program),
        Dependencies(program, calls),
        explainer,
    )


def in_dependency_order(run: Run) -> list[Member]:
    """Functions, callees before callers, then predicates, then methods."""
    functions = [run.program.functions[name] for cycle in run.calls.components for name in cycle]
    return [*functions, *run.program.predicates.values(), *run.program.methods.values()]


def verify_member(run: Run, member: Member) -> MemberResult:
    """One member; what a function defines is known to the members that come after it."""
    solver = run.new_solver()
    solver.declare(run.background)
    for name in run.dependencies.functions_before(member):
        solver.declare(run.axioms.get(name, ()))
    cx = context_for(run, member, solver)
    if run.recorder is not None:
        run.recorder.started(member)
        services = replace(cx.services, recorder=run.recorder, origins=run.recorder.origins)
        cx = replace(cx, services=services)
    match member:
        case Function():
            run.axioms[member.name] = verify_function(member, cx)
        case Predicate():
            verify_predicate(member, cx)
        case Method():
            verify_method(member, cx)
    return _result(member, cx.services.log)


def context_for(run: Run, member: Member, solver: Solver) -> Context:
    """What the rules need to work on a member; nothing is reported yet."""
    supply = Supply(member.name if isinstance(member, Function) else "")
    found = run.resources.of(member)
    services = Services(
        run.program,
        run.symbols,
        solver,
        run.calls,
        run.options,
        member.name,
        supply,
        Log(),
        run.explainer,
        _resources(found.quantified, run.symbols),
        _resources(found.triggered, run.symbols),
    )
    return Context(services, Obligation(INTERNAL, member))


def _resources(found: Resources, symbols: Symbols) -> frozenset[Resource]:
    return frozenset(
        [
            *[field_resource(name) for name in found.fields],
            *[predicate_resource(name) for name in found.predicates],
            *[wand_resource(symbols.shape(wand).name) for wand in found.wands.values()],
        ]
    )


def _result(member: Member, log: Log) -> MemberResult:
    if log.findings:
        verdict = Verdict.REFUTED
    elif log.undecided:
        verdict = Verdict.UNDECIDED
    else:
        verdict = Verdict.VERIFIED
    return MemberResult(
        member.name,
        verdict,
        tuple(log.findings.values()),
        log.left_undecided(),
        tuple([_warning(span, text) for (span, _), text in log.warnings.items()]),
        _inferred(log),
    )


def _inferred(log: Log) -> tuple[GhostStep, ...]:
    if not log.inferred:
        return ()
    from pitviper.engines.symbolic.ghost.inference import (
        inferred_steps,  # only where the user has chosen it
    )

    return inferred_steps(log)


def _warning(span: Span, message: str) -> Diagnostic:
    return Diagnostic("verifier.warning", Severity.WARNING, span, message)
