"""Random programs with classes: what verifies never fails in a run, and both verifiers agree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import pitviper
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.completion import runnable
from pitviper.driver.verify.options import VerifyOptions
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import Calls, Options, Tape
from pitviper.engines.concrete.outcome import Failed
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.runtime.ending import Status
from pitviper.program.member import Program
from tests.property.object_programs import interface_program, object_program

FILE = "it.cool"
SEEDS = range(14)
TAPES = [Tape(then=0), Tape(then=1), Tape((3, 1, 2), 2), Tape((1, 4, 2, 5), 0), Tape((2, 6), 3)]


def program_of(text: str) -> Program:
    """The program as runs see it: with the ghost statements that were left out."""
    front = runnable(load_text(text, FILE))
    assert front.program is not None, (text, front.diagnostics)
    return front.program


def verdicts(text: str, backend: str) -> dict[str, str]:
    done = pitviper.verify(text, name=FILE, options=VerifyOptions(backend=backend))
    assert done.front.accepted, (text, done.diagnostics)
    assert [m.crash for m in done.members.values() if m.crash is not None] == [], text
    return {name: member.verdict.value for name, member in done.members.items()}


def failures(program: Program, name: str, calls: Calls) -> Iterator[Failed]:
    """Runs of the interpreter that fail, on some inputs that satisfy the precondition."""
    for tape in TAPES:
        outcome = run_member(program, name, tape=tape, options=Options(calls=calls)).outcome
        if isinstance(outcome, Failed) and not outcome.assuming:
            yield outcome


def explored_failures(program: Program) -> set[str]:
    """The methods of which exploration, which runs the bodies of calls, finds a failing run."""
    methods = tuple([name for name, m in program.methods.items() if m.body is not None])
    options = ExploreOptions(methods=methods, search=SearchOptions(runs=12, nodes=40))
    explorer = Explorer(program, FILE, options)
    found = {
        name
        for name in methods
        for node in explorer.search(name).nodes()
        if node.run is not None and node.status is Status.FAILED
    }
    explorer.close()
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_what_verifies_never_fails_in_a_run(seed: int) -> None:
    require_no_failing_run(object_program(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_verifies_behind_interfaces_never_fails_in_a_run(seed: int) -> None:
    require_no_failing_run(interface_program(seed))


def require_no_failing_run(text: str) -> None:
    found = verdicts(text, "both")
    assert set(found.values()) <= {"verified", "refuted"}, text
    program = program_of(text)
    for name, verdict in found.items():
        if verdict == "verified" and name in program.methods:
            assert list(failures(program, name, Calls.CONTRACT)) == [], (name, text)
    if set(found.values()) == {"verified"}:
        for name in program.methods:
            assert list(failures(program, name, Calls.INLINE)) == [], (name, text)
        assert explored_failures(program) == set(), text


def test_there_are_right_and_wrong_programs_among_them() -> None:
    """Otherwise the test above would say little: runs show that the refuted ones are wrong."""
    right, wrong = object_program(SEEDS[0]), object_program(SEEDS[1])
    assert set(verdicts(right, "symbolic").values()) == {"verified"}
    assert "refuted" in verdicts(wrong, "symbolic").values()
    assert explored_failures(program_of(wrong))
