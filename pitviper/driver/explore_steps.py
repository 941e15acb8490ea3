"""Runs a test and keeps every step of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from pitviper.driver.deep_stack import run_deep
from pitviper.driver.explore import Explorer
from pitviper.driver.explore_tests import explorer_for, load_test
from pitviper.explore.adapters.viper_call import entry_name
from pitviper.explore.compile import Code
from pitviper.explore.engine import execute
from pitviper.explore.inputs import finding_of, shown
from pitviper.explore.runtime.heap import Heap
from pitviper.explore.runtime.run import Assignment, Run, RunLimits, Status
from pitviper.explore.runtime.value import Value, plain
from pitviper.results.steps import Step, Walk
from pitviper.results.testcase import TestCase

MOST = 5_000
"""Steps that are kept; a longer run is kept as far as that."""


def walk_of(path: Path) -> Walk:
    """The run of a test, to be walked through; UsageError where the test cannot be read."""
    test, program = load_test(path)
    explorer = explorer_for(test, program)
    return run_deep(lambda: _walk(test, explorer))


def _walk(test: TestCase, explorer: Explorer) -> Walk:
    assignment = Assignment(test.values, test.tables)
    run = _Recording(explorer.code, assignment, explorer.options.search.limits)
    status, site, detail = execute(explorer.code, entry_name(test.method), run)
    ending = f"{status.value}: {detail}" if detail else status.value
    if status is Status.FAILED and site is not None:
        finding = finding_of(explorer.code.model, site)
        if finding is not None:
            ending = f"failed: {finding.message}"
    return Walk(tuple(run.kept_steps), ending)


class _Recording(Run):
    """A run that looks at the variables of the compiled function before each instruction."""

    def __init__(self, code: Code, assignment: Assignment, limits: RunLimits) -> None:
        super().__init__(code.model, assignment, limits, given=1 << 60)
        self._code = code
        self.kept_steps: list[Step] = []
        self._lines: list[int] = []
        self._last: tuple[str, int, int] = ("", 0, 0)

    def enter(self, method: str) -> None:
        super().enter(method)
        self._lines.append(0)

    def leave(self, method: str) -> None:
        super().leave(method)
        self._lines.pop()

    def instruction(self, index: int) -> None:
        super().instruction(index)
        if " " in self.method or len(self.kept_steps) >= MOST:
            return
        span = self.model.methods[self.method].instructions[index].span
        key = (self.method, span.start, len(self._lines))
        if key == self._last or span.text.lstrip().startswith("method"):
            return
        self._last = key
        self._lines[-1] = span.line
        names = self._code.names[self.method]
        inside = sys._getframe(1).f_locals
        self.kept_steps.append(
            Step(self.method, span, self._stack(), _values(names, inside), _cells(names, inside))
        )

    def _stack(self) -> tuple[tuple[str, int], ...]:
        methods = [*self.frames[1:], self.method]
        pairs = zip(methods, self._lines, strict=True)
        return tuple([(m, line) for m, line in pairs if " " not in m])


def _values(names: Mapping[str, str], inside: Mapping[str, Value]) -> tuple[tuple[str, str], ...]:
    found = []
    for name, place in names.items():
        value = inside.get(place)
        if not name.startswith("$") and value is not None:
            found.append((name, shown(value)))
    return tuple(found)


def _cells(
    names: Mapping[str, str], inside: Mapping[str, object]
) -> tuple[tuple[str, str, str], ...]:
    heap = inside.get(names.get("$heap", ""))
    if not isinstance(heap, Heap):
        return ()
    found = []
    for (number, field), cell in sorted(heap.cells.items()):
        place = f"object{number}" if number > 0 else f"new{-number}"
        found.append((f"{place}.{field}", str(plain(cell.amount)), shown(cell.value)))
    for predicate in sorted(heap.instances):
        for instance in heap.instances[predicate]:
            args = ", ".join(map(shown, instance.args))
            found.append((f"{predicate}({args})", str(plain(instance.amount)), ""))
    return tuple(found)
