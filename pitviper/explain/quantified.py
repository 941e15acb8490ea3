"""Permissions to many locations in the words of the quantifier that they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from pitviper.base.record import replace
from pitviper.engines.symbolic.heap.chunk import QuantifiedChunk
from pitviper.engines.symbolic.services import Met
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import PERM
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term, Var

Inverses = Mapping[Met, tuple[Function, ...]]
Denoted: TypeAlias = tuple[tuple[Var, ...], Term, tuple[Term, ...], Term]
"""The variables, the condition, the location over them, and the amount there."""


def denoted(chunk: QuantifiedChunk, inverses: Inverses) -> Denoted | None:
    """None for a chunk whose amount is not about the locations of one quantifier alone."""
    used = _symbols_of(chunk.amount)
    found = [(met, symbols) for met, symbols in inverses.items() if not used.isdisjoint(symbols)]
    if not found:
        return _own_formals(chunk)
    if len({symbols for _, symbols in found}) != 1:
        return None
    whole: Denoted | None = None
    for met, symbols in found:
        amount = _amount_at(met, symbols, chunk)
        if amount is None:
            continue
        if not met.is_shared or _is_none(substitute(amount, {met.condition: tb.FALSE})):
            there = substitute(amount, {met.condition: tb.TRUE})
            condition, part = _parted(met.condition, there)
            return met.variables, condition, met.args, part
        if whole is None:
            condition, part = _parted(tb.TRUE, amount)
            whole = met.variables, condition, met.args, part
    return whole


def mostly_denoted(chunk: QuantifiedChunk, inverses: Inverses) -> Denoted | None:
    """The same for what was there before something was taken out of it: at most this is held."""
    amount = chunk.amount
    while isinstance(amount, App) and amount.symbol is op.MINUS:
        amount = amount.args[0]
    return None if amount is chunk.amount else denoted(replace(chunk, amount=amount), inverses)


def at_places(amount: Term, inverses: Inverses) -> Term | None:
    """An amount at one location without inverse functions: `inverse(a, loc(a, k))` is `k`.

    None where some are left.
    """
    known: dict[Term, Term] = {}
    for met, symbols in inverses.items():
        for term in subterms(amount):
            if met.is_shared and isinstance(term, App) and term.symbol in symbols:
                pairs = _arguments(met.args[0], term.args[-1])
                values = {x: y for x, y in pairs if x in met.variables}
                given = tuple([y for x, y in pairs if x not in met.variables])
                if pairs and given == term.args[:-1]:
                    meant = (tb.TRUE, *[values[x] for x in met.variables])
                    known[term] = meant[symbols.index(term.symbol)]
    told = substitute(amount, known)
    used = _symbols_of(told)
    return told if all(used.isdisjoint(symbols) for symbols in inverses.values()) else None


def without_numbers(amount: Term) -> Term:
    """All wildcards under the one name that the source has for them."""
    some = tb.constant("wildcard", PERM)
    return substitute(amount, {t: some for t in subterms(amount) if is_wildcard(t)})


def is_wildcard(term: Term) -> bool:
    """A positive amount that nobody knows."""
    return isinstance(term, App) and term.symbol.name.partition("@")[0] == "wildcard"


def _symbols_of(term: Term) -> set[object]:
    return {t.symbol for t in subterms(term) if isinstance(t, App)}


def _amount_at(met: Met, symbols: tuple[Function, ...], chunk: QuantifiedChunk) -> Term | None:
    """The amount over the variables of a quantifier; None where it is about other locations too."""
    image, *backs = symbols
    at = (*met.given, *chunk.formals)
    is_denoted = tb.apply(image, *at)
    if met.binders or not _is_none(substitute(chunk.amount, {is_denoted: tb.FALSE})):
        return None
    binding: dict[Term, Term] = {is_denoted: tb.TRUE}
    for back, variable in zip(backs, met.variables, strict=True):
        binding[tb.apply(back, *at)] = variable
    places: dict[Term, Term] = dict(zip(chunk.formals, met.args, strict=True))
    amount = substitute(substitute(chunk.amount, binding), places)
    if not _symbols_of(amount).isdisjoint(symbols):
        return None
    return _with_arguments(amount, met) if met.is_shared else amount


def _is_none(amount: Term) -> bool:
    """Nothing can be taken from nothing: no amount is less than none."""
    if isinstance(amount, App) and amount.symbol is op.MINUS:
        return _is_none(amount.args[0])
    if isinstance(amount, App) and amount.symbol is op.ITE:
        return all(map(_is_none, amount.args[1:]))
    return amount is tb.NONE


def _with_arguments(amount: Term, met: Met) -> Term:
    """`loc(a, i) == loc(a, k)` is `i == k`: see NOTE(injective)."""
    (location,) = met.args
    same: dict[Term, Term] = {}
    for term in subterms(amount):
        if isinstance(term, App) and term.symbol is op.EQUAL and location in term.args:
            left, right = term.args
            pairs = _arguments(location, right if left is location else left)
            if all(x is y or x in met.variables for x, y in pairs):
                same[term] = tb.conjoin(*[tb.equal(x, y) for x, y in pairs]) if pairs else term
    return substitute(amount, same)


def _arguments(one: Term, other: Term) -> list[tuple[Term, Term]]:
    """Pairs of arguments of two applications of one function; none of other terms."""
    if not isinstance(one, App) or not isinstance(other, App) or one.symbol is not other.symbol:
        return []
    return list(zip(one.args, other.args, strict=True))


def _parted(condition: Term, amount: Term) -> tuple[Term, Term]:
    """The amount where there is any; the condition says where nothing is left."""
    while isinstance(amount, App) and amount.symbol in (op.MINUS, op.ITE):
        if amount.symbol is op.MINUS:
            rest, taken = amount.args
            when = _where_all_is(taken, _most(rest))
            if when is None:
                condition, rest = _parted(condition, rest)
                return condition, tb.minus(rest, taken)
            condition, amount = tb.conjoin(condition, tb.negate(when)), rest
            continue
        when, then, other = amount.args
        if other is tb.NONE:
            condition, amount = tb.conjoin(condition, when), then
        elif then is tb.NONE:
            condition, amount = tb.conjoin(condition, tb.negate(when)), other
        else:
            break
    return condition, amount


def _where_all_is(taken: Term, most: Term) -> Term | None:
    """The condition of an amount that is all there is, or none."""
    if isinstance(taken, App) and taken.symbol is op.ITE:
        when, part, rest = taken.args
        return when if part is most and rest is tb.NONE else None
    return None


def _most(amount: Term) -> Term:
    """What it is where nothing was taken."""
    while isinstance(amount, App) and amount.symbol is op.MINUS:
        amount = amount.args[0]
    if isinstance(amount, App) and amount.symbol is op.ITE and tb.NONE in amount.args[1:]:
        then, other = amount.args[1:]
        return _most(then if other is tb.NONE else other)
    return amount


def _own_formals(chunk: QuantifiedChunk) -> Denoted | None:
    """For a chunk whose amount depends on its locations alone: `r in s ? write : none`."""
    condition, part = _parted(tb.TRUE, chunk.amount)
    if condition is tb.TRUE:
        return None
    return _without_equalities(chunk.formals, condition, part)


def _without_equalities(formals: tuple[Var, ...], condition: Term, part: Term) -> Denoted:
    """`i == b && r in s` says which `i` is meant: what it is stands for it, unless none is left."""
    args: tuple[Term, ...] = formals
    bound = list(formals)
    for formal in formals[1:]:
        value = _value_of(formal, condition)
        if value is not None:
            bound.remove(formal)
            condition = substitute(condition, {formal: value})
            part = substitute(part, {formal: value})
            args = tuple([substitute(arg, {formal: value}) for arg in args])
    return tuple(bound), condition, args, part


def _value_of(variable: Var, condition: Term) -> Term | None:
    """What a conjunct says that a variable is equal to."""
    parts = condition.args if isinstance(condition, App) and condition.symbol is op.AND else ()
    for one in (condition, *parts):
        if isinstance(one, App) and one.symbol is op.EQUAL and variable in one.args:
            left, right = one.args
            other = right if left is variable else left
            if variable not in other.free:
                return other
    return None
