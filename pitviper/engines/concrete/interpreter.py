"""Runs one member of a program: the entry points of the interpreter."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.base.record import record, replace
from pitviper.engines.concrete.node_facts import assumed_declarations
from pitviper.engines.concrete.options import EMPTY_TAPE, Inputs, Options, Tape
from pitviper.engines.concrete.outcome import (
    Failed,
    Infeasible,
    Obligation,
    Outcome,
    OutOfSteps,
    Passed,
    RunResult,
    Stop,
)
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import flow
from pitviper.engines.concrete.rules.assume import assume
from pitviper.engines.concrete.rules.consume import exhale_clauses, inhale_alone, inhale_clauses
from pitviper.engines.concrete.rules.function import check_joined, check_postconditions
from pitviper.engines.concrete.rules.possible import check_possible
from pitviper.engines.concrete.rules.produce import produce
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import RESULT, State
from pitviper.engines.concrete.values.choose import settle
from pitviper.engines.concrete.values.unknown import Hole, Raw
from pitviper.program.classes import known_at_start
from pitviper.program.expr import Var
from pitviper.program.member import Function, Method, Predicate, Program

DEFAULTS = Options()
NO_INPUTS = Inputs()


def run_member(
    program: Program,
    name: str,
    inputs: Inputs = NO_INPUTS,
    tape: Tape = EMPTY_TAPE,
    options: Options = DEFAULTS,
) -> RunResult:
    """Inhale the precondition of a method or function on the inputs, run or evaluate the body,
    exhale or check the postconditions; inhale the body of a predicate.

    The postcondition of a method is then inhaled alone: it must be well-formed without other
    permissions. That is all there is to check of an abstract method, in an arbitrary state.
    """
    run = Run(program, inputs, tape, options)
    if name in program.methods:
        method = program.methods[name]
        start = _Start(name, method, method.params, method.returns)
        return _finish(run, start, lambda st: _run_method(st, method, run))
    if name in program.functions:
        function = program.functions[name]
        start = _Start(name, function, function.params)
        return _finish(run, start, lambda st: _run_function(st, function, run))
    predicate = program.predicates[name]
    start = _Start(name, predicate, predicate.params)
    return _finish(run, start, lambda st: _run_predicate(st, predicate, run))


def _run_method(st: State, method: Method, run: Run) -> None:
    _note_measures(method, run)
    initial = run.snapshots.initial()
    st = inhale_clauses(st, method.preconditions, initial, run).remembering(None)
    for fact in known_at_start(method):
        assume(st, fact, run)
    run.note_state(st)
    if method.body is None:
        inhale_alone(st, method.postconditions, {}, run)
        return
    st = flow.run_body(st, method.body, run)
    consumed = exhale_clauses(st, method.postconditions, "postcondition.violated", run)
    ended = run.attempt(lambda: inhale_alone(st, method.postconditions, consumed.contents, run))
    if not isinstance(ended, State | Infeasible):
        raise Stop(ended)


def _run_function(st: State, function: Function, run: Run) -> None:
    _note_measures(function, run)
    st = replace(st, binary=not run.options.respect_function_pre_perm_amounts)
    st = inhale_clauses(st, function.preconditions, run.snapshots.initial(), run)
    if function.body is None:
        _check_definedness(st, function, run)
        return
    with run.proving(Obligation("function.not.wellformed", function.span, function.name)):
        value = rules.evaluate_raw(st, function.body, run)
    check_postconditions(st.binding(RESULT, value), function, run)


def _check_definedness(st: State, function: Function, run: Run) -> None:
    """The postconditions of an abstract function must be well-defined for every result."""
    st = st.binding(RESULT, run.hole(function.result, RESULT))
    for clause in function.postconditions:
        with run.proving(Obligation("not.wellformed", clause.span, function.name)):
            assume(st, clause, run)


def _run_predicate(st: State, predicate: Predicate, run: Run) -> None:
    if predicate.body is not None:
        blame = Obligation("predicate.not.wellformed", predicate.span, predicate.name)
        with run.proving(blame):
            produce(st, predicate.body, run, run.snapshots.initial())


def _note_measures(member: Method | Function, run: Run) -> None:
    if member.decreases:
        run.unchecked["decreases"] = None


@record
class _Start:
    """A member with the variables that have values from the start."""

    name: str
    member: Method | Function | Predicate
    params: tuple[Var, ...]
    returns: tuple[Var, ...] = ()


def _finish(run: Run, start: _Start, action: Callable[[State], None]) -> RunResult:
    """Run to the end, whatever that is."""
    store = _first_store(start, run)
    with run.proving(Obligation("internal", start.member.span, start.name)):
        try:
            ended = run.attempt(lambda: action(State(store)))
            outcome = _confirmed(Passed(tuple(run.unchecked)) if ended is None else ended, run)
        except RecursionError:
            outcome = OutOfSteps(run.steps)
    known = [(p.name, run.unknowns.look(store[p.name])) for p in start.params]
    arguments = tuple([(name, value) for name, value in known if not isinstance(value, Hole)])
    return RunResult(outcome, tuple(run.choices), run.steps, arguments)


def _first_store(start: _Start, run: Run) -> dict[str, Raw]:
    """Arguments that are not given, and results, are arbitrary."""
    given = run.inputs.arguments
    for (receiver, _), value in run.inputs.fields.items():
        run.objects.note(receiver)
        run.objects.note(value)
    for value in given.values():
        run.objects.note(value)
    store: dict[str, Raw] = {}
    for variable in (*start.params, *start.returns):
        is_given = variable.name in given and variable in start.params
        store[variable.name] = (
            given[variable.name] if is_given else run.hole(variable.type, variable.name)
        )
    return store


def _confirmed(outcome: Outcome, run: Run) -> Outcome:
    """A failure counts only if the state is possible: all that is undecided has a value left."""
    if not isinstance(outcome, Failed):
        return outcome
    run.start_afresh()
    ended = run.attempt(lambda: _decide_all(run))
    if ended is not None:
        return ended
    assumed = assumed_declarations(run.program, run.inputs.interpretation)
    return Failed(outcome.finding, assumed)


def _decide_all(run: Run) -> None:
    check_joined(run)
    if run.moment is not None:
        for moment in (run.moment, *run.passed):
            run.steps = 0
            check_possible(moment, run)
    settle(run)
