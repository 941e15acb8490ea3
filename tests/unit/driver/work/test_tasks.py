"""Workers that hang, die or raise cost only their task."""

from __future__ import annotations

import os

import pytest

from pitviper.driver.work import tasks as tasks_module
from pitviper.driver.work.tasks import Done, Failed, Limits, Lost, Outcome, TimedOut, run_killable
from tests.unit.driver.work.clock import LONG, Clock
from tests.unit.driver.work.test_local import children
from tests.unit.driver.work.worker_functions import act


def outcomes(tasks: list[str], limits: Limits) -> dict[str, Outcome[str]]:
    return {tasks[done.index]: done.outcome for done in run_killable(act, tasks, limits)}


@pytest.mark.parametrize("jobs", [1, 3])
def test_results(jobs: int) -> None:
    tasks = ["a", "b", "c", "d"]
    assert outcomes(tasks, Limits(jobs)) == {task: Done(task.upper()) for task in tasks}


def test_no_tasks() -> None:
    assert outcomes([], Limits()) == {}


def test_trouble_costs_only_its_task(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = ["a", "die", "hang", "raise", "b"]
    results = run_killable(act, tasks, Limits(jobs=2, timeout=LONG))
    ended = Clock(monkeypatch).forward_after(len(tasks) - 1, results)
    found = {tasks[done.index]: done.outcome for done in ended}
    assert found["a"] == Done("A")
    assert found["b"] == Done("B")
    assert found["die"] == Failed("the worker process ended with exit code 7")
    assert found["hang"] == TimedOut()
    raised = found["raise"]
    assert isinstance(raised, Failed)
    assert "ValueError: as asked" in raised.report


def test_an_end_from_outside_is_no_failure_of_the_task() -> None:
    found = outcomes(["a", "killed", "fault"], Limits(jobs=2))
    assert found == {
        "a": Done("A"),
        "killed": Lost("the worker process ended with signal SIGKILL"),
        "fault": Failed("the worker process ended with signal SIGTRAP"),
    }


def test_an_end_by_the_solver_leaves_the_task_undecided() -> None:
    found = outcomes(["a", "unreachable"], Limits())
    assert found == {
        "a": Done("A"),
        "unreachable": Lost("the worker process ended with exit code 114"),
    }


def test_no_worker_outlives_an_iteration_that_is_given_up() -> None:
    before = children(os.getpid())
    results = run_killable(act, ["a", "hang"], Limits(jobs=2, timeout=LONG))
    assert next(results).outcome == Done("A")
    results.close()  # type: ignore[attr-defined]
    assert children(os.getpid()) <= before


def test_tasks_run_here_where_nothing_can_be_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks_module, "can_fork", lambda: False)
    found = outcomes(["a", "raise"], Limits(jobs=2))
    assert found["a"] == Done("A")
    assert isinstance(found["raise"], Failed)
