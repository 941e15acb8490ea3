"""A search that has become long is made once more with the other arithmetic, then begun anew: with
all that is known, and nothing else."""

from __future__ import annotations

import pytest

from pitviper.solver.session import Path
from pitviper.solver.z3 import engine
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as b
from pitviper.terms.sort import INT
from pitviper.terms.term import variable

x, y = b.constant("x@0", INT), b.constant("y@0", INT)
i = variable("i", INT)
f = b.function("f", (INT,), INT)
at = b.apply(f, i)
GROWS = b.forall([i], b.less(i, at), ((at,),), "grows")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every search becomes long at once."""
    monkeypatch.setattr(engine, "LONG", 1)


def test_axioms_and_paths_are_known_again() -> None:
    with Z3Session() as session:
        session.declare([GROWS])
        trunk = Path().assume(b.less(x, y))
        left = trunk.branch(b.less(b.integer(0), x)).assume(b.less(y, b.integer(9)))
        assert session.entails(left, b.less(x, b.apply(f, b.apply(f, y)))).proved
        assert session.entails(left, b.less(b.integer(0), y)).proved
        assert session.entails(trunk, b.less(x, b.apply(f, y))).proved
        assert not session.entails(trunk, b.less(b.integer(0), y)).proved, "of the other path"


def test_limits_hold_as_before() -> None:
    goal = b.less(x, b.apply(f, b.apply(f, b.apply(f, x))))
    with Z3Session() as session:
        session.declare([GROWS])
        answer = session.entails(Path(), goal, limit=2)
        assert (answer.proved, answer.exhausted) == (False, True)
        assert session.entails(Path(), goal).proved


def test_the_other_arithmetic_may_prove_what_became_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.Z3Engine, "_begin_anew", _never)
    with Z3Session() as session:
        session.declare([GROWS])
        trunk = Path().assume(b.less(x, y))
        before = session.statistics().resources
        assert session.entails(trunk, b.less(x, b.apply(f, b.apply(f, y)))).proved
        assert session.statistics().resources > before + 1, "what it did is counted"


def test_the_other_arithmetic_has_a_limit_for_all_its_failures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "ARITHMETIC_SESSION", 0)
    monkeypatch.setattr(engine.Z3Engine, "_proves_apart", _never)
    with Z3Session() as session:
        session.declare([GROWS])
        assert session.entails(Path(), b.less(x, b.apply(f, x))).proved


def _never(*_: object) -> None:
    raise AssertionError("not wanted here")
