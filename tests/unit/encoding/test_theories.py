"""The axioms of collections are true of finite ones: each is computed for all small values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, combinations, product
from typing import Any

import pytest

from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.profiling import Profiler
from pitviper.driver.verify.verify import open_verifier
from pitviper.encoding.theories.maps import map_axioms, maps
from pitviper.encoding.theories.multisets import multiset_axioms, multisets
from pitviper.encoding.theories.sequences import (
    MINUS,
    PLUS,
    index_arithmetic_axioms,
    sequence_axioms,
    sequences,
)
from pitviper.encoding.theories.sets import Sets, set_axioms, sets
from pitviper.encoding.theories.snapshot_maps import snapshot_map_axioms, snapshot_maps
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import BOOL, INT, REF, Sort, uninterpreted
from pitviper.terms.term import App, Binder, Literal, Quantified, Term, Var

Meanings = Mapping[object, Callable[..., Any]]
Values = dict[Sort, list[Any]]

THING = uninterpreted("Thing")
THINGS = [0, 1]
INTS = list(range(-2, 6))

LOGIC: Meanings = {
    op.NOT: lambda x: not x,
    op.AND: lambda *xs: all(xs),
    op.OR: lambda *xs: any(xs),
    op.IMPLIES: lambda x, y: (not x) or y,
    op.EQUAL: lambda x, y: x == y,
    op.ITE: lambda c, x, y: x if c else y,
    op.PLUS: lambda x, y: x + y,
    op.MINUS: lambda x, y: x - y,
    op.TIMES: lambda x, y: x * y,
    op.LESS: lambda x, y: x < y,
    op.AT_MOST: lambda x, y: x <= y,
}


def value_of(term: Term, named: Mapping[Term, Any], meanings: Meanings, values: Values) -> Any:
    match term:
        case Literal(value=value):
            return value
        case Var():
            return named[term]
        case Quantified():
            ways = product(*[values[v.sort] for v in term.variables])
            found = (
                value_of(
                    term.body,
                    {**named, **dict(zip(term.variables, way, strict=True))},
                    meanings,
                    values,
                )
                for way in ways
            )
            return all(found) if term.binder is Binder.FORALL else any(found)
        case App(symbol=symbol, args=args):
            if symbol is op.IMPLIES and not value_of(args[0], named, meanings, values):
                return True
            return meanings[symbol](*[value_of(arg, named, meanings, values) for arg in args])
        case _:
            raise ValueError(f"{term!r} has no value")


def least_difference(one: Iterable[Any], other: Iterable[Any], among: Iterable[Any]) -> Any:
    a, b = list(one), list(other)
    return next((x for x in among if a.count(x) != b.count(x)), 0)


def subsets(things: Iterable[Any]) -> list[frozenset[Any]]:
    all_of = list(things)
    sizes = range(len(all_of) + 1)
    return [frozenset(c) for c in chain(*[combinations(all_of, size) for size in sizes])]


# ---------------------------------------------------------------- sequences


def sequence_model(element: Sort, things: list[Any]) -> tuple[tuple[Term, ...], Meanings, Values]:
    th = sequences(element)
    all_of = [way for size in range(4) for way in product(things, repeat=size)]

    def at(s: tuple[Any, ...], i: int) -> Any:
        return s[i] if 0 <= i < len(s) else things[0]

    def update(s: tuple[Any, ...], i: int, v: Any) -> tuple[Any, ...]:
        return (*s[:i], v, *s[i + 1 :]) if 0 <= i < len(s) else s

    def differs(s: tuple[Any, ...], t: tuple[Any, ...]) -> int:
        return next((i for i, (a, b) in enumerate(zip(s, t, strict=False)) if a != b), 0)

    named: dict[str, Callable[..., Any]] = {
        "length": len,
        "empty": lambda: (),
        "singleton": lambda x: (x,),
        "append": lambda s, t: s + t,
        "index": at,
        "take": lambda s, n: s[: max(n, 0)],
        "drop": lambda s, n: s[max(n, 0) :],
        "update": update,
        "contains": lambda s, x: x in s,
        "marks": lambda s, x: x in s,
        "equals": lambda s, t: s == t,
        "range": lambda low, high: tuple(range(low, high)),
        "where": lambda s, x: s.index(x) if x in s else 0,
        "differs": differs,
    }
    axioms = (*sequence_axioms(th), *index_arithmetic_axioms())
    meanings = by_name(axioms, str(th.sort), named)
    meanings |= {PLUS: lambda i, j: i + j, MINUS: lambda i, j: i - j}
    return axioms, meanings, {th.sort: all_of, element: things, INT: INTS}


def by_name(
    axioms: Iterable[Term], sort: str, named: Mapping[str, Callable[..., Any]]
) -> dict[object, Callable[..., Any]]:
    """The meanings of the symbols of a sort that axioms mention, by the ends of their names."""
    found: dict[object, Callable[..., Any]] = dict(LOGIC)
    todo = list(axioms)
    while todo:
        term = todo.pop()
        if isinstance(term, App) and term.symbol not in found:
            begin, _, end = term.symbol.name.rpartition(".")
            if begin == sort:
                found[term.symbol] = named[end]
        todo += [term.body] if isinstance(term, Quantified) else list(term.args)
    return found


# ---------------------------------------------------------------- sets, multisets, maps


def set_meanings(th: Sets, things: list[Any]) -> dict[object, Callable[..., Any]]:
    named: dict[str, Callable[..., Any]] = {
        "size": len,
        "empty": frozenset,
        "singleton": lambda x: frozenset((x,)),
        "insert": lambda s, x: s | {x},
        "union": lambda s, t: s | t,
        "intersection": lambda s, t: s & t,
        "difference": lambda s, t: s - t,
        "subset": lambda s, t: s <= t,
        "equals": lambda s, t: s == t,
        "contains": lambda x, s: x in s,
        "differs": lambda s, t: least_difference(s, t, things),
    }
    return by_name(set_axioms(th), str(th.sort), named)


def set_model() -> tuple[tuple[Term, ...], Meanings, Values]:
    th, things = sets(THING), [0, 1, 2]
    values: Values = {th.sort: list(subsets(things)), THING: things, INT: INTS}
    return set_axioms(th), set_meanings(th, things), values


def multiset_model() -> tuple[tuple[Term, ...], Meanings, Values]:
    """A multiset is a tuple with how often each thing is in it."""
    th = multisets(THING)
    named: dict[str, Callable[..., Any]] = {
        "size": sum,
        "empty": lambda: (0, 0),
        "singleton": lambda x: tuple([int(x == t) for t in THINGS]),
        "insert": lambda m, x: tuple([n + int(x == t) for t, n in enumerate(m)]),
        "union": lambda a, b: tuple([i + j for i, j in zip(a, b, strict=True)]),
        "intersection": lambda a, b: tuple([min(i, j) for i, j in zip(a, b, strict=True)]),
        "difference": lambda a, b: tuple([max(i - j, 0) for i, j in zip(a, b, strict=True)]),
        "subset": lambda a, b: all(i <= j for i, j in zip(a, b, strict=True)),
        "equals": lambda a, b: a == b,
        "count": lambda x, m: m[x],
        "differs": lambda a, b: next((t for t in THINGS if a[t] != b[t]), 0),
    }
    axioms = multiset_axioms(th)
    values: Values = {th.sort: list(product(range(4), repeat=2)), THING: THINGS, INT: INTS}
    return axioms, by_name(axioms, str(th.sort), named), values


def map_model(element: Sort, found: list[Any]) -> tuple[tuple[Term, ...], Meanings, Values]:
    keys, others = sets(THING), sets(element)
    th = maps(keys, others)
    all_of = [
        frozenset(zip(domain, way, strict=True))
        for domain in subsets(THINGS)
        for way in product(found, repeat=len(domain))
    ]

    def key(m: frozenset[tuple[Any, Any]], v: Any) -> Any:
        return min([k for k, value in m if value == v], default=0)

    named: dict[str, Callable[..., Any]] = {
        "size": len,
        "empty": frozenset,
        "lookup": lambda m, k: dict(m).get(k, found[0]),
        "update": lambda m, k, v: frozenset({**dict(m), k: v}.items()),
        "domain": lambda m: frozenset(dict(m)),
        "range": lambda m: frozenset(dict(m).values()),
        "equals": lambda m, n: m == n,
        "key": key,
    }
    axioms = map_axioms(th)
    meanings = {
        **set_meanings(keys, THINGS),
        **set_meanings(others, found),
        **by_name(axioms, str(th.sort), named),
    }
    values: Values = {
        th.sort: all_of,
        THING: THINGS,
        BOOL: [False, True],
        INT: INTS,
        keys.sort: list(subsets(THINGS)),
        others.sort: list(subsets(found)),
    }
    return axioms, meanings, values


def snapshot_map_model() -> tuple[tuple[Term, ...], Meanings, Values]:
    """Values of all locations, as pairs of a location and a value."""
    th = snapshot_maps("field f", (REF,), THING)
    all_of = [
        frozenset(zip(domain, way, strict=True))
        for domain in subsets(THINGS)
        for way in product(THINGS, repeat=len(domain))
    ]
    meanings: Meanings = {
        **LOGIC,
        th.look: lambda m, r: dict(m).get(r, 0),
        th.domain: lambda m, r: r in dict(m),
        th.has_domain: lambda m: True,
        th.touched: lambda r: True,
    }
    return snapshot_map_axioms(th), meanings, {th.sort: all_of, REF: THINGS, THING: THINGS}


MODELS = {
    "sequences": sequence_model(THING, THINGS),
    "sequences of integers": sequence_model(INT, INTS[2:4]),
    "sets": set_model(),
    "multisets": multiset_model(),
    "maps": map_model(THING, THINGS),
    "maps to truth values": map_model(BOOL, [False, True]),
    "values of locations": snapshot_map_model(),
}


@pytest.mark.parametrize("name", MODELS)
def test_axioms_are_true(name: str) -> None:
    axioms, meanings, values = MODELS[name]
    assert axioms
    wrong = [axiom for axiom in axioms if not value_of(axiom, {}, meanings, values)]
    assert wrong == []


def test_a_false_axiom_is_noticed() -> None:
    _, meanings, values = MODELS["sequences"]
    th = sequences(THING)
    s, t = tb.variable("s", th.sort), tb.variable("t", th.sort)
    both = tb.apply(th.append, s, t)
    commutes = tb.forall((s, t), tb.equal(both, tb.apply(th.append, t, s)), ((both,),), "false")
    assert not value_of(commutes, {}, meanings, values)


TRUTH_VALUES = """\
method absent()
{
  var m: Map[Int, Bool] := Map(1 := true, 2 := false)
  assert m == Map(2 := false, 1 := true)
  assert m[1] && !m[2] && |m| == 2
  assert m[3]
}
"""


def test_maps_to_truth_values_give_few_keys() -> None:
    """Each lookup was a value with a key of its own, which was looked up in turn."""
    profiler = Profiler()
    with open_verifier(VerifyOptions(), how=RunOptions(profiler=profiler)) as verifier:
        done = verifier.verify(verifier.read_text(TRUTH_VALUES, "maps.vpr"))
    assert [finding.id for finding in done.findings] == ["assert.failed:map.key.contains"]
    (profile,) = profiler.members
    assert profile.resources < 200_000, "2.5 million before"
