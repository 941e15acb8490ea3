"""Domains that the solver knows, such as bit vectors: what their functions do to tokens.

Runs have numbers in the place of such values, as for any domain. `%value` leads from the number to
the value of the solver's own sort and `%token` back, so a function of the domain is the function of
the solver on what its arguments stand for.
"""

from __future__ import annotations

from pitviper.engines.explore.model.types import Type
from pitviper.engines.explore.runtime.inputs import SCALARS, is_guarded, is_of, sort_of
from pitviper.engines.explore.viper.program import Translation
from pitviper.engines.explore.viper.types import model_type
from pitviper.program import types as pt
from pitviper.program.member import Domain, DomainFunction, Program
from pitviper.terms import build
from pitviper.terms.sort import INT, Sort, solver_sort
from pitviper.terms.symbol import solver_function
from pitviper.terms.term import Term


class NotSayable(Exception):
    """Part of an axiom that has no counterpart; ends the translation of that axiom."""


def interpreted_facts(domain: Domain, tr: Translation) -> list[Term]:
    """That tokens and values are the same thing, and what the functions in use do to them."""
    kind = pt.DomainType(domain.name, ())
    sort = _solver_sort(kind, tr.program)
    if sort is None or domain.type_params:
        raise NotSayable
    used = [f for f in domain.functions if f.name in tr.tables]
    meanings = [_meaning(f, f.interpretation, tr.program) for f in used if f.interpretation]
    return [*_same(model_type(kind), sort), *meanings]


def _solver_sort(kind: pt.Type, program: Program) -> Sort | None:
    """The sort of the solver behind a domain, if it has one."""
    if not isinstance(kind, pt.DomainType):
        return None
    text = dict(program.domains[kind.name].interpretations or ()).get("SMTLIB")
    return None if text is None else solver_sort(text)


def _same(kind: Type, sort: Sort) -> list[Term]:
    """Every token has a value of its own, and every value that is met a token."""
    number, value = build.variable("token", INT), build.variable("value", sort)
    is_token = is_of(kind, number)
    there = build.equal(_token(kind, _value(kind, number, sort)), number)
    made = _token(kind, value)
    back = build.conjoin(is_of(kind, made), build.equal(_value(kind, made, sort), value))
    return [
        build.forall([number], build.implies(is_token, there), ((is_token,),), "token"),
        build.forall([value], back, ((made,),), "value"),
    ]


def _value(kind: Type, token: Term, sort: Sort) -> Term:
    return build.apply(build.function(f"%value {kind}", (INT,), sort), token)


def _token(kind: Type, value: Term) -> Term:
    return build.apply(build.function(f"%token {kind}", (value.sort,), INT), value)


def _meaning(function: DomainFunction, text: str, program: Program) -> Term:
    """The function on tokens is the one of the solver on values."""
    kinds = [model_type(p.type) for p in function.params]
    variables = [build.variable(f"a.{n}", sort_of(kind)) for n, kind in enumerate(kinds)]
    values = [_given(p.type, v, program) for p, v in zip(function.params, variables, strict=True)]
    result = _sort(function.result, program)
    meant = build.apply(solver_function(text, tuple([v.sort for v in values]), result), *values)
    if _solver_sort(function.result, program) is not None:
        meant = _token(model_type(function.result), meant)
    own = build.function(function.name, tuple([v.sort for v in variables]), meant.sort)
    applied = build.apply(own, *variables)
    guards = [is_of(k, v) for k, v in zip(kinds, variables, strict=True) if is_guarded(k)]
    fact = build.implies(build.conjoin(*guards), build.equal(applied, meant))
    return build.forall(variables, fact, ((applied,),), "meaning") if variables else fact


def _given(kind: pt.Type, argument: Term, program: Program) -> Term:
    """What the solver's function gets: the value of a token, or the argument itself."""
    sort = _solver_sort(kind, program)
    return argument if sort is None else _value(model_type(kind), argument, sort)


def _sort(kind: pt.Type, program: Program) -> Sort:
    """The sort of a type as the solver's functions have it."""
    sort = _solver_sort(kind, program)
    if sort is None and model_type(kind) not in SCALARS:
        raise NotSayable
    return sort_of(model_type(kind)) if sort is None else sort
