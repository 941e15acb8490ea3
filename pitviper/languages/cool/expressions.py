"""Expressions and assertions of the object language, with types, as nodes of the core."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pitviper.base.record import replace
from pitviper.checking.scope import similar
from pitviper.languages.cool import tree
from pitviper.languages.cool import types as ct
from pitviper.languages.cool.belonging import belongs
from pitviper.languages.cool.build import conjunction, length_of, permission
from pitviper.languages.cool.classes import MethodInfo
from pitviper.languages.cool.operators import chain, converted, word
from pitviper.languages.cool.scope import Scope, Typed
from pitviper.languages.cool.untouched import untouched
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import types as core
from pitviper.source.span import Span


def lower(e: tree.Expr, scope: Scope) -> Typed:
    """The expression in the core; mistakes are told to the report of the scope."""
    found = _RULES[type(e)](e, scope)
    return Typed(found.value, ct.NOTHING) if found.type == ct.UNKNOWN else found


def value(e: tree.Expr, wanted: ct.CoolType, scope: Scope) -> x.Expr:
    """A pure expression that fits a type."""
    found = lower(e, scope)
    if not found.is_pure:
        scope.error(e.span, "a permission is no value", "only contracts speak about permissions")
        return x.NullLit(span=e.span)
    if not scope.table.fits(found.type, wanted):
        cure = converted(e.span.text, found.type, wanted)
        scope.error(e.span, f"this is {word(found.type)}, expected {word(wanted)}", cure)
    assert not isinstance(found.value, a.Impure)
    return found.value


def assertion(e: tree.Expr, scope: Scope) -> a.Assertion:
    """A condition that may speak about permissions."""
    found = lower(e, scope)
    if found.type not in (ct.BOOL, ct.ASSERTION, ct.NOTHING):
        cure = converted(e.span.text, found.type, ct.BOOL)
        scope.error(e.span, f"this is {word(found.type)}, expected a condition", cure)
    return found.value


def pure(e: tree.Expr, scope: Scope) -> tuple[x.Expr, ct.CoolType]:
    """A pure expression of whatever type."""
    found = lower(e, scope)
    if isinstance(found.value, a.Impure):
        scope.error(e.span, "a permission is no value", "only contracts speak about permissions")
        return x.NullLit(span=e.span), ct.NOTHING
    return found.value, found.type


# ---------------------------------------------------------------- names


def _constant(e: tree.Constant, scope: Scope) -> Typed:
    match e.word:
        case "true" | "false":
            return Typed(x.BoolLit(value=e.word == "true", span=e.span), ct.BOOL)
        case "null":
            return Typed(x.NullLit(span=e.span), ct.NULL)
        case "this":
            return scope.this(e.span)
        case "result":
            return _result(e, scope)
        case _:
            return Typed(x.PermLit(x.PermConstant(e.word), span=e.span), ct.AMOUNT)


def _result(e: tree.Constant, scope: Scope) -> Typed:
    if scope.result is None or scope.result == ct.NOTHING:
        cure = "it stands in postconditions of methods that have a result"
        return scope.error(e.span, "there is no `result` here", cure)
    type_ = ct.core_type(scope.result)
    if scope.result_is_variable:
        return Typed(x.Var("result", type_, span=e.span), scope.result)
    return Typed(x.Result(type_, span=e.span), scope.result)


def _name(e: tree.Name, scope: Scope) -> Typed:
    variable = scope.variables.get(e.name)
    if variable is not None:
        scope.table.used(e.name, e.span.start, variable.span)
        return Typed(x.Var(variable.core.name, variable.core.type, span=e.span), variable.type)
    owner = scope.owner
    field = None if owner is None else owner.fields.get(e.name)
    if field is not None:
        scope.table.used(e.name, e.span.start, field.span)
        this = scope.this(e.span).value
        assert isinstance(this, x.Var)
        read = x.FieldRead(this, field.core_name, ct.core_type(field.type), span=e.span)
        return Typed(read, field.type)
    known = [*scope.variables, *(() if owner is None else owner.fields)]
    if owner is not None and e.name in owner.methods:
        cure: str | None = f"write `{e.name}(...)` to call the method"
    elif e.name in scope.table.classes:
        cure = "a class has no members of its own: call the methods of its objects"
    else:
        cure = _LIBRARIES.get(e.name) or similar(e.name, known)
        cure = cure or f"declare `{e.name}` as a variable or as a field"
    return scope.error(e.span, f"there is no variable or field `{e.name}` here", cure)


_LIBRARIES = {
    "System": "a program shows nothing: say what holds by `assert`",
    "Math": "there is no library: write it down, `a > b ? a : b`",
    "super": "classes do not inherit",
    "self": "write `this`",
    "undefined": "write `null`",
    "nil": "write `null`",
    "None": "write `null`",
    "True": "write `true`",
    "False": "write `false`",
}
"""Names that other languages know."""


def _select(e: tree.Select, scope: Scope) -> Typed:
    receiver, type_ = pure(e.receiver, scope)
    if isinstance(type_, ct.ArrayT) and e.name == "length":
        return Typed(length_of(receiver, e.span), ct.INT)
    if isinstance(type_, ct.ArrayT) and e.name == "elems":
        elements = core.SeqType(ct.core_type(type_.element))
        read = x.FieldRead(receiver, scope.table.elems_field(type_), elements, span=e.span)
        return Typed(read, ct.SeqT(type_.element))
    field = scope.table.field(type_, e.name)
    if field is not None:
        scope.table.used(e.name, e.span.end - len(e.name), field.span)
        read = x.FieldRead(receiver, field.core_name, ct.core_type(field.type), span=e.span)
        return Typed(read, field.type)
    if type_ == ct.NOTHING:
        return Typed(receiver, ct.NOTHING)
    if isinstance(type_, ct.ArrayT):
        cure: str | None = "an array has `length` and `elems`"
    elif scope.table.method(type_, e.name) is not None:
        cure = f"write `{e.name}(...)` to call the method"
    else:
        cure = similar(e.name, scope.table.names(type_))
    return scope.error(e.span, f"{word(type_)} has no field `{e.name}`", cure)


# ---------------------------------------------------------------- calls


def callee(e: tree.Invoke, scope: Scope) -> tuple[MethodInfo, tuple[x.Expr, ...]] | None:
    """The method that is called, with its arguments, receiver first; None after a mistake."""
    if e.receiver is None:
        this = scope.this(e.span)
        receiver, type_ = this.value, this.type
    else:
        receiver, type_ = pure(e.receiver, scope)
    if isinstance(receiver, a.Impure) or type_ == ct.NOTHING:
        return None
    method = scope.table.method(type_, e.name)
    if method is None:
        cure = similar(e.name, scope.table.names(type_))
        if scope.table.field(type_, e.name) is not None:
            cure = f"`{e.name}` is a field: leave out the parentheses"
        elif isinstance(type_, ct.ArrayT):
            cure = "an array has no methods: its length is `a.length`"
        elif isinstance(type_, ct.SeqT | ct.SetT):
            cure = "the number of elements of `s` is `|s|`"
        elif e.name in scope.table.classes:
            cure = f"write `new {e.name}(...)`"
        elif e.name == "not":
            cure = "write `!`"
        elif type_ == ct.ClassT("Object"):
            cure = "its class has methods: declare the variable with that"
        elif isinstance(type_, ct.ClassT) and cure is None:
            cure = f"declare it in `{type_.name}`"
        scope.error(e.span, f"{word(type_)} has no method `{e.name}`", cure)
        return None
    scope.table.called(e, method)
    if method.kind == "constructor":
        cure = f"write `new {method.owner}(...)`"
        scope.error(e.span, "a constructor is called by `new`", cure)
        return None
    return method, (receiver, *arguments(e.args, method, e.span, scope))


def arguments(
    args: Sequence[tree.Expr], method: MethodInfo, span: Span, scope: Scope
) -> tuple[x.Expr, ...]:
    """The arguments of a call, checked against the parameters."""
    if len(args) != len(method.params):
        wanted = f"{len(method.params)} argument{'s' if len(method.params) != 1 else ''}"
        params = ", ".join(
            [" ".join(param.span.text.split()) for param in method.declaration.params]
        )
        cure = f"it is declared as `{method.name}({params})`"
        scope.error(span, f"`{method.title}` takes {wanted}, found {len(args)}", cure)
    return tuple([value(e, t, scope) for e, t in zip(args, method.params, strict=False)])


def _invoke(e: tree.Invoke, scope: Scope) -> Typed:
    found = callee(e, scope)
    if found is None:
        return Typed(x.NullLit(span=e.span), ct.NOTHING)
    method, args = found
    match method.kind:
        case "pure":
            type_ = ct.core_type(method.result)
            return Typed(x.FunctionApp(method.core_name, args, type_, span=e.span), method.result)
        case "predicate":
            if scope.in_code:
                cure = "predicates stand in contracts and in ghost operations"
                return scope.error(e.span, f"`{method.title}` is not known at run time", cure)
            full = x.PermLit(x.PermConstant.WRITE, span=e.span)
            return Typed(permission(_location(method, args, e.span), full, e.span), ct.ASSERTION)
        case _:
            cure = f"call it in a statement of its own: `{method.result} x := {e.span.text};`"
            if method.result == ct.NOTHING:
                cure = f"call it in a statement of its own: `{e.span.text};`"
            elif not scope.in_code:
                cure = f"if it changes nothing, declare it as `pure {method.result} {e.name}(...)`"
            message = f"`{method.title}` is not pure: it cannot stand inside an expression"
            return scope.error(e.span, message, cure)


def _location(method: MethodInfo, args: tuple[x.Expr, ...], span: Span) -> a.PredicateLocation:
    return a.PredicateLocation(method.core_name, args, span=span)


def predicate_instance(
    e: tree.Expr, scope: Scope
) -> tuple[MethodInfo, a.PredicateLocation, x.Expr] | None:
    """`valid()` or `acc(valid(), 1/2)`: predicate, instance, amount; None after a mistake."""
    amount: x.Expr = x.PermLit(x.PermConstant.WRITE, span=e.span)
    if isinstance(e, tree.Permission):
        amount = amount if e.amount is None else fraction(e.amount, scope)
        e = e.target
    found = callee(e, scope) if isinstance(e, tree.Invoke) else None
    if found is None or found[0].kind != "predicate":
        if found is not None or not isinstance(e, tree.Invoke):
            scope.error(e.span, "expected a predicate, as in `valid()`")
        return None
    return found[0], _location(*found, e.span), amount


def measure(e: tree.Expr, scope: Scope) -> x.Expr:
    """What gets smaller: a value, or an instance of a predicate, `valid()`."""
    if isinstance(e, tree.Invoke):
        found = callee(e, scope)
        if found is None:
            return x.NullLit(span=e.span)
        if found[0].kind == "predicate":
            location = _location(*found, e.span)
            return x.PredicateInstance(location.predicate, location.args, span=e.span)
    return pure(e, scope)[0]


def is_visible(method: MethodInfo, scope: Scope) -> bool:
    """Bodies of predicates and pure methods are known in their own class only."""
    return scope.owner is not None and scope.owner.name == method.owner


def _opening(e: tree.Opening, scope: Scope) -> Typed:
    if e.keyword == "using":
        pure(e.target, scope)
        return lower(e.body, scope)
    found = predicate_instance(e.target, scope.spec(has_old=scope.has_old))
    body = lower(e.body, scope)
    if found is None or isinstance(body.value, a.Impure):
        return body if found is None else scope.error(e.body.span, "a permission is no value")
    method, location, amount = found
    if not is_visible(method, scope):
        return not_visible(method, e.target.span, scope)
    if method.declaration.body is None:
        return nothing_inside(method, e.target.span, scope)
    return Typed(x.Unfolding(location, amount, body.value, span=e.span), body.type)


def not_visible(method: MethodInfo, span: Span, scope: Scope) -> Typed:
    message = f"the body of `{method.title}` is known in class `{method.owner}` only"
    if scope.table.classes[method.owner].is_interface:
        message = f"`{method.title}` has a body in each class: nobody knows which is meant here"
    return scope.error(span, message, "use its contract and the methods of its class")


def nothing_inside(method: MethodInfo, span: Span, scope: Scope) -> Typed:
    message = f"`{method.title}` has no body, so that it can neither be opened nor closed"
    return scope.error(span, message, "give it a body, `{ return ...; }`, or leave this out")


# ---------------------------------------------------------------- permissions, states


def fraction(e: tree.Expr, scope: Scope) -> x.Expr:
    """An amount of permission: `1/2`, `write`, or a quotient of numbers."""
    if isinstance(e, tree.Chain) and [o.symbol for o in e.operators] == ["/"]:
        low, high = (value(operand, ct.INT, scope) for operand in e.operands)
        return x.PermArith(x.PermOp.FRACTION, low, high, span=e.span)
    found, type_ = pure(e, scope)
    if type_ == ct.INT:
        one = x.IntLit(1, span=e.span)
        return x.PermArith(x.PermOp.FRACTION, found, one, span=e.span)
    if type_ not in (ct.AMOUNT, ct.NOTHING):
        scope.error(e.span, f"this is {word(type_)}, expected an amount such as `1/2`")
    return found


def _permission(e: tree.Permission, scope: Scope) -> Typed:
    if scope.in_code:
        cure = "`acc` stands in contracts and predicates"
        return scope.error(e.span, "permissions are not known at run time", cure)
    if isinstance(e.target, tree.Invoke):
        found = predicate_instance(e, scope)
        if found is None:
            return Typed(x.NullLit(span=e.span), ct.NOTHING)
        return Typed(permission(found[1], found[2], e.span), ct.ASSERTION)
    full = x.PermLit(x.PermConstant.WRITE, span=e.span)
    amount = full if e.amount is None else fraction(e.amount, scope)
    target, type_ = pure(e.target, scope)
    if type_ == ct.NOTHING:
        return Typed(target, ct.NOTHING)
    if not isinstance(target, x.FieldRead):
        cure = "write `acc(x.f)` for a field, `acc(a.elems)` for the elements of an array"
        return scope.error(e.target.span, "expected a field", cure)
    if _is_too_much(amount):
        message = "this is more than all permission: nobody ever has it"
        scope.report.warning(e.span, message, help="`acc(x)` is all of it, `acc(x, 1/2)` a half")
    location = a.FieldLocation(target.receiver, target.field, span=target.span)
    access = a.Access(location, amount, span=e.span)
    if not target.field.endswith("[].elems"):
        return Typed(access, ct.ASSERTION)
    size = x.Cardinality(target, span=e.span)
    same = x.Equal(size, length_of(target.receiver, e.span), span=e.span)
    return Typed(conjunction([access, same], e.span), ct.ASSERTION)


def _is_too_much(amount: x.Expr) -> bool:
    """Whether an amount of numbers is more than one."""
    match amount:
        case x.PermArith(x.PermOp.FRACTION, x.IntLit(part), x.IntLit(whole)):
            return part > whole > 0
        case _:
            return False


def _old(e: tree.OldValue, scope: Scope) -> Typed:
    if not scope.has_old:
        cure = (
            "`old` stands in postconditions, invariants and assertions of methods that are not pure"
        )
        return scope.error(e.span, "there is no earlier state here", cure)
    operand, type_ = pure(e.operand, scope)
    return Typed(x.Old(e.label, operand, span=e.span), type_)


def _untouched(e: tree.UntouchedState, scope: Scope) -> Typed:
    if not scope.has_old:
        cure = "`untouched` stands where `old` may stand, in methods that are not pure"
        return scope.error(e.span, "there is no earlier state here", cure)
    inside = assertion(e.assertion, scope)
    return Typed(untouched(inside, scope.table, e.span), ct.BOOL)


# ---------------------------------------------------------------- collections


def _index(e: tree.Index, scope: Scope) -> Typed:
    base, type_ = pure(e.base, scope)
    index = value(e.index, ct.INT, scope)
    match type_:
        case ct.ArrayT(element):
            elements = core.SeqType(ct.core_type(element))
            base = x.FieldRead(base, scope.table.elems_field(type_), elements, span=e.span)
        case ct.SeqT(element):
            pass
        case _:
            if type_ == ct.NOTHING:
                return Typed(base, ct.NOTHING)
            return scope.error(e.base.span, f"{word(type_)} has no elements to choose from")
    return Typed(x.SeqIndex(base, index, ct.core_type(element), span=e.span), element)


def _part(e: tree.Slice | tree.Update, scope: Scope) -> Typed:
    base, type_ = pure(e.base, scope)
    if not isinstance(type_, ct.SeqT):
        if type_ == ct.NOTHING:
            return Typed(base, ct.NOTHING)
        return scope.error(e.base.span, f"this is {word(type_)}, expected a sequence")
    if isinstance(e, tree.Update):
        index, element = value(e.index, ct.INT, scope), value(e.value, type_.element, scope)
        return Typed(x.SeqUpdate(base, index, element, span=e.span), type_)
    if e.high is not None:
        base = x.SeqTake(base, value(e.high, ct.INT, scope), span=e.span)
    if e.low is not None:
        base = x.SeqDrop(base, value(e.low, ct.INT, scope), span=e.span)
    return Typed(base, type_)


def _size(e: tree.Size, scope: Scope) -> Typed:
    operand, type_ = pure(e.operand, scope)
    if not isinstance(type_, ct.SeqT | ct.SetT) and type_ != ct.NOTHING:
        return scope.error(e.span, f"this is {word(type_)}, expected a sequence or a set")
    return Typed(x.Cardinality(operand, span=e.span), ct.INT)


def _collection(e: tree.Collection, scope: Scope) -> Typed:
    type_ = scope.table.type(e.type)
    assert isinstance(type_, ct.SeqT | ct.SetT)
    elements = tuple([value(element, type_.element, scope) for element in e.elements])
    made = ct.core_type(type_)
    if isinstance(made, core.SeqType):
        return Typed(x.SeqLit(elements, made, span=e.span), type_)
    assert isinstance(made, core.SetType)
    return Typed(x.SetLit(elements, made, span=e.span), type_)


# ---------------------------------------------------------------- logic


def _prefix(e: tree.Prefix, scope: Scope) -> Typed:
    if e.operator == "!":
        return Typed(x.Not(value(e.operand, ct.BOOL, scope), span=e.span), ct.BOOL)
    return Typed(x.Negate(value(e.operand, ct.INT, scope), span=e.span), ct.INT)


def _ternary(e: tree.Ternary, scope: Scope) -> Typed:
    condition = value(e.condition, ct.BOOL, scope)
    then, otherwise = lower(e.then, scope), lower(e.otherwise, scope)
    if isinstance(then.value, a.Impure) or isinstance(otherwise.value, a.Impure):
        choice = a.Choice(condition, then.value, otherwise.value, span=e.span)
        return Typed(choice, ct.ASSERTION)
    fits = scope.table.fits
    type_ = otherwise.type if fits(then.type, otherwise.type) else then.type
    if not fits(otherwise.type, type_):
        message = f"one branch is {word(then.type)}, the other {word(otherwise.type)}"
        return scope.error(e.span, message)
    return Typed(x.Conditional(condition, then.value, otherwise.value, span=e.span), type_)


def _quantifier(e: tree.Quantifier, scope: Scope) -> Typed:
    type_ = scope.table.type(e.variable.type)
    low = None if e.low is None else value(e.low, ct.INT, scope)
    high = None if e.high is None else value(e.high, ct.INT, scope)
    domain = None if e.domain is None else pure(e.domain, scope)
    inner = scope.inner()
    variable = inner.declare(e.variable.name, type_, e.variable.span, is_fixed=True)
    body = assertion(e.body, inner)
    conditions: list[x.Expr] = []
    if low is not None and high is not None:
        if type_ != ct.INT:
            scope.error(e.variable.span, "a range has numbers", "write `int` for its type")
        conditions += [
            x.Compare(x.CompareOp.LE, low, variable, span=low.span),
            x.Compare(x.CompareOp.LT, variable, high, span=high.span),
        ]
    elif domain is not None:
        conditions.append(_member(variable, domain, type_, scope))
    elif isinstance(type_, ct.ArrayT):
        cure = f"say which: `{e.keyword} {type_} a in rows :: ...`"
        return scope.error(e.variable.span, "a quantifier does not range over all arrays", cure)
    elif not isinstance(type_, ct.ClassT) and ct.holds_references(ct.core_type(type_)):
        message = "a quantifier does not range over all collections of objects"
        return scope.error(e.variable.span, message, "speak about the elements of one of them")
    elif not isinstance(body, a.Impure):
        known = belongs(variable, type_, scope, e.variable.span)
        conditions += () if known is None else (known,)
    condition = conjunction(conditions, e.span) if conditions else None
    assert not isinstance(condition, a.Impure)
    if e.keyword == "exists":
        if isinstance(body, a.Impure):
            return scope.error(e.body.span, "`exists` speaks about values, not permissions")
        both = body if condition is None else conjunction([condition, body], e.span)
        assert not isinstance(both, a.Impure)
        return Typed(x.Exists((variable,), (), both, span=e.span), ct.BOOL)
    parts = [_for_all(variable, condition, part, e.span) for part in _split(body)]
    whole = conjunction(parts, e.span)
    return Typed(whole, ct.ASSERTION if isinstance(whole, a.Impure) else ct.BOOL)


def _member(
    variable: x.Var, domain: tuple[x.Expr, ct.CoolType], type_: ct.CoolType, scope: Scope
) -> x.Expr:
    collection, kind = domain
    if not isinstance(kind, ct.SeqT | ct.SetT):
        if kind != ct.NOTHING:
            scope.error(collection.span, f"this is {word(kind)}, expected a set or a sequence")
        return x.BoolLit(value=True, span=collection.span)
    if kind.element != type_:
        scope.error(variable.span, f"the elements are {word(kind.element)}, not {word(type_)}")
    contains: Callable[..., x.Expr] = x.SeqContains if isinstance(kind, ct.SeqT) else x.SetContains
    return contains(variable, collection, span=collection.span)


def _split(body: a.Assertion) -> list[tuple[x.Expr | None, a.Assertion]]:
    """The conjuncts of a quantified body, each with the condition it stands under."""
    match body:
        case a.Star(conjuncts):
            return [part for conjunct in conjuncts for part in _split(conjunct)]
        case a.Guarded(condition, inner):
            return [(_both(condition, c), part) for c, part in _split(inner)]
        case a.Choice(condition, then, otherwise):
            negated = x.Not(condition, span=condition.span)
            return [
                *[(_both(condition, c), part) for c, part in _split(then)],
                *[(_both(negated, c), part) for c, part in _split(otherwise)],
            ]
        case _:
            return [(None, body)]


def _both(left: x.Expr | None, right: x.Expr | None) -> x.Expr | None:
    if left is None or right is None:
        return right if left is None else left
    return x.And((left, right), span=left.span)


def _for_all(
    variable: x.Var,
    condition: x.Expr | None,
    part: tuple[x.Expr | None, a.Assertion],
    span: Span,
) -> a.Assertion:
    guard, body = _both(condition, part[0]), part[1]
    if isinstance(body, a.Access | a.Wand):
        always = x.BoolLit(value=True, span=span)
        return a.QuantifiedPermission((variable,), (), guard or always, body, span=span)
    if isinstance(body, a.QuantifiedPermission):  # one inside the other is one over both
        both = _both(guard, body.condition) or body.condition
        return replace(body, variables=(variable, *body.variables), condition=both, span=span)
    assert not isinstance(body, a.Impure)
    inside = body if guard is None else x.Implies(guard, body, span=span)
    return x.Forall((variable,), (), inside, span=span)


def _number(e: tree.Number, _: Scope) -> Typed:
    return Typed(x.IntLit(e.value, span=e.span), ct.INT)


def _chain(e: tree.Chain, scope: Scope) -> Typed:
    return chain(e, [lower(operand, scope) for operand in e.operands], scope)


_RULES: Mapping[type, Callable[..., Typed]] = {
    tree.Number: _number,
    tree.Constant: _constant,
    tree.Name: _name,
    tree.Select: _select,
    tree.Invoke: _invoke,
    tree.Index: _index,
    tree.Slice: _part,
    tree.Update: _part,
    tree.Size: _size,
    tree.Collection: _collection,
    tree.Prefix: _prefix,
    tree.Chain: _chain,
    tree.Ternary: _ternary,
    tree.OldValue: _old,
    tree.Permission: _permission,
    tree.UntouchedState: _untouched,
    tree.Opening: _opening,
    tree.Quantifier: _quantifier,
}
"""One function a construct; a test goes through the union and finds one that is missing here."""
