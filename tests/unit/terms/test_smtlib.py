"""SMT-LIB text: declarations, sharing, quantifiers."""

from __future__ import annotations

import pytest

from pitviper.terms import build as b
from pitviper.terms.smtlib import Script, text
from pitviper.terms.snapshot import SNAP, UNIT, pair, wrap
from pitviper.terms.sort import BOOL, INT, REAL, REF, solver_sort, uninterpreted
from pitviper.terms.symbol import solver_function
from pitviper.terms.term import Term, variable

a, c = b.constant("a@0", INT), b.constant("c@0", INT)
i = variable("i", INT)
f = b.function("f", (INT,), INT)
g = b.function("g", (INT, INT), INT)


@pytest.mark.smoke
def test_everything_is_declared_before_its_use() -> None:
    seq = uninterpreted("Seq<Int>")
    length = b.function("len", (seq,), INT)
    assert text(b.less(a, b.apply(length, b.constant("s@0", seq)))).splitlines() == [
        "(declare-fun a@0 () Int)",
        "(declare-sort Seq<Int> 0)",
        "(declare-fun s@0 () Seq<Int>)",
        "(declare-fun $len (Seq<Int>) Int)",
        "(assert (< a@0 ($len s@0)))",
    ]


def test_snapshots() -> None:
    assert text(b.equal(b.constant("s@0", SNAP), pair(wrap(a), UNIT))).splitlines() == [
        "(declare-datatypes (($Snap 0)) ((($Snap.unit) "
        "($Snap.pair ($Snap.first $Snap) ($Snap.second $Snap)))))",
        "(declare-fun s@0 () $Snap)",
        "(declare-fun a@0 () Int)",
        "(declare-fun in<Int> (Int) $Snap)",
        "(assert (= s@0 ($Snap.pair (in<Int> a@0) $Snap.unit)))",
    ]


def test_quantifiers_with_all_annotations() -> None:
    trigger = b.apply(f, i)
    term = b.forall([i], b.less(trigger, a), ((trigger,), (trigger, b.apply(g, i, i))), "a b", 3)
    assert text(term).splitlines()[-1] == (
        "(assert (forall ((i? Int)) (! (< ($f i?) a@0) "
        ":pattern (($f i?)) :pattern (($f i?) ($g i? i?)) :qid |a b| :weight 3)))"
    )
    plain = b.exists([i], b.less(i, a))
    assert text(plain).splitlines()[-1] == "(assert (exists ((i? Int)) (< i? a@0)))"


def test_a_variable_and_a_constant_of_the_same_name_differ() -> None:
    term = b.forall([i], b.less(i, b.constant("i", INT)))
    assert text(term).splitlines()[-1] == "(assert (forall ((i? Int)) (< i? $i)))"


def test_functions_that_differ_in_sorts_only() -> None:
    over_reals = b.function("f", (REAL,), REAL)
    term = b.conjoin(b.less(b.apply(f, a), a), b.less(b.apply(over_reals, b.NONE), b.NONE))
    assert text(term).splitlines()[-1] == "(assert (and (< ($f a@0) a@0) (< ($f!1 0.0) 0.0)))"


def test_interpreted_functions() -> None:
    bits = solver_sort("(_ BitVec 8)")
    convert = solver_function("(_ int2bv 8)", (INT,), bits)
    zero = solver_function("#x00", (), bits)
    assert text(b.equal(b.apply(convert, a), b.apply(zero))).splitlines() == [
        "(declare-fun a@0 () Int)",
        "(assert (= ((_ int2bv 8) a@0) #x00))",
    ]


def test_shared_closed_terms_become_definitions() -> None:
    term: Term = a
    for _ in range(40):
        term = b.apply(g, term, term)
    lines = text(b.less(term, c)).splitlines()
    assert sum(map(len, lines)) < 5000
    assert any(line.startswith("(define-fun def!1 () Int ($g") for line in lines)


def test_terms_shared_between_facts_are_defined_at_the_second_one() -> None:
    part = b.apply(g, b.apply(f, a), b.apply(f, c))
    big = b.apply(g, part, b.apply(f, part))
    lines = text(b.less(big, a), b.less(big, c), b.less(c, big)).splitlines()
    assert [line[:12] for line in lines[-4:]] == [
        "(assert (< (", "(define-fun ", "(assert (< d", "(assert (< c",
    ]  # fmt: skip


def test_shared_open_terms_become_lets() -> None:
    term: Term = i
    for _ in range(40):
        term = b.apply(g, term, term)
    last = text(b.forall([i], b.less(term, c))).splitlines()[-1]
    assert len(last) < 5000
    assert "(let ((let!1 ($g" in last
    assert last.count("(") == last.count(")")


def test_deep_terms_are_cut() -> None:
    term: Term = a
    for _ in range(20_000):
        term = b.apply(f, term)
    lines = text(b.less(term, c)).splitlines()
    assert max(map(len, lines)) < 5000


def test_inner_quantifiers_have_their_own_lets() -> None:
    j = variable("j", INT)
    shared = b.apply(g, b.apply(g, i, j), b.apply(g, b.apply(g, i, i), b.apply(g, j, i)))
    inner = b.exists([j], b.less(b.apply(g, shared, shared), i))
    last = text(b.forall([i], b.implies(b.less(i, a), inner))).splitlines()[-1]
    assert last.index("(exists") < last.index("(let")


def test_references_and_truth_values() -> None:
    r = b.constant("r@0", REF)
    p = b.constant("p@0", BOOL)
    assert text(b.implies(p, b.differ(r, b.constant("null", REF)))).splitlines()[-1] == (
        "(assert (=> p@0 (not (= r@0 $null))))"
    )


def test_a_script_declares_things_once() -> None:
    lines: list[str] = []
    script = Script(lines.append)
    assert script.term(b.less(a, c)) == "(< a@0 c@0)"
    assert script.term(b.less(c, a)) == "(< c@0 a@0)"
    assert len(lines) == 2
