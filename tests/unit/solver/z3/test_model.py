"""Models of Z3 as plain data."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitviper.solver.model import Element, Structure, Text
from pitviper.solver.session import Path
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as b
from pitviper.terms.snapshot import SNAP, UNIT, pair
from pitviper.terms.sort import BOOL, INT, REAL, REF, solver_sort
from pitviper.terms.term import App, Term


def symbol_of(term: Term) -> b.Function:
    assert isinstance(term, App) and isinstance(term.symbol, b.Function)
    return term.symbol


@pytest.mark.smoke
def test_values_of_every_kind() -> None:
    x, y = b.constant("x", INT), b.constant("y", INT)
    p, k = b.constant("p", BOOL), b.constant("k", REAL)
    r, q = b.constant("r", REF), b.constant("q", REF)
    s, bits = b.constant("s", SNAP), b.constant("bits", solver_sort("(_ BitVec 8)"))
    path = Path()
    for fact in (
        b.equal(x, b.integer(-(10**30))),
        b.negate(p),
        b.equal(k, b.rational(1, 3)),
        b.differ(r, q),
        b.equal(s, pair(UNIT, pair(UNIT, UNIT))),
        b.mention(bits),
    ):
        path = path.assume(fact)
    with Z3Session() as session:
        model = session.model(path, b.less(y, x))
        assert model is not None
        assert session.model(path, b.less(x, b.integer(0))) is None
    values = {symbol.name: value for symbol, value in model.constants.items()}
    assert values["x"] == -(10**30)
    assert values["p"] is False
    assert values["k"] == Fraction(1, 3)
    assert isinstance(values["y"], int) and values["y"] >= -(10**30)
    assert values["r"] != values["q"]
    assert isinstance(values["r"], Element) and values["r"].sort is REF
    unit = Structure("Snap.unit")
    assert values["s"] == Structure("Snap.pair", (unit, Structure("Snap.pair", (unit, unit))))
    assert isinstance(values.get("bits", Text("")), Text)


def test_functions_and_candidates() -> None:
    f = b.function("f", (INT,), INT)
    i = b.variable("i", INT)
    axiom = b.forall([i], b.less(i, b.apply(f, i)), ((b.apply(f, i),),))
    three = b.apply(f, b.integer(3))
    with Z3Session() as session:
        session.declare([axiom])
        model = session.model(Path(), b.less(three, b.integer(9)))
    assert model is not None
    value = model.functions[f](3)
    assert isinstance(value, int) and value >= 9


def test_no_model_when_the_limit_ends_the_search() -> None:
    x, y, z = (b.constant(name, INT) for name in "xyz")
    cubes = [b.times(v, b.times(v, v)) for v in (x, y, z)]
    positive = [b.less(b.integer(0), v) for v in (x, y, z)]
    goal = b.negate(b.conjoin(*positive, b.equal(b.plus(cubes[0], cubes[1]), cubes[2])))
    with Z3Session() as session:
        assert session.model(Path(), goal, 10_000) is None
