"""Values go from the source to the solver, to a run and back, and stay what they are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitviper.engines.explore.model.program import Model
from pitviper.engines.explore.model.types import BOOLEAN, INT, RATIONAL, Type
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.value import Scalar, Sym, plain, term_of
from pitviper.engines.explore.search.engine import assignment_of
from pitviper.solver.session import Path
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build
from pitviper.terms.term import FALSE
from tests.unit.engines.explore.exploring import explored, inputs_at

TREE = "adt Tree { Leaf() Node(left: Tree, item: Int) }\n"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("Int", "5"),
        ("Int", "-3"),
        ("Int", "123456789012345678901234567890"),
        ("Bool", "true"),
        ("Perm", "2/3"),
        ("Ref", "null"),
        ("Seq[Int]", "Seq(4, 4, -1)"),
        ("Seq[Bool]", "Seq(true, false)"),
        ("Set[Int]", "Set(3)"),
        ("Multiset[Int]", "Multiset(7, 7)"),
        ("Map[Int, Bool]", "Map(2 := true)"),
        ("Seq[Seq[Int]]", "Seq(Seq(1))"),
        ("Tree", "Node(Leaf(), 7)"),
    ],
)
def test_from_the_source_and_back(kind: str, text: str) -> None:
    """The precondition goes to the solver, its values to a run, and these to the user."""
    program = f"{TREE}method m(x: {kind}) requires x == {text}\n{{ assert false }}"

    assert inputs_at(explored(program), 3)["x"] == text


scalars = st.one_of(
    st.tuples(st.just(INT), st.integers(-(10**12), 10**12)),
    st.tuples(st.just(BOOLEAN), st.booleans()),
    st.tuples(st.just(RATIONAL), st.fractions(-3, 3, max_denominator=9)),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(scalars, min_size=1, max_size=4))
def test_from_a_run_to_the_solver_and_back(values: list[tuple[Type, Scalar]]) -> None:
    blank = Run(Model({}), assignment_of(None))
    session, path = Z3Session(), Path()
    for number, (kind, value) in enumerate(values):
        made = blank.fresh(kind, f"x{number}")
        assert isinstance(made, Sym)
        path = path.branch(build.equal(made.term, term_of(value)))
    try:
        _, model = session.examine(path, FALSE)
    finally:
        session.close()
    run = Run(Model({}), assignment_of(model))

    for number, (kind, value) in enumerate(values):
        again = plain(run.fresh(kind, f"x{number}"))
        assert again == value
        assert type(again) is type(value)


def test_what_functions_are_applied_to_has_the_words_of_the_source() -> None:
    """It was `Cons.0 List[Int]() = 0`, `function sum() = 3` and `function at(1) = 1`."""
    head = """adt List[T] { Nil() Cons(head: T, tail: List[T]) }
function sum(s: Seq[Int]): Int
function at(i: Int): Ref
domain D { function of(x: Ref): Int }
"""
    one = "method m(l: List[Int]) requires l == Nil() { assert l.head == 3 }"
    assert inputs_at(explored(head + one), 5) == {"l": "Nil()", "Nil().head": "0"}
    two = "method m(s: Seq[Int]) requires |s| == 1 { assert sum(s) != 3 }"
    assert inputs_at(explored(head + two), 5)["function sum(Seq(0))"] == "3"
    three = "method m(x: Ref) { assert at(1) != x || x == null || of(x) != 7 }"
    assert inputs_at(explored(head + three), 5) == {
        "x": "object1",
        "function at(1)": "object1",
        "of(object1)": "7",
    }
