"""A search that has become long is made once more with the other arithmetic, then begun anew: with
all that is known, and nothing else."""

from __future__ import annotations

import pytest

from pitviper.solver.session import ASSERT, SPLIT, Answer, Path
from pitviper.solver.z3 import engine
from pitviper.solver.z3.options import Way
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as b
from pitviper.terms.sort import INT
from pitviper.terms.term import Term, variable

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


def test_the_other_arithmetic_is_not_asked_twice_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def refuse(*question: object) -> tuple[bool, int]:
        asked.append(int(str(question[-1])))
        return False, 1

    monkeypatch.setattr(engine.Z3Engine, "_proves_elsewhere", refuse)
    monkeypatch.setattr(engine, "ARITHMETIC_QUESTION", 100)
    path, unknown = Path().assume(b.less(x, y)), b.less(b.integer(0), b.times(x, y))
    with Z3Session() as session:
        for limit in (50, 1000, 2000):
            session.entails(path, unknown, limit)
        assert asked == [50, 100], "the third time it would search no longer than the second"
        session.entails(path.assume(b.less(b.integer(7), y)), unknown, 2000)
        assert asked == [50, 100, 100], "with another fact"


def test_where_the_other_arithmetic_has_helped_it_is_tried_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search of the usual kind comes first, and all else where neither of the two succeeds."""
    monkeypatch.setattr(engine, "SOON", 1)
    limits: list[int] = []
    search = engine.Z3Engine._search

    def told(asked: engine.Z3Engine, goal: Term, limit: int, *, read: bool) -> engine.Reply:
        limits.append(limit)
        return search(asked, goal, limit, read=read)

    monkeypatch.setattr(engine.Z3Engine, "_search", told)
    monkeypatch.setattr(engine, "LONG", 2)
    trunk = Path().assume(b.less(x, y))
    with Z3Session() as session:
        session.declare([GROWS])
        assert session.entails(trunk, b.less(x, b.apply(f, b.apply(f, y)))).proved
        assert session.entails(trunk, b.less(x, b.apply(f, y))).proved
        assert limits == [2, 1]
        assert not session.entails(trunk, b.less(b.apply(f, y), x), 1000).proved
        assert limits == [2, 1, 1, 2, 1000]


@pytest.mark.parametrize(("limit", "times"), [(SPLIT, 0), (ASSERT, 1)])
def test_only_what_matters_is_asked_with_other_splits(
    limit: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "LONG", 1_000_000)
    asked: list[object] = []

    def refuse(*question: object) -> tuple[bool, int]:
        asked.append(question[1])
        return False, 1

    monkeypatch.setattr(engine.Z3Engine, "_proves_elsewhere", refuse)
    with Z3Session() as session:
        session.declare([GROWS])
        assert not session.entails(
            Path().assume(b.less(x, y)), b.less(b.apply(f, y), x), limit
        ).proved
    assert asked == [Way.OTHER_SPLITS] * times


@pytest.mark.parametrize("helps", [None, Way.OTHER_ARITHMETIC, Way.OTHER_SPLITS])
def test_a_long_search_is_begun_in_other_ways_before_all_is_spent(
    helps: Way | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has its part of the limit, and what is left over is spent as before."""
    monkeypatch.setattr(engine, "LONG", 2)
    monkeypatch.setattr(engine, "CHANCE", 800)
    monkeypatch.setattr(engine, "ARITHMETIC_SESSION", 0)
    asked: list[tuple[object, object]] = []
    search, exhausted = engine.Z3Engine._search, Answer(proved=False, exhausted=True)

    def told(asking: engine.Z3Engine, goal: Term, limit: int, *, read: bool) -> engine.Reply:
        asked.append((Way.USUAL, limit))
        search(asking, goal, limit, read=read)
        return exhausted, None

    def elsewhere(*question: object) -> tuple[bool, int]:
        asked.append((question[1], question[-1]))
        return question[1] is helps and question[-1] != 0, 1

    monkeypatch.setattr(engine.Z3Engine, "_search", told)
    monkeypatch.setattr(engine.Z3Engine, "_proves_elsewhere", elsewhere)
    with Z3Session() as session:
        session.declare([GROWS])
        goal = b.less(b.apply(f, y), x)
        answer = session.entails(Path().assume(b.less(x, y)), goal, 1600)
    ways: list[tuple[Way, int]] = [
        (Way.OTHER_ARITHMETIC, 100),
        (Way.OTHER_SPLITS, 400),
        (Way.USUAL, 1600),
    ]
    known = [way for way, _ in ways]
    tried = ways if helps is None else ways[: known.index(helps) + 1]
    assert answer.proved == (helps is not None)
    assert [a for a in asked if a[1] not in (0, 2)] == [(Way.USUAL, 400), *tried]


@pytest.mark.parametrize(
    ("term", "most"),
    [
        (b.times(b.integer(3), x), engine.LINEAR_QUESTION),
        (b.mod(x, b.integer(3)), engine.LINEAR_QUESTION),
        (b.times(x, y), engine.ARITHMETIC_QUESTION),
        (b.mod(x, y), engine.ARITHMETIC_QUESTION),
    ],
)
def test_products_are_worth_a_longer_search(
    term: Term, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def refuse(*question: object) -> tuple[bool, int]:
        asked.append(question[-1])
        return False, 1

    monkeypatch.setattr(engine.Z3Engine, "_proves_elsewhere", refuse)
    with Z3Session() as session:
        session.entails(Path().assume(b.less(b.integer(1), term)), b.less(b.apply(f, x), y))
    assert asked[0] == most


def _never(*_: object) -> None:
    raise AssertionError("not wanted here")
