"""The native methods for wands that compiled models use, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitviper.engines.explore.runtime import footprint as fo
from pitviper.engines.explore.runtime import wands as wa
from pitviper.engines.explore.runtime.heap import Closure, Heap
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import Value


def _held_wand(run: Run, tag: str, heap: Heap, *holes: Value) -> Value:
    return wa.held_wand(run, heap, (tag, holes))


def _wand_arguments(run: Run, tag: str, heap: Heap, position: int) -> Value:
    return tuple([w.holes[position] for w in heap.wands.get(tag, ())])


def _give_wand(run: Run, heap: Heap, source: Heap | None, shape: str, *holes: Value) -> tuple[()]:
    wa.give_wand(run, heap, source, (shape, holes))
    return ()


def _take_wand(
    run: Run, heap: Heap, sink: Heap | None, shape: str, *holes: Value
) -> tuple[Closure]:
    return (wa.take_wand(run, heap, sink, (shape, holes)),)


def _package(run: Run, heap: Heap, around: fo.Around | None, *plan: Any) -> tuple[()]:
    """The methods, the shape, then holes, arguments of the left-hand side and of the script."""
    left, script, shape, holes, arguments, *values = plan
    made = wa.Plan(left, script, (shape, tuple(values[:holes])))
    made.left_arguments = tuple(values[holes : holes + arguments])
    made.captured = tuple(values[holes + arguments :])
    wa.package(run, (heap, *(around or ())), made)
    return ()


def _run_wand(run: Run, closure: Closure, given: Heap) -> tuple[Heap, bool]:
    return wa.result_of(run, closure, given)


def _fetch(run: Run, heap: Heap, reads: Heap, around: fo.Around, *lack: Any) -> tuple[()]:
    field, amount, receiver = lack
    fo.fetch_cell(run, heap, around, fo.Lack(field, (receiver,), amount, reads))
    return ()


def _fetch_instance(run: Run, heap: Heap, reads: Heap, around: fo.Around, *lack: Any) -> tuple[()]:
    predicate, amount, *args = lack
    fo.fetch_instance(run, heap, around, fo.Lack(predicate, tuple(args), amount, reads))
    return ()


def _fetch_wand(run: Run, heap: Heap, reads: Heap, around: fo.Around, *lack: Any) -> tuple[()]:
    shape, *holes = lack
    fo.fetch_wand(run, heap, around, fo.Lack(shape, tuple(holes), None, reads))
    return ()


def _judge(run: Run) -> tuple[Value]:
    """Whether this is the run that looks at a wand alone."""
    chosen = run.option("$judged")
    if chosen:
        run.section = None
    return (chosen,)


def _introspect(run: Run) -> tuple[()]:
    wa.introspect(run)
    return ()


WAND_NATIVES: dict[str, Callable[..., Any]] = {
    "wand.give": _give_wand, "wand.take": _take_wand, "wand.package": _package,
    "wand.run": _run_wand, "wand.fetch_cell": _fetch, "wand.fetch_instance": _fetch_instance,
    "wand.fetch_wand": _fetch_wand, "wand.introspect": _introspect, "wand.judge": _judge,
}  # fmt: skip
"""Called with the run and the arguments; the result is a tuple."""

WAND_TAGGED: dict[str, Callable[..., Any]] = {
    "held_wand": _held_wand, "wand_arguments": _wand_arguments,
}  # fmt: skip
"""Called with the run, the shape and the arguments."""
