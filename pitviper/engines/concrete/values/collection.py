"""Sequences, sets, multisets and maps."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values.unknown import Hole, Raw
from pitviper.engines.shared.values import (
    FiniteMap,
    Multiset,
    Value,
    elements_of,
    finite_map,
    multiset,
    multiset_of,
    size_of,
)
from pitviper.program import expr as pe
from pitviper.program.expr import SetOp

Literal: TypeAlias = pe.SeqLit | pe.SetLit | pe.MultisetLit | pe.MapLit
OnSequence: TypeAlias = (
    pe.SeqRange | pe.SeqAppend | pe.SeqIndex | pe.SeqTake | pe.SeqDrop | pe.SeqUpdate
)
OnSet: TypeAlias = pe.SetBinary | pe.Subset
Membership: TypeAlias = pe.SeqContains | pe.SetContains | pe.MultisetCount | pe.MapContains
OnMap: TypeAlias = pe.MapLookup | pe.MapUpdate | pe.MapDomain | pe.MapRange
Collection: TypeAlias = Literal | OnSequence | OnSet | Membership | OnMap | pe.Cardinality


def evaluate_collection(st: State, e: Collection, run: Run) -> Raw:
    match e:
        case pe.Cardinality(operand):
            found = rules.evaluate_raw(st, operand, run)
            return run.unknowns.length_of(found) if isinstance(found, Hole) else size_of(found)
        case pe.SeqLit() | pe.SetLit() | pe.MultisetLit() | pe.MapLit():
            return _literal(st, e, run)
        case pe.SeqContains() | pe.SetContains() | pe.MultisetCount() | pe.MapContains():
            return _membership(st, e, run)
        case pe.SetBinary() | pe.Subset():
            return _on_set(st, e, run)
        case pe.MapLookup() | pe.MapUpdate() | pe.MapDomain() | pe.MapRange():
            return _on_map(st, e, run)
        case _:
            return _on_sequence(st, e, run)


def _literal(st: State, e: Literal, run: Run) -> Value:
    match e:
        case pe.SeqLit(elements):
            return rules.evaluate_all(st, elements, run)
        case pe.SetLit(elements):
            return frozenset(rules.evaluate_all(st, elements, run))
        case pe.MultisetLit(elements):
            return multiset_of(rules.evaluate_all(st, elements, run))
        case pe.MapLit(entries):
            pairs = [(rules.evaluate(st, k, run), rules.evaluate(st, v, run)) for k, v in entries]
            return finite_map(dict(pairs))


def sequence(st: State, e: pe.Expr, run: Run) -> tuple[Value, ...]:
    value = rules.evaluate(st, e, run)
    assert isinstance(value, tuple)
    return value


def _on_sequence(st: State, e: OnSequence, run: Run) -> Value:
    match e:
        case pe.SeqRange(low, high):
            start, end = rules.integer(st, low, run), rules.integer(st, high, run)
            if end - start > run.options.steps:
                run.cannot("a range of this size", e)
            return tuple(range(start, end))
        case pe.SeqAppend(left, right):
            return sequence(st, left, run) + sequence(st, right, run)
        case pe.SeqIndex(operand, index):
            elements = sequence(st, operand, run)
            return elements[_index(st, e, index, len(elements), run)]
        case pe.SeqTake(operand, count):
            elements = sequence(st, operand, run)
            return elements[: max(0, rules.integer(st, count, run))]
        case pe.SeqDrop(operand, count):
            elements = sequence(st, operand, run)
            return elements[max(0, rules.integer(st, count, run)) :]
        case pe.SeqUpdate(operand, index, value):
            elements = sequence(st, operand, run)
            at = _index(st, e, index, len(elements), run)
            return (*elements[:at], rules.evaluate(st, value, run), *elements[at + 1 :])


def _index(st: State, e: pe.SeqIndex | pe.SeqUpdate, index: pe.Expr, length: int, run: Run) -> int:
    at = rules.integer(st, index, run)
    if at < 0:
        run.fail("seq.index.negative", index, index, e.sequence)
    if at >= length:
        run.fail("seq.index.length", index, index, e.sequence)
    return at


def _membership(st: State, e: Membership, run: Run) -> Value:
    match e:
        case pe.SeqContains(element, operand) | pe.SetContains(element, operand):
            wanted = rules.evaluate(st, element, run)
            found = rules.evaluate(st, operand, run)
            assert isinstance(found, tuple | frozenset)
            return wanted in found
        case pe.MultisetCount(element, operand):
            wanted = rules.evaluate(st, element, run)
            return _counts(rules.evaluate(st, operand, run)).get(wanted, 0)
        case pe.MapContains(key, operand):
            wanted = rules.evaluate(st, key, run)
            return wanted in _entries(rules.evaluate(st, operand, run))


def _counts(value: Value) -> dict[Value, int]:
    assert isinstance(value, Multiset)
    return dict(value.items)


def _entries(value: Value) -> dict[Value, Value]:
    assert isinstance(value, FiniteMap)
    return dict(value.items)


def _on_set(st: State, e: OnSet, run: Run) -> Value:
    left, right = rules.evaluate(st, e.left, run), rules.evaluate(st, e.right, run)
    if isinstance(left, Multiset):
        return _on_multiset(e, _counts(left), _counts(right))
    assert isinstance(left, frozenset)
    assert isinstance(right, frozenset)
    if isinstance(e, pe.Subset):
        return left <= right
    match e.op:
        case SetOp.UNION:
            return left | right
        case SetOp.INTERSECTION:
            return left & right
        case SetOp.DIFFERENCE:
            return left - right


def _on_multiset(e: OnSet, left: dict[Value, int], right: dict[Value, int]) -> Value:
    if isinstance(e, pe.Subset):
        return all(count <= right.get(element, 0) for element, count in left.items())
    match e.op:
        case SetOp.UNION:
            return multiset({v: left.get(v, 0) + right.get(v, 0) for v in (*left, *right)})
        case SetOp.INTERSECTION:
            return multiset({v: min(count, right.get(v, 0)) for v, count in left.items()})
        case SetOp.DIFFERENCE:
            return multiset({v: count - right.get(v, 0) for v, count in left.items()})


def _on_map(st: State, e: OnMap, run: Run) -> Value:
    found = rules.evaluate(st, e.map, run)
    entries = _entries(found)
    match e:
        case pe.MapLookup(_, key):
            wanted = rules.evaluate(st, key, run)
            if wanted not in entries:
                run.fail("map.key.contains", key, key, e.map)
            return entries[wanted]
        case pe.MapUpdate(_, key, value):
            wanted = rules.evaluate(st, key, run)
            return finite_map({**entries, wanted: rules.evaluate(st, value, run)})
        case pe.MapDomain():
            return frozenset(elements_of(found))
        case pe.MapRange():
            return frozenset(entries.values())
