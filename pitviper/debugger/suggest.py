"""Assumptions that would close a proof: candidates from the obligation, tried one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitviper.debugger.analyses import parts_of
from pitviper.debugger.workbench import Workbench
from pitviper.encoding.operators import NULL
from pitviper.solver.session import SPLIT
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import BOOL, INT, REF
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term

MOST_TRIED = 400
MOST_SHOWN = 5
MOST_ATOMS = 12


def suggestions(bench: Workbench) -> tuple[str, ...]:
    """Texts of assumptions that prove the goal and contradict nothing, likely ones first."""
    goal = bench.setup.goal.term
    if goal is None:
        return ()
    found: dict[str, None] = {}
    path, solver = bench.path(), bench.solver.session
    sayable = (c for c in dict.fromkeys(_candidates(goal, bench)) if bench.obligation.final(c))
    for tried, candidate in enumerate(sayable):
        if tried >= MOST_TRIED or len(found) >= MOST_SHOWN:
            break
        limit = min(bench.solver.limit, SPLIT)
        more = path.assume(candidate)
        if solver.entails(more, goal, limit, "suggest").proved and not (
            solver.entails(more, tb.FALSE, limit, "suggest").proved
        ):
            text = bench.obligation.final(candidate)
            if text is not None and text != bench.obligation.text(goal):
                found[text] = None
    return tuple(found)


def _candidates(goal: Term, bench: Workbench) -> Iterator[Term]:
    lack = bench.obligation.lack()
    if lack is not None and bench.setup.goal.original:
        for _, same in lack.chunks:
            yield same
    yield from _carried_over(goal, bench)
    parts = [part.term for part in parts_of(goal)]
    if len(parts) > 1:
        yield from parts
    if lack is not None and bench.setup.goal.original:
        parts += [*lack.args, *_related(lack.args, bench)]
    yield from _comparisons(list(_atoms(parts)))


def _related(args: tuple[Term, ...], bench: Workbench) -> Iterator[Term]:
    """Values that facts compare with those a missing location is made of."""
    mentioned = set(subterms(*args))
    for fact in bench.active():
        if isinstance(fact.term, App) and fact.term.symbol in (op.AT_MOST, op.LESS):
            for side in fact.term.args:
                if not mentioned.isdisjoint(subterms(side)):
                    yield from fact.term.args


def _carried_over(goal: Term, bench: Workbench) -> Iterator[Term]:
    """Facts about an earlier version of a variable, said about the one in the goal: what a loop
    invariant or a postcondition forgot to say."""
    in_goal = [t for t in subterms(goal) if _version(t) is not None]
    facts = [fact.term for fact in bench.active()]
    for fact in reversed(facts):
        older = [t for t in subterms(fact) if _version(t) is not None and t not in in_goal]
        for now in in_goal:
            for then in older:
                if then.sort is now.sort and _version(then) == _version(now):
                    yield substitute(fact, {then: now})


def _version(term: Term) -> str | None:
    """The variable that a symbol is a version of, the same for all values of one location."""
    if isinstance(term, App) and not term.args and isinstance(term.symbol, Function):
        hint, at, _ = term.symbol.name.partition("@")
        return hint if at else None
    return None


def _atoms(parts: Iterable[Term]) -> Iterator[Term]:
    """Values that the goal speaks about, smallest first."""
    sized: dict[Term, int] = {}
    for part in parts:
        for term in subterms(part):
            if term.sort in (INT, REF) and not term.free and _is_value(term):
                sized[term] = sum(1 for _ in subterms(term))
    yield from sorted(sized, key=lambda term: sized[term])[:MOST_ATOMS]


def _is_value(term: Term) -> bool:
    """A variable, a value of a location or of a function: no sums, which are harder to read."""
    return isinstance(term, App) and isinstance(term.symbol, Function)


def _comparisons(atoms: list[Term]) -> Iterator[Term]:
    zero = tb.integer(0)
    for a in atoms:
        if a.sort is REF:
            yield tb.differ(a, NULL)
        elif a.sort is not BOOL:
            yield from (tb.at_least(a, zero), tb.greater(a, zero), tb.differ(a, zero))
            yield from (tb.equal(a, zero), tb.at_most(a, zero))
    for i, a in enumerate(atoms):
        for b in atoms[i + 1 :]:
            if a.sort is b.sort is REF:
                yield from (tb.equal(a, b), tb.differ(a, b))
            elif a.sort is b.sort:
                yield from (tb.equal(a, b), tb.at_most(a, b), tb.at_most(b, a))
                yield from (tb.less(a, b), tb.less(b, a), tb.differ(a, b))
