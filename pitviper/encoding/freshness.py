"""Objects that do not occur in a snapshot: what a new object and folded predicates have in common.

NOTE(absence). `absent(x, s)` is assumed when `x` is made, for the snapshots of all instances that
are held. It passes to the parts of a snapshot when they are looked at, and in the end tells `x`
apart from the references at the leaves.
"""

from __future__ import annotations

from pitviper.encoding.quantify import axiom
from pitviper.encoding.symbols import Symbols
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, first, second, unwrap
from pitviper.terms.sort import BOOL, REF
from pitviper.terms.symbol import function
from pitviper.terms.term import Term

ABSENT = function("%absent", (REF, SNAP), BOOL)


def absence_axioms(symbols: Symbols) -> tuple[Term, ...]:
    x, s = tb.variable("x", REF), tb.variable("s", SNAP)
    absent = tb.apply(ABSENT, x, s)
    facts = [
        axiom("absent.part", (x, s), tb.implies(absent, tb.apply(ABSENT, x, part)), (absent, part))
        for part in (first(s), second(s))
    ]
    for leaf, differs in _leaves(x, s, symbols):
        facts.append(axiom("absent.leaf", (x, s), tb.implies(absent, differs), (absent, leaf)))
    return tuple(facts)


def _leaves(x: Term, s: Term, symbols: Symbols) -> list[tuple[Term, Term]]:
    """Leaves that are references, or sets or sequences of them; and what absence means there."""
    found: list[tuple[Term, Term]] = []
    if REF in symbols.leaves:
        leaf = unwrap(s, REF)
        found.append((leaf, tb.differ(leaf, x)))
    sets, sequences = symbols.sets.get(REF), symbols.sequences.get(REF)
    if sets is not None and sets.sort in symbols.leaves:
        leaf = unwrap(s, sets.sort)
        found.append((leaf, tb.negate(tb.apply(sets.contains, x, leaf))))
    if sequences is not None and sequences.sort in symbols.leaves:
        leaf = unwrap(s, sequences.sort)
        found.append((leaf, tb.negate(tb.apply(sequences.contains, leaf, x))))
    return found
