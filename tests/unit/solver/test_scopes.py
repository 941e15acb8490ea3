"""Scopes: what a solver is told when it moves from path to path."""

from __future__ import annotations

import pytest

from pitviper.solver.recording import Scopes
from pitviper.solver.session import Path
from pitviper.terms.build import TRUE, conjoin, constant
from pitviper.terms.sort import BOOL
from pitviper.terms.term import Term

a, b, c, d, e = (constant(name, BOOL) for name in "abcde")


class Listing:
    """Writes down what it is told, and what it holds."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.scopes: list[list[Term]] = [[]]
        self.refused: Term | None = None

    def push(self) -> None:
        self.told.append("(")
        self.scopes.append([])

    def pop(self, count: int) -> None:
        self.told.append(")" * count)
        del self.scopes[-count:]

    def add(self, fact: Term) -> None:
        if fact is self.refused:
            raise RuntimeError("refused")
        self.told.append(repr(fact))
        self.scopes[-1].append(fact)

    def news(self) -> str:
        text = "".join(self.told)
        self.told.clear()
        return text

    def facts(self) -> list[Term]:
        return [fact for scope in self.scopes for fact in scope]


def test_one_scope_for_facts_in_a_row() -> None:
    sink = Listing()
    scopes = Scopes(sink)
    path = Path().assume(a).assume(b)
    scopes.move_to(path)
    assert sink.news() == "(ab"
    scopes.move_to(path.assume(c))
    assert sink.news() == "c"
    scopes.move_to(path.assume(c))
    assert sink.facts() == [a, b, c]


def test_branches_pop_to_their_mark() -> None:
    sink = Listing()
    scopes = Scopes(sink)
    trunk = Path().assume(a)
    scopes.move_to(trunk.branch(b).assume(c))
    assert sink.news() == "(a(bc"
    scopes.move_to(trunk.branch(d))
    assert sink.news() == ")(d"
    scopes.move_to(trunk)
    assert sink.news() == ")"
    assert sink.facts() == [a]


def test_a_return_to_the_middle_of_a_scope_asserts_the_rest_again_once() -> None:
    sink = Listing()
    scopes = Scopes(sink)
    trunk = Path().assume(a).assume(b)
    scopes.move_to(trunk.assume(c))
    assert sink.news() == "(abc"
    scopes.move_to(trunk.assume(d))
    assert sink.news() == ")(ab(d"
    scopes.move_to(trunk.assume(e))
    assert sink.news() == ")(e"


def test_duplicates_are_told_once() -> None:
    sink = Listing()
    scopes = Scopes(sink)
    scopes.move_to(Path().assume(a).assume(a).branch(a).assume(b))
    assert sink.news() == "(a(b"


def test_a_duplicate_of_a_popped_fact_is_told_again() -> None:
    sink = Listing()
    scopes = Scopes(sink)
    trunk = Path().assume(a)
    scopes.move_to(trunk.branch(b))
    scopes.move_to(trunk.branch(c).assume(b))
    assert sink.facts() == [a, c, b]


def test_what_stands_on_the_path() -> None:
    scopes = Scopes(Listing())
    scopes.move_to(Path().assume(a).branch(conjoin(b, c)))
    assert scopes.holds(TRUE) and scopes.holds(a) and scopes.holds(c)
    assert scopes.holds(conjoin(a, b))
    assert not scopes.holds(d) and not scopes.holds(conjoin(a, d))
    scopes.move_to(Path().assume(a))
    assert not scopes.holds(c)


def test_leaving_pops_everything() -> None:
    sink = Listing()
    scopes = Scopes(sink)
    scopes.leave()
    assert sink.news() == ""
    path = Path().assume(a).branch(b)
    scopes.move_to(path)
    scopes.leave()
    assert sink.scopes == [[]]
    scopes.move_to(path)
    assert sink.facts() == [a, b]


def test_a_refused_fact_does_not_count_as_told() -> None:
    sink = Listing()
    scopes = Scopes(sink)
    sink.refused = b
    path = Path().assume(a).assume(b).assume(c)
    with pytest.raises(RuntimeError):
        scopes.move_to(path)
    assert not scopes.holds(b)
    sink.refused = None
    scopes.move_to(path)
    assert sink.facts() == [a, b, c]


def test_random_walks_hold_exactly_their_path() -> None:
    import random

    rnd = random.Random(1)
    facts = [constant(f"f{n}", BOOL) for n in range(20)]
    paths = [Path()]
    for _ in range(300):
        older = rnd.choice(paths)
        extend = older.branch if rnd.random() < 0.3 else older.assume
        paths.append(extend(rnd.choice(facts)))
    sink = Listing()
    scopes = Scopes(sink)
    for _ in range(300):
        path = rnd.choice(paths)
        scopes.move_to(path)
        assert sink.facts() == list(dict.fromkeys(entry.fact for entry in path))
