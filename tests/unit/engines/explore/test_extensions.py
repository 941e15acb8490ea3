"""Extensions of the search: they cut it, add to it, and listen to the interpreter."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.driver.front.frontend import load_text
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import Callbacks, Run
from pitviper.engines.explore.runtime.value import Value
from pitviper.engines.explore.search.compile import compile_model
from pitviper.engines.explore.search.engine import Node, Search, Solvers
from pitviper.engines.explore.search.extensions import Bounded, Extension
from pitviper.engines.explore.viper.calls import entry_name
from pitviper.engines.explore.viper.program import model_of
from pitviper.solver.z3.session import Z3Session

TWO_BRANCHES = """method m(a: Int, b: Int)
{ if (a > 10) { if (b > a * 2) { assert false } } }"""

LOOP = """method m(n: Int)
{ var i: Int := 0
  while (i < n) { i := i + 1 } }"""


def searched(text: str, *extensions: Extension, runs: int = 40) -> list[Node]:
    front = load_text(text, "e.vpr")
    assert front.program is not None, front.errors
    model, _ = model_of(front.program, ("m",))
    with Z3Session() as finder, Z3Session() as judge:
        options = SearchOptions(runs=runs)
        solvers = Solvers(finder, judge)
        search = Search(compile_model(model), entry_name("m"), solvers, options, extensions)
        return list(search.nodes())


class Adds(Extension):
    """Has one more input after each run that passes at `a` 0."""

    def successors(self, run: Run, status: Status) -> Iterable[Assignment]:
        if status is Status.PASSED and run.inputs.assignment.values.get("a", 0) == 0:
            yield Assignment({"a": 400, "b": 1000})


def test_an_extension_adds_runs_that_count_once() -> None:
    found = searched(TWO_BRANCHES, Adds())
    failed = [n for n in found if n.status is Status.FAILED]

    assert [n.assignment.values for n in failed] == [{"a": 400, "b": 1000}]
    assert sorted([n.path for n in found]) == sorted([n.path for n in searched(TWO_BRANCHES)])


class Heard(Extension):
    """Keeps what runs tell, and ends those that come to a call too deep for it."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def listener(self, run: Run) -> Callbacks | None:
        return Ear(run, self.told)


class Ear:
    def __init__(self, run: Run, told: list[str]) -> None:
        self._run = run
        self._told = told

    def instruction(self, index: int) -> None:
        self._told.append(f"{self._run.method} {index}")

    def transition(self, index: int, condition: Value) -> bool:
        self._told.append(f"branch {index}")
        return False

    def constraint(self, index: int, condition: Value) -> None:
        self._told.append(f"constraint {index}")

    def enter(self, method: str) -> None:
        self._told.append(f"enter {method}")

    def leave(self, method: str) -> None:
        self._told.append(f"leave {method}")


def test_an_extension_hears_the_interpreter() -> None:
    heard = Heard()
    found = searched(TWO_BRANCHES, heard)

    assert [n.path for n in found] == [n.path for n in searched(TWO_BRANCHES)]
    assert heard.told.count(f"enter {entry_name('m')}") == len(found)
    assert heard.told.count("leave m") == 2  # the third run fails
    assert sum(word.startswith("branch") for word in heard.told) >= 5


class Ends(Heard):
    def listener(self, run: Run) -> Callbacks | None:
        if run.inputs.assignment.values.get("a", 0) != 0:
            return Stopper(run, self.told)
        return None


class Stopper(Ear):
    def instruction(self, index: int) -> None:
        self._run.end(Status.UNSUPPORTED, "somebody does not want this run")


def test_a_listener_may_end_a_run() -> None:
    found = searched(TWO_BRANCHES, Ends())

    assert [n.status for n in found] == [Status.PASSED, Status.DIVERGED]


def test_loops_are_cut_by_an_extension() -> None:
    bounded = Bounded(3)
    found = searched(LOOP, bounded, runs=100)

    assert 3 <= len(found) <= 6
    assert bounded.cut
