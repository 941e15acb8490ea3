"""Programs in texts, checked: what the tests of names, types and lowering share."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from pitviper.checking.check import Checked, check_members
from pitviper.checking.imports import splice_imports
from pitviper.checking.macros.replace import expand_macros
from pitviper.checking.options import CheckOptions
from pitviper.program.assertion import Assertion
from pitviper.program.member import Program
from pitviper.program.print.printer import assertion_text, stmt_text
from pitviper.program.stmt import Assert, Stmt
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile
from pitviper.syntax.parse.parser import parse_file

PRELUDE = """\
field f: Int
field g: Ref
predicate P(x: Ref, i: Int) { acc(x.f) }
predicate Abstract(x: Ref)
function fun(x: Ref): Int requires acc(x.f)
function pure(i: Int): Int
domain D { function df(i: Int): Int  function boolean(b: Bool): Bool }
domain Box[T] { function box(x: T): Box[T]  function unbox(b: Box[T]): T  function any(): Box[T] }
adt List[T] { Nil() Cons(head: T, tail: List[T]) }
method one(i: Int) returns (r: Int)
method two() returns (r: Int, q: Ref)
method proc()
"""
"""Members that many tests use; it is `PRELUDE_LINES` long."""

PRELUDE_LINES = PRELUDE.count("\n")


def check(text: str) -> Checked:
    """Check a whole program."""
    source = SourceFile(Path("test.vpr"), dedent(text))
    parsed = parse_file(source)
    assert all(d.severity is Severity.WARNING for d in parsed.diagnostics)
    spliced = splice_imports(parsed.tree, source, lambda path: SourceFile(path, path.read_text()))
    assert spliced.diagnostics == ()
    expanded = expand_macros(spliced.members)
    assert expanded.diagnostics == ()
    return check_members(expanded.members, CheckOptions())


def accepted(text: str) -> Program:
    """The typed program of a text without errors."""
    checked = check(text)
    assert checked.program is not None, [d.message for d in checked.diagnostics]
    return checked.program


def errors(text: str) -> list[Diagnostic]:
    return [d for d in check(text).diagnostics if d.severity is Severity.ERROR]


def found(text: str) -> list[tuple[str, int, str]]:
    """Code, line and message of the errors of a whole program."""
    return [(d.code, d.span.line, d.message) for d in errors(text) if d.span is not None]


def warnings(text: str) -> list[str]:
    return [d.message for d in check(text).diagnostics if d.severity is Severity.WARNING]


# ---------------------------------------------------------------- inside one method

_PARAMETERS = "x: Ref, y: Ref, n: Int, b: Bool, p: Perm, s: Seq[Int], t: Set[Ref]"


def method(body: str, parameters: str = _PARAMETERS) -> str:
    """The prelude and a method whose body starts on the line after it."""
    return (
        f"{PRELUDE}method m({parameters}) returns (k: Int, q: Perm, o: Ref) {{\n{dedent(body)}\n}}"
    )


def statements(body: str) -> tuple[Stmt, ...]:
    """The statements of a method body in the typed program."""
    found = accepted(method(body)).methods["m"].body
    assert found is not None
    return found.statements


def lowered(body: str) -> list[str]:
    """The lines of a method body in the typed program."""
    return [line for statement in statements(body) for line in stmt_text(statement).splitlines()]


def complaints(body: str) -> list[tuple[int, str]]:
    """Line in the body (from 1) and message of each type error."""
    return [
        (d.span.line - PRELUDE_LINES - 1, d.message)
        for d in errors(method(body))
        if d.span is not None and d.code == "typechecker.error"
    ]


def messages(expression: str) -> list[str]:
    """What is wrong with an asserted expression."""
    return [message for _, message in complaints(f"assert {expression}")]


def formula(expression: str) -> Assertion:
    """An asserted formula in the typed program."""
    (statement,) = statements(f"assert {expression}")
    assert isinstance(statement, Assert)
    return statement.assertion


def asserted(expression: str) -> str:
    """An asserted formula in the typed program, as text."""
    return assertion_text(formula(expression))
