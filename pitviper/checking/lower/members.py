"""Lowering of members, whose signatures are known."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.checking.collect import resolve, result_of
from pitviper.checking.context import Context, Rules
from pitviper.checking.infer import expect, formula
from pitviper.checking.lower.contracts import CONTRACT_PERM_BAN, conditions, measures
from pitviper.checking.lower.statements import block, notes
from pitviper.checking.scope import Local
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program.types import BOOL
from pitviper.syntax import tree
from pitviper.syntax.walk import descendants

_FUNCTION_POST_PERM_BAN = (
    "function postconditions are not allowed to contain `perm` and `forperm` expressions"
)


def lower_member(member: tree.Member, order: int, cx: Context) -> list[m.Member]:
    """A member of the source; a field declaration may be several members."""
    cx.enter_member(order, _names_in(member, cx))
    lowered = _lower_member(member, cx)
    cx.leave_member()
    return lowered


def _lower_member(member: tree.Member, cx: Context) -> list[m.Member]:
    match member:
        case tree.FieldDeclaration():
            return [_field(binding, member, cx) for binding in member.fields]
        case tree.Method():
            return [_method(member, cx)]
        case tree.Function():
            return [_function(member, cx)]
        case tree.Predicate():
            return [_predicate(member, cx)]
        case tree.Domain():
            return [_domain(member, cx)]
        case tree.Adt():
            return [_adt(member, cx)]
        case tree.Import() | tree.Define():
            raise AssertionError("imports and macros are gone before types are checked")


def _names_in(member: tree.Member, cx: Context) -> Callable[[], set[str]]:
    """All names that a new one must differ from, looked for only when one is needed."""

    def names() -> set[str]:
        nodes = descendants(member)
        inside = {n.name for n in nodes if isinstance(n, (tree.Identifier, tree.Name))}
        return inside | cx.table.names.keys()

    return names


def _declared(
    bindings: tuple[tree.VarBinding, ...], cx: Context, *, assignable: bool
) -> tuple[x.Var, ...]:
    """Parameters or returns, brought into scope."""
    variables = []
    for binding in bindings:
        t = resolve(binding.type, cx)
        name = cx.scope.unique(binding.name.name)
        cx.declare(binding.name, Local(name, t, binding.name.span, assignable))
        variables.append(x.Var(name, t, span=binding.span))
    return tuple(variables)


def _field(binding: tree.VarBinding, member: tree.FieldDeclaration, cx: Context) -> m.Field:
    span = member.span if len(member.fields) == 1 else binding.span
    t = cx.table.fields[binding.name.name]
    return m.Field(binding.name.name, t, span=span, annotations=notes(member.annotations))


# ---------------------------------------------------------------- code


def _method(member: tree.Method, cx: Context) -> m.Method:
    params = _declared(member.params, cx, assignable=False)
    returns = _declared(member.returns or (), cx, assignable=True)
    cx.rules = Rules(perm_ban=CONTRACT_PERM_BAN, ban_ends_in_pair=True)
    before = conditions("requires", member.specs, cx)
    after = conditions("ensures", member.specs, cx)
    decreases = measures(member.specs, cx)
    cx.rules = Rules()
    body = None if member.body is None else block(member.body, cx)
    return m.Method(
        member.name.name,
        params,
        returns,
        before,
        after,
        decreases,
        body,
        span=member.span,
        annotations=notes(member.annotations),
    )


def _function(member: tree.Function, cx: Context) -> m.Function:
    params = _declared(member.params, cx, assignable=False)
    result = result_of(member, cx)
    cx.rules = Rules(perm_ban=CONTRACT_PERM_BAN, ban_ends_in_pair=True, wand_ban=True)
    before = conditions("requires", member.specs, cx)
    decreases = measures(member.specs, cx)
    cx.rules = Rules(perm_ban=_FUNCTION_POST_PERM_BAN, result=result)
    after = tuple(
        [
            expect(spec.condition, BOOL, cx, "function postcondition")
            for spec in member.specs
            if isinstance(spec, tree.Clause) and spec.kind == "ensures"
        ]
    )
    cx.rules = Rules(result=result)
    body = None if member.body is None else expect(member.body, result, cx)
    return m.Function(
        member.name.name,
        params,
        result,
        before,
        after,
        decreases,
        body,
        span=member.span,
        annotations=notes(member.annotations),
    )


def _predicate(member: tree.Predicate, cx: Context) -> m.Predicate:
    params = _declared(member.params, cx, assignable=False)
    cx.rules = Rules(wand_ban=True)
    body = None if member.body is None else formula(member.body, cx)
    note = notes(member.annotations)
    return m.Predicate(member.name.name, params, body, span=member.span, annotations=note)


# ---------------------------------------------------------------- types


def _domain(member: tree.Domain, cx: Context) -> m.Domain:
    cx.domain = cx.table.types[member.name.name]
    cx.rules = Rules(in_axiom=True)
    functions = []
    axioms = []
    for part in member.members:
        if isinstance(part, tree.DomainFunction):
            cx.scope.declare(part.name)
            functions.append(_domain_function(part, cx))
        else:
            name = None if part.name is None else part.name.name
            cx.scope.enter()
            axioms.append(m.Axiom(name, expect(part.body, BOOL, cx), span=part.span))
            cx.scope.leave()
    given = member.interpretations
    return m.Domain(
        member.name.name,
        cx.domain.parameters,
        None if given is None else tuple([(i.key, i.value) for i in given]),
        tuple(functions),
        tuple(axioms),
        span=member.span,
        annotations=notes(member.annotations),
    )


def _domain_function(part: tree.DomainFunction, cx: Context) -> m.DomainFunction:
    """Parameters without a name get one."""
    taken = {param.name.name for param in part.params if param.name is not None}
    params = []
    for index, param in enumerate(part.params):
        name = f"arg{index}" if param.name is None else param.name.name
        while param.name is None and name in taken:
            name += "$"
        params.append(x.Var(name, resolve(param.type, cx), span=param.span))
    return m.DomainFunction(
        part.name.name,
        tuple(params),
        resolve(part.result, cx),
        part.unique,
        part.interpretation,
        span=part.span,
        annotations=notes(part.annotations),
    )


def _adt(member: tree.Adt, cx: Context) -> m.Adt:
    cx.domain = cx.table.types[member.name.name]
    constructors = []
    for c in member.constructors:
        params = [x.Var(p.name.name, resolve(p.type, cx), span=p.span) for p in c.params]
        note = notes(c.annotations)
        constructors.append(
            m.Constructor(c.name.name, tuple(params), span=c.span, annotations=note)
        )
    return m.Adt(
        member.name.name,
        cx.domain.parameters,
        tuple(constructors),
        _derivations(member, cx),
        span=member.span,
        annotations=notes(member.annotations),
    )


def _derivations(member: tree.Adt, cx: Context) -> tuple[m.Derivation, ...]:
    arguments = {p.name.name for c in member.constructors for p in c.params}
    first: dict[str, tree.Derivation] = {}
    for derivation in member.derives or ():
        earlier = first.setdefault(derivation.name.name, derivation)
        if earlier is not derivation:
            name = earlier.name
            cx.error(name.span, f"duplicate derivation of function `{name.name}`")
        for excluded in derivation.without:
            if excluded.name not in arguments:
                cx.error(
                    excluded.span,
                    f"undeclared adt field `{excluded.name}`, expected field in containing adt",
                    help=cx.suggest(excluded.name, arguments),
                )
    return tuple([_derivation(derivation, cx) for derivation in first.values()])


def _derivation(derivation: tree.Derivation, cx: Context) -> m.Derivation:
    t = None if derivation.type_arg is None else resolve(derivation.type_arg, cx)
    without = tuple([excluded.name for excluded in derivation.without])
    return m.Derivation(derivation.name.name, t, without, span=derivation.span)
