"""Traversals of statements that do not look into expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pitviper.base.record import replace
from pitviper.program.member import Program
from pitviper.program.stmt import Block, If, Package, Stmt, While


def all_statements(program: Program) -> Iterator[Stmt]:
    """The statements of all methods, outer ones first, in source order."""
    for method in program.methods.values():
        if method.body is not None:
            yield from statements_in(method.body)


def statements_in(block: Block) -> Iterator[Stmt]:
    """The statements of a block and of the blocks inside it."""
    todo: list[Stmt] = [block]
    while todo:
        statement = todo.pop()
        yield statement
        match statement:
            case Block(statements):
                todo.extend(reversed(statements))
            case If(_, then, otherwise):
                todo += (otherwise, then)
            case While(body=body) | Package(script=body):
                todo.append(body)
            case _:
                pass


def replace_statements(block: Block, rule: Callable[[Stmt], Sequence[Stmt]]) -> Block:
    """Replace each statement by those that `rule` gives for it, inner ones first.

    Parts in which nothing changes stay the same objects.
    """
    statements: list[Stmt] = []
    for statement in block.statements:
        statements += rule(_with_inner(statement, rule))
    changed = len(statements) != len(block.statements) or any(
        [new is not old for new, old in zip(statements, block.statements, strict=True)]
    )
    return replace(block, statements=tuple(statements)) if changed else block


def _with_inner(statement: Stmt, rule: Callable[[Stmt], Sequence[Stmt]]) -> Stmt:
    match statement:
        case Block():
            return replace_statements(statement, rule)
        case If(_, then, otherwise):
            then = replace_statements(then, rule)
            otherwise = replace_statements(otherwise, rule)
            if then is statement.then and otherwise is statement.otherwise:
                return statement
            return replace(statement, then=then, otherwise=otherwise)
        case While():
            body = replace_statements(statement.body, rule)
            return statement if body is statement.body else replace(statement, body=body)
        case Package():
            script = replace_statements(statement.script, rule)
            return statement if script is statement.script else replace(statement, script=script)
        case _:
            return statement
