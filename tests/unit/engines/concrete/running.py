"""Runs of programs given as text, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.driver.front.frontend import load_text
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import (
    ZEROES,
    Calls,
    Inputs,
    Interpretation,
    Loops,
    Options,
    Tape,
)
from pitviper.engines.concrete.outcome import CannotRun, Failed, Infeasible, Outcome, Passed
from pitviper.engines.shared.values import Ref, Value
from pitviper.program.member import Program

FIELDS = "field f: Int\nfield g: Int\nfield next: Ref\nfield p: Perm\n"
A, B, C = Ref(1), Ref(2), Ref(3)
GIVEN: dict[str, Value] = {"x": A, "y": B, "i": 3, "j": -2, "b": True}
ARBITRARY = Options(loops=Loops.ARBITRARY)
INLINE = Options(calls=Calls.INLINE)


def program_of(text: str) -> Program:
    front_end = load_text(FIELDS + text, "test.vpr")
    assert front_end.program is not None, front_end.diagnostics
    return front_end.program


def tape(*numbers: int) -> Tape:
    """These decisions, then the simplest ones."""
    return Tape(numbers, then=0)


def run(
    text: str,
    arguments: Mapping[str, Value] | None = None,
    fields: Mapping[tuple[Ref, str], Value] | None = None,
    decisions: Tape = ZEROES,
    options: Options | None = None,
    interpretation: Interpretation | None = None,
) -> Outcome:
    """The outcome of the method `m`."""
    inputs = Inputs(arguments or {}, fields or {}, interpretation or Interpretation())
    return run_member(program_of(text), "m", inputs, decisions, options or Options()).outcome


def body(statements: str, params: str = "x: Ref, y: Ref, i: Int, j: Int, b: Bool") -> str:
    """A method without contract, x and y being different objects."""
    return f"method m({params}) {{\n{statements}\n}}\n"


def verdict(outcome: Outcome) -> str:
    """The id of a failure, else the name of the outcome."""
    return outcome.id if isinstance(outcome, Failed) else type(outcome).__name__


def check(statements: str, options: Options | None = None, decisions: Tape = ZEROES) -> str:
    """How a body without contract ends, on two objects, i = 3, j = -2 and b true."""
    return verdict(run(body(statements), GIVEN, options=options, decisions=decisions))


PASSED = Passed.__name__
INFEASIBLE = Infeasible.__name__
CANNOT = CannotRun.__name__
FALSE = "assert.failed:assertion.false"


def values(expression: str) -> tuple[str, str]:
    """How an assertion and its negation end."""
    return check(f"assert {expression}"), check(f"assert !({expression})")


TRUE = (PASSED, FALSE)
"""What `values` gives for a true expression."""
