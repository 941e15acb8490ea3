"""Names in scope inside a member: no shadowing, and one name per declaration afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

from pitviper.base.record import field, record, struct
from pitviper.base.similar import nearest
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
    """One open scope: what it declares, and the names in scopes inside it that are closed.

    `hidden` is what was visible by the same names before.
    """

    hidden: list[tuple[str, Local | None]]
    own: dict[str, tree.Identifier]
    inner: dict[str, tree.Identifier]

    def names(self) -> dict[str, tree.Identifier]:
        """All names in it, with the last declaration of each."""
        return {**self.inner, **self.own}


class Scope:
    """The variables and labels of one member.

    A name is compared with others where a scope ends: with those of the scope around, which has
    the last one of several scopes inside. Locals of sibling blocks may share a source name; the
    second one is renamed `x$1`, because the typed program has no scopes. Bound variables keep
    their names.
    """

    __slots__ = (
        "_frames", "_labels", "_names_of_member", "_numbers", "_report", "_reserved", "_taken",
        "_visible",
    )  # fmt: skip

    def __init__(self, names_of_member: Callable[[], set[str]], report: Report) -> None:
        self._visible: dict[str, Local] = {}
        self._frames = [_Frame([], {}, {})]
        self._taken: set[str] = set()
        self._names_of_member = names_of_member
        self._report = report
        self._reserved: set[str] | None = None
        self._numbers: dict[str, int] = {}
        self._labels: set[Span] = set()

    def find(self, name: str) -> Local | None:
        return self._visible.get(name)

    @property
    def visible(self) -> Iterable[str]:
        return self._visible

    def is_ambiguous(self, name: str) -> bool:
        """Is more than one variable of this name visible?"""
        return any(
            each == name and before is not None
            for frame in self._frames
            for each, before in frame.hidden
        )

    def enter(self) -> None:
        self._frames.append(_Frame([], {}, {}))

    def leave(self) -> None:
        frame = self._frames.pop()
        for name, before in reversed(frame.hidden):
            if before is None:
                del self._visible[name]
            else:
                self._visible[name] = before
        outer = self._frames[-1]
        for name, last in frame.names().items():
            if name in outer.own:
                self._compare(last, outer.own[name])
            else:
                outer.inner[name] = last

    def _compare(self, name: tree.Identifier, earlier: tree.Identifier) -> None:
        """A label may be declared twice here, but not like a variable."""
        if name.span not in self._labels or earlier.span not in self._labels:
            report_clash(name, earlier.span, self._report)

    def bind(self, name: str, local: Local) -> None:
        """Make a variable visible up to the end of the current scope."""
        self._frames[-1].hidden.append((name, self._visible.get(name)))
        self._visible[name] = local

    def declare(self, name: tree.Identifier) -> None:
        """A name of the current scope."""
        frame = self._frames[-1]
        earlier = frame.own.get(name.name) or frame.inner.get(name.name)
        if earlier is not None:
            self._compare(name, earlier)
        frame.own[name.name] = name

    def pass_label(self, name: tree.Identifier) -> None:
        self._labels.add(name.span)
        self.declare(name)

    def ended(self, name: str) -> Span | None:
        """Where a variable of this name is declared in a scope that has ended."""
        found = self._frames[-1].inner.get(name)
        return None if found is None else found.span

    def close(self) -> Iterable[tree.Identifier]:
        """The names of the whole member; nothing of it is compared again."""
        names = self._frames[0].names()
        self._frames[0] = _Frame([], {}, {})
        return names.values()

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


def _about_twice(name: tree.Identifier, earlier: Span) -> str:
    """Results are declared in the header: a `var` for one of them is superfluous."""
    before = earlier.file.text[: earlier.start]
    header = before[before.rfind("method") :].rpartition("returns")
    if earlier.file is name.span.file and header[1] and ")" not in header[2]:
        behind = earlier.file.text[earlier.end : name.span.start]
        if re.search(r"\bvar\s+$", behind) and "method" not in behind:
            return (
                f"`{name.name}` is a result already: assign it without `var`, `{name.name} := ...`"
            )
    if (part := _part_otherwise(name, earlier)) is not None:
        return part
    found = [_declares(_MEMBER, span) for span in (earlier, name.span)]
    words = [each[1] or "field" for each in found if each is not None]
    if len(words) == 2:
        two = (
            f"two {_SEVERAL[words[0]]}"
            if words[0] == words[1]
            else " and ".join(
                [f"{'an' if word[0] == 'a' else 'a'} {_KINDS.get(word, word)}" for word in words]
            )
        )
        return f"{two} cannot have one name: choose another for one of them, and where it is used"
    if words:
        kind = _KINDS.get(words[0], words[0])
        return (
            f"a variable cannot have the name of {'an' if kind[0] in 'aA' else 'a'} {kind}: choose "
            "another name for it, here and where it is used"
        )
    bound = _declares(_BOUND, name.span)
    if bound is not None:
        return (
            f"no variable hides another one: choose another name for that of the `{bound[1]}`, "
            "here and in its body"
        )
    return (
        "no variable hides another one: choose another name for one of the two, and where it is "
        "used"
    )


def _part_otherwise(name: tree.Identifier, earlier: Span) -> str | None:
    """About two constructors of one ADT, or two arguments of its constructors."""
    text, at = name.span.file.text, name.span
    begins = text.rfind("adt", 0, earlier.start)
    before = text[begins : at.start]
    if earlier.file is not at.file or begins < 0 or _IN_ADT.fullmatch(before) is None:
        return None
    number = 1 + len(re.findall(rf"\b{re.escape(name.name)}\s*[:(]", before))
    while re.search(rf"\b{re.escape(name.name)}{number}\b", text):
        number += 1
    constructor, rest = _LAST_CONSTRUCTOR.search(before), _REST.match(text[at.end :])
    if constructor is not None and rest is not None:
        written = " ".join(f"{constructor[0]}{name.name}{number}{rest[0]}".split())
        return (
            "the arguments of all constructors of an ADT have names of their own: write "
            f"`{written}`, and that name where it is meant"
        )
    return (
        f"constructors have names of their own: write `{name.name}{number}`, here and where it is "
        "meant"
    )


_IN_ADT = re.compile(r"adt\s+[\w$]+[^{}]*\{[^{}]*")
_LAST_CONSTRUCTOR = re.compile(r"[\w$]+\s*\([^()]*$")
_REST = re.compile(r"[^()]*\)")


_KINDS = {"adt": "ADT", "define": "macro"}
_SEVERAL = {
    "field": "fields", "method": "methods", "function": "functions", "predicate": "predicates",
    "domain": "domains", "adt": "ADTs", "define": "macros", "axiom": "axioms",
}  # fmt: skip


_MEMBER = re.compile(
    r"\b(field|method|function|predicate|domain|adt|define|axiom)\s+$|\bfield\b[^\n:]*:[^\n]*,\s*$"
)
_BOUND = re.compile(r"\b(forall|exists|forperm|let)\s+(?:[^:{}\n]*:[^:{}\n]*,\s*)*$")


def _declares(what: re.Pattern[str], span: Span) -> re.Match[str] | None:
    """Whether the text in front of a name declares it so."""
    before = span.file.text[: span.start]
    return what.search(before, max(before.rfind("\n", 0, max(len(before.rstrip()), 1)) + 1, 0))


def report_clash(
    name: tree.Identifier, earlier: Span, report: Report, what: str = "identifier"
) -> None:
    """Two declarations of one name: the error is at the later one."""
    report.error(
        name.span,
        f"duplicate {what} `{name.name}` at {_place(name.span)} and at {_place(earlier)}",
        related=(Related(earlier, f"`{name.name}` is declared here, too"),),
        help=_about_twice(name, earlier),
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

    def check(self, name: tree.Identifier) -> None:
        """Report a clash of a local with a member, if there is one."""
        declared = self._table.names.get(name.name)
        if declared is None or declared.span == name.span:
            return
        if not self._comes_later(declared, name.span):
            report_clash(name, declared.span, self._report)
        elif name.name not in self._reported:
            self._reported.add(name.name)
            later = tree.Identifier(name.name, span=declared.span)
            report_clash(later, name.span, self._report)

    def _comes_later(self, declared: Declared, span: Span) -> bool:
        if declared.order != self.order:
            return declared.order > self.order
        return declared.span.file is span.file and declared.span.start > span.start


def similar(name: str, candidates: Iterable[str]) -> str | None:
    """Help for a misspelt name."""
    close = nearest(name, candidates)
    return f"did you mean `{close}`?" if close else None


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
