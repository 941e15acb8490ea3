"""The typed program as Viper text: one line for messages, a whole program to be read again."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.program.assertion import Assertion
from pitviper.program.expr import Expr
from pitviper.program.member import Member, Program
from pitviper.program.print.expressions import text_of
from pitviper.program.print.print_member import member_lines
from pitviper.program.print.statements import statement_lines
from pitviper.program.stmt import Stmt


def expr_text(e: Expr) -> str:
    """The text of an expression on one line, as messages show it."""
    return text_of(e)


def assertion_text(a: Assertion) -> str:
    """The text of an assertion on one line, as messages show it."""
    return text_of(a)


def stmt_text(s: Stmt) -> str:
    """The text of a statement; a compound one has several lines."""
    return "\n".join(statement_lines(s))


def member_text(m: Member) -> str:
    return "\n".join(member_lines(m))


def program_text(p: Program) -> str:
    """A program that is read as `p` again, each kind of member in its order."""
    return "\n\n".join([member_text(member) for member in _members(p)]) + "\n"


def _members(p: Program) -> Iterator[Member]:
    yield from p.fields.values()
    yield from p.domains.values()
    yield from p.adts.values()
    yield from p.functions.values()
    yield from p.predicates.values()
    yield from p.methods.values()
