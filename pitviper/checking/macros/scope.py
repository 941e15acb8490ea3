"""What names mean inside the body of a macro."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pitviper.base.record import field, record
from pitviper.checking.macros.table import Macro, Macros
from pitviper.syntax import tree
from pitviper.syntax.walk import descendants

WordPlace: TypeAlias = Literal["member", "label"]
"""What an identifier names: a member (function, field, ...) or a label."""


@record
class Argument:
    """An expression that stands for a parameter, with the scope it was written in."""

    expr: tree.Expr
    scope: Scope


@record
class Scope:
    """The scope of one use of a macro; that of the member itself has no macro and no names.

    `variables` grows as the statements of a block declare some; a nested block has a copy. Its
    entries hide parameters. `labels` are those that the body declares anywhere.
    """

    macro: Macro | None = None
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def nested(self) -> Scope:
        if self.macro is None:
            return self
        return Scope(self.macro, self.arguments, dict(self.variables), self.labels)

    def argument(self, name: str) -> Argument | None:
        return None if name in self.variables else self.arguments.get(name)

    def renamed(self, name: str) -> str:
        return self.variables.get(name) or self.labels.get(name) or name


@record
class Use:
    """A macro in use: `args` is None where no parentheses were written."""

    macro: Macro
    args: tuple[tree.Expr, ...] | None
    node: tree.Name | tree.Call | tree.TypeName
    scope: Scope


MEMBER = Scope()
"""The scope of a member's own text."""


def word_behind(name: str, scope: Scope, macros: Macros, place: WordPlace) -> str | Argument:
    """The name that an identifier comes to, through parameters and macros that are names.

    Where a parameter stands for something else than a name, its argument is the answer.
    """
    while True:
        if place == "label" and name in scope.labels:
            return scope.labels[name]
        argument = scope.argument(name)
        macro = macros.get(name)
        if argument is not None and not isinstance(argument.expr, tree.Name):
            return argument
        if argument is not None and isinstance(argument.expr, tree.Name):
            name, scope = argument.expr.name, argument.scope
        elif macro is not None and macro.word is not None:
            name, scope = macro.word, MEMBER
        else:
            return name


def names_in(arguments: Mapping[str, Argument], macros: Macros) -> set[str]:
    """The names that occur in what will replace the parameters, macros among it expanded."""
    found: set[str] = set()
    todo = list(arguments.values())
    seen = {id(argument) for argument in todo}
    while todo:
        argument = todo.pop()
        for name in _names_of(argument.expr):
            inner = argument.scope.argument(name)
            if inner is None:
                found.add(argument.scope.renamed(name))
            elif id(inner) not in seen:
                seen.add(id(inner))
                todo.append(inner)
    _add_names_of_macros(found, macros)
    return found


def _names_of(expr: tree.Expr) -> list[str]:
    nodes = descendants(expr)
    return [node.name for node in nodes if isinstance(node, tree.Name | tree.Identifier)]


def _add_names_of_macros(found: set[str], macros: Macros) -> None:
    todo = [name for name in found if name in macros]
    while todo:
        mentioned = macros[todo.pop()].mentioned
        new = [name for name in (*mentioned.uses, *mentioned.words) if name not in found]
        found.update(new)
        todo.extend(name for name in new if name in macros)


def as_type(expr: tree.Expr) -> tree.TypeName | None:
    """`D` and `D[E]` read as types; None for any other expression."""
    match expr:
        case tree.Name(name):
            return tree.TypeName(name, span=expr.span)
        case tree.Index(tree.Name(name), index):
            argument = as_type(index)
            return None if argument is None else tree.TypeName(name, (argument,), span=expr.span)
        case _:
            return None
