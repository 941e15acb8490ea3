"""States that are shown for a wrong program: possible ones, in words of the object language."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.cli.main import main

PROGRAMS = Path(__file__).parent / "programs"

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
