"""The public way to counterexamples: a program in, small checked states out.

options = CounterexampleOptions(instances=3)
for result in counterexamples(Path("list.vpr"), options).results:
    ...                                     # Counterexample or NoCounterexample
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from pitviper.base.deep_stack import Late, run_deep
from pitviper.base.record import record, replace
from pitviper.base.usage_error import UsageError
from pitviper.checking.options import CheckOptions
from pitviper.checking.typed_input import InputReader, InputScope
from pitviper.counterexample.alloy.model import alloy_text
from pitviper.counterexample.instance import instances_on_any, weakest
from pitviper.counterexample.options import MOST, OBJECTS, CounterexampleOptions
from pitviper.counterexample.problem import axiomatic_problem_of
from pitviper.counterexample.question import Question, lines_with_states, questions_of, states_at
from pitviper.counterexample.where import Constraints
from pitviper.driver.counterexample.retelling import retold
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.completion import completed
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.sessions import Sessions, Stopped
from pitviper.driver.verify.solver_texts import wrong_texts
from pitviper.explain.recorded_run import RecordedMember, recorded_members
from pitviper.plugins.pipeline import apply_plugins
from pitviper.program.expr import Var
from pitviper.program.member import Method, Program
from pitviper.program.stmt import Block, Declare, Inhale
from pitviper.program.types import Type
from pitviper.program.walk import descendants
from pitviper.results.counterexample import Counterexample, NoCounterexample, Result
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.reading import Decoded

__all__ = ["MOST", "Answered", "CounterexampleOptions", "counterexamples", "instances_of"]


@record
class Answered:
    """What the front end said about a program, and what was found for it."""

    front: FrontEnd
    results: tuple[Result, ...]
    failed: bool
    """Whether any check failed."""
    stopped: str | None = None
    """Why not all members were looked at."""
    alloy: str | None = None
    """The first state as an Alloy model."""
    rejected: tuple[Diagnostic, ...] = ()
    """What is wrong with a program that the front end accepts."""


def counterexamples(
    file: Path | Decoded,
    options: CounterexampleOptions,
    verify: VerifyOptions | None = None,
    library: tuple[Path, ...] = (),
) -> Answered:
    """Returns an instance for every failed check of a program, in the order they failed in."""
    chosen = verify or VerifyOptions()
    sessions, found, stopped = Sessions(chosen.limit, chosen.timeout), list[Result](), None
    front, constraints = constrained_program(file, options.where, chosen.check, library)
    if front.program is None:
        return Answered(front, (), failed=True)
    accepted = front.program
    if wrong := run_deep(lambda: wrong_texts(accepted)):
        return Answered(front, (), failed=True, rejected=wrong)
    search = _Search(accepted, options, chosen, constraints)

    def run() -> str | None:
        with sessions:
            try:
                found.extend(search.results(sessions))
            except Stopped as why:
                return str(why)
        return None

    try:
        stopped = run_deep(run, lambda: sessions.stop("interrupted"), sessions.given_up)
    except Late:  # the solver did not heed the interrupt: nobody waits for it
        stopped = sessions.over_text
    told = tuple([retold(result, front.types) for result in found] if front.types else found)
    return Answered(front, told, search.failed, stopped, search.alloy)


def instances_of(program: Program, member: str, verify: VerifyOptions) -> list[Counterexample]:
    """Returns instances for the failed checks of one member, as far as time allows."""
    options = CounterexampleOptions(select=(member,), replay=False)
    search = _Search(program, options, verify, Constraints(()))
    sessions, found = Sessions(verify.limit, verify.timeout), list[Result]()

    def run() -> None:
        with sessions, contextlib.suppress(Stopped):  # what was found until then is enough
            found.extend(search.results(sessions))

    with contextlib.suppress(Late):  # likewise
        run_deep(run, lambda: sessions.stop("interrupted"), sessions.given_up)
    return [one for one in found if isinstance(one, Counterexample) and one.member == member]


class _Search:
    """One run over the members of a program, with what it has come across so far."""

    def __init__(
        self,
        program: Program,
        options: CounterexampleOptions,
        verify: VerifyOptions,
        constraints: Constraints,
    ) -> None:
        self._program = program
        self._options = options
        self._verify = verify
        self._constraints = constraints
        self.failed = False
        self.alloy: str | None = None
        self._lines: frozenset[int] = frozenset()

    def results(self, sessions: Sessions) -> Iterator[Result]:
        select, told, misfit = self._options.select, False, ""
        own = self._constraints.methods
        if select:  # with the constraints of what is selected
            chosen = (*select, *[method for name, method in own.items() if name in select])
            program = select_members(self._program, chosen)
        else:
            program = self._program
        encoded = apply_plugins(program, self._verify.plugins)
        if encoded.diagnostics:
            raise UsageError(encoded.diagnostics[0].message)
        engine = replace(self._verify.symbolic, infer_ghost=False)
        for recorded in recorded_members(encoded, engine, sessions.open, own.values()):
            if recorded.crash is not None:
                raise recorded.crash
            sessions.require_going()  # what was stopped in the middle has not failed, nor held
            self.failed = self.failed or bool(recorded.recorder.failures)
            none, shown = list[NoCounterexample](), 0
            for paths in self._questions(recorded):
                sessions.require_going()
                applied = [self._constraints.applied(question) for question in paths]
                fitting = [question for question in applied if isinstance(question, Question)]
                misfit = misfit or next((why for why in applied if isinstance(why, str)), "")
                if not fitting:
                    continue
                if not told and self._options.alloy:
                    self.alloy = _alloy(fitting[0], self._options)
                told = True
                for result in instances_on_any(fitting, self._options, sessions.heed):
                    sessions.require_going()  # nothing is said by a search that was cut short
                    if self._options.at is None:
                        yield result
                    elif isinstance(result, NoCounterexample):
                        none.append(result)
                    else:
                        shown += 1
                        yield replace(result, number=shown)
            if none and not shown:  # ways that have no state are told of only if none has one
                yield weakest(none)
        sessions.require_going()
        if misfit and not told:
            raise UsageError(misfit)
        if self._options.at is not None and not told:
            raise UsageError(_no_state(self._options.at, self._lines))

    def _questions(self, recorded: RecordedMember) -> list[tuple[Question, ...]]:
        at = self._options.at
        if at is None:
            return questions_of(recorded, self._program)
        self._lines |= lines_with_states(recorded)
        return states_at(at, recorded, self._program)


def _no_state(line: int, known: frozenset[int]) -> str:
    nearest = sorted(known, key=lambda each: (abs(each - line), each))[:1]
    near = f"; the nearest line that has one is {nearest[0]}" if nearest else ""
    return f"line {line} has no state: nothing that was reached stands there{near}"


def _alloy(question: Question, options: CounterexampleOptions) -> str:
    problem = axiomatic_problem_of(question)
    finding = question.finding and question.finding.id
    title = f"{question.member}, line {question.span.line}, {finding}"
    return alloy_text(problem, title, options.objects or OBJECTS)


_OWN = "pitviper_where_"
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$']*")


def constrained_program(
    file: Path | Decoded, where: tuple[str, ...], options: CheckOptions, library: tuple[Path, ...]
) -> tuple[FrontEnd, Constraints]:
    """Returns the program with the added methods; UsageError if the constraints fit no member."""
    front = completed(load(file, options, library))
    if not where or front.program is None:
        return front, Constraints(where)
    if front.language is not None:
        return _constrained(front, front.program, front.reader(options), where)
    text, added, complaint = front.source.text, dict[str, str](), ""
    program = front.program
    for member in (*program.methods, *program.functions, *program.predicates):
        name = f"{_OWN}{member}"
        more = f"{text}\n{_method_text(name, _variables(member, program), where)}"
        tried = load_text(more, str(front.source.path), options, library)
        if tried.program is not None:
            text, front = more, tried
            added[member] = name
        else:
            complaint = complaint or _complaint(tried.errors, len(text))
    if not added:
        raise UsageError(complaint or "there is no member whose states could be constrained")
    return front, Constraints(where, added)


def _constrained(
    front: FrontEnd, program: Program, reader: InputReader, where: tuple[str, ...]
) -> tuple[FrontEnd, Constraints]:
    """The same for a language that reads its own expressions."""
    methods, added, complaint = dict(program.methods), dict[str, str](), ""
    for method in program.methods.values():
        variables = _variables(method.name, program)
        scope = InputScope({n: (n, t) for n, t in variables.items()}, (), member=method.name)
        read = [reader.check(text, scope) for text in where]
        problems = [problem for _, found in read for problem in found]
        if problems:
            complaint = complaint or _complaint(tuple(problems), 0)
            continue
        inhaled = tuple([Inhale(found, span=found.span) for found, _ in read if found is not None])
        name = f"{method.name} where"
        params = tuple([Var(n, t) for n, t in variables.items()])
        body = Block(inhaled, span=method.span)
        methods[name] = Method(name, params, (), (), (), (), body, span=method.span)
        added[method.name] = name
    if not added:
        raise UsageError(complaint or "there is no method whose states could be constrained")
    return replace(front, program=replace(program, methods=methods)), Constraints(where, added)


def _method_text(name: str, variables: dict[str, Type], where: tuple[str, ...]) -> str:
    """Returns one line for each constraint: macros and imports stay as they are."""
    params = ", ".join([f"{n}: {t}" for n, t in variables.items() if _NAME.fullmatch(n)])
    lines = "\n".join([f"  inhale {' '.join(text.split())}" for text in where])
    return f"method {name}({params})\n{{\n{lines}\n}}"


def _variables(member: str, program: Program) -> dict[str, Type]:
    method = program.methods.get(member)
    if method is None:
        table = program.functions if member in program.functions else program.predicates
        return {v.name: v.type for v in table[member].params}
    found = {v.name: v.type for v in (*method.params, *method.returns)}
    if method.body is not None:
        declared = [n.variable for n in descendants(method.body) if isinstance(n, Declare)]
        found.update({v.name: v.type for v in declared})
    return found


def _complaint(errors: tuple[Diagnostic, ...], length: int) -> str:
    for error in errors:
        if error.span is not None and error.span.start >= length:
            return f"in the constraint, at `{error.span.text}`: {error.message}"
    return f"in the constraint: {errors[0].message}" if errors else ""
