"""The ADT plugin: algebraic data types become domains, their operations domain functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pitviper.base.record import names_of, replace
from pitviper.plugins.adt.contains import contains_axioms, contains_relation, transitivity
from pitviper.plugins.adt.domain import (
    AsDomain,
    Symbols,
    construct,
    domain_of,
    symbols_of,
    type_encoder,
)
from pitviper.plugins.adt.order import order_domains
from pitviper.plugins.adt.words import translation
from pitviper.plugins.build import with_domains
from pitviper.plugins.names import Names
from pitviper.plugins.step import PluginContext, Step, unchanged
from pitviper.plugins.termination.measures import orders_of
from pitviper.program.expr import Construct, Destruct, Discriminate, DomainApp, Equal, IntLit
from pitviper.program.member import Domain, DomainFunction, Function, Program
from pitviper.program.node import Node
from pitviper.program.types import Type
from pitviper.program.walk import rewrite

N = TypeVar("N", bound=Node)


def encode_adts(program: Program, context: PluginContext) -> Step:
    """Every generated node has the place of what it stands for; findings get its words back."""
    encode = type_encoder()
    symbols = symbols_of(program, context.names)
    encoded = _encode_uses(program, symbols, encode)
    encoded = with_domains(encoded, _domains(program, symbols, encode, context))
    contains = contains_relation(program)
    if contains is not None and any(adt.derivations for adt in program.adts.values()):
        domain = transitivity(encoded, program.adts.values(), contains, context.names)
        encoded = with_domains(encoded, [] if domain is None else [domain])
    return Step(encoded, translate=translation(program, symbols) if program.adts else unchanged)


def _domains(
    program: Program, symbols: Symbols, encode: AsDomain, context: PluginContext
) -> list[Domain]:
    contains = contains_relation(program)
    domains: list[Domain] = []
    for adt in program.adts.values():
        domain = domain_of(adt, symbols, encode, context.names)
        if contains is not None:
            axioms = (*domain.axioms, *contains_axioms(adt, contains, encode))
            domain = replace(domain, axioms=axioms)
        domains.append(domain)
    if context.options.termination:
        domains += order_domains(program, orders_of(program), context.names)
    return domains


# ---------------------------------------------------------------- uses


def encode_formula(node: N, program: Program) -> N:
    """An expression beside a program, in the terms of its encoding."""
    return rewrite(node, _rule(symbols_of(program, Names(program)), type_encoder()))


def _rule(symbols: Symbols, encode: AsDomain) -> Callable[[Node], Node | None]:
    def rule(node: Node) -> Node | None:
        match node:
            case Construct(constructor, args, type_):
                return construct(constructor, args, encode(type_), node.span)
            case Destruct(receiver, argument, type_):
                return symbols.destruct(receiver, argument, encode(type_), node.span)
            case Discriminate(receiver, constructor):
                tag = IntLit(symbols.tags[constructor], span=node.span)
                return Equal(symbols.tag_of(receiver, node.span), tag, span=node.span)
            case _:
                return _with_encoded_types(node, encode)

    return rule


def _encode_uses(program: Program, symbols: Symbols, encode: AsDomain) -> Program:
    """All members but the types themselves, with types and operations replaced."""
    rule = _rule(symbols, encode)
    return Program(
        fields={m.name: rewrite(m, rule) for m in program.fields.values()},
        methods={m.name: rewrite(m, rule) for m in program.methods.values()},
        functions={m.name: rewrite(m, rule) for m in program.functions.values()},
        predicates={m.name: rewrite(m, rule) for m in program.predicates.values()},
        domains={m.name: rewrite(m, rule) for m in program.domains.values()},
        adts={},
    )


_STORES_TYPE: dict[type, bool] = {}


def _with_encoded_types(node: Node, encode: AsDomain) -> Node | None:
    """The types that a node itself carries; most nodes carry none, or one without change."""
    cls = type(node)
    stores = _STORES_TYPE.get(cls)
    if stores is None:
        stores = _STORES_TYPE[cls] = "type" in names_of(cls)
    if isinstance(node, DomainApp):
        types = tuple([encode(t) for t in node.type_args])
        return replace(node, type_args=types, type=encode(node.type))
    if isinstance(node, Function | DomainFunction):
        return replace(node, result=encode(node.result))
    if not stores:
        return None
    old: Type = getattr(node, "type")  # noqa: B009
    new = encode(old)
    return None if new == old else replace(node, type=new)  # type: ignore[call-arg]
