"""Worker processes: the same report as one process gives, within the same limits."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from pitviper.driver.explore.explore import Explorer, explore_program
from pitviper.driver.explore.messages import (
    NOTHING,
    Allowance,
    Batch,
    Budget,
    Ledger,
    Share,
    Slot,
    Waiting,
    Work,
    short,
)
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.explore.worker import _Part, live
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.work.process import ChildProcess
from pitviper.driver.work.stop import Stop
from pitviper.driver.work.transport import Files, from_bytes
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.report.attempts import Attempt
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.search.frontier import FRONTIERS
from pitviper.results.exploration import Claim, ExploredRun, MethodExploration
from pitviper.views.terminal.exploration import first_failures

FAILING = """
field value: Int
field next: Ref
predicate list(this: Ref) {
  acc(this.value) && acc(this.next) && (this.next != null ==> list(this.next))
}
method sum(this: Ref, a: Int, b: Int, c: Int) returns (r: Int)
  requires list(this)
  requires a > b
{
  r := 0
  if (a > 10) { r := r + 1 }
  if (b > 20) { r := r + 2 assert a > 21 }
  if (c > a) { r := r + 4 } else { assert r != 3 }
  unfold list(this)
  if (this.value == 7) { r := r / c }
}
"""


def branches(count: int) -> str:
    """A method with so many independent branches."""
    params = ", ".join([f"x{i}: Int" for i in range(count)])
    tests = "\n".join([f"if (x{i} > {i}) {{ r := {i} }}" for i in range(count)])
    return f"method m({params}) returns (r: Int)\n{{\n{tests}\n}}"


def explored(text: str, options: ExploreOptions) -> MethodExploration:
    (done,) = explore_program(load_text(text, "p.vpr"), options)
    return done


def compared(front: FrontEnd, options: ExploreOptions, workers: int) -> MethodExploration:
    """A report without its time, and without values that depend on what the solver was asked
    before: those of passing runs, and of failures that are like one that is shown."""
    (done,) = explore_program(front, replace(options, workers=workers))
    shown = [run.number for run in first_failures(done)]
    runs = [r if r.number in shown else replace(r, test=None) for r in done.runs]
    return replace(done, runs=tuple(runs), seconds=0.0)


@pytest.mark.parametrize("frontier", ["breadth-first", "depth-first"])
def test_a_complete_search_gives_the_same_report_however_it_is_shared(frontier: str) -> None:
    options = ExploreOptions(search=SearchOptions(frontier))
    front = load_text(FAILING, "p.vpr")
    alone = compared(front, options, 0)

    assert {"passed", "failed", "infeasible", "assumption not met"} <= set(alone.counts)
    assert alone.is_complete
    assert alone.runs[0].parent == -1
    assert all(run.parent < run.number for run in alone.runs)
    assert compared(front, options, 1) == alone
    assert compared(front, options, 2) == alone
    assert compared(front, options, 3) == alone


def test_two_workers_run_all_paths() -> None:
    done = explored(branches(7), ExploreOptions(workers=2))

    assert done.counts == {"passed": 2**7}
    assert done.claim is Claim.PROVED


@pytest.mark.parametrize("frontier", list(FRONTIERS))
def test_the_frontier_is_that_of_the_workers(frontier: str) -> None:
    options = ExploreOptions(search=SearchOptions(frontier, runs=30, seed=3))
    alone = explored(branches(6), options)
    there = explored(branches(6), replace(options, workers=1))

    assert len(alone.runs) == 30
    assert there.runs == alone.runs


def test_frontiers_differ() -> None:
    found = [
        explored(branches(6), ExploreOptions(search=SearchOptions(f, runs=30), workers=1)).branches
        for f in ("breadth-first", "depth-first", "random")
    ]

    assert found[0] != found[1] != found[2]


@pytest.mark.parametrize(("runs", "nodes"), [(1, 100), (37, 1000), (1000, 41)])
def test_limits_hold_for_all_workers_together(runs: int, nodes: int) -> None:
    options = ExploreOptions(search=SearchOptions(runs=runs, nodes=nodes), workers=3)
    done = explored(branches(7), options)

    assert len(done.runs) == min(runs, nodes)
    (why,) = done.open
    assert "the limit of the search was reached" in why


@pytest.mark.parametrize("limited", [SearchOptions(runs=20), SearchOptions(work=700)])
def test_one_worker_stops_where_this_process_would(limited: SearchOptions) -> None:
    alone = explored(branches(6), ExploreOptions(search=limited))
    there = explored(branches(6), ExploreOptions(search=limited, workers=1))

    assert 10 < len(alone.runs) < 64
    assert there.runs == alone.runs
    assert there.open == alone.open


def test_the_limit_of_steps_holds_for_all_workers_together() -> None:
    done = explored(branches(7), ExploreOptions(search=SearchOptions(work=1500), workers=2))
    steps = [run.steps for run in done.runs]

    assert 1500 - 2 * max(steps) <= sum(steps) <= 1500 + 2 * max(steps)
    assert "the limit of the search was reached" in done.open[0]


def test_time_is_over_for_all_workers() -> None:
    """On a machine where no run has ended in its time, more time is given."""
    for seconds in (2, 20, 200):
        search = SearchOptions(seconds=float(seconds), runs=10**6, nodes=10**6)
        done = explored(branches(30), ExploreOptions(search=search, workers=2))
        if done.counts.get("passed"):
            break

    assert done.counts["passed"] > 0
    assert f"the limit of the search was reached (--seconds {seconds})" in done.open[0]


def test_methods_come_one_after_the_other() -> None:
    text = "\n".join([branches(3).replace("method m", f"method m{i}") for i in range(4)])
    found = list(explore_program(load_text(text, "p.vpr"), ExploreOptions(workers=2)))

    assert [m.method for m in found] == ["m0", "m1", "m2", "m3"]
    assert [m.counts for m in found] == [{"passed": 8}] * 4


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("attempts", [0, 1, 5])
def test_a_search_that_made_room_goes_on_where_it_was(
    workers: int, attempts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each search pauses after so many attempts: nothing is run twice, nothing is left out."""
    text = FAILING + branches(3)
    options = ExploreOptions(search=SearchOptions("breadth-first"))
    whole = list(explore_program(load_text(text, "p.vpr"), replace(options, workers=0)))

    def is_paused(part: _Part, slice_: float | None) -> bool:
        return slice_ is not None and part._attempts >= attempts and bool(len(part))

    monkeypatch.setattr(_Part, "is_paused", is_paused)
    stop = Begun()
    parts = list(explore_program(load_text(text, "p.vpr"), replace(options, workers=workers), stop))

    assert stop.methods[:3] == ["sum", "m", "sum"]
    assert [done.method for done in parts] == ["sum", "m"]
    assert [done.counts for done in parts] == [done.counts for done in whole]
    assert [done.claim for done in parts] == [Claim.FAILS, Claim.PROVED]
    trees = [[(run.parent, run.status) for run in done.runs] for done in parts]
    assert trees == [[(run.parent, run.status) for run in done.runs] for done in whole]


def test_a_word_that_comes_too_late_is_no_work() -> None:
    """A worker that rests with work left over did it, for whichever method came next."""
    front = load_text(branches(6), "p.vpr")
    assert front.program is not None
    explorer = Explorer(front.program, "p.vpr", ExploreOptions())
    worker = ChildProcess(lambda *pipes: live(explorer, Slot(), *pipes))
    over = Work("m", (Waiting(),), Allowance(100, 100, 10_000), until=0.0, turn=1)
    worker.send(pickle.dumps(over))
    worker.send(pickle.dumps(Share()))
    worker.send(pickle.dumps(replace(over, entries=(), allowed=Allowance(), turn=2)))
    files = Files(front.program)
    told = [from_bytes(worker.receive(), files) for _ in range(2)]
    worker.end()
    assert [one.attempts for one in told if isinstance(one, Batch)] == [(), ()]


class Begun(Stop):
    """Keeps which methods were begun, or went on."""

    def __init__(self) -> None:
        super().__init__()
        self.methods: list[str] = []

    def begins(self, method: str, total: int) -> None:
        self.methods.append(method)


def test_grants_never_exceed_the_budget_and_become_small() -> None:
    budget = Budget(Allowance(100, 1000, 10**6), 2)
    granted = []
    while budget:
        granted.append(budget.grant().runs)

    assert sum(granted) == 100
    assert granted == sorted(granted, reverse=True)
    budget.take_back(Allowance(3, 5, 7))
    assert budget.grant().runs == 3


def test_a_ledger_knows_what_is_open() -> None:
    ledger = Ledger()
    ledger.handed((Waiting(),))
    values = Assignment({"x": 1})
    run = ExploredRun(0, -1, "passed")
    ledger.told((Attempt("", "101", run, (0, 1, 2), 0, values),), ())
    assert [entry.name for entry in ledger.open()] == ["0", "11", "100"]

    ledger.told((Attempt("0", "01", run, (1,), 1, values),), (Waiting("11"),))
    assert ledger.open() == [Waiting("100", values, 0, 2), Waiting("00", values, 1, 1)]
    assert ledger.has_told("0")
    assert not ledger.has_told("00")
    ledger.handed((Waiting("00"), Waiting("00")))
    assert [entry.name for entry in ledger.open()] == ["100", "00", "00", "00"]


def test_a_slot_keeps_names_of_any_length() -> None:
    slot = Slot()
    assert slot.read() == NOTHING
    slot.write("0101")
    assert slot.read() == "0101"
    long = "01" * Slot.SIZE
    slot.write(long)
    assert slot.read() == short(long)
    assert short(long) != short(long + "1")
    slot.close()
