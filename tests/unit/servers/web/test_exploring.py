"""A page explores a text, and walks through the runs of its tests."""

from __future__ import annotations

from typing import Any

import pytest

from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.search.engine import limit_reached
from pitviper.servers.web.exploring import in_words

TEXT = """\
method abs(x: Int) returns (r: Int)
  ensures r >= 0
{
  r := x
  if (x < 0) {
    r := -x
  }
  assert r != 7
}
"""


def test_assertions_get_colours_and_failing_runs_are_replayed(server: Any) -> None:
    with server.page() as page:
        found = page.ask("explore", text=TEXT, path="a.vpr")
        colours = {place["text"]: place["colour"] for place in found["places"]}
        assert colours["r != 7"] == "red"
        assert [runs > 0 for line, runs in found["lines"] if line in (3, 5, 7)] == [True] * 3
        (method,) = found["methods"]
        assert method["claim"] == "fails"
        assert "<svg" in method["svg"]
        assert "<style" not in method["svg"]
        failing = next(test for test in found["tests"] if test["finding"])
        replay = page.ask("replay", test=failing["number"])
        assert replay["fails"]
        assert "r != 7" in replay["ending"]
        last = len(replay["steps"]) - 1
        assert dict(replay["steps"][last]["values"])["r"] == "7"
        assert page.ask("watch", step=last, expression="r + x * 0")["value"] == "7"
        assert page.ask("watch", step=last, expression="r +")["problem"]
        assert page.ask("watch", step=last + 99, expression="r")["kind"] == "failed"
        assert page.ask("replay", test=999)["kind"] == "failed"


def test_a_text_with_errors_is_not_run(server: Any) -> None:
    with server.page() as page:
        assert page.ask("replay", test=0)["kind"] == "failed"
        answer = page.ask("explore", text="method m( {", path="")
        assert "errors" in answer["message"]


@pytest.mark.parametrize(
    ("options", "done", "words"),
    [
        (SearchOptions(runs=9), (9, 0, 0), "9 runs"),
        (SearchOptions(nodes=7), (0, 7, 0), "7 attempts"),
        (SearchOptions(work=5), (0, 0, 5), "5 steps"),
        (SearchOptions(seconds=8), (0, 0, 0), "8 seconds"),
    ],
)
def test_a_limit_of_the_search_is_told_without_the_option_of_a_command(
    options: SearchOptions, done: tuple[int, int, int], words: str
) -> None:
    limit = limit_reached(options, *done, until=0.0)
    told = "the limit of the search was reached ({}), 2 paths are open"
    assert in_words(told.format(limit)) == told.format(words)
