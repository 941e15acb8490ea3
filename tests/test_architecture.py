"""The drawing in docs/architecture.md, the folders, their docstrings and the contracts agree."""

from __future__ import annotations

import ast
import re
import tomllib
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "pitviper"
DRAWING = ROOT / "docs" / "architecture.md"
FOLDERS = sorted(file.parent for file in PACKAGE.rglob("__init__.py"))
MOST_MODULES = 25
NAMES = [str(folder.relative_to(ROOT)) for folder in FOLDERS]


def modules(folder: Path) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.py") if file.stem != "__init__")


def drawn_folders() -> dict[str, str]:
    """The folders of the first drawing, each with what the drawing says about it."""
    text = DRAWING.read_text()
    block = text.split("```text\n", 1)[1].split("```", 1)[0]
    found: dict[str, str] = {}
    path: list[str] = []
    for line in block.splitlines():
        match = re.match(r"( *)([a-z0-9_]+)/ +(\S.*)", line)
        if match is None:
            continue
        path[len(match[1]) // 2 :] = [match[2]]
        found["/".join(path)] = match[3]
    return found


def layers() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    listed = next(c for c in contracts if c["name"] == "data flows one way")["layers"]
    return [name.strip() for row in listed for name in row.split("|")]


def test_every_folder_is_drawn_and_every_drawn_folder_is_there() -> None:
    there = {str(folder.relative_to(PACKAGE)) for folder in FOLDERS} - {"."}
    assert set(drawn_folders()) == there


def test_the_drawing_has_the_order_of_the_import_contract() -> None:
    assert [name for name in drawn_folders() if "/" not in name] == layers()


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_a_folder_is_not_crowded_and_has_no_prefixes(folder: Path) -> None:
    names = modules(folder)
    assert len(names) <= MOST_MODULES
    first_words = [name.strip("_").split("_")[0] for name in names]
    assert len(set(first_words)) == len(first_words)


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_a_folder_says_what_it_is_for(folder: Path) -> None:
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))
    assert text is not None
    if folder == PACKAGE:
        return
    assert 3 <= len(text.splitlines()) <= 9
    named = re.findall(r"`([a-z0-9_/]+\.py)`", text)
    assert named, "no file to read first"
    for name in named:
        assert (folder / name).exists() or (PACKAGE / name).exists(), name


def test_files_that_documents_name_are_there() -> None:
    missing = []
    for document in sorted((ROOT / "docs").glob("*.md")):
        for name in re.findall(r"`((?:[a-z0-9_]+/)+[a-z0-9_]+\.py)`", document.read_text()):
            if not any((base / name).exists() for base in (PACKAGE, ROOT)):
                missing.append(f"{document.name}: {name}")
    assert missing == []


def ways() -> dict[str, list[str]]:
    """The lists of files below the headings of the section about the ways of data."""
    section = DRAWING.read_text().split("## The four ways", 1)[1].split("\n## ", 1)[0]
    found = {}
    for part in section.split("\n### ")[1:]:
        title, _, rest = part.partition("\n")
        found[title.strip("` ")] = re.findall(r"^\d+\. `([a-z0-9_/]+\.py)`", rest, re.MULTILINE)
    return found


def test_the_four_ways_are_written_down() -> None:
    assert set(ways()) == {"verify", "counterexample", "debug", "explore"}


@pytest.mark.parametrize("command", ["verify", "counterexample", "debug", "explore"])
def test_a_way_never_goes_back_to_a_layer_that_it_has_left(command: str) -> None:
    files = ways()[command]
    assert len(files) >= 8
    for name in files:
        assert (PACKAGE / name).exists(), name
    visited = [name.split("/")[0] for name in files]
    stays = [name for name, following in pairwise([*visited, ""]) if name != following]
    assert len(set(stays)) == len(stays)


BENCHES = sorted((ROOT / "bench").glob("*.py"))


@pytest.mark.parametrize("bench", BENCHES, ids=[bench.stem for bench in BENCHES])
def test_what_a_bench_imports_is_there(bench: Path) -> None:
    """Nobody runs the benches in CI; a module that moved would be noticed when they are needed."""
    imports = [n for n in ast.walk(ast.parse(bench.read_text())) if isinstance(n, ast.ImportFrom)]
    ours = [n for n in imports if (n.module or "").split(".")[0] == "pitviper"]
    for statement in ours:
        module = import_module(statement.module or "")
        for name in statement.names:
            there = hasattr(module, name.name) or find_spec(f"{statement.module}.{name.name}")
            assert there, f"{statement.module} has no {name.name}"


def test_protections_that_are_removed_to_try_their_tests_are_there() -> None:
    """A removal whose text has changed removes nothing, and its test is content for no reason."""
    spec = spec_from_file_location("removals", ROOT / "bench" / "removals.py")
    assert spec is not None and spec.loader is not None
    removals = module_from_spec(spec)
    spec.loader.exec_module(removals)
    places = {r.item: (PACKAGE / r.file).read_text().count(r.old) for r in removals.REMOVALS}
    assert len(places) > 50
    assert [item for item, count in places.items() if not count] == []
