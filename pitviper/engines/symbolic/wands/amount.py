"""How much is transferred into a package: the same for every left-hand state.

NOTE(one-amount). An amount is told in terms that existed before the package. Where a path needs an
amount that depends on the left-hand side, more is transferred: a bound of it, at worst all there
is. The bound is chosen before anything is learnt from the transfer, for that holds only if it is
made. Example:

    package acc(x.b) --* acc(x.b) && acc(y.f, x.b ? 1/2 : 1/4)
    // x.b is hypothetical: the candidates are 1/4 and 1/2, smallest first
    // 1/2 is provably enough, so 1/2 of y.f is transferred whatever x.b is
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from pitviper.base.record import record
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.hypothetical import Chosen, Outside
from pitviper.solver.session import FactKind
from pitviper.terms import build as tb
from pitviper.terms.operators import ITE, MINUS, PLUS
from pitviper.terms.term import App, Literal, Term, Var

MAX_CANDIDATES = 16
"""Bounds that are tried for an amount that depends on the left-hand side."""
MAX_DEPTH = 32


@record
class Supplier:
    """A chunk of a heap around a package, and what it has: a term over `formals`, if there are any.

    `level` says which heap; what it has existed before the package around which that heap is.
    """

    level: int
    available: Term
    formals: tuple[Var, ...] = ()

    def for_all(self, goal: Term) -> Term:
        return tb.forall(self.formals, goal, (), "move") if self.formals else goal

    def gives_nothing(self, st: State, need: Term, cx: Context) -> bool:
        if self.available is tb.NONE or need is tb.NONE:
            return True
        nothing = tb.disjoin(tb.at_most(self.available, tb.NONE), tb.at_most(need, tb.NONE))
        return cx.may_prove(st, self.for_all(nothing))


def amount_to_transfer(st: State, supplier: Supplier, need: Term, cx: Context) -> Term:
    """What is needed, or a bound of it, but not more than there is."""
    available = supplier.available
    wanted = _bound(st, supplier, need, cx)
    if cx.may_prove(st, supplier.for_all(tb.at_most(wanted, available))):
        return wanted
    if cx.may_prove(st, supplier.for_all(tb.at_most(available, wanted))):
        return available
    return tb.minimum(available, wanted)


def wildcard_to_transfer(
    st: State, supplier: Supplier, where: Term, cx: Context
) -> tuple[State, Term]:
    """For a wildcard: less than there is. If the condition `where` that tells the locations depends
    on the left-hand side, some is moved of every one."""
    packaging = cx.packages[supplier.level]
    known = packaging.on(st.path).resolved(where)
    terms = (*packaging.binders, *supplier.formals)
    symbol = cx.services.supply.function("part", tuple([t.sort for t in terms]), tb.WRITE.sort)
    part = tb.apply(symbol, *terms)
    meant = tb.conjoin(tb.TRUE if known is None else known, tb.greater(supplier.available, tb.NONE))
    some = tb.conjoin(tb.less(tb.NONE, part), tb.less(part, supplier.available))
    fact = tb.ite(meant, some, tb.equal(part, tb.NONE))
    if supplier.formals:
        fact = tb.forall(supplier.formals, fact, ((part,),), "part")
    return st.assume(fact, FactKind.GLOBAL, Chosen((symbol,), (fact,))), part


def _bound(st: State, supplier: Supplier, need: Term, cx: Context) -> Term:
    """An amount told in outside terms that is enough, or all there is."""
    outside = cx.packages[supplier.level].on(st.path)
    exact = outside.resolved(need)
    if exact is not None:
        return exact
    for candidate in _candidates(outside, need):
        if cx.may_prove(st, supplier.for_all(tb.at_most(need, candidate))):
            return candidate
    return supplier.available


def _candidates(outside: Outside, need: Term) -> list[Term]:
    """The amounts that a conditional amount may be; of literals the small ones first."""
    known = [outside.resolved(leaf) for leaf in _leaves(need, MAX_DEPTH)]
    found = dict.fromkeys([t for t in known if t is not None])
    literals = [t for t in found if isinstance(t, Literal)]
    others = [t for t in found if not isinstance(t, Literal)]
    return [*sorted(literals, key=lambda t: t.value), *others]


def _leaves(term: Term, depth: int) -> list[Term]:
    """Of a difference also what is there before something is taken away."""
    if not isinstance(term, App) or not depth:
        return [term]
    if term.symbol is ITE:
        both = [*_leaves(term.args[1], depth - 1), *_leaves(term.args[2], depth - 1)]
        return list(dict.fromkeys(both))[:MAX_CANDIDATES]
    if term.symbol is PLUS or term.symbol is MINUS:
        build: Callable[[Term, Term], Term] = tb.plus if term.symbol is PLUS else tb.minus
        ones, others = [_leaves(arg, depth - 1) for arg in term.args]
        both = [build(a, b) for a, b in product(ones, others)]
        return list(dict.fromkeys([*both, *ones]))[:MAX_CANDIDATES]
    return [term]
