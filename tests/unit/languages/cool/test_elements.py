"""The class of an element: those of a sequence, a set or an array are of its type."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.completion import runnable
from pitviper.driver.verify.options import VerifyOptions
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.runtime.ending import Status

SHAPES = """\
interface Shape { predicate valid(); pure int area() requires valid(); }
class Strip implements Shape {
  int length;
  Strip(int s) ensures valid() && area() == s; { length := s; }
  predicate valid() { return acc(length); }
  pure int area() { return length; }
}
class Holder {
  Square one; seq<Square> more;
  predicate valid() { return acc(one) * acc(more); }
  pure Square top() requires valid(); { return one; }
  pure seq<Square> all() requires valid(); { return more ++ seq<Square>(one); }
}
class Square implements Shape {
  int side; Square next; seq<Square> parts;
  Square(int s) ensures valid() && area() == s * s; { side := s; }
  predicate valid() { return acc(side); }
  pure int area() { return side * side; }
"""

APART = "(forall int i in 0..|s| :: forall int j in 0..|s| :: i != j ==> s[i] != s[j])"
ROWS_APART = APART.replace("|s|", "s.length")

RIGHT = {
    "sequence": """
  int m(seq<Square> s) requires |s| > 0 && s[0] != null && s[0].valid(); ensures s[0].valid();
  { return s[0].side; }""",
    "array": """
  int m(Square[] a)
    requires a != null && acc(a.elems) && a.length > 0 && a[0] != null && a[0].valid();
    ensures acc(a.elems) && a[0] != null && a[0].valid();
  { return a[0].side; }""",
    "set": """
  void m(set<Square> s)
    requires forall Square q in s :: q != null && q.valid();
    ensures forall Square q in s :: q != null && q.valid();
  { Square q; q :| q in s || q == null; if (q in s) { q.side := 3; } }""",
    "field": """
  int m(Square x)
    requires x != null && acc(x.parts) && |x.parts| > 0 && x.parts[0] != null;
    requires x.parts[0].valid();
  { return x.parts[0].side; }""",
    "loop over a sequence": f"""
  int m(seq<Square> s)
    requires {APART} && (forall int i in 0..|s| :: s[i] != null && s[i].valid());
    ensures forall int i in 0..|s| :: s[i] != null && s[i].valid();
  {{
    int k := 0; int t := 0;
    while (k < |s|)
      invariant 0 <= k && k <= |s|;
      invariant forall int i in 0..|s| :: s[i] != null && s[i].valid();
    {{ t := t + s[k].side; k := k + 1; }}
    return t;
  }}""",
    "loop over an array": f"""
  void m(Square[] s)
    requires s != null && acc(s.elems) && {ROWS_APART};
    requires forall int i in 0..s.length :: s[i] != null && s[i].valid();
    ensures acc(s.elems) && {ROWS_APART};
    ensures forall int i in 0..s.length :: s[i] != null && s[i].valid();
  {{
    int k := 0;
    while (k < s.length)
      invariant acc(s.elems) && 0 <= k && k <= s.length && {ROWS_APART};
      invariant forall int i in 0..s.length :: s[i] != null && s[i].valid();
    {{ s[k].side := k; k := k + 1; }}
  }}""",
    "result of a method": """
  seq<Square> make() ensures |result| == 1 && result[0] != null && result[0].valid();
  { Square q := new Square(3); return seq<Square>(q); }
  int m() { seq<Square> s := make(); return s[0].side; }""",
    "any value": """
  int m()
  { seq<Square> s := *; assume |s| > 0 && s[0] != null && s[0].valid(); return s[0].side; }""",
    "array of arrays": """
  int m(Square[][] a)
    requires a != null && acc(a.elems) && a.length > 0 && a[0] != null && acc(a[0].elems);
    requires a[0].length > 0 && a[0][0] != null && a[0][0].valid();
  { return a[0][0].side; }""",
    "sequence of sequences": """
  int m(seq<seq<Square>> a) requires |a| > 0 && |a[0]| > 0 && a[0][0] != null && a[0][0].valid();
  { return a[0][0].side; }""",
    "field of many": f"""
  int m(seq<Square> s)
    requires {APART} && (forall int i in 0..|s| :: s[i] != null && acc(s[i].next));
    requires |s| > 0 && s[0].next != null && s[0].next.valid();
  {{ return s[0].next.side; }}""",
    "pure method of another class": """
  int m(Holder h) requires h.valid() * h.top() != null * h.top().valid(); { return h.top().side; }
  int n(Holder h) requires h.valid() * |h.all()| > 0 * h.all()[0] != null * h.all()[0].valid();
  { return h.all()[0].side; }""",
}

WRONG = {
    "others in an array of the interface": """
  int m(Shape[] a) requires a != null && acc(a.elems) && a.length > 0 && a[0] != null;
  { Square q; q :| q == a[0] || q == null; assert q == null; return 0; }""",
    "an element may be null": """
  int m(seq<Square> s) requires |s| > 0; { return s[0].side; }""",
    "nothing contradicts itself": """
  void m(Square[] a, Shape[] b) requires a != null && acc(a.elems) && b != null && acc(b.elems);
  { assert false; }""",
    "new arrays contradict nothing": """
  void m()
  {
    Square[] a := new Square[3]; Shape[] b := new Shape[2]; b[0] := this; a[0] := this;
    assert a[0] == b[0] && a[1] == null; assert false;
  }""",
    "closed again in a loop, or the invariant fails": f"""
  void m(seq<Square> s)
    requires {APART};
    requires forall int i in 0..|s| :: s[i] != null && s[i].valid() && s[i].area() == 0;
    ensures forall int i in 0..|s| :: s[i] != null && s[i].valid() && s[i].area() == 0;
  {{ if (|s| > 2) {{ s[1].side := 1; s[2].side := 0; }} }}""",
}

REFUSED = {
    "another sequence": "void m(seq<Shape> t) { seq<Square> s := t; }",
    "a choice from another one": "void m(seq<Shape> t) { seq<Square> s; s :| s == t; }",
    "an appended one": "void m(seq<Square> s, seq<Shape> t) { seq<Square> u := s ++ t; }",
    "another element": "void m(Shape t) { seq<Square> s := seq<Square>(t); }",
    "another array": "void m(Shape[] t) { Square[] u := t; }",
    "a more special array": "void m(Square[] t) { Shape[] u := t; }",
    "a written element": "void m(Square[] s, Shape t) requires acc(s.elems); { s[0] := t; }",
    "its elements": "void m(Shape[] t) requires acc(t.elems); { seq<Square> u := t.elems; }",
    "one of two": "void m(seq<Square> s, seq<Shape> t, bool b) { seq<Square> u := b ? s : t; }",
    "an argument": "void p(seq<Square> t) { } void m(seq<Shape> u) { p(u); }",
}  # fmt: skip


def whole(body: str) -> str:
    return f"{SHAPES}{body}\n}}\n"


def verdicts(text: str, backend: str) -> dict[str, str]:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend=backend))
    assert done.front.accepted, done.diagnostics
    return {name: member.verdict.value for name, member in done.members.items()}


@pytest.mark.parametrize("what", RIGHT)
def test_elements_are_of_their_type(what: str) -> None:
    found = verdicts(whole(RIGHT[what]), "both")
    assert set(found.values()) == {"verified"}, found


@pytest.mark.parametrize("what", RIGHT)
def test_runs_have_elements_of_their_type(what: str) -> None:
    """No run fails for elements of another class, which the types keep away."""
    front = runnable(load_text(whole(RIGHT[what]), "it.cool"))
    assert front.program is not None
    options = ExploreOptions(methods=("Square.m",), search=SearchOptions(runs=25))
    explorer = Explorer(front.program, "it.cool", options)
    nodes = list(explorer.search("Square.m").nodes())
    explorer.close()
    assert any(node.run is not None for node in nodes)
    assert [n for n in nodes if n.run is not None and n.status is Status.FAILED] == []


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
@pytest.mark.parametrize("what", WRONG)
def test_nothing_else_follows_from_the_type_of_an_element(what: str, backend: str) -> None:
    found = verdicts(whole(WRONG[what]), backend)
    assert {name for name, verdict in found.items() if verdict != "verified"} == {"Square.m"}


@pytest.mark.parametrize("what", REFUSED)
def test_types_keep_others_away(what: str) -> None:
    done = pitviper.verify(whole("  " + REFUSED[what]), name="it.cool")
    assert not done.front.accepted


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_a_class_has_no_name_that_arrays_of_others_have(backend: str) -> None:
    """The core calls the elements of other arrays `object[].elems`."""
    text = """\
interface Any { predicate valid(); }
class object implements Any {
  int n; predicate valid() { return acc(n); }
  void m(object[] a, Object[] b, int[][] c)
    requires a != null && acc(a.elems) && b != null && acc(b.elems) && b.length > 0 && b[0] != null;
    requires c != null && acc(c.elems) && c.length > 0 && c[0] != null;
  { assert false; }
}
class Other implements Any {
  int k; predicate valid() { return acc(k); }
  void m(Object[] b, Other t)
    requires b != null && acc(b.elems) && b.length > 0 && t != null && b[0] == t;
  { assert false; }
}
"""
    found = verdicts(text, backend)
    assert (found["object.m"], found["Other.m"]) == ("refuted", "refuted")
