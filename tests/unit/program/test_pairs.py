"""Pairs that decide what is held stand around it."""

from __future__ import annotations

import pytest

from pitviper.base.record import replace
from pitviper.driver.front.frontend import load_built, load_text
from pitviper.program.assertion import Guarded
from pitviper.program.expr import InhaleExhaleExpr, Not
from pitviper.program.pairs import held_when_given
from pitviper.program.print.expressions import text_of

LIFTED = {
    "[b, !b] ==> acc(x.f)": "[b ==> acc(x.f, write), !b ==> acc(x.f, write)]",
    "([b, !b] ? acc(x.f) : true)": "[(b ? acc(x.f, write) : true), (!b ? acc(x.f, write) : true)]",
    "acc(x.f, [b, !b] ? write : none)": (
        "[acc(x.f, (b ? write : none)), acc(x.f, (!b ? write : none))]"
    ),
    "acc(Q(x, [b, !b]))": "[acc(Q(x, b), write), acc(Q(x, !b), write)]",
    "b ==> ([b, !b] ==> acc(x.f))": "b ==> [b ==> acc(x.f, write), !b ==> acc(x.f, write)]",
    "acc(x.f) && [b, !b]": "acc(x.f, write) && [b, !b]",
}
HELD = {
    "acc(x.f) && x.f > 0 && b": "acc(x.f, write)",
    "[acc(x.f) && b, acc(x.f, 1/2)]": "acc(x.f, 1 / 2)",
    "b ==> acc(x.f) && x.f > 0": "b ==> acc(x.f, write)",
    "b && !b": "true",
}


def body(text: str) -> str:
    front = load_text(
        f"field f: Int\npredicate Q(x: Ref, b: Bool)\npredicate P(x: Ref, b: Bool) {{ {text} }}\n",
        "pairs.vpr",
    )
    assert front.program is not None
    found = front.program.predicates["P"].body
    assert found is not None
    return text_of(found)


@pytest.mark.parametrize(("text", "lifted"), LIFTED.items())
def test_pairs_around_what_they_decide(text: str, lifted: str) -> None:
    assert body(text) == lifted


@pytest.mark.parametrize(("text", "held"), HELD.items())
def test_what_is_given_without_what_is_said(text: str, held: str) -> None:
    front = load_text(
        f"field f: Int\nmethod m(x: Ref, b: Bool) requires {text} {{ }}\n", "pairs.vpr"
    )
    assert front.program is not None
    clause = front.program.methods["m"].preconditions[0]
    assert text_of(held_when_given(clause)) == held


def test_pairs_of_programs_that_somebody_built_are_lifted() -> None:
    front = load_text("field f: Int\npredicate P(x: Ref, b: Bool) { b ==> acc(x.f) }", "a.vpr")
    program = front.program
    assert program is not None
    predicate = program.predicates["P"]
    body = predicate.body
    assert isinstance(body, Guarded)
    pair = InhaleExhaleExpr(body.condition, Not(body.condition, span=body.span), span=body.span)
    changed = replace(predicate, body=replace(body, condition=pair))
    built = load_built(replace(program, predicates={"P": changed}), front.source).program
    assert built is not None and built.predicates["P"].body is not None
    assert text_of(built.predicates["P"].body) == LIFTED["[b, !b] ==> acc(x.f)"]
