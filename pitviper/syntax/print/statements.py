"""Statements and contract clauses of the syntax tree as lines of text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias, assert_never

from pitviper.source.span import SourceFile
from pitviper.syntax import tree
from pitviper.syntax.format.items import STEP, WIDTH, Before, Items, Mark, Start
from pitviper.syntax.format.layout import lay_out
from pitviper.syntax.format.spacing import find_choices
from pitviper.syntax.parse.lexer import lex
from pitviper.syntax.print.expressions import (
    WAND,
    first_atom,
    print_annotation,
    print_bindings,
    print_expr,
    print_names,
)

_Simple: TypeAlias = (
    tree.VarDeclaration | tree.Assign | tree.ExprStatement | tree.AssertionStatement
    | tree.FoldUnfold | tree.Apply | tree.Goto
    | tree.Quasihavoc | tree.QuasihavocAll | tree.Unreachable
)  # fmt: skip

_UNDERSCORE = re.compile(r"_(?![A-Za-z0-9_$])")
"""A measure that begins like the wildcard `decreases _`."""


def print_stmt(s: tree.Stmt) -> str:
    """The statement, its first line not indented."""
    lines = Lines()
    add_stmt(lines, s, 0, "")
    return str(lines)


def add_annotations(lines: Lines, annotations: tuple[tree.Annotation, ...], depth: int) -> None:
    for annotation in annotations:
        lines.unit(depth, print_annotation(annotation))


def add_specs(lines: Lines, specs: tuple[tree.Specification, ...], depth: int) -> None:
    for spec in specs:
        lines.clause(depth, _spec(spec))


def add_define(lines: Lines, d: tree.Define, depth: int, end: str) -> None:
    """A macro, as member or as statement; its annotations are printed already."""
    params = "" if d.params is None else f"({print_names(d.params)})"
    head = f"define {d.name.name}{params} "
    if isinstance(d.body, tree.Block):
        add_block(lines, head, d.body, depth, end)
    else:
        lines.unit(depth, head + print_expr(d.body) + end)


def add_block(lines: Lines, head: str, block: tree.Block, depth: int, end: str = "") -> None:
    """`head { ... }end`."""
    if block.statements:
        lines.unit(depth, f"{head}{{")
        add_statements(lines, block, depth + 1)
        lines.unit(depth, f"}}{end}")
    else:
        lines.unit(depth, f"{head}{{}}{end}")


def add_statements(lines: Lines, block: tree.Block, depth: int) -> None:
    statements = block.statements
    for s, following in zip(statements, (*statements[1:], None), strict=True):
        add_stmt(lines, s, depth, ";" if following and _runs_on(s, following) else "")


def add_stmt(lines: Lines, s: tree.Stmt, depth: int, end: str) -> None:
    """The statement with `end` behind it."""
    add_annotations(lines, s.annotations, depth)
    match s:
        case tree.Block():
            add_block(lines, "", s, depth, end)
        case tree.If():
            _add_if(lines, s, depth, end)
        case tree.While():
            _add_while(lines, s, depth, end)
        case tree.Package():
            _add_package(lines, s, depth, end)
        case tree.Label():
            _add_label(lines, s, depth, end)
        case tree.Define():
            add_define(lines, s, depth, end)
        case _:
            lines.unit(depth, _simple(s) + end)


def _runs_on(s: tree.Stmt, following: tree.Stmt) -> bool:
    """Would the next statement be read as a part of this one without a `;` between them?"""
    if following.annotations:
        return False
    match following:
        case tree.Block():
            return isinstance(s, tree.Package) and s.script is None
        case tree.ExprStatement(expr=e) | tree.Assign(targets=(e, *_)):
            return isinstance(first_atom(e), tree.Range | tree.InhaleExhale)
        case _:
            return False


def _add_if(lines: Lines, s: tree.If, depth: int, end: str) -> None:
    line = f"if ({print_expr(s.condition)}) {{"
    arm: tree.If | tree.Block = s
    while isinstance(arm, tree.If):
        line = _add_arm(lines, line, arm.then, depth)
        if arm.otherwise is None:
            break
        arm = arm.otherwise
        line += (
            f" elseif ({print_expr(arm.condition)}) {{" if isinstance(arm, tree.If) else " else {"
        )
    else:
        line = _add_arm(lines, line, arm, depth)
    lines.unit(depth, line + end)


def _add_arm(lines: Lines, line: str, block: tree.Block, depth: int) -> str:
    """The block that `line` opens; the result is the start of the line that closes it."""
    if not block.statements:
        return line + "}"
    lines.unit(depth, line)
    add_statements(lines, block, depth + 1)
    return "}"


def _add_while(lines: Lines, s: tree.While, depth: int, end: str) -> None:
    head = f"while ({print_expr(s.condition)}) "
    if s.specs:
        lines.unit(depth, head.rstrip())
        add_specs(lines, s.specs, depth)
        head = ""
    add_block(lines, head, s.body, depth, end)


def _add_package(lines: Lines, s: tree.Package, depth: int, end: str) -> None:
    head = f"package {print_expr(s.wand, WAND)}"
    if s.script is None:
        lines.unit(depth, head + end)
    else:
        add_block(lines, f"{head} ", s.script, depth, end)


def _add_label(lines: Lines, s: tree.Label, depth: int, end: str) -> None:
    lines.unit(depth, f"label {s.name.name}" + ("" if s.invariants else end))
    for clause in s.invariants[:-1]:
        lines.clause(depth, _spec(clause))
    if s.invariants:
        lines.clause(depth, _spec(s.invariants[-1]) + end)


def _simple(s: _Simple) -> str:
    match s:
        case tree.Assign():
            return f"{_listed_first(s.targets)} := {print_expr(s.value)}"
        case tree.ExprStatement():
            return _listed_first((s.expr,))
        case tree.AssertionStatement():
            return f"{s.kind} {print_expr(s.assertion)}"
        case tree.FoldUnfold():
            return f"{s.kind} {print_expr(s.resource)}"
        case tree.VarDeclaration():
            init = "" if s.init is None else f" := {print_expr(s.init)}"
            return f"var {print_bindings(s.variables)}{init}"
        case tree.Goto():
            return f"goto {s.target.name}"
        case tree.Apply():
            return f"apply {print_expr(s.wand, WAND)}"
        case tree.Quasihavoc():
            return f"quasihavoc {print_expr(s.operand)}"
        case tree.QuasihavocAll():
            return f"quasihavocall {print_bindings(s.variables)} :: {print_expr(s.operand)}"
        case tree.Unreachable():
            return "unreachable"
        case _:
            assert_never(s)


def _listed_first(exprs: tuple[tree.Expr, ...]) -> str:
    """Expressions at the start of a statement.

    There an annotation would be the statement's, and `|` and `domain` begin no statement.
    """
    texts = [print_expr(e) for e in exprs]
    if isinstance(first_atom(exprs[0]), tree.AnnotatedExpr | tree.Cardinality | tree.MapDomain):
        texts[0] = f"({texts[0]})"
    return ", ".join(texts)


def _spec(spec: tree.Specification) -> str:
    match spec:
        case tree.Clause():
            return f"{spec.kind} {print_expr(spec.condition)}"
        case tree.Decreases():
            return _decreases(spec)
        case _:
            assert_never(spec)


def _decreases(spec: tree.Decreases) -> str:
    measures = [print_expr(e) for e in spec.measures]
    if measures and _UNDERSCORE.match(measures[0]):
        measures[0] = f"({measures[0]})"
    words = ["decreases", ", ".join(measures)]
    if spec.kind != "tuple":
        words[1] = "_" if spec.kind == "wildcard" else "*"
    if spec.condition is not None:
        words.append(f"if {print_expr(spec.condition)}")
    return " ".join([word for word in words if word])


_BRACKETS = {"(": Mark.OPEN, "[": Mark.OPEN, ")": Mark.CLOSE, "]": Mark.CLOSE}


class Lines:
    """Printed lines; `depth` counts levels of indentation."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def __str__(self) -> str:
        return "\n".join(self._lines)

    def unit(self, depth: int, text: str) -> None:
        """A statement or declaration, or its first line up to and including a `{`."""
        self._add(depth, text, Start.UNIT)

    def clause(self, depth: int, text: str) -> None:
        """A part of a declaration or statement at `depth`, on a line of its own."""
        self._add(depth, text, Start.CLAUSE)

    def body(self, depth: int, text: str) -> None:
        """An expression between braces that stand on other lines."""
        self._add(depth, text, Start.NOTHING)

    def empty(self) -> None:
        self._lines.append("")

    def _add(self, depth: int, text: str, start: Start) -> None:
        indent = STEP * (depth + (start is Start.CLAUSE))
        if indent + len(text) > WIDTH:
            self._lines.append(lay_out(_items(text, start), STEP * depth))
        else:
            self._lines.append(" " * indent + text)


def _items(text: str, start: Start) -> Items:
    """The tokens of one line of printed text, with its blanks."""
    tokens, _ = lex(SourceFile(Path("<printed>"), text))
    choices = find_choices(tokens.kinds)
    items = Items()
    for at in range(len(tokens.kinds) - 1):
        mark = _BRACKETS.get(tokens.kinds[at], Mark.PLAIN)
        if at in choices:
            mark = Mark.CHOICE
        glued = at > 0 and tokens.starts[at] == tokens.ends[at - 1]
        before = Before.NOTHING if glued else Before.BLANK
        items.add(tokens.text(at), mark, before, start if at == 0 else Start.NOTHING)
    _mark_braces(items)
    return items


def _mark_braces(items: Items) -> None:
    """Braces in the middle are those of triggers; at the ends they belong to blocks."""
    for at, text in enumerate(items.texts):
        if text == "{":
            block = at == len(items.texts) - 1
            items.marks[at] = Mark.BLOCK_OPEN if block else Mark.OPEN
        elif text == "}":
            items.marks[at] = Mark.CLOSE if at else Mark.BLOCK_CLOSE
