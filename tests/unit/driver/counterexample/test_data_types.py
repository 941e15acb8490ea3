"""Values of algebraic data types in counterexamples: built by constructors, and possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.results.counterexample import (
    Absence,
    Counterexample,
    NoCounterexample,
    Result,
    Standing,
)

TYPES = """adt List { Nil() Cons(head: Int, tail: List) }
adt Nat { Z() S(pred: Nat) }
adt Option[T] { None() Some(get: T) }
adt Rose { Branch(kids: Forest) }
adt Forest { Empty() More(first: Rose, rest: Forest) }
adt Tree { Leaf() Node(left: Tree, right: Tree) }
field list: List
function nodes(t: Tree): Int { t.isLeaf ? 0 : 1 + nodes(t.left) + nodes(t.right) }
function size(l: List): Int { l.isNil ? 0 : 1 + size(l.tail) }
function sum(l: List): Int { l.isNil ? 0 : l.head + sum(l.tail) }
"""


def answers(member: str, folder: Path) -> tuple[Result, ...]:
    path = folder / "program.vpr"
    path.write_text(TYPES + member)
    return counterexamples(path, CounterexampleOptions(select=("m",))).results


WRONG = [
    ("method m(l: List) { assert l.isNil }", {"l": "Cons(0, Nil())"}),
    (
        "method m(l: List) requires l.isCons && l.head > 3 "
        "{ assert l.tail.isNil || l.tail.head > 0 }",
        {"l": "Cons(4, Cons(0, Nil()))"},
    ),
    (
        "method m(l: List, k: List) requires l != k { assert l.isNil || k.isNil }",
        {"l": "Cons(0, Nil())", "k": "Cons(1, Nil())"},
    ),
    ("method m(l: List) { assert size(l) < 2 }", {"l": "Cons(0, Cons(0, Nil()))"}),
    (
        "method m(l: List) requires size(l) == 1 { assert sum(l) != 7 }",
        {"l": "Cons(7, Nil())"},
    ),
    ("method m(o: Option[Option[Int]]) requires o.isSome { assert o.get.isNone }", None),
    ("method m(o: Option[Ref], x: Ref) requires o.isSome { assert o.get == x }", None),
    ("method m(s: Seq[Nat]) requires |s| == 2 { assert s[0] == s[1] }", None),
    ("method m(s: Set[Nat]) requires S(Z()) in s { assert Z() in s }", None),
    ("method m(f: Forest) { assert f.isEmpty || f.rest.isEmpty }", None),
    ("method m(x: Ref) requires acc(x.list) { x.list := Cons(1, x.list); assert false }", None),
]


@pytest.mark.parametrize(("member", "values"), WRONG)
def test_a_wrong_assertion_has_a_counterexample_with_constructors(
    member: str, values: dict[str, str] | None, tmp_path: Path
) -> None:
    [found] = answers(member, tmp_path)
    assert isinstance(found, Counterexample)
    assert found.standing is Standing.REPLAYED
    assert not found.doubts
    shown = {v.name: v.value.text for v in found.variables}
    if values is not None:
        assert shown == values
    words = [found.caption, *[f.text for f in found.functions], *shown.values()]
    assert not any("_tag" in text or "get_" in text for text in words)


def test_no_comparison_of_numbers_stands_for_a_constructor(tmp_path: Path) -> None:
    [found] = answers("method m(l: List) { assert l.isNil }", tmp_path)
    assert isinstance(found, Counterexample)
    assert found.caption == "line 11 fails: l.isNil is false"


TRUE = [
    "method m(n: Nat) { assert n.isS ==> n != n.pred }",
    "method m(n: Nat) requires n.isS && n.pred.isS { assert n.pred.pred != n }",
    "method m(f: Forest) requires f.isMore { assert f.first.kids != f }",
    "method m(l: List) { assert l != Cons(1, l) }",
    "method m(l: List) { assert size(l) >= 0 }",
]


@pytest.mark.parametrize("member", TRUE)
def test_values_that_contain_themselves_are_no_counterexample(member: str, tmp_path: Path) -> None:
    """The solver knows only axioms, which infinite values meet as well."""
    [found] = answers(member, tmp_path)
    assert isinstance(found, NoCounterexample)
    assert found.absence is Absence.WITHIN_BOUNDS
    assert "values of data types are few levels deep" in found.message


UNTRUE = [
    ("method m(n: Int) requires n >= 0 { assert (n * (n + 1)) % 2 == 0 }", "holds in it"),
    ("method m(t: Tree) { assert nodes(t) >= 0 }", "the definition of nodes does not hold in it"),
]


@pytest.mark.parametrize(("member", "reason"), UNTRUE)
def test_a_state_in_which_a_fact_is_false_is_not_shown(
    member: str, reason: str, tmp_path: Path
) -> None:
    [found] = answers(member, tmp_path)
    assert isinstance(found, NoCounterexample)
    assert found.absence is Absence.UNDECIDED
    assert any(reason in why.text for why in found.because)
