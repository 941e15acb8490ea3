"""What is held where permission is missing: the same resource elsewhere, and what contains it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pitviper.base.record import record
from pitviper.engines.symbolic.heap.chunk import Args, Chunk, Kind, QuantifiedChunk, Resource
from pitviper.engines.symbolic.provenance import Location
from pitviper.engines.symbolic.services import Services
from pitviper.engines.symbolic.state import State
from pitviper.explain.final_expression import FinalExpressions, names_in
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.walk import descendants
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import REF
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term, Var

Inverses = Mapping[object, tuple[Function, ...]]
Proves = Callable[[State, Term], bool]

MOST = 5
"""Locations that are named."""
MOST_QUESTIONS = 8
"""Instances of which the solver is asked whether they contain a location."""


@record
class Held:
    """`similar` are assertions about the same field or predicate, `containing` are instances."""

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
    containing = [
        shown.location(chunk.resource, chunk.args)
        for chunk in _containing(st, lacking, services, proves)
    ]
    inside = [f"acc({place})" for place in containing]
    told = dict.fromkeys([*similar[:MOST], *inside])
    return Held(tuple(told), tuple(dict.fromkeys(containing)))


def _plain(chunk: Chunk, shown: FinalExpressions) -> str:
    return _access(shown.location(chunk.resource, chunk.args), chunk.amount, shown)


def _access(place: str, amount: Term, shown: FinalExpressions) -> str:
    """`acc(y.f, 1/2)`; a name of ours for a wildcard is no word of the source."""
    if amount is tb.WRITE:
        return f"acc({place})"
    part = re.sub(r"\bwildcard@[0-9.]+", "wildcard", shown.text(amount))
    return f"acc({place}, {part})"


def _quantified(chunk: QuantifiedChunk, inverses: Inverses, shown: FinalExpressions) -> str | None:
    """In the words of the quantifier that it comes from; None where there are none."""
    if chunk.only is not None:
        place = shown.location(chunk.resource, chunk.only)
        return _access(place, chunk.amount_at(chunk.only), shown)
    found = denoted(chunk, inverses) or _own_formals(chunk)
    if found is None:
        return None
    variables, condition, args, amount = found
    names = _names(variables)
    bound = ", ".join(names)
    place = shown.location(chunk.resource, args)
    text = f"{shown.text(condition)} ==> {_access(place, amount, shown)}"
    for variable, name in zip(variables, names, strict=True):
        text = text.replace(shown.text(variable), name)
    return f"forall {bound} :: {text}"


def _names(variables: tuple[Var, ...]) -> list[str]:
    """Letters that are used for such variables; the names of ours are none of the source."""
    letters = ["r" if variable.sort is REF else "i" for variable in variables]
    return [letter + (str(at) if at else "") for at, letter in enumerate(letters)]


def _own_formals(
    chunk: QuantifiedChunk,
) -> tuple[tuple[Var, ...], Term, tuple[Term, ...], Term] | None:
    """The same for a chunk whose amount depends on its locations alone: `r in s ? write : none`."""
    amount = chunk.amount
    if not isinstance(amount, App) or amount.symbol is not op.ITE or amount.args[2] is not tb.NONE:
        return None
    condition, part, _ = amount.args
    if any(formal in part.free for formal in chunk.formals):
        return None
    return chunk.formals, condition, chunk.formals, part


def _containing(st: State, lacking: Location, services: Services, proves: Proves) -> list[Chunk]:
    """Instances whose body has the location at once, not only inside of a further instance."""
    found, asked = list[Chunk](), 0
    for chunk in st.held:
        if chunk.resource.kind is not Kind.PREDICATE or chunk.resource.name == "":
            continue
        predicate = services.program.predicates.get(chunk.resource.name)
        if predicate is None or predicate.body is None:
            continue
        values = {p.name: arg for p, arg in zip(predicate.params, chunk.args, strict=True)}
        for args in _places(predicate.body, lacking.resource, values):
            same = tb.conjoin(*[tb.equal(x, y) for x, y in zip(args, lacking.args, strict=True)])
            asked += same is not tb.TRUE
            is_same = same is tb.TRUE or (asked <= MOST_QUESTIONS and proves(st, same))
            if is_same and same is not tb.FALSE:
                found.append(chunk)
                break
    return found


def _places(body: pa.Assertion, resource: Resource, values: Mapping[str, Term]) -> list[Args]:
    """Locations of a resource in a body whose arguments are formals, by their values."""
    found = []
    for node in descendants(body):
        match node:
            case pa.FieldLocation(receiver, field) if (
                resource.kind is Kind.FIELD and field == resource.name
            ):
                args: tuple[pe.Expr, ...] = (receiver,)
            case pa.PredicateLocation(name, given) if (
                resource.kind is Kind.PREDICATE and name == resource.name
            ):
                args = given
            case _:
                continue
        terms = [values.get(arg.name) for arg in args if isinstance(arg, pe.Var)]
        if len(terms) == len(args) and all(term is not None for term in terms):
            found.append(tuple([term for term in terms if term is not None]))
    return found


def denoted(
    chunk: QuantifiedChunk, inverses: Inverses
) -> tuple[tuple[Var, ...], Term, tuple[Term, ...], Term] | None:
    """Returns the variables, the condition, the location over them, and the amount there.

    None for a chunk whose amount is not about a single quantifier.
    """
    used = {t.symbol for t in subterms(chunk.amount) if isinstance(t, App)}
    found = [(key, symbols) for key, symbols in inverses.items() if not used.isdisjoint(symbols)]
    if len(found) != 1:
        return None
    key, (image, *backs) = found[0]
    if not isinstance(key, tuple) or len(key) != 4 or key[3]:
        return None
    _, variables, (condition, *args), _ = key
    binding: dict[Term, Term] = {tb.apply(image, *chunk.formals): tb.TRUE}
    for back, variable in zip(backs, variables, strict=True):
        binding[tb.apply(back, *chunk.formals)] = variable
    amount = substitute(substitute(chunk.amount, binding), {condition: tb.TRUE})
    if any(formal in amount.free for formal in chunk.formals):
        return None  # some location was taken out of it
    return variables, condition, tuple(args), amount
