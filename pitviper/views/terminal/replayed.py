"""What became of a kept test, as text."""

from __future__ import annotations

from pitviper.driver.explore.tests import Replayed
from pitviper.results.report import problem_of_finding
from pitviper.views.terminal.cells import visible
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.problem import problem_text
from pitviper.views.terminal.style import Style


def replayed_text(done: Replayed, page: Page) -> str:
    """How the run ends now, what fails in it, and how it ended before if that was otherwise."""
    what = f" with {done.finding} in line {done.line}" if done.finding else ""
    detail = f" ({visible(done.message)})" if done.message and not done.finding else ""
    style = Style.HELP if done.as_expected else Style.ERROR
    status = page.paint(style, done.status)
    lines = [f"method {visible(done.test.method)}: {status}{what}{detail}"]
    if done.run is not None and done.run.finding is not None:
        lines.append(problem_text(problem_of_finding(done.run.finding), page))
    if not done.as_expected:
        lines.append(f"  it was kept as: {_before(done)}")
    if done.changed:
        note = page.paint(Style.NOTE, "note:")
        lines.append(f"  {note} the program has another text than the one the test was made for")
    return "\n".join(lines) + "\n"


def _before(done: Replayed) -> str:
    test = done.test
    return f"{test.status} with {test.finding} in line {test.line}" if test.finding else test.status
