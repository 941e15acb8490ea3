"""Which resource an access names, and how much of it."""

from __future__ import annotations

from fractions import Fraction

from pitviper.engines.concrete.heap.contents import gain, wildcard_gain
from pitviper.engines.concrete.heap.heap import FieldAt, PredicateAt, Snapshot
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values.choose import force
from pitviper.engines.concrete.values.unknown import Hole, Raw
from pitviper.engines.shared.values import NULL, Ref
from pitviper.program.assertion import Access, FieldLocation, PredicateLocation
from pitviper.program.expr import Expr, PermConstant, PermLit


def location_of(
    st: State, location: FieldLocation | PredicateLocation, run: Run
) -> FieldAt | PredicateAt:
    match location:
        case FieldLocation(receiver, name):
            return FieldAt(rules.reference(st, receiver, run), name)
        case PredicateLocation(name, args):
            return PredicateAt(name, rules.evaluate_all(st, args, run))


def amount_of(st: State, amount: Expr, run: Run) -> Fraction | None:
    """The amount, checked not to be negative; None for a wildcard."""
    value = _amount(st, amount, run)
    if value is not None and value < 0:
        run.fail("negative.permission", amount, amount)
    return value


def positive_amount_of(st: State, amount: Expr, run: Run) -> Fraction | None:
    """The amount of a ghost operation, which must be positive; None for a wildcard."""
    value = _amount(st, amount, run)
    if value is not None and value <= 0:
        run.fail("permission.not.positive", amount, amount)
    return value


def _amount(st: State, amount: Expr, run: Run) -> Fraction | None:
    if isinstance(amount, PermLit) and amount.value is PermConstant.WILDCARD:
        return None
    return rules.fraction(st, amount, run)


def gain_access(st: State, access: Access, source: Snapshot | None, run: Run) -> State:
    """`acc(location, amount)` is inhaled; contents come from `source`."""
    match access.location:
        case FieldLocation(receiver, name):
            raw = rules.evaluate_raw(st, receiver, run)
            amount = amount_of(st, access.amount, run)
            if amount != 0:
                _leave_room(st, raw, name, run)
            resource: FieldAt | PredicateAt = FieldAt(_reference(raw, run), name)
        case PredicateLocation():
            resource = location_of(st, access.location, run)
            amount = amount_of(st, access.amount, run)
    if amount == 0:
        return st
    if amount is None:
        amount = wildcard_gain(st, resource, run)
    return gain(st, resource, amount * st.scale, source, run)


def _reference(raw: Raw, run: Run) -> Ref:
    value = force(raw, run)
    assert isinstance(value, Ref)
    return value


def _leave_room(st: State, receiver: Raw, field: str, run: Run) -> None:
    """An undecided receiver is neither null nor an object to which everything is held already."""
    receiver = run.unknowns.look(receiver)
    if not isinstance(receiver, Hole):
        return
    run.unknowns.exclude(receiver, NULL)
    for known in run.objects.known():
        if not st.binary and st.heap.amount(FieldAt(known, field)) == 1:
            run.unknowns.exclude(receiver, known)
