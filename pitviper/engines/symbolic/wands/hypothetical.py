"""What is hypothetical inside a package, and what means something outside of it as well.

NOTE(hypothetical). A symbol is hypothetical if it was made inside the package: the snapshot of the
left-hand side, what the script brings, what is derived from them. Names for other terms count as
those terms, and symbols chosen without looking at hypothetical ones are not. Example:

    package acc(x.f) --* acc(x.f) && acc(y.f, p) {   // x.f's value is hypothetical: any value
        var a: Perm := p                              // a is a name for p, which is not
    }                                                 // so `p` of y.f is transferred, told outside
"""

from __future__ import annotations

from typing import NamedTuple

from pitviper.base.record import field, record
from pitviper.engines.symbolic.heap.chunk import Resource
from pitviper.solver.session import FactKind, Path
from pitviper.terms.operators import EQUAL
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Quantified, Term


class Place(NamedTuple):
    """A chunk of a heap around a package: the heap, nearest first, the resource, the position."""

    level: int
    resource: Resource
    at: int


@record
class Transferred:
    """Provenance of a note on a path: here an amount was transferred from a chunk. `joined` if a
    part of the location was there already."""

    place: Place
    amount: Term
    joined: bool = False


@record
class Chosen:
    """Provenance of a fact about new symbols: there are values for them such that `facts` hold,
    whatever else is true. So these facts may leave a package."""

    symbols: tuple[Function, ...]
    facts: tuple[Term, ...]


def choice_of(value: Term, fact: Term) -> Chosen:
    """A new symbol, perhaps applied to binders, and all there is to know about it."""
    heads = (value.symbol,) if isinstance(value, App) and isinstance(value.symbol, Function) else ()
    return Chosen(heads, (fact,))


@record
class Packaging:
    """A package that is going on: its path and symbols before; see NOTE(hypothetical).

    `binders` are those of the context around the package.
    """

    base: Path
    mark: dict[str, int]
    binders: tuple[Term, ...]

    def on(self, path: Path) -> Outside:
        """The view from outside on what a path inside knows."""
        outside = Outside(self.mark, {})
        for entry in path.since(self.base):
            if isinstance(entry.provenance, Chosen):
                outside.admit(entry.provenance)
            elif entry.kind is FactKind.DEFINITION:
                outside.define(entry.fact)
        return outside


@record
class Outside:
    """Tells whether a term means something outside of a package."""

    mark: dict[str, int]
    names: dict[Term, Term]
    chosen: dict[Function, Chosen] = field(default_factory=dict)

    def define(self, fact: Term) -> None:
        """A name for a term, or a function that is defined for all its arguments."""
        same = fact.body if isinstance(fact, Quantified) else fact
        if not isinstance(same, App) or same.symbol is not EQUAL:
            return
        name, value = same.args
        if same is fact:
            self.names.setdefault(name, value)
        elif isinstance(name, App) and isinstance(name.symbol, Function):
            self.admit(Chosen((name.symbol,), (fact,)))

    def admit(self, choice: Chosen) -> None:
        """Symbols count as outside if all that is said about them does."""
        known = {*self.chosen, *choice.symbols}
        if all(
            not self._is_new(t.symbol) or t.symbol in known
            for t in subterms(*choice.facts)
            if isinstance(t, App) and isinstance(t.symbol, Function)
        ):
            self.chosen.update(dict.fromkeys(choice.symbols, choice))

    def resolved(self, term: Term) -> Term | None:
        """The term without names made inside; None if it depends on the left-hand side."""
        for _ in range(len(self.names) + 1):
            if not self._is_hypothetical(term):
                return term
            expanded = substitute(term, self.names)
            if expanded is term:
                return None
            term = expanded
        return None

    def _is_hypothetical(self, term: Term) -> bool:
        return any(
            isinstance(t, App)
            and isinstance(t.symbol, Function)
            and self._is_new(t.symbol)
            and t.symbol not in self.chosen
            for t in subterms(term)
        )

    def _is_new(self, symbol: Function) -> bool:
        return Supply.is_since(symbol.name, self.mark)

    def choices_in(self, *terms: Term) -> list[Chosen]:
        """The choices that terms rest on, and those that these rest on."""
        found: dict[Chosen, None] = {}
        todo = list(terms)
        while todo:
            for t in subterms(*todo):
                if isinstance(t, App) and isinstance(t.symbol, Function):
                    choice = self.chosen.get(t.symbol)
                    if choice is not None:
                        found.setdefault(choice)
            mentioned = [fact for choice in found for fact in choice.facts]
            todo = [] if set(mentioned) <= set(todo) else mentioned
        return list(found)
