"""Debugger and counterexamples of the object language: they speak it and read it."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
from pitviper.base.usage_error import UsageError
from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.driver.debug.debugging import DebugSession, open_debugger
from pitviper.results.counterexample import Counterexample
from pitviper.results.debugging import HeldView
from tests.unit.languages.cool.twins import TWINS

CELL = """
class Cell {
  int x;
  Cell(int v) ensures valid() * getX() == v; { x := v; }
  void setX(int v)
    requires valid();
    ensures valid() * getX() == v + 1;
  { x := v; }
  predicate valid() { return acc(this.x); }
  pure int getX() requires valid(); { return x; }
}
"""


@pytest.fixture(scope="module")
def session() -> DebugSession:
    return open_debugger(CELL, name="cell.cool")


def outcome(session: DebugSession, line: str) -> str:
    (*_, reply) = session.execute(line)
    return str(reply.proof.outcome.value)  # type: ignore[union-attr]


def test_an_instance_shows_what_is_inside(session: DebugSession) -> None:
    """Figure 9 of the paper: after `x := v; close valid();` the contents of `valid()` are v."""
    (reply,) = session.execute("show old")
    held = HeldView("this@0.valid()", None, "write", contents=(("x", "v@0"),))
    assert repr(held) in repr(reply)


def test_expressions_of_the_file_can_be_typed_in(session: DebugSession) -> None:
    assert outcome(session, "assert getX() == v") == "proved"
    assert outcome(session, "assert this.getX() == v@0") == "proved"
    assert outcome(session, "assert opening valid() in x == v") == "proved"
    assert outcome(session, "assert getX() == old(getX())") != "proved"
    session.execute("reset")


def test_mistakes_are_told_in_words_of_the_file(session: DebugSession) -> None:
    (reply,) = session.execute("assert getY() == v")
    assert "has no method `getY`" in str(reply)
    (reply,) = session.execute("assert x@7 == v")
    assert "there is no `x@7`" in str(reply)


def found(text: str, tmp_path: Path, **chosen: object) -> Counterexample:
    path = tmp_path / "cell.cool"
    path.write_text(text)
    options = CounterexampleOptions(**chosen)  # type: ignore[arg-type]
    (result,) = counterexamples(path, options).results
    assert isinstance(result, Counterexample)
    return result


def test_a_counterexample_names_classes(tmp_path: Path) -> None:
    result = found(CELL, tmp_path)
    assert [(v.name, v.type) for v in result.variables] == [("this", "Cell"), ("v", "int")]
    assert result.objects == ("Cell1",)
    assert result.functions[0].text == "Cell1.getX()"


def test_constraints_are_expressions_of_the_file(tmp_path: Path) -> None:
    result = found(CELL, tmp_path, where=("getX() == 7 && v < 8",))
    assert {f.text: f.value.text for f in result.functions}["Cell1.getX()"] == "7"
    with pytest.raises(UsageError, match="no variable or field `y`"):
        found(CELL, tmp_path, where=("y == 7",))


def test_an_object_of_a_counterexample_is_of_one_class() -> None:
    (twin,) = [t for t in TWINS if t.name == "observer"]
    (found,) = pitviper.counterexample(twin.text, name="it.cool").counterexamples
    values = {v.name: v.value.text for v in found.variables}
    (observer,) = [at for at in found.heaps[0].locations if at.field == "observer"]
    assert (values["this"], observer.object, observer.value.text) == (
        "Subject1",
        "Subject1",
        "Observer2",
    )


def test_the_value_of_a_pure_method_at_the_start_is_told_as_old() -> None:
    (twin,) = [t for t in TWINS if t.name == "bank"]
    found = pitviper.counterexample(twin.text, name="it.cool").counterexamples
    told = [f.text for one in found for f in one.functions]
    assert "old(Account1.getBalance())" in told


def test_a_contract_of_another_object_says_which_object_it_speaks_of() -> None:
    """`first() <= v` is about the receiver of the call, and not about that of the caller."""
    twin = next(twin for twin in TWINS if twin.name == "order")
    captions = [
        c.caption for c in pitviper.counterexample(twin.text, name="it.cool").counterexamples
    ]
    assert [text.partition(", where ")[2] for text in captions] == ["this is Node2", "n is Node2"]
