"""Branches that nobody has to be asked about: those on which a path says nothing, and no others."""

from __future__ import annotations

from typing import Any

import pytest

import pitviper
from pitviper.engines.symbolic.unrelated import is_unrelated
from pitviper.solver.session import Answer, Path
from pitviper.solver.z3.session import Z3Session
from pitviper.terms import build as b
from pitviper.terms.sort import BOOL, INT
from pitviper.terms.term import Term, variable

x, y, z = (b.constant(f"{name}@0", INT) for name in "xyz")
c = b.constant("c@0", BOOL)
limit = b.constant("limit", INT)
known = b.constant("x@f.0", INT)
f = b.function("f", (INT,), INT)
i = variable("i", INT)
ZERO = b.integer(0)


@pytest.mark.parametrize(
    ("facts", "condition"),
    [
        ([], c),
        ([], b.equal(x, ZERO)),
        ([b.less(ZERO, y), b.equal(y, z)], b.less(x, b.integer(7))),
        ([b.less(ZERO, b.apply(f, y))], b.conjoin(c, b.equal(x, ZERO))),
    ],
)
def test_both_sides_are_live(facts: list[Term], condition: Term) -> None:
    assert is_unrelated(Path().assume_all(facts), condition)
    assert is_unrelated(Path().assume_all(facts), b.negate(condition))


@pytest.mark.parametrize(
    ("facts", "condition"),
    [
        ([c], c),
        ([b.less(x, y)], b.less(y, ZERO)),
        ([b.less(ZERO, b.apply(f, x))], b.equal(x, ZERO)),
        ([b.forall([i], b.less(b.apply(f, i), x), ((b.apply(f, i),),), "q")], b.equal(x, ZERO)),
        ([], b.equal(limit, ZERO)),
        ([], b.equal(known, ZERO)),
        ([], b.equal(b.apply(f, x), ZERO)),
        ([], b.disjoin(b.less(x, y), b.at_most(y, x))),
    ],
)
def test_the_solver_is_asked(facts: list[Term], condition: Term) -> None:
    """What a fact, an axiom or the condition itself may decide."""
    assert not is_unrelated(Path().assume_all(facts), condition)


def test_a_contradictory_path_proves_what_stands_behind_a_branch() -> None:
    text = """
    method m(x: Int, y: Int, b: Bool)
    { inhale x < y
      inhale y < x
      if (b) { assert false } else { assert x == 7 } }
    """
    assert pitviper.verify(text).verdict.value == "verified"


def test_both_sides_of_a_free_choice_are_looked_at() -> None:
    text = "method m(b: Bool, x: Int) { if (b) { assert x == 1 } else { assert x == 2 } }"
    assert len(pitviper.verify(text).findings) == 2


def test_questions_do_not_grow_with_conditions_that_nothing_is_known_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A branch on a new parameter asks nothing, whatever the heap looks like."""
    asked: list[Term] = []
    entails = Z3Session.entails

    def counted(session: Z3Session, path: Path, goal: Term, *more: Any) -> Answer:
        asked.append(goal)
        return entails(session, path, goal, *more)

    monkeypatch.setattr(Z3Session, "entails", counted)

    def queries(n: int) -> int:
        asked.clear()
        choices = "".join(f"if (x{k} == 0) {{ d{k} := new(f) }}\n" for k in range(n))
        params = ", ".join(f"x{k}: Int" for k in range(n))
        variables = "".join(f"var d{k}: Ref\n" for k in range(n))
        text = f"field f: Int method m({params}) {{ {variables}{choices} }}"
        assert pitviper.verify(text).verdict.value == "verified"
        return len(asked)

    assert queries(4) == queries(8)
