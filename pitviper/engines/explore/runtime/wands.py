"""Wand instances: found by shape and holes, gained, given up, packaged and run."""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn

from pitviper.engines.explore.notes import LOOKED, UNFIT, UNMET, VAGUE
from pitviper.engines.explore.runtime import resources as re
from pitviper.engines.explore.runtime.ending import Ended, Site, Status
from pitviper.engines.explore.runtime.equality import conjunction, equal
from pitviper.engines.explore.runtime.footprint import Around, conflict, record
from pitviper.engines.explore.runtime.heap import Closure, Heap, WandInstance
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.trial import LEFT, Trial, depends, opened
from pitviper.engines.explore.runtime.value import Value

Key = tuple[str, tuple[Value, ...]]
"""A shape and the values of its holes."""


def matching(run: Run, heap: Heap, at: Key) -> list[int]:
    """The positions of the instances with this shape and these values."""
    shape, holes = at
    found = []
    for position, instance in enumerate(heap.wands.get(shape, ())):
        same = conjunction([equal(run, a, b) for a, b in zip(holes, instance.holes, strict=True)])
        if run.branch(same):
            found.append(position)
    return found


def held_wand(run: Run, heap: Heap, at: Key) -> Value:
    return Fraction(len(matching(run, heap, at)))


def give_wand(run: Run, heap: Heap, source: Heap | None, at: Key) -> None:
    """Inhale of a wand: the one that `source` has, or any."""
    shape, holes = at
    mine = heap.wands.setdefault(shape, [])
    known = [id(w.closure) for w in mine]
    for position in [] if source is None else matching(run, source, at):
        assert source is not None
        closure = source.wands[shape][position].closure
        if id(closure) not in known:
            mine.append(WandInstance(holes, closure))
            return
    mine.append(WandInstance(holes, Closure("", Heap(), ())))


def take_wand(run: Run, heap: Heap, sink: Heap | None, at: Key) -> Closure:
    """Exhale of a wand, the one that came last; that there is one was checked before."""
    shape = at[0]
    found = matching(run, heap, at)
    if len(found) > 1:
        run.notes["one of several equal wands was taken"] = None
    taken = heap.wands[shape].pop(found[-1])
    if sink is not None:
        sink.wands.setdefault(shape, []).append(taken)
    return taken.closure


# ---------------------------------------------------------------- package


class Plan:
    """A package: its two methods, their arguments, and the wand that comes out."""

    __slots__ = ("at", "captured", "left", "left_arguments", "script")

    def __init__(self, left: str, script: str, at: Key) -> None:
        self.left = left
        self.script = script
        self.at = at
        self.left_arguments: tuple[object, ...] = ()
        self.captured: tuple[object, ...] = ()


def package(run: Run, around: tuple[Heap, ...], plan: Plan) -> None:
    """Run the script on a made-up left-hand state; the wand for what it took from around."""
    state, left = Heap(), Heap()
    with opened(run, LEFT) as trial:
        try:
            trial.around = around
            run.functions[plan.left](run, state, *plan.left_arguments)
            trial.around = ()
            left, trial.whole = state.copy(), state.copy()
            run.functions[plan.script](run, state, around, left, *plan.captured)
        except Ended as end:
            if end.status is Status.FAILED and conflict(left, around, trial.sure):
                run.notes[UNFIT] = None
            if end.status is Status.FAILED and trial.failed is not None:
                _fail(run, trial.failed)
            raise
    if trial.failed is not None:
        if not trial.is_met:
            run.notes[UNFIT] = None
        _fail(run, trial.failed)
    _judge(run, trial, left, around)
    shape, holes = plan.at
    closure = Closure(plan.script, trial.footprint, plan.captured)
    closure.is_short = trial.is_short
    around[0].wands.setdefault(shape, []).append(WandInstance(holes, closure))


def _fail(run: Run, site: Site) -> NoReturn:
    run.method, run.index = site
    run.end(Status.FAILED)


def _judge(run: Run, trial: Trial, left: Heap, around: Around) -> None:
    """What a run is worth behind a package; one that ended at once must show certain failures."""
    took, depended = trial.footprint, depends(run, trial)
    if trial.is_short:
        run.trials.is_short = True
        if took.is_used and conflict(left, (*around, took), trial.sure):
            run.end(Status.UNMET)
        return
    if trial.is_cut:
        run.notes["a package without a left-hand state could not be followed to its end"] = None
    if depended:
        run.trials.is_loose = True
        run.trials.footprints.append(record(run, trial))
    run.trials.is_vague = run.trials.is_vague or not trial.is_met
    if not trial.is_met and took.is_used:
        run.notes[UNMET] = None
    elif depended and conflict(left, around, trial.plain):
        run.notes[UNFIT] = None


# ---------------------------------------------------------------- apply


def result_of(run: Run, closure: Closure, given: Heap) -> tuple[Heap, bool]:
    """What a wand gives for a left-hand side, and whether that is known; if not, an empty heap."""
    if closure.is_short:
        run.end(Status.UNMET)
    for before, after in closure.results:
        if _same_heap(run, before, given):
            return after, True
    made = Heap()
    is_known = bool(closure.script) and _run_script(run, closure, given, made)
    closure.results.append((given, made))
    return made, is_known


def _run_script(run: Run, closure: Closure, given: Heap, made: Heap) -> bool:
    """The script on the real left-hand side. What it assumes may be false: then any state of the
    right-hand side comes out, as for all whom the script told that it is true."""
    state = closure.footprint.copy()
    re.pour(run, state, given)
    with opened(run, "") as trial:
        try:
            (after,) = run.functions[closure.script](
                run, state, (), given.copy(), *closure.captured
            )
        except Ended as end:
            if end.status is Status.FAILED and end.trial is None:
                run.end(Status.UNSUPPORTED, "a wand whose footprint depends on its left-hand side")
            raise
    if trial.is_met:
        assert isinstance(after, Heap)
        re.pour(run, made, after)
    return trial.is_met


def _same_heap(run: Run, one: Heap, other: Heap) -> bool:
    if one.cells.keys() != other.cells.keys():
        return False
    pairs = [(one.cells[key], other.cells[key]) for key in one.cells]
    same = [equal(run, a.value, b.value) for a, b in pairs]
    same += [equal(run, a.amount, b.amount) for a, b in pairs]
    insides = [[(name, id(i.contents)) for name, held in h.instances.items() for i in held]
               for h in (one, other)]  # fmt: skip
    wands = [[id(w.closure) for held in h.wands.values() for w in held] for h in (one, other)]
    if insides[0] != insides[1] or wands[0] != wands[1]:
        run.notes["what was put into a wand twice depends on the contents of instances"] = None
        return False
    return run.branch(conjunction(same))


def introspect(run: Run) -> None:
    """`perm` tells how much there is, and so what a package took."""
    if run.trials.is_short:
        run.end(Status.UNMET)
    if run.trials.is_loose:
        run.notes[LOOKED] = None
    if run.trials.is_vague:
        run.notes[VAGUE] = None


def wand_text(shape: str, holes: tuple[str, ...]) -> str:
    """A wand instance in words."""
    text = shape.rpartition(" [")[0]
    for number in range(len(holes), 0, -1):
        text = text.replace(f"hole{number}", holes[number - 1])
    return text
