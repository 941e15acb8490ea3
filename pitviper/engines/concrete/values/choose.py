"""Decides on undecided values with the help of the tape."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pitviper.base.record import record
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.values.unknown import Hole, Raw, Unknown
from pitviper.engines.shared.values import (
    NULL,
    Constructed,
    Ref,
    Token,
    Value,
    finite_map,
    multiset_of,
    value_text,
)
from pitviper.program import types as pt
from pitviper.program.expr import Destruct
from pitviper.program.member import Program

SIZES = 4
"""Sizes of collections below the first one that is not tried, if nothing else is known."""

NULL_EVERY = 7
"""One element of this many is null."""

AMOUNTS = tuple(Fraction(n, d) for n, d in ((1, 1), (1, 2), (0, 1), (1, 3), (2, 1), (-1, 2)))
PARTS = tuple(Fraction(n, d) for n, d in ((1, 2), (1, 4), (3, 4), (1, 1), (0, 1), (1, 100)))


def force(raw: Raw, run: Run) -> Value:
    """The value, decided now if it was not yet."""
    found = run.unknowns.look(raw)
    if not isinstance(found, Hole):
        return found
    base = Hole(found.number, found.type)
    run.tick()
    value = _choose(base, run.unknowns.about(base), run)
    if not run.unknowns.equate(base, value):
        run.infeasible(
            f"{value_text(value)} as {run.unknowns.about(base).what}", run.obligation.span
        )
    run.decided.append(base)
    decided = run.unknowns.look(found)
    assert not isinstance(decided, Hole)
    return decided


def settle(run: Run) -> None:
    """Decide all values whose limits may leave none, so that the state is known to be possible."""
    for hole in run.unknowns.undecided():
        if not isinstance(
            hole.type, pt.IntType | pt.BoolType | pt.PermType | pt.RefType | pt.DomainType
        ):
            force(hole, run)


def _choose(hole: Hole, unknown: Unknown, run: Run) -> Value:
    match unknown.type:
        case pt.IntType():
            return _choose_int(hole, unknown, run)
        case pt.BoolType():
            return run.pick(unknown.what, _allowed(hole, (False, True), run))
        case pt.PermType():
            return run.pick(unknown.what, _allowed(hole, _amounts(unknown), run))
        case pt.RefType():
            return _choose_reference(hole, unknown, run)
        case pt.DomainType() as kind:
            return _choose_token(hole, kind, run)
        case pt.AdtType() as kind:
            return _choose_constructed(kind, unknown, run)
        case kind:
            return _choose_collection(kind, unknown, run)


def _allowed(hole: Hole, values: Sequence[Value], run: Run) -> list[Value]:
    allowed = [value for value in values if run.unknowns.allows(hole, value)]
    if not allowed:
        run.infeasible(f"a value for {run.unknowns.about(hole).what}", run.obligation.span)
    return allowed


def _choose_int(hole: Hole, unknown: Unknown, run: Run) -> int:
    """Counts from the limit, or 0, 1, -1, 2, -2 and so on; excluded values are left out."""
    number = run.decide(unknown.what)
    tried = number
    value = _integer(unknown, tried)
    while not run.unknowns.allows(hole, value):
        tried += 1
        value = _integer(unknown, tried)
    run.log(number, unknown.what, value)
    return value


def _integer(unknown: Unknown, number: int) -> int:
    low = None if unknown.low is None else int(unknown.low.value)
    high = None if unknown.high is None else int(unknown.high.value)
    if low is not None and high is not None:
        return low + number % (high - low + 1)
    if low is not None:
        return low + number
    if high is not None:
        return high - number
    return (number + 1) // 2 if number % 2 else -(number // 2)


def _amounts(unknown: Unknown) -> Sequence[Fraction]:
    low = None if unknown.low is None else Fraction(unknown.low.value)
    high = None if unknown.high is None else Fraction(unknown.high.value)
    if low is not None and high is not None:
        return [low + (high - low) * part for part in PARTS]
    if low is not None:
        return [low + part for part in PARTS]
    if high is not None:
        return [high - part for part in PARTS]
    return [*AMOUNTS, *[Fraction(1, n) for n in range(5, 6 + len(unknown.excluded))]]


def _choose_reference(hole: Hole, unknown: Unknown, run: Run) -> Value:
    """Null, an object met before, or one never met: it is made only if it is chosen."""
    known = [r for r in run.objects.known() if run.unknowns.allows(hole, r)]
    null = [NULL] if run.unknowns.allows(hole, NULL) else []
    number = run.decide(unknown.what)
    answers = _elements(number, known, null) if unknown.is_part else [*null, *known, None]
    value = answers[number % len(answers)] or run.objects.stranger()
    run.log(number, unknown.what, value)
    return value


def _elements(number: int, known: list[Ref], null: list[Ref]) -> Sequence[Ref | None]:
    """Elements of collections are best new ones (None), and rarely null."""
    return null if null and number % NULL_EVERY == NULL_EVERY - 1 else [None, *known]


def _choose_token(hole: Hole, kind: pt.DomainType, run: Run) -> Value:
    domain = run.program.domains[kind.name]
    if kind.name in run.constraints.domains or domain.interpretations is not None:
        run.cannot(f"no value of type {kind} is given, and axioms speak about it")
    if kind.name in run.inputs.interpretation.domains:
        run.cannot(f"no value of type {kind} is given")
    what = run.unknowns.about(hole).what
    tokens = [Token(kind, n) for n in range(1 + len(run.unknowns))]
    return run.pick(what, _allowed(hole, tokens[: 3 + len(run.unknowns.about(hole).excluded)], run))


def _choose_constructed(kind: pt.AdtType, unknown: Unknown, run: Run) -> Value:
    constructors = constructors_of(kind, run.program)
    number = run.decide(unknown.what)
    constructor = constructors[number % len(constructors)]
    args = [_part(part, unknown, run) for part in constructor.args]
    value = Constructed(constructor.name, tuple(args))
    run.log(number, unknown.what, value)
    return value


def _part(kind: pt.Type, unknown: Unknown, run: Run) -> Value:
    return force(_part_hole(kind, unknown, run), run)


def _part_hole(kind: pt.Type, unknown: Unknown, run: Run) -> Hole:
    hole = run.hole(kind, f"a part of {unknown.what}", unknown.horizon)
    run.unknowns.about(hole).is_part = True
    return hole


def _choose_collection(kind: pt.Type, unknown: Unknown, run: Run) -> Value:
    wanted = unknown.elements
    more = max(0, _choose_size(unknown, run) - len(wanted))
    match kind:
        case pt.SeqType(element):
            return (*wanted, *[_part(element, unknown, run) for _ in range(more)])
        case pt.MultisetType(element):
            return multiset_of([*wanted, *[_part(element, unknown, run) for _ in range(more)]])
        case pt.SetType(element):
            return frozenset(_different(element, more, unknown, run))
        case pt.MapType(key, value):
            keys = _different(key, more, unknown, run)
            return finite_map({k: _part(value, unknown, run) for k in keys})
        case _:
            run.cannot(f"a value of type {kind} cannot be made up")


def _choose_size(unknown: Unknown, run: Run) -> int:
    if unknown.length is not None:
        size = force(unknown.length, run)
        assert isinstance(size, int)
        return size
    return run.pick(f"the size of {unknown.what}", range(SIZES))


def _different(kind: pt.Type, more: int, unknown: Unknown, run: Run) -> list[Value]:
    """The elements that must be there, and others."""
    chosen = list(unknown.elements)
    for _ in range(more):
        part = _part_hole(kind, unknown, run)
        if not all(run.unknowns.exclude(part, other) for other in chosen):
            run.infeasible(f"{more} different values of type {kind}", run.obligation.span)
        chosen.append(force(part, run))
    return chosen


@record
class Built:
    """A constructor of an instance of an ADT, with the types of its arguments there."""

    name: str
    args: tuple[pt.Type, ...]


def constructors_of(kind: pt.AdtType, program: Program) -> list[Built]:
    """The constructors, those without arguments of the same ADT first."""
    adt = program.adts[kind.name]
    types = dict(zip(adt.type_params, kind.args, strict=True))
    built = [
        Built(c.name, tuple([pt.instantiate(p.type, types) for p in c.params]))
        for c in adt.constructors
    ]
    return sorted(built, key=lambda b: any(_mentions(arg, kind.name) for arg in b.args))


def _mentions(kind: pt.Type, adt: str) -> bool:
    match kind:
        case pt.AdtType(name, args):
            return name == adt or any(_mentions(arg, adt) for arg in args)
        case _:
            return False


def place_of(e: Destruct, constructor: str, program: Program) -> int | None:
    """Which argument of a constructor a destructor reads, None if it belongs to another one."""
    kind = e.receiver.type
    assert isinstance(kind, pt.AdtType)
    for candidate in program.adts[kind.name].constructors:
        if candidate.name == constructor:
            names = [parameter.name for parameter in candidate.params]
            return names.index(e.argument) if e.argument in names else None
    return None
