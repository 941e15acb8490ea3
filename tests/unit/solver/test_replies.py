"""The solver for tests."""

from __future__ import annotations

from pitviper.solver.session import PROVED, Path, Solver
from pitviper.terms.build import TRUE, conjoin, constant
from pitviper.terms.sort import BOOL
from tests.unit.solver.replies import EXHAUSTED, UNKNOWN, Replies

p, q, r = (constant(name, BOOL) for name in "pqr")


def test_without_a_table_only_what_is_known_holds() -> None:
    solver: Solver = Replies()
    path = Path().assume(p)
    solver.declare([q])
    assert solver.entails(path, p) is PROVED
    assert solver.entails(path, conjoin(p, q)) is PROVED
    assert solver.entails(path, TRUE) is PROVED
    assert solver.entails(path, r) is UNKNOWN
    assert solver.model(path, p) is None
    assert solver.model(path, r) is not None
    assert solver.statistics().queries == 6


def test_answers_come_from_the_table() -> None:
    solver = Replies({p: PROVED, q: EXHAUSTED})
    assert solver.entails(Path(), p).proved
    assert solver.entails(Path(), q).exhausted
    assert not solver.entails(Path(), r).proved
    assert solver.asked == [p, q, r]
