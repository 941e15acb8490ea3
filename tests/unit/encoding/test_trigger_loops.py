"""Sets of terms that feed themselves are no triggers, where a single term is one."""

from __future__ import annotations

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.encoding.triggers.choice import inferred_triggers
from pitviper.program import expr as pe
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants

FUNCTIONS = (
    "function size(t: Ref): Int\nfunction node(l: Ref, r: Ref): Ref\n"
    "function cons(i: Int, t: Ref): Ref\nfunction lt(l: Ref, r: Ref): Bool\n"
    "domain T { function add(a: T, b: T): T function some(a: T): Bool }\n"
    "domain A { function slot(a: A, i: Int): Ref function of(r: Ref): A function len(a: A): Int }\n"
    "function sum(s: Seq[Int]): Int\nfunction one(i: Int): Int\nfunction depth(t: Ref): Int\n"
)


def triggers(formula: str) -> list[list[str]]:
    program = load_text(f"{FUNCTIONS}method m() {{ assert {formula} }}", "a.vpr").program
    assert program is not None
    nodes = descendants(program.methods["m"])
    (quantifier,) = [node for node in nodes if isinstance(node, pe.Forall)]
    return [[text_of(term) for term in each.terms] for each in inferred_triggers(quantifier)]


@pytest.mark.parametrize(
    ("formula", "chosen"),
    [
        (
            "forall l: Ref, r: Ref :: size(node(l, r)) == 1 + size(l) + size(r)",
            [["size(node(l, r))"]],
        ),
        (
            "forall i: Int, t: Ref :: size(cons(i, t)) == size(t) + one(i)",
            [["size(cons(i, t))"]],
        ),
        (  # an instance says nothing of `depth`
            "forall i: Int, t: Ref :: size(cons(i, t)) == depth(t) + one(i)",
            [["size(cons(i, t))"], ["depth(t)", "one(i)"]],
        ),
        (  # of one term: a definition
            "forall s: Seq[Int] :: sum(s) == (s == Seq[Int]() ? 0 : sum(s[1..]))",
            [["sum(s)"], ["sum(s[1..])"]],
        ),
        (  # nothing else covers all variables
            "forall l: Ref, r: Ref :: size(l) < size(r) ==> size(node(l, l)) < 2",
            [["size(l)", "size(r)"], ["size(r)", "size(node(l, l))"], ["size(r)", "node(l, l)"]],
        ),
        (  # an operation: not for every two values that were looked at
            "forall a: T, b: T :: add(a, b) == (some(a) && some(b) ? a : b)",
            [["add(a, b)"]],
        ),
        (  # no operation: what it gives back was there
            "forall a: A, i: Int :: one(i) < len(a) ==> of(slot(a, i)) == a",
            [
                ["one(i)", "len(a)"],
                ["one(i)", "of(slot(a, i))"],
                ["one(i)", "slot(a, i)"],
                ["len(a)", "of(slot(a, i))"],
                ["len(a)", "slot(a, i)"],
                ["of(slot(a, i))"],
            ],
        ),
        (  # an instance says nothing larger
            "forall l: Ref, r: Ref, k: Ref :: lt(l, r) && lt(r, k) ==> lt(l, k)",
            [["lt(l, r)", "lt(r, k)"], ["lt(l, r)", "lt(l, k)"], ["lt(r, k)", "lt(l, k)"]],
        ),
    ],
)
def test_triggers(formula: str, chosen: list[list[str]]) -> None:
    assert triggers(formula) == chosen
