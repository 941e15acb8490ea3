"""What pages of the documentation show is what happens."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitviper.results.catalogue import known_ids
from pitviper.views import ids
from tests.pages import pictures, reference
from tests.pages.run import ROOT, agrees, check_page, commands_of, pages, typed, update_page

PAGES = pages()


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_a_page_shows_what_happens(page: Path) -> None:
    check_page(page)


def test_seconds_and_gaps_may_differ_and_nothing_else() -> None:
    assert agrees("a (0.1 s)\n", "a (23 s)\n")
    assert agrees("  verified   method m\n", "  verified   method m (1.2 s)\n")
    assert agrees("a\n...\nd\n", "a\nb\nc\nd\n")
    assert agrees("a\n...\nd\n", "a\nd\n")
    ended, done = "fails m: {} runs\n   open: --first\n", "fails m: {} runs\n"
    assert agrees(ended.format(8), ended.format(9))
    assert not agrees(done.format(8), done.format(9))
    assert not agrees("a\n", "b\n")
    assert not agrees("a\n", "a\nb\n")
    assert not agrees("a\n...\nd\n", "a\nb\n")


def test_commands_and_their_output() -> None:
    assert commands_of("$ one\nx\ny\n$ two\n") == [("one", "x\ny\n"), ("two", "")]


def test_an_indented_block_stays_indented(tmp_path: Path) -> None:
    page, command = tmp_path / "page.md", "    ```console\n    $ printf 'a\\n\\nb\\n'\n"
    page.write_text(f"??? note\n\n{command}    old\n    ```\n")
    update_page(page)
    assert page.read_text() == f"??? note\n\n{command}    a\n\n    b\n    ```\n"


def test_python_of_the_page_about_the_debugger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/debugger.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "debugger.md", "exec"), {})


def test_each_lesson_has_an_answer() -> None:
    lessons = sorted((ROOT / "docs/tutorial").glob("[0-9]*.md"))
    texts = [lesson.read_text() for lesson in lessons]
    assert [text.count("**To try.**") for text in texts] == [1] * 12
    assert [text.count('??? note "Answer"') for text in texts] == [1] * 12


def texts_of(svg: str) -> list[str]:
    """What can be read in a picture; coordinates depend on the fonts of the machine."""
    return [html.unescape(text) for text in re.findall(r"<text [^>]*>([^<]*)</text>", svg)]


def test_the_picture_of_the_readme_is_what_the_tool_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = (ROOT / "docs/pictures/tour.svg").read_text()
    assert "docs/pictures/tour.svg" in (ROOT / "README.md").read_text()
    monkeypatch.chdir(tmp_path)
    typed("pitviper tour --write tour")
    typed("pitviper counterexample --svg new.svg tour/transfer.vpr")
    assert texts_of((tmp_path / "new.svg").read_text()) == texts_of(kept)
    assert any("amount <= account.balance is false" in text for text in texts_of(kept))


@pytest.mark.parametrize("name", sorted(pictures.GRAPHS))
def test_a_picture_of_the_documentation_is_what_the_tool_draws(name: str, tmp_path: Path) -> None:
    pictures.draw(name, tmp_path / "new.svg")
    kept = (pictures.PICTURES / f"{name}.svg").read_text()
    assert texts_of((tmp_path / "new.svg").read_text()) == texts_of(kept)


def test_links_of_pages_lead_somewhere() -> None:
    broken = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


@pytest.mark.parametrize("name", sorted(reference.PAGES))
def test_the_reference_is_that_of_the_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    made = reference.PAGES[name]()
    same = (ROOT / "docs/reference" / name).read_text() == made
    assert same, "run `python -m tests.pages.reference`: options or ids have changed"


def test_the_page_that_ids_link_to_is_that_of_the_program() -> None:
    kept = ids.PAGE.read_text(encoding="utf-8")
    assert kept == reference.ids_page(), "run `python -m tests.pages.reference`"
    anchors = set(re.findall(r'<h3 id="([^"]+)"', kept))
    assert {*known_ids()} <= anchors


def test_the_documentation_builds(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert (tmp_path / "site/tutorial/12-wands/index.html").exists()


def test_every_page_can_be_found() -> None:
    """It is in the navigation, or on purpose it is not."""
    listed = (ROOT / "mkdocs.yml").read_text()
    pages = [str(p.relative_to(ROOT / "docs")) for p in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if page not in listed] == []


def matches(value: object, schema: dict[str, Any], definitions: dict[str, Any]) -> bool:
    """Says whether a value fits a JSON schema, as far as ours uses the language of schemas."""
    if "$ref" in schema:
        return matches(value, definitions[schema["$ref"].rsplit("/", 1)[1]], definitions)
    if "oneOf" in schema:
        return sum(matches(value, one, definitions) for one in schema["oneOf"]) == 1
    if "enum" in schema:
        return value in schema["enum"]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(isinstance(value, KINDS[kind]) for kind in kinds):
        return False
    if isinstance(value, dict):
        known = schema.get("properties", {})
        more = schema.get("additionalProperties")
        parts = [(v, known.get(name, more)) for name, v in value.items()]
        there = all(name in value for name in schema.get("required", ()))
        return there and all(s is None or matches(v, s, definitions) for v, s in parts)
    if isinstance(value, list) and "items" in schema:
        return all(matches(one, schema["items"], definitions) for one in value)
    return True


KINDS: dict[str, Any] = {
    "array": list, "boolean": bool, "integer": int, "null": type(None), "number": (int, float),
    "object": dict, "string": str,
}  # fmt: skip


def test_json_is_as_its_schema_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = json.loads((ROOT / "docs/reference/schema.json").read_text())
    monkeypatch.chdir(tmp_path)
    (tmp_path / "open.vpr").write_text(
        "method hard(a: Int, b: Int, c: Int) requires a > 2 && b > 2 && c > 2\n"
        "{ assert a * a * a + b * b * b != c * c * c }"
    )
    broken = sorted((ROOT / "examples/broken").glob("*.vpr"))
    files = " ".join(map(str, [*broken, "open.vpr"]))
    printed = typed(f"pitviper verify --assertTimeout 20000 --format json {files}")
    objects = [json.loads(line) for line in printed.splitlines()]
    assert {one["kind"] for one in objects} == {"finding", "undecided", "result"}
    for one in objects:
        assert matches(one, schema, schema["$defs"]), one
        assert not matches({**one, "kind": "other"}, schema, schema["$defs"])
        if one["kind"] == "finding":
            assert set(one) == set(schema["$defs"]["finding"]["properties"])


def test_the_search_as_a_graph_is_as_its_schema_says(tmp_path: Path) -> None:
    schema = json.loads((ROOT / "docs/reference/search-schema.json").read_text())
    written = tmp_path / "graph.json"
    typed(f"pitviper explore --graph {written} {ROOT / 'examples/explore/two_branches.vpr'}")
    graph = json.loads(written.read_text())
    assert matches(graph, schema, schema["$defs"])
    assert not matches({**graph, "version": 2}, schema, schema["$defs"])
    (method,) = graph["methods"]
    first, failed, other = method["nodes"]
    assert first["parent"] is None and failed["parent"] == 0
    assert failed["inputs"] == {"a": "11", "b": "23"}
    assert [(c["text"], c["line"], c["holds"]) for c in failed["condition"]] == [
        ("if (a > 10)", 4, False),
        ("if (b > a * 2)", 5, False),
    ]
    assert failed["id"] == "assert.failed:assertion.false"
    assert (other["status"], other["id"]) == ("passed", "")
