"""The object language: read, checked and verified in the words of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
from pitviper.checking.options import CheckOptions
from pitviper.driver.verify.options import VerifyOptions

EXAMPLES = Path(__file__).parents[4] / "examples" / "cool"

COUNTER = """
class Counter {
  int n;
  Counter() ensures valid() && get() == 0; { n := 0; }
  predicate valid() { return acc(n); }
  pure int get() requires valid(); { return n; }
  void inc(int by)
    requires valid() && by > 0;
    ensures valid() && get() == old(get()) + by;
  { n := n + by; }
}
Counter c := new Counter();
c.inc(2);
assert c.get() == 2;
"""


def verdicts(text: str, **chosen: object) -> dict[str, str]:
    options = VerifyOptions(**chosen)  # type: ignore[arg-type]
    done = pitviper.verify(text, name="it.cool", options=options)
    assert done.front.accepted, done.diagnostics
    return {name: member.verdict.value for name, member in done.members.items()}


def messages(text: str, **chosen: object) -> list[str]:
    options = VerifyOptions(**chosen)  # type: ignore[arg-type]
    done = pitviper.verify(text, name="it.cool", options=options)
    return [finding.message for finding in done.findings]


def problems(text: str) -> list[str]:
    return [d.message for d in pitviper.check(text, name="it.cool").errors]


@pytest.mark.smoke
def test_a_counter_is_verified() -> None:
    assert set(verdicts(COUNTER).values()) == {"verified"}


def test_a_wrong_body_is_refuted_in_words_of_the_file() -> None:
    wrong = COUNTER.replace("n := n + by", "n := n - by")
    (message,) = messages(wrong)
    assert message == (
        "Postcondition of Counter.inc might not hold. "
        "Assertion this.get() == old(this.get()) + by might not hold."
    )


def test_without_inference_an_assignment_lacks_its_permission() -> None:
    found = messages(COUNTER, no_inference=True)
    assert "insufficient permission to access this.n" in found[1]


@pytest.mark.parametrize("ghosts", ["open valid(); {0} close valid();", "{0}"])
def test_ghost_operations_may_be_written_or_left_out(ghosts: str) -> None:
    written = COUNTER.replace("n := n + by;", ghosts.format("n := n + by;"))
    assert set(verdicts(written).values()) == {"verified"}


def test_a_receiver_that_may_be_null_is_told() -> None:
    (found,) = messages("class C { pure int g() { return 1; } } C c; assert c.g() == 1;")
    assert found.endswith("of pure method C.g might not hold. Its receiver c might be null.")
    (message,) = messages("class C { void m() {} } C c; c.m();")
    assert message == (
        "The precondition of method C.m might not hold. Its receiver c might be null."
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("int x := y;", "there is no variable or field `y` here"),
        ("class C { int f; } C c := new C(); c.g := 1;", "a `C` has no field `g`"),
        ("int x := true;", "this is a condition (`bool`), expected a number (`int`)"),
        ("class C { predicate p() { return true; } } C c := new C(); open c.p();",
         "the body of `C.p` is known in class `C` only"),
        ("class C { predicate p(); void m() requires p(); { open p(); } }",
         "`C.p` has no body, so that it can neither be opened nor closed"),
        ("class C { predicate p(); void m() { close p(); } }",
         "`C.p` has no body, so that it can neither be opened nor closed"),
        ("class C { predicate p(); pure int f() requires p(); { return opening p() in 1; } }",
         "`C.p` has no body, so that it can neither be opened nor closed"),
        ("interface I { predicate p(); } class C implements I { predicate p(); }",
         "`C.p` of interface `I` has no body in this class"),
        ("interface I { pure int f(); } class C implements I { pure int f(); }",
         "`C.f` of interface `I` has no body in this class"),
        ("class C { int f } ", "expected `;` after this"),
        ("class C { pure int f() { return f(); } }",
         "`C.f` might not end: it calls itself about nothing smaller"),
        ("class C { int x; predicate p() { return acc(x); } "
         "pure int f() requires p(); { return opening p() in f(); } }",
         "`C.f` might not end: it calls itself about nothing smaller"),
        ("class C { C n; bool b; predicate p() { return acc(n) * acc(b) * (b ==> n.p()); } "
         "pure int f() requires p(); { return n == this ? n.f() : 0; } }",
         "`C.f` might not end: it calls itself about nothing smaller"),
        ("class C { int x; pure int f(C a, C b) requires acc(a.x) * acc(b.x); { return g(a); } "
         "pure int g(C a) requires acc(a.x); { return f(a, a); } }",
         "`C.f` might not end: it calls `C.g`, which stands later, about nothing smaller"),
        ("class C { int x; int y; "
         "pure int f(bool c) requires (c ==> acc(y)) * acc(x); { return g(); } "
         "pure int g() requires acc(x); { return f(false); } }",
         "`C.f` might not end: it calls `C.g`, which stands later, about nothing smaller"),
        ("class C { pure int f() ensures result == f() + 1; { return 1; } }",
         "the postcondition of `C.f` speaks of `C.f`, which comes back to it"),
        ("class C { pure int f() requires f() > 0; { return 1; } }",
         "the precondition of `C.f` asks for `C.f` itself"),
        ("class C { void m(int a) { a := 1; } }", "parameters keep their value"),
        ("class C {} class C {}", "there are two declarations of class `C`"),
    ],
)  # fmt: skip
def test_mistakes_are_told(text: str, problem: str) -> None:
    assert problems(text) == [problem]


NESTED = """
class A {
  int x;
  predicate p() { return acc(x); }
  predicate q() { return p(); }
  pure int get() requires q(); { return x; }
  void put() requires q(); ensures q() && get() == 1; { x := 1; }
}
"""


def test_the_depth_of_inference_is_an_option_and_named_where_it_is_reached() -> None:
    shallow = CheckOptions(infer_depth=1)
    found = pitviper.verify(NESTED, name="it.cool", options=VerifyOptions(check=shallow))
    (warning,) = found.front.warnings
    assert warning.message == "more than 1 predicates would have to be opened inside each other"
    notes = [note for finding in found.findings for note in finding.notes]
    assert (
        "inference opened and closed no more than 1 predicates in a row: --infer-depth N" in notes
    )
    assert set(verdicts(NESTED, check=CheckOptions(infer_depth=2)).values()) == {"verified"}


@pytest.mark.parametrize(
    ("statement", "is_fine"),
    [
        ("int v; v :| 1 <= v && v <= 6; assert v > 0;", True),
        ("int v; v :| v != n; assert v != n;", True),
        ("int v; v :| n < v && v < n + 1;", False),
        ("set<int> s; s :| n in s; assert n in s;", True),
        ("x :| n < x && x < n + 2; assert x == n + 1;", True),
        ("x :| x < n && n < x;", False),
    ],
)
def test_a_value_is_chosen_if_there_is_one(statement: str, is_fine: bool) -> None:
    text = f"class C {{ int x; void m(int n) requires acc(x); {{ {statement} }} }}"
    assert (verdicts(text)["C.m"] == "verified") == is_fine


def test_a_product_that_may_be_meant_as_a_conjunction_is_warned_of() -> None:
    text = "class C { int x; predicate p() { return acc(x) * 0 <= x * x < 9; } }"
    (warning,) = pitviper.check(text, name="it.cool").warnings
    assert warning.message == "`*` multiplies here: `x * x` is a number"
    fine = "class C { void m(int w) requires 0 <= w * 3 < 9; {} }"
    assert pitviper.check(fine, name="it.cool").warnings == ()


@pytest.mark.parametrize(
    "text",
    [
        "class L { L n; predicate p() { return acc(n) * (n != null ==> n.p()); } "
        "pure int f() requires p(); { return n == null ? 0 : 1 + n.f(); } }",
        "class L { L n; bool e; predicate p() { return acc(n) * acc(e) * (e ? true : n.p()); } "
        "pure int f() requires p(); { return !e ? 1 + n.f() : 0; } }",
        "class C { int x; int y; pure int f() requires acc(x) * acc(y); { return g(); } "
        "pure int g() requires acc(x); { return x; } }",
        "class C { pure int f(int n) requires n >= 0; decreases n; "
        "{ return n == 0 ? 1 : n * f(n - 1); } }",
        "class L { L n; int k; predicate p() { return acc(n) * acc(k) * (k > 0 ==> n.p()); } "
        "pure int f() requires p(); decreases p(); { return k == 1 ? 1 + n.f() : 0; } }",
        "class C { int m(int n) requires n >= 0; ensures result == 0; "
        "{ int k := n; while (k > 0) invariant k >= 0; decreases k; { k := k - 1; } return k; } }",
    ],
)
def test_what_ends_is_verified(text: str) -> None:
    assert problems(text) == []
    assert set(verdicts(text).values()) == {"verified"}


@pytest.mark.parametrize(
    "text",
    [
        "class C { pure int f(int n) decreases n; { return f(n - 1); } }",
        "class L { L n; predicate p() { return acc(n) * (n != null ==> n.p()); } "
        "pure int f() requires p(); decreases p(); { return 1 + f(); } }",
        "class C { void m(int n) { int k := n; while (k != 0) decreases k; { k := k - 1; } } }",
    ],
)
def test_a_measure_that_does_not_get_smaller_is_refuted(text: str) -> None:
    assert "refuted" in verdicts(text).values()


def test_several_mistakes_are_told_at_once() -> None:
    assert len(problems("int x := ; int y := 1 int z := y +;")) >= 2


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.cool")), ids=lambda p: p.stem)
def test_examples_are_verified_by_both_engines(path: Path) -> None:
    done = pitviper.verify(path, options=VerifyOptions(backend="both"))
    assert done.front.accepted, done.diagnostics
    assert done.verdict.value == "verified", [f.message for f in done.findings]


def test_a_stale_iterator_is_refused_by_both_engines() -> None:
    text = (EXAMPLES / "iterator.cool").read_text()
    stale = text.replace("assert i2.valid();", "l.add(o); assert i2.valid();")
    for backend in ("symbolic", "vcg"):
        found = messages(stale, backend=backend)
        assert found[0] == "Assert might fail. Assertion i2.valid() might not hold."


def test_the_body_of_a_pure_method_is_known_in_its_class_only() -> None:
    text = """
    class C { pure int two() { return 2; } void m() { assert two() == 2; } }
    C c := new C();
    assert c.two() == 2;
    """
    for backend in ("symbolic", "vcg"):
        assert verdicts(text, backend=backend)["C.m"] == "verified"
        assert verdicts(text, backend=backend)["main"] == "refuted"


def test_untouched_has_to_be_proved() -> None:
    text = """
    class C {
      int n;
      predicate valid() { return acc(n); }
      void m() requires valid(); ensures valid() && untouched(valid()); { n := n + 1; }
      void k() requires valid(); ensures valid() && untouched(valid()); { n := n; }
    }
    """
    for backend in ("symbolic", "vcg"):
        found = verdicts(text, backend=backend)
        assert (found["C.m"], found["C.k"]) == ("refuted", "verified")
    assert "untouched(this.valid())" in messages(text)[0]


def test_a_class_has_to_keep_the_promise_of_its_interface() -> None:
    text = """
    interface I { int m(int a) requires a > 0; ensures result > a; }
    class Good implements I { int m(int a) { return a + 1; } }
    class Bad implements I { int m(int a) requires a > 0; ensures result >= a; { return a; } }
    """
    found = verdicts(text)
    assert found["Good.m"] == "verified"
    assert found["Bad.m"] == "verified"
    assert found["Bad.m as I.m"] == "refuted"


def test_choices_are_arbitrary() -> None:
    assert verdicts("int x := *; assert x * x >= 0;")["main"] == "verified"
    assert verdicts("int x := *; assert x == 0;")["main"] == "refuted"
    assert verdicts("int x; x :| x > 3 && x < 4;")["main"] == "refuted"


def test_stars_between_numbers_multiply_and_else_separate() -> None:
    text = """
    class C {
      int a; int b;
      predicate p() { return acc(a) * acc(b) * a == 2 * b; }
      void bad() requires acc(a) * acc(a); { assert false; }
    }
    """
    assert set(verdicts(text).values()) == {"verified"}


def test_arrays_have_bounds_and_lengths() -> None:
    text = """
    int[] a := new int[3];
    assert a.length == 3 && a[1] == 0;
    a[1] := 5;
    assert a[1] == 5 && a[2] == 0;
    """
    assert verdicts(text)["main"] == "verified"
    (message,) = messages("int[] a := new int[3]; int i := *; a[i] := 1;")
    assert message == "The element might not exist. Index i might be negative."


@pytest.mark.parametrize(
    ("example", "right", "wrong", "message"),
    [
        ("bank", "balance := balance - amount", "balance := balance - amount - 1",
         "Postcondition of Account.withdraw might not hold. "
         "this.valid() says this.balance >= 0, which might not hold."),
        ("ring_buffer", "count := count + 1", "count := count + 2",
         "Postcondition of RingBuffer.put might not hold. "
         "this.valid() says this.count <= this.slots.length, which might not hold."),
        ("stack", "items := items[1..]", "items := items[0..]",
         "Postcondition of Stack.pop might not hold. "
         "Assertion this.contents() == old(this.contents()[1..]) might not hold."),
        ("lazy_cache", "known := n * n;", "known := n + n;",
         "Postcondition of Square.get might not hold. "
         "this.valid() says this.isKnown ==> this.known == this.n * this.n, which might not hold."),
        ("observer", "observer.notify(v)", "observer.notify(v + 1)",
         "Postcondition of Subject.change might not hold. "
         "this.valid() says this.observer.last() == this.value, which might not hold."),
        ("sorted_list", "if (next.first() <= v)", "if (next.first() >= v)",
         "The precondition of method Node.insert might not hold. "
         "Assertion this.first() <= v might not hold."),
        ("visitor", "return a + b", "return a - b",
         "Postcondition of Sum.eval might not hold. "
         "Assertion result == this.value() might not hold."),
        ("sorted_list", "Node rest := head; head := new Node(v, rest)", "head := new Node(v, null)",
         "Postcondition of SortedList.add might not hold. "
         "Assertion this.length() == old(this.length()) + 1 might not hold."),
    ],
)  # fmt: skip
def test_wrong_twins_are_refuted(example: str, right: str, wrong: str, message: str) -> None:
    text = (EXAMPLES / f"{example}.cool").read_text()
    assert right in text
    assert message in messages(text.replace(right, wrong))


def test_a_wrong_union_find_is_refuted() -> None:
    text = (
        (EXAMPLES / "union_find.cool").read_text().replace("leader[k] := to", "leader[k] := from")
    )
    (message,) = messages(text, select=("UnionFind.merge",))
    assert message.startswith("Loop invariant")


@pytest.mark.slow
def test_a_node_that_a_visitor_passes_over_is_refuted() -> None:
    text = (EXAMPLES / "expressions.cool").read_text().replace("v.inner(); inside", "inside")
    (message,) = messages(text, select=("Negation.accept",))
    assert message == (
        "Postcondition of Negation.accept might not hold. "
        "Assertion v.seen() == old(v.seen()) + old(this.nodes()) might not hold."
    )


def test_a_return_in_a_loop_leaves_the_method() -> None:
    text = """
    class C {
      int find(int[] a, int v)
        requires a != null * acc(a.elems);
        ensures acc(a.elems) && (result >= 0 ==> result < a.length && a[result] == v);
      {
        int i := 0;
        while (i < a.length)
          invariant acc(a.elems) && 0 <= i && i <= a.length;
        { if (a[i] == v) { return i; } i++; }
        return -1;
      }
      int wrong(int k) ensures result > 0; { while (k > 0) { return 0; } return 2; }
    }
    """
    assert verdicts(text, backend="both") == {"C.find": "verified", "C.wrong": "refuted"}


def test_a_join_is_a_cut() -> None:
    text = """
    class C {
      int n; int k;
      predicate valid() { return acc(n) * acc(k); }
      pure int get() requires valid(); { return n; }
      void m(int a, int b) requires valid() && a > 0; ensures valid() && get() >= old(get());
      {
        if (a > 3) { n := n + 1; } else { n := n + 2; }
        join valid() && get() >= old(get());
        assert a > 0;
        if (b > 3) { n := n + 1; } else { n := n + 2; }
      }
      void forgets() requires valid(); { n := 3; join valid(); assert get() == 3; }
      void fails() requires valid(); { n := 3; join valid() && get() == 4; }
    }
    """
    for backend in ("symbolic", "vcg"):
        found = verdicts(text, backend=backend)
        assert found["C.m"] == "verified"
        assert (found["C.forgets"], found["C.fails"]) == ("refuted", "refuted")
    assert "Join might fail. Assertion this.get() == 4 might not hold." in messages(text)


def test_a_join_stands_where_all_ways_meet() -> None:
    (problem,) = problems("int x := *; if (x > 0) { join true; }")
    assert problem == "a `join` stands where all ways meet: not inside of an `if`"


def test_a_join_keeps_what_types_tell() -> None:
    text = """
    interface I { pure int f(); }
    class A implements I { pure int f() { return 1; } void m() { join true; assert f() == 1; } }
    class B implements I { pure int f() { return 2; } }
    """
    assert set(verdicts(text, backend="both").values()) == {"verified"}


def test_a_close_that_nobody_wrote_is_told_as_what_asked_for_it_by_both_engines() -> None:
    text = COUNTER.replace("return acc(n);", "return acc(n) && n <= 3;")
    told = [
        "Postcondition of Counter.inc might not hold. "
        "this.valid() says this.n <= 3, which might not hold."
    ]
    assert [messages(text, backend=b) for b in ("symbolic", "vcg", "both")] == [told] * 3


SOME_PATHS = """
class C {
  int n;
  predicate valid() { return acc(n) && n >= 0; }
  pure int get() requires valid(); { return n; }
  void m(int a)
    requires valid() && a > 0;
    ensures valid() && get() >= 1;
  { if (a > 3) { n := a - 4; } else { step(); } n := n + 1; }
  void step() requires valid(); ensures valid(); { n := n + 1; }
}
"""


def test_what_is_opened_on_some_paths_only_is_opened_for_both_engines() -> None:
    assert set(verdicts(SOME_PATHS, backend="both").values()) == {"verified"}
    wrong = SOME_PATHS.replace("get() >= 1", "get() >= 2")
    assert verdicts(wrong, backend="both") == {**verdicts(SOME_PATHS), "C.m": "refuted"}


def test_a_condition_that_needs_a_failing_close_is_refuted() -> None:
    text = SOME_PATHS.replace("step(); }", "n := n - 1; if (get() > 3) { n := 1; } }")
    assert verdicts(text, backend="both")["C.m"] == "refuted"
    (told,) = [message for message in messages(text, backend="both") if "this.n >= 0" in message]
    assert told == (
        "The precondition of pure method C.get might not hold. "
        "this.valid() says this.n >= 0, which might not hold."
    )


def test_a_close_that_is_written_is_told_as_it_is() -> None:
    text = COUNTER.replace("return acc(n);", "return acc(n) && n <= 3;")
    text = text.replace("n := n + by;", "open valid(); n := n + by; close valid();")
    told = ["Closing this.valid() might fail. Assertion this.n <= 3 might not hold."]
    assert messages(text, no_inference=True, select=("Counter.inc",)) == told


CELL = """
class Cell {
  int x;
  predicate valid() { return acc(x); }
  Cell() ensures valid(); { }
  void set(int v) requires valid(); ensures valid(); { x := v; }
"""


@pytest.mark.parametrize(
    ("text", "message", "cure"),
    [
        (CELL + "int r() requires valid(); { int k := x; } }",
         "`Cell.r` has a result, and its body has no `return`", "write `return ...;` at its end"),
        (CELL + "} Cell c := new Cell(); c.set(1, 2);",
         "`Cell.set` takes 1 argument, found 2", "it is declared as `set(int v)`"),
        (CELL + "} Cell c := new Cel();", "there is no class `Cel`", "did you mean `Cell`?"),
        ("class A { boolean b; }", "there is no class `boolean`", "write `bool`"),
        ("int x := 1; x = 2;", "`=` has no meaning here", "write `:=` to assign"),
        ("int x := 1", "expected `;` after this", "end in `;`"),
        ("class A { public int x; }", "expected a field or a method, found `public`",
         "leave `public` out"),
        ("class A extends B { }", "expected `{`, found `extends`", "classes do not inherit"),
        ("for (int i := 0; i < 3; i++) { }", "expected a statement, found `for`", "while (i < 3)"),
        ("interface S { pure int a(); } class Q implements S { }",
         "class `Q` lacks pure method `a` of `S`", "write `pure int a() ...` into the class"),
    ],
)  # fmt: skip
def test_newcomers_are_told_the_cure(text: str, message: str, cure: str) -> None:
    first = pitviper.check(text, name="it.cool").errors[0]
    assert first.message == message
    assert first.help is not None
    assert cure in first.help


def test_words_of_ghost_operations_can_be_names_of_methods() -> None:
    text = """
    class Door {
      bool isOpen;
      Door() ensures valid(); { }
      predicate valid() { return acc(isOpen); }
      void open() requires valid(); ensures valid(); { open valid(); isOpen := true; }
      void set() requires valid(); ensures valid(); { this.open(); }
    }
    set<int> s := set<int>(1, 2); assert 1 in s;
    Door d := new Door(); d.open(); d.set();
    """
    assert set(verdicts(text).values()) == {"verified"}


def test_elements_and_ranges_are_told_as_they_are_written() -> None:
    text = """
    int[] a := new int[3]; int n := a.length;
    assert forall int i in 0..n :: a[i] > 0;
    """
    (message,) = messages(text)
    assert message == (
        "Assert might fail. Assertion (forall int i in 0..n :: a[i] > 0) might not hold."
    )


def test_a_call_of_the_other_branch_is_not_blamed() -> None:
    text = (EXAMPLES / "sorted_list.cool").read_text()
    text = text.replace("if (next.first() <= v)", "if (next.first() >= v)")
    done = pitviper.verify(text, name="it.cool")
    assert done.findings
    assert not any("may have changed" in (f.advice or "") for f in done.findings)
