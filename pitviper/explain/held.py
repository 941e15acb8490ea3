"""What is held where permission is missing: the same resource elsewhere, and what contains it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping

from pitviper.base.record import record
from pitviper.engines.symbolic.heap.chunk import (
    Args,
    Chunk,
    Kind,
    QuantifiedChunk,
    Resource,
    field_resource,
    predicate_resource,
)
from pitviper.engines.symbolic.provenance import Location
from pitviper.engines.symbolic.services import Services
from pitviper.engines.symbolic.state import State
from pitviper.explain.final_expression import FinalExpressions, names_in
from pitviper.explain.quantified import Inverses, denoted
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.member import Program
from pitviper.program.walk import descendants
from pitviper.terms import build as tb
from pitviper.terms.sort import REF
from pitviper.terms.substitute import substitute
from pitviper.terms.term import Term, Var

Proves = Callable[[State, Term], bool]

MOST = 5
"""Locations that are named."""
MOST_QUESTIONS = 8
"""Instances of which the solver is asked whether they contain a location."""


@record
class Held:
    """`similar` are assertions that are held, those about the same field or predicate first.

    Where there are few, all are among them. `containing` are instances with the location inside.
    """

    similar: tuple[str, ...]
    containing: tuple[str, ...]


def held_instead(
    st: State, lacking: Location, services: Services, proves: Proves, named: State
) -> Held:
    """Says what is held of the same resource, and which instances have the location inside.

    `named` has the variables in whose words that is said: those of the failing member.
    """
    shown = FinalExpressions(services.origins, names_in(named, services.origins))
    similar = [_plain(chunk, shown) for chunk in st.held.of(lacking.resource)]
    similar += [
        text
        for chunk in st.held.quantified(lacking.resource)
        if (text := _quantified(chunk, services.inverses, shown)) is not None and "@" not in text
    ]
    around = _containing(st, lacking, services, proves)
    containing = [shown.location(chunk.resource, chunk.args) for chunk in around]
    inside = [_plain(chunk, shown) for chunk in around]
    told = dict.fromkeys([*similar[:MOST], *inside])
    others = [_plain(chunk, shown) for chunk in st.held if _is_other(chunk, lacking)]
    if told and len({*told, *others}) <= MOST:
        told |= dict.fromkeys([text for text in others if "@" not in text])
    return Held(tuple(told), tuple(dict.fromkeys(containing)))


def _is_other(chunk: Chunk, lacking: Location) -> bool:
    kind = chunk.resource.kind
    return chunk.resource != lacking.resource and kind in (Kind.FIELD, Kind.PREDICATE)


def _plain(chunk: Chunk, shown: FinalExpressions) -> str:
    return _held(chunk.resource, chunk.args, chunk.amount, shown)


def _held(resource: Resource, args: Args, amount: Term, shown: FinalExpressions) -> str:
    """`acc(y.f, 1/2)`, or a wand; a name of ours for a wildcard is no word of the source."""
    place = shown.location(resource, args)
    if resource.kind is Kind.WAND:
        return place  # there are no parts of wands
    if amount is tb.WRITE:
        return f"acc({place})"
    part = re.sub(r"\bwildcard@[0-9.]+", "wildcard", shown.text(amount))
    return f"acc({place}, {part})"


def _quantified(chunk: QuantifiedChunk, inverses: Inverses, shown: FinalExpressions) -> str | None:
    """In the words of the quantifier that it comes from; None where there are none."""
    if chunk.only is not None:
        return _held(chunk.resource, chunk.only, chunk.amount_at(chunk.only), shown)
    found = denoted(chunk, inverses)
    if found is None:
        return None
    variables, condition, args, amount = found
    text = _held(chunk.resource, args, amount, shown)
    used = set(re.findall(r"\w+", f"{shown.text(condition)} {text}"))
    named = _named(variables, used)
    condition, amount, *places = [substitute(t, named) for t in (condition, amount, *args)]
    text = _held(chunk.resource, tuple(places), amount, shown)
    if condition is not tb.TRUE:
        text = f"{shown.text(condition)} ==> {text}"
    return f"forall {', '.join([shown.text(v) for v in named.values()])} :: {text}"


def _named(variables: tuple[Var, ...], used: set[str]) -> dict[Term, Term]:
    """Letters that are used for such variables, and none of the names of the source."""
    named: dict[Term, Term] = {}
    taken = set(used)
    for variable in variables:
        letters = "r" if variable.sort is REF else "ijk"
        free = [x for x in letters if x not in taken]
        count = itertools.count(1)
        name = free[0] if free else next(x for n in count if (x := f"{letters[0]}{n}") not in taken)
        taken.add(name)
        named[variable] = tb.variable(name, variable.sort)
    return named


MOST_NESTED = 3
"""Instances inside of instances that are looked into."""


def _containing(st: State, lacking: Location, services: Services, proves: Proves) -> list[Chunk]:
    """Instances whose body has the location, at once or inside of a further instance."""
    search = _Inside(st, lacking, services.program, proves)
    return [
        chunk
        for chunk in st.held
        if chunk.resource.kind is Kind.PREDICATE
        and search.has(chunk.resource.name, chunk.args, MOST_NESTED)
    ]


class _Inside:
    """Looks for a location in instances, with a bounded number of questions."""

    def __init__(self, st: State, lacking: Location, program: Program, proves: Proves) -> None:
        self._st = st
        self._lacking = lacking
        self._program = program
        self._proves = proves
        self._asked = 0

    def has(self, name: str, args: Args, depth: int) -> bool:
        predicate = self._program.predicates.get(name)
        if predicate is None or predicate.body is None or depth == 0:
            return False
        values = {p.name: arg for p, arg in zip(predicate.params, args, strict=True)}
        places = _places(predicate.body, values)
        return any(self._is_it(resource, found) for resource, found in places) or any(
            resource.kind is Kind.PREDICATE and self.has(resource.name, found, depth - 1)
            for resource, found in places
        )

    def _is_it(self, resource: Resource, args: Args) -> bool:
        if resource != self._lacking.resource:
            return False
        pairs = zip(args, self._lacking.args, strict=True)
        same = tb.conjoin(*[tb.equal(x, y) for x, y in pairs])
        if same is tb.TRUE or same is tb.FALSE:
            return same is tb.TRUE
        self._asked += 1
        return self._asked <= MOST_QUESTIONS and self._proves(self._st, same)


def _places(body: pa.Assertion, values: Mapping[str, Term]) -> list[tuple[Resource, Args]]:
    """Locations in a body whose arguments are formals, by their values."""
    found = []
    for node in descendants(body):
        args: tuple[pe.Expr, ...]
        match node:
            case pa.FieldLocation(receiver, field):
                resource, args = field_resource(field), (receiver,)
            case pa.PredicateLocation(name, args):
                resource = predicate_resource(name)
            case _:
                continue
        terms = [values[a.name] for a in args if isinstance(a, pe.Var) and a.name in values]
        if len(terms) == len(args):
            found.append((resource, tuple(terms)))
    return found
