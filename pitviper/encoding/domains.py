"""Axioms of domain instances, closed under the instances that the axioms themselves mention."""

from __future__ import annotations

from pitviper.base.record import names_of, record, replace
from pitviper.encoding.heap_independent import pure_term
from pitviper.encoding.symbols import DomainInstance, Symbols, type_bindings
from pitviper.program import types as pt
from pitviper.program.expr import DomainApp, Expr, Var
from pitviper.program.member import Domain
from pitviper.program.node import Node
from pitviper.program.walk import descendants, rewrite
from pitviper.terms import build as tb
from pitviper.terms.term import Term

MORE_NESTING = 1
"""How much deeper than in the program type arguments are followed: `D[T]` whose axioms use
`D[D[T]]` would go on for ever."""


def domain_axioms(symbols: Symbols) -> tuple[Term, ...]:
    """The axioms of all instances used so far; more instances may come into use on the way."""
    done: dict[DomainInstance, tuple[Term, ...]] = {}
    limit = MORE_NESTING + max([_nesting(i.args) for i in symbols.instances], default=0)
    while True:
        _match_axioms(symbols)
        new = [i for i in symbols.instances if i not in done and _nesting(i.args) <= limit]
        if not new:
            return tuple([fact for facts in done.values() for fact in facts])
        for instance in new:
            done[instance] = (*_uniqueness(instance, symbols), *_axioms(instance, symbols))


def _match_axioms(symbols: Symbols) -> None:
    """Bring instances into use whose axioms speak about instances in use.

    An axiom of `D[T]` that mentions `E[T]` says something about `E[Int]`: with `T` as Int. A
    parameter that the axiom does not mention may stand for any type.
    """
    for domain in symbols.program.domains.values():
        if not domain.type_params:
            continue
        for mention in _mentioned(domain):
            for instance in [i for i in symbols.instances if i.domain == mention.domain]:
                bound: dict[str, pt.Type] = {}
                parts = zip(mention.args, instance.args, strict=True)
                if all(_match(p, a, bound) for p, a in parts) and mention.needed <= set(bound):
                    own = tuple([bound.get(name, pt.INT) for name in domain.type_params])
                    symbols.instances.setdefault(DomainInstance(domain.name, own), None)


@record
class _Mention:
    """An instance with type variables in an axiom that `needed` these variables in all."""

    domain: str
    args: tuple[pt.Type, ...]
    needed: frozenset[str]


def _mentioned(domain: Domain) -> list[_Mention]:
    """Instances that the axioms of a generic domain mention, its own included."""
    found: dict[_Mention, None] = {}
    for axiom in domain.axioms:
        instances: dict[tuple[str, tuple[pt.Type, ...]], None] = {}
        for node in descendants(axiom.body):
            if isinstance(node, DomainApp):
                instances[node.domain, node.type_args] = None
            elif isinstance(node, Var) and isinstance(node.type, pt.DomainType):
                instances[node.type.name, node.type.args] = None
        needed = frozenset([v for node in descendants(axiom.body) for v in _type_variables(node)])
        found.update({_Mention(name, args, needed): None for name, args in instances})
    return list(found)


def _type_variables(node: Node) -> list[str]:
    types = list(node.type_args) if isinstance(node, DomainApp) else []
    if isinstance(node, Var):
        types.append(node.type)
    names: list[str] = []
    while types:
        type_ = types.pop()
        if isinstance(type_, pt.TypeVar):
            names.append(type_.name)
        types += pt.arguments_of(type_)
    return names


def _match(pattern: pt.Type, actual: pt.Type, bound: dict[str, pt.Type]) -> bool:
    """Whether a type is an instance of a pattern; `bound` collects what its variables stand for."""
    if isinstance(pattern, pt.TypeVar):
        return bound.setdefault(pattern.name, actual) == actual
    if not pt.same_head(pattern, actual):
        return False
    pairs = zip(pt.arguments_of(pattern), pt.arguments_of(actual), strict=True)
    return all(_match(p, a, bound) for p, a in pairs)


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


def typed(e: Expr, bound: dict[str, pt.Type]) -> Expr:
    """The expression with type variables replaced."""
    if not bound:
        return e

    def rule(node: Node) -> Node | None:
        changes: dict[str, object] = {}
        if "type" in names_of(node):
            changes["type"] = pt.instantiate(node.type, bound)  # type: ignore[attr-defined]
        if isinstance(node, DomainApp):
            changes["type_args"] = tuple([pt.instantiate(t, bound) for t in node.type_args])
        return replace(node, **changes) if changes else None  # type: ignore[arg-type]

    return rewrite(e, rule)


def _nesting(types: tuple[pt.Type, ...]) -> int:
    """How many types are around the innermost ones, at most."""
    inner = [parts for parts in map(pt.arguments_of, types) if parts]
    return max([1 + _nesting(parts) for parts in inner], default=0)
