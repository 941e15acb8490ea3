"""One problem as text: what is wrong, where, what belongs to it, what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pitviper.base.record import replace
from pitviper.results.finding import Condition
from pitviper.results.report import Problem
from pitviper.results.verdict import Undecided
from pitviper.source.diagnostic import Related, Severity
from pitviper.source.span import Span
from pitviper.views.paths import display_path
from pitviper.views.terminal.excerpt import Mark, Page, excerpt, gutter_width
from pitviper.views.terminal.paragraph import paragraph, words_of
from pitviper.views.terminal.style import ELLIPSIS, Style, linked, visible

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
    for remark in _remarks(problem):
        lines += _below(Style.NOTE, "note:", remark, page)
    if problem.help is not None:
        lines += _below(Style.HELP, "help:", words_of(visible(problem.help)), page)
    return "\n".join(lines)


def _below(style: Style, label: str, words: Iterable[str], page: Page) -> list[str]:
    """A remark below an excerpt: further lines begin where the first one begins behind its label.

    A label is as long as any other.
    """
    lead = 2 + len(label) + 1
    first, *others = paragraph(words, page.columns, lead)
    return [f"  {page.paint(style, label)} {first}", *[" " * lead + line for line in others]]


def told_once(problems: Iterable[Problem]) -> list[Problem]:
    """Problems of a rejected file, those with the same words only once: further places are a note.

    An undeclared field is as wrong at its last use as at its first.
    """
    found: dict[tuple[object, ...], list[Problem]] = {}
    for problem in problems:
        alone = problem.span is None or problem.related or problem.help is None
        words = (problem.id, problem.message, problem.help, problem.span and problem.span.file)
        found.setdefault((id(problem),) if alone else words, []).append(problem)
    told = [replace(each[0], notes=(*each[0].notes, *_further(each))) for each in found.values()]
    return helped_once(told)


def helped_once(problems: Iterable[Problem]) -> list[Problem]:
    """Problems of a member, where the same help is repeated by a word about the first one."""
    told: dict[str, Problem] = {}
    shown = list[Problem]()
    for problem in problems:
        first = None if problem.help is None else told.setdefault(problem.help, problem)
        again = first is not None and first is not problem and len(first.help or "") > SHORT_HELP
        shown.append(replace(problem, help=_as_above(first)) if first and again else problem)
    return shown


SHORT_HELP = 60
"""Characters of a help that may as well be said again."""


def _as_above(first: Problem) -> str:
    """`what is said above about line 7 cures this as well`."""
    where = "" if first.span is None else f" about line {first.span.line}"
    if first.help is not None and first.help.endswith("verifies"):
        return f"what is said above{where} cures this as well"
    return f"the same as above{where}"


def _further(problems: list[Problem]) -> list[str]:
    """`the same again in this line`, `the same in lines 4, 5 and 6`, for all but the first."""
    first, *others = dict.fromkeys([problem.span for problem in problems])
    lines_of_others = [span.line for span in others if span is not None]
    own = None if first is None else first.line
    again = ["the same again in this line"] if own in lines_of_others else []
    lines = dict.fromkeys(str(line) for line in lines_of_others if line != own)
    *some, last = lines or [""]
    shown = f"lines {', '.join(some)} and {last}" if some else f"line {last}"
    return [*again, f"the same in {shown}"] if lines else again


def undecided_text(point: Undecided, page: Page) -> str:
    """The paragraph for a place about which nothing is known."""
    kind = page.paint(Style.WARNING, "undecided")
    said = shortened(visible(point.message))
    mark = Mark(point.span, "^", Style.WARNING)
    return "\n".join(
        [f"{kind}: {page.paint(Style.TITLE, said)}", *_located(point.span, (mark,), page)]
    )


def _header(problem: Problem, page: Page) -> str:
    """`error[ID]: MESSAGE`; the place follows in a line of its own."""
    shown = problem.id
    if page.links:
        from pitviper.views.ids import meaning_uri  # for terminals only

        shown = linked(problem.id, meaning_uri(problem.id))
    word = problem.severity.value
    kind = page.paint(_STYLES[problem.severity], f"{word}[{shown}]")
    title = _PLACES.sub("", shortened(visible(problem.title)))
    if not page.broken:
        return f"{kind}: {page.paint(Style.TITLE, title)}"
    label = f"{word}[{problem.id}]:"
    first, *others = paragraph([label, *words_of(title)], page.columns, INDENT)
    told = [first.removeprefix(label).lstrip(), *others]
    shown_lines = [page.paint(Style.TITLE, line) if line else "" for line in told]
    return f"\n{' ' * INDENT}".join([f"{kind}: {shown_lines[0]}".rstrip(), *shown_lines[1:]])


_PLACES = re.compile(r"(?<=`) at \S+@\d+\.\d+ and at \S+@\d+\.\d+$")
"""The two places of a name that is declared twice: the excerpt shows them."""

INDENT = 2
"""Spaces in front of further lines of a headline."""


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


MOST_CONDITIONS = 6
"""Decisions that are shown; the last ones, because those are nearest to the problem."""
LONGEST_CONDITION = 80


def path_remarks(problem: Problem) -> list[str]:
    """What to say below the place of a problem, in whole lines without markup."""
    return [" ".join(words) for words in _remarks(problem)]


def _remarks(problem: Problem) -> list[list[str]]:
    """The same as words, of which a condition or a permission is one: no line ends within it."""
    remarks = [words_of(visible(note)) for note in problem.notes]
    if problem.conditions:
        *some, last = _conditions(problem)
        words = [word for condition in some for word in (condition, "and")]
        others = _others(problem.other_paths).split(" ")
        remarks.append(["on", "the", "path", "where", *words, last + others[0], *others[1:]])
    if problem.held:
        *parts, end = [visible(held) for held in problem.held]
        remarks.append(["held", "here:", *[f"{part}," for part in parts], end])
    return remarks


def _conditions(problem: Problem) -> list[str]:
    shown = problem.conditions[-MOST_CONDITIONS:]
    more = len(problem.conditions) - len(shown)
    texts = [_condition(condition, problem.span) for condition in shown]
    return [f"{more} more decisions", *texts] if more > 1 else _all(problem, texts)


def _all(problem: Problem, texts: list[str]) -> list[str]:
    """With the first one as well, where it would be the only one left out."""
    first = problem.conditions[: len(problem.conditions) - len(texts)]
    return [*[_condition(condition, problem.span) for condition in first], *texts]


def _condition(condition: Condition, near: Span | None) -> str:
    text = visible(" ".join(condition.holds.split()))
    if len(text) > LONGEST_CONDITION:
        half = LONGEST_CONDITION // 2
        text = f"{text[:half]}{ELLIPSIS}{text[-half:]}"
    used = "" if condition.used is None else f", used at {_line(condition.used, near)}"
    return f"{text} ({_line(condition.span, near)}{used})"


def _line(span: Span, near: Span | None) -> str:
    same = near is not None and span.file is near.file
    return f"line {span.line}" if same else f"{visible(span.file.name)}, line {span.line}"


def _others(paths: int) -> str:
    match paths:
        case 0:
            return ""
        case 1:
            return ", and on 1 other path"
        case _:
            return f", and on {paths} other paths"
