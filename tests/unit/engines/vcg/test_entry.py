"""Signs and joins of entries: a wrong one would be an unsoundness."""

from __future__ import annotations

import pytest

from pitviper.engines.vcg.heap.entry import Entry, Sign, is_positive, sign_of
from pitviper.engines.vcg.rules.join import join_entries
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, PERM, REF
from pitviper.terms.term import Term

P, Q = tb.constant("p", PERM), tb.constant("q", PERM)
C = tb.constant("c", BOOL)
X, Y = tb.constant("x", REF), tb.constant("y", REF)
HALF, MINUS = tb.rational(1, 2), tb.rational(-1)
V, W = tb.constant("v", PERM), tb.constant("w", PERM)


@pytest.mark.parametrize(
    ("amount", "sign"),
    [
        (tb.NONE, Sign.PLUS),
        (HALF, Sign.PLUS),
        (MINUS, Sign.MINUS),
        (P, Sign.OPEN),
        (tb.ite(C, tb.WRITE, tb.NONE), Sign.PLUS),
        (tb.ite(C, tb.WRITE, MINUS), Sign.OPEN),
        (tb.ite(C, tb.WRITE, P), Sign.OPEN),
        (tb.minus(tb.ite(C, tb.WRITE, tb.NONE), tb.WRITE), Sign.OPEN),
        (tb.minus(P, Q), Sign.OPEN),
        (tb.times(P, Q), Sign.OPEN),
        (tb.times(MINUS, P), Sign.OPEN),
    ],
)
def test_signs(amount: Term, sign: Sign) -> None:
    found = sign_of(amount)
    assert found is sign or (sign is Sign.OPEN and found is not Sign.PLUS)


def test_signs_that_rest_on_what_is_known() -> None:
    known = {tb.at_least(P, tb.NONE), tb.greater(Q, tb.NONE)}
    assert sign_of(tb.plus(P, Q), known) is Sign.PLUS
    assert sign_of(tb.times(P, Q), known) is Sign.PLUS
    assert sign_of(tb.minus(P, Q), known) is Sign.OPEN
    assert is_positive(tb.plus(P, Q), known)
    assert is_positive(tb.divide(Q, tb.rational(2)), known)
    assert not is_positive(P, known)
    assert not is_positive(tb.ite(C, Q, P), known)
    assert not is_positive(tb.times(P, Q), known)


def test_what_one_side_holds_is_conditional() -> None:
    ours = (Entry((X,), tb.WRITE, Sign.PLUS, V),)
    (entry,) = join_entries(C, ours, ())
    assert isinstance(entry, Entry)
    assert entry.amount is tb.ite(C, tb.WRITE, tb.NONE)
    assert not is_positive(entry.amount)
    assert is_positive(entry.amount, {C})


def test_what_both_hold_is_chosen() -> None:
    ours = (Entry((Y,), HALF, Sign.PLUS, V), Entry((X,), tb.WRITE, Sign.PLUS, V))
    theirs = (Entry((Y,), HALF, Sign.PLUS, V), Entry((X,), HALF, Sign.PLUS, W))
    kept, chosen = join_entries(C, ours, theirs)
    assert kept is ours[0]
    assert isinstance(chosen, Entry)
    assert chosen.amount is tb.ite(C, tb.WRITE, HALF)
    assert chosen.value is tb.ite(C, V, W)


def test_a_value_that_one_side_lacks_is_gone() -> None:
    ours, theirs = (Entry((X,), HALF, Sign.PLUS, V),), (Entry((X,), HALF, Sign.PLUS),)
    (entry,) = join_entries(C, ours, theirs)
    assert isinstance(entry, Entry)
    assert entry.value is None


def test_signs_that_differ_are_not_known() -> None:
    ours, theirs = (Entry((X,), HALF, Sign.PLUS),), (Entry((X,), MINUS, Sign.MINUS),)
    (entry,) = join_entries(C, ours, theirs)
    assert entry.sign is Sign.OPEN
