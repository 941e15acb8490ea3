"""Ghost statements that may bring a permission that is missing (the paper's section 4.1).

A missing predicate instance may come from folding it; a missing field or instance may come from
unfolding an instance that is held and whose body speaks of it, at some depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from pitviper.base.record import record, replace
from pitviper.encoding.operators import NULL
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.ghost.hooks import Clauses, Place, visible_at
from pitviper.engines.symbolic.heap.chunk import (
    Args,
    Chunk,
    Kind,
    Resource,
    field_resource,
    predicate_resource,
)
from pitviper.engines.symbolic.provenance import Location
from pitviper.engines.symbolic.services import Failure, Obligation
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.assertion import Access, Assertion, FieldLocation, PredicateLocation, Star
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants, rewrite
from pitviper.terms import build as tb
from pitviper.terms.term import Literal, Term

Ghost = ps.Fold | ps.Unfold

MAX_AMOUNTS = 2
"""Amounts tried for one instance."""

WRITE = pe.PermLit(pe.PermConstant.WRITE)


@record
class Candidates:
    """For one place in the method that is being verified."""

    place: Place
    cx: Context

    def of(self, st: State, failure: Failure) -> Iterator[Ghost]:
        """In the order in which they are tried; the closest ones first."""
        if failure.lacking is None:
            return
        method = self.cx.services.program.methods[self.cx.services.member]
        visible = visible_at(method, self.place)
        source = SourceTerms(st, visible, self.cx)
        written = self._written(failure, visible)
        yield from self._folds(st, failure, written, source)
        yield from self._unfolds(st, failure.lacking, written, source)
        yield from self._out_of_many(st, failure.lacking, written)

    def absent(self, st: State, wanted: Clauses) -> ps.Fold | None:
        """A fold of the first instance that clauses ask for and that nothing held looks like.

        Only for languages that leave folding to the verifier, and for instances of variables.
        """
        program = self.cx.services.program
        for clause, access in _accesses(wanted.clauses):
            location = access.location
            if not isinstance(location, PredicateLocation) or "." not in location.predicate:
                continue
            names = [arg.name for arg in location.args if isinstance(arg, pe.Var)]
            if len(names) < len(location.args) or any(name not in st.store for name in names):
                continue
            body = program.predicates[location.predicate].body
            terms = tuple([st.store[name] for name in names])
            resource = Resource(Kind.PREDICATE, location.predicate)
            if body is None or any(chunk.args == terms for chunk in st.heap.of(resource)):
                continue
            here = PredicateLocation(location.predicate, location.args, span=self.place.span)
            part = clause if wanted.part is None else wanted.part
            asked = self._asked(Obligation(wanted.error, clause, (part,)), here)
            return ps.Fold(here, access.amount, span=self.place.span, asked=asked)
        return None

    def again(self, st: State) -> Iterator[ps.Fold]:
        """Folds of what was unfolded out of many, before anything else is done.

        Later, the names by which it was unfolded may stand for another instance.
        """
        for step in self.cx.services.log.inferred:
            node = step.node
            if isinstance(node, ps.Unfold) and "." in node.predicate.predicate:
                resource = Resource(Kind.PREDICATE, node.predicate.predicate)
                if any(chunk.only is None for chunk in st.heap.quantified(resource)):
                    location = replace(node.predicate, span=self.place.span)
                    yield ps.Fold(location, node.amount, span=self.place.span)

    # ------------------------------------------------------------ folding

    def _folds(
        self,
        st: State,
        failure: Failure,
        written: tuple[pe.Expr | None, ...],
        source: SourceTerms,
    ) -> Iterator[Ghost]:
        lacking, program = failure.lacking, self.cx.services.program
        assert lacking is not None
        resource = lacking.resource
        if resource.kind is not Kind.PREDICATE or program.predicates[resource.name].body is None:
            return
        named = [source.expression(term) for term in lacking.args]
        args = [a or b for a, b in zip(named, written or [None] * len(named), strict=True)]
        known = tuple([arg for arg in args if arg is not None])
        if len(known) == len(args):
            location = PredicateLocation(resource.name, known, span=self.place.span)
            for amount in self._amounts(st, resource, source):
                asked = self._asked(failure.obligation, location)
                yield ps.Fold(location, amount, span=self.place.span, asked=asked)

    def _asked(self, checked: Obligation, instance: PredicateLocation) -> ps.Asked:
        """Why there is a fold: an instance inside of another one is asked for by the same check."""
        formals = self.cx.services.program.predicates[instance.predicate].params
        parts = tuple([part for part in checked.parts if not isinstance(part, ps.Fold)])
        return ps.Asked(checked.error, checked.node, parts, formals)

    def _amounts(self, st: State, resource: Resource, source: SourceTerms) -> list[pe.Expr]:
        """All of it, or as much as is held of some part."""
        found: list[pe.Expr] = [WRITE]
        for part in _parts(resource, self.cx.services.program):
            for chunk in st.heap.of(part):
                amount = source.expression(chunk.amount)
                if amount is not None and amount not in found:
                    found.append(amount)
        return found[:MAX_AMOUNTS]

    def _written(
        self, failure: Failure, visible: Mapping[str, pe.Var]
    ) -> tuple[pe.Expr | None, ...]:
        """The arguments as they stand where the location is asked for, if they mean the same here.

        Where they do not, that is found out when the statement is tried.
        """
        match failure.node:
            case PredicateLocation(_, args):
                written = args
            case pe.FieldRead(receiver) | FieldLocation(receiver) | ps.FieldAssign(receiver):
                written = (receiver,)
            case _:
                return ()
        values: dict[str, pe.Expr] = dict(visible)
        call = self.place.call
        if call is not None:
            formals = self.cx.services.program.methods[call.method].params
            values = {p.name: e for p, e in zip(formals, call.args, strict=True)}
        return tuple([_in_terms_of(values, arg) for arg in written])

    # ------------------------------------------------------------ unfolding

    def _unfolds(
        self,
        st: State,
        lacking: Location,
        written: tuple[pe.Expr | None, ...],
        source: SourceTerms,
    ) -> Iterator[Ghost]:
        """Instances whose arguments have a name: of their own, or by the place of the check."""
        there = dict(zip(lacking.args, written, strict=True)) if written else {}
        held = [c for c in st.heap if c.resource.kind is Kind.PREDICATE]
        ranked: list[tuple[int, bool, int, Chunk]] = []
        for at, chunk in enumerate(held):
            distance = _distance(chunk.resource, lacking.resource, self.cx.services.program)
            if distance is not None and chunk.amount is not tb.NONE:
                stranger = not any(arg in lacking.args for arg in chunk.args)
                ranked.append((distance, stranger, at, chunk))
        for _, _, _, chunk in sorted(ranked, key=lambda entry: entry[:3]):
            named = [source.expression(term) or there.get(term) for term in chunk.args]
            args = tuple([arg for arg in named if arg is not None])
            amount = source.expression(chunk.amount)
            if len(args) == len(named) and amount is not None:
                location = PredicateLocation(chunk.resource.name, args, span=self.place.span)
                yield ps.Unfold(location, amount, span=self.place.span)

    def _out_of_many(
        self, st: State, lacking: Location, written: tuple[pe.Expr | None, ...]
    ) -> Iterator[Ghost]:
        """One of many instances that are held by a quantifier: that of the object that is read.

        Only for languages that leave folding to the verifier: it is folded again by `again`.
        """
        if lacking.resource.kind is not Kind.FIELD or not written or written[0] is None:
            return
        program = self.cx.services.program
        for resource in st.heap.quantified_resources():
            if resource.kind is not Kind.PREDICATE or "." not in resource.name:
                continue
            is_one = len(program.predicates[resource.name].params) == 1
            if is_one and lacking.resource in _parts(resource, program):
                location = PredicateLocation(resource.name, (written[0],), span=self.place.span)
                yield ps.Unfold(location, WRITE, span=self.place.span)


def _accesses(clauses: Sequence[Assertion]) -> Iterator[tuple[Assertion, Access]]:
    """The permissions that clauses ask for under no condition, each with its clause."""
    for clause in clauses:
        if isinstance(clause, Access):
            yield clause, clause
        elif isinstance(clause, Star):
            yield from [(clause, access) for _, access in _accesses(clause.conjuncts)]


def _in_terms_of(values: Mapping[str, pe.Expr], e: pe.Expr) -> pe.Expr | None:
    """With values for its variables; None where one of them has none."""
    names = [node.name for node in descendants(e) if isinstance(node, pe.Var)]
    if any(name not in values for name in names):
        return None

    def rule(node: Node) -> Node | None:
        return values[node.name] if isinstance(node, pe.Var) else None

    return rewrite(e, rule)


def _parts(predicate: Resource, program: Program) -> tuple[Resource, ...]:
    """The fields and predicates that a body speaks of."""
    body = program.predicates[predicate.name].body
    found: dict[Resource, None] = {}
    for node in () if body is None else descendants(body):
        match node:
            case FieldLocation(_, name):
                found[field_resource(name)] = None
            case PredicateLocation(name):
                found[predicate_resource(name)] = None
    return tuple(found)


def _distance(predicate: Resource, wanted: Resource, program: Program) -> int | None:
    """How many instances have to be unfolded, one inside the other; None: it is never inside."""
    front, seen, steps = [predicate], {predicate}, 0
    while front:
        steps += 1
        parts = list(dict.fromkeys([p for inner in front for p in _parts(inner, program)]))
        if wanted in parts:
            return steps
        front = [p for p in parts if p.kind is Kind.PREDICATE and p not in seen]
        seen.update(front)
    return None


MAX_FIELDS = 3
"""Fields read in a row, in one expression."""

MAX_QUESTIONS = 8
"""Questions to the solver about one term."""


class SourceTerms:
    """Names terms in one state: a literal, a variable, a field that is held, in this order."""

    def __init__(self, st: State, visible: Mapping[str, pe.Var], cx: Context) -> None:
        self._st = st
        self._cx = cx
        self._visible = [v for name, v in visible.items() if name in st.store]

    def expressions(self, terms: Args) -> tuple[pe.Expr, ...] | None:
        """None if one of them has no name here."""
        found = [self.expression(term) for term in terms]
        known = tuple([e for e in found if e is not None])
        return known if len(known) == len(found) else None

    def expression(self, term: Term) -> pe.Expr | None:
        return self._literal(term) or self._path(term, MAX_FIELDS) or self._equal_variable(term)

    def _literal(self, term: Term) -> pe.Expr | None:
        if term is NULL:
            return pe.NullLit()
        if not isinstance(term, Literal):
            return None
        value = term.value
        if isinstance(value, bool):
            return pe.BoolLit(value)
        return amount_literal(value) if isinstance(value, Fraction) else _integer(value)

    def _path(self, term: Term, depth: int) -> pe.Expr | None:
        """A variable with this very value, or a field of a known object."""
        for variable in self._visible:
            if self._st.store[variable.name] is term:
                return pe.Var(variable.name, variable.type)
        if depth == 0:
            return None
        for chunk in self._st.heap:
            if chunk.resource.kind is Kind.FIELD and chunk.value is term:
                receiver = self._path(chunk.args[0], depth - 1)
                if receiver is not None:
                    declared = self._cx.services.program.fields[chunk.resource.name]
                    return pe.FieldRead(receiver, declared.name, declared.type)
        return None

    def _equal_variable(self, term: Term) -> pe.Expr | None:
        same_sort = [v for v in self._visible if self._st.store[v.name].sort is term.sort]
        for variable in same_sort[:MAX_QUESTIONS]:
            if self._cx.may_prove(self._st, tb.equal(self._st.store[variable.name], term)):
                return pe.Var(variable.name, variable.type)
        return None


def amount_literal(value: Fraction) -> pe.Expr:
    if value == 1:
        return pe.PermLit(pe.PermConstant.WRITE)
    numerator, denominator = _integer(value.numerator), _integer(value.denominator)
    return pe.PermArith(pe.PermOp.FRACTION, numerator, denominator)


def _integer(value: int) -> pe.Expr:
    return pe.IntLit(value) if value >= 0 else pe.Negate(pe.IntLit(-value))
