"""Axioms of domain instances, closed under the instances that the axioms themselves mention."""

from __future__ import annotations

from dataclasses import fields, replace

from pitviper.encoding.pure import pure_term
from pitviper.encoding.symbols import DomainInstance, Symbols, instantiate, type_bindings
from pitviper.program.expr import DomainApp, Expr
from pitviper.program.node import Node
from pitviper.program.types import DomainType, MapType, MultisetType, SeqType, SetType, Type
from pitviper.program.walk import rewrite
from pitviper.terms import build as tb
from pitviper.terms.term import Term

MAX_NESTING = 4
"""Type arguments nested deeper than this are not followed: `D[T]` whose axioms use `D[D[T]]`."""


def domain_axioms(symbols: Symbols) -> tuple[Term, ...]:
    """The axioms of all instances used so far; more instances may come into use on the way."""
    done: dict[DomainInstance, tuple[Term, ...]] = {}
    while True:
        new = [i for i in symbols.instances if i not in done and _nesting(i.args) <= MAX_NESTING]
        if not new:
            return tuple([fact for facts in done.values() for fact in facts])
        for instance in new:
            done[instance] = (*_uniqueness(instance, symbols), *_axioms(instance, symbols))


def _axioms(instance: DomainInstance, symbols: Symbols) -> list[Term]:
    domain = symbols.program.domains[instance.domain]
    bound = type_bindings(domain, instance.args)
    return [pure_term(typed(a.body, bound), {}, symbols) for a in domain.axioms]


def _uniqueness(instance: DomainInstance, symbols: Symbols) -> list[Term]:
    domain = symbols.program.domains[instance.domain]
    names = [f.name for f in domain.functions if f.unique]
    constants = [
        tb.apply(symbols.domain_function(instance.domain, name, instance.args)) for name in names
    ]
    by_sort: dict[object, list[Term]] = {}
    for constant in constants:
        by_sort.setdefault(constant.sort, []).append(constant)
    return [tb.distinct(*group) for group in by_sort.values() if len(group) > 1]


def typed(e: Expr, bound: dict[str, Type]) -> Expr:
    """The expression with type variables replaced."""
    if not bound:
        return e

    def rule(node: Node) -> Node | None:
        changes: dict[str, object] = {}
        if any(f.name == "type" for f in fields(node)):
            changes["type"] = instantiate(node.type, bound)  # type: ignore[attr-defined]
        if isinstance(node, DomainApp):
            changes["type_args"] = tuple([instantiate(t, bound) for t in node.type_args])
        return replace(node, **changes) if changes else None  # type: ignore[arg-type]

    return rewrite(e, rule)


def _nesting(types: tuple[Type, ...]) -> int:
    depth = 0
    for type_ in types:
        match type_:
            case SeqType(element) | SetType(element) | MultisetType(element):
                depth = max(depth, 1 + _nesting((element,)))
            case MapType(key, value):
                depth = max(depth, 1 + _nesting((key, value)))
            case DomainType(_, args) if args:
                depth = max(depth, 1 + _nesting(args))
    return depth
