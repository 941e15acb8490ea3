"""Statements as lines of Viper text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pitviper.base.qualified import is_qualified
from pitviper.program import expr, stmt
from pitviper.program.node import Annotation, Node
from pitviper.program.print.expressions import (
    access_text,
    call_text,
    comma_list,
    field_text,
    implication_text,
    text_of,
    variable_list,
)
from pitviper.program.print.objects import ELEMENTS, is_of_objects, type_words

INDENT = "  "


def statement_lines(statement: stmt.Stmt) -> list[str]:
    """The lines of a statement, not indented, its annotations in front."""
    lines = _LINES[type(statement)](statement)
    return [*annotation_lines(statement.annotations), *lines] if statement.annotations else lines


def annotation_lines(annotations: Iterable[Annotation]) -> list[str]:
    """`@key("v1", "v2")`, one line each."""
    lines = []
    for annotation in annotations:
        values = ", ".join([f'"{value}"' for value in annotation.values])
        lines.append(f"@{annotation.key}({values})")
    return lines


def block_lines(block: stmt.Block) -> list[str]:
    """The statements of a block, indented, without its braces."""
    lines = []
    for statement in block.statements:
        lines += [INDENT + line for line in statement_lines(statement)]
    return lines


def decreases_text(clause: stmt.Decreases) -> str:
    match clause:
        case stmt.DecreasesTuple(measures, condition):
            parts = ["decreases", comma_list(measures)] if measures else ["decreases"]
        case stmt.DecreasesWildcard(condition):
            parts = ["decreases _"]
        case stmt.DecreasesStar():
            return "decreases *"
    if condition is not None:
        parts += ["if", text_of(condition)]
    return " ".join(parts)


def clause_lines(keyword: str, conditions: Iterable[Node]) -> list[str]:
    """`requires A` and its like, one line each, indented."""
    return [f"{INDENT}{keyword} {text_of(condition)}" for condition in conditions]


def _block(statement: stmt.Block) -> list[str]:
    return ["{", *block_lines(statement), "}"]


def _declare(statement: stmt.Declare) -> list[str]:
    if is_of_objects(statement):
        variable = statement.variable
        return [f"{type_words(variable.type, variable.name, statement.span)} {variable.name}"]
    return [f"var {variable_list((statement.variable,))}"]


def _inhale(statement: stmt.Inhale) -> list[str]:
    word = "assume" if is_of_objects(statement) else "inhale"
    return [f"{word} {text_of(statement.assertion)}"]


def _field_assign(statement: stmt.FieldAssign) -> list[str]:
    match statement:
        case stmt.FieldAssign(receiver, field, expr.SeqUpdate(_, index, value)) if field.endswith(
            ELEMENTS
        ):
            return [f"{text_of(receiver)}[{text_of(index)}] := {text_of(value)}"]
    return [f"{field_text(statement.receiver, statement.field)} := {text_of(statement.value)}"]


def _new(statement: stmt.New) -> list[str]:
    fields = statement.fields
    if fields and all(map(is_qualified, fields)):  # an object of a class, with all its fields
        return [f"{statement.target.name} := new {fields[0].rpartition('.')[0]}"]
    return [f"{statement.target.name} := new({', '.join(fields)})"]


def _call(statement: stmt.MethodCall) -> list[str]:
    call = call_text(statement.method, statement.args)
    return [f"{comma_list(statement.targets)} := {call}" if statement.targets else call]


def _fold(statement: stmt.Fold) -> list[str]:
    word = "close" if is_qualified(statement.predicate.predicate) else "fold"
    return [f"{word} {access_text(statement.predicate, statement.amount)}"]


def _unfold(statement: stmt.Unfold) -> list[str]:
    word = "open" if is_qualified(statement.predicate.predicate) else "unfold"
    return [f"{word} {access_text(statement.predicate, statement.amount)}"]


def _package(statement: stmt.Package) -> list[str]:
    """Without braces a block behind the statement would be read as its script."""
    head = f"package {text_of(statement.wand)} {{"
    if not statement.script.statements:
        return [head + " }"]
    return [head, *block_lines(statement.script), "}"]


def _if(statement: stmt.If) -> list[str]:
    """An else branch that is nothing but another `if` is written as `elseif`."""
    lines = [f"if ({text_of(statement.condition)}) {{", *block_lines(statement.then)]
    rest = statement.otherwise
    while inner := _only_if(rest):
        lines += [f"}} elseif ({text_of(inner.condition)}) {{", *block_lines(inner.then)]
        rest = inner.otherwise
    if rest.statements:
        lines += ["} else {", *block_lines(rest)]
    return [*lines, "}"]


def _only_if(block: stmt.Block) -> stmt.If | None:
    match block.statements:
        case (stmt.If() as inner,) if not inner.annotations:
            return inner
        case _:
            return None


def _while(statement: stmt.While) -> list[str]:
    return [
        f"while ({text_of(statement.condition)})",
        *clause_lines("invariant", statement.invariants),
        *[INDENT + decreases_text(clause) for clause in statement.decreases],
        *_block(statement.body),
    ]


def _label(statement: stmt.Label) -> list[str]:
    return [f"label {statement.name}", *clause_lines("invariant", statement.invariants)]


def _quasihavocall(statement: stmt.QuasihavocAll) -> list[str]:
    return [
        f"quasihavocall {variable_list(statement.variables)} :: {_conditional_resource(statement)}"
    ]


def _conditional_resource(statement: stmt.Quasihavoc | stmt.QuasihavocAll) -> str:
    if statement.condition is None:
        return text_of(statement.location)
    return implication_text(statement.condition, statement.location)


_LINES: Mapping[type, Callable[..., list[str]]] = {
    stmt.Block: _block,
    stmt.Declare: _declare,
    stmt.LocalAssign: lambda statement: [f"{statement.target.name} := {text_of(statement.value)}"],
    stmt.FieldAssign: _field_assign,
    stmt.New: _new,
    stmt.MethodCall: _call,
    stmt.Inhale: _inhale,
    stmt.Exhale: lambda statement: [f"exhale {text_of(statement.assertion)}"],
    stmt.Assert: lambda statement: [f"assert {text_of(statement.assertion)}"],
    stmt.Cut: lambda statement: [f"@cut() assert {text_of(statement.assertion)}"],
    stmt.Fold: _fold,
    stmt.Unfold: _unfold,
    stmt.Package: _package,
    stmt.Apply: lambda statement: [f"apply {text_of(statement.wand)}"],
    stmt.If: _if,
    stmt.While: _while,
    stmt.Label: _label,
    stmt.Goto: lambda statement: [f"goto {statement.target}"],
    stmt.Quasihavoc: lambda statement: [f"quasihavoc {_conditional_resource(statement)}"],
    stmt.QuasihavocAll: _quasihavocall,
    stmt.Refute: lambda statement: [f"refute {text_of(statement.condition)}"],
    stmt.Unreachable: lambda _: ["unreachable"],
}
