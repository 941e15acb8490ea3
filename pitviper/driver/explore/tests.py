"""Keeps runs as tests: files to replay, Viper methods with the inputs in them, tests for pytest."""

from __future__ import annotations

import os.path
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.base.file import write_file
from pitviper.base.record import replace
from pitviper.base.usage_error import UsageError
from pitviper.driver.explore.explore import Explorer, with_functions
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd, load
from pitviper.driver.verify.completion import runnable
from pitviper.engines.explore.options import Calls, Loops, ModelOptions
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import Run, RunLimits
from pitviper.engines.explore.search.engine import Node, execute
from pitviper.engines.explore.viper.calls import entry_name
from pitviper.results.exploration import MethodExploration, Replayed
from pitviper.results.testcase import (
    BadTestCase,
    TestCase,
    digest_of,
    read_test_case,
    write_test_case,
)
from pitviper.source.reading import read_bytes


def chosen_tests(done: MethodExploration, explorer: Explorer) -> list[TestCase]:
    """One test for each different failure, and for each run that covers something new.

    Runs are made again for that, in their order: whoever made them, the tests are the same.
    """
    return run_deep(lambda: _chosen(done, explorer))


def _chosen(done: MethodExploration, explorer: Explorer) -> list[TestCase]:
    found: list[TestCase] = []
    failures: dict[tuple[str, int], None] = {}
    seen: set[Hashable] = set()
    for test in [run.test for run in done.runs if run.test is not None]:
        failure = (test.finding, test.line)
        if test.finding and failure in failures:
            continue
        run = assigned_run(test, explorer)
        execute(explorer.code, entry_name(test.method), run)
        new = {*run.coverage.instructions, *run.coverage.edges} - seen
        if test.finding:
            failures[failure] = None
        if test.finding or new:
            found.append(test)
            seen |= new
    return found


def save_tests(folder: Path, done: MethodExploration, explorer: Explorer) -> list[Path]:
    """Write tests of a method; UsageError where that cannot be done."""
    return write_tests(folder, chosen_tests(done, explorer))


def write_tests(folder: Path, tests: Sequence[TestCase]) -> list[Path]:
    """Write tests into a folder, numbered by method; UsageError where that cannot be done."""
    written = []
    numbers: Counter[str] = Counter()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for test in tests:
            numbers[test.method] += 1
            number = numbers[test.method]
            path = folder / f"{test.method}-{number}-{_word(test)}.json"
            write_file(path, write_test_case(_relative(test, folder)))
            written.append(path)
        if written:
            _write_pytest(folder)
    except OSError as error:
        raise UsageError(f"cannot write tests to {folder}: {error.strerror}") from error
    return written


def _word(test: TestCase) -> str:
    return re.sub(r"\W+", "-", test.finding or test.status)


def _relative(test: TestCase, folder: Path) -> TestCase:
    """The program as seen from the folder of the test, so that both can be moved together."""
    return replace(test, program=os.path.relpath(test.program, folder))


PYTEST = '''"""Replays the tests that `pitviper explore --save-tests` wrote here."""

from pathlib import Path

import pytest

import pitviper

TESTS = sorted(Path(__file__).parent.glob("*.json"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.stem)
def test_replay(path: Path) -> None:
    result = pitviper.replay(path)
    if result.status == "assumption not met":
        pytest.skip("the program no longer admits these inputs")
    assert result.status == "passed", f"{result.finding} in line {result.line}: {result.message}"
'''


def _write_pytest(folder: Path) -> None:
    write_file(folder / "test_replay.py", PYTEST)


def load_test(path: Path) -> tuple[TestCase, Path]:
    """A test and the program it is about; UsageError where one cannot be read."""
    try:
        test = read_test_case(read_bytes(path).decode())
    except (BadTestCase, UnicodeDecodeError) as error:
        raise UsageError(f"cannot use {path}: {error}") from error
    return test, (path.parent / test.program).resolve()


def options_of(test: TestCase, given: ExploreOptions | None) -> ExploreOptions:
    """As when the test was kept; the language and its library are as given now."""
    options = ExploreOptions() if given is None else given
    try:
        model = ModelOptions(Loops(test.loops), Calls(test.calls), test.exact_amounts)
    except ValueError as error:
        raise UsageError(f"cannot replay the test: {error}") from error
    search = options.search
    if test.limits is not None:
        search = replace(search, limits=RunLimits(*test.limits))
    return replace(options, methods=(test.method,), model=model, search=search)


def opened_program(
    test: TestCase, program: Path, given: ExploreOptions | None = None
) -> tuple[FrontEnd, Explorer]:
    """The program of a test, ready to run it; UsageError where it cannot be."""
    options = options_of(test, given)
    front = runnable(load(program, options.check, options.library))
    if front.program is None:
        first = front.errors[0]
        where = "" if first.span is None else f" (line {first.span.line})"
        raise UsageError(f"{program} is no accepted program: {first.message}{where}")
    front = with_functions(front, (test.method,))
    assert front.program is not None
    if test.method not in front.program.methods:
        raise UsageError(f"{program} has no method {test.method}, which the test is for")
    if front.program.methods[test.method].body is None:
        raise UsageError(f"method {test.method} of {program} has no body")
    return front, Explorer(front.program, test.program, options)


def explorer_of(front: FrontEnd, options: ExploreOptions) -> Explorer:
    """For all members of a program, as they were explored."""
    assert front.program is not None
    return Explorer(front.program, str(front.source.path), replace(options, methods=()))


def replay(path: Path, options: ExploreOptions | None = None) -> Replayed:
    """Run a test again."""
    test, program = load_test(path)
    _, explorer = opened_program(test, program, options)
    return run_deep(lambda: _replay(test, explorer))


def _replay(test: TestCase, explorer: Explorer) -> Replayed:
    run = assigned_run(test, explorer)
    status, site, detail = execute(explorer.code, entry_name(test.method), run)
    node = Node(0, None, None, status, site, detail, run)
    record = explorer.recorder(test.method).record(node)
    text = explorer.program.methods[test.method].span.file.text
    changed = bool(test.digest) and test.digest != digest_of(text)
    if record.finding is None:
        return Replayed(test, status.value, message=detail, run=record, changed=changed)
    found = record.finding
    where = (found.id, found.span.line, found.message)
    return Replayed(test, status.value, *where, record, changed)


def assigned_run(test: TestCase, explorer: Explorer) -> Run:
    """A run that takes its values from the test."""
    limits = explorer.options.search.limits
    assignment = Assignment(test.values, test.tables)
    return Run(explorer.code.model, assignment, limits, given=1 << 60)
