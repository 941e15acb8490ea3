"""Which names the body of a macro mentions without declaring them."""

from __future__ import annotations

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
