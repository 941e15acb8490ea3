"""Symbols made for one value of a bound variable are functions of it in the general fact."""

from __future__ import annotations

from pitviper.engines.vcg.rules.generalise import is_since, lifting
from pitviper.terms import build as tb
from pitviper.terms.sort import INT
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Function
from pitviper.terms.term import App
from tests.unit.engines.vcg.verifying import findings_of


def test_only_what_was_made_since_the_mark_is_lifted() -> None:
    supply = Supply()
    before = supply.constant("v", INT)
    mark = supply.mark()
    x, inside = supply.constant("x", INT), supply.constant("v", INT)
    lifted = lifting((x,), mark).term(tb.plus(tb.plus(x, before), inside))
    functions = {t.symbol for t in lifted.args if isinstance(t, App) and t.args}
    assert before in lifted.args[0].args
    assert [f.name for f in functions if isinstance(f, Function)] == ["v@1^"]


def test_arrays_are_as_old_as_their_heap() -> None:
    supply = Supply()
    mark = supply.mark()
    heap = supply.name("heap")
    assert is_since(f"field f@{heap}", mark)
    assert not is_since(f"field f@{heap}", supply.mark())


def test_values_read_under_a_quantifier_differ() -> None:
    text = """\
field f: Int
predicate P(x: Ref) { acc(x.f) }
method m(s: Set[Ref], x: Ref, y: Ref)
  requires forall r: Ref :: r in s ==> P(r)
  requires x in s && y in s
{
  inhale forall r: Ref :: r in s ==> (unfolding P(r) in r.f) >= 0
  assert (unfolding P(x) in x.f) >= 0
  assert (unfolding P(x) in x.f) == (unfolding P(y) in y.f)
}
"""
    assert findings_of(text) == ["assert.failed:assertion.false@9"]


def test_sets_that_share_more_than_all_permission_are_apart() -> None:
    text = """\
field f: Int
method m(s: Set[Ref], t: Set[Ref], x: Ref)
  requires forall r: Ref :: r in s ==> acc(r.f, 2/3)
  requires forall r: Ref :: r in t ==> acc(r.f, 2/3)
{
  assert x in s ==> !(x in t)
  assert !(x in s)
}
"""
    assert findings_of(text) == ["assert.failed:assertion.false@7"]
