"""What the editor offers in a program of the object language is in its words."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls.lsp.client", reason="pygls is not installed")

from pitviper.servers.lsp.answers import completions
from pitviper.servers.lsp.document import Document

TEXT = """\
class Cell {
  int x;
  predicate valid() { return acc(x); }
  void put(Cell other) requires valid(); ensures valid(); { x := 1; other.pu; wh }
}
"""


def offered(tmp_path: Path, behind: str) -> set[str]:
    document = Document((tmp_path / "cell.cool").as_uri(), TEXT, 1)
    offset = TEXT.index(behind) + len(behind)
    return {item.label for item in completions(document.current(), offset)}


def test_words_of_the_language_and_names_of_the_file(tmp_path: Path) -> None:
    found = offered(tmp_path, "; wh")
    assert {"while", "open", "class", "Cell", "x", "valid", "put", "other"} <= found
    assert found.isdisjoint({"fold", "method", "function", "Ref", "Int", "method …", "wh"})


def test_only_names_behind_a_dot(tmp_path: Path) -> None:
    found = offered(tmp_path, "other.pu")
    assert {"put", "valid", "x"} <= found
    assert found.isdisjoint({"while", "open", "pu"})
