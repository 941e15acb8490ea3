"""Why a goal is not proved: which part of it fails, what is missing, what is held instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from pitviper.base.record import record
from pitviper.debugger.obligations.obligation import Fact
from pitviper.debugger.workbench import Workbench
from pitviper.encoding.operators import NULL
from pitviper.solver.session import SPLIT
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import BOOL, INT, REF
from pitviper.terms.substitute import instantiate, substitute, subterms
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Binder, Literal, Quantified, Term

MOST_CASES = 4
"""Choices inside each other that are taken apart."""


@record
class Part:
    """A part of a goal under the conditions that lead to it."""

    conditions: tuple[Term, ...]
    term: Term


def parts_of(goal: Term, conditions: tuple[Term, ...] = ()) -> list[Part]:
    """Returns the conjuncts; those behind an implication or in cases keep their condition."""
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
    """Returns lines for people; the goal is known not to be proved."""
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
    path = bench.goal_path().assume_all(part.conditions)
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


Enough = Callable[[list[Fact]], bool]


def minimal(facts: Sequence[Fact], enough: Enough) -> list[Fact]:
    """Leaves out ever smaller pieces while the rest is enough; `enough(facts)` must hold."""
    kept = list(facts)
    size = max(1, len(kept) // 2)
    while True:
        kept, changed = _without_pieces(kept, size, enough)
        if size == 1 and not changed:
            return kept
        size = max(1, size // 2)


def _without_pieces(facts: list[Fact], size: int, enough: Enough) -> tuple[list[Fact], bool]:
    """From the end: late facts often follow from early ones."""
    changed = False
    end = len(facts)
    while end > 0:
        start = max(0, end - size)
        fewer = facts[:start] + facts[end:]
        if enough(fewer):
            facts, changed = fewer, True
        end = start
    return facts, changed


MOST_TRIED = 400
MOST_SHOWN = 5
MOST_ATOMS = 12


def suggestions(bench: Workbench) -> tuple[str, ...]:
    """Returns assumptions that prove the goal and contradict nothing, likely ones first."""
    goal = bench.setup.goal.term
    if goal is None:
        return ()
    found: dict[str, None] = {}
    path, solver = bench.goal_path(), bench.solver.session
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
