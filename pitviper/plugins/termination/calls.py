"""The checks in front of a call: it terminates, and in a recursion the measure decreases."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.plugins.build import NameSupply, aside, conjunction, implication, is_true
from pitviper.plugins.termination.measures import (
    BOUNDED,
    DECREASING,
    Clauses,
    Orders,
    compares,
    condition_of,
    is_smaller,
)
from pitviper.plugins.termination.obligation import Ledger, Obligation, Reason, Subject
from pitviper.program import expr as pe
from pitviper.program.stmt import Assert, DecreasesTuple, Stmt
from pitviper.program.walk import descendants
from pitviper.source.span import Span


@record
class Checks:
    """What all checks of one member share."""

    orders: Orders
    ledger: Ledger
    names: NameSupply


@record
class Caller:
    """A member or loop with a tuple: the tuple's values at the start of the run."""

    subject: Subject
    member: str
    clause: Span
    condition: pe.Expr
    measures: tuple[pe.Expr, ...]


@record
class Target:
    """What is called or entered: its clauses in terms of the caller."""

    clauses: Clauses
    declaration: Span
    same_cycle: bool


def caller_at_start(
    subject: Subject, member: str, clause: DecreasesTuple, label: str | None
) -> Caller:
    """A tuple evaluated in the heap of an old state; the variables must still be those."""
    return Caller(
        subject,
        member,
        clause.span,
        _in_old_heap(condition_of(clause), label),
        tuple([_in_old_heap(measure, label) for measure in clause.measures]),
    )


def _in_old_heap(e: pe.Expr, label: str | None) -> pe.Expr:
    return pe.Old(label, e, span=e.span) if reads_heap(e) else e


_HEAP_READERS = (
    pe.FieldRead, pe.FunctionApp, pe.Unfolding, pe.Applying, pe.Asserting,
    pe.CurrentPerm, pe.ForPerm, pe.PredicateInstance,
)  # fmt: skip


def reads_heap(e: pe.Expr | DecreasesTuple) -> bool:
    return any(isinstance(node, _HEAP_READERS) for node in descendants(e))


def check_call(caller: Caller, target: Target, span: Span, checks: Checks) -> list[Stmt]:
    """All that a call obliges its caller to, in front of the call."""
    if target.same_cycle:
        return check_descent(caller, target.clauses.tuple, span, checks)
    return check_termination_of(caller, target, span, checks)


def check_termination_of(caller: Caller, target: Target, span: Span, checks: Checks) -> list[Stmt]:
    """What is called or entered has a clause whose condition holds."""
    condition = target.clauses.terminates_if(span)
    obligation = Obligation(
        caller.subject,
        caller.member,
        Reason.TERMINATION_CONDITION,
        span,
        target.declaration,
    )
    return _assertion(implication(caller.condition, condition, span), obligation, checks)


def check_descent(
    caller: Caller, tuple_: DecreasesTuple | None, span: Span, checks: Checks
) -> list[Stmt]:
    """The tuple's condition holds again, and the tuple is smaller than the caller's.

    The second check assumes the first, so that one cause gives one finding.
    """
    offending = caller.clause if tuple_ is None else tuple_.span
    condition = pe.BoolLit(value=False, span=span) if tuple_ is None else condition_of(tuple_)
    statements = _assertion(
        implication(caller.condition, condition, span),
        Obligation(caller.subject, caller.member, Reason.TUPLE_CONDITION, span, offending),
        checks,
    )
    if tuple_ is not None:
        assumed = conjunction((caller.condition, condition), span)
        statements += _check_smaller(caller, tuple_, assumed, span, checks)
    return statements


def _check_smaller(
    caller: Caller, tuple_: DecreasesTuple, assumed: pe.Expr, span: Span, checks: Checks
) -> list[Stmt]:
    if compares(tuple_.measures, caller.measures) and not checks.orders.complete:
        missing = DECREASING if checks.orders.decreasing is None else BOUNDED
        checks.ledger.report_missing(missing, caller.clause)
        return []
    smaller = is_smaller(tuple_.measures, caller.measures, checks.orders, span)
    bound = None
    if is_true(assumed) and len(caller.measures) == len(tuple_.measures) == 1:
        bound = caller.measures[0].span
    obligation = Obligation(caller.subject, caller.member, Reason.TUPLE, span, caller.clause, bound)
    return _assertion(implication(assumed, smaller, span), obligation, checks)


def _assertion(goal: pe.Expr, obligation: Obligation, checks: Checks) -> list[Stmt]:
    """The goal is asserted on a path of its own, so that every obligation is judged alone."""
    if is_true(goal):
        return []
    annotations = checks.ledger.record(obligation)
    check = Assert(goal, annotations=annotations, span=obligation.span)
    return aside([check], checks.names, obligation.span)
