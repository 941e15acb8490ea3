"""Which fields and predicates a member treats as quantified: all their chunks then have maps."""

from __future__ import annotations

from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants

Names = tuple[frozenset[str], frozenset[str], tuple[pa.Wand, ...]]
"""Fields, predicates, and wands."""


def quantified_resources(program: Program, member: Function | Predicate | Method) -> Names:
    """The resources that occur under a quantifier, or in a trigger, in a member or in what it uses:
    contracts of methods and functions, bodies of functions, bodies of predicates."""
    fields: set[str] = set()
    predicates: set[str] = set()
    wands: list[pa.Wand] = []
    done: set[str] = set()
    todo: list[Node] = [member]
    while todo:
        for node in descendants(todo.pop()):
            collect_quantified(node, fields, predicates)
            wands += quantified_wands(node)
            for name, used in _uses(node, program):
                if name not in done:
                    done.add(name)
                    todo.extend(used)
    return frozenset(fields), frozenset(predicates), tuple(wands)


def collect_quantified(node: Node, fields: set[str], predicates: set[str]) -> None:
    match node:
        case pa.QuantifiedPermission(resource=pa.Access(location=pa.FieldLocation(_, name))):
            fields.add(name)
        case pa.QuantifiedPermission(resource=pa.Access(location=pa.PredicateLocation(name))):
            predicates.add(name)
        case ps.QuasihavocAll(location=pa.FieldLocation(_, name)):
            fields.add(name)
        case ps.QuasihavocAll(location=pa.PredicateLocation(name)):
            predicates.add(name)
        case pe.Trigger(terms):
            for term in terms:
                if isinstance(term, pa.PredicateLocation):
                    predicates.add(term.predicate)
                elif isinstance(term, pe.FieldRead):
                    fields.add(term.field)


def quantified_wands(node: Node) -> list[pa.Wand]:
    """Wands that occur under a quantifier, or in a trigger."""
    match node:
        case pa.QuantifiedPermission(resource=pa.Wand() as wand):
            return [wand]
        case ps.QuasihavocAll(location=pa.Wand() as wand):
            return [wand]
        case pe.Trigger(terms):
            return [term for term in terms if isinstance(term, pa.Wand)]
        case _:
            return []


def _uses(node: Node, program: Program) -> list[tuple[str, list[Node]]]:
    match node:
        case ps.MethodCall(name):
            method = program.methods[name]
            return [(name, [*method.preconditions, *method.postconditions])]
        case pe.FunctionApp(name):
            function = program.functions[name]
            parts: list[Node] = [*function.preconditions, *function.postconditions]
            return [(name, parts if function.body is None else [*parts, function.body])]
        case pa.PredicateLocation(name):
            body = program.predicates[name].body
            return [(name, [] if body is None else [body])]
        case _:
            return []
