"""The only generic traversals of the typed program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from operator import attrgetter
from typing import TypeVar
from weakref import ref

from pitviper.base.record import annotations_of, names_of
from pitviper.program.assertion import Binding, QuantifiedPermission
from pitviper.program.expr import Exists, Forall, ForPerm, Let, Var
from pitviper.program.member import Function, Method, Predicate
from pitviper.program.node import Node
from pitviper.program.stmt import Declare, LocalAssign, MethodCall, New, QuasihavocAll, Stmt

N = TypeVar("N", bound=Node)
T = TypeVar("T")

_NODELESS = frozenset(
    [
        "Span", "tuple[Annotation, ...]", "Type", "Type | None", "tuple[Type, ...]",
        "SeqType", "SetType", "MultisetType", "MapType",
        "str", "str | None", "tuple[str, ...]", "tuple[tuple[str, str], ...] | None",
        "int", "int | None", "bool",
        "PermConstant", "IntOp", "PermOp", "CompareOp", "SetOp", "Asked | None",
    ]
)  # fmt: skip
"""Declared types of fields that hold no node, so that traversals do not look into them."""

_FIELD_NAMES: dict[type, tuple[str, ...]] = {}


def _field_names(cls: type) -> tuple[str, ...]:
    names = _FIELD_NAMES.get(cls)
    if names is None:
        names = tuple([n for n, held in annotations_of(cls).items() if held not in _NODELESS])
        _FIELD_NAMES[cls] = names
    return names


_Reader = Callable[[Node], tuple[object, ...]]


class _Readers(dict[type, _Reader | None]):
    """What reads all fields of a class that may hold nodes; None where there are none."""

    def __missing__(self, cls: type) -> _Reader | None:
        names = _field_names(cls)
        if len(names) == 1:
            (name,) = names
            self[cls] = lambda node: (getattr(node, name),)
        else:
            self[cls] = attrgetter(*names) if names else None
        return self[cls]


_READERS = _Readers()


def children(node: Node) -> list[Node]:
    """The nodes directly below `node`, in source order."""
    found: list[Node] = []
    read = _READERS[type(node)]
    for value in read(node) if read is not None else ():
        if type(value) is tuple:
            _add_nodes(value, found)
        elif isinstance(value, Node):
            found.append(value)
    return found


def _add_nodes(values: tuple[object, ...], found: list[Node]) -> None:
    for value in values:
        if isinstance(value, Node):
            found.append(value)
        elif isinstance(value, tuple):
            _add_nodes(value, found)


def descendants(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it, parents first, from left to right."""
    if node.__class__ in _MEMBERS:
        return chain((node,), _below_member(node))
    return _walk([node])


def _walk(todo: list[Node]) -> Iterator[Node]:
    """The nodes and all below them, from the last to the first."""
    while todo:
        current = todo.pop()
        yield current
        read = _READERS[current.__class__]
        if read is None:
            continue
        below: list[Node] = []
        for value in read(current):
            if value.__class__ is not tuple:
                if isinstance(value, Node):
                    below.append(value)
            elif value:
                _add_nodes(value, below)
        below.reverse()
        todo += below


_MEMBERS = frozenset([Method, Function, Predicate])
"""What many analyses of a program look through from end to end."""


def once_each(find: Callable[[N], T]) -> Callable[[N], T]:
    """What is found about a node is looked for once, as long as the node lives; by identity.

    For classes of nodes with a slot for weak references, and findings that do not hold the node.
    """
    known: dict[int, tuple[ref[N], T]] = {}

    def found(node: N) -> T:
        key = id(node)
        entry = known.get(key)
        if entry is None:
            entry = ref(node, lambda _: known.pop(key, None)), find(node)
            known[key] = entry
        return entry[1]

    return found


@once_each
def _below_member(member: Node) -> tuple[Node, ...]:
    return tuple(_walk(children(member)[::-1]))


def rewrite(node: N, rule: Callable[[Node], Node | None]) -> N:
    """Replace nodes bottom-up: `rule` sees a node with rewritten children; None keeps it.

    Parts in which nothing changes stay the same objects.
    """
    changed: dict[str, object] = {}
    for name in _field_names(type(node)):
        old = getattr(node, name)
        new = _rewrite_value(old, rule)
        if new is not old:
            changed[name] = new
    rebuilt = _with_fields(node, changed) if changed else node
    replaced = rule(rebuilt)
    return rebuilt if replaced is None else replaced  # type: ignore[return-value]


def rewrite_children(node: N, found: Mapping[int, Node]) -> N:
    """The node with other children, by the identities of those that it has."""

    def replaced(value: object) -> object:
        if isinstance(value, tuple):
            return tuple([replaced(item) for item in value])
        return found.get(id(value), value)

    names = _field_names(type(node))
    return _with_fields(node, {name: replaced(getattr(node, name)) for name in names})


def _rewrite_value(value: object, rule: Callable[[Node], Node | None]) -> object:
    if isinstance(value, Node):
        return rewrite(value, rule)
    if isinstance(value, tuple):
        items = tuple([_rewrite_value(item, rule) for item in value])
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    return value


def _with_fields(node: N, changed: dict[str, object]) -> N:
    values = {name: getattr(node, name) for name in names_of(node)}
    values.update(changed)
    return type(node)(**values)


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
