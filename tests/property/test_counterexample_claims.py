"""Claims about instances, held against a plain enumeration of small states.

Random specifications over a set of nodes; every state with up to two objects is tried in Python. If
one satisfies the specification, an instance must be found; if "none at all" is claimed, none may.
Instances are evaluated once more, in Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
