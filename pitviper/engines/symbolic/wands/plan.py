"""What a package moves in first: the right-hand side may bring knowledge that the script can use.

NOTE(later-knowledge). Where the left-hand side has a part of a location and the footprint has the
rest, both parts have one value. If that is found only when the right-hand side is consumed, it
comes too late for the script, which may have moved in more than it needs. It does not matter in
which order a footprint is chosen. So the package is tried; if such parts were moved in late, on all
paths alike, it is tried with these parts moved in before the script.
"""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.record import replace
from pitviper.engines.shared.package_order import may_help
from pitviper.engines.symbolic.context import Context, Log
from pitviper.engines.symbolic.wands.ongoing import Moved
from pitviper.engines.symbolic.wands.paths import End, Run, paths
from pitviper.solver.session import FactKind

MAX_NESTING = 2
"""Packages further inside have no plan: every attempt at the outer one would plan anew."""


def planned(run: Run, cx: Context) -> tuple[Moved, ...]:
    """The parts to move in before the script; most packages need no plan."""
    if len(cx.packages) > MAX_NESTING or not may_help(run.statement):
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


def _late_parts(run: Run, ends: Sequence[End]) -> tuple[Moved, ...]:
    """What every path moved in after the script, to join it with a part that was there, without
    looking at anything before; if some script moved in something at all."""
    base = run.before.path
    if not any(
        isinstance(entry.provenance, Moved) for end in ends for entry in end.script.since(base)
    ):
        return ()
    common: dict[Moved, None] | None = None
    for end in ends:
        mine: dict[Moved, None] = {}
        for entry in end.state.path.since(base):
            if entry.kind is FactKind.BRANCH:
                break
            late = entry.length > end.script.length
            if late and isinstance(entry.provenance, Moved) and entry.provenance.joined:
                mine[entry.provenance] = None
        common = mine if common is None else {m: None for m in common if m in mine}
    return tuple(common or ())
