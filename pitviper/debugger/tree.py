"""The tree of assumptions: the facts of a path, in groups by what was going on.

Which fact belongs to which statement or clause is found by comparing states: what is on the path
after an action and was not before it, belongs to the action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from pitviper.base.record import record, struct
from pitviper.base.written import as_written, bound_as_written
from pitviper.debugger.obligations.obligation import Assumption, Fact
from pitviper.engines.symbolic.provenance import BranchPoint, Provenance
from pitviper.explain.expression import TermExpressions
from pitviper.explain.places import on_path
from pitviper.explain.recorder import Action, TraceRecorder
from pitviper.program import stmt as ps
from pitviper.program.node import Node
from pitviper.program.print.expressions import call_text, text_of
from pitviper.program.print.objects import placed
from pitviper.program.print.printer import stmt_text
from pitviper.results.wording import spoken, value_text
from pitviper.solver.session import FactKind, Path
from pitviper.source.span import NO_SPAN, Span
from pitviper.terms import operators as op
from pitviper.terms.snapshot import SNAP, UNIT
from pitviper.terms.symbol import Function
from pitviper.terms.term import TRUE, App, Quantified, Term


@record
class Tree:
    roots: tuple[Assumption, ...]
    facts: tuple[Fact, ...]


@struct
class _Group:
    title: str
    span: Span | None
    items: list[_Group | Path]


def assumption_tree(
    path: Path, recorder: TraceRecorder, during: Sequence[Action], words: TermExpressions
) -> Tree:
    """Returns all facts of a path, numbered parents first. `during` were not over yet."""
    entries = [entry for entry in path if entry.fact is not TRUE]
    spans = list(_intervals(recorder.roots, path, {id(action) for action in during}))
    groups = _grouped(entries, spans)
    places = [interval.action.node for interval in spans if interval.action.node is not None]
    return _Numbering(words, places[0].span if places else None).run(groups)


@record
class _Interval:
    """The entries of the path with lengths in (low, high] were learnt during an action."""

    low: int
    high: int
    action: Action


def _intervals(roots: Sequence[Action], path: Path, going_on: set[int]) -> Iterator[_Interval]:
    """Of the actions that lead along the path, outermost first."""
    entries = on_path(path)
    todo = [action for root in roots for action in root.inner][::-1]
    while todo:
        action = todo.pop()
        before = action.before
        if before is None or not (id(before.path) in entries or not before.path.length):
            continue
        ends = [s.path.length for s in action.after if id(s.path) in entries]
        high = path.length if id(action) in going_on else max(ends, default=0)
        if high > before.path.length:
            yield _Interval(before.path.length, high, action)
        todo += action.inner[::-1]


def _grouped(entries: list[Path], intervals: list[_Interval]) -> list[_Group | Path]:
    """Entries under the titles of the actions that they were learnt in."""
    top: list[_Group | Path] = []
    around: dict[int, list[_Interval]] = {}
    for interval in intervals:
        for length in range(interval.low + 1, interval.high + 1):
            around.setdefault(length, []).append(interval)
    for entry in entries:
        titles = _titles(entry, around.get(entry.length, []))
        into = top
        for title, span in titles:
            last = into[-1] if into else None
            if not isinstance(last, _Group) or (last.title, last.span) != (title, span):
                last = _Group(title, span, [])
                into.append(last)
            into = last.items
        into.append(entry)
    return top


def _titles(entry: Path, around: list[_Interval]) -> list[tuple[str, Span | None]]:
    """Of the actions that an entry was learnt in, outermost first."""
    found: list[tuple[str, Span | None]] = []
    if entry.kind is FactKind.BRANCH and isinstance(entry.provenance, BranchPoint):
        return found
    for interval in around:
        title = group_title(interval.action)
        if title is not None and (not found or found[-1][0] != title[0]):
            found.append(title)
    if not found and isinstance(entry.provenance, Provenance) and entry.provenance.group:
        found.append((spoken(entry.provenance.group, entry.provenance.node.span), None))
    return found


class _Numbering:
    """Gives numbers, parents first, and collects the leaves; `at` tells the language."""

    def __init__(self, words: TermExpressions, at: Span | None) -> None:
        self._words = words
        self._at = at
        self._next = 0
        self._facts: list[tuple[int, Fact]] = []
        self._seen: set[Term] = set()

    def run(self, groups: list[_Group | Path]) -> Tree:
        roots = tuple([self._node(item) for item in groups])
        ordered = sorted(self._facts, key=lambda fact: fact[0])
        return Tree(roots, tuple([fact for _, fact in ordered]))

    def _node(self, item: _Group | Path) -> Assumption:
        number = self._next
        self._next += 1
        if isinstance(item, _Group):
            children = tuple([self._node(inner) for inner in item.items])
            internal = all(child.internal for child in children)
            return Assumption(
                number, item.title, None, None, None, item.span, children, internal=internal
            )
        self._facts.append((item.length, Fact(number, item.fact)))
        expression = self._words.of(item.fact)
        original, span = _source(item)
        at = self._at or span
        final = None if expression is None else value_text(text_of(placed(expression, at)), at)
        if final is not None and at is not None:
            final = bound_as_written(final, at.file.text)
        again = item.fact in self._seen and original is None
        self._seen.add(item.fact)
        told = describe(item) if final is None or original is None else None
        description = None if told is None else spoken(told, self._at)
        internal = final is None or again
        return Assumption(number, description, original, final, item.fact, span, internal=internal)


def _source(entry: Path) -> tuple[str | None, Span | None]:
    match entry.provenance:
        case Provenance(_, node):
            return written(node), None if node.span == NO_SPAN else node.span
        case BranchPoint(node=node, taken=taken):
            text = written(node) if taken else f"!({written(node)})"
            return text, None if node.span == NO_SPAN else node.span
        case _:
            return None, None


def group_title(action: Action) -> tuple[str, Span | None] | None:
    """Returns what facts of an action belong to; None: to what the action is part of."""
    if action.rule == "execute" and isinstance(action.node, ps.Stmt):
        span = action.node.span
        return spoken(as_written(_statement(action.node), span.file.text), span), _known(span)
    if action.rule == "produce" and action.group:
        return spoken(action.group, None if action.node is None else action.node.span), None
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
            return f"called {call_text(method, args)}"
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
    """Returns a part of the program as it stands there; one that a plugin made, as text."""
    text = " ".join(node.span.text.split())
    if text and len(text) <= LONGEST_QUOTE:
        return text
    return stmt_text(cast(ps.Stmt, node)) if isinstance(node, ps.Statement) else text_of(node)


LONGEST_QUOTE = 200


def describe(entry: Path) -> str:
    """Returns a few words for a fact of the engine."""
    if entry.kind in (FactKind.DEFINITION, FactKind.GLOBAL):
        return "definition"
    if entry.kind is FactKind.BRANCH:
        return "branch condition"
    return term_words(entry.fact)


_ENDINGS = {
    "%trigger": "predicate instance",
    "%precondition": "precondition of a function",
    ".touched": "location in use",
    "%anywhere": "application of a function",
    ".has_domain": "domain of a heap map",
}


def term_words(term: Term) -> str:
    """Returns a few words for what a term of the engine says."""
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
        return term_words(term.args[1])
    return "internal"


_QUANTIFIED = {
    "inverse": "inverse function",
    "image": "inverse function",
    "map": "values of a heap map",
    "bound": "no location is held more than once",
}
