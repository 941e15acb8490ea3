"""quasihavoc: other contents, same permissions."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.engines.concrete.heap import location as locations
from pitviper.engines.concrete.heap.contents import content_from
from pitviper.engines.concrete.heap.heap import Chunk, Closure, Closures, Content, Resource
from pitviper.engines.concrete.obligation import Obligation, origin_of
from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.rules import instances, wand_shape
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.program.assertion import Location, Wand
from pitviper.program.expr import Expr
from pitviper.program.stmt import Quasihavoc, QuasihavocAll

Havoc: TypeAlias = Quasihavoc | QuasihavocAll


def exec_quasihavoc(st: State, s: Havoc, run: Run) -> State:
    error = "quasihavoc.failed" if isinstance(s, Quasihavoc) else "quasihavocall.failed"
    with run.proving(Obligation(error, s.location.span, run.member, (), origin_of(s))):
        for resource in _resources(st, s, run):
            st = _havoc(st, resource, run)
    return st


def _resources(st: State, s: Havoc, run: Run) -> list[Resource]:
    if isinstance(s, Quasihavoc):
        return [_locate(st, s.location, run)] if _holds(st, s.condition, run) else []
    found: dict[tuple[object, ...], Resource] = {}

    def visit(inner: State) -> None:
        if _holds(inner, s.condition, run):
            values = tuple([inner.store[v.name] for v in s.variables])
            found[values] = _locate(inner, s.location, run)

    limits = () if s.condition is None else (s.condition,)
    exact = instances.for_each(st, instances.Binder(s, s.variables, limits), run, visit)
    if len(set(found.values())) < len(found):
        run.fail("quasihavocall.not.injective", s.location, s.location)
    if not exact:
        run.cannot("quasihavocall over infinitely many values", s)
    return list(found.values())


def _holds(st: State, condition: Expr | None, run: Run) -> bool:
    return condition is None or rules.boolean(st, condition, run)


def _locate(st: State, location: Location, run: Run) -> Resource:
    if isinstance(location, Wand):
        return wand_shape.resource_of(st, location, run)
    return locations.location_of(st, location, run)


def _havoc(st: State, resource: Resource, run: Run) -> State:
    """No permission, no effect. The surroundings of a package are not touched."""
    chunk = st.heap.chunks.get(resource)
    if chunk is None:
        return st
    content = _fresh(chunk.content, resource, run)
    return st.on(st.heap.with_chunk(resource, Chunk(chunk.amount, content)))


def _fresh(content: Content, resource: Resource, run: Run) -> Content:
    if isinstance(content, Closures):
        return Closures(tuple([Closure(run.memo.next_wand(), None) for _ in content.items]))
    return content_from(None, resource, run)
