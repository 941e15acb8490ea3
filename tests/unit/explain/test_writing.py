"""Clauses and statements are written where people would write them."""

from __future__ import annotations

from pathlib import Path

from pitviper.driver.front.frontend import load_text
from pitviper.explain import writing
from pitviper.program import stmt as s
from pitviper.program.member import Method, Program
from pitviper.source.edit import Edit, edited

TEXT = """domain D {
  function f(): Int
}
method m(x: Int) returns (r: Int)
  ensures r > 0
{
  r := x;
  while (r < 3) {
    r := r + 1
  }
}
"""


def program(text: str = TEXT) -> Program:
    found = load_text(text, str(Path("written.vpr"))).program
    assert found is not None
    return found


def method(text: str = TEXT) -> Method:
    return program(text).methods["m"]


def loop(text: str = TEXT) -> s.While:
    (found,) = [n for n in statements(text) if isinstance(n, s.While)]
    return found


def statements(text: str = TEXT) -> tuple[s.Stmt, ...]:
    body = method(text).body
    assert body is not None
    return body.statements


def written(*edits: Edit) -> list[str]:
    """The lines that are new."""
    after = edited(TEXT, edits).splitlines()
    return [line for line in after if line not in TEXT.splitlines()]


def test_a_precondition_stands_in_front_of_the_postconditions() -> None:
    assert written(*writing.requires(method(), "x > 0")) == ["  requires x > 0"]
    lines = edited(TEXT, writing.requires(method(), "x > 0")).splitlines()
    assert lines.index("  requires x > 0") == lines.index("  ensures r > 0") - 1


def test_a_postcondition_stands_behind_the_others() -> None:
    lines = edited(TEXT, writing.ensures(method(), "r > 1")).splitlines()
    assert lines.index("  ensures r > 1") == lines.index("  ensures r > 0") + 1


def test_invariants_stand_in_their_order_behind_the_condition() -> None:
    edits = writing.invariants(loop(), ["r <= 3", "r > 0"])
    meant = "while (r < 3)\n    invariant r <= 3\n    invariant r > 0 {"
    assert meant in edited(TEXT, edits)


def test_statements_are_indented_as_those_around() -> None:
    first = statements()[0]
    assert written(writing.in_front_of(first, ["assert true"])) == ["  assert true"]
    assert written(writing.behind(first, "assert true")) == ["  assert true"]
    assert written(writing.at_end_of(loop().body, ["assert true"])) == ["    assert true"]


def test_a_statement_goes_with_its_line() -> None:
    first = statements()[0]
    assert edited(TEXT, [writing.without(first)]) == TEXT.replace("  r := x;\n", "")


def test_an_axiom_stands_in_its_domain() -> None:
    edit = writing.axiom_of(program().domains["D"], "axiom { f() > 0 }")
    assert "  function f(): Int\n  axiom { f() > 0 }\n}" in edited(TEXT, [edit])
