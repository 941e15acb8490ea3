"""Facts that are withheld at first are true: with them at once, or never, no wrong program passes.

Without them fewer proofs are found; with them from the start, the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pitviper.base.deep_stack import run_deep
from pitviper.driver.front.frontend import load
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.shared.members import Member, in_dependency_order
from pitviper.engines.vcg.ivl.language import Assume, Block, Command, Lazy, Procedure, Side
from pitviper.engines.vcg.ivl.outcome import ProverOptions
from pitviper.engines.vcg.ivl.prover import prove
from pitviper.engines.vcg.options import Options
from pitviper.engines.vcg.verifier import Run, start, translate
from pitviper.results.annotations import Kind, read_annotations

PROGRAMS = Path(__file__).parents[3] / "programs"
NAMES = (
    "quantified/framing.vpr",
    "quantified/footprints.vpr",
    "functions/footprints.vpr",
    "predicates/values.vpr",
)


def never(command: Lazy) -> list[Command]:
    return []


def at_once(command: Lazy) -> list[Command]:
    return [Assume(fact, command.guard) for fact in command.build()]


@pytest.mark.parametrize("name", NAMES)
def test_facts_at_once(name: str) -> None:
    assert failing_lines(name, at_once) == expected_lines(name)


@pytest.mark.parametrize("name", NAMES)
def test_no_withheld_facts(name: str) -> None:
    assert failing_lines(name, never) >= expected_lines(name)


def expected_lines(name: str) -> set[int]:
    """Where an annotation says that something fails: on the line after it."""
    annotations = read_annotations((PROGRAMS / name).read_text(), PROGRAMS / name)
    return {a.line for a in annotations.items if a.kind is Kind.EXPECTED}


def failing_lines(name: str, released: Callable[[Lazy], list[Command]]) -> set[int]:
    front = load(PROGRAMS / name)
    program = front.program
    assert program is not None, front.diagnostics

    def verify() -> set[int]:
        with Sessions() as sessions:
            run = start(program, Options(), sessions.open)
            return {line for m in in_dependency_order(run) for line in _lines(run, m, released)}

    return run_deep(verify)


def _lines(run: Run, member: Member, released: Callable[[Lazy], list[Command]]) -> set[int]:
    translated = translate(run, member)
    procedure = _rewritten(translated.procedure, released)
    outcome = prove(procedure, translated.solver, ProverOptions())
    assert outcome.undecided == ()
    if outcome.findings and member.name in run.axioms:
        run.axioms[member.name] = ()
    return {finding.span.line for finding in outcome.findings}


def _rewritten(procedure: Procedure, released: Callable[[Lazy], list[Command]]) -> Procedure:
    blocks = tuple([_block(block, released) for block in procedure.blocks])
    return replace(procedure, blocks=blocks)


def _block(block: Block, released: Callable[[Lazy], list[Command]]) -> Block:
    commands: list[Command] = []
    for command in block.commands:
        match command:
            case Lazy():
                commands += released(command)
            case Side(blocks):
                inner = tuple([_block(b, released) for b in blocks])
                commands.append(replace(command, blocks=inner))
            case _:
                commands.append(command)
    return replace(block, commands=tuple(commands))
