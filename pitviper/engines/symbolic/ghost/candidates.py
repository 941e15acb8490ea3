"""Ghost statements that may bring a permission that is missing (the paper's section 4.1).

A missing predicate instance may come from folding it; a missing field or instance may come from
unfolding an instance that is held and whose body speaks of it, at some depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitviper.base.record import record
from pitviper.engines.symbolic.context import Context, Failure
from pitviper.engines.symbolic.ghost.ghost_source import SourceTerms
from pitviper.engines.symbolic.ghost.place import Place, visible_at
from pitviper.engines.symbolic.heap.chunk import (
    Chunk,
    Kind,
    Resource,
    field_resource,
    predicate_resource,
)
from pitviper.engines.symbolic.history import Location
from pitviper.engines.symbolic.state import State
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.assertion import FieldLocation, PredicateLocation
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants, rewrite
from pitviper.terms import build as tb

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
        yield from self._folds(st, failure.lacking, self._written(failure, visible), source)
        yield from self._unfolds(st, failure.lacking, source)

    # ------------------------------------------------------------ folding

    def _folds(
        self,
        st: State,
        lacking: Location,
        written: tuple[pe.Expr | None, ...],
        source: SourceTerms,
    ) -> Iterator[Ghost]:
        resource, program = lacking.resource, self.cx.services.program
        if resource.kind is not Kind.PREDICATE or program.predicates[resource.name].body is None:
            return
        named = [source.expression(term) for term in lacking.args]
        args = [a or b for a, b in zip(named, written or [None] * len(named), strict=True)]
        known = tuple([arg for arg in args if arg is not None])
        if len(known) == len(args):
            location = PredicateLocation(resource.name, known, span=self.place.span)
            for amount in self._amounts(st, resource, source):
                yield ps.Fold(location, amount, span=self.place.span)

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
        """The arguments as they stand where the instance is asked for, if they mean the same here.

        Where they do not, that is found out when the statement is tried.
        """
        node = failure.node
        if not isinstance(node, PredicateLocation):
            return ()
        values: dict[str, pe.Expr] = dict(visible)
        call = self.place.call
        if call is not None:
            formals = self.cx.services.program.methods[call.method].params
            values = {p.name: e for p, e in zip(formals, call.args, strict=True)}
        return tuple([_in_terms_of(values, arg) for arg in node.args])

    # ------------------------------------------------------------ unfolding

    def _unfolds(self, st: State, lacking: Location, source: SourceTerms) -> Iterator[Ghost]:
        held = [c for c in st.heap if c.resource.kind is Kind.PREDICATE]
        ranked: list[tuple[int, bool, int, Chunk]] = []
        for at, chunk in enumerate(held):
            distance = _distance(chunk.resource, lacking.resource, self.cx.services.program)
            if distance is not None and chunk.amount is not tb.NONE:
                stranger = not any(arg in lacking.args for arg in chunk.args)
                ranked.append((distance, stranger, at, chunk))
        for _, _, _, chunk in sorted(ranked, key=lambda entry: entry[:3]):
            args, amount = source.expressions(chunk.args), source.expression(chunk.amount)
            if args is not None and amount is not None:
                location = PredicateLocation(chunk.resource.name, args, span=self.place.span)
                yield ps.Unfold(location, amount, span=self.place.span)


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
