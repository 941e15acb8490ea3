"""Runs a test and keeps every step of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record, replace
from pitviper.base.usage_error import UsageError
from pitviper.driver.explore.expanded import RunWords, expanded, held_in, rows_of
from pitviper.driver.explore.explore import Explorer, explore_file
from pitviper.driver.explore.expressions import Watcher, state_names, visible_variables
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.explore.tests import load_test, opened_program, options_of
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.work.stop import Stop
from pitviper.engines.explore.model.program import Constraint, Instruction, Method, Return
from pitviper.engines.explore.report.flow_graph import is_jump, is_whole
from pitviper.engines.explore.report.inputs import State, finding_of
from pitviper.engines.explore.runtime.ending import Site, Status
from pitviper.engines.explore.runtime.heap import Heap
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import Run, RunLimits
from pitviper.engines.explore.runtime.value import Value
from pitviper.engines.explore.search.compile import Code
from pitviper.engines.explore.search.engine import execute
from pitviper.engines.explore.viper.calls import OLD, entry_name
from pitviper.engines.explore.viper.emitter import HEAP_NAME
from pitviper.engines.explore.viper.functions import method_name
from pitviper.program.member import Function, Program
from pitviper.program.member import Method as Declared
from pitviper.program.print.objects import arrays_of
from pitviper.results.exploration import FIRST_FOUND, ExploredRun
from pitviper.results.steps import Ending, Evaluate, Evaluated, Frame, Scope, Step, Walk
from pitviper.results.testcase import TestCase
from pitviper.source.span import Span

FUNCTION = method_name("")
"""What the names of methods of the model begin with that are functions of the program."""

MOST = 5_000
"""Steps that are kept; a longer run is kept as far as that."""


def walk_of(path: Path, options: ExploreOptions | None = None) -> Walk:
    """The run of a test, to be walked through; UsageError where the test cannot be read."""
    test, program = load_test(path)
    front, explorer = opened_program(test, program, options)
    return run_deep(lambda: _walk(test, front, explorer))


def walk_of_case(test: TestCase, options: ExploreOptions | None = None) -> Walk:
    """The run of a test that was not written to a file."""
    front, explorer = opened_program(test, Path(test.program), options)
    return run_deep(lambda: _walk(test, front, explorer))


def walk_of_method(program: Path, method: str, options: ExploreOptions | None = None) -> Walk:
    """The first run of a method that fails; without one, the last that came to its end.

    UsageError where there is none, or no such method.
    """
    chosen = replace(options or ExploreOptions(), methods=(method,), workers=0)
    front, done = explore_file(program, chosen, _First())
    if done is None:
        raise UsageError(f"{program} is no accepted program: {front.errors[0].message}")
    runs = [run for one in done.methods for run in (*one.certain_failures, *one.runs[::-1])]
    test = next((run.test for run in runs if run.test is not None), None)
    if test is None:
        why = "; ".join([why for one in done.methods for why in one.open])
        raise UsageError(f"no run of {method} came to its end: {why or 'it has no body'}")
    return walk_of_case(test, options)


class _First(Stop):
    """Ends the search when a failing run is there."""

    def told(self, method: str, run: ExploredRun) -> None:
        self.enough(FIRST_FOUND)


def walk_in(test: TestCase, front: FrontEnd, options: ExploreOptions) -> Walk:
    """The run of a test of a program that was read, with its functions as methods."""
    assert front.program is not None
    explorer = Explorer(front.program, test.program, options_of(test, options))
    return run_deep(lambda: _walk(test, front, explorer))


def _walk(test: TestCase, front: FrontEnd, explorer: Explorer) -> Walk:
    assignment = Assignment(test.values, test.tables)
    run = _Recording(explorer.code, assignment, explorer.options.search.limits)
    status, site, detail = execute(explorer.code, entry_name(test.method), run)
    moments = run.whole()
    watcher = Watcher(front, explorer.options.check, run)
    program = explorer.program

    def evaluate(step: int, text: str) -> Evaluated:
        moment = moments[step]
        member = _member(moment.method, program)
        return watcher.evaluate((member, moment.span, moment.state), text)

    steps = tuple([_step(moment, program) for moment in moments])
    ending = _ending(explorer.code, status, site, detail)
    if run.lost:
        ending = Ending(f"{ending.text} ({run.lost} steps further on)", None, is_whole=False)
    return RunWalk(steps, ending, evaluate, (moments, program))


class RunWalk(Walk):
    """A walk through a run, in which values can be looked into."""

    def __init__(
        self,
        steps: tuple[Step, ...],
        ending: Ending,
        evaluate: Evaluate,
        record: tuple[tuple[_Moment, ...], Program],
    ) -> None:
        super().__init__(steps, ending, evaluate)
        self._moments, self._program = record

    def scopes(self, step: int) -> tuple[Scope, ...]:
        moment = self._moments[step]
        heap = moment.state.get(HEAP_NAME)
        held = heap if isinstance(heap, Heap) else Heap()
        visible = visible_variables(
            _member(moment.method, self._program), moment.span, moment.state
        )
        values = [(name, moment.state[variable.name]) for name, variable in visible.items()]
        words = _words(moment, self._program)
        variables = [expanded((n, n), v, held, words) for n, v in values if not isinstance(v, Heap)]
        return (
            Scope("Variables", "locals", tuple(variables)),
            Scope("Permissions", "heap", held_in(held, words)),
        )


def _member(name: str, program: Program) -> Declared | Function:
    """The member of the program that a method of the model comes from."""
    return program.methods.get(name) or program.functions[name.removeprefix(FUNCTION)]


def start_of(test: TestCase, explorer: Explorer) -> tuple[State | None, Run]:
    """The state before the first statement of a test's run, None without; and the whole run."""
    assignment = Assignment(test.values, test.tables)
    run = _Recording(explorer.code, assignment, explorer.options.search.limits)
    execute(explorer.code, entry_name(test.method), run)
    return (run.moments[0].state if run.moments else None), run


def _ending(code: Code, status: Status, site: Site | None, detail: str) -> Ending:
    finding = finding_of(code.model, site) if status is Status.FAILED and site else None
    if finding is not None:
        return Ending(f"failed: {finding.message}", finding)
    return Ending(f"{status.value}: {detail}" if detail else status.value)


@record
class _Moment:
    """A step as it is recorded: values are told when the run is over and more is known."""

    method: str
    span: Span
    stack: tuple[Frame, ...]
    state: State


class _Recording(Run):
    """A run that looks at the variables of the compiled function before each instruction."""

    def __init__(self, code: Code, assignment: Assignment, limits: RunLimits) -> None:
        super().__init__(code.model, assignment, limits, given=1 << 60)
        self._code = code
        self.moments: list[_Moment] = []
        self.lost = 0
        self._under_way: list[Frame | None] = []

    def enter(self, method: str) -> None:
        super().enter(method)
        self._under_way.append(None)

    def leave(self, method: str) -> None:
        super().leave(method)
        self._under_way.pop()

    def instruction(self, index: int) -> None:
        super().instruction(index)
        if " " in self.method and not self._is_function():
            return
        method = self.model.methods[self.method]
        span = _place(method.instructions[index], method)
        last = self._under_way[-1]
        if span is None or (last is not None and last.span == span):
            return
        if len(self.moments) >= MOST:
            self.lost += 1
            return
        name = self.method.removeprefix(FUNCTION)
        self._under_way[-1] = Frame(name, span, len(self.moments))
        stack = tuple([frame for frame in self._under_way if frame is not None])
        state = _state(self._code.names[self.method], sys._getframe(1).f_locals)
        self.moments.append(_Moment(self.method, span, stack, state))

    def whole(self) -> tuple[_Moment, ...]:
        """All steps; behind functions that were left at the end, the one that applied them again.

        That is where a check failed that such a function is part of.
        """
        moments = self.moments
        depth = max(1, sum(frame is not None for frame in self._under_way))
        if not moments or not moments[-1].method.startswith(FUNCTION):
            return tuple(moments)
        if len(moments[-1].stack) <= depth:
            return tuple(moments)
        last = moments[-1].stack[depth - 1].step
        return (*moments, moments[last])

    def _is_function(self) -> bool:
        """Whether a function is run behind a statement, and there is room left for it.

        What a precondition applies comes before the first step.
        """
        is_inside = any(frame is not None for frame in self._under_way[:-1])
        return is_inside and self.method.startswith(FUNCTION) and len(self.moments) < MOST // 2


def _place(instruction: Instruction, method: Method) -> Span | None:
    """Where people look: at the statement, or at the clause of a contract that is checked."""
    is_end = isinstance(instruction, Return) and method.name.startswith(FUNCTION)
    if is_jump(instruction) or is_end:
        return None
    blame = instruction.blame if isinstance(instruction, Constraint) else None
    if blame is not None and blame.error.startswith(("postcondition.", "invariant.")):
        return blame.span
    span = instruction.span
    return None if is_whole(span, method) or not span.text else span


def _state(names: Mapping[str, str], inside: Mapping[str, Value | Heap]) -> State:
    """The variables that have a value; the heap is copied, for it changes."""
    found: dict[str, Value | Heap] = {}
    for name in state_names(names):
        value = inside.get(names[name])
        if value is not None:
            found[name] = value.copy() if isinstance(value, Heap) else value
    if HEAP_NAME in found:
        found.setdefault(OLD.name, found[HEAP_NAME])  # functions have no other heap
    return found


def _step(moment: _Moment, program: Program) -> Step:
    visible = visible_variables(_member(moment.method, program), moment.span, moment.state)
    words = _words(moment, program)
    values = tuple([(n, _text(moment.state[v.name], n, words)) for n, v in visible.items()])
    heap = moment.state.get("%heap")
    cells = tuple(rows_of(heap, words)) if isinstance(heap, Heap) else ()
    name = moment.method.removeprefix(FUNCTION)
    return Step(name, moment.span, moment.stack, values, cells)


def _words(moment: _Moment, program: Program) -> RunWords:
    """How values are said where a moment of a run is."""
    return RunWords(arrays_of(program, moment.method), moment.span)


def _text(value: Value | Heap, name: str, words: RunWords) -> str:
    return "" if isinstance(value, Heap) else words.value(value, name)
