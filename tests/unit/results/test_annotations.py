"""Annotations as the public suite writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.results.annotations import Annotations, Issue, Kind, read_annotations

FILE = Path("a.vpr")


def read(*lines: str) -> Annotations:
    return read_annotations("\n".join(lines), FILE)


def test_an_annotation_speaks_about_the_next_line() -> None:
    (found,) = read("field f: Int", "  //:: ExpectedOutput(parser.error)  ", "x").items
    assert (found.kind, found.id, found.line) == (Kind.EXPECTED, "parser.error", 3)


def test_comments_are_skipped_and_a_blank_line_is_a_target() -> None:
    found = read("//:: ExpectedOutput(a)", "// why", "//:: ExpectedOutput(b)", "", "x").items
    assert [(a.id, a.line) for a in found] == [("a", 4), ("b", 4)]


def test_block_comments_are_lines_like_others() -> None:
    (found,) = read("//:: ExpectedOutput(a)", "/* text */", "x").items
    assert found.line == 2


def test_an_annotation_at_the_end_of_the_file_is_dropped() -> None:
    assert read("x", "//:: ExpectedOutput(a)").items == ()


def test_key_value_project_and_number() -> None:
    (found,) = read("//:: UnexpectedOutput(a.b:c:d, /Silver/issue/12/)", "x").items
    assert (found.key, found.value) == ("a.b", "c:d")
    assert found.issue == Issue("Silver", 12)
    assert found.id == "a.b:c:d"


def test_ignore_forms() -> None:
    kinds = [
        a.kind
        for a in read(
            "//:: IgnoreOthers",
            "//:: IgnoreFile(/carbon/issue/1/)",
            "//:: IgnoreFileList(/carbon/issue/1/)",
            "x",
        ).items
    ]
    assert kinds == [Kind.IGNORE_OTHERS, Kind.IGNORE_FILE, Kind.IGNORE_FILE_LIST]


@pytest.mark.parametrize(
    "line",
    [
        "//::ExpectedOutput(a)",
        "//:: ExpectedOutput(a",
        "//:: ExpectedOutput(a) really",
        "//:: UnexpectedOutput(a)",
        "//:: UnexpectedOutput(a,/silver/issue/1/)",
        "//:: MissingOutput(a, /silver/issue/x/)",
        "//:: OptionalOutput(a)",
        "//::",
    ],
)
def test_what_is_no_annotation_is_reported(line: str) -> None:
    found = read("field f: Int", line, "x")
    assert found.items == ()
    assert [(bad.line, bad.text) for bad in found.unreadable] == [(2, line)]


def test_counterexample_annotations_belong_to_another_suite() -> None:
    assert read("//:: ExpectedCounterexample(a:b, (x -> 1))", "x") == Annotations()


@pytest.mark.parametrize(
    ("project", "ours"),
    [
        ("silver", True),
        ("Silver", True),
        ("pitviper", True),
        ("magic-wands-pitviper-2", True),
        ("silicon", False),
        ("carbon", False),
        ("pitvipers", False),
    ],
)
def test_whose_issues_count(project: str, ours: bool) -> None:
    assert Issue(project, 1).applies_to(("silver", "pitviper")) is ours


def test_ignoring_a_file_depends_on_the_project_ignoring_it_in_the_list_does_not() -> None:
    ours = ("silver", "pitviper")
    assert not read("//:: IgnoreFile(/carbon/issue/1/)", "x").ignore_the_test(ours)
    assert read("//:: IgnoreFile(/silver/issue/1/)", "x").ignore_the_test(ours)
    assert read("//:: IgnoreFileList(/carbon/issue/1/)", "x").ignore_the_test(ours)


def test_windows_line_ends() -> None:
    (found,) = read_annotations("//:: ExpectedOutput(a)\r\nx\r\n", FILE).items
    assert (found.id, found.line) == ("a", 2)
