"""What is held where permission is missing: the same resource elsewhere, and what contains it."""

from __future__ import annotations

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
from pitviper.engines.symbolic.services import Met, Services
from pitviper.engines.symbolic.state import State
from pitviper.explain.final_expression import FinalExpressions, names_in
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.member import Program
from pitviper.program.walk import descendants
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import REF
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term, Var

Inverses = Mapping[Met, tuple[Function, ...]]
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


def held_instead(st: State, lacking: Location, services: Services, proves: Proves) -> Held:
    """Says what is held of the same resource, and which instances have the location inside."""
    shown = FinalExpressions(services.origins, names_in(st, services.origins))
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
    found = denoted(chunk, inverses) or own_formals(chunk)
    if found is None:
        return None
    variables, condition, args, amount = found
    names = _names(variables)
    bound = ", ".join(names)
    text = f"{shown.text(condition)} ==> {_held(chunk.resource, args, amount, shown)}"
    for variable, name in zip(variables, names, strict=True):
        text = text.replace(shown.text(variable), name)
    return f"forall {bound} :: {text}"


def _names(variables: tuple[Var, ...]) -> list[str]:
    """Letters that are used for such variables; the names of ours are none of the source."""
    letters = ["r" if variable.sort is REF else "i" for variable in variables]
    return [letter + (str(at) if at else "") for at, letter in enumerate(letters)]


def own_formals(
    chunk: QuantifiedChunk,
) -> tuple[tuple[Var, ...], Term, tuple[Term, ...], Term] | None:
    """The same for a chunk whose amount depends on its locations alone: `r in s ? write : none`."""
    amount = chunk.amount
    if not isinstance(amount, App) or amount.symbol is not op.ITE or amount.args[2] is not tb.NONE:
        return None
    condition, part, _ = amount.args
    if any(formal in part.free for formal in chunk.formals):
        return None
    return _without_equalities(chunk.formals, condition, part)


def _without_equalities(
    formals: tuple[Var, ...], condition: Term, part: Term
) -> tuple[tuple[Var, ...], Term, tuple[Term, ...], Term]:
    """`i == b && r in s` says which `i` is meant: what it is stands for it, unless none is left."""
    args: tuple[Term, ...] = formals
    bound = list(formals)
    for formal in formals[1:]:
        value = _value_of(formal, condition)
        if value is not None:
            bound.remove(formal)
            condition = substitute(condition, {formal: value})
            args = tuple([substitute(arg, {formal: value}) for arg in args])
    return tuple(bound), condition, args, part


def _value_of(variable: Var, condition: Term) -> Term | None:
    """What a conjunct says that a variable is equal to."""
    parts = condition.args if isinstance(condition, App) and condition.symbol is op.AND else ()
    for one in (condition, *parts):
        if isinstance(one, App) and one.symbol is op.EQUAL and variable in one.args:
            left, right = one.args
            other = right if left is variable else left
            if variable not in other.free:
                return other
    return None


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


def denoted(
    chunk: QuantifiedChunk, inverses: Inverses
) -> tuple[tuple[Var, ...], Term, tuple[Term, ...], Term] | None:
    """Returns the variables, the condition, the location over them, and the amount there.

    None for a chunk whose amount is not about a single quantifier.
    """
    used = {t.symbol for t in subterms(chunk.amount) if isinstance(t, App)}
    found = [(met, symbols) for met, symbols in inverses.items() if not used.isdisjoint(symbols)]
    if len({symbols for _, symbols in found}) != 1:
        return None
    for met, (image, *backs) in found:
        at = (*met.given, *chunk.formals)
        binding: dict[Term, Term] = {tb.apply(image, *at): tb.TRUE}
        for back, variable in zip(backs, met.variables, strict=True):
            binding[tb.apply(back, *at)] = variable
        here = substitute(substitute(chunk.amount, binding), {met.condition: tb.TRUE})
        if not met.binders and not any(formal in here.free for formal in chunk.formals):
            return met.variables, met.condition, met.args, here
    return None  # some location was taken out of it
