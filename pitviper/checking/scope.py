"""Names in scope inside a member: no shadowing, and one name per declaration afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.checking.report import Report
from pitviper.program.types import Type
from pitviper.source.diagnostic import Related
from pitviper.source.span import Span
from pitviper.syntax import tree


@record
class Local:
    """A variable: `name` is its name in the typed program."""

    name: str
    type: Type
    span: Span
    assignable: bool = False


@struct
class _Frame:
    """One open scope: what it declares, and the names in scopes inside it that are closed."""

    hidden: list[tuple[str, Local | None]]
    inner: dict[str, Span]


class Scope:
    """The variables and labels of one member.

    Locals of sibling blocks may share a source name; the second one is renamed `x$1`, because
    the typed program has no scopes. Bound variables keep their names.
    """

    __slots__ = (
        "_frames", "_label_spans", "_names_of_member", "_numbers", "_reserved", "_taken",
        "_visible",
    )  # fmt: skip

    def __init__(self, names_of_member: Callable[[], set[str]]) -> None:
        self._visible: dict[str, Local] = {}
        self._frames = [_Frame([], {})]
        self._taken: set[str] = set()
        self._names_of_member = names_of_member
        self._reserved: set[str] | None = None
        self._numbers: dict[str, int] = {}
        self._label_spans: set[Span] = set()

    def find(self, name: str) -> Local | None:
        return self._visible.get(name)

    @property
    def visible(self) -> Iterable[str]:
        return self._visible

    def enter(self) -> None:
        self._frames.append(_Frame([], {}))

    def leave(self) -> None:
        frame = self._frames.pop()
        outer = self._frames[-1].inner
        for name, before in reversed(frame.hidden):
            outer[name] = self._visible[name].span
            if before is None:
                del self._visible[name]
            else:
                self._visible[name] = before
        outer.update(frame.inner)

    def bind(self, name: str, local: Local) -> None:
        """Make a variable visible up to the end of the current scope."""
        self._frames[-1].hidden.append((name, self._visible.get(name)))
        self._visible[name] = local

    def clash(self, name: str) -> Span | None:
        """An earlier variable of this name in a scope around or inside the current one."""
        visible = self._visible.get(name)
        if visible is not None:
            return visible.span
        return self._frames[-1].inner.get(name)

    def pass_label(self, name: tree.Identifier, report: Report) -> None:
        """A label may be declared twice here, but not like a variable."""
        earlier = self.clash(name.name)
        if earlier is None:
            self._frames[-1].inner[name.name] = name.span
            self._label_spans.add(name.span)
        elif earlier not in self._label_spans:
            report_clash(name, earlier, report)

    def unique(self, name: str) -> str:
        """A name for a new local: the given one unless another local of the member has it."""
        if name not in self._taken:
            self._taken.add(name)
            return name
        return self.fresh(name)

    def fresh(self, hint: str) -> str:
        """A name that nothing in the member has."""
        if self._reserved is None:
            self._reserved = self._names_of_member()
        number = self._numbers.get(hint, 1)
        while (name := f"{hint}${number}") in self._reserved or name in self._taken:
            number += 1
        self._numbers[hint] = number + 1
        self._taken.add(name)
        return name


def report_clash(
    name: tree.Identifier, earlier: Span, report: Report, what: str = "identifier"
) -> None:
    """Two declarations of one name: the error is at the later one."""
    report.error(
        name.span,
        f"duplicate {what} `{name.name}` at {_place(name.span)} and at {_place(earlier)}",
        related=(Related(earlier, f"`{name.name}` is declared here, too"),),
        help="every name is declared once, and variables have other names than members: choose "
        "another name",
    )


def _place(span: Span) -> str:
    line, column = span.start_position
    return f"{span.file.name}@{line}.{column}"


class GlobalClashes:
    """Locals that have the name of a member: a member that comes later carries the error."""

    __slots__ = ("_report", "_reported", "_table", "order")

    def __init__(self, table: Globals, report: Report) -> None:
        self._table = table
        self._report = report
        self._reported: set[str] = set()
        self.order = 0
        """Which member is being looked at."""

    def check(self, name: tree.Identifier) -> bool:
        """Report a clash of a local with a member, if there is one."""
        declared = self._table.names.get(name.name)
        if declared is None:
            return False
        if self._comes_later(declared, name.span):
            if name.name not in self._reported:
                self._reported.add(name.name)
                later = tree.Identifier(name.name, span=declared.span)
                report_clash(later, name.span, self._report)
        else:
            report_clash(name, declared.span, self._report)
        return True

    def _comes_later(self, declared: Declared, span: Span) -> bool:
        if declared.order != self.order:
            return declared.order > self.order
        return declared.span.file is span.file and declared.span.start > span.start


def similar(name: str, candidates: Iterable[str]) -> str | None:
    """Help for a misspelt name."""
    from difflib import get_close_matches  # for wrong programs only

    known = list(candidates)
    alike = [each for each in known if each.casefold() == name.casefold()]
    close = alike or get_close_matches(name, known, n=1, cutoff=0.7)
    return f"did you mean `{close[0]}`?" if close else None


@record
class FunctionInfo:
    name: str
    params: tuple[Type, ...]
    result: Type
    has_precondition: bool


@record
class PredicateInfo:
    name: str
    params: tuple[Type, ...]
    abstract: bool


@record
class MethodInfo:
    name: str
    params: tuple[Type, ...]
    returns: tuple[Type, ...]


@record
class DomainFunctionInfo:
    """`type_params` are those of its domain; the other types may mention them."""

    name: str
    domain: str
    type_params: tuple[str, ...]
    params: tuple[Type, ...]
    result: Type


@record
class ConstructorInfo:
    """`type_params` are those of its ADT, whose type is the result."""

    name: str
    adt: str
    type_params: tuple[str, ...]
    params: tuple[Type, ...]
    result: Type


Callee: TypeAlias = FunctionInfo | PredicateInfo | MethodInfo | DomainFunctionInfo | ConstructorInfo
Generic: TypeAlias = DomainFunctionInfo | ConstructorInfo


@record
class TypeInfo:
    """A domain or an ADT; `type_params` is None where no bracket was written."""

    name: str
    type_params: tuple[str, ...] | None
    is_adt: bool

    @property
    def parameters(self) -> tuple[str, ...]:
        return self.type_params or ()


@record
class Declared:
    """Where a global name is declared: `order` counts the members of the program."""

    span: Span
    order: int


@record
class Globals:
    """All global names. A name declared twice is in each table once, the first one."""

    names: dict[str, Declared] = field(default_factory=dict)
    fields: dict[str, Type] = field(default_factory=dict)
    callees: dict[str, Callee] = field(default_factory=dict)
    types: dict[str, TypeInfo] = field(default_factory=dict)
    destructors: dict[str, dict[str, Type]] = field(default_factory=dict)
    """Types of constructor arguments, by argument name and name of the ADT."""
    interpreted: set[str] = field(default_factory=set)
    """Domain functions that stand for functions of the solver."""

    def constructor_of_test(self, name: str) -> ConstructorInfo | None:
        """The constructor C that a discriminator `isC` asks about."""
        if not name.startswith("is"):
            return None
        callee = self.callees.get(name[2:])
        return callee if isinstance(callee, ConstructorInfo) else None
