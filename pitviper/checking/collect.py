"""First look at a program: which names it declares, with which types."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.checking.context import Context
from pitviper.checking.scope import (
    ConstructorInfo,
    Declared,
    DomainFunctionInfo,
    FunctionInfo,
    MethodInfo,
    PredicateInfo,
    TypeInfo,
    report_clash,
)
from pitviper.checking.types import ERROR
from pitviper.program import types as pt
from pitviper.source.diagnostic import Related
from pitviper.syntax import foreign, tree


def collect(members: tuple[tree.Member, ...], first: int, cx: Context) -> None:
    """Enter the members into the tables; `first` is the order of the first one."""
    for order, member in enumerate(members, first):
        for name in _declared_names(member):
            _declare(name, order, cx)
    for member in members:
        _collect_type(member, cx)
    for order, member in enumerate(members, first):
        cx.enter_member(order, lambda: set())
        _collect_signature(member, cx)
    for member in members:
        if isinstance(member, tree.Adt):
            _check_tests(member, cx)


def _declared_names(member: tree.Member) -> list[tree.Identifier]:
    """The global names that a member declares, in source order; nobody calls an axiom."""
    match member:
        case tree.FieldDeclaration(fields):
            return [field.name for field in fields]
        case tree.Domain():
            parts = member.members
            functions = [part.name for part in parts if isinstance(part, tree.DomainFunction)]
            return [member.name, *functions]
        case tree.Adt():
            return [member.name, *(c.name for c in member.constructors)]
        case tree.Method() | tree.Function() | tree.Predicate():
            return [member.name]
        case tree.Import() | tree.Define():
            raise AssertionError("imports and macros are gone before types are checked")


def _declare(name: tree.Identifier, order: int, cx: Context) -> None:
    earlier = cx.table.names.get(name.name)
    if earlier is None:
        cx.table.names[name.name] = Declared(name.span, order)
    else:
        report_clash(name, earlier.span, cx.report)


def _collect_type(member: tree.Member, cx: Context) -> None:
    if isinstance(member, (tree.Domain, tree.Adt)):
        params = member.type_params
        names = None if params is None else tuple([p.name for p in params])
        info = TypeInfo(member.name.name, names, isinstance(member, tree.Adt))
        cx.table.types.setdefault(info.name, info)
        for index, param in enumerate(params or ()):
            if names is not None and param.name in names[:index]:
                cx.error(param.span, f"duplicate type parameter `{param.name}`")


def _collect_signature(member: tree.Member, cx: Context) -> None:
    match member:
        case tree.FieldDeclaration(fields):
            for field in fields:
                cx.table.fields.setdefault(field.name.name, resolve(field.type, cx))
        case tree.Method(name, params, returns):
            method = MethodInfo(
                name.name,
                tuple([resolve(p.type, cx) for p in params]),
                tuple([resolve(r.type, cx) for r in returns or ()]),
            )
            cx.table.callees.setdefault(name.name, method)
        case tree.Function(name, params, _, specs):
            function = FunctionInfo(
                name.name,
                tuple([resolve(p.type, cx) for p in params]),
                result_of(member, cx),
                any(isinstance(s, tree.Clause) and s.kind == "requires" for s in specs),
            )
            cx.table.callees.setdefault(name.name, function)
        case tree.Predicate(name, params, body):
            types = tuple([resolve(p.type, cx) for p in params])
            predicate = PredicateInfo(name.name, types, body is None)
            cx.table.callees.setdefault(name.name, predicate)
        case tree.Domain():
            _collect_domain(member, cx)
        case tree.Adt():
            _collect_adt(member, cx)
        case tree.Import() | tree.Define():
            raise AssertionError("imports and macros are gone before types are checked")


def _collect_domain(member: tree.Domain, cx: Context) -> None:
    cx.domain = cx.table.types[member.name.name]
    for part in member.members:
        if isinstance(part, tree.DomainFunction):
            function = DomainFunctionInfo(
                part.name.name,
                member.name.name,
                cx.domain.parameters,
                tuple([resolve(p.type, cx) for p in part.params]),
                resolve(part.result, cx),
            )
            cx.table.callees.setdefault(function.name, function)
            if part.interpretation is not None:
                cx.table.interpreted.add(function.name)
            _check_parameters(part, cx)


def _check_parameters(part: tree.DomainFunction, cx: Context) -> None:
    """Parameters of a domain function clash only with each other."""
    seen: dict[str, tree.Identifier] = {}
    for param in part.params:
        if param.name is not None:
            first = seen.setdefault(param.name.name, param.name)
            if first is not param.name:
                cx.report.error(
                    first.span,
                    f"duplicate argument name `{first.name}`",
                    related=(Related(param.name.span, "the same name again"),),
                )


def _collect_adt(member: tree.Adt, cx: Context) -> None:
    info = cx.domain = cx.table.types[member.name.name]
    own_type = pt.AdtType(info.name, tuple([pt.TypeVar(p) for p in info.parameters]))
    seen: dict[str, tree.Identifier] = {}
    for constructor in member.constructors:
        types = tuple([resolve(p.type, cx) for p in constructor.params])
        declared = ConstructorInfo(
            constructor.name.name, info.name, info.parameters, types, own_type
        )
        is_first = cx.table.callees.setdefault(declared.name, declared) is declared
        for param, t in zip(constructor.params, types, strict=True):
            cx.table.destructors.setdefault(param.name.name, {}).setdefault(info.name, t)
            first = seen.setdefault(param.name.name, param.name)
            if first is not param.name and is_first:
                report_clash(param.name, first.span, cx.report)
            else:
                cx.clashes.check(param.name)


def _check_tests(member: tree.Adt, cx: Context) -> None:
    """`isC` belongs to the discriminator of constructor C."""
    for constructor in member.constructors:
        test = f"is{constructor.name.name}"
        declared = cx.table.names.get(test)
        if declared is None and test not in cx.table.destructors:
            continue
        related = () if declared is None else (Related(declared.span, "it is declared here"),)
        cx.report.error(
            constructor.name.span,
            f"corresponding adt discriminator identifier `{test}` is shadowed",
            related=related,
        )


_PLAIN: dict[str, pt.Type] = {
    "Int": pt.INT,
    "Bool": pt.BOOL,
    "Ref": pt.REF,
    "Perm": pt.PERM,
    "Rational": pt.PERM,
}
_COLLECTIONS: dict[str, Callable[[pt.Type], pt.Type]] = {
    "Seq": pt.SeqType,
    "Set": pt.SetType,
    "Multiset": pt.MultisetType,
}


def resolve(t: tree.TypeName, cx: Context) -> pt.Type:
    """The type that a name stands for; an unknown one is reported."""
    if t.args is None:
        plain = _PLAIN.get(t.name)
        if plain is not None:
            return plain
    args = tuple([resolve(arg, cx) for arg in t.args or ()])
    if t.name in _COLLECTIONS and len(args) == 1:
        return _COLLECTIONS[t.name](args[0])
    if t.name == "Map" and len(args) == 2:
        return pt.MapType(*args)
    domain = cx.domain
    if domain is not None and t.args is None and t.name in domain.parameters:
        return pt.TypeVar(t.name)
    return _declared(t, args, cx)


def _declared(t: tree.TypeName, args: tuple[pt.Type, ...], cx: Context) -> pt.Type:
    """An unknown type is reported and stays a type of its own, equal to no other."""
    info = cx.table.types.get(t.name)
    if info is None:
        return _unknown(t, args, cx)
    wanted = None if info.type_params is None else len(info.type_params)
    given = None if t.args is None else len(t.args)
    if wanted != given:
        shape = f"{t.name}[{', '.join(info.parameters)}]" if info.parameters else t.name
        message = _wrong_arguments(t.name, wanted, given)
        cx.error(t.span, message, help=f"write `{shape}`, with types of yours in the brackets")
        return ERROR
    return pt.AdtType(t.name, args) if info.is_adt else pt.DomainType(t.name, args)


def _unknown(t: tree.TypeName, args: tuple[pt.Type, ...], cx: Context) -> pt.Type:
    """A type of another language is read as the one that is meant, where there is one."""
    message = f"undeclared type `{t.name}`"
    meant = foreign.TYPES.get(t.name)
    if t.args == ():
        cx.error(t.span, f"undeclared type `{t.span.text}`", help=foreign.no_array(t.name))
        return ERROR
    if meant is None and t.name not in foreign.TYPE_HELP:
        near = cx.suggest(t.name, cx.table.types, _PLAIN, (*_COLLECTIONS, "Map"))
        cx.error(t.span, message, help=near or f"declare it: `domain {t.name} {{ }}`, or an `adt`")
        return pt.DomainType(t.name, args)
    cx.error(t.span, message, help=foreign.TYPE_HELP.get(t.name) or f"write `{meant}`")
    return ERROR if meant is None else _PLAIN[meant]


def _wrong_arguments(name: str, wanted: int | None, given: int | None) -> str:
    if wanted is None:
        return f"wrong number of type arguments: `{name}` takes no type arguments"
    if given is None:
        example = "[...]" if wanted else "[]"
        return f"wrong number of type arguments: write `{name}{example}` with {wanted} of them"
    return f"wrong number of type arguments: `{name}` takes {wanted}, found {given}"


UNTOUCHED = "untouched"
"""The annotation of functions that stand for all that their precondition gives access to."""


def result_of(member: tree.Function, cx: Context) -> pt.Type:
    """The type of a function; with `@untouched()`, that of states of the heap.

    Two values of it are equal if the parts of two heaps are: `f(x) == old(f(x))` says that nothing
    was touched. Other tools read a function without a body.
    """
    declared = resolve(member.result, cx)
    if all(note.key != UNTOUCHED for note in member.annotations):
        return declared
    if cx.options.strict:
        cure = "leave out the annotation, or --strict"
        cx.report.error(member.span, "`@untouched` is an extension of Pitviper", help=cure)
    if member.body is not None:
        cure = "its value is all that its precondition gives access to: leave out the body"
        cx.report.error(member.span, "a function with `@untouched()` has no body", help=cure)
    return pt.STATE
