"""Terms of the solver: quantifiers that say the same are the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitviper.solver.z3.library import Z3Context, text
from pitviper.solver.z3.symbols import Z3Symbols
from pitviper.solver.z3.terms import Z3Terms
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, INT
from pitviper.terms.term import Term, variable

P = tb.function("p", (INT, INT), BOOL)


@pytest.fixture
def context() -> Iterator[Z3Context]:
    made = Z3Context({})
    yield made
    made.close()


def about(first: str, second: str, name: str) -> Term:
    """`forall a :: {p(a, a)} forall b :: {p(a, b)} p(a, b)`, in other words."""
    a, b = variable(first, INT), variable(second, INT)
    inner = tb.forall((b,), tb.apply(P, a, b), ((tb.apply(P, a, b),),), f"{name}.inner")
    return tb.forall((a,), inner, ((tb.apply(P, a, a),),), name)


def test_names_and_places_do_not_make_another_quantifier(context: Z3Context) -> None:
    terms = Z3Terms(context, Z3Symbols(context))
    one, other = about("i", "j", "3.1"), about("x", "y", "7.1")
    assert one is not other
    assert terms.handle(one) == terms.handle(other)


def test_variables_that_are_exchanged_make_another_quantifier(context: Z3Context) -> None:
    terms = Z3Terms(context, Z3Symbols(context))
    i, j = variable("i", INT), variable("j", INT)
    body, trigger = tb.implies(tb.less(i, j), tb.apply(P, i, j)), ((tb.apply(P, i, j),),)
    assert terms.handle(tb.forall((i, j), body, trigger)) != terms.handle(
        tb.forall((j, i), body, trigger)
    )


def test_triggers_make_another_quantifier(context: Z3Context) -> None:
    terms = Z3Terms(context, Z3Symbols(context))
    i = variable("i", INT)
    body = tb.conjoin(tb.apply(P, i, i), tb.apply(P, i, tb.integer(0)))
    one, other = [tb.forall((i,), body, ((part,),)) for part in body.args]
    assert terms.handle(one) != terms.handle(other)


def test_a_variable_of_an_outer_quantifier_is_not_captured(context: Z3Context) -> None:
    terms = Z3Terms(context, Z3Symbols(context))
    handle = terms.handle(about("i", "j", "3.1"))
    said = text(context.lib.ast_to_string(context.pointer, handle))
    assert said.count("(p x!1 x!2)") == 2, said
    assert said.count("(p x!1 x!1)") == 1, said


def test_names_are_those_of_the_first_where_they_are_wanted(context: Z3Context) -> None:
    terms = Z3Terms(context, Z3Symbols(context), names_wanted=True)
    handle = terms.handle(about("i", "j", "first"))
    assert terms.handle(about("x", "y", "second")) == handle
    said = text(context.lib.ast_to_string(context.pointer, handle))
    assert ":qid first" in said
    assert "second" not in said
