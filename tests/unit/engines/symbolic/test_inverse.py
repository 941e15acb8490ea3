"""Inverse functions: read off where possible, shared where the locations are the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import field_resource
from pitviper.engines.symbolic.quantified.inverse import Denoted, Inverse, injectivity, inverse_of
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, INT, REF, Sort
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.term import Quantified, Term, Var
from tests.unit.engines.symbolic.bench_of_rules import context

F = field_resource("f")
R = tb.variable("r0", REF)
LOC = tb.function("loc", (INT,), REF)
SIDE = tb.function("side", (BOOL,), REF)
N = tb.constant("n", INT)
P = tb.constant("p", tb.WRITE.sort)


def denoted(x: Term, args: tuple[Term, ...], condition: Term, amount: Term = tb.WRITE) -> Denoted:
    variable = tb.variable(f"?{x!r}", x.sort)
    patterns = tuple([(substitute(arg, {x: variable}),) for arg in args if arg is not x])
    return Denoted((x,), (variable,), condition, args, amount, patterns)


def cells(name: str, amount: Term = tb.WRITE) -> Denoted:
    """The first n locations, over a symbol of the given name."""
    i = tb.constant(name, INT)
    return denoted(i, (tb.apply(LOC, i),), tb.less(i, N), amount)


def inverse(d: Denoted, cx: Context, *formals: Var) -> Inverse:
    return inverse_of(d, formals or (R,), F, cx)


@pytest.mark.smoke
def test_a_variable_that_is_the_location_needs_no_function() -> None:
    x = tb.constant("x@0", REF)
    d = denoted(x, (x,), tb.differ(x, tb.constant("y", REF)))

    found = inverse(d, context())

    assert found.facts == ()
    assert found.image is tb.TRUE
    assert found.at_formals(d.condition) is tb.differ(R, tb.constant("y", REF))
    assert injectivity(d, tb.TRUE, context()) is tb.TRUE


def test_other_arguments_become_conditions() -> None:
    x, y = tb.constant("x@0", REF), tb.constant("y", REF)
    r0, r1 = tb.variable("r0", REF), tb.variable("r1", REF)

    fixed = inverse(denoted(x, (x, y), tb.TRUE), context(), r0, r1)
    twice = inverse(denoted(x, (x, x), tb.TRUE), context(), r0, r1)

    assert fixed.image is tb.equal(r1, y)
    assert twice.image is tb.equal(r1, r0)


def test_the_inverse_of_a_location_is_its_value_and_back() -> None:
    d = cells("i@0")

    found = inverse(d, context())

    there, home = found.facts
    back = found.back[d.xs[0]]
    assert isinstance(there, Quantified) and isinstance(home, Quantified)
    assert there.triggers == ((tb.apply(LOC, d.variables[0]),),)
    assert home.triggers == ((back,), (found.image,))
    meant = tb.conjoin(found.image, tb.less(back, N))
    assert home.body is tb.implies(meant, tb.equal(tb.apply(LOC, back), R))


@pytest.mark.smoke
def test_nothing_is_claimed_where_no_permission_is_meant() -> None:
    """A location that is not denoted has no inverse: `image` and the condition guard the axiom."""
    found = inverse(cells("i@0", P), context())

    home = found.facts[1]
    assert isinstance(home, Quantified)
    premise = set(home.body.args[0].args)
    assert {found.image, tb.greater(P, tb.NONE)} <= premise


def test_the_same_locations_have_the_same_functions() -> None:
    cx = context()

    one, other = inverse(cells("i@0"), cx), inverse(cells("j@7"), cx)

    assert one.image is other.image
    assert list(one.back.values()) == list(other.back.values())


def test_an_amount_matters_only_if_it_depends_on_the_location() -> None:
    cx = context()
    i = tb.constant("i@0", INT)
    depends = tb.divide(tb.WRITE, tb.to_real(i))

    plain, some = inverse(cells("i@0"), cx), inverse(cells("i@0", P), cx)
    varying = inverse(cells("i@0", depends), cx)

    assert plain.image is some.image
    assert plain.image is not varying.image


def test_functions_depend_on_the_binders_that_occur() -> None:
    outer, idle = tb.constant("o@0", INT), tb.constant("idle@0", INT)
    i = tb.constant("i@0", INT)
    d = denoted(i, (tb.apply(LOC, i),), tb.less(i, outer))

    found = inverse(d, context().under(outer, idle))

    assert found.image.args == (outer, R)


def test_truth_values_are_told_apart() -> None:
    b = tb.constant("b@0", BOOL)
    found = inverse(denoted(b, (tb.apply(SIDE, b),), tb.TRUE), context())

    home = found.facts[1]
    assert isinstance(home, Quantified)
    inside = set(subterms(home.body))
    assert {tb.apply(SIDE, tb.TRUE), tb.apply(SIDE, tb.FALSE)} <= inside


def test_injectivity_is_about_whole_tuples() -> None:
    i, j = tb.constant("i@0", INT), tb.constant("j@0", INT)
    sorts: tuple[Sort, ...] = (INT, INT)
    grid = tb.function("grid", sorts, REF)
    known = tb.less(i, j)
    pair = replace(
        cells("i@0"),
        xs=(i, j),
        variables=(tb.variable("?i", INT), tb.variable("?j", INT)),
        args=(tb.apply(grid, i, j),),
    )

    goal = injectivity(pair, known, context())

    other_i, other_j = tb.constant("other@0", INT), tb.constant("other@1", INT)
    premise, conclusion = goal.args
    assert conclusion is tb.conjoin(tb.equal(i, other_i), tb.equal(j, other_j))
    assert {known, tb.less(other_i, other_j)} <= set(premise.args)
    assert tb.equal(tb.apply(grid, i, j), tb.apply(grid, other_i, other_j)) in premise.args
