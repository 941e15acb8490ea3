"""Classes as rooms: what is known outside of a class, in proofs, debugging and counterexamples."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.driver.debug.debugging import open_debugger
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.options import VerifyOptions
from pitviper.languages.cool import opening
from pitviper.program.rooms import known_from

HIDDEN_BODY = """
class C {
  pure int two() { return 2; }
  void m() { assert two() == 2; }
}
C c := new C();
assert c.two() == 2;
"""

FIELDS_IN_CONTRACTS = """
class C {
  int n;
  predicate valid() { return acc(n); }
  C() ensures valid() && n == 3; { n := 3; }
  void dec()
    requires valid() && n > 0;
    ensures valid() && n == old(n) - 1;
  { n := n - 1; }
  pure bool isPositive() requires valid(); ensures result == (n > 0); { return n > 0; }
}
C c := new C();
c.dec();
c.dec();
assert c.isPositive();
"""


def verdicts(text: str, backend: str) -> dict[str, str]:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend=backend))
    assert done.front.accepted, done.diagnostics
    return {name: member.verdict.value for name, member in done.members.items()}


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_contracts_may_read_fields_through_a_predicate(backend: str) -> None:
    assert set(verdicts(FIELDS_IN_CONTRACTS, backend).values()) == {"verified"}
    once_more = FIELDS_IN_CONTRACTS.replace("assert c", "c.dec(); assert c")
    assert verdicts(once_more, backend)["main"] == "refuted"


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_values_of_an_earlier_state_are_not_mixed_up(backend: str) -> None:
    """The same state may be reached from different ones: what is said of both is kept apart."""
    text = """
    class C {
      int n;
      predicate valid() { return acc(n); }
      C() ensures valid(); {}
      bool zero() ensures valid() && n == 0 && result == (old(n) == n); requires valid();
      { bool same := n == 0; n := 0; return same; }
    }
    C c := new C();
    bool a := c.zero();
    bool b := c.zero();
    assert b;
    assert a == b;
    """
    assert verdicts(text, backend)["main"] == "refuted"
    assert verdicts(text.replace("assert a == b;", ""), backend)["main"] == "verified"


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_the_debugger_knows_bodies_of_the_own_class_only(backend: str) -> None:
    session = open_debugger(HIDDEN_BODY, VerifyOptions(backend=backend), name="it.cool")
    assert session.debugger is not None
    assert [error.member for error in session.debugger.errors().errors] == ["main"]


def test_counterexamples_know_bodies_of_the_own_class_only(tmp_path: Path) -> None:
    path = tmp_path / "it.cool"
    path.write_text(HIDDEN_BODY)
    answered = counterexamples(path, CounterexampleOptions())
    assert [result.member for result in answered.results] == ["main"]


def node_classes(count: int) -> str:
    """An interface with so many classes, each of which holds two others."""
    one = """
    class N{n} implements Node {{
      Node a{n}; Node b{n};
      predicate valid() {{ return acc(a{n}) * acc(b{n}) * a{n}.valid() * b{n}.valid(); }}
      pure int size() {{ return 1 + a{n}.size() + b{n}.size(); }}
    }}
    """
    interface = "interface Node { predicate valid(); pure int size() requires valid(); }"
    return "\n".join([interface, *[one.format(n=n) for n in range(count)]])


def test_a_class_knows_its_own_bodies_and_no_others() -> None:
    text = node_classes(3) + "class Other { pure int two() { return 2; } } class None { int x; }"
    program = load_text(text, "it.cool").program
    assert program is not None
    assert [known_from(program, f"N{n}") for n in range(3)] == [{"N0"}, {"N1"}, {"N2"}]
    assert known_from(program, "Node") == known_from(program, "None") == frozenset()
    assert known_from(program, "Other") == frozenset({"Other"})
    assert known_from(program, "") == frozenset()


def test_openings_are_looked_for_along_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many classes are twice the work, whatever else could be opened."""

    def looks(count: int) -> int:
        done: list[object] = []
        look = opening._Room._contents
        with monkeypatch.context() as patched:
            patched.setattr(
                opening._Room, "_contents", lambda *args: done.append(args) or look(*args)
            )
            assert load_text(node_classes(count), "it.cool").accepted
        return len(done)

    assert looks(8) <= 2 * looks(4)
