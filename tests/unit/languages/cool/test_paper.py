"""The programs of "Symbolic Execution for Implicit Dynamic Frames", with and without ghosts."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.report import problem_of_finding

EXAMPLES = Path(__file__).parents[4] / "examples" / "cool"

FIGURE_2 = """
class Cell {
  int x;
  Cell() ensures acc(this.x) && this.x == 0; { this.x := 0; }
  void setX(int v)
    requires acc(this.x);
    ensures acc(this.x) && this.x == v;
  { this.x := v; }
}
Cell c1 := new Cell();
c1.setX(5);
Cell c2 := new Cell();
c2.setX(10);
assert c1.x == 5;
"""

FIGURE_9 = """
class Cell {
  int x;
  Cell(int v)
    ensures valid() * getX() == v;
  { x := v; close valid(); use getX(); }
  void setX(int v)
    requires valid();
    ensures valid() * getX() == v;
  { open valid(); x := v; close valid(); use getX(); }
  predicate valid() { return acc(this.x); }
  pure int getX() requires valid(); { return opening valid() in x; }
  void swap(Cell c)
    requires c != null;
    requires valid() * c.valid();
    ensures valid() * c.valid();
    ensures getX() == old(c.getX());
    ensures c.getX() == old(getX());
  { open valid(); int i := x; x := c.getX(); close valid(); c.setX(i); }
}
Cell c1 := new Cell(0);
c1.setX(5);
Cell c2 := new Cell(0);
c2.setX(10);
assert c1.getX() == 5;
"""

JOIN = """
class C {
  void m(int a, int b, int c, int d) {
    int n := 0;
    if (a == 0) {} else { n := n + 1; }
    if (b == 0) {} else { n := n + 1; }
    join 0 <= n && n <= 2;
    if (c == 0) {} else { n := n + 1; }
    if (d == 0) {} else { n := n + 1; }
    assert n <= 4;
  }
}
"""


def messages(text: str, *, no_inference: bool = False, backend: str = "symbolic") -> list[str]:
    options = VerifyOptions(no_inference=no_inference, backend=backend)
    done = pitviper.verify(text, name="it.cool", options=options)
    assert done.front.accepted, done.diagnostics
    return [finding.message for finding in done.findings]


def without(text: str, *ghosts: str) -> str:
    for ghost in ghosts:
        text = text.replace(ghost, "")
    return text


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("text", [FIGURE_2, FIGURE_9, JOIN], ids=["2", "9", "6.1"])
def test_figures_are_verified(text: str, backend: str) -> None:
    assert messages(text, backend=backend) == []
    assert messages(text, backend=backend, no_inference=True) == []


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_no_ghost_operation_is_needed(backend: str) -> None:
    """Section 4.1: contracts are unfolded, opening, closing and using are inferred."""
    ghosts = ("open valid();", "close valid();", "use getX();", "opening valid() in")
    assert messages(without(FIGURE_9, *ghosts), backend=backend) == []


def test_without_the_open_statement_the_field_is_not_accessible() -> None:
    text = FIGURE_9.replace("{ open valid(); x := v;", "{ x := v;")
    (first, *_) = messages(text, no_inference=True)
    wanted = "There might be insufficient permission to access this.x"
    assert first == f"Assignment might fail. {wanted}"


def test_without_the_close_statement_there_is_no_predicate() -> None:
    text = FIGURE_9.replace(
        "x := v; close valid(); use getX(); }\n  predicate", "x := v; }\n  predicate"
    )
    assert messages(text, no_inference=True) == [
        "Postcondition of Cell.setX might not hold. "
        "There might be insufficient permission to access this.valid()"
    ]


def test_what_is_used_is_known_anyway() -> None:
    """Definitions of pure methods are known wherever their values occur: `use` may be left out."""
    assert messages(without(FIGURE_9, "use getX();"), no_inference=True) == []


def test_a_stale_iterator_is_explained_by_the_call_that_changed_the_list() -> None:
    text = (EXAMPLES / "iterator.cool").read_text()
    stale = text.replace("assert i2.valid();", "l.add(o);\nassert i2.valid();")
    done = pitviper.verify(stale, name="stale.cool")
    finding = done.findings[0]
    assert finding.message == "Assert might fail. Assertion i2.valid() might not hold."
    line = 1 + stale.splitlines().index("l.add(o);", stale.splitlines().index("l.add(o);") + 1)
    said = problem_of_finding(finding).help
    assert said is not None
    assert said.startswith(f"`l.add(o)` in line {line} may have changed what `i2.valid()` depends")
