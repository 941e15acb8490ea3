"""Values of paths that are found without a solver: the solver agrees with each of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pitviper.engines.explore.search.guess import REFUTED, Guesses
from pitviper.solver.session import Path
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build
from pitviper.terms.sort import BOOL, INT
from pitviper.terms.symbol import function
from pitviper.terms.term import FALSE, Term

NAMES = ("a", "b", "c")
A, B, C = [build.constant(name, INT) for name in NAMES]
P = build.constant("p", BOOL)


def number(random: Random, depth: int = 2) -> Term:
    kind = random.randrange(7 if depth else 3)
    if kind == 0:
        return build.integer(random.randint(-4, 4))
    if kind < 3:
        return random.choice((A, B, C))
    one, two = number(random, depth - 1), number(random, depth - 1)
    if kind == 6:
        divisor = build.integer(random.choice((-3, -2, 2, 3)))
        return random.choice((build.div, build.mod))(one, divisor)
    return (build.plus, build.minus, build.times)[kind - 3](one, two)


def condition(random: Random, depth: int = 2) -> Term:
    kind = random.randrange(8 if depth else 4)
    if kind < 4:
        one, two = number(random), number(random, 1)
        return (build.less, build.at_most, build.equal, build.differ)[kind](one, two)
    if kind == 4:
        return P
    one, two = condition(random, depth - 1), condition(random, depth - 1)
    return (build.conjoin(one, two), build.disjoin(one, two), build.negate(one))[kind - 5]


def is_value(name: str, value: int) -> Term:
    if name == "p":
        return P if value else build.negate(P)
    return build.equal(build.constant(name, INT), build.integer(value))


@pytest.mark.parametrize("seed", range(4))
def test_the_solver_agrees_with_values_and_with_their_absence(seed: int) -> None:
    random, said = Random(seed), Counter[str]()
    guesses = Guesses()
    with Z3Session() as session:
        for _ in range(150):
            path = Path()
            for _ in range(random.randint(1, 5)):
                path = path.branch(condition(random, random.randrange(2)))
            origin = {name: random.randint(-3, 3) for name in NAMES}
            guessed = guesses.of(path, origin)
            if guessed is REFUTED:
                said["refuted"] += 1
                assert session.entails(path, FALSE).proved, list(path)
            elif guessed is not None:
                assert guessed.values is not None
                said["values"] += 1
                given = path
                for name, value in guessed.values.items():
                    given = given.branch(is_value(name, int(value)))
                assert not session.entails(given, FALSE).proved, (list(path), guessed)
            else:
                said["asked"] += 1
    assert said["refuted"] and said["values"] > said["asked"] / 3


def test_the_values_of_listing_1_1() -> None:
    deep = Path().branch(build.greater(A, build.integer(10)))
    deep = deep.branch(build.greater(B, build.times(A, build.integer(2))))
    guessed = Guesses().of(deep, {})
    assert guessed is not None
    assert guessed.values == {"a": 11, "b": 23}


def test_bounds_that_contradict_each_other_have_no_values() -> None:
    path = Path().branch(build.less(A, build.integer(3)))
    assert Guesses().of(path.branch(build.less(build.integer(2), A)), {}) is REFUTED


def test_functions_are_left_to_the_solver() -> None:
    applied = build.apply(function("h", (INT,), INT), A)
    assert Guesses().of(Path().branch(build.less(applied, A)), {}) is None
