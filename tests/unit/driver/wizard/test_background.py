"""Exploration beside the verifier: what one side proves saves the other side work."""

from __future__ import annotations

import os
import signal
import time

import pytest

from pitviper.driver.explore.explore import FullExplorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.wizard import explorers
from pitviper.driver.wizard.background import GONE, BackgroundExploration, NobodyWatches
from pitviper.driver.wizard.wizard import run_wizard
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.search.extensions import Trust
from pitviper.results.exploration import INTERRUPTED
from pitviper.results.verdict import MemberOutcome
from pitviper.results.wizard import Colour
from pitviper.source.span import Span
from tests.unit.driver.explore.test_worker_deaths import children

ENDLESS = """method long(n: Int) requires n > 0
{
  var i: Int := 0
  while (i < n) { i := i + 1 }
  assert i == n
}
method short(n: Int) { assert n != 7 }
"""

CHECKS = """method m(a: Int, b: Int)
  requires a > 0
{
  assert a * b >= b || b < 0
  assert a * a >= a
  assert b != 12
}
"""

SLOW_TO_EXPLORE = """method proved(n: Int) requires n > 0
{
  var i: Int := 0
  while (i < n) invariant i <= n { i := i + 1 }
  assert i == n
}
"""


class _Diary(NobodyWatches):
    """Keeps what happens, in order."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, int]] = []

    def finished(self, outcome: MemberOutcome) -> None:
        self.lines.append(("verified", outcome.name, 0))

    def turn(self, number: int, methods: int) -> None:
        self.lines.append(("turn", "", methods))

    def exploring(self, method: str, attempts: int) -> None:
        self.lines.append(("exploring", method, attempts))

    def explored(self, method: str) -> None:
        self.lines.append(("explored", method, 0))

    def wait_for(self, what: str, method: str, *, least: int = 1) -> None:
        end = time.monotonic() + 300.0
        while not any(line[:2] == (what, method) and line[2] >= least for line in self.lines):
            assert time.monotonic() < end, self.lines
            time.sleep(0.02)


@pytest.fixture(autouse=True)
def _no_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """No search makes room for others, unless a test says so."""
    monkeypatch.setattr(explorers, "SLICE", float("inf"))


def _front(text: str) -> FrontEnd:
    front = load_text(text, "side.vpr")
    assert front.program is not None
    return front


def _many(runs: int = 1_000_000) -> ExploreOptions:
    return ExploreOptions(search=SearchOptions(runs=runs, nodes=runs))


def test_a_method_that_nobody_needs_is_stopped_and_one_that_waits_is_skipped() -> None:
    diary = _Diary()
    side = BackgroundExploration(_front(ENDLESS), _many(), diary)
    try:
        side.begin(["long", "short"])
        diary.wait_for("exploring", "long")
        side.stop("short")
        side.stop("long")
        found = side.finish()
    finally:
        side.close()

    assert found == {}
    assert ("explored", "short", 0) in diary.lines
    assert ("exploring", "short", 0) not in diary.lines


def test_a_process_that_dies_costs_its_method_only() -> None:
    diary = _Diary()
    side = BackgroundExploration(_front(ENDLESS), _many(), diary)
    try:
        side.begin(["long", "short"])
        diary.wait_for("exploring", "long")
        (worker,) = children(side.host.pid)
        os.kill(worker, signal.SIGKILL)
        found = side.finish()
    finally:
        side.close()

    assert found["long"].open == ("worker died: signal SIGKILL",)
    assert len(found["short"].certain_failures) == 1


FAILS_FIRST = ENDLESS.replace("var i", "assert n != 3\n  var i", 1)


def test_a_search_that_takes_long_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what it has found by then is known, however it ends."""
    monkeypatch.setattr(explorers, "SLICE", 0.3)
    diary = _Diary()
    side = BackgroundExploration(_front(FAILS_FIRST), _many(), diary)
    try:
        side.begin(["long", "short"])
        diary.wait_for("explored", "short", least=0)
        (worker,) = children(side.host.pid)
        os.kill(worker, signal.SIGKILL)
        found = side.finish()
    finally:
        side.close()

    assert ("exploring", "long", 0) in diary.lines
    assert len(found["short"].certain_failures) == 1
    assert len(found["long"].certain_failures) == 1
    assert found["long"].open == ("worker died: signal SIGKILL",)


def test_what_is_known_of_a_search_that_made_room_is_told_at_a_halt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(explorers, "SLICE", 0.3)
    diary = _Diary()
    side = BackgroundExploration(_front(FAILS_FIRST + LONGER), _many(), diary)
    try:
        side.begin(["long", "longer", "short"])
        diary.wait_for("explored", "short", least=0)
        found = side.halt()
    finally:
        side.close()

    assert sorted(found) == ["long", "longer", "short"]
    assert INTERRUPTED in found["long"].open
    assert INTERRUPTED in found["longer"].open
    assert len(found["long"].certain_failures) == 1


LONGER = "method longer(n: Int) { var i: Int := 0  while (i < n) { i := i + 2 } }"


def test_methods_that_may_fail_come_first() -> None:
    front = _front(ENDLESS + LONGER)
    diary = _Diary()
    side = BackgroundExploration(front, _many(), diary)
    place = Span(front.source, 0, 1)
    try:
        side.begin(["longer", "long", "short"])
        diary.wait_for("exploring", "longer")
        side.trust(Trust("short", ((place, "assert.failed"),)))
        side.stop("longer")
        diary.wait_for("exploring", "long")
        side.stop("long")
        found = side.finish()
    finally:
        side.close()

    begun = [method for what, method, runs in diary.lines if what == "exploring" and not runs]
    assert begun == ["longer", "short", "long"]
    assert len(found["short"].certain_failures) == 1


def test_the_death_of_the_host_leaves_methods_open() -> None:
    diary = _Diary()
    side = BackgroundExploration(_front(ENDLESS), _many(), diary)
    side.begin(("long", "short"))
    diary.wait_for("exploring", "long")
    os.kill(side.host.pid, signal.SIGKILL)
    found = side.finish()
    side.close()

    assert {name: done.open for name, done in found.items()} == {"long": (GONE,), "short": (GONE,)}


def test_what_is_proved_is_not_attacked() -> None:
    front = _front(CHECKS)
    assert front.program is not None
    start = front.source.text.index("b != 12")
    doubt = Span(front.source, start, start + len("b != 12"))
    attacked = FullExplorer(front.program, "side.vpr", _many(100)).explore("m")
    explorer = FullExplorer(front.program, "side.vpr", _many(100))
    explorer.trust(Trust("m", ((doubt, "assert.failed"),)))
    spared = explorer.explore("m")

    assert attacked.counts["infeasible"] == 2
    assert "infeasible" not in spared.counts
    assert len(attacked.certain_failures) == len(spared.certain_failures) == 1


def test_behind_a_missing_permission_nothing_is_trusted() -> None:
    trust = Trust("m", (), behind=100)
    file = _front(CHECKS).source

    assert trust.covers(Span(file, 50, 60), "assert.failed")
    assert not trust.covers(Span(file, 100, 110), "assert.failed")
    assert not trust.covers(Span(file, 10, 20), "postcondition.violated")


def test_the_verifier_ends_the_exploration_of_what_it_proves() -> None:
    diary = _Diary()
    report = run_wizard(_front(SLOW_TO_EXPLORE), _many(), watch=diary)

    assert {p.colour for p in report.places} == {Colour.GREEN}
    assert {p.by for p in report.places} == {"verifier"}


def test_both_sides_start_before_one_has_ended() -> None:
    diary = _Diary()
    run_wizard(_front(ENDLESS), _many(30), watch=diary)
    order = [line[0] for line in diary.lines]

    assert order[0] == "turn"
    assert order.index("exploring") < len(order) - 1 - order[::-1].index("verified")


def test_a_turn_looks_only_at_what_has_changed() -> None:
    program = """method twice(i: Int) returns (r: Int) { r := i + i }
method needs(i: Int) { var r: Int
  r := twice(i)
  assert r == 2 * i
  assert r % 2 == 0 }
method other(i: Int) { assert i == i }
"""
    diary = _Diary()
    report = run_wizard(_front(program), _many(50), watch=diary)
    turns = [i for i, line in enumerate(diary.lines) if line[0] == "turn"]

    assert len(turns) == report.turns == 2
    assert diary.lines[turns[1]] == ("turn", "", 0)  # nothing to explore again
    assert [str(s.line) for _, s in report.assumed] == ["4"]
    assert {p.colour for p in report.places} == {Colour.GREEN}
