"""What members rest on: contracts of methods, all of functions and predicates, domain axioms."""

from __future__ import annotations

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.program.callgraph import call_graph
from pitviper.program.dependencies import Dependencies
from pitviper.program.member import Program

TEXT = """
field f: Int
domain D { function d(n: Int): Int  axiom { forall n: Int :: { d(n) } d(n) == always(n) } }
function always(n: Int): Int { n }
function even(n: Int): Bool { n == 0 ? true : odd(n - 1) }
function odd(n: Int): Bool { n == 0 ? false : even(n - 1) }
function hidden(): Int { 1 }
function used(x: Ref): Bool requires cell(x) { unfolding cell(x) in even(x.f) }
predicate cell(x: Ref) { acc(x.f) }
predicate abstract(x: Ref)
method callee(x: Ref) requires cell(x) && used(x) { callee2(x)  assert hidden() == 1 }
method callee2(x: Ref) requires abstract(x)
method caller(x: Ref) { callee(x) }
method loop(n: Int) { loop(n) }
method talk(x: Ref) { assert perm(abstract(x)) >= none }
"""


@pytest.fixture(scope="module")
def program() -> Program:
    found = load_text(TEXT).program
    assert found is not None
    return found


def rests_on(program: Program, name: str) -> set[str]:
    members = {**program.methods, **program.functions, **program.predicates}
    return set(Dependencies(program, call_graph(program)).of(members[name]))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("caller", {"callee", "cell", "used", "even", "odd", "always"}),
        ("callee", {"callee2", "abstract", "hidden", "cell", "used", "even", "odd", "always"}),
        ("loop", {"loop", "always"}),
        ("talk", {"abstract", "always"}),
        ("cell", {"always"}),
        ("hidden", {"always"}),
        ("even", {"even", "odd", "always"}),
        ("always", {"always"}),
    ],
)
def test_what_a_member_rests_on(program: Program, name: str, expected: set[str]) -> None:
    assert rests_on(program, name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("caller", ("always", "even", "odd", "used")),
        ("used", ("always", "even", "odd")),
        ("odd", ("always",)),
        ("even", ("always",)),
        ("always", ()),
    ],
)
def test_definitions_that_a_member_knows(
    program: Program, name: str, expected: tuple[str, ...]
) -> None:
    members = {**program.methods, **program.functions}
    found = Dependencies(program, call_graph(program)).functions_before(members[name])
    assert found == expected


MUTUAL = """
field f: Int
field g: Ref
predicate P(x: Ref) { acc(x.f) && acc(x.g) && (x.g != null ==> P(x.g) && a(x.g) < c(x.g)) }
function c(x: Ref): Int requires P(x) { a(x) + 1 }
function a(x: Ref): Int requires P(x) { unfolding P(x) in x.f }
function b(x: Ref): Int requires P(x) { unfolding P(x) in (x.g == null ? x.f : b(x.g)) }
"""


def test_functions_that_need_each_other_through_a_predicate_have_an_order() -> None:
    program = load_text(MUTUAL).program
    assert program is not None
    found = Dependencies(program, call_graph(program))
    known = {name: found.functions_before(program.functions[name]) for name in found.functions}
    assert known == {"a": (), "c": ("a",), "b": ("a", "c")}
    assert found.functions_before(program.predicates["P"]) == ("a", "c")
