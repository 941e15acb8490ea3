"""The paths through a package: left-hand side, script, right-hand side."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.record import record, replace
from pitviper.engines.shared.syntactic import right_may_help_script
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import EMPTY, Chunk
from pitviper.engines.symbolic.rules import flow
from pitviper.engines.symbolic.rules.consume import consume_all
from pitviper.engines.symbolic.rules.produce import produce_all
from pitviper.engines.symbolic.services import Log
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.apply import LEFT_HAND_SIDE
from pitviper.engines.symbolic.wands.footprint import chunk_at
from pitviper.engines.symbolic.wands.hypothetical import Transferred
from pitviper.engines.symbolic.wands.transfer import (
    quantified_transferred_in,
    transferred_in,
    transferred_out,
)
from pitviper.program import stmt as ps
from pitviper.solver.session import CHECK, FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.term import Term


@record
class Run:
    """A package in a state; `left` stands for the snapshot of any left-hand state."""

    before: State
    statement: ps.Package
    left: Term


@record
class End:
    """How a path ended; `right` is the right-hand snapshot, None if the path became contradictory
    on the way. `script` is the path at the end of the script."""

    state: State
    right: Term | None
    script: Path


def paths(run: Run, early: Sequence[Transferred], cx: Context) -> list[End]:
    """All paths from a left-hand state to the right-hand side; `early` is moved in at once."""
    st, wand = run.before, run.statement.wand
    start = State(st.store, EMPTY, st.path, st.old, None, (), (st.heap, *st.outers))
    valued = cx.with_snapshots()
    unseen = cx.without_introspection()
    lefts = list(produce_all(start, (wand.left,), run.left, unseen))
    _warn_if_unsatisfiable(run, lefts, cx)
    ends = []
    for s1 in lefts:
        s2 = _with_pieces(s1.labelled(LEFT_HAND_SIDE, s1.heap), early, cx)
        for s3 in flow.execute_body(s2, run.statement.script, cx):
            if s3.is_over:
                ends.append(End(s3, None, s3.path))
                continue
            for s4, right in consume_all(s3.leaving(s3.heap), (wand.right,), valued):
                ends.append(End(s4, None if s4.is_over else right, s3.path))
    return ends


def _warn_if_unsatisfiable(run: Run, lefts: Sequence[State], cx: Context) -> None:
    """Such a wand can be packaged, for no reason, and never be applied."""
    possible = [st for st in (run.before, *lefts) if not cx.ask(st, tb.FALSE, CHECK).proved]
    if possible == [run.before]:
        left = run.statement.wand.left
        cx.warn(left, "no state satisfies the left-hand side: the wand can never be applied")


def _with_pieces(st: State, pieces: Sequence[Transferred], cx: Context) -> State:
    for piece in pieces:
        chunk = chunk_at(st.outers[piece.place.level], piece.place)
        st = transferred_out(st, piece)
        if isinstance(chunk, Chunk):
            st = transferred_in(st, replace(chunk, amount=piece.amount), cx)
        else:
            st = quantified_transferred_in(st, replace(chunk, amount=piece.amount))
    return st


MAX_NESTING = 2
"""Packages further inside have no plan: every attempt at the outer one would plan anew."""


def planned(run: Run, cx: Context) -> tuple[Transferred, ...]:
    """The parts to move in before the script; most packages need no plan."""
    if len(cx.packages) > MAX_NESTING or not right_may_help_script(run.statement):
        return ()
    first = _trial(cx)
    pieces = _late_parts(run, paths(run, (), first))
    if not pieces:
        return ()
    second = _trial(cx)
    paths(run, pieces, second)
    return pieces if second.reported == 0 or second.reported < first.reported else ()


def _trial(cx: Context) -> Context:
    """What an attempt finds is of no interest, only whether it finds something."""
    services = replace(cx.services, log=Log(), recorder=None, checked=dict(cx.services.checked))
    return replace(cx, services=services)


def _late_parts(run: Run, ends: Sequence[End]) -> tuple[Transferred, ...]:
    """What every path moved in after the script, to join it with a part that was there, without
    looking at anything before; if some script moved in something at all."""
    base = run.before.path
    if not any(
        isinstance(entry.provenance, Transferred)
        for end in ends
        for entry in end.script.since(base)
    ):
        return ()
    common: dict[Transferred, None] | None = None
    for end in ends:
        mine: dict[Transferred, None] = {}
        for entry in end.state.path.since(base):
            if entry.kind is FactKind.BRANCH:
                break
            late = entry.length > end.script.length
            if late and isinstance(entry.provenance, Transferred) and entry.provenance.joined:
                mine[entry.provenance] = None
        common = mine if common is None else {m: None for m in common if m in mine}
    return tuple(common or ())
