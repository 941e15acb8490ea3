"""What the static analysis says about a point of a method is true of every run that comes there."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from pitviper.engines.explore.analysis.entry_facts import MethodFacts, method_facts
from pitviper.engines.explore.analysis.graph import graph_of
from pitviper.engines.explore.analysis.knowledge import Knowledge
from pitviper.engines.explore.model.program import (
    Assign,
    Branch,
    Constraint,
    ConstraintKind,
    Instruction,
    Method,
    Return,
)
from pitviper.engines.explore.model.term import Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, INT

NAMES = ("a", "b")
OPERATORS: dict[str, Callable[..., int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg,
    "less": operator.lt, "at_most": operator.le, "equal": operator.eq, "differ": operator.ne,
    "not": operator.not_, "and": lambda x, y: x and y, "or": lambda x, y: x or y,
    "implies": lambda x, y: (not x) or y,
}  # fmt: skip
STEPS = 40

numbers: st.SearchStrategy[Term] = st.one_of(
    st.integers(-3, 4).map(lambda n: Literal(n, INT)),
    st.sampled_from(NAMES).map(lambda name: Local(name, INT)),
)
sums = st.recursive(
    numbers,
    lambda inner: st.tuples(st.sampled_from(["add", "sub", "mul"]), inner, inner).map(
        lambda t: Operation(t[0], (t[1], t[2]), INT)
    ),
    max_leaves=3,
)
comparisons: st.SearchStrategy[Term] = st.tuples(
    st.sampled_from(["less", "at_most", "equal", "differ"]), numbers, st.one_of(numbers, sums)
).map(lambda t: Operation(t[0], (t[1], t[2]), BOOLEAN))
conditions: st.SearchStrategy[Term] = st.one_of(
    comparisons,
    comparisons,
    comparisons.map(lambda c: Operation("not", (c,), BOOLEAN)),
    st.tuples(st.sampled_from(["and", "or", "implies"]), comparisons, comparisons).map(
        lambda t: Operation(t[0], (t[1], t[2]), BOOLEAN)
    ),
)


@st.composite
def methods(draw: st.DrawFn) -> Method:
    size = draw(st.integers(3, 10))
    code: list[Instruction] = []
    for _ in range(size):
        kind = draw(st.integers(0, 9))
        if kind < 4:
            code.append(Assign(Local(draw(st.sampled_from(NAMES)), INT), draw(sums)))
        elif kind < 9:
            code.append(Branch(draw(conditions), draw(st.integers(0, size))))
        else:
            code.append(Constraint(ConstraintKind.ASSUME, draw(conditions)))
    params = tuple([Local(name, INT) for name in NAMES])
    return Method("m", "m", params, (), (*code, Return()))


def value(term: Term, store: dict[str, int]) -> int:
    match term:
        case Literal(int(number)):
            return number
        case Local(name):
            return store[name]
        case Operation(name, args):
            return OPERATORS[name](*[value(a, store) for a in args])
    raise AssertionError(term)


def holds(known: Knowledge, store: dict[str, int]) -> bool:
    inside = all(
        (r.low is None or r.low <= store[n]) and (r.high is None or store[n] <= r.high)
        for n, r in known.ranges.items()
    )
    return inside and all(bool(value(f.term, store)) is v for f, v in known.facts.items())


def run(method: Method, facts: MethodFacts, starts: dict[int, int], store: dict[str, int]) -> int:
    """Check what is said about each block that the run comes to; how many there were."""
    at = blocks = 0
    for _ in range(STEPS):
        if at in starts:
            assert starts[at] in facts.entries, (at, store)
            assert holds(facts.entries[starts[at]], store), (at, store)
            blocks += 1
        instruction = method.instructions[at]
        match instruction:
            case Assign(target, term):
                store[target.name] = value(term, store)
            case Branch(condition, target):
                jumps = bool(value(condition, store))
                assert facts.branches.get(at, jumps) is jumps
                if jumps:
                    at = target
                    continue
            case Constraint(_, condition):
                met = bool(value(condition, store))
                assert facts.constraints.get(at, met) is met
                if not met:
                    return blocks
            case _:
                return blocks
        at += 1
    return blocks


@settings(max_examples=150, deadline=None)
@given(methods())
def test_every_run_agrees(method: Method) -> None:
    graph = graph_of(method)
    facts = method_facts(method, graph)
    starts = {b.start: b.number for b in graph.blocks}
    for inputs in product(range(-5, 6), repeat=len(NAMES)):
        blocks = run(method, facts, starts, dict(zip(NAMES, inputs, strict=True)))
        assert blocks > 0
