"""Which axioms may make new terms for ever, so that nobody knows when all of them were used.

A quantifier is used for terms that match a trigger, and its body brings new terms, which may match
again. `P(i) ==> P(i + 1)` never ends: that a solver has found no contradiction says little about
`P(50)` then. `length(cons(x, xs)) == length(xs) + 1` ends: what `length` is applied to was there
before.

The rule is that of weak acyclicity: values flow from the places at which a trigger binds a variable
to those at which the body uses it. Where something new is made of them (`i + 1`, `cons(x, xs)`) and
flows back to where it came from, there may be no end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias, TypeVar

from pitviper.terms.operators import IMPLIES
from pitviper.terms.sort import BOOL
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Binder, Quantified, Term, Var

Place: TypeAlias = tuple[str, int]
"""An argument of a function by its position; -1 is the result."""

RESULT = -1

_T = TypeVar("_T")


def endless_symbols(axioms: Iterable[Term]) -> frozenset[str]:
    """Functions whose values may depend on a chain of axioms that has no end."""
    flow = _Flow()
    for axiom in axioms:
        for quantifier in _outermost(axiom):
            flow.add(quantifier)
    growing = flow.growing()
    behind = {name: _reached(name, flow.makes) for name in flow.makes}
    return growing | {name for name, others in behind.items() if growing & others}


class _Flow:
    """Where values go when axioms are used.

    `goes` leads from a place to those that get the same values, `grows` to those that get values
    made of them; `makes` from a function of a trigger to those that the body applies.
    """

    def __init__(self) -> None:
        self.goes: dict[Place, dict[Place, None]] = {}
        self.grows: dict[Place, dict[Place, None]] = {}
        self.makes: dict[str, dict[str, None]] = {}

    def growing(self) -> frozenset[str]:
        """Functions with a place whose values are made of values of the same place."""
        steps = {place: {**self.goes.get(place, {}), **self.grows.get(place, {})}
                 for place in (*self.goes, *self.grows)}  # fmt: skip
        found = set()
        for start, ends in self.grows.items():
            for end in ends:
                if end == start or start in _reached(end, steps):
                    found |= {start[0], end[0]}
        return frozenset(found)

    def add(self, quantifier: Quantified) -> None:
        """Where no trigger is written, each application with all variables may be the one."""
        whole = _Whole(quantifier)
        for group in whole.groups():
            bound = list(subterms(*group))
            self._use(whole, [t for t in bound if isinstance(t, App)], bound)
        if not whole.groups():
            self._use(whole, list(whole.applications), [])

    def _use(self, whole: _Whole, binding: list[App], matched: list[Term]) -> None:
        sources = {v: list(_places(v, binding)) for v in whole.variables}
        for made in whole.made:
            sources[made] = []
        new = [t for t in whole.applications if t not in matched]
        for application in binding:
            if application in whole.applications:
                self.makes.setdefault(_name(application), {}).update(dict.fromkeys(map(_name, new)))
        everything = [place for places in sources.values() for place in places]
        for term in new:
            for position, arg in enumerate(term.args):
                self._fill(sources, everything, arg, (_name(term), position))
            if term.sort != BOOL:
                self._edges(
                    self.grows, _mentioned(sources, term, everything), (_name(term), RESULT)
                )

    def _fill(
        self, sources: dict[Var, list[Place]], everything: list[Place], arg: Term, at: Place
    ) -> None:
        """What comes to a place: a variable as it is, a result of a function, or something new."""
        if isinstance(arg, Var) and sources.get(arg):
            self._edges(self.goes, sources[arg], at)
        elif isinstance(arg, App) and _is_own(arg):
            self._edges(self.goes, [(_name(arg), RESULT)], at)
        elif arg.sort != BOOL:
            results = [(_name(t), RESULT) for t in subterms(arg) if _is_own(t)]
            self._edges(self.grows, [*_mentioned(sources, arg, everything), *results], at)

    def _edges(
        self, table: dict[Place, dict[Place, None]], starts: Iterable[Place], end: Place
    ) -> None:
        for start in starts:
            table.setdefault(start, {})[end] = None


class _Whole:
    """A quantifier with those inside of it.

    `variables` are its own, also those of quantifiers that are all of its body; `made` are those of
    others inside, for which a solver may make up a value out of those around.
    """

    def __init__(self, quantifier: Quantified) -> None:
        variables, bodies = list(quantifier.variables), [quantifier.body]
        triggers = quantifier.triggers
        while (further := _continued(bodies[-1], quantifier.binder)) is not None:
            variables += further.variables
            triggers = ()
            bodies.append(further.body)
        inner = [t for t in subterms(bodies[-1]) if isinstance(t, Quantified)]
        self.variables = tuple(variables)
        self.made = tuple([v for q in inner for v in q.variables])
        self._triggers = () if inner else triggers
        self._is_deep = bool(inner)
        own = [t for t in subterms(*bodies) if isinstance(t, App) and _is_own(t)]
        bound = frozenset((*self.variables, *self.made))
        self.applications = tuple([t for t in own if any(v in bound for v in t.free)])

    def groups(self) -> tuple[tuple[Term, ...], ...]:
        """The triggers that may be used; none if they are made of several applications."""
        if self._triggers or self._is_deep:
            return self._triggers
        whole = [t for t in self.applications if all(v in t.free for v in self.variables)]
        return tuple([(t,) for t in whole])


def _continued(body: Term, binder: Binder) -> Quantified | None:
    """A quantifier of the same kind that is all of a body, but for what an implication guards."""
    while isinstance(body, App) and body.symbol is IMPLIES:
        body = body.args[-1]
    return body if isinstance(body, Quantified) and body.binder is binder else None


def _outermost(term: Term) -> Iterator[Quantified]:
    """The quantifiers of a formula that are in no other."""
    todo = [term]
    while todo:
        current = todo.pop()
        if isinstance(current, Quantified):
            yield current
        elif isinstance(current, App):
            todo.extend(current.args)


def _places(variable: Var, applications: list[App]) -> Iterator[Place]:
    """Where a trigger binds a variable."""
    for term in applications:
        if _is_own(term):
            for position, arg in enumerate(term.args):
                if arg is variable:
                    yield _name(term), position


def _mentioned(sources: dict[Var, list[Place]], term: Term, everything: list[Place]) -> list[Place]:
    """The places whose values a term is made of; of a made-up one, all of them."""
    found: list[Place] = []
    for variable in term.free:
        if isinstance(variable, Var) and variable in sources:
            found += sources[variable] or everything
    return found


def _is_own(term: Term) -> bool:
    """Whether a term is an application of a function of the program."""
    if not isinstance(term, App) or not isinstance(term.symbol, Function):
        return False
    return not term.symbol.name.startswith("%")


def _name(term: Term) -> str:
    assert isinstance(term, App)
    return term.symbol.name


def _reached(start: _T, steps: dict[_T, dict[_T, None]]) -> set[_T]:
    found: set[_T] = set()
    todo = list(steps.get(start, ()))
    while todo:
        at = todo.pop()
        if at not in found:
            found.add(at)
            todo += steps.get(at, ())
    return found
