"""The values for which the triggers of a quantifier match terms of the instance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pitviper.counterexample.bounded.values import Value
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Quantified, Term, Var

if TYPE_CHECKING:
    from pitviper.counterexample.bounded.evaluator import Evaluator

Env = dict[Var, Value]


def matches(term: Quantified, evaluator: Evaluator) -> Iterator[Env]:
    """Of the first trigger that is made of symbols with ground applications."""
    seen: set[tuple[Value, ...]] = set()
    for group in term.triggers:
        for env in _all(group, {}, evaluator):
            key = tuple([env[v] for v in term.variables if v in env])
            if key not in seen and len(key) == len(term.variables):
                seen.add(key)
                yield env


def _all(patterns: Sequence[Term], env: Env, evaluator: Evaluator) -> Iterator[Env]:
    if not patterns:
        yield env
        return
    for found in _anywhere(patterns[0], env, evaluator):
        yield from _all(patterns[1:], found, evaluator)


def _anywhere(pattern: Term, env: Env, evaluator: Evaluator) -> Iterator[Env]:
    if isinstance(pattern, App) and isinstance(pattern.symbol, Function):
        for args, _ in evaluator.applications(pattern.symbol):
            yield from _each(pattern.args, args, env, evaluator)


def _each(
    patterns: Sequence[Term], values: Sequence[Value], env: Env, evaluator: Evaluator
) -> Iterator[Env]:
    if not patterns:
        yield env
        return
    for found in _one(patterns[0], values[0], env, evaluator):
        yield from _each(patterns[1:], values[1:], found, evaluator)


def _one(pattern: Term, value: Value, env: Env, evaluator: Evaluator) -> Iterator[Env]:
    if isinstance(pattern, Var):
        if pattern not in env:
            yield {**env, pattern: value}
        elif env[pattern] == value:
            yield env
    elif all(v in env for v in pattern.free):
        if evaluator.value(pattern, env) == value:
            yield env
    elif isinstance(pattern, App) and isinstance(pattern.symbol, Function):
        for args, result in evaluator.applications(pattern.symbol):
            if result == value:
                yield from _each(pattern.args, args, env, evaluator)
