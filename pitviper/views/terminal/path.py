"""The path on which a problem shows, and what is held there, as lines of a report."""

from __future__ import annotations

from pitviper.results.finding import Condition
from pitviper.results.report import Problem
from pitviper.source.span import Span
from pitviper.views.terminal.cells import ELLIPSIS, visible

MOST_CONDITIONS = 6
"""Decisions that are shown; the last ones, because those are nearest to the problem."""
LONGEST_CONDITION = 80


def path_remarks(problem: Problem) -> list[str]:
    """What to say below the place of a problem, in whole lines without markup."""
    remarks = []
    if problem.conditions:
        remarks.append(f"on the path where {_conditions(problem)}{_others(problem.other_paths)}")
    if problem.held:
        remarks.append(f"held here: {', '.join(visible(held) for held in problem.held)}")
    return remarks


def _conditions(problem: Problem) -> str:
    shown = problem.conditions[-MOST_CONDITIONS:]
    more = len(problem.conditions) - len(shown)
    texts = [_condition(condition, problem.span) for condition in shown]
    return " and ".join([f"{more} more decisions", *texts] if more > 1 else _all(problem, texts))


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
