"""Undecided values: what assumptions make of them, what is left for the tape."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pitviper.engines.concrete.values.objects import Objects
from pitviper.engines.concrete.values.unknown import Hole, Unknowns
from pitviper.engines.shared.values import NULL, Ref
from pitviper.program.expr import CompareOp
from pitviper.program.types import BOOL, INT, PERM, REF, SeqType
from tests.unit.engines.concrete.running import FALSE, INFEASIBLE, PASSED, check, run, tape, verdict


@pytest.fixture
def unknowns() -> Unknowns:
    return Unknowns(Objects())


def test_an_equation_fills_a_hole(unknowns: Unknowns) -> None:
    a = unknowns.fresh(INT, 0, "a")
    assert unknowns.equate(a.shifted(1), 5)
    assert unknowns.look(a) == 4
    assert not unknowns.equate(a, 5)


def test_holes_can_be_one(unknowns: Unknowns) -> None:
    a, b = unknowns.fresh(INT, 0, "a"), unknowns.fresh(INT, 0, "b")
    assert unknowns.limit(b, CompareOp.GT, 10)
    assert unknowns.equate(a, b.shifted(-3))
    assert not unknowns.allows(a, 7)
    assert unknowns.equate(b, 11)
    assert unknowns.look(a) == 8


def test_limits_leave_something_or_nothing(unknowns: Unknowns) -> None:
    a = unknowns.fresh(INT, 0, "a")
    assert unknowns.limit(a, CompareOp.GE, 3)
    assert unknowns.limit(a, CompareOp.LT, 5)
    assert unknowns.exclude(a, 3)
    assert not unknowns.exclude(a, 4)
    p = unknowns.fresh(PERM, 0, "p")
    assert unknowns.limit(p, CompareOp.GT, Fraction(0))
    assert unknowns.limit(p, CompareOp.LT, Fraction(1, 100))
    assert not unknowns.limit(p, CompareOp.LE, Fraction(0))
    b = unknowns.fresh(BOOL, 0, "b")
    assert unknowns.exclude(b, value=True)
    assert not unknowns.exclude(b, value=False)


def test_old_values_do_not_know_new_objects() -> None:
    objects = Objects()
    unknowns = Unknowns(objects)
    before = unknowns.fresh(REF, objects.allocations, "before")
    made = objects.allocate()
    after = unknowns.fresh(REF, objects.allocations, "after")
    assert not unknowns.equate(before, made)
    assert unknowns.equate(after, made)
    assert unknowns.equate(before, NULL)


def test_sizes_and_elements_of_undecided_collections(unknowns: Unknowns) -> None:
    s = unknowns.fresh(SeqType(INT), 0, "s")
    assert unknowns.limit(unknowns.length_of(s), CompareOp.LE, 2)
    assert unknowns.contain(s, 1)
    assert unknowns.contain(s, 2)
    assert not unknowns.contain(s, 3)
    other = unknowns.fresh(SeqType(INT), 0, "t")
    length = unknowns.length_of(other)
    assert unknowns.equate(other, (1, 2, 3))
    assert unknowns.look(length) == 3
    assert isinstance(length, Hole)


def test_assumptions_decide_as_little_as_possible() -> None:
    assert check("var k: Int\nvar l: Int\nassume k == l + 1\nassert k == l + 1") == PASSED
    assert check("var k: Int\nassume 4 < k && k < 6\nassert k == 5") == PASSED
    assert check("var k: Int\nassume k > 4\nassume k < 5\nassert false") == INFEASIBLE
    assert check("var c: Bool\nassume !c\nassert !c") == PASSED
    assert check("var q: Perm\nassume none < q && q < 1/100\nassert q < 1/100") == PASSED
    assert check("var s: Seq[Int]\nassume |s| == 2 && 7 in s\nassert 7 in s && |s| == 2") == PASSED
    assert check("var r: Ref\nassume r in Set(x, y)\nassert r == x || r == y") == PASSED
    assert check("var s: Set[Bool]\nassume |s| == 3\nassert false") == INFEASIBLE


def test_the_tape_decides_what_is_left() -> None:
    text = "method m() { var k: Int\nassume k != 0\nassert k == 1 }"
    assert verdict(run(text, decisions=tape(0))) == PASSED
    assert verdict(run(text, decisions=tape(2))) == FALSE
    text = "method m() { var r: Ref\nvar s: Ref\nassert r == s }"
    assert verdict(run(text, decisions=tape(0, 0))) == PASSED
    assert verdict(run(text, decisions=tape(1, 0))) == FALSE
    assert verdict(run(text, decisions=tape(1, 1))) == PASSED


def test_a_new_object_is_different_from_all_that_was_known() -> None:
    fresh = "var z: Ref\nvar n: Ref\ninhale acc(x.next)\nn := new(f)\n"
    assert check(fresh + "assert n != x && n != null && n != z && x.next != n") == PASSED
    assert check(fresh + "assert perm(n.f) == write && perm(n.g) == none") == PASSED
    text = "method m() { var n: Ref\nn := new()\nvar z: Ref\nassert z != n }"
    assert verdict(run(text, decisions=tape(1))) == FALSE
    assert Ref(1) != NULL
