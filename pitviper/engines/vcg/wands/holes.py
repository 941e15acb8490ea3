"""The values in the holes of a wand: see NOTE(holes) in `engines/shared/judgement.py`."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.engines.shared.judgement import may_lack_meaning
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import Index, Kind
from pitviper.engines.vcg.ivl.emitter import Emitter
from pitviper.engines.vcg.ivl.language import Assert, Assign, Block, Side
from pitviper.engines.vcg.quantified.slice import SLICES, slice_axioms_in
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.state import State
from pitviper.program.assertion import Wand
from pitviper.terms import build as tb


def filled(st: State, wand: Wand, cx: Context) -> tuple[Kind, Index]:
    """The shape of a wand and the values of its holes. Where these may make no sense, nothing is
    learnt from looking at them, but what new symbols stand for."""
    if not may_lack_meaning(cx.services.symbols.shape(wand).holes, cx.services.program):
        return ev.locate(st, wand, cx.claims_only())
    emitter = cx.services.emitter
    judged = replace(cx, checking=True, claiming=True, packaging=None)
    with emitter.trial(st.guard) as blocks:
        kind, index = ev.locate(st, wand, judged)
    makes_sense = _all_proved(blocks, emitter)
    for axiom in slice_axioms_in(blocks):
        emitter.assume(axiom, origin=SLICES)
    for command in [command for block in blocks for command in block.commands]:
        if isinstance(command, Assign) or (makes_sense and not isinstance(command, Assert)):
            emitter.emit(command)
    return kind, index


def _all_proved(blocks: list[Block], emitter: Emitter) -> bool:
    """Whether all goals of straight-line commands hold here, without one another's help."""
    commands = [command for block in blocks for command in block.commands]
    if any(isinstance(command, Side) for command in commands):
        return False
    goals = [tb.implies(c.guard, c.goal) for c in commands if isinstance(c, Assert)]
    return all(emitter.proves(goal) for goal in goals)
