"""Bodies of predicates and pure methods are known in their own class, their contracts everywhere.

Each program fails where a body of another class would be needed, and says so; a postcondition of
the pure method is the cure. Runs take the bodies as they are.
"""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.verify.curing import cured_later
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.finding import Finding

CELL = """
class Cell {
  int x;
  Cell() ensures valid(); { }
  predicate valid() { return acc(x) && x >= 0; }
  pure int get() requires valid();PROMISE { return x; }
  void own() requires valid(); ensures valid(); { assert get() >= 0; }
}
"""

SHAPES = """
interface Shape {
  predicate valid();
  pure int area() requires valid();PROMISE
}
class Square implements Shape {
  int side;
  Square() ensures valid(); { }
  predicate valid() { return acc(side); }
  pure int area() { return side * side; }
  void own() requires valid(); ensures valid(); { assert area() == side * side; }
  void other(Square s) requires s != null && s.valid(); ensures s.valid();
  { s.side := 2; assert s.area() == 4; }
CLIENT
}
class Strip implements Shape {
  int length;
  predicate valid() { return acc(length) && length >= 0; }
  pure int area() { return length; }
STRIP
}
"""

UNRELATED = "class Client { void m(Cell c) requires c != null && c.valid(); { BODY } }"
SAME_INTERFACE = "  void m(Square s) requires s != null && s.valid(); ensures s.valid(); { BODY }"
THROUGH_INTERFACE = "  void m(Shape s) requires s != null && s.valid(); ensures s.valid(); { BODY }"


def of_shapes(client: str = "", strip: str = "", promise: str = "") -> str:
    text = SHAPES.replace("CLIENT", client).replace("STRIP", strip)
    return text.replace("PROMISE", promise)


def cell(client: str, promise: str = "") -> str:
    return CELL.replace("PROMISE", promise) + client


CLAIM = "assert c.get() >= 0;"
MAIN = "Cell c := new Cell(); "
OWN = "class `Cell` only"

REFUSED = {
    "a claim of another class": (cell(UNRELATED.replace("BODY", CLAIM)), OWN),
    "a field of another class": (cell(UNRELATED.replace("BODY", "int k := c.x;")), OWN),
    "a claim of the main routine": (cell(MAIN + CLAIM), OWN),
    "a field in the main routine": (cell(MAIN + "c.x := 2;"), OWN),
    "a claim of a class of the same interface": (
        of_shapes(strip=SAME_INTERFACE.replace("BODY", "assert s.area() >= 0;")),
        "in their own classes only",
    ),
    "a field of a class of the same interface": (
        of_shapes(strip=SAME_INTERFACE.replace("BODY", "s.side := 2;")),
        "in their own classes only",
    ),
    "a claim through the interface": (
        of_shapes(client=THROUGH_INTERFACE.replace("BODY", "assert s.area() >= 0;")),
        "in their own classes only",
    ),
    "a claim about an interface in the main routine": (
        of_shapes() + "Square s := new Square(); assert s.area() >= 0;",
        "in their own classes only",
    ),
    "a pure body that reads a field of another class": (
        of_shapes().replace("int length;", "int length; Square q;")
        .replace("acc(length)", "acc(length) && acc(q) && q != null && q.valid()")
        .replace("return length;", "return length + q.side;"),
        "in their own classes only",
    ),
}  # fmt: skip

PROMISED = {
    "of a class": cell(UNRELATED.replace("BODY", CLAIM), " ensures result >= 0;"),
    "in the main routine": cell(MAIN + CLAIM, " ensures result >= 0;"),
    "of an interface": of_shapes(
        THROUGH_INTERFACE.replace("BODY", "assert s.area() >= 0;"),
        SAME_INTERFACE.replace("BODY", "assert s.area() >= 0;"),
        " ensures result >= 0;",
    ),
}  # fmt: skip


def findings(text: str, backend: str) -> list[Finding]:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend=backend))
    assert done.front.accepted, done.diagnostics
    assert all(member.verdict.value != "undecided" for member in done.members.values())
    return [finding for member in done.members.values() for finding in member.findings]


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("what", REFUSED)
def test_what_needs_a_body_of_another_class_is_refused(what: str, backend: str) -> None:
    text, said = REFUSED[what]
    found = findings(text, backend)
    assert len(found) == 1, found
    assert any(said in note for note in found[0].notes), found[0].notes


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("what", PROMISED)
def test_a_postcondition_of_the_pure_method_is_the_cure(what: str, backend: str) -> None:
    assert findings(PROMISED[what], backend) == []


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("text", [cell(""), of_shapes()])
def test_the_own_class_knows_its_bodies(text: str, backend: str) -> None:
    assert findings(text.replace("PROMISE", ""), backend) == []


@pytest.mark.parametrize(("claim", "is_told"), [("c.get() == 4", False), ("c.get() >= 0", True)])
def test_a_note_is_left_out_where_no_body_would_help(claim: str, is_told: bool) -> None:
    text = cell(UNRELATED.replace("BODY", f"assert {claim};"))
    options = VerifyOptions()
    done = pitviper.verify(text, name="it.cool", options=options)
    cured = [done.members["Client.m"], *cured_later(done.front, options, done.members.values())]
    (finding,) = cured[-1].findings
    assert any("only" in note for note in finding.notes) == is_told, finding.notes


def test_a_wrong_body_of_one_class_is_refuted() -> None:
    text = of_shapes(promise=" ensures result >= 0;").replace("&& length >= 0", "&& length > 0")
    assert findings(text, "symbolic") == []
    wrong = text.replace("return length;", "return 1 - length;")
    (found,) = findings(wrong, "symbolic")
    assert found.member == "Shape.area"
