"""A whole program: functions first, callees before callers, then predicates and methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitviper.base.record import replace, struct
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
from pitviper.engines.symbolic.services import INTERNAL, Log, Obligation, Services
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.results.ghost import GhostStep
from pitviper.solver.session import Solver


@struct
class Run(ProgramRun[Options]):
    """The `explainer` makes findings of failed checks. A `recorder` is told all about the members
    that are verified while it is there."""

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
    return Run.on(program, options, new_solver, explainer=explainer)


def verify_member(run: Run, member: Member) -> MemberResult:
    """One member; what a function defines is known to the members that come after it."""
    cx = context_for(run, member, run.solver_for(member))
    if run.recorder is not None:
        services = replace(cx.services, recorder=run.recorder, origins=run.recorder.origins)
        run.recorder.started(member, services)
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
    found = run.resources.of(member)
    triggered = found.looked_at if isinstance(member, Function) else found.triggered
    services = Services(
        run.program,
        run.symbols,
        solver,
        run.calls,
        run.options,
        member.name,
        supply_for(member),
        Log(),
        run.explainer,
        _resources(found.quantified, run.symbols),
        _resources(triggered, run.symbols),
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
    return MemberResult(
        member.name,
        tuple(log.findings.values()),
        log.left_undecided(),
        warnings_of([(span, text) for (span, _), text in log.warnings.items()]),
        _inferred(log),
    )


def _inferred(log: Log) -> tuple[GhostStep, ...]:
    if not log.inferred:
        return ()
    from pitviper.engines.symbolic.ghost.inference import (
        inferred_steps,  # only where the user has chosen it
    )

    return inferred_steps(log)
