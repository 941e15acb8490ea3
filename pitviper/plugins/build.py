"""The formulas and statements that encodings are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from pitviper.base.record import replace
from pitviper.program.expr import And, BoolLit, Expr, Implies, Or, Var
from pitviper.program.member import Domain, Program
from pitviper.program.node import Annotation
from pitviper.program.stmt import Block, Declare, If, Inhale, Stmt
from pitviper.program.types import BOOL
from pitviper.source.span import Span

ORIGIN = "pitviper.origin"
"""The annotation that an engine copies into the `origin` of a finding."""


class NameSupply(Protocol):
    def fresh(self, hint: str) -> str: ...


def origin(*values: str) -> tuple[Annotation, ...]:
    return (Annotation(ORIGIN, values),)


def is_true(expression: Expr) -> bool:
    return isinstance(expression, BoolLit) and expression.value


def is_false(expression: Expr) -> bool:
    return isinstance(expression, BoolLit) and not expression.value


def conjunction(parts: Iterable[Expr], span: Span) -> Expr:
    """`a && b && ..`, flat, without the literal `true`."""
    operands: list[Expr] = []
    for part in parts:
        if isinstance(part, And):
            operands.extend(part.operands)
        elif not is_true(part):
            operands.append(part)
    if not operands:
        return BoolLit(value=True, span=span)
    return operands[0] if len(operands) == 1 else And(tuple(operands), span=span)


def disjunction(parts: Sequence[Expr], span: Span) -> Expr:
    """`a || b || ..`, without the literal `false`; `true` if one part is."""
    operands = tuple([part for part in parts if not is_false(part)])
    if any(is_true(part) for part in operands):
        return BoolLit(value=True, span=span)
    if not operands:
        return BoolLit(value=False, span=span)
    return operands[0] if len(operands) == 1 else Or(operands, span=span)


def implication(condition: Expr, body: Expr, span: Span) -> Expr:
    """`condition ==> body`, or less where one of them is a literal."""
    if is_true(condition) or is_true(body):
        return body
    return Implies(condition, body, span=span)


def aside(statements: Sequence[Stmt], names: NameSupply, span: Span) -> list[Stmt]:
    """Run statements on a path of their own that ends after them.

    What they assume, change or fail to prove does not matter to the statements behind. The
    main path is not split: one side of the branch is dead at once.
    """
    if not statements:
        return []
    chosen = Var(names.fresh("aside"), BOOL, span=span)
    path = Block((*_last_inlined(statements), end_of_path(span)), span=span)
    return [
        Declare(chosen, span=span),
        If(chosen, path, Block((), span=span), span=span),
    ]


def _last_inlined(statements: Sequence[Stmt]) -> Sequence[Stmt]:
    """An aside at the end of an aside needs no path of its own."""
    last = statements[-1]
    if isinstance(last, If) and last.then.statements[-1:] == (end_of_path(last.span),):
        return [*statements[:-2], *last.then.statements[:-1]]
    return statements


def end_of_path(span: Span) -> Inhale:
    return Inhale(BoolLit(value=False, span=span), span=span)


def with_domains(program: Program, domains: Iterable[Domain]) -> Program:
    """The program with further domains behind its own."""
    added = {domain.name: domain for domain in domains}
    return replace(program, domains={**program.domains, **added}) if added else program
