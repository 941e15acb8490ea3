"""Reads expressions where a recorded run stands, and evaluates them there."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record
from pitviper.checking.options import CheckOptions
from pitviper.checking.typed_input import InputScope
from pitviper.debugger.obligations.scope import names_in_scope
from pitviper.driver.front.frontend import FrontEnd
from pitviper.engines.explore.report.inputs import State, value_of
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.search.compile import Code, compile_model
from pitviper.engines.explore.viper.calls import OLD, heap_at, passed_name
from pitviper.engines.explore.viper.emitter import HEAP_NAME
from pitviper.engines.explore.viper.watch import expression_model
from pitviper.program.assertion import Impure
from pitviper.program.expr import Var
from pitviper.program.member import Function, Method
from pitviper.program.stmt import Declare, Label
from pitviper.program.walk import descendants
from pitviper.results.steps import Evaluated
from pitviper.source.span import Span

Place = tuple[Method | Function, Span, State]
"""Where a run stands: the member of the program, the place in it, and its variables there."""

_Key = tuple[str, str, tuple[Var, ...], tuple[str, ...]]


@record
class _Question:
    """An expression, ready to be run. An assertion with permissions is true or broken."""

    code: Code
    is_assertion: bool


class Watcher:
    """Evaluates expressions in the states of one run, which is over."""

    def __init__(self, front: FrontEnd, options: CheckOptions, over: Run) -> None:
        assert front.program is not None
        self._program = front.program
        self._check = front.reader(options)
        self._over = over
        self._made: dict[_Key, _Question | str] = {}

    def evaluate(self, place: Place, text: str) -> Evaluated:
        if not text.strip():
            return Evaluated(problem="there is no expression")
        return run_deep(lambda: self._evaluate(place, text.strip()))

    def _evaluate(self, place: Place, text: str) -> Evaluated:
        method, at, state = place
        names = visible_variables(method, at, state)
        labels = [s.name for s in descendants(method) if isinstance(s, Label)]
        passed = [n for n in labels if state.get(passed_name(n).name) is True]
        key = (method.name, text, tuple(names.values()), tuple(passed))
        code = self._made.get(key)
        if code is None:
            code = self._made[key] = self._code(text, names, tuple(passed), method.name)
        if isinstance(code, str):
            return Evaluated(problem=code)
        seen = value_of(code.code, state, self._over)
        if code.is_assertion and seen.is_broken:
            return Evaluated(f"false: {seen.problem}")
        return Evaluated(seen.value, seen.problem)

    def _code(
        self, text: str, names: dict[str, Var], labels: tuple[str, ...], member: str
    ) -> _Question | str:
        """The expression, ready to be run; or what is wrong with it."""
        variables = {n: (v.name, v.type) for n, v in names.items()}
        scope = InputScope(variables, labels, any_type=True, member=member)
        found, problems = self._check.check(text, scope)
        if found is None:
            return _words(problems[0].message, problems[0].help)
        known = (tuple(names.values()), labels)
        model = expression_model(found, known, self._over.model, self._program)
        return _Question(compile_model(model), isinstance(found, Impure))


def _words(message: str, help_: str | None) -> str:
    said = message.replace("the end of the file", "the end of the line")
    return f"{said} ({help_})" if help_ else said


def visible_variables(member: Method | Function, at: Span, state: State) -> dict[str, Var]:
    """By their names in the source, the variables in scope that have a value already."""
    declared = [s.variable for s in descendants(member) if isinstance(s, Declare)]
    returns = member.returns if isinstance(member, Method) else ()
    known = {v.name: v for v in (*member.params, *returns, *declared)}
    found = names_in_scope(member, at)
    return {n: known[own] for n, own in found.items() if state.get(own) is not None}


def state_names(names: Iterable[str]) -> list[str]:
    """Variables of a method of the model that a state needs: those of the program, and heaps."""
    heaps = (HEAP_NAME, OLD.name)
    states = (heap_at("").name, passed_name("").name)
    return [n for n in names if n in heaps or n.startswith(states) or not n.startswith("%")]
