from __future__ import annotations

import pytest

from pitviper.solver.session import Path
from pitviper.terms import build as tb
from pitviper.terms.sort import INT

cvc5_session = pytest.importorskip("pitviper.solver.cvc5", reason="cvc5 is not installed")

X, Y = tb.constant("x", INT), tb.constant("y", INT)
LIMIT = 1_000_000


def test_paths_and_goals() -> None:
    session = cvc5_session.Cvc5Session(LIMIT)
    path = Path().assume(tb.less(X, Y))

    assert session.entails(path, tb.less(X, tb.plus(Y, tb.integer(1)))).proved
    assert not session.entails(path, tb.less(Y, X)).proved
    further = path.assume(tb.less(Y, X))
    assert session.entails(further, tb.FALSE).proved
    assert not session.entails(path, tb.FALSE).proved  # back on the shorter path


def test_axioms_hold_on_every_path() -> None:
    session = cvc5_session.Cvc5Session(LIMIT)
    session.entails(Path().assume(tb.less(X, Y)), tb.less(Y, X))
    session.declare((tb.equal(X, tb.integer(3)),))

    assert session.entails(Path(), tb.less(X, tb.integer(4))).proved
    assert session.statistics().queries == 2


def test_options_that_cvc5_does_not_have() -> None:
    with pytest.raises(cvc5_session.Cvc5Error, match="cvc5 does not take nonsense=1"):
        cvc5_session.Cvc5Session(LIMIT, {"nonsense": "1"})


def test_a_limit_ends_the_search() -> None:
    session = cvc5_session.Cvc5Session(10)
    cube = [tb.times(v, tb.times(v, v)) for v in (X, Y, tb.constant("z", INT))]
    goal = tb.differ(tb.plus(cube[0], cube[1]), cube[2])
    answer = session.entails(Path().assume(tb.less(tb.integer(0), X)), goal)

    assert not answer.proved
