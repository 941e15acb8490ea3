"""Finds the statements of a block that concern macros, without looking into expressions."""

from __future__ import annotations

from pitviper.base.record import field, record
from pitviper.syntax import tree


@record
class Scan:
    """`defines` in source order; `in_scripts` are those inside `package` scripts."""

    defines: list[tree.Define] = field(default_factory=list)
    in_scripts: list[tree.Define] = field(default_factory=list)
    call_targets: list[tree.Assign] = field(default_factory=list)
    """Assignments to a call, which only a macro can make sense of."""

    @property
    def concerns_macros(self) -> bool:
        return bool(self.defines or self.in_scripts or self.call_targets)


def scan(block: tree.Block) -> Scan:
    found = Scan()
    todo: list[tuple[tree.Stmt, bool]] = [(block, False)]
    while todo:
        statement, in_script = todo.pop()
        match statement:
            case tree.Define():
                (found.in_scripts if in_script else found.defines).append(statement)
            case tree.Assign(targets) if any(isinstance(t, tree.Call) for t in targets):
                found.call_targets.append(statement)
        inner = in_script or isinstance(statement, tree.Package)
        todo.extend((below, inner) for below in reversed(_statements_in(statement)))
    return found


def labels_in(block: tree.Block) -> tuple[str, ...]:
    """The names of all labels that `block` declares, in source order."""
    found: list[str] = []
    todo: list[tree.Stmt] = [block]
    while todo:
        statement = todo.pop()
        if isinstance(statement, tree.Label):
            found.append(statement.name.name)
        todo.extend(reversed(_statements_in(statement)))
    return tuple(found)


def _statements_in(statement: tree.Stmt) -> tuple[tree.Stmt, ...]:
    match statement:
        case tree.Block(statements):
            return statements
        case tree.If(_, then, None):
            return (then,)
        case tree.If(_, then, tree.Block() | tree.If() as otherwise):
            return then, otherwise
        case tree.While():
            return (statement.body,)
        case tree.Package(_, tree.Block() as script):
            return (script,)
        case _:
            return ()
