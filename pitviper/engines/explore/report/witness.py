"""Whether the input of a failed run can exist: what nobody has looked into is filled in.

A run looks into an instance of the input when the program does. A failure before that says nothing
about the instance, and there may be none: of `acc(x.f)` for null, or beside a full permission. So
at the end of a failed run the instances that it began with, and those that it got on the way,
are opened as far down as they go: also those that it has given away since.
One way to do so is enough: others are searched only if it comes to nothing. Large sets of values of
a domain get their elements likewise: axioms may say that there are not so many values.
"""

from __future__ import annotations

from pitviper.engines.explore.model.types import MAP, SET, Generic, Type, mentions_token
from pitviper.engines.explore.notes import IMPOSSIBLE, PACKED, UNFILLED
from pitviper.engines.explore.runtime.ending import Ended, Status
from pitviper.engines.explore.runtime.heap import Heap
from pitviper.engines.explore.runtime.resources import pour, share_of
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.shape import elements
from pitviper.engines.explore.runtime.value import Huge, Lazy
from pitviper.engines.explore.search.compile import Runnable

MOST = 60
"""Instances that are opened."""


def witnessed(code: Runnable, run: Run, failure: Ended) -> Ended:
    """The end of a run that failed; another one if it has no input, or must be solved again."""
    method, index = run.method, run.index
    run.path.failed_at = len(run.path.decisions)
    run.trials.current = None
    try:
        _complete(code, run)
    except Ended as end:
        if end.status is Status.UNMET:
            run.notes[IMPOSSIBLE] = None
        if end.status in (Status.UNMET, Status.RETRY):
            return end
        run.notes[UNFILLED] = None
    except RecursionError:
        run.notes[UNFILLED] = None
    run.method, run.index = method, index
    return failure


def _complete(code: Runnable, run: Run) -> None:
    """Open all instances of a state into one heap, where permissions must fit together: of the
    first one, and of those in which the run got more."""
    _fill_sets(run)
    for held in run.gained:
        _open_all(code, run, held)


def _open_all(code: Runnable, run: Run, gained: Heap) -> None:
    flat = gained.copy()
    for wand in [wand for held in gained.wands.values() for wand in held]:
        _unpack(run, flat, wand.closure.footprint)
    for _ in range(MOST):
        name = next((name for name, held in flat.instances.items() if held), None)
        if name is None:
            return
        instance = flat.instances[name].pop(0)
        contents = instance.contents
        inside = contents.heap
        if inside is None:
            fill = code.functions.get(f"predicate {name}")
            if fill is None:
                continue  # an abstract predicate may be anything
            inside = contents.opened()
            fill(run, inside, *instance.args)
        pour(run, flat, inside, share_of(run, instance.amount, contents.unit))
    run.end(Status.SIZE, f"more than {MOST} predicate instances")


def _unpack(run: Run, flat: Heap, footprint: Heap) -> None:
    """Put what a package took beside what is held; it is doubtful where that does not fit."""
    try:
        pour(run, flat, footprint)
    except Ended as end:
        if end.status is not Status.UNMET:
            raise
        run.notes[PACKED] = None


def _fill_sets(run: Run) -> None:
    """Give elements to large sets and maps of the input whose elements are values of a domain."""
    for value in list(run.inputs.values.values()):
        if isinstance(value, Lazy) and isinstance(value.decided, Huge) and _has_tokens(value.type):
            elements(run, value)


def _has_tokens(kind: Type) -> bool:
    """Whether the elements of a collection differ, and consist of values of domains."""
    differ = isinstance(kind, Generic) and kind.definition in (SET, MAP)
    return differ and isinstance(kind, Generic) and mentions_token(kind.args[0])
