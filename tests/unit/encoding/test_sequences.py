"""The axioms of sequences are true of lists: tried with all short ones and indices around them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from pitviper.encoding.theories import sequences as theory
from pitviper.terms import operators as op
from pitviper.terms.sort import INT
from pitviper.terms.substitute import subterms
from pitviper.terms.term import App, Literal, Quantified, Term, Var

SEQUENCES = [s for size in range(4) for s in product((0, 3), repeat=size)]
NUMBERS = range(-1, 5)

Values = dict[Term, Any]


def _take(s: tuple[int, ...], n: int) -> tuple[int, ...]:
    return s[: max(n, 0)]


def _drop(s: tuple[int, ...], n: int) -> tuple[int, ...]:
    return s[max(n, 0) :]


def _update(s: tuple[int, ...], i: int, v: int) -> tuple[int, ...]:
    return (*s[:i], v, *s[i + 1 :]) if 0 <= i < len(s) else s


MEANING: dict[str, Callable[..., Any]] = {
    "length": len,
    "empty": tuple,
    "singleton": lambda e: (e,),
    "append": lambda s, t: s + t,
    "index": lambda s, i: s[i] if 0 <= i < len(s) else 0,
    "take": _take,
    "drop": _drop,
    "update": _update,
    "contains": lambda s, e: e in s,
    "marks": lambda _s, _e: True,
    "equals": lambda s, t: s == t,
    "range": lambda low, high: tuple(range(low, high)),
    "where": lambda s, e: s.index(e) if e in s else 0,
    "differs": lambda s, t: next(
        (i for i, (a, b) in enumerate(zip(s, t, strict=False)) if a != b), 0
    ),
    "plus": lambda a, b: a + b,
    "minus": lambda a, b: a - b,
    "not": lambda a: not a,
    "and": lambda *args: all(args),
    "or": lambda *args: any(args),
    "=>": lambda a, b: not a or b,
    "=": lambda a, b: a == b,
    "ite": lambda c, a, b: a if c else b,
    "+": lambda *args: sum(args),
    "-": lambda a, *rest: a - sum(rest) if rest else -a,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}


def _value(term: Term, values: Values) -> Any:
    match term:
        case Literal():
            return term.value
        case Var():
            return values[term]
        case App():
            args = [_value(arg, values) for arg in term.args]
            return MEANING[term.symbol.name.rpartition(".")[2]](*args)
    raise AssertionError(term)


AXIOMS = {
    axiom.name: axiom
    for axiom in (
        *theory.index_arithmetic_axioms(),
        *theory.sequence_axioms(theory.sequences(INT)),
    )
    if isinstance(axiom, Quantified)
    and not any(isinstance(part, Quantified) for part in subterms(axiom.body))
    and not any(isinstance(p, App) and p.symbol is op.DISTINCT for p in subterms(axiom.body))
}


@pytest.mark.parametrize("name", list(AXIOMS))
def test_an_axiom_is_true_of_lists(name: str) -> None:
    axiom = AXIOMS[name]
    domains = [SEQUENCES if v.sort is not INT else NUMBERS for v in axiom.variables]
    for values in product(*domains):
        assert _value(axiom.body, dict(zip(axiom.variables, values, strict=True))), values


def test_slices_of_updates_are_among_them() -> None:
    assert {"seq.take.update", "seq.drop.update", "seq.take.append"} <= AXIOMS.keys()
