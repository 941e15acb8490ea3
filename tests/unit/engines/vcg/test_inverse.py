"""Families of quantified permissions: what is abstracted, and what makes two the same."""

from __future__ import annotations

from pitviper.encoding.symbols import InverseFunctions, Inverses
from pitviper.engines.vcg.heap.entry import Family as What
from pitviper.engines.vcg.heap.entry import Kind
from pitviper.engines.vcg.quantified.inverse import (
    Denoted,
    Families,
    Inverse,
    injectivity,
    inverse_of,
    skeleton,
)
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, INT, REF
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import function
from pitviper.terms.term import Term

LOC = function("loc", (INT,), REF)
FIELD = Kind(What.FIELD, "f", (REF,), INT)
K, N, M = (tb.constant(name, INT) for name in "knm")
X = tb.constant("x", REF)


def slice_up_to(bound: Term, amount: Term = tb.WRITE) -> Denoted:
    """`forall i :: i < bound ==> acc(loc(i).f, amount)`"""
    variable = tb.variable("i", INT)
    patterns = ((tb.apply(LOC, variable),),)
    return Denoted((K,), (variable,), tb.less(K, bound), (tb.apply(LOC, K),), amount, patterns)


def inverse(denoted: Denoted, families: Families) -> Inverse:
    return inverse_of(denoted, FIELD, families, {}, lambda term: term)


def test_numbers_are_parameters_as_well() -> None:
    shape, values = skeleton((tb.less(K, N),), (K,))
    other, numbers = skeleton((tb.less(K, tb.integer(3)),), (K,))
    assert shape == other
    assert (values, numbers) == ((N,), (tb.integer(3),))


def test_one_family_for_all_parameters() -> None:
    families: Families = {}
    one, two = inverse(slice_up_to(N), families), inverse(slice_up_to(M), families)
    assert one.family is two.family
    assert one.amount(slice_up_to(N)) is not two.amount(slice_up_to(M))


def test_the_same_amounts_are_the_same_term_in_other_members() -> None:
    one, two = inverse(slice_up_to(N), {}), inverse(slice_up_to(N), {})
    assert one.amount(slice_up_to(N)) is two.amount(slice_up_to(N))


def test_families_of_other_shapes_have_other_symbols() -> None:
    families: Families = {}
    variable = tb.variable("i", INT)
    below = Denoted((K,), (variable,), tb.less(N, K), (tb.apply(LOC, K),), tb.WRITE, ())
    one, two = inverse(slice_up_to(N), families), inverse(below, families)
    assert set(one.family.symbols).isdisjoint(two.family.symbols)


def test_a_variable_that_is_the_index_needs_no_inverse() -> None:
    variable = tb.variable("x", REF)
    everything = Denoted((X,), (variable,), tb.TRUE, (X,), tb.WRITE, ())
    found = inverse(everything, {})
    assert found.facts == ()
    assert injectivity(everything, tb.TRUE, {}, Supply())[0] is tb.TRUE


def test_inverses_are_claimed_only_where_something_is_denoted() -> None:
    """The facts are guarded by the condition and by the amount, or they would be wrong."""
    amount = tb.constant("p", tb.WRITE.sort)
    forth, home = inverse(slice_up_to(N, amount), {}).facts
    for fact in (forth, home):
        premise = fact.args[0].args[0]
        assert tb.greater(amount, tb.NONE) in premise.args


def test_a_function_with_an_inverse_of_its_own_needs_no_facts_and_no_check() -> None:
    image, back = function("image<loc:0>", (REF,), BOOL), function("inverse<loc:0>.0", (REF,), INT)
    known: Inverses = {(LOC, (0,)): InverseFunctions(LOC, (0,), image, (back,))}
    for bound in (N, M):
        denoted = slice_up_to(bound)
        found = inverse_of(denoted, FIELD, {}, known, lambda term: term)
        (formal,) = found.family.formals
        assert found.facts == ()
        assert found.back == {K: tb.apply(back, formal)}
        assert found.image is tb.apply(image, formal)
        assert injectivity(denoted, tb.TRUE, known, Supply())[0] is tb.TRUE
