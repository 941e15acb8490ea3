"""A program of another language as text of Viper, with comments that lead back to its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitviper.base.record import replace
from pitviper.checking.collect import UNTOUCHED
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program import stmt as s
from pitviper.program.node import Annotation, Node
from pitviper.program.print.printer import member_text
from pitviper.program.types import STATE, DomainType
from pitviper.program.walk import descendants, rewrite
from pitviper.source.span import NO_SPAN, Span
from pitviper.syntax.token import KEYWORDS

_STATE = DomainType("State")
_TAKEN = KEYWORDS | {"result", "Int", "Bool", "Ref", "Perm", "State", "Seq", "Set"}


def viper_text(program: m.Program, file: str) -> str:
    """All members with names that Viper can have, each with the place that it comes from."""
    plain = _Plain(program)
    parts = [f"// {file}, as a program of Viper: members of classes have the class in their name"]
    if any(f.result == STATE for f in program.functions.values()):
        parts.append(
            "// the contents of a predicate instance: the same where `untouched` is promised\n"
            "domain State {\n}"
        )
    tables: tuple[Mapping[str, m.Member], ...] = (
        program.fields, program.functions, program.predicates, program.methods,
    )  # fmt: skip
    for table in tables:
        for member in table.values():
            parts.append(f"{_origin(member.name, member.span)}{member_text(plain.member(member))}")
    return "\n\n".join(parts) + "\n"


def _origin(name: str, span: Span) -> str:
    if span == NO_SPAN:
        return ""
    return f"// {name}: line {span.line}\n"


class _Plain:
    """Gives members names that Viper can have, no two the same."""

    def __init__(self, program: m.Program) -> None:
        self._program = program
        self._names: dict[str, str] = {}
        tables = (program.fields, program.functions, program.predicates, program.methods)
        self._members = {name for table in tables for name in table}
        for name in sorted(self._members):
            self._name(name)

    def _name(self, name: str) -> str:
        found = self._names.get(name)
        if found is None:
            text = name.replace("[]", "_array").replace("'", "_")
            text = "".join([c if c.isalnum() or c == "_" else "_" for c in text])
            if text in _TAKEN:
                text = "res" if text == "result" else f"{text}_"
            while text in self._names.values():
                text += "_"
            found = self._names[name] = text
        return found

    def member(self, member: m.Member) -> m.Member:
        """The member without annotations, in plain names; a body declares its variables first."""
        if isinstance(member, m.Method) and member.body is not None:
            member = replace(member, body=_declared_first(member.body))
        names = {n.variable.name for n in descendants(member) if isinstance(n, s.Declare)}
        names |= {n.name for n in getattr(member, "params", ())}
        bound = rewrite(member, lambda node: _apart(node, names))
        renamed = rewrite(rewrite(rewrite(bound, self._told), self._rule), _nowhere)
        notes: tuple[Annotation, ...] = ()
        if isinstance(member, m.Function) and member.result == STATE:
            notes = (Annotation(UNTOUCHED, ()),)
        return replace(renamed, name=self._name(member.name), annotations=notes)

    def _told(self, node: Node) -> Node | None:
        """`untouched`, with what it tells about functions of the same instance."""
        match node:
            case x.Equal(x.FunctionApp(state, args, type_), x.Old()) if type_ == STATE:
                same: list[x.Expr] = [node]
                for function in self._alike(self._program.functions[state]):
                    value = x.FunctionApp(function.name, args, function.result)
                    same.append(x.Equal(value, x.Old(None, value)))
                return x.And(tuple(same), span=node.span) if len(same) > 1 else node
            case _:
                return None

    def _alike(self, state: m.Function) -> list[m.Function]:
        """The functions that look at the same instance, and at nothing else."""
        (held,) = state.preconditions
        return [
            f
            for f in self._program.functions.values()
            if f.params == state.params
            and f.result != STATE
            and [c for c in f.preconditions if isinstance(c, a.Impure)] == [held]
        ]

    def _rule(self, node: Node) -> Node | None:
        match node:
            case x.Var(name):
                return replace(node, name=self._name(name))
            case x.FieldRead(_, field) | a.FieldLocation(_, field) | s.FieldAssign(_, field):
                return replace(node, field=self._name(field))
            case s.New(fields=fields):
                return replace(node, fields=tuple([self._name(field) for field in fields]))
            case x.FunctionApp(function):
                type_ = _STATE if node.type == STATE else node.type
                return replace(node, function=self._name(function), type=type_)
            case a.PredicateLocation(predicate):
                return replace(node, predicate=self._name(predicate))
            case s.MethodCall(method):
                return replace(node, method=self._name(method))
            case m.Function() if node.result == STATE:
                return replace(node, result=_STATE)
            case _:
                return None


def _nowhere(node: Node) -> Node:
    """The node without its place: what is written is Viper, wherever it comes from."""
    return replace(node, span=NO_SPAN)


def _apart(node: Node, taken: set[str]) -> Node | None:
    """A quantifier whose variables have names that nothing else in the member has."""
    if not isinstance(node, x.Forall | x.Exists):
        return None
    clashing = {v.name for v in node.variables if v.name in taken}

    def rule(inner: Node) -> Node | None:
        if isinstance(inner, x.Var) and inner.name in clashing:
            return replace(inner, name=f"{inner.name} bound")
        return None

    return rewrite(node, rule) if clashing else None


def _declared_first(body: s.Block) -> s.Block:
    """Each variable is declared once, in front; what chooses a value for one has a name for it."""
    declared = {n.variable.name: n.variable for n in descendants(body) if isinstance(n, s.Declare)}
    found = rewrite(body, _Choices(set(declared)).rule)
    first = [s.Declare(variable) for variable in declared.values()]
    return replace(found, statements=(*first, *found.statements))


class _Choices:
    """Declarations inside of a body become assignments of arbitrary values."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._count = 0

    def rule(self, node: Node) -> Node | None:
        if not isinstance(node, s.Block):
            return None
        return replace(node, statements=tuple(self._statements(node.statements)))

    def _statements(self, statements: tuple[s.Stmt, ...]) -> Iterator[s.Stmt]:
        for at, statement in enumerate(statements):
            if not isinstance(statement, s.Declare):
                yield statement
            elif not any(
                _assigns(later, statement.variable.name) for later in statements[at + 1 :][:2]
            ):
                yield from self._any(statement.variable)

    def _any(self, variable: x.Var) -> Iterator[s.Stmt]:
        self._count += 1
        chosen = x.Var(f"any {self._count}", variable.type)
        yield s.Declare(chosen)
        yield s.LocalAssign(variable, chosen)


def _assigns(statement: s.Stmt, name: str) -> bool:
    match statement:
        case s.LocalAssign(target) | s.New(target):
            return target.name == name
        case s.MethodCall(targets=targets):
            return any(target.name == name for target in targets)
        case _:
            return False
