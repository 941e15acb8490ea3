"""What a package takes: moved in from outside where it is missing, recorded, compared.

NOTE(one-footprint). The footprint must be the same for all left-hand states. One run sees one of
them. So a run whose way through a package was decided by the made-up state tells what it took,
together with all that was decided before: runs that agree on that must agree on what was taken.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from pitviper.engines.explore.runtime import arithmetic as ar
from pitviper.engines.explore.runtime import resources as re
from pitviper.engines.explore.runtime.ending import Ended
from pitviper.engines.explore.runtime.heap import ONE, ZERO, Cell, Heap, Instance
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.trial import Packaged, Trial, mentions, speaking_for
from pitviper.engines.explore.runtime.value import Lazy, Sym, Value, plain, term_of
from pitviper.terms.serialise import terms_to_text

Around = tuple[Heap, ...]
"""The heaps outside of a package, from the nearest on."""


class Lack:
    """Something that is needed in a heap: by `amount`, or any of it; also to be read in `reads`."""

    __slots__ = ("amount", "at", "name", "reads")

    def __init__(
        self, name: str, at: tuple[Value, ...], amount: Value | None, reads: Heap | None = None
    ) -> None:
        self.name = name
        self.at = at
        self.amount = amount
        self.reads = reads


def fetch_cell(run: Run, heap: Heap, around: Around, lack: Lack) -> None:
    """Move in what is missing of a field permission, as far as there is some."""
    if not around:
        return
    missing = _missing(run, re.held(run, heap, lack.at[0], lack.name), lack.amount)
    if missing is None:
        return
    trial, nearest = _owner(run), around[0]
    with speaking_for(run, trial.parent):
        wanted = lack.amount if lack.amount is None else missing
        fetch_cell(run, nearest, around[1:], Lack(lack.name, lack.at, wanted))
    part = _part(run, re.held(run, nearest, lack.at[0], lack.name), wanted)
    if part is None:
        return
    moved = Heap()
    with speaking_for(run, trial.parent):
        re.take(run, nearest, moved, (lack.at[0], lack.name), part)
    _fits(run, nearest, moved, trial)
    _arrive(run, heap, moved, trial, lack)


def fetch_instance(run: Run, heap: Heap, around: Around, lack: Lack) -> None:
    """The same for a predicate instance."""
    if not around:
        return
    missing = _missing(run, re.held_instance(run, heap, lack.name, *lack.at), lack.amount)
    if missing is None:
        return
    trial, nearest = _owner(run), around[0]
    with speaking_for(run, trial.parent):
        wanted = lack.amount if lack.amount is None else missing
        fetch_instance(run, nearest, around[1:], Lack(lack.name, lack.at, wanted))
    part = _part(run, re.held_instance(run, nearest, lack.name, *lack.at), wanted)
    if part is None:
        return
    moved = Heap()
    with speaking_for(run, trial.parent):
        re.take_instance(run, nearest, moved, (lack.name, lack.at), part)
    _fits(run, nearest, moved, trial)
    _arrive(run, heap, moved, trial, lack)


def fetch_wand(run: Run, heap: Heap, around: Around, lack: Lack) -> None:
    """The same for a wand: there is no part of one."""
    from pitviper.engines.explore.runtime.wands import matching, take_wand

    key = (lack.name, lack.at)
    if not around or matching(run, heap, key):
        return
    trial, nearest = _owner(run), around[0]
    with speaking_for(run, trial.parent):
        fetch_wand(run, nearest, around[1:], Lack(lack.name, lack.at, None))
    if not matching(run, nearest, key):
        return
    moved = Heap()
    take_wand(run, nearest, moved, key)
    _arrive(run, heap, moved, trial, lack)


def _owner(run: Run) -> Trial:
    assert run.trials.current is not None, "heaps around are those of a section"
    return run.trials.current


def _missing(run: Run, held: Value, amount: Value | None) -> Value | None:
    """How much more is needed; of a wildcard, something is enough."""
    if amount is None:
        return None if run.branch(ar.less(run, ZERO, held)) else ONE
    if run.branch(ar.at_most(run, amount, held)):
        return None
    return ar.sub(run, amount, held)


def _part(run: Run, held: Value, wanted: Value | None) -> Value | None:
    """How much of what there is goes; a half where any part will do."""
    if not run.branch(ar.less(run, ZERO, held)):
        return None
    if wanted is None:
        return ar.fraction(run, held, 2)
    return wanted if run.branch(ar.at_most(run, wanted, held)) else held


def _fits(run: Run, nearest: Heap, moved: Heap, trial: Trial) -> None:
    """What is moved must fit the made-up state; where the trial ends with that, it stays."""
    try:
        re.pour(run, trial.whole, moved)
    except Ended:
        with speaking_for(run, trial.parent):
            re.pour(run, nearest, moved)
        raise


def _arrive(run: Run, heap: Heap, moved: Heap, trial: Trial, lack: Lack) -> None:
    """What was moved belongs to the footprint, is in the heap, and may be read."""
    with speaking_for(run, None):
        re.pour(run, trial.footprint, moved)
    re.pour(run, heap, moved)
    if lack.reads is not None and lack.reads is not heap:
        _add(run, lack.reads, moved)


def _add(run: Run, heap: Heap, moved: Heap) -> None:
    for key, cell in moved.cells.items():
        before = heap.cells.get(key)
        amount = cell.amount if before is None else ar.add(run, before.amount, cell.amount)
        heap.cells[key] = Cell(amount, cell.value)
    for predicate, instances in moved.instances.items():
        for instance in instances:
            re.put(run, heap, Instance(*instance), predicate)
    for shape, wands in moved.wands.items():
        heap.wands.setdefault(shape, []).extend(wands)


# ---------------------------------------------------------------- judging


def record(run: Run, trial: Trial) -> Packaged:
    """What was decided before, and what was taken."""
    before = run.path.decisions[: trial.start]
    terms = terms_to_text([d.term for d in before])
    taken = "".join("1" if d.taken else "0" for d in before)
    text = f"{len(run.trials.footprints)} {run.site} {taken} {terms}"
    items = _items(run, trial)
    digest = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    return digest, items


def _items(run: Run, trial: Trial) -> tuple[str, ...]:
    heap, found = trial.footprint, []
    amounts: list[Value] = []
    for (number, field), cell in sorted(heap.cells.items(), key=lambda item: item[0]):
        found.append(f"{number}.{field} {_word(cell.amount)}")
        amounts.append(cell.amount)
    for predicate in sorted(heap.instances):
        for i in heap.instances[predicate]:
            found.append(f"{predicate} {[_word(a) for a in i.args]} {_word(i.amount)}")
            amounts += [i.amount, *i.args]
    for shape in sorted(heap.wands):
        for wand in heap.wands[shape]:
            found.append(f"{shape} {[_word(h) for h in wand.holes]}")
            amounts += wand.holes
    if any(_is_made_up(a, trial.prefix) for a in amounts):
        run.notes["what a package takes is told by values of its left-hand side"] = None
    return tuple(found)


def _word(value: Value) -> str:
    if isinstance(value, Lazy):
        return value.name if value.decided is None else _word(value.decided)
    if isinstance(value, tuple):
        return f"({', '.join(map(_word, value))})"
    return terms_to_text([value.term]) if isinstance(value, Sym) else repr(value)


def _is_made_up(value: Value, prefix: str) -> bool:
    if isinstance(value, Lazy):
        return value.decided is None and value.name.startswith(prefix)
    return isinstance(value, Sym) and mentions(term_of(value), prefix)


def conflict(left: Heap, around: Around, but: Mapping[object, None]) -> bool:
    """Whether a left-hand state may be one that a larger footprint would not allow.

    A verifier may move in more than a run has seen so far. That cannot help where the left-hand
    state fits all that is outside, apart from locations of which it is known why.
    """
    for heap in around:
        for key, cell in left.cells.items():
            other = heap.cells.get(key)
            if other is None or key in but:
                continue
            if plain(cell.amount) + plain(other.amount) > 1 or not _equals(cell.value, other.value):
                return True
        for predicate, instances in left.instances.items():
            others = heap.instances.get(predicate, ())
            for one in instances:
                if one.contents not in but and any(_may_be_one(one, other) for other in others):
                    return True
    return False


def _equals(one: Value, other: Value) -> bool:
    """Whether values are equal in this run, as far as that is decided."""
    if isinstance(one, Lazy) and one.decided is not None:
        return _equals(one.decided, other)
    if isinstance(other, Lazy) and other.decided is not None:
        return _equals(one, other.decided)
    if one is other:
        return True
    simple = (int, Sym)
    if isinstance(one, simple) and isinstance(other, simple):
        return plain(one) == plain(other)
    return False


def _may_be_one(one: Instance, other: Instance) -> bool:
    if one.contents is other.contents:
        return False
    return all(_equals(a, b) for a, b in zip(one.args, other.args, strict=True))
