"""A session with Z3: answers, limits, scopes, lifetime."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

from pitviper.solver.session import CHECK, SPLIT, Path
from pitviper.solver.z3.library import SolverError, library
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.solver.z3.solver import OptionError
from pitviper.terms import build as b
from pitviper.terms.snapshot import SNAP, UNIT, first, pair
from pitviper.terms.sort import BOOL, INT, REAL, SolverTextError, solver_sort, uninterpreted
from pitviper.terms.symbol import solver_function
from pitviper.terms.term import Term, variable

x, y, z = (b.constant(name, INT) for name in "xyz")
p = b.constant("p", BOOL)
i = variable("i", INT)
f = b.function("f", (INT,), INT)


@pytest.fixture
def session() -> Iterator[Z3Session]:
    with Z3Session(Z3Options(type_check=True)) as opened:
        yield opened


def hard() -> Term:
    """No cubes add up to a cube: true, but not for this solver."""
    cubes = [b.times(v, b.times(v, v)) for v in (x, y, z)]
    positive = [b.less(b.integer(0), v) for v in (x, y, z)]
    return b.negate(b.conjoin(*positive, b.equal(b.plus(cubes[0], cubes[1]), cubes[2])))


@pytest.mark.smoke
def test_answers(session: Z3Session) -> None:
    path = Path().assume(b.less(x, y))
    assert session.entails(path, b.less(x, b.plus(y, b.integer(1)))).proved
    no = session.entails(path, b.less(y, x))
    assert (no.proved, no.unknown, no.exhausted) == (False, None, False)
    assert session.entails(path.assume(b.less(y, x)), b.FALSE).proved
    assert not session.entails(path, b.FALSE).proved


def test_goals_on_the_path_need_no_solver(session: Z3Session) -> None:
    path = Path().assume(b.less(x, y)).assume(p)
    assert session.entails(path, b.conjoin(p, b.less(x, y))).proved
    assert session.entails(path, b.TRUE).proved
    statistics = session.statistics()
    assert (statistics.queries, statistics.without_solver) == (2, 2)


def test_every_operator() -> None:
    r, s = b.constant("r", REAL), b.constant("s", REAL)
    known = b.conjoin(
        b.equal(x, b.integer(7)), b.equal(y, b.integer(-2)), b.equal(r, b.rational(1, 3)), p
    )
    goals = [
        b.equal(b.plus(x, y), b.integer(5)),
        b.equal(b.minus(x, y), b.integer(9)),
        b.equal(b.times(x, y), b.integer(-14)),
        b.equal(b.div(x, y), b.integer(-3)),
        b.equal(b.mod(x, y), b.integer(1)),
        b.equal(b.div(y, x), b.integer(-1)),
        b.equal(b.divide(r, b.to_real(y)), b.rational(-1, 6)),
        b.less(b.to_real(y), r),
        b.at_most(y, x),
        b.equal(b.ite(p, x, y), x),
        b.implies(p, b.disjoin(b.less(y, x), b.negate(p))),
        b.iff(p, b.less(y, x)),
        b.distinct(x, y, b.integer(0)),
        b.exists([i], b.equal(i, x)),
        b.equal(b.plus(r, b.minus(s, r)), s),
    ]
    with Z3Session() as session:
        path = Path().assume(known)
        assert [session.entails(path, goal).proved for goal in goals] == [True] * len(goals)
        denied = [session.entails(path, b.negate(goal)).proved for goal in goals if goal.args]
        assert not any(denied)


def test_quantifiers_fire_on_their_triggers_only(session: Z3Session) -> None:
    grows = b.forall([i], b.less(i, b.apply(f, i)), ((b.apply(f, i),),), "grows")
    session.declare([grows])
    assert session.entails(Path(), b.less(x, b.apply(f, x))).proved
    silent = session.entails(Path().assume(b.less(y, x)), b.less(b.apply(f, x), y))
    assert silent.unknown == "(incomplete quantifiers)"
    assert not silent.exhausted


def test_bound_variables_capture_no_constants(session: Z3Session) -> None:
    clash = b.constant("i", INT)
    below = b.forall([i], b.implies(b.less(i, clash), b.less(b.apply(f, i), i)))
    path = Path().assume(below)
    assert not session.entails(path, b.less(b.apply(f, clash), clash)).proved


def test_nested_quantifiers_with_one_variable(session: Z3Session) -> None:
    inner = b.exists([i], b.equal(b.apply(f, i), b.integer(3)))
    outer = b.forall([i], b.implies(b.less(b.integer(0), i), inner), ((b.apply(f, i),),))
    goal = b.implies(b.equal(b.apply(f, b.integer(1)), b.integer(9)), inner)
    assert session.entails(Path().assume(outer), goal).proved


def test_snapshots_are_free(session: Z3Session) -> None:
    s = b.constant("s", SNAP)
    path = Path().assume(b.equal(s, pair(UNIT, pair(UNIT, UNIT))))
    assert session.entails(path, b.equal(first(s), UNIT)).proved
    assert session.entails(path, b.differ(s, UNIT)).proved
    assert session.entails(Path(), b.differ(pair(s, UNIT), s)).proved


def test_limits_count_resources(session: Z3Session) -> None:
    answer = session.entails(Path(), hard(), CHECK)
    assert (answer.proved, answer.exhausted) == (False, True)
    used = session.statistics().resources
    assert CHECK <= used < 2 * CHECK
    assert (
        session.entails(Path().assume(b.less(x, y)), b.less(x, b.plus(y, x)), SPLIT).proved is False
    )
    assert session.entails(Path().assume(b.less(x, y)), b.at_most(x, y), CHECK).proved


def test_answers_do_not_depend_on_the_way_to_a_path(session: Z3Session) -> None:
    trunk = Path().assume(b.less(b.integer(0), x))
    left, right = trunk.branch(b.less(x, y)), trunk.branch(b.at_most(y, x))
    for _ in range(3):
        assert session.entails(left, b.less(b.integer(0), y)).proved
        assert not session.entails(right, b.less(b.integer(0), y)).proved
        assert session.entails(trunk, b.less(b.integer(-1), x)).proved
        assert not session.entails(Path(), b.less(b.integer(-1), x)).proved


def test_axioms_hold_on_every_path_whenever_they_come(session: Z3Session) -> None:
    path = Path().assume(p)
    assert not session.entails(path, b.less(x, y)).proved
    session.declare([b.less(x, y)])
    assert session.entails(path, b.less(x, y)).proved
    assert session.entails(Path(), b.at_most(x, y)).proved


def test_reset_forgets_axioms_and_paths(session: Z3Session) -> None:
    session.declare([b.less(x, y)])
    assert session.entails(Path().assume(p), b.less(x, y)).proved
    session.reset()
    assert not session.entails(Path().assume(p), b.less(x, y)).proved
    assert session.entails(Path().assume(p), p).proved


def test_deep_terms(session: Z3Session) -> None:
    term: Term = x
    for _ in range(20_000):
        term = b.apply(f, term)
    assert session.entails(Path().assume(b.equal(term, y)), b.equal(y, term), CHECK).proved
    assert session.statistics().nodes > 20_000


def test_handles_can_be_forgotten(session: Z3Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitviper.solver.z3.terms.CACHE_LIMIT", 10)
    path = Path().assume(b.less(x, y)).branch(p)
    for n in range(20):
        goal = b.less(b.plus(x, b.integer(n)), b.plus(y, b.integer(n + 1)))
        assert session.entails(path, goal).proved
    assert session.statistics().nodes > 40


class TestInterpreted:
    bits = solver_sort("(_ BitVec 8)")
    convert = solver_function("(_ int2bv 8)", (INT,), bits)

    def test_functions_of_the_solver(self, session: Z3Session) -> None:
        add = solver_function("bvadd", (self.bits, self.bits), self.bits)
        two, big = (b.apply(self.convert, b.integer(n)) for n in (2, 255))
        one = b.apply(solver_function("#x01", (), self.bits))
        assert session.entails(Path(), b.equal(b.apply(add, two, big), one)).proved

    def test_text_with_leading_arguments(self, session: Z3Session) -> None:
        floats = solver_sort("(_ FloatingPoint 5 11)")
        add = solver_function("fp.add RNE", (floats, floats), floats)
        n = b.constant("n", floats)
        assert session.entails(
            Path().assume(b.equal(n, b.constant("m", floats))),
            b.equal(b.apply(add, n, n), b.apply(add, n, b.constant("m", floats))),
        ).proved

    def test_functions_over_our_sorts(self, session: Z3Session) -> None:
        own = uninterpreted("Own<Int>")
        same = solver_function("=", (own, own), BOOL)
        u = b.constant("u", own)
        assert session.entails(Path(), b.apply(same, u, u)).proved

    @pytest.mark.parametrize("text", ["no_such_function", "bvadd", "x!0) (f", "(_ int2bv)"])
    def test_nonsense_is_an_error_of_the_program(self, session: Z3Session, text: str) -> None:
        with pytest.raises(SolverTextError):
            wrong = b.apply(solver_function(text, (INT,), INT), x)
            session.entails(Path().assume(p), b.equal(wrong, y))
        assert session.entails(Path().assume(b.less(x, y)), b.at_most(x, y)).proved

    def test_unknown_sorts(self, session: Z3Session) -> None:
        wrong = b.constant("w", solver_sort("NoSuchSort"))
        with pytest.raises(SolverTextError):
            session.entails(Path(), b.equal(wrong, b.constant("v", wrong.sort)))


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="nonsense"):
        Z3Session(Z3Options(further=(("smt.nonsense", "1"),)))
    with pytest.raises(OptionError, match="maybe"):
        Z3Session(Z3Options(further=(("smt.mbqi", "maybe"),)))
    with Z3Session(Z3Options(further=(("smt.mbqi", "true"),))) as session:
        all_small = b.forall([i], b.less(b.apply(f, i), b.integer(10)), ((b.apply(f, i),),))
        answer = session.entails(Path().assume(all_small), b.FALSE)
        assert answer.unknown is None and not answer.proved


def test_a_closed_session_answers_no_more() -> None:
    session = Z3Session()
    session.close()
    session.close()
    with pytest.raises(SolverError, match="closed"):
        session.entails(Path(), p)


def test_an_interrupt_ends_all_questions() -> None:
    with Z3Session(Z3Options(arith_solver=6)) as session:  # the one that does not decide it
        timer = threading.Timer(0.2, session.interrupt)
        timer.start()
        answer = session.entails(Path(), hard(), 0)
        timer.join()
        assert answer.exhausted
        assert session.entails(Path(), b.less(x, y)).unknown == "interrupted"


def in_use() -> int:
    """Bytes that the solver has allocated, as it counts them itself, in all sessions."""
    return library().get_estimated_alloc_size()


def test_queries_and_sessions_leave_no_memory_behind() -> None:
    gc.collect()  # sessions of earlier tests
    path = Path().assume(b.less(x, y))
    goals = [b.less(b.plus(x, b.integer(n)), b.apply(f, y)) for n in range(20)]
    with Z3Session() as session:
        for n in range(200):
            session.entails(path.branch(p) if n % 2 else path, goals[n % 20], CHECK)
        before = in_use()
        for n in range(2000):
            session.entails(path.branch(p) if n % 2 else path, goals[n % 20], CHECK)
        assert in_use() < 1.05 * before
    before, most = in_use(), 0
    for _ in range(20):
        with Z3Session() as session:
            session.entails(path, goals[0], CHECK)
            most = max(most, in_use() - before)
    assert in_use() - before < most / 10


@pytest.mark.parametrize("limit", [-1, 2**32])
def test_limits_that_the_library_would_cut_off_are_refused(session: Z3Session, limit: int) -> None:
    with pytest.raises(SolverError, match="limit"):
        session.entails(Path(), b.less(x, y), limit)
    assert not session.entails(Path().assume(b.less(x, y)), b.FALSE).proved


def test_nothing_is_proved_after_an_interrupt(session: Z3Session) -> None:
    session.interrupt()
    contradiction = Path().assume(p).assume(b.negate(p))
    assert session.entails(contradiction, b.FALSE).exhausted
    assert session.model(Path(), p) is None
