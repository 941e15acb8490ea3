"""A package that is going on: what is around it, and what it has taken from there so far.

NOTE(outer). A term is outer if all its symbols existed before the package: its value is the same
for every left-hand state, also for those in which the wand will be applied. What a package takes is
told in outer terms only. In

    package acc(x.f) --* acc(x.f) && acc(y.f, x.f > 0 ? write : none)

`x` and `y` are outer; the value of `x.f` is not, as the left-hand side brings it: it may be another
one whenever the wand is applied.

NOTE(bounds). Where the left-hand side decides how much is needed, a bound is taken: the larger arm
of a choice whose condition is not outer, and nothing less. In the example above

    x.f > 0 ? write : none     is needed of y.f, and its condition is not outer;
    write                      is the larger arm: so much is taken,
                               also for left-hand states in which x.f is negative.
"""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.engines.vcg.heap.entry import Index, Kind
from pitviper.engines.vcg.rules.generalise import is_since
from pitviper.engines.vcg.state import State
from pitviper.program.node import Node
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function, FunctionKind, Symbol
from pitviper.terms.term import App, Literal, Term, Var

Place: TypeAlias = tuple[Kind, Index]


@record
class Move:
    """An amount that was moved in from around, with the value that the location has there."""

    kind: Kind
    index: Index
    amount: Term
    value: Term


@record
class Moved:
    """A move that happened. `late`: after the script; `joined`: something was there already;
    `always`: whatever the left-hand state."""

    move: Move
    node: Node
    late: bool
    joined: bool
    always: bool


@record
class Part:
    """How much of a location goes into the footprint; `node` is what needed it first."""

    amount: Term
    node: Node


@record
class Remembered:
    """What a wand remembers: for all values of the variables, `applied` is `result`."""

    variables: tuple[Var, ...]
    applied: Term
    result: Term

    @property
    def fact(self) -> Term:
        body = tb.equal(self.applied, self.result)
        return tb.forall(self.variables, body, ((self.applied,),), "wand")


@struct
class Packaging:
    """`before` is the state around, with what was fetched into it from further out (`fetched`).

    `depth` is that of the emitter there. `parts` is the footprint, `chosen` are facts about new
    outer symbols (`allowed`) that have a value whatever else is true, or follow from `goals`, which
    are to be proved outside. `remembered` belongs to wands
    that were packaged inside. `moved` is what happened so far; `late` says that the script is over.
    """

    before: State
    mark: dict[str, int]
    depth: int
    outer: Packaging | None = None
    parts: dict[Place, Part] = field(default_factory=dict)
    fetched: list[Move] = field(default_factory=list)
    chosen: list[Term] = field(default_factory=list)
    goals: list[tuple[Term, Node]] = field(default_factory=list)
    allowed: set[Symbol] = field(default_factory=set)
    remembered: list[Remembered] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)
    late: bool = False

    def is_outer(self, *terms: Term) -> bool:
        """Whether the terms mean the same for every left-hand state."""
        return all(not self._is_inner(t) for term in terms for t in subterms(term))

    def _is_inner(self, term: Term) -> bool:
        return (
            isinstance(term, App)
            and isinstance(term.symbol, Function)
            and term.symbol.kind is FunctionKind.DECLARED
            and term.symbol not in self.allowed
            and is_since(term.symbol.name, self.mark)
        )

    def upper(self, term: Term) -> Term | None:
        """An outer term that is at least as large; None if there is none to be seen."""
        return self._bound(term, largest=True)

    def lower(self, term: Term) -> Term | None:
        """An outer term that is at most as large."""
        return self._bound(term, largest=False)

    def _bound(self, term: Term, *, largest: bool) -> Term | None:
        if self.is_outer(term):
            return term
        if not isinstance(term, App):
            return None
        if term.symbol is op.ITE:
            condition, *arms = term.args
            then, other = (self._bound(arm, largest=largest) for arm in arms)
            if then is None or other is None:
                return None
            if self.is_outer(condition):
                return tb.ite(condition, then, other)
            return larger(then, other) if largest else smaller(then, other)
        if term.symbol in (op.PLUS, op.MINUS):
            opposite = largest is (term.symbol is op.PLUS)
            one = self._bound(term.args[0], largest=largest)
            two = self._bound(term.args[1], largest=opposite)
            if one is None or two is None:
                return None
            return tb.plus(one, two) if term.symbol is op.PLUS else tb.minus(one, two)
        return None

    def outer_part(self, conditions: tuple[Term, ...]) -> Term:
        """Those of several conditions that mean something outside."""
        parts: list[Term] = []
        for condition in conditions:
            conjuncts = _conjuncts(condition)
            parts += [part for part in conjuncts if self.is_outer(part)]
        return tb.conjoin(*parts)


def larger(a: Term, b: Term) -> Term:
    return _chosen(a, b, tb.at_least(a, b))


def smaller(a: Term, b: Term) -> Term:
    return _chosen(a, b, tb.at_most(a, b))


def _chosen(a: Term, b: Term, first: Term) -> Term:
    if isinstance(first, Literal):
        return a if first is tb.TRUE else b
    return tb.ite(first, a, b)


def _conjuncts(term: Term) -> tuple[Term, ...]:
    return term.args if isinstance(term, App) and term.symbol is op.AND else (term,)
