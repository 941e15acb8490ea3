"""Terms evaluated in hand-made models: no solver involved."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitviper.counterexample.bounded.evaluator import Evaluator
from pitviper.counterexample.bounded.ground import GroundTerms
from pitviper.counterexample.bounded.guards import range_of
from pitviper.counterexample.bounded.interpretation import Interpretation
from pitviper.counterexample.bounded.scope import objects
from pitviper.counterexample.bounded.values import Theories, Unevaluable, theories_of
from pitviper.driver.front.frontend import load_text
from pitviper.encoding.operators import NULL
from pitviper.encoding.symbols import Symbols
from pitviper.solver.model import Element, FunctionTable, Model
from pitviper.terms import build as tb
from pitviper.terms.sort import INT, REF
from pitviper.terms.term import App, Quantified, Term

NOTHING, ONE = Element(REF, "Ref!val!0"), Element(REF, "Ref!val!1")
ATOMS = objects(1)
I = tb.variable("i", INT)  # noqa: E741 - as in the formulas
R = tb.variable("r", REF)


def theories() -> tuple[Theories, Symbols]:
    program = load_text("").program
    assert program is not None
    symbols = Symbols(program)
    symbols.set(REF)
    symbols.seq(INT)
    return theories_of(symbols), symbols


def evaluator(model: Model, *facts: Term) -> Evaluator:
    known, _ = theories()
    ground = GroundTerms()
    ground.add(facts)
    assert isinstance(NULL, App)
    constants = {NULL.symbol: NOTHING, ATOMS[0].symbol: ONE, **model.constants}
    full = Model(constants, model.functions)  # type: ignore[arg-type]
    return Evaluator(Interpretation(full, ground, known, ATOMS), frozenset(), {})


def test_integer_division_is_euclidean() -> None:
    value = evaluator(Model()).value
    assert value(tb.div(tb.integer(-7), tb.integer(2))) == -4
    assert value(tb.mod(tb.integer(-7), tb.integer(-2))) == 1
    assert value(tb.divide(tb.WRITE, tb.rational(3))) == Fraction(1, 3)


def test_division_by_zero_matters_only_where_it_is_needed() -> None:
    zero = tb.constant("zero", INT)
    broken = tb.equal(tb.div(tb.integer(1), zero), tb.integer(0))
    here = evaluator(Model({zero.symbol: 0}))  # type: ignore[dict-item]
    with pytest.raises(Unevaluable):
        here.value(broken)
    assert here.value(tb.implies(tb.differ(zero, tb.integer(0)), broken)) is True


def test_a_set_contains_what_the_model_says() -> None:
    _, symbols = theories()
    th = symbols.set(REF)
    s = tb.constant("s", th.sort)
    element = Element(th.sort, "Set!val!0")
    contains = FunctionTable({(ONE, element): True}, default=False)
    here = evaluator(Model({s.symbol: element}, {th.contains: contains}), s)  # type: ignore[dict-item]
    assert here.value(s) == frozenset({ONE})
    assert here.value(tb.apply(th.size, s)) == 1
    both = tb.apply(th.union, s, tb.apply(th.singleton, NULL))
    assert here.value(both) == frozenset({ONE, NOTHING})
    everybody = tb.forall((R,), tb.implies(tb.apply(th.contains, R, s), tb.differ(R, NULL)))
    assert here.holds(everybody)


def test_witnesses_decide_quantifiers() -> None:
    here = evaluator(Model())
    fact = tb.forall((R,), tb.equal(R, NULL))
    assert not here.holds(fact)
    assert isinstance(fact, Quantified)
    assert here.witnesses[fact] == (ONE,)


def test_guards_bound_integers() -> None:
    inside = tb.conjoin(tb.at_most(tb.integer(0), I), tb.less(I, tb.integer(3)))
    even = tb.equal(tb.mod(tb.times(I, tb.integer(2)), tb.integer(2)), tb.integer(0))
    fact = tb.forall((I,), tb.implies(inside, even))
    assert isinstance(fact, Quantified)
    here = evaluator(Model())
    found = range_of(fact, I, lambda t: here.value(t) if not t.free else None)
    assert found is not None
    assert (found.low, found.high) == (0, 2)
    assert here.holds(fact)
    assert not here.sampled


def test_integers_without_bounds_are_a_sample() -> None:
    fact = tb.forall((I,), tb.less(I, tb.plus(I, tb.integer(1))), ((tb.mention(I),),))
    here = evaluator(Model())
    if isinstance(fact, Quantified):
        assert here.holds(fact)
        assert list(here.sampled) == [fact]
    else:
        assert fact is tb.TRUE
