"""The process beside the editor for what takes longer: counterexamples, colours of assertions.

A request on standard input, one line on output. `colours` is verifier and exploration together
(the wizard), `counterexample` has small states in which failed checks fail, with their pictures.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import cast

from pitviper.base.usage_error import UsageError
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.driver.counterexample.search import counterexamples
from pitviper.driver.explore.options import ExploreOptions, SearchOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.completion import runnable
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.wizard.marks import marked_text
from pitviper.driver.wizard.wizard import run_wizard
from pitviper.results.counterexample import Counterexample, Result
from pitviper.results.heap_graph import graph_of
from pitviper.results.wizard import Colour, ColouredPlace, moment_of, worst_places
from pitviper.servers.lsp.protocol.problems import place_data
from pitviper.servers.work.choices import open_imports
from pitviper.source.reading import decode, unsaved
from pitviper.views.json.lines import JsonObject
from pitviper.views.pictures.graphviz import svg_element
from pitviper.views.pictures.heap import THEMES, dot_text
from pitviper.views.remedies import with_remedies
from pitviper.views.terminal.counterexample import resolved_lines

MOST = 5
"""Counterexamples of one answer."""

Request = dict[str, object]


def main() -> None:
    """Answers one request; what is wrong with it is an answer, too."""
    request = json.loads(sys.stdin.readline())
    try:
        with unsaved(open_imports(request)):
            answer = _colours(request) if request["what"] == "colours" else _counterexample(request)
    except UsageError as error:
        answer = {"error": str(error)}
    sys.stdout.write(json.dumps(answer) + "\n")


def _members(request: Request) -> tuple[str, ...]:
    given = request.get("members")
    return tuple(str(name) for name in given) if isinstance(given, list) else ()


def _seconds(request: Request) -> float:
    given = request.get("seconds")
    return float(given) if isinstance(given, int | float) else 20.0


def _colours(request: Request) -> JsonObject:
    front = runnable(load_text(str(request["text"]), str(request["path"])))
    if front.program is None:
        raise UsageError("the program has errors")
    search = SearchOptions(seconds=_seconds(request))
    options = ExploreOptions(methods=_members(request), search=search)
    report = run_wizard(front, options, VerifyOptions(timeout=4 * _seconds(request)))
    marked = front.source.text
    if front.language is None:
        marked = marked_text(front.source, front.program, report.assumed)
    return {
        "places": [_place(place, report.places) for place in worst_places(report.places)],
        "marked": None if marked == front.source.text else marked,
    }


def _place(place: ColouredPlace, places: tuple[ColouredPlace, ...]) -> JsonObject:
    """A text with the worst colour, and all that is said about it."""
    about = [place, *[other for other in places if other.span == place.span and other != place]]
    said = dict.fromkeys([": ".join(filter(None, (moment_of(p), _said(p)))) for p in about])
    return {
        "place": cast("JsonObject", place_data(place.span)),
        "member": place.member,
        "colour": place.colour.value,
        "message": "; ".join(said),
    }


def _said(place: ColouredPlace) -> str:
    match place.colour:
        case Colour.GREEN:
            return f"proved by {place.by}" if place.by else "proved"
        case Colour.RED:
            inputs = {} if place.test is None else dict(place.test.inputs)
            values = ", ".join(f"{name} = {value}" for name, value in inputs.items())
            doubt = f" ({place.doubt})" if place.doubt else ""
            return (f"fails for {values}" if values else "fails") + doubt
        case Colour.UNREACHED:
            return "something before it fails"
        case Colour.YELLOW:
            reasons = with_remedies([place.doubt] if place.doubt else place.open, options=False)
            why = f": {', '.join(reasons)}" if reasons else ""
            return f"neither proved nor refuted; {place.ways} runs came here{why}"


def _counterexample(request: Request) -> JsonObject:
    file = decode(Path(str(request["path"])), str(request["text"]).encode("utf-8", "surrogatepass"))
    options = VerifyOptions(timeout=60.0)
    found = counterexamples(file, CounterexampleOptions(select=_members(request)), options)
    if found.front.program is None or found.rejected:
        raise UsageError("the program has errors")
    return {
        "failed": found.failed,
        "stopped": found.stopped,
        "results": [_result(result) for result in found.results[:MOST]],
    }


def _result(result: Result) -> JsonObject:
    title = f"{result.member}, line {result.span.line}: {result.finding}"
    is_one = isinstance(result, Counterexample)
    return {
        "title": title,
        "found": is_one,
        "line": result.span.line,
        "lines": list(resolved_lines(result)),
        "picture": _picture(result) if isinstance(result, Counterexample) else None,
    }


def _picture(result: Counterexample) -> str | None:
    """The heap graph, where the library that draws is installed."""
    try:
        return svg_element(dot_text(graph_of(result), THEMES["light"]), {})
    except ImportError:
        return None


if __name__ == "__main__":
    main()
