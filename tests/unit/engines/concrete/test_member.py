"""The entry points: tapes, budgets, what a result says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pitviper.driver.front.frontend import load
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import (
    EMPTY_TAPE,
    ZEROES,
    Inputs,
    Interpretation,
    Options,
    Tape,
)
from pitviper.engines.concrete.outcome import (
    Choice,
    Failed,
    NeedsChoice,
    Outcome,
    OutOfSteps,
    Passed,
)
from pitviper.engines.shared.values import NULL, Constructed, Ref, Token, Value
from pitviper.program.member import Program
from pitviper.program.types import DomainType
from pitviper.results.annotations import read_annotations
from tests.unit.engines.concrete.running import A, B, C, program_of, verdict

EXAMPLES = Path(__file__).parents[4] / "examples"


def example(name: str) -> Program:
    program = load(EXAMPLES / f"{name}.vpr").program
    assert program is not None
    return program


def ends(name: str, method: str, inputs: Inputs, tape: Tape = ZEROES) -> str:
    return verdict(run_member(example(name), method, inputs, tape).outcome)


def swap(first: int, second: int) -> Outcome:
    inputs = Inputs({"a": A, "b": B}, {(A, "value"): first, (B, "value"): second})
    return run_member(example("broken/swap"), "swap", inputs, EMPTY_TAPE).outcome


@pytest.mark.smoke
def test_the_buggy_swap_fails_on_different_values() -> None:
    outcome = swap(1, 2)
    assert isinstance(outcome, Failed)
    assert outcome.id == "postcondition.violated:assertion.false"
    assert outcome.finding.offending is not None
    assert outcome.finding.offending.text == "b.value == old(a.value)"
    assert swap(2, 2) == Passed()


def test_cells() -> None:
    assert ends("cell", "create", Inputs()) == "Passed"
    assert ends("cell", "set", Inputs({"c": A, "content_new": 4})) == "Passed"
    assert ends("cell", "client", Inputs(), Tape((1, 2), then=0)) == "Passed"


def test_lists() -> None:
    heap: dict[tuple[Ref, str], Value] = {
        (A, "value"): 4, (A, "next"): B, (B, "value"): 5, (B, "next"): NULL
    }  # fmt: skip
    assert ends("list", "prepend", Inputs({"head": A, "element": 9}, heap)) == "Passed"
    assert ends("list", "length", Inputs({"head": NULL}, heap)) == "Passed"
    assert ends("list", "length", Inputs({"head": B}, heap)) in ("Passed", "Infeasible")


def test_trees() -> None:
    heap: dict[tuple[Ref, str], Value] = {
        (A, "key"): 4, (A, "left"): NULL, (A, "right"): NULL
    }  # fmt: skip
    assert ends("tree", "insert", Inputs({"root": NULL, "element": 4})) == "Passed"
    assert ends("tree", "insert", Inputs({"root": A, "element": 4}, heap)) == "Passed"
    assert ends("tree", "least", Inputs({"root": A}, heap)) == "Passed"


def test_buffers() -> None:
    heap: dict[tuple[Ref, str], Value] = {(A, "items"): (7, 8), (A, "capacity"): 3}
    assert ends("bounded_buffer", "push", Inputs({"b": A, "item": 9}, heap)) == "Passed"
    assert ends("bounded_buffer", "pop", Inputs({"b": A}, heap)) == "Passed"
    assert ends("bounded_buffer", "peek", Inputs({"b": A}, heap), Tape((1,), then=0)) == "Passed"
    full: dict[tuple[Ref, str], Value] = {(A, "items"): (7, 8), (A, "capacity"): 2}
    assert ends("bounded_buffer", "push", Inputs({"b": A, "item": 9}, full)) == "Infeasible"


def test_expressions() -> None:
    four = Constructed("Number", (4,))
    e = Constructed("Sum", (Constructed("Sum", (four, four)), Constructed("Variable", ())))
    inputs = Inputs({"e": e, "x": 3})
    outcome = run_member(example("expression_adt"), "simplify_keeps_meaning", inputs).outcome
    assert outcome == Passed(("decreases",))


def test_walking_along_a_list_with_wands() -> None:
    heap: dict[tuple[Ref, str], Value] = {
        (A, "value"): 1, (A, "next"): B, (B, "value"): 2, (B, "next"): C,
        (C, "value"): 3, (C, "next"): NULL,
    }  # fmt: skip
    for head in (A, B, C):
        assert ends("wand_iterator", "sum", Inputs({"head": head}, heap)) == "Passed"


ANNOUNCING = [
    p for p in sorted(EXAMPLES.rglob("*.vpr")) if p.parent.name not in ("debugger", "explore")
]
"""Those of the tutorials of debugger and exploration fail on purpose, and do not say where."""


@pytest.mark.parametrize("path", ANNOUNCING, ids=lambda path: path.stem)
def test_examples_announce_their_failures(path: Path) -> None:
    program = load(path).program
    assert program is not None
    expected = {(a.line, a.id) for a in read_annotations(path.read_text(), path).items}
    tapes = [Tape(then=number) for number in range(4)]
    for name in program.methods:
        for tape in tapes:
            outcome = run_member(program, name, Inputs(), tape).outcome
            if isinstance(outcome, Failed):
                assert (outcome.finding.span.line, outcome.id) in expected


def test_arrays_with_an_interpretation() -> None:
    array = Token(DomainType("Array"), 1)

    def slot(args: tuple[Value, ...]) -> Value:
        at = args[1]
        assert isinstance(at, int)
        return Ref(2 * at + 1 if at >= 0 else -2 * at)

    meaning = Interpretation({"slot": slot, "size": lambda args: 4}, domains=frozenset({"Array"}))
    heap: dict[tuple[Ref, str], Value] = {(Ref(2 * at + 1), "entry"): at * at for at in range(4)}
    outcome = run_member(
        example("array_reverse"), "reverse", Inputs({"a": array}, heap, meaning), ZEROES
    ).outcome
    assert outcome == Passed()


def test_a_result_tells_the_decisions() -> None:
    program = program_of("method m(i: Int) { var k: Int\nassert k == i }")
    result = run_member(program, "m", Inputs({"i": 2}), Tape((3,)))
    assert result.outcome == Passed()
    assert result.choices == (Choice(3, "k", 2),)
    assert result.arguments == (("i", 2),)


def test_a_tape_that_is_too_short() -> None:
    program = program_of("method m() { var k: Int\nvar l: Int\nassert k == l }")
    assert run_member(program, "m", Inputs(), Tape((1,))).outcome == NeedsChoice("l")
    assert run_member(program, "m", Inputs(), Tape((1, 1))).outcome == Passed()


def test_deep_expressions_are_no_crash() -> None:
    deep = "!" * 900 + "true"
    program = program_of(f"method m() {{ assert {deep} }}")
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    try:
        outcome = run_member(program, "m").outcome
    finally:
        sys.setrecursionlimit(before)
    assert isinstance(outcome, OutOfSteps)


def test_budgets() -> None:
    program = program_of("method m() { assert forall i: Int :: 0 <= i && i < 1000000 ==> i >= 0 }")
    outcome = run_member(program, "m", options=Options(steps=500)).outcome
    assert outcome == OutOfSteps(500)
