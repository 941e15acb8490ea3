"""Recorded sessions: the log gives the same answers in the solver's own program."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path as FilePath

import pytest

from pitviper.solver.recording import Log, Recording
from pitviper.solver.session import CHECK, Path, Solver
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as b
from pitviper.terms.snapshot import SNAP, UNIT, first, pair, second
from pitviper.terms.sort import BOOL, INT, REF, solver_sort, uninterpreted
from pitviper.terms.symbol import solver_function
from pitviper.terms.term import Term, variable
from tests.unit.solver.plain_z3 import z3_program
from tests.unit.solver.replies import Replies

p = b.constant("p@0", BOOL)
x, y = b.constant("x@0", INT), b.constant("abs", INT)
i = variable("i", INT)
f = b.function("select", (INT, uninterpreted("Seq<Int>")), INT)
s = b.constant("s'", f.domain[1])


HARD, TOO_LITTLE = 8, 10
"""The number of a question about cubes, and a limit that does not suffice for it."""


def dialogue(solver: Solver) -> list[bool]:
    """Questions of all kinds, some proved, some not, one too hard."""
    at = b.apply(f, i, s)
    solver.declare([b.forall([i], b.less(i, at), ((at,),), "grows |quickly|", 2)])
    trunk = Path().assume(b.less(x, y))
    left = trunk.branch(p).assume(b.equal(b.constant("t", SNAP), pair(UNIT, UNIT)))
    right = trunk.branch(b.negate(p)).assume(b.less(y, x))
    bits = solver_sort("(_ BitVec 8)")
    byte = b.apply(solver_function("(_ int2bv 8)", (INT,), bits), b.integer(257))
    cubes = [b.times(v, b.times(v, v)) for v in (x, y, b.constant("z", INT))]
    growing: Term = x
    for _ in range(12):
        growing = b.plus(b.apply(f, growing, s), b.apply(f, growing, s))
    questions = [
        (trunk, b.less(x, b.apply(f, y, s))),
        (trunk, b.less(y, x)),
        (left, b.equal(first(b.constant("t", SNAP)), second(b.constant("t", SNAP)))),
        (left, p),
        (right, b.FALSE),
        (left, b.FALSE),
        (Path(), b.equal(byte, b.apply(solver_function("#x01", (), bits)))),
        (trunk, b.less(b.integer(0), growing)),
        (trunk, b.negate(b.equal(b.plus(cubes[0], cubes[1]), cubes[2]))),
        (trunk, b.exists([i], b.equal(i, x))),
        (trunk, b.differ(b.constant("null", REF), b.constant("r@0", REF))),
    ]
    return [
        solver.entails(path, goal, TOO_LITTLE if n == HARD else CHECK, f'number "{n}"').proved
        for n, (path, goal) in enumerate(questions)
    ]


def recorded(tmp_path: FilePath) -> tuple[list[bool], FilePath]:
    file = tmp_path / "log.smt2"
    options = Z3Options(arith_solver=6)  # which does not decide the hard question of the dialogue
    with file.open("w") as stream, Z3Session(options) as session:
        return dialogue(Recording(session, Log(stream, options.settings()))), file


def test_the_log_replays_with_the_same_answers(tmp_path: FilePath) -> None:
    answers, file = recorded(tmp_path)
    program = z3_program()
    done = subprocess.run([program, file], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    replayed = [line == "unsat" for line in lines if line in ("sat", "unsat", "unknown")]
    assert not [line for line in lines if "error" in line]
    asked = [proved for n, proved in enumerate(answers) if n != 3]  # p stands on the path
    assert replayed == asked
    assert answers.count(True) == 6
    assert lines[0] == "number '0'"


def test_the_log_is_the_same_every_time(tmp_path: FilePath) -> None:
    first_log = recorded(tmp_path)[1].read_text()
    assert recorded(tmp_path)[1].read_text() == first_log
    assert "; not proved canceled" in first_log


def test_recording_without_a_log_counts_and_times() -> None:
    solver = Recording(Replies())
    solver.entails(Path().assume(p), p, CHECK, "first")
    solver.entails(Path(), p, CHECK, "second")
    solver.declare([p])
    assert [query.name for query in solver.queries] == ["first", "second"]
    assert [query.answer.proved for query in solver.queries] == [True, False]
    assert len(solver.slowest(1)) == 1
    assert solver.statistics().queries == 2
    assert solver.model(Path(), b.less(x, y)) is not None


@pytest.mark.smoke
def test_the_shape_of_a_log() -> None:
    stream = io.StringIO()
    solver = Recording(Replies(), Log(stream, {"smt.mbqi": "false"}))
    solver.declare([b.less(x, y)])
    solver.entails(Path().branch(p), b.less(y, x), 7, 'a "name"')
    solver.entails(Path(), b.FALSE, 8, "dead")
    assert stream.getvalue().splitlines() == [
        "(set-option :global-declarations true)",
        "(set-option :smt.mbqi false)",
        "(set-logic ALL)",
        "(push 1)",
        "(pop 1)",
        "(declare-fun x@0 () Int)",
        "(declare-fun $abs () Int)",
        "(assert (< x@0 $abs))",
        "(push 1)",
        "(declare-fun p@0 () Bool)",
        "(assert p@0)",
        "(push 1)",
        "(assert (<= x@0 $abs))",
        "(set-option :RLIMIT 7)",
        "(echo \"a 'name'\")",
        "(check-sat)",
        "(set-option :RLIMIT 0)",
        "(pop 1)",
        "; not proved (incomplete quantifiers)",
        "(pop 1)",
        "(set-option :RLIMIT 8)",
        '(echo "dead")',
        "(check-sat)",
        "(set-option :RLIMIT 0)",
        "; not proved (incomplete quantifiers)",
    ]
