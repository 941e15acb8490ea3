"""Whether wands that came in from outside can be there: see NOTE(lent) in `wand_sides.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from pitviper.base.record import names_of, record
from pitviper.engines.concrete.heap.heap import ONE, ZERO, FieldAt, WandAt
from pitviper.engines.concrete.run import Run
from pitviper.engines.shared.values import Ref, Value
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.node import Node
from pitviper.program.wand_sides import side_of

Amounts = dict[FieldAt, Fraction]


@record
class _Side:
    """What a side has and says, in values; `is_plain` if that is all of it."""

    amounts: Amounts
    holds: bool
    is_plain: bool


def check_wands(wands: Sequence[WandAt], held: Mapping[FieldAt, Fraction], run: Run) -> None:
    """Every wand excludes its left-hand side, or what it holds at least is there for it.

    Nobody knows what else it may be: then the run says nothing.
    """
    sides = [(_side(wand, wand.shape.left), _side(wand, wand.shape.right)) for wand in wands]
    busy = dict(held)
    for at, (left, right) in enumerate(sides):
        beside = dict(held)
        for one, other in (*sides[:at], *sides[at + 1 :]):
            _add(beside, _lent(one, other))
        if _is_idle(left, beside, len(wands)):
            continue
        if not right.is_plain or not right.holds:
            run.cannot("what a wand holds that came in from outside")
        _add(busy, _lent(left, right))
    if any(at.receiver.number == 0 or amount > ONE for at, amount in busy.items()):
        run.cannot("what a wand holds that came in from outside")


def _is_idle(left: _Side, beside: Amounts, number: int) -> bool:
    """Whether there is a footprint that no left-hand state fits; each wand gets as much of it."""
    shares = [
        number * (ONE - amount) < ONE - beside.get(at, ZERO)
        for at, amount in left.amounts.items()
        if at.receiver.number != 0
    ]
    return not left.holds or any(shares)


def _lent(left: _Side, right: _Side) -> Amounts:
    """What the right-hand side has and the left-hand side has not."""
    more = {at: n - left.amounts.get(at, ZERO) for at, n in right.amounts.items()}
    return {at: amount for at, amount in more.items() if amount > 0}


def _add(amounts: Amounts, more: Amounts) -> None:
    for at, amount in more.items():
        amounts[at] = amounts.get(at, ZERO) + amount


def _side(wand: WandAt, assertion: pa.Assertion) -> _Side:
    gaps = list(_gaps(wand.shape))
    known = len(gaps) == len(wand.values)
    values = {id(gap): v for gap, v in zip(gaps, wand.values, strict=True)} if known else {}
    side = side_of(assertion)
    amounts, holds, plain = Amounts(), True, side.is_plain
    for access in side.fields:
        assert isinstance(access.location, pa.FieldLocation)
        receiver = values.get(id(access.location.receiver))
        amount = values.get(id(access.amount))
        if isinstance(receiver, Ref) and isinstance(amount, Fraction):
            _add(amounts, {FieldAt(receiver, access.location.field): amount})
        else:
            plain = False
    for said in side.says:
        value: Value | None = values.get(id(said))
        plain = plain and value is not None
        holds = holds and value is not False
    return _Side(amounts, holds, plain)


def _gaps(node: Node) -> Iterator[pe.Var]:
    """The gaps of a shape, in the order of their values."""
    if isinstance(node, pe.Var) and not node.name:
        yield node
        return
    for name in names_of(node):
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Node):
                yield from _gaps(part)
