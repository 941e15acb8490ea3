"""Names in macros: those that a body mentions without declaring them, and fresh ones (hygiene)."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.base.record import field, record
from pitviper.syntax import tree
from pitviper.syntax.walk import children


@record
class Mentions:
    """Names in the order of their first mention (dictionaries serve as ordered sets).

    `uses` stand where a macro of any kind can be used: variables, callees, types. `words` stand
    where only another name can replace them: field names, labels.
    """

    uses: dict[str, None] = field(default_factory=dict)
    words: dict[str, None] = field(default_factory=dict)

    def __contains__(self, name: str) -> bool:
        return name in self.uses or name in self.words


def mentions(node: tree.Node) -> Mentions:
    """The free names of `node`."""
    found = Mentions()
    _collect(node, set(), found)
    return found


def _collect(node: tree.Node, bound: set[str], found: Mentions) -> None:
    match node:
        case tree.Name(name):
            if name not in bound:
                found.uses.setdefault(name)
        case tree.TypeName(name):
            found.uses.setdefault(name)
        case tree.Call(callee):
            found.uses.setdefault(callee.name)
        case tree.Identifier(name):
            found.words.setdefault(name)
    _collect_below(node, bound, found)


def _collect_below(node: tree.Node, bound: set[str], found: Mentions) -> None:
    match node:
        case tree.VarBinding(_, type_name):
            _collect(type_name, bound, found)
        case tree.Quantifier() | tree.ForPerm() | tree.QuasihavocAll():
            _collect_children(node, bound | _names(node.variables), found)
        case tree.Let(name, value, body):
            _collect(value, bound, found)
            _collect(body, bound | {name.name}, found)
        case tree.Block(statements):
            inner = set(bound)
            for statement in statements:
                _collect(statement, inner, found)
                if isinstance(statement, tree.VarDeclaration):
                    inner |= _names(statement.variables)
        case tree.Call(_, args):
            for argument in args:
                _collect(argument, bound, found)
        case _:
            _collect_children(node, bound, found)


def _collect_children(node: tree.Node, bound: set[str], found: Mentions) -> None:
    for child in children(node):
        _collect(child, bound, found)


def _names(variables: tuple[tree.VarBinding, ...]) -> set[str]:
    return {variable.name.name for variable in variables}


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


# ---------------------------------------------------------------- hygiene


class Names:
    """The names of one member: those its text declares, and those its expansions add."""

    def __init__(self, member: tree.Node, global_names: frozenset[str]) -> None:
        self._member = member
        self._global = global_names
        self._taken: set[str] | None = None
        self._numbers: dict[str, int] = {}

    def declare(self, name: str) -> str:
        """`name` itself if nothing else has it, otherwise `name$N`."""
        chosen = name
        while self._is_taken(chosen):
            number = self._numbers.get(name, -1) + 1
            self._numbers[name] = number
            chosen = f"{name}${number}"
        self._known().add(chosen)
        return chosen

    def reserve(self, names: Iterable[str]) -> None:
        """Names that occur in arguments, which no declaration of an expansion may capture."""
        self._known().update(names)

    def _is_taken(self, name: str) -> bool:
        return name in self._global or name in self._known()

    def _known(self) -> set[str]:
        if self._taken is None:
            self._taken = declared_names(self._member)
        return self._taken


def declared_names(member: tree.Node) -> set[str]:
    """Variables and labels that `member` declares anywhere, apart from the bodies of macros."""
    found: set[str] = set()
    todo = [member]
    while todo:
        node = todo.pop()
        match node:
            case tree.Define():
                continue
            case tree.VarBinding(name) | tree.Let(name) | tree.Label(name):
                found.add(name.name)
            case tree.DomainParameter(tree.Identifier(name=text)):
                found.add(text)
        todo.extend(children(node))
    return found


def global_names(members: Iterable[tree.Member]) -> frozenset[str]:
    """All names that members declare for the whole program, apart from macros."""
    found: set[str] = set()
    for member in members:
        match member:
            case tree.FieldDeclaration(variables):
                found.update(variable.name.name for variable in variables)
            case tree.Domain():
                found.add(member.name.name)
                found.update(part.name.name for part in member.members if part.name is not None)
            case tree.Adt():
                found.add(member.name.name)
                found.update(constructor.name.name for constructor in member.constructors)
            case tree.Method() | tree.Function() | tree.Predicate():
                found.add(member.name.name)
    return frozenset(found)
