"""The names of a file of the object language, collected while its classes are lowered."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pitviper.checking.report import Report
from pitviper.languages.cool import tree
from pitviper.languages.cool.classes import ClassInfo, MethodInfo, Table
from pitviper.languages.cool.members import Members
from pitviper.languages.cool.naming import name_in
from pitviper.languages.cool.parser import parse
from pitviper.languages.names import Named, Names
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants
from pitviper.source.span import SourceFile, Span

_KINDS = {"pure": "function", "predicate": "predicate"}


def names_of(source: SourceFile) -> Names:
    """All names of a file, as far as it can be read; mistakes are told elsewhere."""
    parsed = parse(source).tree
    names = Names()
    table = Table(parsed, Report(), names)
    for info in table.classes.values():
        _declare_class(info, table, names)
    for local in _locals(parsed):
        names.declare(local)
    for node in descendants(parsed):
        if isinstance(node, tree.TypeName | tree.NewObject) and node.name in table.classes:
            _use_class(node, table.classes[node.name], names)
    Members(parsed, table, Report()).program()
    return names


def _use_class(node: tree.TypeName | tree.NewObject, info: ClassInfo, names: Names) -> None:
    """A class is named as a type; `new` names its constructor, if there is one."""
    declared, start = info.declaration.place.span, node.span.start
    if isinstance(node, tree.NewObject):
        behind = re.compile(r"new\s+").match(node.span.text)
        start += 0 if behind is None else behind.end()
        if info.constructor is not None:
            declared = info.constructor.declaration.place.span
    names.use(start, declared)


def _locals(file: tree.File) -> Iterator[Named]:
    """Variables of methods and quantifiers, each with the part of the text that knows it."""
    todo: list[tuple[Node, Span, str]] = [(file, file.span, "main")]
    while todo:
        node, scope, inside = todo.pop()
        match node:
            case tree.ClassDeclaration(name=name):
                inside = name
            case tree.MethodDeclaration(name=name):
                inside = f"{inside}.{name}"
            case tree.Block():
                scope = node.span
            case tree.Local(type=kind, name=name):
                known = Span(scope.file, node.span.start, scope.end)
                yield _variable(name, node.span, kind, known, inside)
            case tree.Quantifier(variable=variable):
                scope = node.span
                yield _variable(variable.name, variable.span, variable.type, scope, inside)
        todo += [(child, scope, inside) for child in children(node)]


def _variable(name: str, whole: Span, kind: tree.TypeName, scope: Span, inside: str) -> Named:
    text = f"{kind.span.text} {name}"
    return Named(name, "variable", name_in(whole, name), whole, text, scope, inside)


def _declare_class(info: ClassInfo, table: Table, names: Names) -> None:
    declaration = info.declaration
    kind = "interface" if info.is_interface else "class"
    head = declaration.span.text.partition("{")[0].strip()
    family = ("class", info.name)
    names.declare(
        Named(info.name, kind, declaration.place.span, declaration.span, head, family=family)
    )
    for name in declaration.implements:
        other = table.classes.get(name.name)
        if other is not None:
            names.use(name.span.start, other.declaration.place.span)
    for field in declaration.fields:
        place = name_in(field.span, field.name)
        text = f"{field.type.span.text} {field.name}"
        names.declare(Named(field.name, "field", place, field.span, text, inside=info.name))
    for method in info.methods.values():
        _declare_method(info, method, table, names)


def _declare_method(info: ClassInfo, method: MethodInfo, table: Table, names: Names) -> None:
    declaration = method.declaration
    body = declaration.body
    until = declaration.span.end if body is None else body.span.start
    head = Span(declaration.span.file, declaration.span.start, until).text.rstrip()
    family = ("class", info.name) if method.kind == "constructor" else _family(method, table)
    params = tuple([" ".join(param.span.text.split()) for param in declaration.params])
    names.declare(
        Named(
            method.name,
            _KINDS.get(method.kind, "method"),
            declaration.place.span,
            declaration.span,
            head,
            inside=info.name,
            params=params,
            family=family,
        )
    )
    for param in declaration.params:
        place = name_in(param.span, param.name)
        text = " ".join(param.span.text.split())
        names.declare(
            Named(param.name, "parameter", place, param.span, text, declaration.span, method.title)
        )


def _family(method: MethodInfo, table: Table) -> tuple[str, str]:
    """A method of a class has its name from the first interface that declares it."""
    promises = table.promises(method)
    return ("method", (promises[0] if promises else method).title)
