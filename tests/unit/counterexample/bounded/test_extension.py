"""Facts about more values than occur: which of them can hold of all, without asking a solver."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from pitviper.counterexample.bounded.evaluator import Evaluator
from pitviper.counterexample.bounded.extension import Extension, extension
from pitviper.counterexample.bounded.values import Unevaluable
from pitviper.encoding.symbols import WAND_APPLY, WAND_SNAPSHOT
from pitviper.solver.model import Element
from pitviper.solver.session import Answer
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP, UNIT, first, pair, second
from pitviper.terms.term import Term

LEFT = tb.variable("left", SNAP)
ONE, TWO = tb.constant("wand1", WAND_SNAPSHOT), tb.constant("wand2", WAND_SNAPSHOT)


def applied(wand: Term, snap: Term) -> Term:
    return tb.apply(WAND_APPLY, wand, snap)


def definition(wand: Term, meaning: Term) -> Term:
    return tb.forall((LEFT,), tb.equal(applied(wand, LEFT), meaning))


class Values:
    """An evaluator that knows the values of wands, and of nothing else."""

    interpretation = SimpleNamespace(theories=SimpleNamespace(meanings={}), null=None)

    def __init__(self, values: dict[Term, int]) -> None:
        self._values = values
        self.touched: dict[object, object] = {}

    def value(self, term: Term) -> Element:
        if term not in self._values:
            raise Unevaluable(f"{term!r}")
        return Element(WAND_SNAPSHOT, str(self._values[term]))


def found(facts: list[Term], values: dict[Term, int]) -> Extension:
    """With a solver that knows nothing."""
    evaluator = cast(Evaluator, Values(values))
    return extension(facts, evaluator, lambda _: Answer(proved=False, unknown="all"))


SWAPPED = definition(ONE, pair(second(LEFT), first(LEFT)))
BY_THE_OTHER = definition(TWO, pair(applied(ONE, UNIT), LEFT))


def test_what_packages_say_of_their_wands_can_hold_of_all() -> None:
    assert found([SWAPPED], {ONE: 1}) is Extension.POSSIBLE
    assert found([SWAPPED, BY_THE_OTHER], {ONE: 1, TWO: 2}) is Extension.POSSIBLE


@pytest.mark.parametrize(
    ("facts", "values"),
    [
        ([SWAPPED, BY_THE_OTHER], {ONE: 1, TWO: 1}),
        ([definition(ONE, pair(applied(ONE, first(LEFT)), UNIT))], {ONE: 1}),
        ([BY_THE_OTHER, definition(ONE, applied(TWO, second(LEFT)))], {ONE: 1, TWO: 2}),
        ([definition(ONE, LEFT), tb.forall((LEFT,), tb.differ(applied(TWO, LEFT), LEFT))],
         {ONE: 1, TWO: 1}),
    ],
    ids=["one wand", "by itself", "by each other", "said otherwise"],
)  # fmt: skip
def test_definitions_that_may_contradict_each_other_are_left_to_the_solver(
    facts: list[Term], values: dict[Term, int]
) -> None:
    assert found(facts, values) is Extension.OPEN
