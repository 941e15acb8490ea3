"""Arrays as programs of Viper have them: a domain function from an array and an index to an object.

Such a function is injective, and nothing else is known of it: axioms say that it has inverses, or
that equal results have equal arguments. Then runs need no solver to tell its results apart, and
its axioms need not be told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.program import expr as pe
from pitviper.program.member import Axiom, Domain, DomainFunction, Program
from pitviper.program.node import Node
from pitviper.program.types import BoolType, DomainType, IntType, RefType, TypeVar
from pitviper.program.walk import descendants


@record
class Arrays:
    """Functions that give the places of arrays; those of `never_null` are objects in any case.

    `axioms` say that and nothing else.
    """

    functions: frozenset[str] = frozenset()
    never_null: frozenset[str] = frozenset()
    axioms: frozenset[Axiom] = frozenset()


def arrays_of(program: Program) -> Arrays:
    """Returns the functions of a program that are injective and otherwise free."""
    axioms = [a for d in program.domains.values() for a in d.axioms]
    used = {n.function for n in _outside(program) if isinstance(n, pe.DomainApp)}
    found: dict[str, list[Axiom]] = {}
    never_null = []
    for domain in program.domains.values():
        for function in [f for f in domain.functions if _is_like_a_place(f, domain)]:
            claims = [(a, _claims_of(a.body, function)) for a in axioms if _mentions(a, function)]
            if _make_it_injective(function, [c for _, c in claims], (axioms, used)):
                found[function.name] = [a for a, _ in claims]
                if any(NOT_NULL in listed for _, listed in claims if listed):
                    never_null.append(function.name)
    dropped = frozenset([a for listed in found.values() for a in listed])
    return Arrays(frozenset(found), frozenset(never_null), dropped)


def _is_like_a_place(function: DomainFunction, domain: Domain) -> bool:
    kinds = [p.type for p in function.params]
    simple = all(isinstance(k, IntType | DomainType | RefType | TypeVar | BoolType) for k in kinds)
    is_plain = function.interpretation is None and domain.interpretations is None
    indexed = any(isinstance(k, IntType) for k in kinds)
    return isinstance(function.result, RefType) and is_plain and simple and indexed


def _outside(program: Program) -> Iterator[Node]:
    """Everything but axioms."""
    members = (*program.methods.values(), *program.functions.values())
    for member in (*members, *program.predicates.values()):
        yield from descendants(member)


def _mentions(axiom: Axiom, function: DomainFunction) -> bool:
    return function.name in _applied(axiom.body)


def _applied(node: Node) -> set[str]:
    return {n.function for n in descendants(node) if isinstance(n, pe.DomainApp)}


_Claim: TypeAlias = tuple[str, int]
"""That an inverse gives an argument; without a name, that the argument follows from the result."""

NOT_NULL: _Claim = ("", -1)


def _claims_of(body: pe.Expr, function: DomainFunction) -> list[_Claim] | None:
    """What an axiom says about a function; None if that is more than we know how to use."""
    while isinstance(body, pe.Forall):
        body = body.body
    parts = body.operands if isinstance(body, pe.And) else (body,)
    found: list[_Claim] = []
    for part in parts:
        claims = _inverse(part, function) or _injective(part, function) or _not_null(part, function)
        if not claims:
            return None
        found += claims
    return found


def _inverse(part: pe.Expr, function: DomainFunction) -> list[_Claim]:
    """`inverse(f(a, i)) == a`, in either order."""
    match part:
        case pe.Equal(
            pe.DomainApp(function=name, args=(pe.DomainApp() as place,)), pe.Var() as arg
        ) | pe.Equal(
            pe.Var() as arg, pe.DomainApp(function=name, args=(pe.DomainApp() as place,))
        ) if _is_any(place, function):
            return [(name, n) for n, a in enumerate(place.args) if a == arg]
        case _:
            return []


def _injective(part: pe.Expr, function: DomainFunction) -> list[_Claim]:
    """`f(a, i) == f(b, j) ==> a == b && i == j`."""
    match part:
        case pe.Implies(pe.Equal(pe.DomainApp() as one, pe.DomainApp() as other), conclusion):
            if not _is_any(one, function) or not _is_any(other, function):
                return []
            if set(one.args) & set(other.args):
                return []
            equal = conclusion.operands if isinstance(conclusion, pe.And) else (conclusion,)
            pairs = list(enumerate(zip(one.args, other.args, strict=True)))
            said = [
                n for e in equal for n, (x, y) in pairs if e in (pe.Equal(x, y), pe.Equal(y, x))
            ]
            return [("", n) for n in said] if len(said) == len(equal) else []
        case _:
            return []


def _not_null(part: pe.Expr, function: DomainFunction) -> list[_Claim]:
    match part:
        case pe.NotEqual(pe.DomainApp() as place, pe.NullLit()) | pe.NotEqual(
            pe.NullLit(), pe.DomainApp() as place
        ) if _is_any(place, function):
            return [NOT_NULL]
        case _:
            return []


def _is_any(place: pe.DomainApp, function: DomainFunction) -> bool:
    """Whether a function is applied to different variables: said of all arguments."""
    variables = [a for a in place.args if isinstance(a, pe.Var)]
    return (
        place.function == function.name
        and len(variables) == len(place.args)
        and len(set(variables)) == len(variables)
    )


def _make_it_injective(
    function: DomainFunction, said: list[list[_Claim] | None], around: tuple[list[Axiom], set[str]]
) -> bool:
    """Whether claims give back every argument, by inverses that nobody else speaks about."""
    axioms, used = around
    claims: list[_Claim] = []
    for listed in said:
        if listed is None:
            return False
        claims += listed
    inverses = {name for name, _ in claims if name}
    by_argument = {name: n for name, n in claims if name}
    is_unique = len(by_argument) == len({(name, n) for name, n in claims if name})
    others = [a for a in axioms if not _mentions(a, function)]
    is_free = not any(inverses & _applied(a.body) for a in others) and not inverses & used
    covered = {n for _, n in claims}
    return is_unique and is_free and all(n in covered for n in range(len(function.params)))
