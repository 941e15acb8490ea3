"""The object language: read, checked and verified in the words of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
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
    (message,) = messages("class C { void m() {} } C c; c.m();")
    assert "this != null" in message


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("int x := y;", "there is no variable or field `y` here"),
        ("class C { int f; } C c := new C(); c.g := 1;", "a `C` has no field `g`"),
        ("int x := true;", "this is a condition (`bool`), expected a number (`int`)"),
        ("class C { predicate p() { return true; } } C c := new C(); open c.p();",
         "the body of `C.p` is known in class `C` only"),
        ("class C { int f } ", "expected `;` behind this"),
        ("class C { pure int f() { return f(); } }",
         "`C.f` might not end: it calls itself about nothing smaller"),
        ("class C { void m(int a) { a := 1; } }", "parameters keep their value"),
        ("class C {} class C {}", "there are two declarations of class `C`"),
    ],
)  # fmt: skip
def test_mistakes_are_told(text: str, problem: str) -> None:
    assert problems(text) == [problem]


def test_several_mistakes_are_told_at_once() -> None:
    assert len(problems("int x := ; int y := 1 int z := y +;")) >= 2


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.cool")), ids=lambda p: p.stem)
def test_examples_are_verified(path: Path) -> None:
    done = pitviper.verify(path)
    assert done.front.accepted, done.diagnostics
    assert done.verdict.value == "verified", [f.message for f in done.findings]
