"""New objects: different from everything that the state knows.

NOTE(ages). The objects that the statements of a member make are numbered in the order of these
statements. A new object has its number as its age; whatever was there before has a smaller one. So
each reference needs one fact, the first time that an object is made in its presence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pitviper.encoding.freshness import ABSENT
from pitviper.encoding.operators import NULL
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.add import add_entry
from pitviper.engines.vcg.heap.entry import Entry, Sign
from pitviper.engines.vcg.heap.total import NEW
from pitviper.engines.vcg.kinds import field_kind
from pitviper.engines.vcg.state import State
from pitviper.program import stmt as ps
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.sort import INT, REF
from pitviper.terms.symbol import function
from pitviper.terms.term import App, Literal, Term

AGE = function("%age", (REF,), INT)


def exec_new(st: State, s: ps.New, cx: Context) -> State:
    """The fields of a new object are held in full."""
    target = cx.services.supply.constant(f"{NEW}{s.target.name}", REF)
    st = cx.assume(st, tb.differ(target, NULL))
    st = _apart(st, target, cx)
    for name in s.fields:
        kind = field_kind(name, cx.services.symbols)
        value = cx.fresh(name, kind.value)
        st = st.on(st.heap.stored(kind, (target,), value))
        st = add_entry(st, kind, Entry((target,), tb.WRITE, Sign.PLUS, value), cx)
    return st.binding(s.target.name, target)


def _apart(st: State, target: App, cx: Context) -> State:
    numbers = cx.services.numbers
    number = numbers["new"] = numbers.get("new", 0) + 1
    numbers[target.symbol.name] = number
    ages = dict(st.ages)
    cx.learn(st, tb.equal(tb.apply(AGE, target), tb.integer(number)))
    for term in _present(st):
        if term.sort is not REF:
            cx.learn(st, _absent(target, term, cx))
        elif term not in ages and term is not NULL:
            cx.learn(st, tb.less(tb.apply(AGE, term), tb.integer(number)))
            ages[term] = _own_number(term, cx) or number
    ages[target] = number
    return replace(st, ages=ages)


def _own_number(term: Term, cx: Context) -> int | None:
    """The number of a new object, which flow may have met on some of its ways only."""
    if isinstance(term, App) and not term.args:
        return cx.services.numbers.get(term.symbol.name)
    return None


def _present(st: State) -> Iterator[Term]:
    """What can be seen: variables, indices, values of entries."""
    seen: dict[Term, None] = dict.fromkeys(st.store.values())
    for heap in (st.heap, *st.frames):
        for entries in heap.perms.values():
            for entry in entries:
                if isinstance(entry, Entry):
                    seen.update(dict.fromkeys(entry.index))
                    if entry.value is not None:
                        seen[entry.value] = None
    return iter([term for term in seen if not isinstance(term, Literal)])


def _absent(target: Term, term: Term, cx: Context) -> Term:
    symbols = cx.services.symbols
    sets, sequences = symbols.sets.get(REF), symbols.sequences.get(REF)
    if term.sort is SNAP:
        return tb.apply(ABSENT, target, term)
    if sets is not None and term.sort is sets.sort:
        return tb.negate(tb.apply(sets.contains, target, term))
    if sequences is not None and term.sort is sequences.sort:
        return tb.negate(tb.apply(sequences.contains, term, target))
    return tb.TRUE
