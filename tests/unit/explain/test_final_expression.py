"""Terms as Viper expressions."""

from __future__ import annotations

import pytest

from pitviper.encoding.operators import NULL
from pitviper.encoding.theories.maps import maps
from pitviper.encoding.theories.sequences import sequences
from pitviper.encoding.theories.sets import sets
from pitviper.engines.symbolic.heap.chunk import EMPTY, Chunk, field_resource, predicate_resource
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.state import State
from pitviper.explain.final_expression import (
    ELISION,
    LONGEST,
    FinalExpressions,
    names_in,
    without_states,
)
from pitviper.source.span import NO_SPAN
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, first, unwrap, wrap
from pitviper.terms.sort import BOOL, INT, REF
from pitviper.terms.symbol import function
from pitviper.terms.term import Term

X = tb.constant("x@2", INT)
Y = tb.constant("y@1", REF)
A, B = tb.constant("a@0", BOOL), tb.constant("b@0", BOOL)
VAL = field_resource("val")
SEQ, SET = sequences(INT), sets(INT)
MAP = maps(sets(INT), sets(INT))
S, T = tb.constant("s@0", SEQ.sort), tb.constant("t@0", SET.sort)
M = tb.constant("m@0", MAP.sort)


def text(term: Term, origins: Origins | None = None) -> str:
    return FinalExpressions(origins or Origins()).text(term)


@pytest.mark.smoke
def test_a_heap_value_is_the_location_in_its_state() -> None:
    origins, value = Origins(), tb.constant("val@7", INT)
    origins.record(value, VAL, (Y,), NO_SPAN)
    assert text(tb.equal(X, value), origins) == "x@2 == old[debug@0](y@1.val)"


def test_a_value_out_of_a_snapshot_is_the_location_it_was_unfolded_to() -> None:
    origins = Origins()
    value = unwrap(first(tb.constant("snapshot@0", SNAP)), INT)
    origins.record_read(value, VAL, (Y,), NO_SPAN)
    assert text(value, origins) == "old[debug@0](y@1.val)"


def test_a_value_that_was_put_into_a_snapshot_keeps_its_name() -> None:
    origins = Origins()
    origins.record_read(unwrap(wrap(X), INT), VAL, (Y,), NO_SPAN)
    assert text(X, origins) == "x@2"


def test_names_of_a_state_come_first() -> None:
    value = tb.constant("val@7", INT)
    st = State({"y": Y, "x": X}, EMPTY.adding(Chunk(VAL, (Y,), value, tb.WRITE)))
    origins = Origins()
    shown = FinalExpressions(origins, names_in(st, origins))
    assert shown.text(tb.less(value, X)) == "y.val < x"


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (tb.conjoin(A, tb.disjoin(B, A)), "a@0 && (b@0 || a@0)"),
        (tb.implies(A, tb.less(X, tb.integer(3))), "a@0 ==> x@2 < 3"),
        (tb.negate(tb.equal(Y, NULL)), "y@1 != null"),
        (tb.negate(A), "!a@0"),
        (tb.times(tb.plus(X, tb.integer(1)), X), "(x@2 + 1) * x@2"),
        (tb.ite(A, X, tb.integer(0)), "(a@0 ? x@2 : 0)"),
        (tb.rational(1, 2), "1/2"),
        (tb.WRITE, "write"),
        (tb.NONE, "none"),
        (tb.apply(SEQ.length, S), "|s@0|"),
        (tb.apply(SEQ.index, S, X), "s@0[x@2]"),
        (tb.apply(SEQ.append, S, SEQ.literal((X,))), "s@0 ++ Seq(x@2)"),
        (tb.apply(SEQ.take, tb.apply(SEQ.append, S, S), X), "(s@0 ++ s@0)[..x@2]"),
        (tb.apply(SEQ.contains, S, X), "(x@2 in s@0)"),
        (tb.apply(SET.contains, X, T), "(x@2 in t@0)"),
        (tb.apply(SET.insert, T, X), "t@0 union Set(x@2)"),
        (tb.apply(MAP.lookup, M, X), "m@0[x@2]"),
    ],
)
def test_operators(term: Term, expected: str) -> None:
    assert text(term) == expected


def test_heap_dependent_functions_hide_their_snapshot() -> None:
    symbol = function("sum%limited", (SNAP, REF), INT)
    assert text(tb.apply(symbol, tb.constant("snapshot@0", SNAP), Y)) == "sum(y@1)"


def test_quantifiers() -> None:
    i = tb.variable("i", INT)
    assert text(tb.forall((i,), tb.less(i, X), ())) == "(forall i: Int :: i < x@2)"


def test_predicates_as_locations() -> None:
    shown = FinalExpressions(Origins())
    assert shown.location(predicate_resource("P"), (Y, X)) == "P(y@1, x@2)"


def test_texts_are_bounded() -> None:
    term: Term = X
    for _ in range(200):
        term = tb.plus(tb.times(term, X), term)
    shown = text(term)
    assert ELISION in shown
    assert len(shown) <= LONGEST


@pytest.mark.parametrize(
    ("shown", "plain"),
    [
        ("x == old[debug@0](y.val)", "x == y.val"),
        (
            "old[debug@12#l:20](f(g(y)).val) > 0 && old(x.f) == 1",
            "f(g(y)).val > 0 && old(x.f) == 1",
        ),
        ("old[before](x.f) == 1", "old[before](x.f) == 1"),
    ],
)
def test_a_reader_of_one_state_needs_no_labels(shown: str, plain: str) -> None:
    assert without_states(shown) == plain
