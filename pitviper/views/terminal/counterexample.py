"""Counterexamples in the terminal: text tables, or the two forms that users of Viper know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pitviper.base.qualified import short_name
from pitviper.results.counterexample import (
    Absence,
    Counterexample,
    HeapState,
    NoCounterexample,
    Result,
    Shown,
    Standing,
)
from pitviper.results.wording import kind_text
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.paragraph import folded
from pitviper.views.terminal.style import Painter, Style
from pitviper.views.terminal.suite import table_lines

MOST_REASONS = 12
MOST_DOUBTS = 6


def result_lines(result: Result, page: Page) -> list[str]:
    """Sentences are broken into lines where people read them, tables are as wide as they are."""
    if isinstance(result, NoCounterexample):
        return _sentences(_none(result, page.paint), page)
    return [
        *_sentences([_headline(result, page.paint)], page),
        *_tables(result),
        *_sentences(_known(result, page.paint), page),
    ]


def _sentences(lines: Iterable[str], page: Page) -> list[str]:
    return [
        part for line in lines for part in (folded(line, page.columns) if page.broken else [line])
    ]


# ---------------------------------------------------------------- an instance


_ARTICLES = {"counterexample": "a", "example": "an"}


def _headline(result: Counterexample, paint: Painter) -> str:
    what = "counterexample" if result.finding is not None else "example"
    style = Style.WARNING if result.standing is Standing.CANDIDATE else Style.TITLE
    title = (
        what
        if result.standing is not Standing.CANDIDATE
        else f"candidate for {_ARTICLES[what]} {what}"
    )
    return f"{paint(style, f'{title} {result.number}')} in {result.member}: {result.caption}"


def _tables(result: Counterexample) -> Iterator[str]:
    focus = result.focus
    if result.variables:
        rows = [
            [_mark(v.name in focus.variables), v.name, v.type, _value(v.value)]
            for v in result.variables
        ]
        yield from _table(("", "variable", "type", "value"), rows)
    for heap in result.heaps:
        yield from _heap(heap, result)
    if result.functions:
        rows = [["", f.text, _value(f.value)] for f in result.functions]
        yield from _table(("", kind_text("function", result.span), "value"), rows)


def _known(result: Counterexample, paint: Painter) -> Iterator[str]:
    """What was confirmed of an instance, and what could not be."""
    for text in result.confirmed:
        yield f"  {paint(Style.HELP, 'confirmed')}: {text}"
    for text in result.doubts[:MOST_DOUBTS]:
        yield f"  {paint(Style.WARNING, 'not confirmed')}: {text}"
    if len(result.doubts) > MOST_DOUBTS:
        yield f"  and {len(result.doubts) - MOST_DOUBTS} more that could not be confirmed"


def _heap(heap: HeapState, result: Counterexample) -> Iterator[str]:
    title = f"held in {heap.label}" if heap.label else "held"
    focus = set(result.focus.locations) if not heap.label else set()
    rows = [
        [
            _mark((at.object, at.field) in focus),
            f"{at.object}.{short_name(at.field)}",
            at.amount,
            _value(at.value),
        ]
        for at in heap.locations
    ]
    for held in heap.instances:
        rows.append(["", held.text, held.amount, ""])
        rows += [
            ["", f"  {at.object}.{short_name(at.field)} inside", at.amount, _value(at.value)]
            for at in held.owns
        ]
        rows += [["", f"  {text} inside", "", ""] for text in held.inside]
    if rows:
        yield from _table(("", title, "amount", "value"), rows)
    elif not heap.label:
        yield "  nothing is held"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [*table_lines(header, rows, indent=2), ""]


def _mark(yes: bool) -> str:  # noqa: FBT001 - a cell of a table
    return ">" if yes else ""


def _value(value: Shown) -> str:
    return value.text if value.pinned else f"{value.text} (any)"


# ---------------------------------------------------------------- none


def _none(result: NoCounterexample, paint: Painter) -> Iterator[str]:
    place = f"line {result.span.line}"
    what = place if result.finding is None else f"{place}, {result.finding}"
    yield f"{paint(Style.TITLE, 'no counterexample')} in {result.member} ({what}): {result.message}"
    for reason in result.because[:MOST_REASONS]:
        where = f" (line {reason.span.line})" if reason.span is not None else ""
        yield f"  {paint(Style.NOTE, 'because')}: {reason.text}{where}"
    if len(result.because) > MOST_REASONS:
        yield f"  and {len(result.because) - MOST_REASONS} more"
    for text in result.advice:
        yield f"  {paint(Style.HELP, 'help')}: {text}"
    if result.absence is Absence.WITHIN_BOUNDS:
        yield f"  {paint(Style.HELP, 'help')}: try --objects {result.objects + 2}"


# ---------------------------------------------------------------- forms known from other tools


def raw_lines(result: Result) -> list[str]:
    """Store, heap, old heap and functions, in which values that could be any are `#any`."""
    if isinstance(result, NoCounterexample):
        return [f"no counterexample: {result.message}"]
    return [
        *[f"{v.name} <- {_unpinned(v.value)}" for v in result.variables],
        *[line for heap in result.heaps for line in _plain_heap(heap, resolved=False)],
        *[f"{f.text} = {_unpinned(f.value)}" for f in result.functions],
    ]


def resolved_lines(result: Result) -> list[str]:
    """Like `raw_lines`, with values filled in, by object."""
    if isinstance(result, NoCounterexample):
        return [f"no counterexample: {result.message}"]
    return [
        "Store:",
        *[f"  {v.name} = {_value(v.value)}" for v in result.variables],
        *[line for heap in result.heaps for line in _plain_heap(heap, resolved=True)],
        *(["Functions:"] if result.functions else []),
        *[f"  {f.text} = {_value(f.value)}" for f in result.functions],
        f"({result.standing.value})",
    ]


def _plain_heap(heap: HeapState, *, resolved: bool) -> list[str]:
    title = f"Old heap [{heap.label}]:" if heap.label else "Heap:"
    shown = _value if resolved else _unpinned
    lines = [
        f"  {at.object}.{short_name(at.field)} = {shown(at.value)} # {at.amount}"
        for at in heap.locations
    ]
    lines += [f"  {held.text} # {held.amount}" for held in heap.instances]
    return [title, *lines] if lines else [title, "  empty"]


def _unpinned(value: Shown) -> str:
    return value.text if value.pinned else "#any"
