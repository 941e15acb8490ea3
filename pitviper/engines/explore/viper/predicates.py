"""Predicates: opened, closed, and filled with what is not known of them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from pitviper.base.record import replace
from pitviper.engines.explore.model.program import Method
from pitviper.engines.explore.model.term import Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, HEAP, RATIONAL
from pitviper.engines.explore.viper import assertions
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.emitter import (
    CONTENTS,
    HEAP_NAME,
    Emitter,
    Obligation,
    Place,
    Scope,
    amount,
    boolean,
    negated,
    text,
)
from pitviper.engines.explore.viper.types import model_type
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.member import Predicate
from pitviper.program.pairs import has_pairs
from pitviper.source.span import NO_SPAN

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation


def unfold(
    location: pa.PredicateLocation, e: pe.Expr, sc: Scope, out: Emitter, tr: Translation
) -> None:
    """An amount of the instance becomes its body; contents nobody has seen are made up."""
    predicate = tr.program.predicates[location.predicate]
    if predicate.body is None:
        out.unsupported(f"the abstract predicate {location.predicate} has no body")
        return
    at = assertions.arguments_of(location, sc, out, tr)
    if sc.outer is not None:
        wanted = None if assertions.is_wildcard(e) else amount(rules.lower(e, sc, out, tr))
        assertions.fetch(location, at, wanted, replace(sc, held=sc.heap), out)
    held = out.keep(assertions.held_term(location, at, sc.heap), "held")
    share = _positive_amount(e, held, sc, out, tr)
    enough = boolean("at_most", share, held)
    if sc.binary:
        enough = boolean("less", assertions.NO_AMOUNT, held)
        half = Literal(Fraction(1, 2), RATIONAL)
        share = out.keep(Operation("mul", (held, half), RATIONAL), "amount")
    out.check(enough, sc.obligation.blame("insufficient.permission", location, location))
    contents, known = out.local(CONTENTS, "contents"), out.local(BOOLEAN, "known")
    out.native("heap.open", sc.heap, text(location.predicate), share, *at, to=(contents, known))
    inside = out.new_heap("heap.inside", contents)
    skip = Place()
    if has_pairs(predicate.body):
        _refuse_known(known, location.predicate, out)
    out.branch(known, skip)
    tr.need_predicate(location.predicate)
    out.call(method_name(location.predicate), (inside, *at), ())
    out.native("heap.filled")
    out.put(skip)
    out.native("heap.unpack", sc.heap, contents, share)


def _refuse_known(known: Local, predicate: str, out: Emitter) -> None:
    """What was folded by one side of a pair `[A, B]` is not what comes out by the other."""
    made_up = Place()
    out.branch(negated(known), made_up)
    out.unsupported(f"opening an instance of {predicate}, which has a pair, that was folded here")
    out.put(made_up)


def method_name(predicate: str) -> str:
    return f"predicate {predicate}"


def predicate_method(predicate: Predicate, tr: Translation) -> Method:
    """Fills a heap with what an instance holds of which nothing is known."""
    assert predicate.body is not None
    out = Emitter(predicate.name)
    out.span = predicate.body.span
    heap = Local(HEAP_NAME, HEAP)
    params = tuple([Local(p.name, model_type(p.type)) for p in predicate.params])
    blame = Obligation("predicate.not.wellformed", predicate.span, predicate.name)
    sc = Scope({p.name: p for p in params}, heap, heap, {}, blame)
    assertions.transfer(predicate.body, sc, assertions.Gain(heap), out, tr)
    return out.method(method_name(predicate.name), (heap, *params), ())


def fold(
    location: pa.PredicateLocation, e: pe.Expr, sc: Scope, out: Emitter, tr: Translation
) -> None:
    """The body becomes an amount of the instance; what goes in is remembered."""
    predicate = tr.program.predicates[location.predicate]
    if predicate.body is None:
        out.unsupported("folding an abstract predicate")
        return
    at = assertions.arguments_of(location, sc, out, tr)
    share = _positive_amount(e, assertions.FULL, sc, out, tr)
    before, inside = out.new_heap("heap.copy", sc.heap), out.new_heap("heap.empty")
    scope = _body_scope(location.predicate, at, sc, tr)
    body = replace(scope, heap=before, scale=share, shrinks=assertions.is_wildcard(e))
    assertions.transfer(predicate.body, body, assertions.Loss(sc.heap, inside), out, tr)
    out.native("heap.close", sc.heap, inside, text(location.predicate), share, *at)


def unfolding(e: pe.Unfolding, sc: Scope, out: Emitter, tr: Translation) -> Term:
    """One that lowering has copied into itself, to say what is assumed, is open already.

    The place alone does not tell: all that a macro consists of has the place of its use.
    """
    here = (e.predicate.span, e.predicate)
    if e.predicate.span is not NO_SPAN and here in sc.opened:
        return rules.lower(e.body, sc, out, tr)
    copy = sc.on(out.new_heap("heap.copy", sc.heap))
    inner = replace(copy, opened=(*sc.opened, here), outer=None)
    unfold(e.predicate, e.amount, inner, out, tr)
    return out.keep(rules.lower(e.body, inner, out, tr))


def _body_scope(name: str, at: tuple[Term, ...], sc: Scope, tr: Translation) -> Scope:
    params = tr.program.predicates[name].params
    names = {p.name: arg for p, arg in zip(params, at, strict=True)}
    return replace(sc, names=names, old={}, result=None, scale=None, binary=False, shrinks=False)


def _positive_amount(e: pe.Expr, held: Term, sc: Scope, out: Emitter, tr: Translation) -> Term:
    if assertions.is_wildcard(e):
        share = assertions.some_amount(out)
        out.assume(boolean("less", share, held))
        return share
    value = amount(rules.lower(e, sc, out, tr))
    if not isinstance(value, Literal):
        value = out.keep(value, "amount")
    if not isinstance(value, Literal) or not value.value:
        blame = sc.obligation.blame("permission.not.positive", e, e)
        out.check(boolean("less", assertions.NO_AMOUNT, value), blame)
    return value
