"""Assumptions: what is undecided is made so that they hold, else the run is infeasible."""

from __future__ import annotations

from fractions import Fraction

from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import evaluate as scoped
from pitviper.engines.concrete.rules import quantifier
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values import arithmetic
from pitviper.engines.concrete.values.choose import force
from pitviper.engines.concrete.values.unknown import Hole, Raw
from pitviper.engines.shared.values import elements_of
from pitviper.program import expr as pe
from pitviper.program.expr import CompareOp

_MIRRORED = {
    CompareOp.LT: CompareOp.GT,
    CompareOp.LE: CompareOp.GE,
    CompareOp.GT: CompareOp.LT,
    CompareOp.GE: CompareOp.LE,
}


def assume(st: State, e: pe.Expr, run: Run) -> None:
    """`e` holds from here on."""
    match e:
        case pe.And(operands):
            for operand in operands:
                assume(st, operand, run)
        case pe.Or(operands):
            if not rules.eval_or(st, operands[:-1], run):
                assume(st, operands[-1], run)
        case pe.Implies(left, right):
            if rules.boolean(st, left, run):
                assume(st, right, run)
        case pe.Conditional(condition, then, otherwise):
            assume(st, then if rules.boolean(st, condition, run) else otherwise, run)
        case pe.Not(operand):
            _assume_not(st, operand, e, run)
        case pe.Equal(left, right):
            sides = rules.evaluate_raw(st, left, run), rules.evaluate_raw(st, right, run)
            _require(e, run, possible=run.unknowns.equate(*sides))
        case pe.NotEqual(left, right):
            _assume_different(st, left, right, e, run)
        case pe.Compare():
            _assume_compared(st, e, run)
        case pe.SeqContains() | pe.SetContains() | pe.MapContains():
            _assume_member(st, e, run)
        case pe.InhaleExhaleExpr(inhaled, exhaled):
            assume(st, inhaled if st.assuming else exhaled, run)
        case pe.Forall():
            quantifier.assume_forall(st, e, run)
        case pe.Old() | pe.Let() | pe.Unfolding() | pe.Applying() | pe.Asserting():
            scope, body = scoped.enter(st, e, run)
            assume(scope, body, run)
        case _:
            _assume_value(st, e, e, run, value=True)


def _require(e: pe.Expr, run: Run, *, possible: bool) -> None:
    if not possible:
        run.false_assumption(e)


def _assume_value(st: State, part: pe.Expr, e: pe.Expr, run: Run, *, value: bool) -> None:
    _require(e, run, possible=run.unknowns.equate(rules.evaluate_raw(st, part, run), value))


def _assume_not(st: State, operand: pe.Expr, e: pe.Expr, run: Run) -> None:
    match operand:
        case pe.Equal(left, right):
            _assume_different(st, left, right, e, run)
        case _:
            _assume_value(st, operand, e, run, value=False)


def _assume_different(st: State, left: pe.Expr, right: pe.Expr, e: pe.Expr, run: Run) -> None:
    a, b = rules.evaluate_raw(st, left, run), rules.evaluate_raw(st, right, run)
    a, b = _hole_first(run.unknowns.look(a), b)
    value = force(b, run)
    a = run.unknowns.look(a)
    _require(e, run, possible=run.unknowns.exclude(a, value) if isinstance(a, Hole) else a != value)


def _hole_first(a: Raw, b: Raw) -> tuple[Raw, Raw]:
    return (a, b) if isinstance(a, Hole) else (b, a)


def _assume_member(
    st: State, e: pe.SeqContains | pe.SetContains | pe.MapContains, run: Run
) -> None:
    """An undecided collection gets the element; an undecided element becomes one that is there."""
    element, collection = _member_parts(e)
    one, many = rules.evaluate_raw(st, element, run), rules.evaluate_raw(st, collection, run)
    one = run.unknowns.look(one)
    if isinstance(many, Hole):
        _require(e, run, possible=run.unknowns.contain(many, force(one, run)))
    elif isinstance(one, Hole):
        allowed = [value for value in elements_of(many) if run.unknowns.allows(one, value)]
        _require(e, run, possible=bool(allowed))
        value = run.pick(run.unknowns.about(one).what, allowed)
        _require(e, run, possible=run.unknowns.equate(one, value))
        run.decided.append(one)
    else:
        _require(e, run, possible=one in elements_of(many))


def _member_parts(
    e: pe.SeqContains | pe.SetContains | pe.MapContains,
) -> tuple[pe.Expr, pe.Expr]:
    match e:
        case pe.SeqContains(element, collection) | pe.SetContains(element, collection):
            return element, collection
        case pe.MapContains(key, collection):
            return key, collection


def _assume_compared(st: State, e: pe.Compare, run: Run) -> None:
    """One undecided side gets a limit; if both are undecided, the right one is decided."""
    left, right = rules.evaluate_raw(st, e.left, run), rules.evaluate_raw(st, e.right, run)
    left = run.unknowns.look(left)
    if not isinstance(left, Hole) and isinstance(right, Hole):
        _assume_limit(right, _MIRRORED[e.op], left, e, run)
    else:
        _assume_limit(left, e.op, force(right, run), e, run)


def _assume_limit(raw: Raw, op: CompareOp, value: Raw, e: pe.Expr, run: Run) -> None:
    raw = run.unknowns.look(raw)
    assert isinstance(value, int | Fraction)
    if isinstance(raw, Hole):
        _require(e, run, possible=run.unknowns.limit(raw, op, value))
    else:
        assert isinstance(raw, int | Fraction)
        _require(e, run, possible=arithmetic.compare(op, raw, value))
