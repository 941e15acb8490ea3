"""Titles of groups of assumptions, and what to call facts that have no words."""

from __future__ import annotations

import re

from pitviper.explain.recorder import Action
from pitviper.program import stmt as ps
from pitviper.program.node import Node
from pitviper.program.print.expressions import comma_list, text_of
from pitviper.program.print.printer import stmt_text
from pitviper.solver.session import FactKind, Path
from pitviper.source.span import NO_SPAN, Span
from pitviper.terms import operators as op
from pitviper.terms.snapshot import SNAP, UNIT
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Quantified, Term


def group_title(action: Action) -> tuple[str, Span | None] | None:
    """What facts belong to that were learnt in an action; None: to what it is part of."""
    if action.rule == "execute" and isinstance(action.node, ps.Stmt):
        return _statement(action.node), _known(action.node.span)
    if action.rule == "produce" and action.group:
        return action.group, None
    return None


def _known(span: Span) -> Span | None:
    return None if span == NO_SPAN else span


def _statement(s: ps.Stmt) -> str:
    match s:
        case ps.Unfold(location):
            return f"unfolded {text_of(location)}"
        case ps.Fold(location):
            return f"folded {text_of(location)}"
        case ps.MethodCall(method, args):
            return f"called {method}({comma_list(args)})"
        case ps.Inhale(assertion):
            return f"inhaled {text_of(assertion)}"
        case ps.Exhale(assertion):
            return f"exhaled {text_of(assertion)}"
        case ps.Assert(assertion):
            return f"asserted {text_of(assertion)}"
        case ps.Apply(wand):
            return f"applied {text_of(wand)}"
        case ps.Package(wand):
            return f"packaged {text_of(wand)}"
        case _:
            return stmt_text(s).partition("\n")[0]


def written(node: Node) -> str:
    """A part of the program as it stands there, on one line; one that a plugin made, as text."""
    text = " ".join(node.span.text.split())
    return text if text and len(text) <= LONGEST_QUOTE else text_of(node)


LONGEST_QUOTE = 200


def wand_text(shape: str, args: list[str]) -> str:
    """A wand by the name of its shape, `acc(hole1.f, hole2) --* ... [types]`, with its values."""
    text = shape.rpartition(" [")[0]
    return _HOLE.sub(lambda hole: args[int(hole[1]) - 1], text)


_HOLE = re.compile(r"\bhole([0-9]+)\b")


def describe(entry: Path) -> str:
    """A few words for a fact of the engine."""
    if entry.kind in (FactKind.DEFINITION, FactKind.GLOBAL):
        return "definition"
    if entry.kind is FactKind.BRANCH:
        return "branch condition"
    return _of_term(entry.fact)


_ENDINGS = {
    "%trigger": "predicate instance",
    "%precondition": "precondition of a function",
    ".touched": "location in use",
    "%anywhere": "application of a function",
    ".has_domain": "domain of a heap map",
}


def _of_term(term: Term) -> str:
    if isinstance(term, Quantified):
        return _QUANTIFIED.get(term.name.partition(".")[0], "quantified fact")
    if isinstance(term, App) and isinstance(term.symbol, Function):
        for ending, words in _ENDINGS.items():
            if term.symbol.name.endswith(ending):
                return words
    if isinstance(term, App) and term.symbol is op.EQUAL:
        if UNIT in term.args:
            return "empty snapshot"
        if term.args[0].sort is SNAP:
            return "snapshot"
    if isinstance(term, App) and term.symbol is op.IMPLIES:
        return _of_term(term.args[1])
    return "internal"


_QUANTIFIED = {
    "inverse": "inverse function",
    "image": "inverse function",
    "map": "values of a heap map",
    "bound": "no location is held more than once",
}
