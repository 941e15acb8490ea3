"""Explores a text for a page: colours of assertions, coverage, flow graphs, tests, replays."""

from __future__ import annotations

import re

from pitviper.base.record import replace, struct
from pitviper.base.usage_error import UsageError
from pitviper.driver.explore.explore import explore_loaded
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.explore.steps import walk_in
from pitviper.driver.explore.tests import chosen_tests, explorer_of
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.wizard.wizard import run_wizard
from pitviper.driver.work.stop import Stop
from pitviper.results.exploration import MethodExploration
from pitviper.results.steps import Step, Walk
from pitviper.results.testcase import TestCase
from pitviper.results.wizard import Colour, ColouredPlace, moment_of, worst_places
from pitviper.servers.web.messages import Data
from pitviper.servers.web.plain import Plainly
from pitviper.servers.web.worker import Say, Session
from pitviper.servers.work.imports import stamps_as_read
from pitviper.views.pictures.flow import picture_svg
from pitviper.views.remedies import with_remedies

SECONDS = 8.0
"""For the runs of one method: somebody waits."""
MOST_TESTS = 200


@struct
class _Kept:
    """What was explored last, with its tests and the replay that is looked at."""

    front: FrontEnd
    options: ExploreOptions
    plainly: Plainly
    tests: list[TestCase]
    walk: Walk | None = None


def explore(session: Session, request: Data, say: Say) -> Data:
    """Runs all methods, then asks verifier and runs together for the colours."""
    session.kept.pop("explored", None)  # that of another text
    path = session.path_of(request)
    plainly, options = Plainly(path), ExploreOptions()
    options = replace(options, search=replace(options.search, seconds=SECONDS))
    read = load_text(str(request["text"]), str(path))
    if read.program is None:
        raise UsageError("the program has errors: nothing was run")
    front, done = explore_loaded(read, options, _Teller(say))
    if done is None:
        raise UsageError(f"the program has errors: {front.errors[0].message}")
    kept = session.kept["explored"] = _Kept(front, options, plainly, [])
    explorer = explorer_of(front, options)
    try:
        for method in done.methods:
            kept.tests += chosen_tests(method, explorer)[: MOST_TESTS - len(kept.tests)]
    finally:
        explorer.close()
    say({"kind": "stage", "text": "asking the verifier and runs for colours"})
    seconds = request.get("seconds")
    limit = float(seconds) / 2 if isinstance(seconds, int | float) else 60.0
    report = run_wizard(read, options, VerifyOptions(timeout=limit))
    stamps = stamps_as_read(read.imports)
    if stamps is None:
        raise UsageError("an imported file has changed meanwhile: explore it again")
    shown = worst_places(report.places)
    return {
        "imports": [[str(path), stamp] for path, stamp in stamps.items()],
        "places": [{**_place(p, kept), "shown": p in shown} for p in report.places],
        "tests": [_test(number, test) for number, test in enumerate(kept.tests)],
        "lines": _lines(done.methods, str(front.source.path)),
        "methods": [_method(method, front) for method in done.methods],
        "skipped": [list(item) for item in done.skipped],
    }


class _Teller(Stop):
    def __init__(self, say: Say) -> None:
        super().__init__()
        self._say = say

    def begins(self, method: str, total: int) -> None:
        self._say({"kind": "stage", "text": f"running {method}"})


def _place(place: ColouredPlace, kept: _Kept) -> Data:
    test = place.test
    same = [n for n, t in enumerate(kept.tests) if test is not None and _is_alike(t, test)]
    return {
        "span": kept.plainly.place(place.span),
        "text": " ".join(place.span.text.split())[:120],
        "member": place.member,
        "error": place.error,
        "colour": place.colour.value,
        "why": ": ".join([part for part in (moment_of(place), _why(place)) if part]),
        "ways": place.ways,
        "left": place.left,
        "test": same[0] if same else None,
    }


def _is_alike(test: TestCase, other: TestCase) -> bool:
    return (test.method, test.finding, test.line) == (other.method, other.finding, other.line)


def _why(place: ColouredPlace) -> str:
    """What is missing for green, or who proved it."""
    match place.colour:
        case Colour.GREEN:
            spurious = "; the verifier alone did not see it" if place.spurious else ""
            return f"proved by {place.by or 'the verifier'}{spurious}"
        case Colour.RED:
            values = "" if place.test is None else _inputs(place.test)
            return f"fails for {values}" if values else "inputs make it fail"
        case Colour.UNREACHED:
            return "something before it fails"
        case Colour.YELLOW:
            reasons = with_remedies([place.doubt] if place.doubt else place.open, options=False)
            why = "; ".join(reasons) or f"{place.left} ways were not run to their end"
            passed = "" if place.doubt else " and passed"
            return f"{place.ways} runs came here{passed}; {in_words(why)}"


def _inputs(test: TestCase) -> str:
    return ", ".join(f"{name} = {value}" for name, value in test.inputs)


def _test(number: int, test: TestCase) -> Data:
    return {
        "number": number,
        "method": test.method,
        "status": test.status,
        "finding": test.finding,
        "line": test.line,
        "inputs": [f"{name} = {value}" for name, value in test.inputs],
    }


def _lines(methods: tuple[MethodExploration, ...], file: str) -> list[list[int]]:
    """Lines with code, from 0, and how many runs came to each."""
    found: dict[int, int] = {}
    for method in methods:
        for count in method.lines:
            if count.file == file:
                found[count.line - 1] = found.get(count.line - 1, 0) + count.runs
    return [[line, runs] for line, runs in sorted(found.items())]


def _method(method: MethodExploration, front: FrontEnd) -> Data:
    """`own` says that its lines are those of the text that is shown, not of an imported file."""
    assert front.program is not None
    declared = front.program.methods[method.method].span.file.path
    return {
        "method": method.method,
        "claim": method.claim.value,
        "runs": sum(method.counts.values()),
        "covered": list(method.coverage),
        "open": [in_words(text) for text in with_remedies(method.open, options=False)],
        "svg": None if method.picture is None else _STYLE.sub("", picture_svg(method.picture)),
        "own": declared == front.source.path,
    }


_STYLE = re.compile(r"<style>.*?</style>\n?", re.DOTALL)
"""The page has colours of its own, and its policy takes no others."""


# ---------------------------------------------------------------- replays


def replay(session: Session, request: Data, _: Say) -> Data:
    """All steps of a test's run."""
    kept, number = _explored(session), request["test"]
    if not isinstance(number, int) or number >= len(kept.tests):
        raise UsageError(f"there is no test {number}")
    kept.walk = walk_in(kept.tests[number], kept.front, kept.options)
    walk = kept.walk
    return {
        "steps": [_step(step, kept.plainly) for step in walk.steps],
        "ending": walk.ending.text,
        "fails": walk.ending.failure is not None,
    }


def _step(step: Step, plainly: Plainly) -> Data:
    return {
        "method": step.method,
        "span": plainly.place(step.span),
        "depth": len(step.stack),
        "values": [list(pair) for pair in step.values],
        "cells": [list(cell) for cell in step.cells],
    }


def watch(session: Session, request: Data, _: Say) -> Data:
    """The value of an expression at a step of the replay."""
    walk, step = _explored(session).walk, request["step"]
    if walk is None or not isinstance(step, int) or step >= len(walk.steps):
        raise UsageError("there is no such step")
    found = walk.evaluate(str(request["expression"]), step)
    return {"value": found.value, "problem": found.problem}


def _explored(session: Session) -> _Kept:
    kept = session.kept.get("explored")
    if not isinstance(kept, _Kept):
        raise UsageError("nothing was explored yet")
    return kept


_UNITS = {"seconds": "seconds", "runs": "runs", "nodes": "attempts", "work": "steps"}
"""What the limits of a search count, by their options."""


def in_words(text: str) -> str:
    """A limit of the search without the option of a command line that sets it."""
    return re.sub(r"\(--(\w+) ([\d.]+)\)", lambda limit: f"({limit[2]} {_UNITS[limit[1]]})", text)
