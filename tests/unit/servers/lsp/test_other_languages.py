"""What the editor offers in a program of the object language is in its words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lsprotocol import types as lsp

pytest.importorskip("pygls.lsp.client", reason="pygls is not installed")

from pitviper.servers.lsp.answers.completion import completions, signature_at
from pitviper.servers.lsp.answers.names import hover, meaning_at
from pitviper.servers.lsp.answers.structure import folding, outline, selection
from pitviper.servers.lsp.answers.tokens import TOKEN_TYPES, semantic_tokens
from pitviper.servers.lsp.protocol.positions import offset_of
from pitviper.servers.lsp.texts.document import Analysis, Document

TEXT = """\
class Cell {  // whatever it holds
  int x; /* a number */
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
    assert found.isdisjoint({"whatever", "holds", "number"})  # of comments


def test_only_names_behind_a_dot(tmp_path: Path) -> None:
    found = offered(tmp_path, "other.pu")
    assert {"put", "valid", "x"} <= found
    assert found.isdisjoint({"while", "open", "pu"})


NAMES = """\
interface Shape { predicate valid(); pure int area() requires valid(); }
class Square implements Shape {
  int side; Square next;
  Square(int n) ensures valid(); { side := n; }
  predicate valid() { return acc(side) && acc(next); }
  pure int area() { return side * side; }
  int grow(int by) requires valid(); ensures valid();
  { int was := side; side := was + by; Square other := new Square(was); return other.area(); }
}
class Box { int side; }
Square s := new Square(2);
assert s.area() >= 0;
"""


def analysed(tmp_path: Path, text: str = NAMES) -> Analysis:
    return Document((tmp_path / "shape.cool").as_uri(), text, 1).current()


def renamed(tmp_path: Path, name: str, number: int, new: str) -> str:
    """The text in which the name at a place has become another one, wherever it is meant."""
    analysis = analysed(tmp_path)
    at = [m.start() for m in re.finditer(rf"\b{name}\b", NAMES)][number]
    declared = meaning_at(analysis, at)
    assert declared is not None
    text = NAMES
    for use in reversed(analysis.index.uses(declared)):
        text = text[: use.start] + new + text[use.end :]
    return text


def test_a_field_is_renamed_in_its_own_class_only(tmp_path: Path) -> None:
    text = renamed(tmp_path, "side", 0, "edge")
    assert text.count("edge") == 7 and "class Box { int side; }" in text


def test_a_method_is_renamed_with_that_of_its_interface(tmp_path: Path) -> None:
    for number in range(4):
        assert re.search(r"\barea\b", renamed(tmp_path, "area", number, "size")) is None


def test_a_class_is_renamed_with_its_constructor_and_types(tmp_path: Path) -> None:
    text = renamed(tmp_path, "Square", 0, "Tile")
    assert "Square" not in text and "Tile(int n)" in text and "new Tile(2)" in text


def test_a_variable_leads_to_its_declaration(tmp_path: Path) -> None:
    shown = hover(analysed(tmp_path), NAMES.index("was + by"), None)
    assert shown is not None and isinstance(shown.contents, lsp.MarkupContent)
    assert shown.contents.value == "```cool\nint was\n```\n\nvariable of `Square.grow`"


def test_signatures_are_those_of_the_language(tmp_path: Path) -> None:
    found = signature_at(analysed(tmp_path), NAMES.index("new Square(2") + len("new Square(2"))
    assert found is not None and found.signatures[0].label == "Square(int n)"


def test_the_outline_has_classes_with_their_members(tmp_path: Path) -> None:
    shape, square, box = outline(analysed(tmp_path))
    assert (shape.name, square.name, box.name) == ("Shape", "Square", "Box")
    inside = [child.name for child in square.children or ()]
    assert inside == ["side", "next", "Square", "valid", "area", "grow"]
    assert [(f.start_line, f.end_line) for f in folding(analysed(tmp_path))] == [(1, 8), (6, 7)]


def test_words_and_names_are_coloured(tmp_path: Path) -> None:
    data = semantic_tokens(analysed(tmp_path, "class Cell { int field; } // it\n"))
    kinds = [TOKEN_TYPES[kind] for kind in data[3::5]]
    assert kinds == ["keyword", "class", "keyword", "property", "comment"]


def test_names_of_half_a_program_are_known(tmp_path: Path) -> None:
    text = NAMES.replace("side := was + by;", "side := was + ;")
    declared = meaning_at(analysed(tmp_path, text), text.index("side * side"))
    assert declared is not None and declared.text == "int side"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.cool", "class C {\n  int f;\n  void m(int n) { f := (n + 1); }\n}\n"),
        ("a.vpr", "method m(n: Int) {\n  var f: Int := (n + 1)\n  if (\n}\n"),
    ],
)
def test_selection_grows_without_a_tree(tmp_path: Path, name: str, text: str) -> None:
    document = Document((tmp_path / name).as_uri(), text, 1)
    analysis = document.current()
    found: lsp.SelectionRange | None = selection(analysis, text.index("n + 1"))
    chosen = []
    while found is not None:
        ends = [offset_of(analysis.source, at) for at in (found.range.start, found.range.end)]
        chosen.append(text[ends[0] : ends[1]])
        found = found.parent
    assert chosen[:2] == ["n", "(n + 1)"]
    assert chosen[-1] == text
    assert len(chosen) == len(set(chosen))
