"""Marks in the source: written where exploration proved, removed without a trace, never silent."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

import pytest

import pitviper
from pitviper.base.usage_error import UsageError
from pitviper.cli.main import main
from pitviper.driver.front.frontend import FrontEnd, load, load_text
from pitviper.driver.wizard.marks import marked_text, rewrite, unmarked_text
from pitviper.plugins.build import all_statements, statements_in
from pitviper.program.stmt import Assert
from pitviper.source.span import Span

MARK = re.compile(r'@verified_under\("true", "[0-9a-f]{12}"\) ')

WEAK = "method same(i: Int) returns (r: Int) { r := i }\n"

PROVED = (
    WEAK
    + """method m(i: Int) // @verified_under("true") in a comment
{
  var r: Int
  r := same(i); assert r == i; assert r + 1 == i + 1
  if (i > 0) {
    while (r < i) { assert r > 0 }  assert   r >= 1 /* odd   blanks */
  }
}
"""
)

MACRO = (
    WEAK
    + """define check(a, b) { assert a == b }
method m(i: Int) { var r: Int
  r := same(i)
  check(r, i) }
method n(i: Int, r: Int) { check(r, i) }
"""
)

FALSE = """method m(i: Int) { var j: Int
  j := i
  @verified_under("true") assert j == 12
  assert j > 10
}
"""


def _front(text: str) -> FrontEnd:
    front = load_text(text, "marks.vpr")
    assert front.program is not None, front.errors
    return front


def _asserts(front: FrontEnd) -> list[Span]:
    assert front.program is not None
    found = [s for s in all_statements(front.program) if isinstance(s, Assert)]
    return [s.assertion.span for s in found]


def _marked(text: str) -> str:
    front = _front(text)
    assert front.program is not None
    return marked_text(front.source, front.program, [("m", span) for span in _asserts(front)])


def test_marks_stand_before_every_assertion_wherever_it_is() -> None:
    text = _marked(PROVED)

    assert len(MARK.findall(text)) == 4
    assert re.search(f"{MARK.pattern}assert r == i; {MARK.pattern}assert r . 1 == i . 1", text)
    assert MARK.sub("", text) == PROVED
    assert _front(text).warnings[0].message.startswith("4 assertions are assumed")


def test_marking_again_changes_nothing_and_unmarking_gives_the_text_back() -> None:
    once = _marked(PROVED)

    assert _marked(once) == once
    assert unmarked_text(_front(once).source) == PROVED
    assert unmarked_text(_front(PROVED).source) == PROVED


def test_a_mark_that_is_not_proved_any_more_goes() -> None:
    front = _front(_marked(PROVED))
    assert front.program is not None

    assert marked_text(front.source, front.program, []) == PROVED


def test_the_use_of_a_macro_is_not_marked(tmp_path: Path) -> None:
    program = tmp_path / "macro.vpr"
    program.write_text(MACRO)

    assert main(["wizard", "--mark", "--runs", "20", str(program)]) == 1
    assert program.read_text() == MACRO


def test_the_statements_of_a_macro_are_not_marked(tmp_path: Path) -> None:
    program = tmp_path / "macro.vpr"
    text = MACRO[: MACRO.index("method n")]
    program.write_text(text)

    assert main(["wizard", "--mark", "--runs", "20", str(program)]) in (0, 1)
    assert program.read_text() == text


@pytest.mark.parametrize("start", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_all_other_bytes_stay_as_they_are(start: bytes, end: bytes, tmp_path: Path) -> None:
    program = tmp_path / "bytes.vpr"
    before = start + PROVED.replace("odd", "ödd").encode().replace(b"\n", end)
    program.write_bytes(before)

    assert main(["wizard", "--mark", "--runs", "40", str(program)]) in (0, 4)
    after = program.read_bytes()
    assert len(MARK.findall(after.decode("utf-8"))) == 1
    assert MARK.sub("", after.decode("utf-8")).encode() == before
    assert main(["wizard", "--unmark", str(program)]) == 0
    assert program.read_bytes() == before


def test_a_file_that_somebody_changed_meanwhile_is_not_written(tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(PROVED)
    front = load(program)
    program.write_text(PROVED + "// more\n")

    with pytest.raises(UsageError, match="changed meanwhile"):
        rewrite(front.source, "")


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_both_verifiers_assume_it_and_say_so(
    backend: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, cache = tmp_path / "p.vpr", tmp_path / "cache"
    program.write_text(FALSE)
    arguments = ["verify", "--backend", backend, "--cache", str(cache), str(program)]
    for _ in range(2):  # also where the answer is remembered
        assert main(arguments) == 0
        assert "1 assertion is assumed, not verified" in capsys.readouterr().out
    assert main([*arguments, "--format", "json"]) == 0
    assert '"id": "assertion.assumed"' in capsys.readouterr().out


def test_the_wizard_believes_no_mark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(FALSE)

    assert main(["wizard", "--mark", str(program)]) == 1
    assert "red" in capsys.readouterr().out
    assert program.read_text() == FALSE.replace('@verified_under("true") ', "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FALSE.replace('"true"', '"j > 3"'), 'the only condition that is known is "true"'),
        (FALSE.replace("j := i", '@verified_under("true") j := i'), "before `assert` only"),
    ],
)
def test_marks_that_mean_nothing_are_errors_with_a_place(text: str, message: str) -> None:
    done = pitviper.verify(text)

    (error,) = done.front.errors
    assert message in error.message
    assert error.span is not None and error.span.line in (2, 3)
    assert done.verdict.value == "rejected"


CALLS = """field f: Int
domain D { function d(): Int axiom { d() == 3 } }
function twice(n: Int): Int { n + n }
method same(i: Int) returns (r: Int) { r := i }
method other(i: Int) { assert i == i }
method m(i: Int) { var r: Int
  r := same(i)
  assert r == i && twice(1) == 2 && d() == 3 }
"""


@pytest.mark.parametrize(
    ("before", "after", "is_stale"),
    [
        ("{ r := i }", "{ r := i + 1 }", True),  # a callee
        ("{ n + n }", "{ 2 * n }", True),  # a function
        ("d() == 3 }", "d() >= 3 }", True),  # an axiom
        ("method m(i: Int)", "method m(i: Int) requires i > 0", True),  # the method itself
        ("assert i == i", "assert i <= i", False),  # nothing that m uses
        ("field f: Int", "field f:Int // a comment", False),
    ],
)
def test_a_mark_whose_ground_has_changed_is_not_believed(
    before: str, after: str, *, is_stale: bool
) -> None:
    marked = _marked_in_m(CALLS)
    text = marked.replace(before, after, 1)
    front = _front(text)

    assert text != marked
    assert [w.code for w in front.warnings if w.code == "mark.stale"] == ["mark.stale"] * is_stale
    messages = [p.id for p in pitviper.verify(text).problems]
    assert ("assert.failed:assertion.false" in messages) == is_stale


def test_marking_again_brings_marks_up_to_date() -> None:
    changed = _marked_in_m(CALLS).replace("{ n + n }", "{ 2 * n }")
    again = _marked_in_m(changed)

    assert again != changed
    assert not [w for w in _front(again).warnings if w.code == "mark.stale"]


def _marked_in_m(text: str) -> str:
    front = _front(text)
    assert front.program is not None
    body = front.program.methods["m"].body
    assert body is not None
    spans = [s.assertion.span for s in statements_in(body) if isinstance(s, Assert)]
    return marked_text(front.source, front.program, [("m", span) for span in spans])
