"""`forperm`: a body that must hold for every location that is held: finitely many entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.entry import Entry
from pitviper.engines.vcg.heap.total import total
from pitviper.engines.vcg.kinds import located
from pitviper.engines.vcg.quantified import permissions
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.state import State
from pitviper.program import expr as pe
from pitviper.terms import build as tb
from pitviper.terms.term import Term

Check = Callable[[State, Term, Sequence[Term]], None]


def eval_forperm(st: State, e: pe.ForPerm, cx: Context, check: Check | None = None) -> Term:
    """The value; with a check, it is a goal, of which each part is proved where it is found."""
    kind, _ = located(e.location, cx.services.symbols)
    values = [
        _for_entry(st, e, entry, cx, check)
        if isinstance(entry, Entry)
        else permissions.forperm_quantified(st, e, entry, cx, check)
        for entry in st.held.entries(kind)
    ]
    return tb.conjoin(*values)


def _for_entry(st: State, e: pe.ForPerm, entry: Entry, cx: Context, check: Check | None) -> Term:
    """Variables are bound to the entry's index; other parts of the location become conditions."""
    kind, parts = located(e.location, cx.services.symbols)
    names = {v.name for v in e.variables}
    bound: dict[str, Term] = {}
    conditions = [tb.greater(total(st, kind, entry.index, cx), tb.NONE)]
    for part, at in zip(parts, entry.index, strict=True):
        if isinstance(part, pe.Var) and part.name in names:
            if part.name in bound:
                conditions.append(tb.equal(bound[part.name], at))
            bound.setdefault(part.name, at)
        else:
            conditions.append(tb.equal(ev.evaluate(st, part, cx), at))
    condition = tb.conjoin(*conditions)
    if condition is tb.FALSE:
        return tb.TRUE
    inside = st.on(st.held).under(condition).storing({**st.store, **bound})
    body = ev.evaluate(inside, e.body, cx)
    if check is not None:
        check(inside, body, ())
    return tb.implies(condition, body)
