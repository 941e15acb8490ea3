"""Looks at states of a run that is over: the value of an expression, and nothing is made up."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import record
from pitviper.engines.explore.report.inputs import finding_of, shown
from pitviper.engines.explore.runtime.ending import Ended, Status
from pitviper.engines.explore.runtime.heap import Heap
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import Value
from pitviper.engines.explore.search.compile import Code
from pitviper.engines.explore.viper.watch import ERROR, NAME
from pitviper.results.wording import error_text

State = Mapping[str, Value | Heap]
"""The variables of a method of the model, where a run stands; heaps are no longer changed."""


@record
class Seen:
    """The value of an expression as text, or why it has none; `is_broken` if a check failed."""

    value: str = ""
    problem: str = ""
    is_broken: bool = False


class _Watching(Run):
    """Goes on where another run ended; what that one never looked at has no value."""

    def __init__(self, code: Code, over: Run) -> None:
        super().__init__(code.model, over.inputs.assignment, over.limits, given=1 << 60)
        before, mine = over.inputs, self.inputs
        mine.symbols, mine.tables = dict(before.symbols), dict(before.tables)
        mine.shaped = before.shaped
        mine.objects, mine.made = before.objects, before.made
        self.functions = over.functions

    def choosing(self, what: str) -> None:
        if what not in ("wildcard", "$judged"):
            self.end(Status.RETRY, f"the run never looked at {what}: it may be anything")


def value_of(code: Code, state: State, over: Run) -> Seen:
    """What the method of an expression gives, in a state of a run that is over."""
    run = _Watching(code, over)
    params = code.model.methods[NAME].params
    try:
        (found,) = code.functions[NAME](run, *[state[p.name] for p in params])
    except Ended as end:
        return Seen("", _why(code, end), end.status is Status.FAILED)
    except RecursionError:
        return Seen(problem=Status.DEPTH.value)
    return Seen(shown(found))  # type: ignore[arg-type]  # a method that gives one value


def _why(code: Code, end: Ended) -> str:
    if end.status is Status.FAILED:
        finding = finding_of(code.model, end.site)
        if finding is not None:
            return finding.message.removeprefix(f"{error_text(ERROR)} ")
    if end.status is Status.RETRY:
        return end.detail
    return f"{end.status.value}: {end.detail}" if end.detail else end.status.value
