"""One problem as text: what is wrong, where, what belongs to it, what to do."""

from __future__ import annotations

import re

from pitviper.results.member import Undecided
from pitviper.results.report import Problem
from pitviper.results.wording import readable_place
from pitviper.source.diagnostic import Related, Severity
from pitviper.source.span import Span
from pitviper.views.paths import display_path
from pitviper.views.terminal.cells import ELLIPSIS, visible
from pitviper.views.terminal.excerpt import Mark, Page, excerpt, gutter_width
from pitviper.views.terminal.path import path_remarks
from pitviper.views.terminal.style import Style

LONGEST_WORD = 200
"""A message may quote a name of the program, and a name may be a megabyte long."""

_OVERLONG = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")

_STYLES = {Severity.ERROR: Style.ERROR, Severity.WARNING: Style.WARNING}


def problem_text(problem: Problem, page: Page) -> str:
    """The paragraph for one problem, without an empty line behind it."""
    lines = [_header(problem, page)]
    events = tuple(Related(event.span, event.text) for event in problem.history)
    places = (*problem.related, *events)
    here = tuple(r for r in places if _same_file(r, problem.span))
    if problem.span is not None:
        marks = (Mark(problem.span, "^", _STYLES[problem.severity]), *map(_related_mark, here))
        lines += _located(problem.span, marks, page)
    for related in places:
        if related not in here:
            lines += _note(related, page)
    note = page.paint(Style.NOTE, "note:")
    lines += [f"  {note} {remark}" for remark in path_remarks(problem)]
    if problem.help is not None:
        lines.append(f"  {page.paint(Style.HELP, 'help:')} {visible(problem.help)}")
    return "\n".join(lines)


def undecided_text(point: Undecided, page: Page) -> str:
    """The paragraph for a place about which nothing is known."""
    kind = page.paint(Style.WARNING, "undecided")
    said = f"{shortened(visible(point.message))} ({readable_place(point.span)})"
    mark = Mark(point.span, "^", Style.WARNING)
    return "\n".join(
        [f"{kind}: {page.paint(Style.TITLE, said)}", *_located(point.span, (mark,), page)]
    )


def _header(problem: Problem, page: Page) -> str:
    """`error[ID]: MESSAGE (file.vpr@3.5--3.9)`: after the id, the message as Viper prints it."""
    kind = page.paint(_STYLES[problem.severity], f"{problem.severity.value}[{problem.id}]")
    return f"{kind}: {page.paint(Style.TITLE, shortened(visible(problem.readable)))}"


def shortened(text: str) -> str:
    """The text with only the two ends of overlong words."""
    half = LONGEST_WORD // 2
    return _OVERLONG.sub(lambda word: f"{word[0][:half]}{ELLIPSIS}{word[0][-half:]}", text)


def _same_file(related: Related, span: Span | None) -> bool:
    return span is not None and related.span.file is span.file


def _related_mark(related: Related) -> Mark:
    return Mark(related.span, "-", Style.NOTE, shortened(related.message))


def _note(related: Related, page: Page) -> list[str]:
    title = f"  {page.paint(Style.NOTE, 'note:')} {shortened(visible(related.message))}"
    mark = Mark(related.span, "-", Style.NOTE)
    return [title, *_located(related.span, (mark,), page)]


def _located(span: Span, marks: tuple[Mark, ...], page: Page) -> list[str]:
    """The place in the form that terminals and editors open at a click, then the excerpt."""
    gutter = gutter_width(marks)
    line, column = span.start_position
    arrow = page.paint(Style.GUTTER, " " * gutter + "-->")
    place = f"{arrow} {visible(display_path(span.file.path))}:{line}:{column}"
    return [place, *excerpt(span.file, marks, page, gutter)]
