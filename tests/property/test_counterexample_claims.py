"""Claims about instances, held against a plain enumeration of small states.

Random specifications over a set of nodes; every state with up to two objects is tried in Python. If
one satisfies the specification, an instance must be found; if "none at all" is claimed, none may.
Instances are evaluated once more, in Python. The same where a part of the specification is what the
user asks for, and where a check fails in the contract of a callee.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import pytest

from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.results.counterexample import Absence, Counterexample, NoCounterexample, Standing

SPECIFICATIONS = 40
OBJECTS = (1, 2)
NUMBERS = (-1, 0, 1)
NULL = 0


@dataclass(frozen=True)
class Small:
    """A state: who is in the set, the two variables, links and values of all objects."""

    nodes: frozenset[int]
    n: int
    m: int
    next: dict[int, int]
    val: dict[int, int]


Holds = Callable[[Small], bool]

PARTS: tuple[tuple[str, Holds], ...] = (
    ("forall r: Ref :: r in nodes ==> r.next != null", lambda s: all(s.next[r] for r in s.nodes)),
    ("forall r: Ref :: r in nodes ==> r.next in nodes",
     lambda s: all(s.next[r] in s.nodes for r in s.nodes)),
    ("forall r: Ref :: r in nodes ==> r.next != r",
     lambda s: all(s.next[r] != r for r in s.nodes)),
    ("forall r: Ref :: r in nodes && r.next in nodes ==> r.next.next == r",
     lambda s: all(s.next[s.next[r]] == r for r in s.nodes if s.next[r] in s.nodes)),
    ("forall r: Ref :: r in nodes && r.next in nodes ==> r.next.val > r.val",
     lambda s: all(s.val[s.next[r]] > s.val[r] for r in s.nodes if s.next[r] in s.nodes)),
    ("forall r: Ref :: r in nodes ==> r.val > 0", lambda s: all(s.val[r] > 0 for r in s.nodes)),
    ("exists r: Ref :: r in nodes && r.next == n",
     lambda s: any(s.next[r] == s.n for r in s.nodes)),
    ("exists r: Ref :: r in nodes && r.val < 0", lambda s: any(s.val[r] < 0 for r in s.nodes)),
    ("!(exists r: Ref :: r in nodes && r.next == m)",
     lambda s: not any(s.next[r] == s.m for r in s.nodes)),
    ("n in nodes", lambda s: s.n in s.nodes),
    ("!(m in nodes)", lambda s: s.m not in s.nodes),
    ("n != m", lambda s: s.n != s.m),
    ("m != null", lambda s: s.m != NULL),
    ("n in nodes ==> n.next == m", lambda s: s.n not in s.nodes or s.next[s.n] == s.m),
    ("|nodes| == 0", lambda s: len(s.nodes) == 0),
    ("|nodes| == 2", lambda s: len(s.nodes) == 2),
    ("|nodes| > 1", lambda s: len(s.nodes) > 1),
    ("|nodes union Set(m)| < 2", lambda s: len(s.nodes | {s.m}) < 2),
)  # fmt: skip


def states() -> Iterator[Small]:
    subsets = [frozenset(c) for c in ((), (1,), (2,), (1, 2))]
    references = (NULL, *OBJECTS)
    for nodes, n, m in product(subsets, references, references):
        for links in product(references, repeat=2):
            for values in product(NUMBERS, repeat=2):
                yield Small(
                    nodes, n, m, dict(zip(OBJECTS, links, strict=True)),
                    dict(zip(OBJECTS, values, strict=True)),
                )  # fmt: skip


ALL_STATES = tuple(states())


def read(found: Counterexample) -> Small:
    """The instance that a reader is shown, as a state of ours."""
    values = {v.name: v.value for v in found.variables}
    places = {(at.object, at.field): at.value.text for at in found.heaps[0].locations}

    def number(name: str) -> int:
        return NULL if name == "null" else int(name.removeprefix("Ref"))

    return Small(
        frozenset(map(number, values["nodes"].objects)),
        number(values["n"].text),
        number(values["m"].text),
        {number(o): number(text) for (o, f), text in places.items() if f == "next"},
        {number(o): int(text) for (o, f), text in places.items() if f == "val"},
    )


def program(texts: list[str]) -> str:
    clauses = "\n".join([f"  requires {text}" for text in texts])
    return f"""field next: Ref
field val: Int
method spec(nodes: Set[Ref], n: Ref, m: Ref)
  requires forall r: Ref :: r in nodes ==> acc(r.next) && acc(r.val)
{clauses}
{{
  assert true
}}
"""


@pytest.mark.parametrize("seed", range(4))
def test_claims_about_random_specifications(seed: int, tmp_path: Path) -> None:
    chosen = random.Random(seed)
    none = 0
    for number in range(SPECIFICATIONS // 4):
        parts = chosen.sample(PARTS, chosen.randint(3, 7))
        texts = [text for text, _ in parts]
        path = tmp_path / f"spec{number}.vpr"
        path.write_text(program(texts))
        line = 5 + len(texts) + 1
        options = CounterexampleOptions(objects=4, at=line, replay=False)
        found = counterexamples(path, options).results[0]
        known = any(all(holds(s) for _, holds in parts) for s in ALL_STATES)
        if isinstance(found, Counterexample):
            assert found.standing is Standing.CHECKED, texts
            assert [text for text, holds in parts if not holds(read(found))] == []
        else:
            none += found.absence is Absence.UNREACHABLE
            assert not known, texts
            assert isinstance(found, NoCounterexample)
    assert none > 0  # the interesting claim was made at all


@pytest.mark.parametrize("seed", range(3))
def test_claims_about_what_the_user_asks_for(seed: int, tmp_path: Path) -> None:
    """Who excludes every state is told: the program alone, or only what was asked for."""
    chosen = random.Random(100 + seed)
    told: set[object] = set()
    for number in range(8):
        parts = chosen.sample(PARTS, chosen.randint(4, 7))
        given = parts[: len(parts) // 2]
        path = tmp_path / f"where{number}.vpr"
        path.write_text(program([text for text, _ in given]))
        where = tuple([text for text, _ in parts[len(given) :]])
        at = 5 + len(given) + 1
        options = CounterexampleOptions(objects=4, at=at, where=where, replay=False)
        (found,) = counterexamples(path, options).results
        if isinstance(found, Counterexample):
            told.add(found.standing)
            assert [text for text, holds in parts if not holds(read(found))] == []
            continue
        told.add(found.absence)
        matching = [s for s in ALL_STATES if all(holds(s) for _, holds in parts)]
        assert not matching, (given, where)
        if found.absence is Absence.UNREACHABLE:
            assert not [s for s in ALL_STATES if all(holds(s) for _, holds in given)], given
    assert Standing.CHECKED in told or Absence.EXCLUDED in told


@pytest.mark.parametrize("seed", range(3))
def test_claims_about_contracts_of_callees(seed: int, tmp_path: Path) -> None:
    """The variables that are shown are those of the caller, with which the contract is false."""
    chosen, shown = random.Random(200 + seed), 0
    for number in range(8):
        *given, (text, holds) = chosen.sample(PARTS, chosen.randint(2, 4))
        renamed = re.sub(r"\b(nodes|n|m)\b", lambda name: f"the_{name[0]}", text)
        path = tmp_path / f"call{number}.vpr"
        called = f"""method called(the_nodes: Set[Ref], the_n: Ref, the_m: Ref)
  requires forall r: Ref :: r in the_nodes ==> acc(r.next) && acc(r.val)
  requires {renamed}
"""
        body = program([t for t, _ in given]).replace("assert true", "called(nodes, m, n)")
        path.write_text(body + called)
        for found in counterexamples(path, CounterexampleOptions(objects=4, replay=False)).results:
            if not isinstance(found, Counterexample) or found.member != "spec":
                continue
            if found.finding != "call.precondition:assertion.false":
                continue
            assert found.standing is Standing.CHECKED
            state = read(found)
            assert [t for t, h in given if not h(state)] == []
            assert not holds(replace(state, n=state.m, m=state.n)), (text, state)
            shown += 1
    assert shown > 0
