"""The search: the example of the paper, orders, loops, and ends that are no proof."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pitviper.driver.explore.explore import explore_file, explore_program
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.explore.tests import explorer_of, replay, save_tests
from pitviper.driver.front.file_changes import watched
from pitviper.driver.front.frontend import load_text
from pitviper.engines.explore.options import Calls, Loops, ModelOptions, SearchOptions
from pitviper.engines.explore.runtime.run import RunLimits
from pitviper.engines.explore.search.frontier import FRONTIERS
from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines, inputs_at

TWO_BRANCHES = """method m(a: Int, b: Int)
{
  if (a > 10) {
    if (b > a * 2) {
      assert false
    }
  }
}"""


@pytest.mark.parametrize("frontier", FRONTIERS)
def test_listing_1_1_in_every_order(frontier: str) -> None:
    done = explored(TWO_BRANCHES, frontier=frontier)

    found = inputs_at(done, 5)
    a, b = int(found["a"]), int(found["b"])
    assert a > 10 and b > a * 2
    assert done.counts == {"failed": 1, "passed": 2}
    assert done.is_complete
    assert done.coverage == (3, 3)


def test_products_of_large_numbers() -> None:
    """The arithmetic that is quick at most things knows no values of these."""
    done = explored("""method m(i: Int) requires 0 <= i && i < 1000000000000
{ assert i * i != 999999999998000000000001 }""")
    assert inputs_at(done, 2) == {"i": "999999999999"}

    large = explored(
        "method m() { assert forall i: Int ::\n"
        " 0 <= i && i < 1000000000 ==> i * i != 281474976710656 }"
    )
    assert large.claim is Claim.FAILS
    assert inputs_at(large, 1)["i"] == "16777216"


def test_figure_4_2_a_callee_without_promise_is_run() -> None:
    program = """method square(i: Int) returns (r: Int) { r := i * i }
method m(i: Int) { var s: Int; s := square(i); assert s == i * i }"""

    assert explored(program).claim is Claim.HOLDS
    contract = explored(program, model=ModelOptions(calls=Calls.CONTRACT))
    assert failed_lines(contract) == [2]


LOOP = """method m(n: Int) requires 0 <= n
{
  var i: Int := 0
  while (i < n) invariant 0 <= i && i <= n { i := i + 1 }
  assert i == n
}"""


def test_an_endless_search_is_no_proof() -> None:
    done = explored(LOOP, runs=20)

    assert done.failures == ()
    assert done.claim is Claim.OPEN
    assert any("limit of the search" in why for why in done.open)


@pytest.mark.parametrize("loops", [Loops.INVARIANT, Loops.AUTO])
def test_the_invariant_makes_the_search_finite(loops: Loops) -> None:
    done = explored(LOOP, model=ModelOptions(loops=loops))

    assert done.claim is Claim.PROVED


def test_a_weak_invariant_gives_a_doubtful_failure() -> None:
    weak = LOOP.replace("&& i <= n ", "")
    done = explored(weak, model=ModelOptions(loops=Loops.INVARIANT))

    assert len(done.failures) == 1
    assert done.certain_failures == ()
    assert done.claim is Claim.OPEN


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ("method m() { while (true) { } }", "too many steps"),
        ("method m() { m() }", "too deep recursion"),
        ("function f(): Int { f() }\nmethod m() { assert f() == 0 }", "too deep recursion"),
        (
            "predicate p(t: Seq[Int]) method m() { inhale forall t: Seq[Int] :: acc(p(t)) }",
            "unsupported",
        ),
        ("method m(s: Seq[Int]) { assert |s| < 100 ==> s == s ++ Seq[Int]() }", "input too large"),
    ],
)
def test_each_bad_run_has_its_own_status_and_is_no_proof(program: str, status: str) -> None:
    done = explored(program, limits=RunLimits(500, 20, 4))

    assert status in done.counts
    assert done.claim is Claim.OPEN
    assert any(why.startswith(status) for why in done.open)


def test_an_unsatisfiable_precondition_leaves_nothing_to_run() -> None:
    done = explored("method m(x: Int) requires x > 3 && x < 2 { assert false }")

    assert done.failures == ()
    assert "passed" not in done.counts
    assert done.claim is Claim.OPEN
    assert done.open == ("no input came as far as the body",)


def test_lost_values_are_any_values() -> None:
    done = explored("""field f: Int
method m(x: Ref) requires acc(x.f)
{ x.f := 1
  exhale acc(x.f)
  inhale acc(x.f)
  assert x.f == 1
}""")

    assert failed_lines(done) == [6]


def test_a_contract_must_stand_alone() -> None:
    done = explored("""field f: Int
method m(x: Ref) requires acc(x.f)
ensures x.f == 0
{ x.f := 0 }""")

    assert {r.finding.id for r in done.failures if r.finding} == {
        "not.wellformed:insufficient.permission"
    }


def test_tests_are_kept_and_replayed(tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(TWO_BRANCHES)
    front, done = explore_file(program, ExploreOptions())
    assert done is not None
    kept = save_tests(tmp_path / "tests", done.methods[0], explorer_of(front, ExploreOptions()))

    assert len(kept) == 3
    replayed = [replay(path) for path in kept]
    assert all(one.as_expected for one in replayed)
    assert sorted(one.status for one in replayed) == ["failed", "passed", "passed"]

    program.write_text(TWO_BRANCHES.replace("assert false", "assert true"))
    assert [replay(path).status for path in kept] == ["passed"] * 3


def test_inputs_of_failures_are_small() -> None:
    done = explored("""method m(a: Int, b: Int, c: Int)
{
  if (a > b) {
    assert c < 5
  }
}""")

    found = inputs_at(done, 4)
    assert int(found["c"]) == 5
    assert abs(int(found["a"])) <= 1 and abs(int(found["b"])) <= 1


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "p.vpr"
    path.write_text("method m() { }")
    changes = watched(path, pause=0.01)
    next(changes)

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(next, changes, None)
        while not waiting.done():
            path.write_text(path.read_text() + " ")
            time.sleep(0.05)
    assert waiting.result() is None
    assert len(path.read_text()) > len("method m() { }")


def test_a_solver_that_gives_up_leaves_the_method_open() -> None:
    text = (
        "method m(a: Int, b: Int) { if (a * a * a + b * b * b == 1729 * a) { assert a != b + 8 } }"
    )
    done = explored(text, solver=50)

    assert "solver gave up" in done.counts
    assert done.claim is Claim.OPEN


def test_kept_tests_are_found_by_pytest(tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(TWO_BRANCHES)
    front, done = explore_file(program, ExploreOptions())
    assert done is not None
    save_tests(tmp_path / "tests", done.methods[0], explorer_of(front, ExploreOptions()))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

    assert "1 failed, 2 passed" in ended.stdout


@pytest.mark.parametrize("workers", [0, 1])
def test_the_steps_of_all_runs_together_are_bounded(workers: int) -> None:
    front = load_text(LOOP, "test.vpr")
    options = ExploreOptions(search=SearchOptions(work=200), workers=workers)
    (done,) = explore_program(front, options)

    assert sum(run.steps for run in done.runs) >= 200
    assert len(done.runs) < 2_000
    assert done.claim is Claim.OPEN
    assert any("limit of the search" in why for why in done.open)
