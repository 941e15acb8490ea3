"""Facts about parts of the program that are computed once in a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pitviper.base.record import record
from pitviper.engines.concrete.options import Interpretation
from pitviper.program import expr as pe
from pitviper.program.callgraph import call_graph
from pitviper.program.cfg import FlowGraph, flow_graph
from pitviper.program.expr import DomainApp, Exists, Expr, Forall, FunctionApp, IntOp, PermOp, Var
from pitviper.program.member import Axiom, Domain, Program
from pitviper.program.node import Node
from pitviper.program.stmt import Block
from pitviper.program.types import DomainType, MapType, MultisetType, SeqType, SetType, Type
from pitviper.program.walk import descendants, free_vars

_DIVISIONS = (IntOp.DIV, IntOp.MOD, PermOp.DIV, PermOp.INT_DIV, PermOp.FRACTION)
_PARTIAL = (
    pe.FieldRead, pe.FunctionApp, pe.SeqIndex, pe.SeqUpdate, pe.MapLookup,
    pe.Unfolding, pe.Applying, pe.Asserting,
)  # fmt: skip


class NodeFacts:
    """Tables by the identity of nodes, which are kept alive with the answers."""

    def __init__(self) -> None:
        self._free: dict[int, tuple[Node, frozenset[str]]] = {}
        self._guards: dict[int, tuple[Node, tuple[Expr, ...]]] = {}
        self._graphs: dict[int, tuple[Node, FlowGraph]] = {}

    def graph(self, body: Block) -> FlowGraph:
        found = self._graphs.get(id(body))
        if found is None:
            found = self._graphs[id(body)] = (body, flow_graph(body))
        return found[1]

    def free(self, node: Node) -> frozenset[str]:
        found = self._free.get(id(node))
        if found is None:
            found = self._free[id(node)] = (node, free_vars(node))
        return found[1]

    def guards(self, binder: Node, variables: Sequence[Var], body: Sequence[Expr]) -> list[Expr]:
        """The leading conjuncts that are well-defined for all values of the variables.

        Only they can tell for which values the rest need not be looked at.
        """
        found = self._guards.get(id(binder))
        if found is None:
            found = self._guards[id(binder)] = (binder, self._leading(variables, body))
        return list(found[1])

    def _leading(self, variables: Sequence[Var], body: Sequence[Expr]) -> tuple[Expr, ...]:
        names = frozenset([variable.name for variable in variables])
        total: list[Expr] = []
        for conjunct in conjuncts(body):
            if not self.is_total(conjunct, names):
                break
            total.append(conjunct)
        return tuple(total)

    def is_total(self, e: Expr, names: frozenset[str]) -> bool:
        """Whether it does not depend on the variables that the expression is well-defined."""
        return not any(
            _is_partial(node) and not names.isdisjoint(self.free(node)) for node in descendants(e)
        )


def _is_partial(node: Node) -> bool:
    if isinstance(node, pe.IntArith | pe.PermArith):
        return node.op in _DIVISIONS
    return isinstance(node, _PARTIAL)


def conjuncts(es: Sequence[Expr]) -> list[Expr]:
    """All conjuncts of several expressions, nested conjunctions opened."""
    found: list[Expr] = []
    todo = list(reversed(es))
    while todo:
        e = todo.pop()
        if isinstance(e, pe.And):
            todo.extend(reversed(e.operands))
        else:
            found.append(e)
    return found


def conditions(body: Expr) -> list[Expr]:
    """The left sides of the implications that a formula consists of."""
    found: list[Expr] = []
    while isinstance(body, pe.Implies):
        found.append(body.left)
        body = body.right
    return found


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
