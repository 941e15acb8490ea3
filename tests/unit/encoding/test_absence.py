"""Objects that do not occur in snapshots."""

from __future__ import annotations

from pitviper.encoding.freshness import ABSENT, absence_axioms
from pitviper.encoding.symbols import Symbols
from pitviper.program.member import Program
from pitviper.solver.session import Path
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT, first, pair, unwrap, wrap
from pitviper.terms.sort import REF

x, y = tb.constant("x", REF), tb.constant("y", REF)
s = tb.constant("s", SNAP)


def _symbols() -> Symbols:
    symbols = Symbols(Program({}, {}, {}, {}, {}, {}))
    symbols.leaves[REF] = None
    return symbols


def test_an_absent_object_is_no_leaf() -> None:
    path = Path().assume(tb.apply(ABSENT, x, s)).assume(tb.equal(s, pair(wrap(y), UNIT)))
    path = path.assume(tb.equal(y, unwrap(first(s), REF)))
    with Z3Session() as solver:
        solver.declare(absence_axioms(_symbols()))

        assert solver.entails(path, tb.differ(x, y)).proved


def test_absence_from_one_snapshot_says_nothing_about_another() -> None:
    path = Path().assume(tb.apply(ABSENT, x, UNIT)).assume(tb.equal(s, wrap(y)))
    with Z3Session() as solver:
        solver.declare(absence_axioms(_symbols()))

        assert not solver.entails(path, tb.differ(x, y)).proved
