"""Which variables a part of a program mentions freely, and which ones it assigns."""

from __future__ import annotations

from pitviper.program.assertion import Binding, QuantifiedPermission
from pitviper.program.expr import Exists, Forall, ForPerm, Let, Var
from pitviper.program.node import Node
from pitviper.program.stmt import Declare, LocalAssign, MethodCall, New, QuasihavocAll, Stmt
from pitviper.program.walk import children, descendants

_BINDERS = (Forall, Exists, ForPerm, QuantifiedPermission, QuasihavocAll, Let, Binding)


def free_vars(node: Node) -> frozenset[str]:
    """The names of the variables that occur free in an expression, assertion or statement.

    A variable that a statement declares inside itself is not free: names are unique in a member.
    """
    return frozenset([variable.name for variable in free_variables(node)])


def free_variables(node: Node) -> tuple[Var, ...]:
    """The first free occurrence of each variable, from left to right."""
    found: dict[str, Var] = {}
    declared: set[str] = set()
    _collect(node, frozenset(), found, declared)
    return tuple([variable for name, variable in found.items() if name not in declared])


def _collect(node: Node, bound: frozenset[str], found: dict[str, Var], declared: set[str]) -> None:
    todo = [node]
    while todo:
        current = todo.pop()
        if isinstance(current, Var):
            if current.name not in bound:
                found.setdefault(current.name, current)
        elif isinstance(current, Declare):
            declared.add(current.variable.name)
        elif isinstance(current, _BINDERS):
            outside, inside = _parts(current)
            for part in outside:
                _collect(part, bound, found, declared)
            names = bound.union([variable.name for variable in _bound_by(current)])
            for part in inside:
                _collect(part, names, found, declared)
        else:
            todo.extend(reversed(children(current)))


def _bound_by(node: Node) -> tuple[Var, ...]:
    match node:
        case Let() | Binding():
            return (node.variable,)
        case Forall() | Exists() | ForPerm() | QuantifiedPermission() | QuasihavocAll():
            return node.variables
        case _:
            return ()


def _parts(node: Node) -> tuple[list[Node], list[Node]]:
    """The parts of a binder outside and inside the scope of its variables."""
    parts = children(node)[len(_bound_by(node)) :]
    return (parts[:1], parts[1:]) if isinstance(node, Let | Binding) else ([], parts)


def assigned_variables(statement: Stmt) -> tuple[Var, ...]:
    """The variables that a statement may assign and does not declare, in order of assignment."""
    found: dict[str, Var] = {}
    declared: set[str] = set()
    for node in descendants(statement):
        match node:
            case LocalAssign(target) | New(target):
                found.setdefault(target.name, target)
            case MethodCall(targets=targets):
                for target in targets:
                    found.setdefault(target.name, target)
            case Declare(variable):
                declared.add(variable.name)
            case _:
                pass
    return tuple([variable for name, variable in found.items() if name not in declared])
