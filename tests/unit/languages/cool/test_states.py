"""States that are shown for a wrong program: possible ones, in words of the object language."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.cli.main import main

PROGRAMS = Path(__file__).parent / "programs"
EXAMPLES = Path(__file__).parents[4] / "examples" / "cool"

NULL_RECEIVER = """
class Stack {
  Node head;
  predicate valid() { return acc(head) && (head != null ==> head.list()); }
  int top() requires valid(); ensures valid(); { return head.value(); }
}
class Node {
  int item;
  predicate list() { return acc(item); }
  int value() requires list(); ensures list(); { return item; }
}
"""


def told(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = folder / "it.cool"
    file.write_text(text)
    assert main(["counterexample", str(file)]) == 1
    return capsys.readouterr().out


def test_a_receiver_that_is_null_is_said_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = told(NULL_RECEIVER, tmp_path, capsys)
    assert "line 5 fails: the receiver this.head is null" in shown
    assert "null != null" not in shown


def test_no_tree_is_a_part_of_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Trees that nobody looked into count, too: their fields are held once."""
    text = (PROGRAMS / "tree.cool").read_text()
    shown = told(text.replace("left.put(k, v);", "right.put(k, v);"), tmp_path, capsys)
    states = [state for state in shown.split("counterexample ") if "Tree1.tree()" in state]
    assert len(states) == 3 and shown.count("confirmed: evaluated") == 3
    for state in states:
        links = [
            line.split()[-1]
            for line in state.splitlines()
            if (".left" in line or ".right" in line) and not line.endswith("null")
        ]
        assert len(links) == len(set(links)), state


def test_what_the_verifier_derived_is_told_without_names_of_ours() -> None:
    from pitviper.driver.counterexample.retelling import _plainly

    why = "true of the values in this state; others were not computed"
    derived = "(forall i: Int :: 0 <= i ==> old[debug@2](this.leader).length%precondition())"
    assert _plainly(f"{derived}: {why}") == f"a fact that the verifier derived: {why}"
    assert _plainly(f"this.n > 0: {why}") == f"this.n > 0: {why}"


def test_two_parts_of_an_expression_are_two_objects(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both classes hold a field of their own, which is not known from the other one."""
    text = EXAMPLES.joinpath("visitor.cool").read_text().replace("return a + b", "return a - b")
    shown = told(text, tmp_path, capsys)
    (left,) = [line.split()[-1] for line in shown.splitlines() if "Sum1.left inside" in line]
    (right,) = [line.split()[-1] for line in shown.splitlines() if "Sum1.right inside" in line]
    assert left != right


def test_one_object_is_held_twice_where_a_class_holds_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then one may be both: no state is excluded that there is."""
    text = """interface E { predicate v(); }
class None implements E { predicate v() { return true; } }
class Some implements E { int x; predicate v() { return acc(x); } }
class Client { void m(E a, E b) requires a.v() && b.v(); { assert a != b; } }
"""
    assert "a != b is false (E2 != E2)" in told(text, tmp_path, capsys)
