"""Limits, the end of the time, and the log of the solver sessions of a run."""

from __future__ import annotations

import io
import threading
import time

import pytest

from pitviper.driver.verify.sessions import Sessions, SolverLog, Stopped
from pitviper.solver.session import ASSERT, CHECK, Path
from pitviper.terms import build as b
from pitviper.terms.sort import INT

x, y = b.constant("x", INT), b.constant("y", INT)
FACT = b.less(x, y)
HOLES = 14


def pigeons() -> Path:
    """More pigeons than holes: a contradiction that takes a solver very long to see."""
    at = [b.constant(f"p{n}", INT) for n in range(HOLES + 1)]
    path = Path()
    for n, one in enumerate(at):
        path = path.assume(b.less(b.integer(0), one)).assume(b.less(one, b.integer(HOLES + 1)))
        for other in at[:n]:
            path = path.assume(b.differ(one, other))
    return path


def test_obligations_have_the_limit_of_the_run() -> None:
    sessions = Sessions(limit=1000)
    assert sessions.limited(ASSERT) == 1000
    assert sessions.limited(CHECK) == 1000
    assert sessions.limited(10) == 10
    assert Sessions().limited(ASSERT) == ASSERT
    generous = Sessions(limit=2 * ASSERT)
    assert (generous.limited(ASSERT), generous.limited(CHECK)) == (2 * ASSERT, CHECK)


def test_a_hard_question_ends_at_its_limit() -> None:
    with Sessions(limit=100_000) as sessions:
        answer = sessions.open().entails(pigeons(), b.FALSE)
    assert answer.exhausted
    assert not answer.proved


def test_the_end_of_the_time_ends_the_question_under_way() -> None:
    """Without a limit of resources, it ends for no other reason."""
    with Sessions(timeout=0.3) as sessions, pytest.raises(Stopped, match=r"over \(0.3 s\)"):
        sessions.open().entails(pigeons(), b.FALSE, 0)


def test_once_stopped_every_question_says_so() -> None:
    with Sessions() as sessions:
        solver = sessions.open()
        assert not solver.entails(Path(), FACT).proved
        threading.Thread(target=sessions.stop, args=("first",)).start()
        deadline = time.monotonic() + 300
        while sessions.stopped is None and time.monotonic() < deadline:
            time.sleep(0.01)
        sessions.stop("second")
        for ask in (
            lambda: solver.entails(Path(), FACT),
            lambda: solver.model(Path(), FACT),
            lambda: solver.declare([FACT]),
        ):
            with pytest.raises(Stopped, match="first"):
                ask()


def test_a_model_and_statistics_come_through() -> None:
    with Sessions() as sessions:
        solver = sessions.open()
        solver.declare([FACT])
        assert solver.model(Path(), b.less(y, x)) is not None
        assert solver.entails(Path(), FACT).proved
        assert solver.statistics().queries == 1


def test_the_log_has_a_section_for_each_session() -> None:
    log = io.StringIO()
    with Sessions(log=SolverLog(log)) as sessions:
        for title in ("method one", "method\ntwo"):
            sessions.note(title)
            sessions.open().entails(Path(), FACT, CHECK, title)
    text = log.getvalue()
    one, two = text.split("\n; ==== method two\n")
    assert one.startswith("\n; ==== method one\n(set-option")
    assert two.startswith("(reset)\n(set-option")
    assert one.count("(check-sat)") == two.count("(check-sat)") == 1
    assert "(reset)" not in one
