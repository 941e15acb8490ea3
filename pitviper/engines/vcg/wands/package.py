"""Packaging magic wands: one footprint leads from every left-hand state to the right-hand side.

NOTE(package). The script and the right-hand side are run on a side, from a symbolic left-hand
state; what is missing is moved in from around (`transfer`), in terms that mean the same for every
left-hand state. On the main path the footprint, at least the sum of what any execution of the side
moved in, is given up, and the wand comes. Nothing that was assumed on the side remains, apart from
the definition of what the wand remembers, which is true of a new symbol by choice. For

    inhale acc(x.f) && acc(x.g)
    package acc(x.f, 1/2) --* acc(x.f, 1/2) && acc(x.g)

the side starts with half of `x.f` only, lacks `x.g` at the right-hand side, and moves it in; on the
main path `x.g` is then given up, and all of `x.f` stays.
"""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.encoding.inhale_exhale import flattened
from pitviper.encoding.symbols import WAND_APPLY, WAND_SNAPSHOT
from pitviper.engines.shared.judgement import (
    is_judged_on_application,
    is_judged_on_use,
    right_is_judged_on_application,
)
from pitviper.engines.shared.syntactic import right_may_help_script
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap import snapshot as snapshots
from pitviper.engines.vcg.heap.add import add_valued
from pitviper.engines.vcg.heap.entry import Portion, Request
from pitviper.engines.vcg.heap.take import take
from pitviper.engines.vcg.heap.total import link_values
from pitviper.engines.vcg.ivl.language import Assert, Obligation, Side
from pitviper.engines.vcg.ivl.language import Kind as Weight
from pitviper.engines.vcg.quantified import permissions
from pitviper.engines.vcg.quantified.slice import SLICES, slice_axioms_in
from pitviper.engines.vcg.rules import exhale as exhale_rules
from pitviper.engines.vcg.rules import flow
from pitviper.engines.vcg.rules import inhale as inhale_rules
from pitviper.engines.vcg.rules.generalise import lifting
from pitviper.engines.vcg.state import Heap, State
from pitviper.engines.vcg.wands import apply as sides
from pitviper.engines.vcg.wands.holes import filled
from pitviper.engines.vcg.wands.packaging import Moved, Packaging, Part, Remembered
from pitviper.engines.vcg.wands.quantified import claim_quantified, is_quantified_index
from pitviper.engines.vcg.wands.transfer import receive
from pitviper.program import stmt as ps
from pitviper.solver.limits import SEARCH
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.term import App, Term


def exec_package(st: State, s: ps.Package, cx: Context) -> State:
    """The wand is added to the state, its footprint is taken out."""
    said = "the search for the footprint of this package"
    with cx.services.emitter.search(SEARCH, s.span, said):
        return _exec_package(st, s, cx.proving("package.failed", s))


def _exec_package(st: State, s: ps.Package, cx: Context) -> State:
    sides.check_wand(st, s.wand, cx)
    kind, index = filled(st, s.wand, cx)
    packaging = _packaging(st, cx)
    left = cx.services.supply.constant("left", SNAP)
    early = planned(st, s, cx)
    with cx.aside(st) as inside:
        right = _side(inside, s, left, replace(cx, packaging=packaging), early)
    _repeat_axioms(cx)
    st = without(st, packaging, cx)
    function = cx.services.supply.constant("wand", WAND_SNAPSHOT)
    if right is not None:
        for each in _remembered(function, left, right, packaging):
            cx.learn(st, each.fact, "wand")
            if packaging.outer is not None:
                packaging.outer.remembered.append(each)
    return add_valued(st, Portion(kind, index, tb.WRITE), function, cx)


def _repeat_axioms(cx: Context) -> None:
    """Axioms about slices are true everywhere; what the wand remembers may mention slices."""
    emitter = cx.services.emitter
    side = emitter.latest
    assert isinstance(side, Side)
    for fact in slice_axioms_in(side.blocks):
        emitter.assume(fact, origin=SLICES)


def _packaging(st: State, cx: Context) -> Packaging:
    outer = cx.packaging if isinstance(cx.packaging, Packaging) else None
    services = cx.services
    return Packaging(st, services.supply.mark(), services.emitter.depth, outer)


def planned(st: State, s: ps.Package, cx: Context) -> tuple[Moved, ...]:
    """NOTE(later knowledge). Where the left-hand side has a part of a location and the footprint
    has the rest, both have one value. If that is found only when the right-hand side is given up,
    it comes too late for the script, which may have taken more than it needs. It does not matter
    when a part of the footprint is chosen: so the package is tried, and such parts that every
    left-hand state takes late come first in earnest. In

        package acc(x.f, 1/2) --* acc(x.f) { assert acc(y.g, x.f > 0 ? write : none) }

    the other half of `x.f` is outside, where its value is 0: a script that knows this needs nothing
    of `y.g`, one that does not takes all of it."""
    if cx.packaging is not None or not right_may_help_script(s):
        return ()
    packaging = _packaging(st, cx)
    left = cx.services.supply.constant("left", SNAP)
    with cx.services.emitter.trial(st.guard):
        _side(replace(st, guard=tb.TRUE), s, left, replace(cx, packaging=packaging), ())
    taken = {(m.move.kind, m.move.index) for m in packaging.moved if not m.late}
    late = [m for m in packaging.moved if taken and m.late and m.joined and m.always]
    return tuple([m for m in late if (m.move.kind, m.move.index) not in taken])


def _side(
    st: State, s: ps.Package, left: App, cx: Context, early: tuple[Moved, ...]
) -> Term | None:
    """From any left-hand state, through the script, to the right-hand side; its snapshot."""
    wand, packaging = s.wand, cx.packaging
    assert isinstance(packaging, Packaging)
    nothing = Heap(cx.services.supply.name("heap"))
    start = replace(st.on(nothing), frames=(), decisions=(), transferred={})
    judged = cx if is_judged_on_application(wand.left) else cx.trusting()
    judged = replace(sides.unseen(judged), alone=True)
    start = inhale_rules.inhale_all(start, (wand.left,), left, judged)
    _warn_if_unsatisfiable(start, s, cx)
    start = start.labelled(sides.LEFT_HAND_SIDE, start.heap)
    for moved in early:
        move = moved.move
        packaging.parts[move.kind, move.index] = Part(move.amount, moved.node)
        start = receive(start, move, cx)
    end = flow.execute_body(start, s.script, cx)
    packaging.late = True
    if end is None:
        return None
    given_up: exhale_rules.GivenUp = {}
    parts = flattened((wand.right,))
    trusted = not is_judged_on_use(wand.right) and not right_is_judged_on_application(wand)
    judged = cx.trusting() if trusted else cx
    after = exhale_rules.exhale_parts(end.leaving(end.heap), parts, judged, given_up)
    return snapshots.snapshot(end.on(after.heap), (wand.right,), snapshots.quiet(cx))


def _warn_if_unsatisfiable(st: State, s: ps.Package, cx: Context) -> None:
    """Such a wand can be packaged, for no reason, and never be applied."""
    said = "no state satisfies the left-hand side: the wand can never be applied"
    span = s.wand.left.span
    obligation = Obligation("package", "left", span, lambda: said, kind=Weight.WARNING)
    cx.services.emitter.emit(Assert(tb.FALSE, obligation, st.guard, kept=tb.TRUE))


def _remembered(function: Term, left: App, right: Term, packaging: Packaging) -> list[Remembered]:
    """The right-hand snapshot as a function of the left-hand one. What the side made on the way may
    be different for each of them, also the wands that were packaged there."""
    lifted = lifting((left,), packaging.mark)
    variable = lifted.variables[0]
    found = [
        Remembered((variable, *inner.variables), *lifted.terms((inner.applied, inner.result)))
        for inner in packaging.remembered
    ]
    applied = tb.apply(WAND_APPLY, function, variable)
    return [*found, Remembered((variable,), applied, lifted.term(right))]


def without(st: State, packaging: Packaging, cx: Context) -> State:
    """The state without the footprint. What came from further out went through here."""
    for goal, node in packaging.goals:
        obligation = cx.obligation("qp.not.injective", node, node)
        cx.services.emitter.emit(Assert(goal, obligation, st.guard, kept=tb.TRUE))
    for fact in packaging.chosen:
        st = cx.assume(st, fact)
    for move in packaging.fetched:
        st = receive(st, move, cx)
    inner = replace(cx, packaging=None)
    given_up: exhale_rules.GivenUp = {}
    after = st.leaving(st.heap)
    for (kind, index), part in packaging.parts.items():
        if part.amount is tb.NONE:
            continue
        if is_quantified_index(index):
            link_values(after, kind, cx)
            claim_quantified(after, kind, part, inner)
            given_up[permissions.Slice(kind)] = None
            after = after.leaving(permissions.taken(after.held, kind, part.amount))
            continue
        given_up[exhale_rules.Point(kind, index)] = None
        goal = tb.at_least(part.amount, tb.NONE)
        inner.claim(after, goal, "negative.permission", part.node, part.node)
        after = after.knowing(goal)
        wanted = Request(kind, index, part.amount, wildcard=False, node=part.node)
        after = take(after, wanted, inner)
    return exhale_rules.settled(after, given_up, cx)
