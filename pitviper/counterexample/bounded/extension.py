"""Whether an instance is part of a whole: facts about more values than occur in it.

NOTE(whole). Facts about all integers, or about all values of a domain, were evaluated for those
that occur. That they hold of all others, for some values of the functions there, is a question of
its own: what has a value in the instance is replaced by it, and a solver that builds models of
quantifiers is asked whether anything fits. Only its yes counts.

NOTE(definitions). What a package says of its wand is a definition: `apply(w, left)` is some term
over `left`, for all of them. It holds of the left-hand snapshots that occur, and it can hold of
all others as long as wands that differ are defined, and not by themselves: then `apply` is made so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from enum import Enum, auto
from fractions import Fraction
from typing import TypeVar

from pitviper.counterexample.bounded.evaluator import Evaluator, is_interpreted, literal_of
from pitviper.counterexample.bounded.values import Unevaluable, Value
from pitviper.encoding.operators import NULL
from pitviper.encoding.symbols import WAND_APPLY
from pitviper.solver.model import Element, Structure
from pitviper.solver.session import Answer
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.snapshot import UNIT, pair
from pitviper.terms.sort import REF, Sort, SortKind
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import App, Binder, Quantified, Term, Var

FURTHER = 3
"""Objects that do not occur in the instance."""
MOST_ENTRIES = 400
"""Known values of functions that the question mentions."""


class Extension(Enum):
    """What is known about values that do not occur in an instance."""

    POSSIBLE = auto()
    IMPOSSIBLE = auto()
    OPEN = auto()


def extension(
    facts: Sequence[Term], evaluator: Evaluator, ask: Callable[[Sequence[Term]], Answer]
) -> Extension:
    """Returns whether these facts can hold of all values, as they do of those that occur; `ask`
    says whether facts contradict each other."""
    facts = _without_definitions(facts, evaluator)
    if all(map(_is_taking_apart, facts)):
        return Extension.POSSIBLE
    whole = _Whole(evaluator)
    try:
        told = [*map(whole.residual, facts), *whole.entries(facts)]
    except Unevaluable:
        return Extension.OPEN
    answer = ask([*told, *whole.apart()])
    if answer.proved:
        return Extension.IMPOSSIBLE
    return Extension.POSSIBLE if answer.unknown is None else Extension.OPEN


F = TypeVar("F")


def declared_symbols(*facts: Term) -> frozenset[Function]:
    """Returns the functions of facts whose values the solver chooses."""
    found = [_symbol(term) for term in subterms(*facts)]
    return frozenset([symbol for symbol in found if symbol is not None and symbol.domain])


def related(facts: Sequence[F], symbols: Callable[[F], Set[Function]]) -> list[list[F]]:
    """Returns the facts in groups that have no function in common."""
    groups: list[tuple[set[Function], list[F]]] = []
    for fact in facts:
        own, members = set(symbols(fact)), [fact]
        apart = []
        for others, group in groups:
            if own & others:
                own |= others
                members = [*group, *members]
            else:
                apart.append((others, group))
        groups = [*apart, (own, members)]
    return [group for _, group in groups]


def _is_taking_apart(fact: Term) -> bool:
    """Whether a fact says only that functions give back the arguments of another one.

    Such a function, whose values are references or of a domain, has a new value wherever it was
    not applied: so the fact holds of everything else, though no finite model shows it.
    """
    if not isinstance(fact, Quantified) or fact.binder is not Binder.FORALL:
        return False
    body = fact.body
    parts = body.args if isinstance(body, App) and body.symbol is op.AND else (body,)
    made = {_taken_apart(part, fact.variables) for part in parts}
    return len(made) == 1 and None not in made


def _taken_apart(part: Term, variables: tuple[Var, ...]) -> Term | None:
    """The application that `part` says an argument of."""
    if not isinstance(part, App) or part.symbol is not op.EQUAL:
        return None
    for given, back in (part.args, part.args[::-1]):
        if given in variables and _symbol(back) is not None and len(back.args) == 1:
            whole = back.args[0]
            made, every = _symbol(whole), set(whole.args) == set(variables)
            if made is not None and every and made is not _symbol(back) and _is_unbounded(whole):
                return whole
    return None


def _without_definitions(facts: Sequence[Term], evaluator: Evaluator) -> Sequence[Term]:
    """The facts that are no definitions of wands; all of them, where others say more of wands, or
    where the definitions are not plainly independent of each other: see NOTE(definitions)."""
    defined = {fact: wand for fact in facts if (wand := _defined_wand(fact, evaluator)) is not None}
    rest = [fact for fact in facts if fact not in defined]
    if any(_is_apply(t) and t.free for t in subterms(*rest)):
        return facts
    try:
        values = {fact: evaluator.value(wand) for fact, wand in defined.items()}
        uses = {values[fact]: _used_wands(fact, wand, evaluator) for fact, wand in defined.items()}
    except Unevaluable:
        return facts
    done: set[Value] = set()
    while len(done) < len(uses):
        ready = [v for v, used in uses.items() if v not in done and used & uses.keys() <= done]
        if not ready:
            return facts
        done.update(ready)
    return rest if len(uses) == len(defined) else facts


def _defined_wand(fact: Term, evaluator: Evaluator) -> Term | None:
    """The wand of which a fact says what applying it to any snapshot gives, if that is all."""
    if not isinstance(fact, Quantified) or fact.binder is not Binder.FORALL:
        return None
    body = fact.body
    if not isinstance(body, App) or body.symbol is not op.EQUAL:
        return None
    for given, meaning in (body.args, body.args[::-1]):
        if (
            _is_apply(given)
            and not given.args[0].free
            and given.args[1:] == fact.variables
            and all(_is_settled(t, evaluator) for t in subterms(meaning))
        ):
            return given.args[0]
    return None


def _is_settled(term: Term, evaluator: Evaluator) -> bool:
    """Whether a part of a definition has a value for every left-hand snapshot."""
    if not term.free or isinstance(term, Var):
        return True
    if not isinstance(term, App):
        return False
    if _is_apply(term):
        return not term.args[0].free
    return not isinstance(term.symbol, Function) or is_interpreted(term.symbol, evaluator)


def _used_wands(fact: Term, wand: Term, evaluator: Evaluator) -> set[Value]:
    assert isinstance(fact, Quantified)
    applied = [t.args[0] for t in subterms(fact.body) if _is_apply(t)]
    used = {evaluator.value(other) for other in applied if other is not wand}
    twice = len([other for other in applied if other is wand]) > 1
    return used | ({evaluator.value(wand)} if twice else set())


def _is_apply(term: Term) -> bool:
    return isinstance(term, App) and term.symbol is WAND_APPLY


def _is_unbounded(term: Term) -> bool:
    return term.sort.kind is SortKind.FREE


class _Whole:
    """Terms in which everything that has a value in the instance is replaced by it."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._elements: dict[Sort, dict[Element, Term]] = {}
        self._done: dict[Term, Term] = {}

    def residual(self, term: Term) -> Term:
        """The fact with values for all that has one; triggers do not matter to this solver."""
        found = self._done.get(term)
        if found is None:
            found = self._done[term] = self._walk(term)
        return found

    def _walk(self, term: Term) -> Term:
        if isinstance(term, Quantified):
            body = self.residual(term.body)
            quantify = tb.forall if term.binder is Binder.FORALL else tb.exists
            return quantify(term.variables, body)
        if not term.free and not _has_quantifier(term):
            return self._term(self._evaluator.value(term), term.sort)
        if isinstance(term, App):
            if isinstance(term.symbol, Function) and is_collection(term.symbol, self._evaluator):
                raise Unevaluable(f"{term.symbol.name} of more values than occur")
            return tb.rebuild(term, tuple(map(self.residual, term.args)))
        return term

    def _term(self, value: Value, sort: Sort) -> Term:
        match value:
            case bool() | int() | Fraction():
                return literal_of(value, sort)
            case Element():
                return self._element(value, sort)
            case Structure(constructor="Snap.unit"):
                return UNIT
            case Structure(constructor="Snap.pair", args=(first, second)):
                return pair(self._term(first, sort), self._term(second, sort))
            case _:
                raise Unevaluable(f"a value of {sort}")

    def _element(self, value: Element, sort: Sort) -> Term:
        if value == self._evaluator.interpretation.null:
            return NULL
        named = self._elements.setdefault(sort, {})
        return named.setdefault(value, tb.constant(f"%element{len(named)}!{sort}", sort))

    def apart(self) -> Iterator[Term]:
        """Gives that elements of the instance differ from each other, and that there are further
        objects: programs can always make some."""
        others = [tb.constant(f"%object{number}", REF) for number in range(FURTHER)]
        for terms in (
            [NULL, *self._elements.get(REF, {}).values(), *others],
            *[list(named.values()) for sort, named in self._elements.items() if sort is not REF],
        ):
            if len(terms) > 1:
                yield tb.distinct(*terms)

    def entries(self, facts: Sequence[Term]) -> list[Term]:
        """Returns the values of the functions that the facts mention, where they have one."""
        found: dict[Term, None] = {}
        for symbol in dict.fromkeys(map(_symbol, subterms(*facts))):
            if symbol is None or is_interpreted(symbol, self._evaluator):
                continue
            for args, value in self._evaluator.touched.get(symbol, {}).items():
                terms = [self._term(a, s) for a, s in zip(args, symbol.domain, strict=True)]
                known = self._term(value, symbol.range)
                found[tb.equal(tb.apply(symbol, *terms), known)] = None
        if len(found) > MOST_ENTRIES:
            raise Unevaluable("too many values")
        return list(found)


def is_collection(symbol: Function, evaluator: Evaluator) -> bool:
    return symbol in evaluator.interpretation.theories.meanings


def _has_quantifier(term: Term) -> bool:
    return any(isinstance(part, Quantified) for part in subterms(term))


def _symbol(term: Term) -> Function | None:
    if isinstance(term, App) and isinstance(term.symbol, Function):
        return term.symbol if term.symbol.kind is FunctionKind.DECLARED else None
    return None
