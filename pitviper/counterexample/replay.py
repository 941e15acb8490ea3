"""Plays an instance again: a concrete run of the member from its start, with its values."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pitviper.base.record import record
from pitviper.counterexample.bounded.evaluator import Evaluator
from pitviper.counterexample.counterexample_values import Translation, without_domains
from pitviper.counterexample.problem import Sought, heap_holdings
from pitviper.engines.concrete.interpreter import run_function, run_method, run_predicate
from pitviper.engines.concrete.options import Inputs, Loops, Options
from pitviper.engines.concrete.outcome import Failed, RunResult
from pitviper.engines.concrete.tape import Tape
from pitviper.engines.symbolic.state import PRE_STATE
from pitviper.program.member import Program
from pitviper.results.finding import Finding

TRIES = 24
"""Runs with other decisions about what the instance leaves open."""
STEPS = 4000


@record
class Replayed:
    """A run that failed like the check did; `line` is where."""

    line: int


def replay(
    program: Program, sought: Sought, evaluator: Evaluator, finding: Finding
) -> Replayed | None:
    """The first run that fails as the verifier said; None if none of the tries does."""
    name = finding.member
    for inputs in _inputs(program, sought, evaluator, name):
        for tape in _tapes():
            result = _run(program, name, inputs, tape)
            if result is None:
                return None
            if isinstance(result.outcome, Failed) and _is_alike(result.outcome.finding, finding):
                return Replayed(finding.span.line)
    return None


def _inputs(program: Program, sought: Sought, evaluator: Evaluator, name: str) -> Iterator[Inputs]:
    member = (
        program.methods.get(name) or program.functions.get(name) or program.predicates.get(name)
    )
    if member is None:
        return
    translation, st = Translation(evaluator), sought.state
    arguments = {}
    for parameter in member.params:
        term = st.store.get(parameter.name)
        value = None if term is None else translation.of(term, parameter.type)
        if value is not None:
            arguments[parameter.name] = value
    first = st.old.get(PRE_STATE, st.heap)
    fields = translation.fields(heap_holdings(first, sought.run.symbols), program)
    interpretation = translation.interpretation(program, sought.run.symbols)
    inputs = Inputs(arguments, fields, interpretation)
    yield inputs
    if program.domains:
        yield without_domains(inputs)


def _tapes() -> Iterator[Tape]:
    for number in range(4):
        yield Tape(then=number)
    random = Random(0)
    for _ in range(TRIES - 4):
        yield Tape(tuple([random.randrange(6) for _ in range(12)]), then=0)


def _run(program: Program, name: str, inputs: Inputs, tape: Tape) -> RunResult | None:
    options = Options(loops=Loops.ARBITRARY, steps=STEPS)
    if name in program.methods:
        return run_method(program, name, inputs, tape, options)
    if name in program.functions:
        return run_function(program, name, inputs, tape, options)
    if name in program.predicates:
        return run_predicate(program, name, inputs, tape, options)
    return None


def _is_alike(run: Finding, found: Finding) -> bool:
    return run.id == found.id and run.span == found.span
