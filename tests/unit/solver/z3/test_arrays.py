"""Arrays as Z3 sees them."""

from __future__ import annotations

from pitviper.solver.session import Path
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as b
from pitviper.terms.sort import INT, REF, array


def test_reads_and_writes_with_one_and_two_indices() -> None:
    m = b.constant("m", array((REF,), INT))
    g = b.constant("g", array((REF, INT), INT))
    x, y = b.constant("x", REF), b.constant("y", REF)
    one = b.integer(1)
    read = b.select(b.store(m, x, one), y)
    grid = b.select(b.store(g, x, one, one), y, one)
    solver = Z3Session()

    for term, old in (read, b.select(m, y)), (grid, b.select(g, y, one)):
        assert solver.entails(Path().assume(b.equal(x, y)), b.equal(term, one)).proved
        assert solver.entails(Path().assume(b.differ(x, y)), b.equal(term, old)).proved
        assert not solver.entails(Path(), b.equal(term, one)).proved
    solver.close()
