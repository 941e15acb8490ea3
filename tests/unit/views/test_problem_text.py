"""How one problem looks in a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.results.report import Problem
from pitviper.source.diagnostic import Related, Severity
from pitviper.source.span import SourceFile, Span
from pitviper.views.ids import PAGE as PAGE_OF_IDS
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.problem import LONGEST_WORD, helped_once, problem_text
from pitviper.views.terminal.style import coloured, plain

TEXT = """\
field f: Int

method m(x: Ref)
  requires acc(x.f) &&
           x.f > 0
{
\tx.f := true
  var f: Bool
}
"""
FILE = SourceFile(Path("dir/demo.vpr"), TEXT)
PAGE = Page(plain)


def span_of(part: str, file: SourceFile = FILE, after: int = 0) -> Span:
    start = file.text.index(part, after)
    return Span(file, start, start + len(part))


def shown(span: Span | None, *related: Related, help: str | None = None) -> str:
    problem = Problem("typechecker.error", Severity.ERROR, span, "MSG", None, related, help)
    return problem_text(problem, PAGE)


@pytest.mark.smoke
def test_one_line() -> None:
    assert shown(span_of("acc(x.f)"), help="do this") == (
        "error[typechecker.error]: MSG\n"
        " --> dir/demo.vpr:4:12\n"
        "  |\n"
        "4 |   requires acc(x.f) &&\n"
        "  |            ^^^^^^^^\n"
        "  help: do this"
    )


def test_no_place() -> None:
    assert shown(None) == "error[typechecker.error]: MSG"


def test_tabs_are_blanks_and_the_mark_stays_below_its_place() -> None:
    assert shown(span_of("true")).endswith("\n7 |     x.f := true\n  |            ^^^^")


def test_a_place_of_two_lines_is_underlined_on_both() -> None:
    assert shown(span_of("acc(x.f) &&\n           x.f > 0")).endswith(
        "4 |   requires acc(x.f) &&\n"
        "  |            ^^^^^^^^^^^\n"
        "5 |            x.f > 0\n"
        "  |            ^^^^^^^"
    )


def test_a_long_place_is_shown_by_its_ends() -> None:
    start = TEXT.index("method")
    assert shown(Span(FILE, start, len(TEXT) - 1)).endswith(
        "3 | method m(x: Ref)\n  | ^^^^^^^^^^^^^^^^\n...\n9 | }\n  | ^"
    )


def test_a_related_place_of_the_same_file_is_part_of_the_excerpt() -> None:
    second = span_of("f", after=TEXT.index("var f") + 4)
    assert shown(second, Related(span_of("f", after=6), "first declared here")) == (
        "error[typechecker.error]: MSG\n"
        " --> dir/demo.vpr:8:7\n"
        "  |\n"
        "1 | field f: Int\n"
        "  |       - first declared here\n"
        "...\n"
        "8 |   var f: Bool\n"
        "  |       ^"
    )


def test_two_places_on_one_line() -> None:
    related = Related(span_of("x.f", after=TEXT.index("\t")), "this field")
    assert shown(span_of("true"), related).endswith(
        "7 |     x.f := true\n  |            ^^^^\n  |     --- this field"
    )


def test_a_related_place_of_another_file_has_its_own_excerpt() -> None:
    other = SourceFile(Path("lib.vpr"), "\n" * 11 + "field f: Ref\n")
    text = shown(span_of("f", after=6), Related(span_of("f", other, after=15), "declared here"))
    assert text.endswith(
        "1 | field f: Int\n"
        "  |       ^\n"
        "  note: declared here\n"
        "  --> lib.vpr:12:7\n"
        "   |\n"
        "12 | field f: Ref\n"
        "   |       -"
    )


def test_the_end_of_a_file_can_be_marked() -> None:
    file = SourceFile(Path("a.vpr"), "method m(")
    assert shown(Span(file, 9, 9)).endswith("1 | method m(\n  |          ^")
    empty = SourceFile(Path("a.vpr"), "")
    assert shown(Span(empty, 0, 0)).endswith("1 |\n  | ^")


def test_a_line_end_can_be_marked() -> None:
    file = SourceFile(Path("a.vpr"), "ab\ncd\n")
    assert shown(Span(file, 1, 3)).endswith("1 | ab\n  |  ^")


def test_an_overlong_line_is_cut_around_the_mark() -> None:
    file = SourceFile(Path("a.vpr"), "a" * 500_000 + "?" + "b" * 500_000)
    text = shown(Span(file, 500_000, 500_001))
    line, mark = text.split("\n")[-2:]
    assert len(line) < 200
    assert line[mark.index("^")] == "?"


def test_an_overlong_name_in_a_message_is_cut() -> None:
    message = f"undeclared `{'x' * 1_000_000}`, " + "a long story " * 100
    text = problem_text(Problem("parser.error", Severity.ERROR, None, message), PAGE)
    assert "undeclared `xxx" in text
    assert text.count("x") == LONGEST_WORD - 3
    assert text.count("a long story") == 100


def test_wide_and_invisible_characters_keep_the_mark_in_place() -> None:
    file = SourceFile(Path("a.vpr"), "// 漢\x1b[31m é\u202e x\n")
    line, mark = shown(span_of("x", file)).split("\n")[-2:]
    assert "\x1b" not in line
    assert "\u202e" not in line
    assert mark.index("^") == line.index("x") + 1  # one character is two cells wide


def test_colours() -> None:
    problem = Problem("parser.warning", Severity.WARNING, span_of("Int"), "MSG", None, (), "do")
    text = problem_text(problem, Page(coloured))
    assert "\x1b[1;33mwarning[parser.warning]\x1b[0m" in text
    assert "\x1b[1;33m^^^\x1b[0m" in text
    assert "\x1b[1;32mhelp:\x1b[0m do" in text


def test_an_id_links_to_its_meaning() -> None:
    problem = Problem("assert.failed:assertion.false", Severity.ERROR, None, "MSG", None)
    text = problem_text(problem, Page(plain, links=True))
    uri = f"{PAGE_OF_IDS.as_uri()}#assertion.false"
    assert text == f"error[\x1b]8;;{uri}\x1b\\{problem.id}\x1b]8;;\x1b\\]: MSG"
    assert '<h3 id="assertion.false">' in PAGE_OF_IDS.read_text(encoding="utf-8")


def test_a_headline_is_broken_for_people_only() -> None:
    said = " ".join(["word"] * 30)
    problem = Problem("a.b:c.d", Severity.ERROR, None, said)
    plain = problem_text(problem, Page(lambda _, text: text, columns=60))
    assert plain.splitlines() == [f"error[a.b:c.d]: {said}"]
    broken = problem_text(problem, Page(lambda _, text: text, columns=60, broken=True)).splitlines()
    assert len(broken) > 1 and all(len(line) <= 60 for line in broken)
    assert " ".join(" ".join(broken).split()) == f"error[a.b:c.d]: {said}"
    assert all(line.startswith("  word") for line in broken[1:])


def test_a_headline_with_a_long_word_keeps_its_id_in_front() -> None:
    problem = Problem("a.b:c.d", Severity.ERROR, None, "w" * 70)
    broken = problem_text(problem, Page(lambda _, text: text, columns=60, broken=True))
    assert broken.splitlines() == ["error[a.b:c.d]:", f"  {'w' * 70}"]


def test_the_same_help_is_told_once() -> None:
    long = "write `acc(x.f)` before what reads it, in lines 4 and 5; with that, `m` verifies"
    places = (span_of("acc(x.f)"), span_of("x.f > 0"), span_of("true"))
    helps = (long, long, "write it")
    problems = [
        Problem("typechecker.error", Severity.ERROR, place, "MSG", None, (), told)
        for place, told in zip(places, helps, strict=True)
    ]
    assert [problem.help for problem in helped_once(problems)] == [
        long,
        "what is said above about line 4 cures this as well",
        "write it",
    ]
