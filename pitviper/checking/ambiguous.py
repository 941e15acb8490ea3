"""Uses of members that are declared more than once: none of them says which one is meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pitviper.base.record import record
from pitviper.checking.report import Report
from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.walk import descendants


@record
class _Repeated:
    """Names of each kind that several members have."""

    fields: frozenset[str]
    callees: frozenset[str]
    predicates: frozenset[str]
    methods: frozenset[str]
    types: frozenset[str]
    parts: frozenset[str]
    """Destructors and discriminators."""


def report_ambiguous(members: tuple[tree.Member, ...], report: Report) -> None:
    """An error at every use of a name that several members of its kind have."""
    repeated = _repeated(members)
    for member in members:
        for span, message in _uses(member, repeated):
            report.error(span, message, help=_told(span, message, report))


def _told(span: Span, message: str, report: Report) -> str | None:
    """It follows from the error about the declarations, where one was told."""
    written = message.partition("`")[2].partition("`")[0] or span.text.partition("(")[0].strip()
    names = (written, written.removeprefix("is"))
    for error in report.type_errors:
        place = error.span
        if place is not None and any(
            f"uplicate identifier `{name}`" in error.message for name in names
        ):
            there = "" if place.file is span.file else f" of `{place.file.name}`"
            return (
                f"the same as above, about line {place.line}{there}: `{place.text}` is declared "
                "twice, so give each a name of its own"
            )
    return None


def _repeated(members: tuple[tree.Member, ...]) -> _Repeated:
    names: dict[str, Counter[str]] = {
        kind: Counter() for kind in ("field", "callee", "predicate", "method", "type", "part")
    }
    for member in members:
        own = Counter(_declared(member))
        for (kind, name), count in own.items():
            names[kind][name] += count if kind != "part" or count > 1 else 0
    return _Repeated(
        *(frozenset([name for name, n in found.items() if n > 1]) for found in names.values())
    )


def _declared(member: tree.Member) -> Iterator[tuple[str, str]]:
    """Kinds and names that a member declares; a predicate is a callee, too."""
    match member:
        case tree.FieldDeclaration(fields):
            yield from (("field", each.name.name) for each in fields)
        case tree.Domain():
            yield "type", member.name.name
            parts = [each for each in member.members if isinstance(each, tree.DomainFunction)]
            yield from (("callee", each.name.name) for each in parts)
        case tree.Adt():
            yield "type", member.name.name
            for constructor in member.constructors:
                yield "callee", constructor.name.name
                yield "part", f"is{constructor.name.name}"
                yield from (("part", param.name.name) for param in constructor.params)
        case tree.Predicate():
            yield from (("predicate", member.name.name), ("callee", member.name.name))
        case tree.Function():
            yield "callee", member.name.name
        case tree.Method():
            yield "method", _with_number(member.name, member.params)
        case tree.Import() | tree.Define():
            raise AssertionError("imports and macros are gone before types are checked")


def _with_number(name: tree.Identifier, of: tuple[object, ...]) -> str:
    """A method is found by its name and the number of its arguments."""
    return f"{name.name}/{len(of)}"


def _is_repeated(e: tree.Expr | None, repeated: _Repeated) -> bool:
    """Is it a call of one of several methods?"""
    called = isinstance(e, tree.Call) and _with_number(e.callee, e.args)
    return called in repeated.methods


def _uses(member: tree.Member, repeated: _Repeated) -> Iterator[tuple[Span, str]]:
    """Statements come before the calls in them, of which they say what is meant."""
    meant: dict[Span, frozenset[str]] = {}
    for node in descendants(member):
        match node:
            case tree.FieldAccess(_, field) if field.name in repeated.fields:
                yield field.span, f"ambiguous field `{field.name}`"
            case tree.FieldAccess(_, field) if field.name in repeated.parts:
                yield node.span, f"ambiguous adt field `{field.name}`"
            case tree.New(fields):
                for field in fields or ():
                    if field.name in repeated.fields:
                        yield field.span, f"ambiguous field `{field.name}`"
            case tree.TypeName(name) if name in repeated.types:
                yield node.span, f"ambiguous type `{name}`"
            case tree.ExprStatement(value):
                meant[value.span] = frozenset()
                if _is_repeated(value, repeated):
                    yield value.span, "ambiguous method call"
            case tree.Assign(_, value) if _is_repeated(value, repeated):
                yield value.span, "ambiguous method call"
            case tree.VarDeclaration(_, tree.Call() as value) if _is_repeated(value, repeated):
                yield value.span, "ambiguous method call"
            case tree.FoldUnfold(_, resource):
                meant[resource.span] = repeated.predicates
            case tree.Call(callee) if callee.name in meant.get(node.span, repeated.callees):
                yield callee.span, f"ambiguous call `{callee.name}`"
            case _:
                pass
