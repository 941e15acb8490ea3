"""Which resources a member treats as quantified: all their chunks then have maps."""

from __future__ import annotations

from pitviper.base.record import field, struct
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants


@struct
class Resources:
    """Fields, predicates and wands, in the order in which they were found."""

    fields: dict[str, None] = field(default_factory=dict)
    predicates: dict[str, None] = field(default_factory=dict)
    wands: dict[int, pa.Wand] = field(default_factory=dict)

    def add(self, location: pa.Location) -> None:
        match location:
            case pa.FieldLocation(_, name):
                self.fields[name] = None
            case pa.PredicateLocation(name):
                self.predicates[name] = None
            case pa.Wand():
                self.wands[id(location)] = location

    def update(self, other: Resources) -> None:
        self.fields.update(other.fields)
        self.predicates.update(other.predicates)
        self.wands.update(other.wands)


@struct
class Found:
    """Resources that occur under a quantifier or in a trigger; `triggered` are the latter."""

    quantified: Resources = field(default_factory=Resources)
    triggered: Resources = field(default_factory=Resources)

    def collect(self, node: Node) -> None:
        match node:
            case pa.QuantifiedPermission(resource=resource):
                self.quantified.add(
                    resource.location if isinstance(resource, pa.Access) else resource
                )
            case ps.QuasihavocAll(location=location):
                self.quantified.add(location)
            case pe.Trigger(terms):
                for term in terms:
                    self._collect_trigger(term)

    def _collect_trigger(self, term: Node) -> None:
        while isinstance(term, pe.Old):
            term = term.operand
        if isinstance(term, pa.PredicateLocation | pa.Wand):
            self.quantified.add(term)
            self.triggered.add(term)
        elif isinstance(term, pe.FieldRead):
            self.triggered.fields[term.field] = None
            while isinstance(term, pe.FieldRead):
                self.quantified.fields[term.field] = None
                term = term.receiver

    @property
    def looked_at(self) -> Resources:
        """Those that a trigger may be about: here, or in members that use this one."""
        result = Resources()
        result.update(self.quantified)
        result.update(self.triggered)
        return result

    def update(self, other: Found) -> None:
        self.quantified.update(other.quantified)
        self.triggered.update(other.triggered)


Uses = dict[str, None]

_COLLECTED = frozenset([pa.QuantifiedPermission, ps.QuasihavocAll, pe.Trigger])
_NAMING = frozenset([ps.MethodCall, pe.FunctionApp, pa.PredicateLocation])
"""Classes of nodes that are looked at: most are not."""


class ResourceIndex:
    """Finds the resources of members; every part of the program is looked through once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, tuple[Found, Uses]] = {}

    def of(self, member: Function | Predicate | Method) -> Found:
        """In a member or in what it uses: contracts of methods and functions, bodies of functions
        and of predicates."""
        result, uses = _search([member])
        todo = list(uses)
        done = dict(uses)
        while todo:
            found, further = self._of_used(todo.pop())
            result.update(found)
            todo += [name for name in further if name not in done]
            done.update(further)
        return result

    def _of_used(self, name: str) -> tuple[Found, Uses]:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = _search(_visible(name, self._program))
        return known


def _search(roots: list[Node]) -> tuple[Found, Uses]:
    found, uses = Found(), Uses()
    for root in roots:
        for node in descendants(root):
            if node.__class__ in _COLLECTED:
                found.collect(node)
            elif node.__class__ in _NAMING:
                match node:
                    case ps.MethodCall(name) | pe.FunctionApp(name) | pa.PredicateLocation(name):
                        uses[name] = None
    return found, uses


def _visible(name: str, program: Program) -> list[Node]:
    """The parts of a member that those see who use it."""
    method = program.methods.get(name)
    if method is not None:
        return [*method.preconditions, *method.postconditions]
    function = program.functions.get(name)
    if function is not None:
        parts: list[Node] = [*function.preconditions, *function.postconditions]
        return parts if function.body is None else [*parts, function.body]
    body = program.predicates[name].body
    return [] if body is None else [body]
