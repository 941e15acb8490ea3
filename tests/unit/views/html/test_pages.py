"""Reports, pictures and messages."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pitviper.cli.main import main
from pitviper.driver.front.frontend import load
from pitviper.results.exploration import (
    Exploration,
    ExploredRun,
    MethodExploration,
    Picture,
    PictureBlock,
    PictureEdge,
    Static,
    Unreached,
)
from pitviper.results.finding import Finding
from pitviper.results.testcase import TestCase
from pitviper.results.wizard import Colour, ColouredPlace, WizardReport
from pitviper.source.span import SourceFile, Span
from pitviper.views.html.exploration import exploration_html
from pitviper.views.html.wizard import wizard_html
from pitviper.views.pictures.flow import picture_svg
from pitviper.views.remedies import NO_INPUT, with_remedies
from tests.unit.engines.explore.exploring import explored
from tests.unit.engines.explore.pages import checked_page

PROGRAM = """method m(a: Int)
{
  if (a > 3) {
    assert a != 5
  } else {
    if (a > 7) {
      assert true
    }
  }
}
"""

OBJECTS = """field val: Int
field next: Ref
method m(x: Ref, y: Ref, s: Seq[Ref])
  requires acc(x.val, 1/2) && acc(y.val, 1/2) && acc(x.next) && |s| == 1
{
  if (x.next == y) {
    assert x.val == 0 || s[0] != x
  }
}
"""

LOOPS = """method m(n: Int) returns (r: Int)
  requires n < 3
  ensures r != 7
{
  var i: Int := 0
  r := 0
  while (i < n)
    invariant i >= 0
  {
    if (n > 50 && n < 40) {
      r := 7
    }
    i := i + 1
  }
  method_like(n)
}
method method_like(n: Int) { }
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "p.vpr"
    path.write_text(PROGRAM)
    return path


def _page_of(text: str, tmp_path: Path, command: str = "explore") -> str:
    program, page = tmp_path / "p.vpr", tmp_path / "p.html"
    program.write_text(text)
    main([command, str(program), "--runs", "40", "--html", str(page)])
    return page.read_text()


def test_the_page_shows_coverage_and_failures(tmp_path: Path) -> None:
    text = _page_of(PROGRAM, tmp_path)
    page = checked_page(text)

    assert '<tr id="L7" class="no" title="not run">' in text
    assert '<tr id="L4" class="yes" title="2 runs">' in text
    assert '<tr id="L6" class="some"' in text
    assert "assert.failed:assertion.false in line 4" in page.text
    assert page.classes["failure"] == ["section"]
    assert len(page.classes["pv-flow"]) == 1
    assert '<td class="mono">a</td><td class="mono">5</td>' in text
    assert "The search: " in page.text


def test_objects_of_the_input_are_drawn_for_light_and_dark_pages(tmp_path: Path) -> None:
    text = _page_of(OBJECTS, tmp_path)
    page = checked_page(text)

    assert page.classes["light-only"] == page.classes["dark-only"]
    assert len(page.classes["light-only"]) >= 1
    assert "The objects of the input" in page.text


def test_a_text_that_looks_like_html_stays_text(tmp_path: Path) -> None:
    text = PROGRAM.replace("assert true", "assert true // </td><script>alert(1)</script> & <b>")

    assert "</td><script>alert(1)</script> & <b>" in checked_page(_page_of(text, tmp_path)).text


def test_hostile_names_and_messages_stay_text() -> None:
    evil = "</style></title><img src=x onerror=alert(1)>&amp;\"'{{ 7 * 7 }}"
    source = SourceFile(Path(f"{evil}.vpr"), f"{evil}\n")
    span = Span(source, 0, 4)
    finding = Finding("assert.failed", "assertion.false", span, evil, evil)
    test = TestCase(evil, evil, evil, inputs=((evil, evil), (f"x{evil}", "object1")))
    run = ExploredRun(0, -1, evil, finding, "", 1, 1, test, (evil,), (), (evil,))
    other = ExploredRun(1, 0, evil, None, evil)
    flow = Picture(evil, (PictureBlock(0, (f"1: {evil}",), 1, True, (evil,)),))
    static = Static(uninitialised=(evil,))
    method = MethodExploration(
        evil, (run, other), {evil: 2}, (evil,), static=static, picture=flow, inlined=(evil,)
    )
    explored = exploration_html(Exploration(str(source.path), (method,), ((evil, evil),)), evil)
    place = ColouredPlace(span, evil, evil, Colour.RED, bodies=(evil,), doubt=evil, test=test)
    report = WizardReport(str(source.path), (place,), 1, (), (span,), ((evil, evil),))

    for text in (explored, wizard_html(report, evil)):
        page = checked_page(text)
        assert "<img" not in text and "{{ 7 * 7 }}" in page.text
        assert page.text.count("<img src=x onerror=alert(1)>&amp;") >= 5


def test_a_flow_graph_says_statements_as_they_are() -> None:
    lines = (r"1: x := a \N b", "2: assert a < b && c")
    blocks = (PictureBlock(0, lines, 2, True, ("a < b",)), PictureBlock(1, ("return",)))
    edges = (PictureEdge(0, 1, "true", 2), PictureEdge(0, 1, "false", 0))
    drawn = picture_svg(Picture("m", blocks, edges), lambda line: f"#L{line}")
    root = ElementTree.fromstring(drawn)
    words = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    groups = list(root.iter("{http://www.w3.org/2000/svg}g"))
    taken, missed = [g for g in groups if str(g.get("class")).startswith("edge")]

    assert [*lines, "known: a < b", "fails", "return", " true ×2 ", " false ×0 "] == words
    assert [taken.get("class"), missed.get("class")] == ["edge pv-g", "edge pv-r"]
    assert [g.findtext("{http://www.w3.org/2000/svg}title") for g in (taken, missed)] == [
        "true, 2 runs",
        "false, 0 runs",
    ]
    assert picture_svg(Picture("m", blocks, edges)).count("<style>") == 1


def test_a_flow_graph_says_why_no_run_came_somewhere() -> None:
    blocks = (PictureBlock(0, ("1: a",), 1), PictureBlock(1, ("2: b",), why=Unreached.EXCLUDED))
    edges = (PictureEdge(0, 1, "true", 0, Unreached.DEAD),)
    root = ElementTree.fromstring(picture_svg(Picture("m", blocks, edges)))
    titles = [node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}title")]

    assert [t for t in titles if "excluded: no input" in t and "nothing is known" in t]
    assert "true, 0 runs; dead: no way leads here, whatever the inputs are" in titles
    words = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "excluded" in words


def test_colours_on_the_source(tmp_path: Path) -> None:
    text = _page_of(Path("examples/explore/colours.vpr").read_text(), tmp_path, "wizard")
    page = checked_page(text)

    assert '<tr id="L30" class="no" title="inputs make it fail">' in text
    assert '<tr id="L29" class="some" title="not proved, and no failing input is known">' in text
    assert '<tr id="L37" class="yes" title="proved">' in text
    assert "fails with n = 1, x = 10" in page.text
    assert "spurious" in page.text


def test_each_assertion_of_a_line_has_its_own_colour(tmp_path: Path) -> None:
    text = _page_of(
        "method m(a: Int) {\n  assert a == a  assert a != 5\n  assert a <\n    9\n}",
        tmp_path,
        "wizard",
    )
    checked_page(text)

    assert '<mark class="green" title="proved">a == a</mark>  assert <mark class="red"' in text
    assert '<mark class="red" title="inputs make it fail">a &lt;</mark>' in text
    assert text.count('<mark class="red"') == 3


def test_a_yellow_assertion_says_why_and_is_never_done_with_ways_left(tmp_path: Path) -> None:
    span = Span(SourceFile(tmp_path / "p.vpr", "assert a"), 7, 8)
    place = ColouredPlace(
        span, "m", "assert.failed", Colour.YELLOW, covered=0.999, ways=999, left=1, open=("why",)
    )
    text = wizard_html(WizardReport(str(span.file.path), (place,), 1), "assert a")

    assert "999 ways run, 1 more known (99%)" in text
    assert "open: why" in text


def test_the_picture_is_about_statements() -> None:
    picture = explored(LOOPS).picture
    assert picture is not None
    blocks = {block.lines[0]: block for block in picture.blocks}
    edges = {
        (picture.blocks[e.source].lines[-1], picture.blocks[e.target].lines[0]): (e.label, e.runs)
        for e in picture.edges
    }

    assert list(blocks) == [
        "method m", "5: var i: Int := 0", "7: i < n", "10: if (n > 50 && n < 40)", "11: r := 7",
        "13: i := i + 1", "15: method_like(n)", "return",
    ]  # fmt: skip
    assert blocks["11: r := 7"].runs == 0
    assert edges["10: if (n > 50 && n < 40)", "11: r := 7"] == ("true", 0)
    label, runs = edges["7: i < n", "15: method_like(n)"]
    assert label == "false" and runs > 0
    assert edges["13: i := i + 1", "7: i < n"][0] == ""
    assert "i < n" in blocks["10: if (n > 50 && n < 40)"].facts
    assert "3: r != 7" in blocks["return"].lines


def test_the_picture_is_green_and_red_and_black_before_a_run(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, black = tmp_path / "out", tmp_path / "black"
    assert main(["explore", str(program), "--svg", str(out)]) == 1
    assert main(["explore", str(program), "--svg", str(black), "--model"]) == 0
    assert "method m(" in capsys.readouterr().out

    def strokes(path: Path) -> set[str | None]:
        found = ElementTree.parse(path).getroot().iter("{http://www.w3.org/2000/svg}path")
        return {edge.get("stroke") for edge in found}

    assert strokes(out / "m.svg") == {"#1a7f37", "#cf222e"}
    assert strokes(black / "m.svg") == {"#1f2328"}


def test_tests_as_viper_methods_are_a_program(program: Path, tmp_path: Path) -> None:
    written = tmp_path / "t.vpr"
    assert main(["explore", str(program), "--viper-tests", str(written)]) == 1
    tests = load(written)

    assert tests.program is not None
    assert [n for n in tests.program.methods if n.startswith("test_m_")]


def test_json_says_everything(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "--format", "json", str(program)]) == 1
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [o["kind"] for o in objects] == ["failing-run", "explored-method", "exploration"]
    assert objects[0]["inputs"] == {"a": "5"}
    assert objects[1]["complete"] is True
    assert objects[1]["paths"] == 3
    graph = objects[1]["graph"]
    assert graph[0][:2] == [0, -1]
    assert sorted(status for _, _, status in graph) == ["failed", "passed", "passed"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["explore", "nowhere.vpr"], 2),
        (["explore", "--method", "other", "FILE"], 2),
        (["explore", "--html", "FILE/r.html", "FILE"], 2),
        (["wizard", "--html", "FILE/r.html", "FILE"], 2),
        (["replay", "FILE"], 2),
        (["replay", "nowhere.json"], 2),
        (["replay"], 2),
    ],
)
def test_bad_input_gets_a_message(
    arguments: list[str], code: int, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [a.replace("FILE", str(program)) for a in arguments]

    assert main(given) == code
    assert capsys.readouterr().err.startswith("pitviper: error: ")


def test_a_rejected_program_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "p.vpr"
    path.write_text("method m() { x := 1 }")

    assert main(["explore", str(path)]) == 1
    assert main(["wizard", str(path)]) == 1


def test_only_a_search_that_is_over_asks_about_the_precondition() -> None:
    assert with_remedies((NO_INPUT,)) == [f"{NO_INPUT}; is the precondition satisfiable?"]
    assert with_remedies(("interrupted", NO_INPUT)) == ["interrupted", NO_INPUT]
