"""Which parts of a program are constrained by axioms, so that the tape may not decide them."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.base.record import record
from pitviper.engines.concrete.options import Interpretation
from pitviper.program.callgraph import call_graph
from pitviper.program.expr import DomainApp, Exists, Forall, FunctionApp
from pitviper.program.member import Axiom, Domain, Program
from pitviper.program.types import DomainType, MapType, MultisetType, SeqType, SetType, Type
from pitviper.program.walk import descendants


@record
class Constraints:
    """The functions, and the domains of the types, that axioms without interpretation mention."""

    functions: frozenset[str]
    domains: frozenset[str]


def constraints_of(program: Program, interpretation: Interpretation) -> Constraints:
    functions: set[str] = set()
    domains: set[str] = set()
    for domain in _uninterpreted(program, interpretation):
        domains.add(domain.name)
        for axiom in domain.axioms:
            _collect(axiom, functions, domains)
    return Constraints(frozenset(functions), frozenset(domains))


def _uninterpreted(program: Program, interpretation: Interpretation) -> Iterable[Domain]:
    known = interpretation.domains
    return [d for d in program.domains.values() if d.axioms and d.name not in known]


def _collect(axiom: Axiom, functions: set[str], domains: set[str]) -> None:
    for node in descendants(axiom):
        match node:
            case DomainApp():
                functions.add(node.function)
                domains.update(_domains_in(node.type))
                domains.add(node.domain)
            case FunctionApp():
                functions.add(node.function)
                domains.update(_domains_in(node.type))
            case Forall() | Exists():
                for variable in node.variables:
                    domains.update(_domains_in(variable.type))
            case _:
                pass


def _domains_in(kind: Type) -> list[str]:
    match kind:
        case DomainType(name, args):
            return [name, *[found for arg in args for found in _domains_in(arg)]]
        case SeqType(element) | SetType(element) | MultisetType(element):
            return _domains_in(element)
        case MapType(key, value):
            return [*_domains_in(key), *_domains_in(value)]
        case _:
            return []


def assumed_declarations(program: Program, interpretation: Interpretation) -> tuple[str, ...]:
    """What must have a model for the failure of a run to count: see `Failed.assuming`."""
    domains = [domain.name for domain in _uninterpreted(program, interpretation)]
    graph = call_graph(program)
    functions = [
        name
        for name, f in program.functions.items()
        if (f.body is None and f.postconditions) or graph.is_recursive(name)
    ]
    return (*domains, *functions)
