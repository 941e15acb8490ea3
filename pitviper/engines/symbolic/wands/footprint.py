"""The footprint of a package: per chunk, the most that any path transferred.

NOTE(one-footprint). Every left-hand state is on some path, and on every path the proof holds with
what that path transferred. A path that transferred less simply owns more afterwards; its proof
still stands. So it is enough to take, of every chunk around, the most that a path transferred,
under those conditions of the path that speak about what existed before the package: of the
conditions before the transfer only, for those behind it may rest on what was learnt from it. What a
path takes to be available may rest on its left-hand side, too; so nothing is taken that is not
there. Example:

    package acc(x.b) --* acc(x.b) && (x.b ? acc(y.f) : acc(y.f, 1/2)) && (c ==> acc(z.f))
    // y.f: one path transfers write, the other 1/2, as x.b says: the footprint has write
    // z.f: `c` existed before the package: the footprint has `c ? write : none`
    // a left-hand state with !x.b gets back acc(y.f, 1/2) and loses the rest: sound, not complete
"""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.record import record
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import AnyChunk, Chunk, Heap
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.hypothetical import (
    Chosen,
    Outside,
    Packaging,
    Place,
    Transferred,
)
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.term import Literal, Term, Var

Part = tuple[Term, Term]
"""A condition and an amount."""


@record
class Footprint:
    """What was taken of which chunk, and the choices that the amounts rest on."""

    parts: dict[Place, Term]
    choices: tuple[Chosen, ...]


def footprint_of(
    st: State, paths: Sequence[Path], packages: Sequence[Packaging], cx: Context
) -> Footprint:
    """`st` is the state before, `packages` are the one that ended and those around it."""
    taken: dict[Place, list[list[Part]]] = {}
    choices: dict[Chosen, None] = {}
    for path in paths:
        mine: dict[Place, list[Part]] = {}
        views = [packaging.on(path) for packaging in packages]
        for place, part in _transfers(path, packages[0].base, views):
            mine.setdefault(place, []).append(part)
            choices.update(dict.fromkeys(views[0].choices_in(*part)))
        for place, parts in mine.items():
            taken.setdefault(place, []).append(parts)
    heaps = (st.heap, *st.outers)
    s1 = assuming(st, tuple(choices))
    result = {
        place: _within(s1, chunk_at(heaps[place.level], place), _most(options), cx)
        for place, options in taken.items()
    }
    return Footprint(result, tuple(choices))


def assuming(st: State, choices: Sequence[Chosen]) -> State:
    """Choices made inside mean something outside as well."""
    for choice in choices:
        for fact in choice.facts:
            st = st.assume(fact, FactKind.GLOBAL, choice)
    return st


def chunk_at(heap: Heap, place: Place) -> AnyChunk:
    plain = heap.of(place.resource)
    return plain[place.at] if plain else heap.quantified(place.resource)[place.at]


def _transfers(path: Path, base: Path, views: Sequence[Outside]) -> list[tuple[Place, Part]]:
    """The moves on a path, each under the conditions before it that mean something outside."""
    conditions: list[list[Term]] = [[] for _ in views]
    found = []
    for entry in path.since(base):
        if entry.kind is FactKind.BRANCH:
            for known, view in zip(conditions, views, strict=True):
                condition = view.resolved(entry.fact)
                if condition is not None:
                    known.append(condition)
        elif isinstance(entry.provenance, Transferred):
            moved = entry.provenance
            condition = tb.conjoin(*conditions[moved.place.level])
            found.append((moved.place, (condition, moved.amount)))
    return found


def _most(options: Sequence[Sequence[Part]]) -> Term:
    """The largest of several sums of conditional amounts."""
    conditions: dict[Term, list[Term]] = {}
    for parts in options:
        if len(parts) == 1:
            conditions.setdefault(parts[0][1], []).append(parts[0][0])
        else:
            amount = tb.total([tb.ite(c, a, tb.NONE) for c, a in parts])
            conditions.setdefault(amount, []).append(tb.TRUE)
    most: Term = tb.NONE
    for amount in _smallest_first(conditions):
        condition = tb.disjoin(*conditions[amount])
        if isinstance(amount, Literal):
            most = tb.ite(condition, amount, most)
        else:
            some = tb.ite(condition, amount, tb.NONE)
            most = some if most is tb.NONE else tb.ite(tb.at_least(most, some), most, some)
    return most


def _smallest_first(amounts: dict[Term, list[Term]]) -> list[Term]:
    """Literals come first, so that a larger one overrides a smaller one."""
    literals = [a for a in amounts if isinstance(a, Literal)]
    return [*sorted(literals, key=lambda a: a.value), *[a for a in amounts if a not in literals]]


def _within(st: State, chunk: AnyChunk, amount: Term, cx: Context) -> Term:
    """Not more than the chunk has, not less than nothing."""
    formals: tuple[Var, ...] = () if isinstance(chunk, Chunk) else chunk.formals

    def proved(goal: Term) -> bool:
        return cx.may_prove(st, tb.forall(formals, goal, (), "footprint") if formals else goal)

    if proved(tb.at_least(amount, chunk.amount)):
        return chunk.amount
    if not proved(tb.at_most(amount, chunk.amount)):
        amount = tb.minimum(amount, chunk.amount)
    if not proved(tb.at_least(amount, tb.NONE)):
        amount = tb.ite(tb.at_least(amount, tb.NONE), amount, tb.NONE)
    return amount
