"""Axioms sleep as long as they cannot fire, and no longer."""

from __future__ import annotations

from pitviper.solver.dormant import Dormant
from pitviper.solver.session import Path
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as b
from pitviper.terms.sort import INT
from pitviper.terms.term import FALSE, Term, variable

x, y = b.constant("x@0", INT), b.constant("y@0", INT)
i, j = variable("i", INT), variable("j", INT)
f = b.function("f", (INT,), INT)
g = b.function("g", (INT,), INT)
h = b.function("h", (INT,), INT)


def positive(name: str, value: Term, *triggers: tuple[Term, ...]) -> Term:
    return b.forall([i], b.less(b.integer(0), value), triggers, name)


def test_an_axiom_wakes_with_the_last_symbol_of_a_trigger() -> None:
    dormant = Dormant()
    both = positive("both", b.apply(f, i), (b.apply(f, i), b.apply(g, i)), (b.apply(h, i),))
    assert dormant.puts_to_sleep(both)
    assert dormant.wake([f]) == []
    assert dormant.wake([g]) == [both]
    assert dormant.wake([h]) == [], "it is awake already"


def test_what_may_fire_at_once_does_not_sleep() -> None:
    dormant = Dormant()
    dormant.wake([f])
    assert not dormant.puts_to_sleep(positive("used", b.apply(f, i), (b.apply(f, i),)))
    assert not dormant.puts_to_sleep(positive("no trigger", b.apply(g, i)))
    assert not dormant.puts_to_sleep(b.less(x, y))
    assert not dormant


def test_axioms_wake_each_other() -> None:
    """f brings g, g brings h: the goal about f alone needs all three."""
    f_is_g = b.forall([i], b.equal(b.apply(f, i), b.apply(g, i)), ((b.apply(f, i),),), "f")
    g_is_h = b.forall([i], b.equal(b.apply(g, i), b.apply(h, i)), ((b.apply(g, i),),), "g")
    with Z3Session() as session:
        session.declare([positive("h", b.apply(h, i), (b.apply(h, i),)), g_is_h, f_is_g])
        assert session.entails(Path(), b.less(b.integer(0), b.apply(f, x))).proved


def test_axioms_that_wake_late_hold_on_every_path() -> None:
    with Z3Session() as session:
        session.declare([positive("f", b.apply(f, i), (b.apply(f, i),))])
        trunk = Path().assume(b.less(x, y))
        left, right = trunk.branch(b.less(x, b.integer(0))), trunk.branch(b.less(y, b.integer(7)))
        assert not session.entails(left, b.less(y, x)).proved
        assert session.entails(left, b.less(b.integer(0), b.apply(f, x))).proved
        assert session.entails(right, b.less(b.integer(-1), b.apply(f, y))).proved
        assert session.entails(left, b.less(x, b.integer(0))).proved


def test_axioms_may_come_after_their_symbols() -> None:
    with Z3Session() as session:
        goal = b.less(b.integer(0), b.apply(f, x))
        assert not session.entails(Path(), goal).proved
        session.declare([positive("f", b.apply(f, i), (b.apply(f, i),))])
        assert session.entails(Path(), goal).proved


def test_reset_puts_axioms_to_sleep_again() -> None:
    with Z3Session() as session:
        axiom = positive("f", b.apply(f, i), (b.apply(f, i),))
        goal = b.less(b.integer(0), b.apply(f, x))
        for _ in range(2):
            session.declare([axiom])
            assert session.entails(Path(), goal).proved
            session.reset()
            assert not session.entails(Path(), goal).proved


def test_a_model_is_one_of_axioms_that_cannot_fire() -> None:
    """Nobody applies f, which has as many values as there are numbers: the answer is no model."""
    same = b.equal(b.apply(f, i), b.apply(f, j))
    equal = b.forall([i, j], b.implies(same, b.equal(i, j)), ((b.apply(f, i), b.apply(f, j)),), "f")
    few = b.forall([i], b.equal(b.apply(f, i), b.integer(0)), ((b.apply(f, i),),), "few")
    with Z3Session(Z3Options(models=True)) as session:
        session.declare([equal, few])
        answer, model = session.examine(Path().assume(b.less(x, y)), FALSE)
    assert answer.proved
    assert model is None
