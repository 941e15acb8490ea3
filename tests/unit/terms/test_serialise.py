"""Terms that went through text are the same objects again."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.encoding.background import background, register_types
from pitviper.encoding.symbols import Symbols
from pitviper.terms import build as tb
from pitviper.terms.normal import is_unsimplified, unsimplified
from pitviper.terms.operators import EQUAL
from pitviper.terms.serialise import terms_from_text, terms_to_text
from pitviper.terms.snapshot import SNAP, first, pair
from pitviper.terms.sort import INT, REAL, REF, TermError, array, solver_sort
from pitviper.terms.symbol import function, solver_function
from pitviper.terms.term import App, Term, literal

THEORIES = """
field f: Map[Int, Seq[Ref]]
domain D[T] { function d(x: T): Set[T]  axiom { forall x: T :: { d(x) } x in d(x) } }
domain Bits interpretation (SMTLIB: "(_ BitVec 32)") {
  function bits(n: Int): Bits interpretation "(_ int2bv 32)"
}
predicate p(x: Ref) { acc(x.f) }
method m(x: Ref, s: Multiset[Bool], e: Int)
  requires forall y: Ref :: y in x.f[0] ==> acc(y.f)
{ assert e in d(e)  var b: Bits := bits(e) }
"""


def same(*terms: Term) -> bool:
    found = terms_from_text(terms_to_text(terms))
    return len(found) == len(terms) and all(a is b for a, b in zip(found, terms, strict=True))


def test_background_axioms_of_all_theories() -> None:
    program = load_text(THEORIES).program
    assert program is not None
    symbols = Symbols(program)
    register_types(symbols)
    axioms = background(symbols)
    assert len(axioms) > 50
    assert same(*axioms)


def test_numbers_and_solver_text() -> None:
    bits = solver_sort("(_ BitVec 8)")
    to_bits = solver_function("(_ int2bv 8)", (INT,), bits)
    number = literal(-(10**30), INT)
    assert same(number, literal(Fraction(1, 3), REAL), tb.TRUE, tb.apply(to_bits, number))


def test_data_types_and_what_undoes() -> None:
    s = tb.variable("s", SNAP)
    hide = function("hide", (INT,), SNAP)
    show = function("show", (SNAP,), INT, undoes=hide)
    assert same(first(s), pair(s, s), tb.apply(show, s), tb.apply(hide, literal(1, INT)))


def test_arrays() -> None:
    values = tb.constant("h", array((INT, REF), REAL))
    at = (tb.integer(1), tb.constant("x", REF))
    stored = tb.store(values, *at, tb.WRITE)
    terms = (tb.select(values, *at), stored, tb.equal(stored, values))
    assert terms_from_text(terms_to_text(terms)) == terms


def test_what_was_kept_on_purpose_is_kept() -> None:
    x = tb.variable("x", INT)
    kept = unsimplified(EQUAL, (x, x))
    found = terms_from_text(terms_to_text((kept,)))[0]
    assert found is kept
    assert isinstance(found, App)
    assert is_unsimplified(found)


def test_a_deep_term_needs_no_deep_stack() -> None:
    term: Term = tb.variable("x", INT)
    step = function("step", (INT,), INT)
    for _ in range(5_000):
        term = tb.apply(step, term)
    assert same(term)


@pytest.mark.parametrize("text", ["", "[]", "{}", "[[],[],[],[0]]", '[[],[],[["x"]],[0]]', "nul"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(TermError):
        terms_from_text(text)
