"""Simplification and substitution keep the meaning of terms, on random terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from pitviper.terms import build as b
from pitviper.terms import operators as op
from pitviper.terms.normal import make
from pitviper.terms.snapshot import FIRST, PAIR, SECOND, SNAP, UNIT
from pitviper.terms.sort import BOOL, INT, REAL, Sort
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Symbol
from pitviper.terms.term import App, Literal, Term

Meaning = bool | int | Fraction | tuple[object, ...]
World = Mapping[Term, Meaning]

BOOLS = [b.constant(f"p{n}", BOOL) for n in range(3)]
INTS = [b.constant(f"i{n}", INT) for n in range(3)]
REALS = [b.constant(f"r{n}", REAL) for n in range(3)]
SNAPS = [b.constant(f"s{n}", SNAP) for n in range(2)]

_NOTHING = ("open",)


def _euclidean(x: int, y: int) -> tuple[int, int]:
    quotient = x // abs(y)
    return (quotient if y > 0 else -quotient), x % abs(y)


def _field(index: int) -> Callable[[tuple[object, ...]], object]:
    return lambda snap: snap[index] if len(snap) == 2 else (*_NOTHING, index, snap)


MEANINGS: dict[Symbol, Callable[..., object]] = {
    op.NOT: lambda x: not x,
    op.AND: lambda *xs: all(xs),
    op.OR: lambda *xs: any(xs),
    op.IMPLIES: lambda x, y: (not x) or y,
    op.EQUAL: lambda x, y: x == y,
    op.DISTINCT: lambda *xs: len(set(xs)) == len(xs),
    op.ITE: lambda c, x, y: x if c else y,
    op.PLUS: lambda x, y: x + y,
    op.MINUS: lambda x, y: x - y,
    op.TIMES: lambda x, y: x * y,
    op.DIVIDE: lambda x, y: x / y if y else Fraction(7),
    op.DIV: lambda x, y: _euclidean(x, y)[0] if y else 7,
    op.MOD: lambda x, y: _euclidean(x, y)[1] if y else 7,
    op.LESS: lambda x, y: x < y,
    op.AT_MOST: lambda x, y: x <= y,
    op.TO_REAL: Fraction,
    PAIR: lambda x, y: (x, y),
    FIRST: _field(0),
    SECOND: _field(1),
}


def evaluate(term: Term, world: World) -> object:
    values: dict[Term, object] = dict(world)
    values[UNIT] = ()
    for inner in subterms(term):
        if inner in values:
            continue
        if isinstance(inner, Literal):
            values[inner] = inner.value
        else:
            assert isinstance(inner, App)
            values[inner] = MEANINGS[inner.symbol](*(values[arg] for arg in inner.args))
    return values[term]


def _leaves(sort: Sort) -> st.SearchStrategy[Term]:
    literals: dict[Sort, st.SearchStrategy[Term]] = {
        BOOL: st.sampled_from([b.TRUE, b.FALSE]),
        INT: st.integers(-3, 3).map(b.integer),
        REAL: st.sampled_from([b.NONE, b.WRITE, b.rational(1, 2), b.rational(-1, 3)]),
        SNAP: st.just(UNIT),
    }
    constants = {BOOL: BOOLS, INT: INTS, REAL: REALS, SNAP: SNAPS}[sort]
    return st.sampled_from(constants) | literals[sort]


SHAPES: dict[Sort, list[tuple[Symbol, tuple[Sort, ...]]]] = {
    BOOL: [
        (op.NOT, (BOOL,)),
        (op.AND, (BOOL, BOOL)),
        (op.AND, (BOOL, BOOL, BOOL)),
        (op.OR, (BOOL, BOOL)),
        (op.IMPLIES, (BOOL, BOOL)),
        (op.ITE, (BOOL, BOOL, BOOL)),
        *((op.EQUAL, (sort, sort)) for sort in (BOOL, INT, REAL, SNAP)),
        (op.DISTINCT, (INT, INT, INT)),
        *((symbol, (sort, sort)) for symbol in (op.LESS, op.AT_MOST) for sort in (INT, REAL)),
    ],
    INT: [
        (op.ITE, (BOOL, INT, INT)),
        *((symbol, (INT, INT)) for symbol in (op.PLUS, op.MINUS, op.TIMES, op.DIV, op.MOD)),
    ],
    REAL: [
        (op.ITE, (BOOL, REAL, REAL)),
        (op.TO_REAL, (INT,)),
        *((symbol, (REAL, REAL)) for symbol in (op.PLUS, op.MINUS, op.TIMES, op.DIVIDE)),
    ],
    SNAP: [
        (op.ITE, (BOOL, SNAP, SNAP)),
        (PAIR, (SNAP, SNAP)),
        (FIRST, (SNAP,)),
        (SECOND, (SNAP,)),
    ],
}


@st.composite
def raw_terms(draw: st.DrawFn, sort: Sort, depth: int) -> Term:
    """A term built without any simplification."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(_leaves(sort))
    symbol, sorts = draw(st.sampled_from(SHAPES[sort]))
    args = tuple(draw(raw_terms(arg, depth - 1)) for arg in sorts)
    return b.hint(symbol, *args)


def simplified(term: Term) -> Term:
    """The same term, every part of it built by the smart constructors."""
    done: dict[Term, Term] = {}
    for inner in subterms(term):
        args = tuple(done[arg] for arg in inner.args)
        done[inner] = make(inner.symbol, args) if isinstance(inner, App) else inner
    return done[term]


WORLDS = st.fixed_dictionaries(
    {
        **{p: st.booleans() for p in BOOLS},
        **{i: st.integers(-3, 3) for i in INTS},
        **{r: st.sampled_from([Fraction(n, 2) for n in range(-2, 4)]) for r in REALS},
        **{s: st.sampled_from([(), ((), ()), ((), ((), ()))]) for s in SNAPS},
    }
)
SORTS = st.sampled_from([BOOL, BOOL, INT, REAL, SNAP])
TERMS = SORTS.flatmap(lambda sort: raw_terms(sort, 4))


@settings(max_examples=300, deadline=None)
@given(TERMS, WORLDS)
def test_simplification_keeps_the_meaning(term: Term, world: World) -> None:
    assert evaluate(simplified(term), world) == evaluate(term, world)


@settings(max_examples=100, deadline=None)
@given(TERMS)
def test_simplification_reaches_an_end(term: Term) -> None:
    once = simplified(term)
    assert simplified(once) is once


@settings(max_examples=100, deadline=None)
@given(TERMS, raw_terms(INT, 2), WORLDS)
def test_substitution_is_evaluation_in_another_world(term: Term, value: Term, world: World) -> None:
    inside = evaluate(value, world)
    assert isinstance(inside, int)
    replaced = substitute(term, {INTS[0]: value})
    assert evaluate(replaced, world) == evaluate(term, {**world, INTS[0]: inside})


@settings(max_examples=100, deadline=None)
@given(TERMS)
def test_negation_and_its_opposite(term: Term) -> None:
    if term.sort is BOOL:
        simple = simplified(term)
        assert b.negate(b.negate(simple)) is simple
