"""Conditions about which a path says nothing: both sides are live, and nobody has to be asked.

NOTE(unrelated). A question about a condition makes the solver hold the whole path. Where the
condition is about constants of this run alone, none of which any fact mentions, and it can be true
and false, the path allows both sides or, being contradictory, none; and what goes on along
a contradictory path proves whatever is asked. Symbols of the program are left to the solver: axioms
may mention them.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from pitviper.solver.session import Path
from pitviper.solver.witness import constants_of, has_witness
from pitviper.terms.build import negate
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term

_NOTHING = Path()

_mentioned: WeakKeyDictionary[Term, frozenset[Function]] = WeakKeyDictionary()
"""Paths share most of their facts."""


def is_unrelated(path: Path, condition: Term) -> bool:
    """Whether the path neither proves nor refutes the condition, unless it is contradictory."""
    constants = constants_of(condition)
    if not constants or not all(Supply.is_of_one_run(symbol.name) for symbol in constants):
        return False
    node: Path | None = path
    while node is not None:
        if not mentioned(node.fact).isdisjoint(constants):
            return False
        node = node.older
    return all(has_witness(_NOTHING, side) for side in (condition, negate(condition)))


def mentioned(fact: Term) -> frozenset[Function]:
    """The constants inside."""
    found = _mentioned.get(fact)
    if found is None:
        found = _mentioned[fact] = _search(fact)
    return found


def _search(fact: Term) -> frozenset[Function]:
    found: set[Function] = set()
    seen: set[Term] = set()
    todo = [fact]
    while todo:
        term = todo.pop()
        if term not in seen:
            seen.add(term)
            todo += term.args
            if isinstance(term, App) and not term.args and isinstance(term.symbol, Function):
                found.add(term.symbol)
    return frozenset(found)
