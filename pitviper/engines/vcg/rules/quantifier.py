"""Quantifiers: the body is translated once, for constants that stand for any values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pitviper.base.record import field, replace, struct
from pitviper.encoding.quantify import Patterns, for_all, further_variables, looked_at
from pitviper.encoding.triggers.sums import exists_matching
from pitviper.engines.shared.syntactic import is_universal
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap.triggers import is_hint, is_location_trigger
from pitviper.engines.vcg.ivl.language import Assume, Block, Side
from pitviper.engines.vcg.quantified.slice import SLICES, slice_axioms_in
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules import forperm
from pitviper.engines.vcg.rules.generalise import Learnt, Lifting, Mark, has_goals, learnt, lifting
from pitviper.engines.vcg.rules.triggers import patterns_of
from pitviper.engines.vcg.state import State
from pitviper.program import expr as pe
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.substitute import subterms
from pitviper.terms.term import App, Quantified, Term

Check = Callable[[State, Term, Sequence[Term]], None]
"""Told the state in which the variables are constants, the goal there, and further ones that stand
behind it."""


def eval_quantifier(st: State, e: pe.Forall | pe.Exists, cx: Context) -> Term:
    """The value is a quantifier; facts learnt about the body hold for all values as well."""
    return _quantified(st, e, cx, None)


def prove_universal(st: State, e: pe.Expr, check: Check, cx: Context) -> Term:
    """A goal: whoever is universal is proved for constants; the value may then be assumed."""
    match e:
        case pe.Forall():
            return _quantified(st, e, cx, check)
        case pe.ForPerm():
            return forperm.eval_forperm(st, e, cx, check)
        case pe.Implies(left, right) if is_universal(right):
            condition = st.decided(ev.evaluate(st, left, cx))
            if condition is tb.FALSE:
                return tb.TRUE
            return tb.implies(condition, prove_universal(st.under(condition), right, check, cx))
        case _:
            value = ev.evaluate(st, e, cx)
            check(st, value, ())
            return value


def _quantified(st: State, e: pe.Forall | pe.Exists, cx: Context, check: Check | None) -> Term:
    with opened(st, e.variables, cx) as inside:
        body = ev.evaluate(inside.state, e.body, inside.cx)
        patterns = patterns_of(inside.state, e, inside.lifting, inside.cx)
        if check is not None:
            goals = _conjuncts(body)
            for at, goal in enumerate(goals, 1):
                check(inside.state, goal, _plain(goals[at:]))
    inside.conclude(patterns, str(e.span))
    general, variables, name = inside.lifting.term(body), inside.lifting.variables, str(e.span)
    if isinstance(e, pe.Forall):
        seen = looked_at(patterns, variables, is_location_trigger)
        return for_all(variables, tb.implies(seen, general), patterns, name, e.weight)
    usable = tuple([p for p in patterns if not further_variables(p, variables)])
    return exists_matching(variables, general, usable, name, e.weight)


def _conjuncts(goal: Term) -> tuple[Term, ...]:
    """Goals to be proved one after the other, each with the help of those before it: terms that
    only some of them mention would otherwise not wake up triggers for the others."""
    if isinstance(goal, App) and goal.symbol is op.AND:
        return goal.args
    if isinstance(goal, App) and goal.symbol is op.IMPLIES:
        condition, body = goal.args
        return tuple([tb.implies(condition, part) for part in _conjuncts(body)])
    return (goal,)


def _plain(goals: tuple[Term, ...]) -> list[Term]:
    """Those that may be mentioned without more ado."""
    return [g for g in goals if not any(isinstance(t, Quantified) for t in subterms(g))]


# ---------------------------------------------------------------- scopes of bound variables


@struct
class Inside:
    """Where bound variables are constants: what is emitted there stays there until `conclude`."""

    state: State
    cx: Context
    lifting: Lifting
    outer: tuple[State, Context]
    blocks: list[Block] = field(default_factory=list)

    def learnt(self) -> list[Learnt]:
        """Facts about the constants."""
        return learnt(self.blocks)

    def conclude(self, patterns: Patterns, name: str, *, granting: bool = True) -> None:
        """After the scope: its checks, and what it learnt, for all values; with `granting`, also
        what failed there."""
        st, cx = self.outer
        if has_goals(self.blocks):

            def granted(goal: Term) -> Term:
                return self.generalised(goal, patterns, name)

            granted_if = granted if granting else None
            cx.services.emitter.emit(Side(tuple(self.blocks), st.guard, name, granted_if))
        axioms = slice_axioms_in(self.blocks)
        for axiom in axioms:
            cx.services.emitter.assume(axiom, origin=SLICES)
        for each in self.learnt():
            if is_hint(each.fact) or each.fact in axioms:
                continue  # only what the program looks at wakes up heap-dependent triggers
            general = self.generalised(each.closed, patterns, name)
            cx.services.emitter.emit(Assume(general, st.guard, name))

    def generalised(self, fact: Term, patterns: Patterns, name: str) -> Term:
        """For all values of the variables that a fact mentions."""
        general = self.lifting.term(fact)
        everything = self.lifting.variables
        variables = tuple([v for v in everything if v in general.free])
        if not variables:
            return general
        covering = tuple([p for p in patterns if not further_variables(p, variables)])
        if covering:
            return for_all(variables, general, covering, f"{name}#aux")
        return for_all(everything, general, patterns, f"{name}#aux")


@contextmanager
def opened(st: State, variables: Sequence[pe.Var], cx: Context) -> Iterator[Inside]:
    """A scope in which bound variables are constants. The state there has no guard."""
    services = cx.services
    mark: Mark = services.supply.mark()
    constants = [stand_in(v, cx) for v in variables]
    store = {**st.store, **{v.name: c for v, c in zip(variables, constants, strict=True)}}
    inner = replace(st.storing(store), guard=tb.TRUE)
    inside = Inside(inner, cx, lifting(constants, mark), (st, cx))
    with services.emitter.trial(st.guard) as blocks:
        yield inside
    inside.blocks = blocks


def stand_in(variable: pe.Var, cx: Context) -> App:
    sort = cx.services.symbols.sort(variable.type)
    return cx.services.supply.constant(variable.name, sort)
