"""Method calls: give up the precondition, forget the targets, get the postcondition."""

from __future__ import annotations

from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules.exhale import exhale_all
from pitviper.engines.vcg.rules.inhale import inhale_all
from pitviper.engines.vcg.state import PRE_STATE, LabelRecord, State
from pitviper.program import stmt as ps


def exec_call(st: State, s: ps.MethodCall, cx: Context) -> State:
    """Whether the contract makes sense is judged where the method is verified."""
    method = cx.services.program.methods[s.method]
    args = ev.evaluate_all(st, s.args, cx.proving("call.failed", s))
    formals = {p.name: value for p, value in zip(method.params, args, strict=True)}
    before = cx.proving("call.precondition", s, s.method).trusting()
    inside = exhale_all(st.storing(formals), method.preconditions, before)
    symbols = cx.services.symbols
    results = {r.name: cx.fresh(r.name, symbols.sort(r.type)) for r in method.returns}
    inside = inside.storing({**formals, **results}).with_labels({PRE_STATE: LabelRecord(st.heap)})
    after = cx.proving("call.failed", s).trusting()
    inside = inhale_all(inside, method.postconditions, None, after)
    targets = {t.name: v for t, v in zip(s.targets, results.values(), strict=True)}
    return inside.storing({**st.store, **targets}).with_labels(st.labels)
