"""The formatter: golden programs, then single rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.source.span import SourceFile
from pitviper.syntax.format import formatter
from pitviper.syntax.format.formatter import FormatterError, format_source

GOLDEN = Path(__file__).parents[3] / "golden" / "format"
PROGRAMS = sorted(p for p in GOLDEN.glob("*.vpr") if not p.name.endswith(".formatted.vpr"))


def formatted(text: str) -> str:
    result = format_source(SourceFile(Path("p.vpr"), text))
    assert result.text is not None, result.diagnostics
    return result.text


def body(text: str) -> str:
    """The formatted statements of a method, without its first and last line."""
    return "\n".join(formatted(f"method m() {{\n{text}\n}}").split("\n")[1:-2])


@pytest.mark.smoke
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_golden_programs(path: Path) -> None:
    expected = path.with_suffix(".formatted.vpr").read_text(encoding="utf-8")
    assert formatted(path.read_text(encoding="utf-8")) == expected
    assert formatted(expected) == expected


def test_there_are_golden_programs() -> None:
    assert [p.stem for p in PROGRAMS] == [
        "annotations", "comments", "expressions", "members", "statements"
    ]  # fmt: skip


def test_a_file_with_errors_is_not_formatted() -> None:
    result = format_source(SourceFile(Path("p.vpr"), "method m() { assert }\nmethod n( {}"))
    assert result.text is None
    assert [d.code for d in result.diagnostics] == ["parser.error", "parser.error"]


def test_warnings_do_not_prevent_formatting() -> None:
    result = format_source(SourceFile(Path("p.vpr"), "define M f (x)"))
    assert result.text == "define M f(x)\n"
    assert [d.code for d in result.diagnostics] == ["parser.warning"]


@pytest.mark.parametrize("text", ["", "\n\n", "  \t\n"])
def test_nothing_stays_nothing(text: str) -> None:
    assert formatted(text) == ""


def test_only_comments() -> None:
    assert formatted("\n\n  // a\n\n\n\n/* b */") == "// a\n\n/* b */\n"


def test_line_ends_become_unix_ones() -> None:
    text = "field f: Int // a\r\n\r\n\r\n/* b\r\n c */\r\nfield g: Int\r\n"
    assert formatted(text) == "field f: Int // a\n\n/* b\n c */\nfield g: Int\n"


def test_no_blanks_at_line_ends() -> None:
    text = "field f: Int  \t\n// a  \n/* b \t\n  c */   \nfield g: Int\t"
    assert formatted(text) == "field f: Int\n// a\n/* b\n  c */\nfield g: Int\n"


def test_a_parenthesis_on_a_new_line_begins_a_statement() -> None:
    assert body("assert a\n(b).f := c") == "  assert a\n  (b).f := c"
    assert body("assert a /* c */ (b).f := c") == "  assert a\n  /* c */ (b).f := c"


def test_a_parenthesis_stays_a_statement_on_an_annotated_line() -> None:
    text = "//:: ExpectedOutput(k)\ngoto a\r(b).f := c"
    assert body(text) == "  //:: ExpectedOutput(k)\n  goto a\n  (b).f := c"


def test_semicolons_stay_with_their_statement() -> None:
    assert body("x := 1\n;\ny := 2 ;z := 3") == "  x := 1;\n  y := 2;\n  z := 3"


def test_empty_lines_at_the_ends_of_blocks_go() -> None:
    assert body("\n\nx := 1\n\n\n\ny := 2\n\n") == "  x := 1\n\n  y := 2"


def test_empty_lines_in_expressions_go() -> None:
    assert body("assert a &&\n\n\n  b") == "  assert a &&\n    b"


def test_an_annotation_keeps_the_empty_line_that_it_speaks_about() -> None:
    text = "x := 1\n//:: ExpectedOutput(k)\n\n"
    assert body(text) == "  x := 1\n  //:: ExpectedOutput(k)\n"


def test_an_annotated_line_is_never_too_long() -> None:
    line = " && ".join(f"condition_number_{i}" for i in range(10))
    text = f"  //:: ExpectedOutput(k)\n  assert {line}"
    assert body(text) == text


def test_paths_of_imports_stay_as_they_are() -> None:
    assert formatted("import   <a /b-c. vpr>") == "import <a /b-c. vpr>\n"
    assert formatted("import <a//b.vpr>\nfield f:Int") == "import <a//b.vpr>\nfield f: Int\n"
    assert formatted('import"a  b.vpr"') == 'import "a  b.vpr"\n'


def test_quantifiers_break_behind_their_head() -> None:
    condition = " && ".join(f"condition_{i}" for i in range(5))
    text = f"assert forall x: Int :: {{f(x)}} {condition} ==> something_else(x)"
    assert body(text) == (
        f"  assert forall x: Int :: {{f(x)}}\n    {condition} ==> something_else(x)"
    )


def test_lines_behind_a_broken_implication_are_indented() -> None:
    text = "assert a &&\nb ==>\nc &&\nd ==>\ne"
    assert body(text) == ("  assert a &&\n    b ==>\n      c &&\n      d ==>\n        e")


def test_brackets_indent_their_lines() -> None:
    text = "x := f(\na,\ng(b,\nc\n),\nd)"
    assert body(text) == "  x := f(\n    a,\n    g(b,\n      c\n    ),\n    d)"


def test_a_long_row_of_conjuncts_takes_one_line_each() -> None:
    conjuncts = [f"condition_number_{i}" for i in range(2000)]
    lines = body("assert " + " && ".join(conjuncts)).split("\n")
    assert lines[0] == "  assert condition_number_0 &&"
    assert lines[1:] == [f"    {c} &&" for c in conjuncts[1:-1]] + [f"    {conjuncts[-1]}"]


def test_a_deep_expression_is_formatted() -> None:
    deep = "f(aaaaaaaaaa, " * 400 + "x" + ")" * 400
    text = formatted(f"define M {deep}")
    assert formatted(text) == text


def test_a_change_of_tokens_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatter, "lay_out", lambda items: "field f: Bool")
    with pytest.raises(FormatterError, match="changes 'Int'"):
        format_source(SourceFile(Path("p.vpr"), "field f: Int"))


def test_a_lost_comment_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formatter, "lay_out", lambda items: "field f: Int")
    with pytest.raises(FormatterError, match="comments"):
        format_source(SourceFile(Path("p.vpr"), "field f: Int // c"))
