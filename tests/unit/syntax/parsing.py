"""What the tests of the parser share: parsing of parts, and places as text."""

from __future__ import annotations

from pathlib import Path

from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile
from pitviper.syntax.parse.parser import Parsed, parse_expression, parse_file
from pitviper.syntax.tree import Block, Expr, Member, Method, Stmt


def parsed(text: str) -> Parsed:
    return parse_file(SourceFile(Path("t.vpr"), text))


def expr(text: str) -> Expr:
    found, diagnostics = parse_expression(SourceFile(Path("t.vpr"), text))
    assert found is not None, diagnostics
    return found


def member(text: str) -> Member:
    result = parsed(text)
    assert result.diagnostics == ()
    (only,) = result.tree.members
    return only


def body(text: str) -> tuple[Stmt, ...]:
    """The statements of a method with this body; they begin in line 2."""
    method = member("method m() {\n" + text + "\n}")
    assert isinstance(method, Method)
    assert isinstance(method.body, Block)
    return method.body.statements


def stmt(text: str) -> Stmt:
    (only,) = body(text)
    return only


def errors(text: str) -> list[Diagnostic]:
    return [d for d in parsed(text).diagnostics if d.severity is Severity.ERROR]


def error(text: str) -> Diagnostic:
    (only,) = errors(text)
    assert only.code == "parser.error"
    return only


def where(diagnostic: Diagnostic) -> tuple[int, int]:
    assert diagnostic.span is not None
    return diagnostic.span.start_position
