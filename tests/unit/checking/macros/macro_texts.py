"""Texts of programs through macro expansion and back, for the tests of macros."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from pitviper.checking.macros.replace import Expanded, expand_macros
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile
from pitviper.syntax.parse.parser import parse_file
from pitviper.syntax.print.printer import print_member


def expand(text: str) -> Expanded:
    parsed = parse_file(SourceFile(Path("test.vpr"), dedent(text)))
    assert parsed.diagnostics == ()
    return expand_macros(parsed.tree.members)


def expanded_text(text: str) -> str:
    """The expanded members in canonical text, every white space made one blank."""
    result = expand(text)
    assert [d.message for d in result.diagnostics if d.severity is Severity.ERROR] == []
    return " ".join(" ".join(print_member(member) for member in result.members).split())


def canonical(text: str) -> str:
    """The same form of a text without macros."""
    parsed = parse_file(SourceFile(Path("expected.vpr"), dedent(text)))
    assert parsed.diagnostics == ()
    return " ".join(" ".join(print_member(m) for m in parsed.tree.members).split())


def check(text: str, expected: str) -> None:
    assert expanded_text(text) == canonical(expected)


def errors(text: str) -> list[tuple[int, str]]:
    """Lines and messages of the errors."""
    found = [d for d in expand(text).diagnostics if d.severity is Severity.ERROR]
    assert all(d.code == "parser.error" for d in found)
    return [(line_of(d), d.message) for d in found]


def warnings(text: str) -> list[tuple[int, str]]:
    """Lines and messages of the warnings."""
    found = [d for d in expand(text).diagnostics if d.severity is Severity.WARNING]
    assert all(d.code == "parser.warning" for d in found)
    return [(line_of(d), d.message) for d in found]


def line_of(diagnostic: Diagnostic) -> int:
    assert diagnostic.span is not None
    return diagnostic.span.line
