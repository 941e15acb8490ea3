"""The formulas and statements that encodings are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from pitviper.base.record import replace
from pitviper.program.assertion import Binding, QuantifiedPermission
from pitviper.program.expr import And, BoolLit, Exists, Expr, Forall, ForPerm, Implies, Let, Or, Var
from pitviper.program.member import Domain, Program
from pitviper.program.node import Annotation, Node
from pitviper.program.stmt import Block, Declare, If, Inhale, Package, Stmt, While
from pitviper.program.types import BOOL
from pitviper.program.walk import descendants, rewrite
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


N = TypeVar("N", bound=Node)


def substitute(node: N, values: Mapping[str, Expr]) -> N:
    """Replace variables. Source programs have no shadowing, so a replaced name is never bound
    inside `node`; whoever puts in expressions with variables that could be, uses `instantiate`.
    """
    if not values:
        return node
    return rewrite(node, lambda n: values.get(n.name) if isinstance(n, Var) else None)


def instantiate(node: N, values: Mapping[str, Expr], names: NameSupply) -> N:
    """Replace variables and give the bound variables of `node` fresh names.

    So the result can stand in any member, and captures no variable of `values`.
    """
    renamed: dict[str, str] = {}
    for variable in bound_variables(node):
        if variable.name not in renamed:
            renamed[variable.name] = names.fresh(variable.name)

    def rule(n: Node) -> Node | None:
        if not isinstance(n, Var):
            return None
        name = renamed.get(n.name)
        return values.get(n.name) if name is None else replace(n, name=name)

    return rewrite(node, rule) if values or renamed else node


def bound_variables(node: Node) -> Iterator[Var]:
    """The declarations of the variables that are bound inside `node`."""
    for inner in descendants(node):
        match inner:
            case Let() | Binding():
                yield inner.variable
            case Forall() | Exists() | ForPerm() | QuantifiedPermission():
                yield from inner.variables
            case _:
                pass


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
