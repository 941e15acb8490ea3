"""The text for Boogie, judged by the real Boogie where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from pitviper.engines.vcg.ivl.boogie import BoogieNames, BoogieText, print_boogie
from pitviper.engines.vcg.ivl.emitter import Emitter
from pitviper.engines.vcg.ivl.language import Assert, Edge, Obligation, Program
from pitviper.engines.vcg.ivl.printer import print_program
from pitviper.solver.z3.session import Z3Session
from pitviper.source.span import SourceFile, Span
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, first, pair, second
from pitviper.terms.sort import BOOL, INT, REF, array, solver_sort, uninterpreted
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import function, solver_function

FILE = SourceFile(Path("test.vpr"), "x" * 100)
needs_boogie = pytest.mark.skipif(
    shutil.which("boogie") is None, reason="the package boogie is not installed"
)


def ob(place: int) -> Obligation:
    return Obligation("assert.failed", "assertion.false", Span(FILE, place, place + 1), lambda: "")


def failing(text: BoogieText, folder: Path) -> list[int]:
    """The places of the assertions that Boogie cannot prove."""
    file = folder / "test.bpl"
    file.write_text(text.text)
    command = ["boogie", "/errorLimit:100", "/errorTrace:0", str(file)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
    assert "Boogie program verifier finished with" in said, said
    numbers = [int(n) for n in re.findall(r"\[(\d+)\]", said)]
    assert f"{len(numbers)} error" in said
    return sorted(text.obligations[number][1].span.start for number in numbers)


@pytest.fixture
def emitter() -> Emitter:
    return Emitter("a member", Supply(), Z3Session())


def procedure_with_everything(emitter: Emitter) -> Program:
    """All kinds of commands, sorts and operators; the assertions at even places fail."""
    x, c = emitter.fresh("x", INT), emitter.fresh("c", BOOL)
    f = function("f<Int>", (INT,), INT)
    v = tb.variable("v", INT)
    axiom = tb.forall([v], tb.less(v, tb.apply(f, v)), ((tb.apply(f, v),),), "f", 2)
    emitter.check(tb.less(x, tb.apply(f, x)), ob(1))
    with emitter.side(c):
        emitter.check(tb.disjoin(c, tb.equal(x, tb.integer(-3))), ob(3))
        emitter.assume(tb.less(x, tb.integer(5)))
        emitter.check(tb.less(x, tb.integer(4)), ob(4))
    emitter.check(tb.less(x, tb.integer(5)), ob(6))
    emitter.emit(Assert(tb.less(x, tb.integer(4)), ob(8), tb.negate(c), kept=tb.TRUE))
    emitter.check(tb.implies(tb.negate(c), tb.less(x, tb.integer(4))), ob(10))
    start = emitter.current
    emitter.open_block("then", (Edge(start, c),))
    emitter.lazily(lambda: [tb.less(x, tb.integer(3))])
    emitter.open_block("else", (Edge(start, tb.negate(c)),))
    emitter.check(tb.less(x, tb.integer(3)), ob(12))
    emitter.open_block("after", (Edge("then"), Edge("else")))
    emitter.check(tb.less(x, tb.integer(3)), ob(13))
    return Program((axiom,), (emitter.procedure(),))


def procedure_with_all_terms(emitter: Emitter) -> Program:
    """Values of all kinds; the assertions at even places fail."""
    snap, r, s = emitter.fresh("s", SNAP), emitter.fresh("forall", REF), emitter.fresh("x y", REF)
    m = emitter.fresh("m", array((REF, INT), INT))
    p, n = emitter.fresh("p", tb.NONE.sort), emitter.fresh("bv8", INT)
    emitter.check(tb.differ(pair(first(snap), snap), snap), ob(2))  # acyclicity is lost
    made = emitter.name("made", pair(snap, pair(snap, snap)))
    emitter.check(tb.equal(first(second(made)), snap), ob(3))
    written = tb.store(m, r, n, tb.integer(-1))
    emitter.check(tb.implies(tb.equal(r, s), tb.less(tb.select(written, s, n), n)), ob(4))
    emitter.check(
        tb.implies(tb.equal(r, s), tb.equal(tb.select(written, s, n), tb.integer(-1))), ob(5)
    )
    emitter.assume(tb.less(tb.rational(Fraction(-1, 3)), p))
    emitter.check(tb.less(tb.rational(-1), tb.times(p, tb.rational(2))), ob(7))
    emitter.check(tb.less(tb.NONE, tb.divide(p, tb.rational(2))), ob(8))
    emitter.check(tb.equal(tb.mod(n, tb.integer(2)), tb.integer(1)), ob(10))
    emitter.check(tb.implies(tb.less(n, tb.integer(-6)), tb.less(n, tb.integer(0))), ob(11))
    emitter.check(tb.distinct(r, s, tb.constant("null", REF)), ob(12))
    emitter.check(tb.less(tb.to_real(n), tb.to_real(tb.plus(n, tb.integer(1)))), ob(13))
    byte = solver_sort("(_ BitVec 8)")
    b = emitter.fresh("b", byte)
    more = tb.apply(solver_function("bvadd", (byte, byte), byte), b, b)
    emitter.check(tb.equal(more, b), ob(14))
    z = tb.variable("n", INT)
    below = tb.implies(tb.less(z, n), tb.at_most(z, n))
    emitter.check(tb.forall([z], below, (), "below"), ob(15))
    emitter.emit(Assert(tb.TRUE, ob(17), constants=(n,), kept=tb.TRUE))
    free = emitter.fresh("free", uninterpreted("Seq<Int>"))
    emitter.check(tb.equal(free, tb.ite(tb.less(n, tb.integer(3)), free, free)), ob(19))
    return Program((), (emitter.procedure(),))


@needs_boogie
def test_boogie_agrees_about_commands(emitter: Emitter, tmp_path: Path) -> None:
    assert failing(print_boogie(procedure_with_everything(emitter)), tmp_path) == [4, 6, 8, 10, 12]


@needs_boogie
def test_boogie_agrees_about_terms(emitter: Emitter, tmp_path: Path) -> None:
    found = failing(print_boogie(procedure_with_all_terms(emitter)), tmp_path)

    assert found == [2, 4, 8, 10, 12, 14]


def test_names_are_legal_and_different() -> None:
    names = BoogieNames()
    functions = [function(n, (INT,), INT) for n in ("f@1", "f#1", "assert", "1x", "a b", "a,b")]
    given = [names.of_function(symbol) for symbol in functions]

    assert given == ["f#1", "f#1^1", "$assert", "$1x", "a~b", "a~b^1"]
    assert names.of_function(functions[0]) == "f#1"
    assert names.of_variable(tb.variable("x", INT)) == "x'"
    assert names.of_sort(array((REF, INT), BOOL)) == "[Ref, int]bool"
    assert names.of_sort(solver_sort("(_ BitVec 16)")) == "bv16"


def test_text_for_people_shows_every_command(emitter: Emitter) -> None:
    said = print_program(procedure_with_everything(emitter))

    assert "axiom (forall v: Int :: {:weight 2} { f<Int>(v) } v < f<Int>(v))  // f" in said
    assert "side if c@0 {" in said
    assert "assert [!c@0] x@0 < 4  // assert.failed:assertion.false" in said
    assert "after:  // from then or else" in said
    assert "assume x@0 < 3  // lazy" in said
