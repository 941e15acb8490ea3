"""Why a goal is not proved: which part of it fails, what is missing, what is held instead."""

from __future__ import annotations

from dataclasses import dataclass

from pitviper.debugger.workbench import Workbench
from pitviper.solver.session import Path
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.substitute import instantiate, substitute, subterms
from pitviper.terms.supply import Supply
from pitviper.terms.term import App, Binder, Literal, Quantified, Term

MOST_CASES = 4
"""Choices inside each other that are taken apart."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a goal under the conditions that lead to it."""

    conditions: tuple[Term, ...]
    term: Term


def parts_of(goal: Term, conditions: tuple[Term, ...] = ()) -> list[Part]:
    """The conjuncts; those behind an implication, for all, or in cases keep their condition."""
    if isinstance(goal, App):
        if goal.symbol is op.AND:
            return [part for arg in goal.args for part in parts_of(arg, conditions)]
        if goal.symbol is op.IMPLIES:
            return parts_of(goal.args[1], (*conditions, goal.args[0]))
        if goal.symbol is op.ITE:
            condition, then, other = goal.args
            negated = tb.negate(condition)
            both = parts_of(then, (*conditions, condition))
            return both + parts_of(other, (*conditions, negated))
    if isinstance(goal, Quantified) and goal.binder is Binder.FORALL:
        supply = Supply("%any")
        values = [supply.constant(v.name.partition("@")[0], v.sort) for v in goal.variables]
        return parts_of(instantiate(goal, values), conditions)
    choice = _choice_in(goal)
    if choice is None or len(conditions) >= MOST_CASES:
        return [Part(conditions, goal)]
    condition, then, other = choice.args
    cases = ((condition, then), (tb.negate(condition), other))
    return [
        part
        for case, value in cases
        for part in parts_of(substitute(goal, {choice: value}), (*conditions, case))
    ]


def _choice_in(goal: Term) -> App | None:
    """An outermost choice between values in a goal: the cases are looked at apart."""
    choices = [
        term
        for term in subterms(goal)
        if isinstance(term, App) and term.symbol is op.ITE and not term.free
    ]
    inner = {t for choice in choices for t in subterms(*choice.args)}
    return next((choice for choice in choices if choice not in inner), None)


def why_not(bench: Workbench) -> tuple[str, ...]:
    """Lines for people; the goal is known not to be proved."""
    goal = bench.setup.goal
    lines: list[str] = []
    if isinstance(goal.term, Literal) and bench.obligation.lack() is not None:
        return tuple(_lacking(bench))
    if goal.term is not None:
        parts = parts_of(goal.term)
        for part in parts:
            lines += _about(part, bench, alone=len(parts) == 1)
    else:
        why = bench.prove().why
        lines.append(why or "the goal holds")
    return (*lines, *_lacking(bench))


def _about(part: Part, bench: Workbench, *, alone: bool) -> list[str]:
    path = _under(part, bench)
    text = bench.obligation.text(part.term)
    if part.conditions:
        condition = " && ".join([bench.obligation.text(c) for c in part.conditions])
        text = f"{text}  (where {condition})"
    if bench.ask(part.term, path).proved:
        vacuous = alone or (part.conditions and bench.ask(tb.FALSE, path).proved)
        return [] if vacuous else [f"{'holds:':<18}{text}"]
    if bench.ask(tb.negate(part.term), path).proved:
        return [f"{'is false here:':<18}{text}"]
    return [f"{'does not follow:':<18}{text}"]


def _under(part: Part, bench: Workbench) -> Path:
    path = bench.path()
    for condition in part.conditions:
        path = path.assume(condition)
    return path


def _lacking(bench: Workbench) -> list[str]:
    """What is held of the same field or predicate, and whether it may be what is missed."""
    lack = bench.obligation.lack()
    if lack is None or not bench.setup.goal.original:
        return []
    lines = [f"missing:          permission to {lack.location}"]
    for view, same in lack.chunks:
        text, held = bench.obligation.final(same), view.text
        if bench.ask(same).proved:
            lines.append(f"held:             {held}, which is not enough")
        elif bench.ask(tb.negate(same)).proved:
            lines.append(f"held:             {held}, another location")
        else:
            condition = "perhaps the same location" if text is None else f"if {text}"
            lines.append(f"held:             {held}, {condition}")
    if not lack.chunks:
        lines.append("held:             nothing of this kind")
    return [*lines, *[f"line {e.span.line}:".ljust(18) + e.text for e in lack.history]]
