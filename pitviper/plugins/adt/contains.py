"""`derives { contains }`: the arguments of a constructor lie in what it builds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.plugins.adt.domain import AsDomain, construct, for_all_built, own_type, parameters
from pitviper.plugins.build import conjunction
from pitviper.plugins.names import Names
from pitviper.program.expr import DomainApp, Expr, Forall, Implies, Trigger, Var
from pitviper.program.member import Adt, Axiom, Domain, Program, all_members
from pitviper.program.node import Node
from pitviper.program.types import BOOL, DomainType, Type, TypeVar, arguments_of, instantiate
from pitviper.program.walk import descendants
from pitviper.source.span import NO_SPAN

CONTAINS = "contains"


@record
class Contains:
    """The relation that a library file declares."""

    domain: str

    def of(self, part: Expr, whole: Expr) -> DomainApp:
        types = (part.type, whole.type)
        return DomainApp(self.domain, CONTAINS, types, (part, whole), BOOL, span=part.span)


def contains_relation(program: Program) -> Contains | None:
    """None if the program does not import the relation: then nothing is derived."""
    for domain in program.domains.values():
        if len(domain.type_params) == 2 and any(f.name == CONTAINS for f in domain.functions):
            return Contains(domain.name)
    return None


def contains_axioms(adt: Adt, contains: Contains, encode: AsDomain) -> list[Axiom]:
    """One axiom for each constructor with an argument that is not left out.

    The type in `contains[T]` leaves nothing out: the relation is there for all types.
    """
    axioms: list[Axiom] = []
    for derivation in adt.derivations:
        if derivation.name != CONTAINS:
            continue
        for constructor in adt.constructors:
            variables = parameters(constructor, encode)
            parts = [x for x in variables if x.name not in derivation.without]
            if parts:
                built = construct(constructor.name, variables, own_type(adt), constructor.span)
                fact = conjunction([contains.of(x, built) for x in parts], derivation.span)
                axiom = for_all_built(variables, built, fact)
                axioms.append(Axiom(None, axiom, span=derivation.span))
    return axioms


Pair: TypeAlias = tuple[Type, Type]
"""The type of a part and that of the whole."""


def transitivity(
    program: Program, adts: Iterable[Adt], contains: Contains, names: Names
) -> Domain | None:
    """The axioms for all chains of related types; `program` is the encoded one."""
    encoded = {adt.name: program.domains[adt.name] for adt in adts}
    derived = {name: _applications(domain, contains) for name, domain in encoded.items()}
    pairs = [pair for member in all_members(program) for pair in _applications(member, contains)]
    for type_ in _instances(program, encoded):
        parameters = encoded[type_.name].type_params
        values = dict(zip(parameters, type_.args, strict=True))
        pairs += [(instantiate(part, values), type_) for part, _ in derived[type_.name]]
    related = _closed([pair for pair in pairs if _is_ground(pair[0]) and _is_ground(pair[1])])
    axioms = [
        Axiom(None, _transitive(contains, (inner, middle, outer), names))
        for inner, middle in related
        for start, outer in related
        if start == middle
    ]
    if not axioms:
        return None
    return Domain(names.fresh("ContainsTransitivity"), (), None, (), tuple(axioms))


def _transitive(contains: Contains, types: tuple[Type, Type, Type], names: Names) -> Expr:
    inner = Var(names.fresh("inner"), types[0])
    middle = Var(names.fresh("middle"), types[1])
    outer = Var(names.fresh("outer"), types[2])
    below, above = contains.of(inner, middle), contains.of(middle, outer)
    fact = Implies(conjunction((below, above), NO_SPAN), contains.of(inner, outer))
    return Forall((inner, middle, outer), (Trigger((below, above)),), fact)


def _applications(node: Node, contains: Contains) -> list[Pair]:
    """The types at which the relation is applied."""
    found: list[Pair] = []
    for inner in descendants(node):
        if isinstance(inner, DomainApp) and inner.domain == contains.domain:
            part, whole = inner.type_args
            found.append((part, whole))
    return found


def _closed(pairs: Iterable[Pair]) -> list[Pair]:
    """The transitive closure, in a fixed order."""
    closed = dict.fromkeys(pairs)
    waiting = list(closed)
    while waiting:
        a, b = waiting.pop()
        for c, d in list(closed):
            for new in [(a, d)] * (b == c) + [(c, b)] * (d == a):
                if new not in closed:
                    closed[new] = None
                    waiting.append(new)
    return list(closed)


def _instances(program: Program, encoded: dict[str, Domain]) -> list[DomainType]:
    """The instances of the types that occur in the program, or as parts of such ones.

    A type that contains ever larger instances of itself has no end of them: instances deeper
    than those of the program by more than one level are left out.
    """
    waiting = list(dict.fromkeys(_types(program)))
    limit = 1 + max([_depth(type_) for type_ in waiting], default=0)
    found: dict[DomainType, None] = {}
    while waiting:
        type_ = waiting.pop()
        waiting += arguments_of(type_)
        if not isinstance(type_, DomainType) or type_ in found or type_.name not in encoded:
            continue
        if _is_ground(type_) and _depth(type_) <= limit:
            found[type_] = None
            domain = encoded[type_.name]
            values = dict(zip(domain.type_params, type_.args, strict=True))
            for function in domain.functions:
                waiting += [instantiate(p.type, values) for p in function.params]
    return list(found)


def _types(program: Program) -> Iterator[Type]:
    """The types of all expressions of the program."""
    for member in all_members(program):
        for node in descendants(member):
            type_ = getattr(node, "type", None)
            if type_ is not None:
                yield type_


def _is_ground(type_: Type) -> bool:
    """Whether no type parameter occurs in it."""
    return not isinstance(type_, TypeVar) and all([_is_ground(t) for t in arguments_of(type_)])


def _depth(type_: Type) -> int:
    return 1 + max([_depth(t) for t in arguments_of(type_)], default=0)
