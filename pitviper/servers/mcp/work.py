"""The process of one question of an agent: a request on standard input, the answer on output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.checking.imports import LIBRARY
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.driver.counterexample.search import counterexamples
from pitviper.driver.debug.cursor import record_member
from pitviper.driver.explore.explore import explore_loaded
from pitviper.driver.explore.options import ExploreOptions, SearchOptions
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.verify import diagnosed, member_at, open_verifier
from pitviper.results.report import Problem, problems_of_outcome
from pitviper.source.reading import confine_imports, decode
from pitviper.views.json.counterexamples import result_object
from pitviper.views.json.cursor import states_object
from pitviper.views.json.exploration import failing_run_object
from pitviper.views.json.lines import Json, JsonObject

MOST = 20
"""Problems, states and instances of one answer: agents read what they are given."""

Request = dict[str, object]


def main() -> None:
    """Answers one question; what is wrong with it is an answer, too."""
    request = json.loads(sys.stdin.readline())
    confine_imports((Path(str(request["root"])), LIBRARY))
    try:
        answer = ANSWERS[str(request["tool"])](request)
    except UsageError as error:
        answer = {"error": str(error)}
    sys.stdout.write(json.dumps(answer) + "\n")


def _front(request: Request) -> FrontEnd:
    text = request.get("text")
    if isinstance(text, str):
        return load_text(text, str(Path(str(request["root"])) / "text.vpr"))
    return load(Path(str(request["path"])))


def _words(request: Request, name: str) -> tuple[str, ...]:
    given = request.get(name)
    return tuple(str(word) for word in given) if isinstance(given, list) else ()


def _number(request: Request, name: str, default: int) -> int:
    given = request.get(name)
    return given if isinstance(given, int) else default


def _problem(problem: Problem) -> JsonObject:
    line, column = (0, 0) if problem.span is None else problem.span.start_position
    return {
        "id": problem.id,
        "line": line,
        "column": column,
        "message": problem.message,
        "member": problem.member,
        "cure": problem.help,
        "path": [condition.holds for condition in problem.conditions],
    }


def check(request: Request) -> JsonObject:
    """Whether a program is well-typed, and what is wrong with it."""
    front = _front(request)
    problems = [_problem(p) for p in diagnosed(front, front.diagnostics)]
    return {"accepted": front.accepted, "problems": [*problems[:MOST]]}


def verify(request: Request) -> JsonObject:
    """What is proved, what fails, what is open; with `infer`, ghost statements that help."""
    front = _front(request)
    seconds = float(_number(request, "seconds", 60))
    options = VerifyOptions(
        timeout=seconds,
        select=_words(request, "members"),
        infer_ghost=request.get("tool") == "suggest",
        backend=str(request.get("backend") or "symbolic"),
    )
    with open_verifier(options, how=RunOptions(jobs=1)) as verifier:
        done = verifier.verify(front)
    outcomes = list(done.members.values())
    problems = [_problem(p) for p in diagnosed(front, done.diagnostics)]
    problems += [_problem(p) for outcome in outcomes for p in problems_of_outcome(outcome)]
    undecided: list[Json] = [
        {"line": point.span.line, "message": point.message}
        for outcome in outcomes
        for point in outcome.undecided
    ]
    inferred: list[Json] = [
        {"statement": step.written, "where": step.where, "line": step.span.line}
        for outcome in outcomes
        for step in outcome.inferred
    ]
    return {
        "verdict": done.verdict.value,
        "members": {outcome.name: outcome.verdict.value for outcome in outcomes},
        "problems": [*problems[:MOST]],
        "undecided": undecided[:MOST],
        "inferred": inferred,
    }


def state(request: Request) -> JsonObject:
    """The symbolic states at a place."""
    front = _front(request)
    line, column = _number(request, "line", 1), _number(request, "column", 1)
    if not 1 <= line <= front.source.line_count:
        raise UsageError(f"there is no line {line}")
    longest = len(front.source.line_text(line)) + 1
    offset = front.source.offset(line, max(1, min(column, longest)))
    name = member_at(front, offset)
    if front.program is None or name is None:
        raise UsageError("the program has errors" if name else "no member stands there")
    record = record_member(front, name, VerifyOptions(timeout=60.0))
    if record is None:
        raise UsageError(f"nothing is verified in {name}")
    return states_object(record.at(offset))


def counterexample(request: Request) -> JsonObject:
    """Small states in which failed checks fail."""
    text = request.get("text")
    root = Path(str(request["root"]))
    given = Path(str(request["path"]))
    file = decode(root / "text.vpr", text.encode()) if isinstance(text, str) else given
    options = VerifyOptions(timeout=60.0, select=_words(request, "members"))
    found = counterexamples(file, CounterexampleOptions(), options)
    if found.front.program is None:
        raise UsageError("the program has errors: use check")
    if found.rejected:
        raise UsageError(found.rejected[0].message)
    results: list[Json] = [result_object(result) for result in found.results[:5]]
    return {"failed": found.failed, "results": results, "stopped": found.stopped}


def explore(request: Request) -> JsonObject:
    """Inputs on which methods fail when they are run."""
    seconds = float(_number(request, "seconds", 20))
    search = SearchOptions(seconds=seconds)
    options = ExploreOptions(methods=_words(request, "members"), search=search)
    front, done = explore_loaded(_front(request), options)
    if done is None:
        problems = diagnosed(front, front.diagnostics)
        raise UsageError(problems[0].message if problems else "the program has errors")
    failing: list[Json] = [
        failing_run_object(run, method.method) for method in done.methods for run in method.failures
    ]
    return {"failing": failing[:MOST], "methods": [method.method for method in done.methods]}


ANSWERS: dict[str, Callable[[Request], JsonObject]] = {
    "check": check,
    "verify": verify,
    "suggest": verify,
    "state": state,
    "counterexample": counterexample,
    "explore": explore,
}

if __name__ == "__main__":
    main()
