"""Proofs of small procedures with the real solver."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath

import pytest

from pitviper.engines.vcg.ivl.check import complaints
from pitviper.engines.vcg.ivl.emitter import Emitter
from pitviper.engines.vcg.ivl.language import Assert, Edge, Kind, Obligation, Program
from pitviper.engines.vcg.ivl.outcome import Outcome, ProverOptions, Strategy
from pitviper.engines.vcg.ivl.prover import prove
from pitviper.results.finding import Condition
from pitviper.solver.z3.session import Z3Session
from pitviper.source.span import SourceFile, Span
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL, INT
from pitviper.terms.supply import Supply
from pitviper.terms.term import Term

FILE = SourceFile(FilePath("test.vpr"), "x" * 100)


@pytest.fixture
def solver() -> Iterator[Z3Session]:
    session = Z3Session()
    yield session
    session.close()


@pytest.fixture
def emitter(solver: Z3Session) -> Emitter:
    return Emitter("m", Supply(), solver)


def ob(place: int, kind: Kind = Kind.FINDING) -> Obligation:
    span = Span(FILE, place, place + 1)
    return Obligation("assert.failed", "assertion.false", span, lambda: "said", kind=kind)


def decision(place: int, *, taken: bool) -> Condition:
    return Condition("c", Span(FILE, place, place + 1), taken)


def run(emitter: Emitter, solver: Z3Session) -> Outcome:
    """By the walk; the formula of the whole procedure must fail at the same places."""
    procedure = emitter.procedure()
    assert complaints(Program((), (procedure,))) == ()
    outcome = prove(procedure, solver, ProverOptions())
    whole = prove(procedure, solver, ProverOptions(Strategy.WHOLE))
    assert sorted(places(whole)) == sorted(places(outcome))
    return outcome


def places(outcome: Outcome) -> list[int]:
    return [finding.span.start for finding in outcome.findings]


def positive(term: Term) -> Term:
    return tb.less(tb.integer(0), term)


def test_every_failure_is_found_and_its_goal_assumed(emitter: Emitter, solver: Z3Session) -> None:
    x, y = emitter.fresh("x", INT), emitter.fresh("y", INT)
    emitter.check(positive(x), ob(1))
    emitter.check(positive(tb.plus(x, x)), ob(2))
    emitter.check(positive(y), ob(3))

    assert places(run(emitter, solver)) == [1, 3]


def test_what_a_side_assumes_stays_there(emitter: Emitter, solver: Z3Session) -> None:
    x = emitter.fresh("x", INT)
    with emitter.side():
        emitter.assume(positive(x))
        emitter.check(positive(x), ob(1))
    emitter.check(positive(x), ob(2))

    assert places(run(emitter, solver)) == [2]


def test_facts_of_one_arm_do_not_reach_the_other(emitter: Emitter, solver: Z3Session) -> None:
    x, c = emitter.fresh("x", INT), emitter.fresh("c", BOOL)
    start = emitter.current
    then = Edge(start, c, decision(50, taken=True))
    other = Edge(start, tb.negate(c), decision(50, taken=False))
    emitter.open_block("then", (then,))
    emitter.assume(positive(x))
    emitter.check(positive(x), ob(1))
    emitter.open_block("else", (other,))
    emitter.check(positive(x), ob(2))
    emitter.open_block("after", (Edge("then"), Edge("else")))
    emitter.check(tb.implies(c, positive(x)), ob(3))
    emitter.check(tb.differ(x, tb.integer(7)), ob(4))
    outcome = run(emitter, solver)

    assert places(outcome) == [2, 4]
    assert [c.taken for c in outcome.findings[0].conditions] == [False]
    assert len(outcome.findings[1].conditions) == 1


def test_an_arm_that_ends_leaves_its_condition_behind(emitter: Emitter, solver: Z3Session) -> None:
    c = emitter.fresh("c", BOOL)
    start = emitter.current
    emitter.open_block("then", (Edge(start, c),))
    emitter.assume(tb.FALSE)
    emitter.check(tb.FALSE, ob(1))
    emitter.open_block("else", (Edge(start, tb.negate(c)),))
    emitter.open_block("after", (Edge("then"), Edge("else")))
    emitter.check(tb.negate(c), ob(2))
    emitter.check(tb.FALSE, ob(3))

    assert places(run(emitter, solver)) == [3]


def test_three_ways_that_do_not_merge(emitter: Emitter, solver: Z3Session) -> None:
    c, d, x = (emitter.fresh(name, BOOL) for name in "cdx")
    start = emitter.current
    emitter.open_block("one", (Edge(start, c),))
    emitter.assume(x)
    emitter.open_block("two", (Edge(start, d),))
    emitter.assume(x)
    emitter.open_block("after", (Edge("one"), Edge("two")))
    emitter.check(x, ob(1))
    emitter.check(tb.disjoin(c, d), ob(2))
    emitter.check(c, ob(3))

    assert places(run(emitter, solver)) == [3]


def test_lazy_facts_join_when_a_goal_fails(emitter: Emitter, solver: Z3Session) -> None:
    x, y = emitter.fresh("x", INT), emitter.fresh("y", INT)
    built: list[str] = []

    def facts() -> list[Term]:
        built.append("built")
        return [positive(x)]

    emitter.lazily(facts)
    emitter.check(tb.equal(tb.plus(y, y), tb.times(tb.integer(2), y)), ob(1))
    with emitter.side(positive(y)):
        emitter.check(positive(tb.plus(x, y)), ob(2))
    emitter.check(positive(x), ob(3))
    outcome = run(emitter, solver)

    assert places(outcome) == []
    assert outcome.effort.forced
    assert built == ["built"] * 3  # by the check, the walk, the whole formula


def test_lazy_facts_are_not_built_without_need(emitter: Emitter, solver: Z3Session) -> None:
    x = emitter.fresh("x", INT)

    def facts() -> list[Term]:
        raise AssertionError

    emitter.lazily(facts)
    emitter.assume(positive(x))
    emitter.check(positive(tb.plus(x, x)), ob(1))
    procedure = emitter.procedure()

    for strategy in Strategy:
        assert not prove(procedure, solver, ProverOptions(strategy)).findings


def test_lazy_facts_of_an_arm_hold_in_that_arm_only(emitter: Emitter, solver: Z3Session) -> None:
    x, c = emitter.fresh("x", INT), emitter.fresh("c", BOOL)
    start = emitter.current
    emitter.open_block("then", (Edge(start, c),))
    emitter.lazily(lambda: [positive(x)])
    emitter.open_block("else", (Edge(start, tb.negate(c)),))
    emitter.check(positive(x), ob(1))
    emitter.open_block("after", (Edge("then"), Edge("else")))
    emitter.check(tb.implies(c, positive(x)), ob(2))

    assert places(run(emitter, solver)) == [1]


def test_a_limit_makes_undecided_never_a_finding(emitter: Emitter, solver: Z3Session) -> None:
    x, y, z = (emitter.fresh(name, INT) for name in "xyz")
    for n in (x, y, z):
        emitter.assume(tb.less(tb.integer(2), n))
    cubes = [tb.times(n, tb.times(n, n)) for n in (x, y, z)]
    emitter.check(tb.differ(tb.plus(cubes[0], cubes[1]), cubes[2]), ob(1))
    outcome = prove(emitter.procedure(), solver, ProverOptions(first=1000, last=2000))

    assert places(outcome) == []
    assert [u.span.start for u in outcome.undecided] == [1]


def test_a_goal_for_all_values_keeps_what_it_says(emitter: Emitter, solver: Z3Session) -> None:
    x = emitter.fresh("x", INT)
    emitter.emit(Assert(positive(x), ob(1), constants=(x,), kept=tb.TRUE))
    emitter.check(positive(x), ob(2))

    assert places(run(emitter, solver)) == [1, 2]


def test_a_warning_is_for_what_is_proved(emitter: Emitter, solver: Z3Session) -> None:
    x = emitter.fresh("x", INT)
    emitter.check(tb.FALSE, ob(1, Kind.WARNING))
    emitter.assume(positive(x))
    emitter.assume(tb.negate(positive(tb.plus(x, x))))
    emitter.check(tb.FALSE, ob(2, Kind.WARNING))
    outcome = run(emitter, solver)

    assert [span.start for span, _ in outcome.warnings] == [2]
    assert not outcome.findings


def test_the_oracle_knows_what_was_emitted(emitter: Emitter) -> None:
    x = emitter.fresh("x", INT)
    emitter.lazily(lambda: [tb.less(x, tb.integer(10))])
    with emitter.trial():
        emitter.assume(positive(x))
        assert emitter.proves(positive(tb.plus(x, x)))
    assert not emitter.proves(positive(x))
    with emitter.side():
        emitter.check(positive(x), ob(1))
        assert emitter.proves(positive(x))
        assert not emitter.proves(tb.less(x, tb.integer(11)))
        assert emitter.proves(tb.less(x, tb.integer(11)), lazily=True)
    assert not emitter.proves(positive(x))
    assert emitter.proves(tb.less(x, tb.integer(11)))
    assert len(emitter.procedure().blocks) == 1
