"""What means something outside of a package."""

from __future__ import annotations

import pytest

from pitviper.engines.symbolic.wands.hypothetical import Packaging, choice_of
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.sort import REF
from pitviper.terms.supply import Supply
from pitviper.terms.term import App, Term

SUPPLY = Supply()
BEFORE = SUPPLY.constant("p", tb.WRITE.sort)
PACKAGING = Packaging(Path(), SUPPLY.mark(), ())
LEFT = SUPPLY.constant("left", SNAP)
INSIDE = SUPPLY.constant("p", tb.WRITE.sort)


def named(name: App, value: Term) -> Path:
    return Path().assume(tb.equal(name, value), FactKind.DEFINITION)


@pytest.mark.smoke
def test_old_symbols_mean_something_outside() -> None:
    outside = PACKAGING.on(Path())
    assert outside.resolved(BEFORE) is BEFORE
    assert outside.resolved(INSIDE) is None


def test_names_count_as_what_they_stand_for() -> None:
    half = tb.minus(BEFORE, tb.rational(1, 2))
    assert PACKAGING.on(named(INSIDE, half)).resolved(INSIDE) is half


def test_names_for_hypothetical_terms_do_not() -> None:
    depends = tb.ite(tb.equal(LEFT, LEFT), BEFORE, tb.NONE)
    other = tb.ite(tb.equal(LEFT, tb.variable("s", SNAP)), BEFORE, tb.NONE)
    assert PACKAGING.on(named(INSIDE, depends)).resolved(INSIDE) is BEFORE
    assert PACKAGING.on(named(INSIDE, other)).resolved(INSIDE) is None


def test_facts_that_are_no_definitions_say_nothing() -> None:
    path = Path().assume(tb.equal(INSIDE, BEFORE))
    assert PACKAGING.on(path).resolved(INSIDE) is None


def test_choices_made_without_looking_inside() -> None:
    fact = tb.less(INSIDE, BEFORE)
    path = Path().assume(fact, FactKind.GLOBAL, choice_of(INSIDE, fact))
    outside = PACKAGING.on(path)
    assert outside.resolved(INSIDE) is INSIDE
    assert outside.choices_in(tb.plus(INSIDE, BEFORE)) == [choice_of(INSIDE, fact)]


def test_choices_that_rest_on_the_left_hand_side() -> None:
    fact = tb.implies(tb.equal(LEFT, tb.variable("s", SNAP)), tb.less(INSIDE, BEFORE))
    path = Path().assume(fact, FactKind.GLOBAL, choice_of(INSIDE, fact))
    assert PACKAGING.on(path).resolved(INSIDE) is None


def test_functions_defined_for_all_arguments() -> None:
    symbol = SUPPLY.function("taken", (REF,), tb.WRITE.sort)
    r = tb.variable("r", REF)
    here = tb.apply(symbol, r)
    fact = tb.forall((r,), tb.equal(here, tb.minus(BEFORE, tb.rational(1, 2))), ((here,),), "t")
    outside = PACKAGING.on(Path().assume(fact, FactKind.DEFINITION))
    assert outside.resolved(here) is here
    assert [choice.facts for choice in outside.choices_in(here)] == [(fact,)]
