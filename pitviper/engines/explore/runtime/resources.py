"""What compiled methods do with heaps: gain, give up, look, open and close predicate instances."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pitviper.engines.explore.model.types import Type
from pitviper.engines.explore.runtime import arithmetic as ar
from pitviper.engines.explore.runtime import arrays
from pitviper.engines.explore.runtime.ending import Leak, Status
from pitviper.engines.explore.runtime.equality import conjunction, equal, negation
from pitviper.engines.explore.runtime.heap import ONE, ZERO, Cell, Contents, Heap, Instance, Within
from pitviper.engines.explore.runtime.nesting import must_not_contain, same
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.shape import decide_object, is_decided, shape
from pitviper.engines.explore.runtime.trial import depends
from pitviper.engines.explore.runtime.value import NULL, Slot, Sym, Value, plain
from pitviper.engines.shared.values import Ref


def reference(run: Run, value: Value) -> Ref:
    found = shape(run, value)
    if run.path.bound and not isinstance(found, Ref):
        raise Leak
    assert isinstance(found, Ref)
    return found


# ---------------------------------------------------------------- looking


def _reached(run: Run, heap: Heap | None) -> Heap:
    """The state at a label. Runs of both sides of a branch (`merged.py`) may look at one that they
    have not passed: what they say counts for nothing, so they end."""
    if heap is None:
        run.end(Status.UNSUPPORTED, "a state that was not reached")
    return heap


def held(run: Run, heap: Heap | None, receiver: Value, field: str) -> Value:
    heap = _reached(run, heap)
    if isinstance(receiver, Slot):
        amount = arrays.amount_at(run, heap, receiver, field)
        if amount is not None:
            return amount
    cell = heap.cells.get((reference(run, receiver).number, field))
    return ZERO if cell is None else cell.amount


def read(run: Run, heap: Heap | None, receiver: Value, field: str) -> Value:
    """The value there; that it is held was checked before."""
    heap = _reached(run, heap)
    if isinstance(receiver, Slot):
        value = arrays.value_at(run, heap, receiver, field)
        if value is not None:
            return value
    cell = heap.cells.get((reference(run, receiver).number, field))
    if cell is None:
        if run.path.bound:
            raise Leak
        run.end(Status.UNSUPPORTED, f"the value of field {field} without permission")
    return cell.value


def held_instance(run: Run, heap: Heap, predicate: str, *args: Value) -> Value:
    found = find(run, heap, predicate, args)
    return ZERO if found is None else heap.instances[predicate][found].amount


def find(run: Run, heap: Heap, predicate: str, args: tuple[Value, ...]) -> int | None:
    """The position of an instance with these arguments."""
    instances = heap.instances.get(predicate, ())
    if instances and len(args) == 1:
        wanted = shape(run, args[0])
        if wanted.__class__ is Ref:
            return _with_object(run, instances, wanted)
    for position, instance in enumerate(instances):
        same = conjunction([equal(run, a, b) for a, b in zip(args, instance.args, strict=True)])
        if same is not False and run.branch(same):
            return position
    return None


def _with_object(run: Run, instances: Sequence[Instance], wanted: Value) -> int | None:
    """Most predicates are about one object; an object has one reference."""
    for position, instance in enumerate(instances):
        if shape(run, instance.args[0]) is wanted:
            return position
    return None


def receivers(run: Run, heap: Heap, field: str) -> Value:
    """The objects to whose field something is held."""
    return tuple([_ref(number) for number, name in heap.cells if name == field])


def arguments(run: Run, heap: Heap, predicate: str, position: int) -> Value:
    """One argument of each instance that is held."""
    return tuple([i.args[position] for i in heap.instances.get(predicate, ())])


def _ref(number: int) -> Ref:
    from pitviper.engines.explore.runtime.value import ref

    return ref(number)


# ---------------------------------------------------------------- gaining


def give(
    run: Run, heap: Heap, source: Heap | None, at: tuple[Value, str, Type], amount: Value
) -> None:
    """Inhale of a field permission; the value comes from `source`, or is any."""
    receiver, field, kind = at
    if not run.branch(ar.less(run, ZERO, amount)):
        return
    if run.trials.current is None and not is_decided(receiver):
        decide_object(run, receiver, _full(heap, field, amount))
    number = reference(run, receiver).number
    run.assume(number != NULL.number)
    key = (number, field)
    if source is not None and key in source.cells:
        value = source.cells[key].value
    else:
        _note_gain(run, key, amount)
        shared = _shared_value(run, key, amount)
        name = f"object{number}.{field}"
        value = run.fresh(kind, name, heap.horizon) if shared is None else shared
    _add_cell(run, heap, key, amount, value)


def _full(heap: Heap, field: str, amount: Value) -> frozenset[int]:
    """Null, and objects of whose field so much is held that no more can be gained."""
    if amount.__class__ is Sym or heap.is_part:
        return frozenset((0,))
    known = [(n, c.amount) for (n, name), c in heap.cells.items() if name == field]
    full = [n for n, a in known if a.__class__ is not Sym and plain(a) + plain(amount) > 1]
    return frozenset((0, *full))


def _shared_value(run: Run, key: tuple[int, str], amount: Value) -> Value | None:
    """Of a location that a left-hand state has a part of, the value that is known outside."""
    around = () if run.trials.current is None else run.trials.current.around
    for outer in around:
        if key in outer.cells and _is_same_part(run, amount):
            return outer.cells[key].value
    return None


def _note_gain(run: Run, what: object, amount: Value) -> None:
    """What is gained once, before anything about the left-hand state was decided, is always."""
    trial = run.trials.current
    if trial is None or not trial.around:
        return
    if depends(run, trial):
        trial.plain.pop(what, None)
        return
    trial.plain[what] = None
    if amount.__class__ is not Sym and plain(amount) >= 1:
        trial.sure[what] = None


def _is_same_part(run: Run, amount: Value) -> bool:
    """A part may be of what is outside, or of a state that does not fit it; the first first."""
    assert run.trials.current is not None
    is_part = run.branch(ar.less(run, amount, ONE))
    return is_part and not run.option(f"{run.trials.current.prefix}$differs")


def _add_cell(run: Run, heap: Heap, key: tuple[int, str], amount: Value, value: Value) -> None:
    before = heap.cells.get(key)
    if before is not None:
        amount = ar.add(run, before.amount, amount)
        run.assume(equal(run, before.value, value))
        value = before.value
    if not heap.is_part:
        run.assume(ar.at_most(run, amount, ONE))
    heap.cells[key] = Cell(amount, value)


def new_object(run: Run, heap: Heap, fields: tuple[tuple[str, Type], ...], made: Ref) -> None:
    """All of these fields of a new object, with any values."""
    for field, kind in fields:
        value = run.fresh(kind, f"new{run.inputs.made}.{field}")
        heap.cells[made.number, field] = Cell(ONE, value)


def reach(run: Run, heap: Heap, receiver: Value, field: tuple[str, Type]) -> None:
    """All of a field of an object that was there before, with any value, if nobody met it."""
    name, kind = field
    number = reference(run, receiver).number
    if number > 0 and (number, name) not in heap.cells:
        heap.cells[number, name] = Cell(ONE, run.fresh(kind, f"object{number}.{name}", 0))


def write(run: Run, heap: Heap, receiver: Value, field: str, value: Value) -> None:
    if isinstance(receiver, Slot) and arrays.write_at(run, heap, receiver, field, value):
        return
    key = (reference(run, receiver).number, field)
    heap.cells[key] = Cell(heap.cells[key].amount, value)


def give_instance(
    run: Run, heap: Heap, source: Heap | None, at: tuple[str, tuple[Value, ...]], amount: Value
) -> None:
    """Inhale of a predicate instance; its contents come from `source`, or are any."""
    predicate, args = at
    if not run.branch(ar.less(run, ZERO, amount)):
        return
    found = None if source is None else find(run, source, predicate, args)
    if source is not None and found is not None:
        contents = source.instances[predicate][found].contents
    else:
        contents = _any_contents(run, heap, at, amount)
        mine = find(run, heap, predicate, args)
        if mine is not None:
            _note_gain(run, heap.instances[predicate][mine].contents, amount)
    put(run, heap, Instance(args, amount, contents), predicate)


def _any_contents(
    run: Run, heap: Heap, at: tuple[str, tuple[Value, ...]], amount: Value
) -> Contents:
    predicate, args = at
    contents = Contents(None, ONE, (*heap.within, at), 0)
    _note_gain(run, contents, amount)
    around = () if run.trials.current is None else run.trials.current.around
    for outer in around:
        found = find(run, outer, predicate, args)
        if found is not None and _is_same_part(run, amount):
            return outer.instances[predicate][found].contents
    _not_within(run, heap.within, predicate, args)
    contents.horizon = run.inputs.made if heap.horizon is None else heap.horizon
    contents.trial = run.trials.current
    return contents


def forget(run: Run, heap: Heap, predicate: str, args: tuple[Value, ...]) -> None:
    """An instance that is held gets contents of which nothing is known."""
    if run.trials.current is not None:
        run.end(Status.UNSUPPORTED, "quasihavoc in a package")
    found = find(run, heap, predicate, args)
    assert found is not None
    horizon = run.inputs.made if heap.horizon is None else heap.horizon
    contents = Contents(None, ONE, (*heap.within, (predicate, args)), horizon)
    held = heap.instances[predicate]
    held[found] = Instance(held[found].args, held[found].amount, contents)


def tie(run: Run, heap: Heap, before: Heap, predicate: str, args: tuple[Value, ...]) -> None:
    """An instance that is held now has the contents that it had in an earlier heap."""
    mine, theirs = find(run, heap, predicate, args), find(run, before, predicate, args)
    if mine is None or theirs is None:
        return
    held, old = heap.instances[predicate], before.instances[predicate][theirs].contents
    _unite(run, held[mine].contents, old)
    held[mine] = Instance(held[mine].args, held[mine].amount, old)


def _unite(run: Run, one: Contents, other: Contents) -> None:
    """Contents that are the same: what is known of one is known of the other."""
    if one is other or one.heap is None:
        return
    if other.heap is None:
        other.heap, other.unit = one.heap, one.unit
        return
    for key, cell in one.heap.cells.items():
        if key in other.heap.cells:
            run.assume(equal(run, cell.value, other.heap.cells[key].value))
    for predicate, instances in one.heap.instances.items():
        for instance in instances:
            found = find(run, other.heap, predicate, instance.args)
            if found is not None:
                _unite(run, instance.contents, other.heap.instances[predicate][found].contents)


def put(run: Run, heap: Heap, instance: Instance, predicate: str) -> None:
    """An instance beside those that are there; two parts of one have the same contents."""
    found = find(run, heap, predicate, instance.args)
    instances = heap.instances.setdefault(predicate, [])
    if found is None:
        instances.append(instance)
    else:
        before = instances[found]
        contents = _joined(run, before.contents, instance.contents)
        amount = ar.add(run, before.amount, instance.amount)
        instance = instances[found] = Instance(before.args, amount, contents)
    if instance.amount.__class__ is not Sym and plain(instance.amount) >= 1 and not heap.is_part:
        instance.contents.is_whole = True


def _joined(run: Run, one: Contents, other: Contents) -> Contents:
    """Contents known to be the same; that is assumed of the values inside."""
    if one is other or other.heap is None:
        return one
    if one.heap is None:
        return other
    for key, cell in one.heap.cells.items():
        if key in other.heap.cells:
            run.assume(equal(run, cell.value, other.heap.cells[key].value))
    for predicate, listed in one.heap.instances.items():
        if len(listed) != len(other.heap.instances.get(predicate, ())):
            run.notes["parts of nested predicate instances were not compared"] = None
        for position, instance in enumerate(listed):
            found = find(run, other.heap, predicate, instance.args)
            if found is None:
                run.notes["parts of nested predicate instances were not compared"] = None
            else:
                same = other.heap.instances[predicate][found].contents
                inner = _joined(run, instance.contents, same)
                listed[position] = Instance(instance.args, instance.amount, inner)
    return one


def _not_within(run: Run, within: Within, predicate: str, args: tuple[Value, ...]) -> None:
    """Instances stand for finite structures: none contains itself."""
    for name, others in within:
        if name == predicate:
            run.assume(negation(same(run, args, others)))


def close(
    run: Run, heap: Heap, inside: Heap, at: tuple[str, tuple[Value, ...]], amount: Value
) -> None:
    """The instance whose contents were collected."""
    predicate, args = at
    contents = Contents(inside, amount, (at,))
    contents.inside = must_not_contain(run, inside, predicate, args)
    put(run, heap, Instance(args, amount, contents), predicate)


# ---------------------------------------------------------------- giving up


def take(run: Run, heap: Heap, sink: Heap | None, at: tuple[Value, str], amount: Value) -> None:
    """Exhale of a field permission; that it is held was checked before."""
    receiver, field = at
    if not run.branch(ar.less(run, ZERO, amount)):
        return
    key = (reference(run, receiver).number, field)
    cell = heap.cells[key]
    left = ar.sub(run, cell.amount, amount)
    if run.branch(ar.less(run, ZERO, left)):
        heap.cells[key] = Cell(left, cell.value)
    else:
        del heap.cells[key]
    if sink is not None:
        before = sink.cells.get(key)
        total = amount if before is None else ar.add(run, before.amount, amount)
        sink.cells[key] = Cell(total, cell.value)


def take_instance(
    run: Run, heap: Heap, sink: Heap | None, at: tuple[str, tuple[Value, ...]], amount: Value
) -> Contents | None:
    """Exhale of a predicate instance; the contents it had."""
    predicate, args = at
    if not run.branch(ar.less(run, ZERO, amount)):
        return None
    found = find(run, heap, predicate, args)
    assert found is not None
    instances = heap.instances[predicate]
    instance = instances[found]
    left = ar.sub(run, instance.amount, amount)
    if run.branch(ar.less(run, ZERO, left)):
        instances[found] = Instance(instance.args, left, instance.contents)
    else:
        del instances[found]
    if sink is not None:
        put(run, sink, Instance(args, amount, instance.contents), predicate)
    return instance.contents


def pour(run: Run, heap: Heap, other: Heap, share: Value = ONE) -> None:
    """Add all of another heap, each amount multiplied by a share."""
    whole = share.__class__ is not Sym and plain(share) == 1
    for key, cell in other.cells.items():
        amount = cell.amount if whole else ar.mul(run, cell.amount, share)
        _add_cell(run, heap, key, amount, cell.value)
    for predicate, instances in other.instances.items():
        for instance in instances:
            amount = instance.amount if whole else ar.mul(run, instance.amount, share)
            put(run, heap, Instance(instance.args, amount, instance.contents), predicate)
    for kind, wands in other.wands.items():
        heap.wands.setdefault(kind, []).extend(wands)


def share_of(run: Run, amount: Value, unit: Value) -> Value:
    """Which part of contents of amount `unit` an amount is."""
    if amount is unit:
        return ONE
    if amount.__class__ is not Sym and unit.__class__ is not Sym:
        return Fraction(plain(amount)) / Fraction(plain(unit))
    return ar.fraction(run, amount, unit)
