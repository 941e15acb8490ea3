"""Questions whose answer is seen without a solver: only such that really have a counterexample."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from pitviper.solver.session import Path
from pitviper.solver.witness import MOST_FACTS, has_witness, needs_functions
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as b
from pitviper.terms.sort import BOOL, INT, REAL, REF
from pitviper.terms.symbol import function
from pitviper.terms.term import FALSE, TRUE, Term, variable

x, y, z, null = (b.constant(name, REF) for name in ("x", "y", "z", "null"))
i, j, k = (b.constant(name, INT) for name in ("i", "j", "k"))
p, q = (b.constant(name, REAL) for name in ("p", "q"))
c, d = (b.constant(name, BOOL) for name in ("c", "d"))
f = function("f", (INT,), INT)


@pytest.mark.parametrize(
    ("facts", "goal"),
    [
        ([], FALSE),
        ([b.differ(x, null)], FALSE),
        ([b.differ(x, null), b.differ(y, null)], b.equal(x, y)),
        ([], b.differ(x, null)),
        ([b.equal(x, y), b.differ(y, null)], b.equal(x, z)),
        ([b.disjoin(b.equal(z, x), b.equal(z, y))], b.equal(z, y)),
        ([b.at_most(b.integer(0), i), b.less(i, b.integer(3))], b.equal(i, b.integer(0))),
        ([b.differ(i, b.integer(1)), b.differ(j, b.integer(1))], b.equal(i, j)),
        ([b.equal(i, b.plus(j, b.integer(1))), b.equal(j, b.integer(4))], b.less(i, j)),
        ([b.less(b.rational(Fraction(0)), p), b.less(p, b.rational(Fraction(1)))], FALSE),
        ([c, b.negate(d)], b.equal(c, d)),
        ([b.implies(c, b.equal(i, b.integer(7)))], b.equal(i, b.integer(7))),
    ],
)
def test_values_are_found(facts: list[Term], goal: Term) -> None:
    path = Path().assume_all(facts)
    assert has_witness(path, goal)
    with Z3Session() as session:
        assert session.model(path, goal) is not None, "the solver agrees"


@pytest.mark.parametrize(
    ("facts", "goal"),
    [
        ([FALSE], FALSE),
        ([], TRUE),
        ([b.equal(x, y), b.equal(y, z)], b.equal(x, z)),
        ([b.less(i, j), b.less(j, i)], FALSE),
        ([b.less(b.integer(0), i), b.less(i, b.integer(1))], FALSE),
        ([c, b.negate(c)], FALSE),
        ([b.equal(i, j), b.equal(j, b.integer(3))], b.equal(i, b.integer(3))),
    ],
)
def test_what_follows_has_no_witness(facts: list[Term], goal: Term) -> None:
    assert not has_witness(Path().assume_all(facts), goal)


@pytest.mark.parametrize(
    "fact",
    [
        b.less(b.apply(f, i), j),
        b.equal(b.mod(i, j), b.integer(0)),
        b.less(b.integer(0), b.times(i, j)),
        b.forall([variable("n", INT)], b.less(variable("n", INT), i)),
    ],
)
def test_other_questions_are_for_the_solver(fact: Term) -> None:
    assert not has_witness(Path().assume(fact), FALSE)


def test_long_paths_are_for_the_solver() -> None:
    path = Path().assume_all(
        [b.differ(b.constant(f"x{n}", REF), null) for n in range(MOST_FACTS + 1)]
    )
    assert not has_witness(path, FALSE)


def test_which_axioms_have_no_say() -> None:
    n = variable("n", INT)
    applied = b.apply(f, n)
    asleep = b.forall([n], b.less(n, applied), ((applied,),), "grows")
    assert needs_functions(asleep)
    assert not needs_functions(b.forall([n], b.less(n, applied), (), "without triggers"))
    assert not needs_functions(b.less(i, b.integer(0)))
    assert not needs_functions(b.exists([n], b.less(n, applied)))


def test_an_axiom_about_constants_counts() -> None:
    """Where an axiom may say something, the solver is asked."""
    with Z3Session() as session:
        session.declare([b.less(i, b.integer(0))])
        assert session.entails(Path(), b.less(i, b.integer(5))).proved


def test_no_context_is_opened_for_what_is_seen() -> None:
    with Z3Session() as session:
        answer = session.entails(Path().assume(b.differ(x, null)), FALSE)
        assert not answer.proved and not answer.exhausted
        assert session.statistics().without_solver == 1
        assert session.statistics().resources == 0


def _random_term(dice: random.Random, depth: int) -> Term:
    if depth == 0:
        return dice.choice([
            b.equal(dice.choice([x, y, z]), dice.choice([x, y, null])),
            b.less(dice.choice([i, j]), dice.choice([j, k, b.integer(dice.randrange(3))])),
            b.at_most(dice.choice([b.integer(dice.randrange(3)), k]), dice.choice([i, j])),
            b.equal(i, b.plus(dice.choice([j, k]), b.integer(dice.randrange(2)))),
            b.less(b.rational(Fraction(dice.randrange(3), 2)), dice.choice([p, q])),
            b.less(dice.choice([p, q]), b.rational(Fraction(dice.randrange(1, 4), 2))),
            dice.choice([c, d]),
        ])  # fmt: skip
    left, right = _random_term(dice, depth - 1), _random_term(dice, depth - 1)
    made = dice.choice([b.conjoin, b.disjoin])(left, right)
    return b.negate(made) if dice.random() < 0.3 else made


def test_a_witness_is_never_wrong() -> None:
    """On random questions, the solver proves nothing for which values were seen."""
    dice, seen = random.Random(7), 0
    for _ in range(400):
        facts = [_random_term(dice, dice.randrange(2)) for _ in range(dice.randrange(4))]
        path, goal = Path().assume_all(facts), _random_term(dice, dice.randrange(2))
        if has_witness(path, goal):
            seen += 1
            with Z3Session() as session:
                assert session.model(path, goal) is not None, (facts, goal)
    assert seen > 100


def test_who_vouches_for_quantifiers_looks_at_them() -> None:
    """The axiom cannot be met, which no trigger tells."""
    n = variable("n", INT)
    shrinks = b.forall(
        [n],
        b.conjoin(b.less(b.apply(f, n), n), b.less(n, b.apply(f, n))),
        ((b.apply(f, n),),),
        "shrinks",
    )
    with Z3Session(Z3Options(models=True)) as session:
        session.declare([shrinks])
        assert session.entails(Path().assume(b.differ(x, null)), FALSE).proved
