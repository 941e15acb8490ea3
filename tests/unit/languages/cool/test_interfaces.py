"""Interfaces: classes keep what they promise, and are told apart where that matters."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.driver.verify.options import VerifyOptions

BOTH = pytest.mark.parametrize("backend", ["symbolic", "vcg"])

TWO_PROMISES = """
interface One { int m() ensures result > 0; }
interface Two { int m() ensures result > 1; }
class C implements One, Two { C() { } int m() { return RESULT; } }
C c := new C();
One one := c;
int k := one.m();
assert k > 0;
"""

FIRST_CLASS_IS_RECURSIVE = """
interface Node { predicate valid(); pure int size() requires valid(); }
class Pair implements Node {
  Node a; Node b;
  Pair(Node x, Node y)
    requires x.valid() * y.valid();
    ensures valid() && size() == 1 + old(x.size()) + old(y.size());
  { a := x; b := y; }
  predicate valid() { return acc(a) * acc(b) * a.valid() * b.valid(); }
  pure int size() { return 1 + a.size() + b.size(); }
}
class Leaf implements Node {
  Leaf() ensures valid() && size() == 0; { }
  predicate valid() { return true; }
  pure int size() { return 0; }
}
Leaf x := new Leaf();
Leaf y := new Leaf();
Pair p := new Pair(x, y);
"""


def verdicts(text: str, backend: str = "symbolic") -> dict[str, str]:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend=backend))
    assert done.front.accepted, done.diagnostics
    return {name: member.verdict.value for name, member in done.members.items()}


@BOTH
def test_a_method_keeps_the_promises_of_all_its_interfaces(backend: str) -> None:
    less = TWO_PROMISES.replace("RESULT", "1")
    assert "refuted" in verdicts(less, backend).values()
    swapped = less.replace("One, Two", "Two, One")
    assert "refuted" in verdicts(swapped, backend).values()
    written = less.replace("int m() {", "int m() ensures result == 1; {")
    assert verdicts(written, backend)["C.m as Two.m"] == "refuted"
    own = TWO_PROMISES.replace("RESULT", "2").replace("int m() {", "int m() ensures result == 2; {")
    assert set(verdicts(own, backend).values()) == {"verified"}


@pytest.mark.parametrize(
    "member",
    ["pure int m() BODY", "predicate m() BODY"],
)
def test_a_pure_method_or_predicate_comes_from_one_interface(member: str) -> None:
    head = member.replace(" BODY", ";")
    body = member.replace("BODY", "{ return 1 == 1; }" if "pred" in member else "{ return 1; }")
    text = f"interface I {{ {head} }} interface J {{ {head} }} class C implements I, J {{ {body} }}"
    done = pitviper.verify(text, name="it.cool")
    assert [d.message for d in done.diagnostics] == ["`m` is declared by interfaces `I` and `J`"]
    assert len(done.diagnostics[0].related) == 2


@BOTH
def test_the_first_class_of_an_interface_may_be_recursive(backend: str) -> None:
    right = FIRST_CLASS_IS_RECURSIVE + "assert p.size() == 1;"
    assert set(verdicts(right, backend).values()) == {"verified"}
    wrong = FIRST_CLASS_IS_RECURSIVE + "assert p.size() == 2;"
    assert verdicts(wrong, backend)["main"] == "refuted"


@BOTH
def test_an_interface_may_stand_behind_its_classes(backend: str) -> None:
    interface, rest = FIRST_CLASS_IS_RECURSIVE.strip().split("\n", 1)
    classes, main = rest.split("Leaf x", 1)
    text = f"{classes}\n{interface}\nLeaf x{main}assert p.size() == 1;"
    assert set(verdicts(text, backend).values()) == {"verified"}


KINDS = """
interface I { pure int kind(); }
class C implements I { C() { } pure int kind() { return 1; } METHOD }
class D implements I { D() { } pure int kind() { return 2; } }
"""


@BOTH
@pytest.mark.parametrize(
    ("method", "verdict"),
    [
        ("void m(I d) requires d != null; { C c; c :| c == d; assert d.kind() == 1; }", "refuted"),
        ("void m(I d) requires d != null; { C c; c :| c != null && c == d; }", "refuted"),
        ("void m(I d) requires d != null; { I c; c :| c != null && c == d; }", "verified"),
        ("void m(C d) { C c; c :| c == d; assert c == d; }", "verified"),
        ("void m(I d) requires d != null; { assert exists C c :: c == d; }", "refuted"),
        ("void m(I d) requires d != null; { assert !(forall C c :: c != d); }", "refuted"),
        ("void m(C d) requires d != null; { assert exists C c :: c == d; }", "verified"),
        ("void m() { assert forall C c :: c != null ==> c.kind() == 1; }", "verified"),
        ("void m() { assert forall I c :: c != null ==> c.kind() == 1; }", "refuted"),
    ],
)
def test_what_is_chosen_or_found_is_of_its_type(method: str, verdict: str, backend: str) -> None:
    """A reference that is no object of the class is none of those that are spoken of."""
    assert verdicts(KINDS.replace("METHOD", method), backend)["C.m"] == verdict


@BOTH
def test_objects_of_a_class_are_not_found_among_others(backend: str) -> None:
    text = """
    class C { C() { } }
    class D { D() { } void m(D d) requires d != null; { assert exists C c :: c != null; } }
    """
    assert verdicts(text, backend)["D.m"] == "refuted"
    assert verdicts(text.replace("exists C", "exists D"), backend)["D.m"] == "verified"
    every = text.replace("D d", "Object d").replace("c != null", "c == d")
    assert verdicts(every, backend)["D.m"] == "refuted"


@BOTH
@pytest.mark.parametrize(
    ("own", "verdict"),
    [
        ("int m(int b, int a) { return a; }", "refuted"),
        ("int m(int b, int a) { return b; }", "verified"),
        ("int m(int x, int y) { int a := y; int b := a; return x; }", "verified"),
        ("int m(int x, int y) { int a := y; return a; }", "refuted"),
        ("int m(int a, int b) ensures result == a; { return a; }", "verified"),
        ("int m(int k, int i) { return k; }", "verified"),
        ("int m(int k, int i) { return i; }", "refuted"),
    ],
)
def test_a_class_names_parameters_as_it_likes(own: str, verdict: str, backend: str) -> None:
    """The first value that is given is meant by the first name, whatever it is called."""
    promise = "result == a && forall int k in 0..1 :: k < 1 && a == result"
    text = f"interface I {{ int m(int a, int b) ensures {promise}; }} class C implements I {{ {own}"
    text = text.replace("ensures result == a;", f"ensures {promise};", 1) + "}"
    assert verdicts(text, backend)["C.m"] == verdict


@BOTH
def test_names_of_parameters_are_not_captured_in_pure_methods(backend: str) -> None:
    text = """
    interface I { pure bool below(int a); }
    class C implements I {
      pure bool below(int z) { return exists int a in 0..10 :: a == z; }
      void m() { assert below(3); assert !below(11); }
    }
    """
    found = verdicts(text.replace("exists int a in 0..10 :: a == z", "0 <= z < 10"), backend)
    assert found["C.m"] == "verified"
    wrong = text.replace("assert below(3); assert !below(11)", "assert below(11)")
    assert verdicts(wrong, backend)["C.m"] == "refuted"


SHAPES = """
interface Shape { pure int sides(); }
class Square implements Shape { Square() { } pure int sides() { return 4; } }
class Triangle implements Shape { Triangle() { } pure int sides() { return 3; } }
class T { void m(Shape s) requires s != null; { assert s.sides() == 4; } }
"""


def test_objects_of_a_counterexample_have_the_types_of_their_variables(tmp_path: Path) -> None:
    """`s` was shown to be the object that `this` is, which is no shape."""
    file = tmp_path / "shapes.cool"
    file.write_text(SHAPES)
    (found,) = counterexamples(file, CounterexampleOptions()).results
    values = {v.name: v.value.text for v in found.variables}
    assert values["this"] != values["s"] != "null"


def test_a_failing_run_tells_the_class_of_an_object() -> None:
    from pitviper.driver.explore.explore import Explorer
    from pitviper.driver.explore.options import ExploreOptions
    from pitviper.driver.front.frontend import load_text
    from pitviper.driver.verify.completion import runnable

    front = runnable(load_text(f"// class Other {{ }}{SHAPES}", "it.cool"))
    assert front.program is not None
    explorer = Explorer(front.program, "it.cool", ExploreOptions(methods=("T.m",)))
    (failure,) = explorer.explore("T.m").certain_failures
    explorer.close()
    assert failure.test is not None
    inputs = dict(failure.test.inputs)
    assert inputs["s"].endswith(" (Triangle)")
    assert not any(name.endswith(".class") for name in inputs)


def test_nothing_follows_from_an_interface_without_classes() -> None:
    text = "interface I { } class T { void m(I i) requires i != null; { assert false; } }"
    assert verdicts(text)["T.m"] == "refuted"
