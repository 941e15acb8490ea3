"""Expressions and assertions as Viper text on one line, as messages show them.

Amounts are always written, quantifiers and other constructs that end in an open body stand in
parentheses, applications of generic domain functions say their type.

NOTE(qualified-names). A name with a dot, `Cell.x`, is a member of a class: no program of Viper can
have it. It is shown as the object languages write it, behind its receiver: `c.x`, `c.get(1)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pitviper.base.qualified import call_words, is_qualified, short_name
from pitviper.program import assertion, expr
from pitviper.program.node import Node
from pitviper.program.print.objects import array_of, class_of, is_of_objects, range_of, type_words
from pitviper.program.print.precedence import (
    AND,
    COMPARISON,
    EQUALITY,
    IMPLIES,
    OR,
    PRODUCT,
    SUFFIX,
    SUM,
    WAND,
    level_of,
)


def text_of(node: Node) -> str:
    """The text of an expression, an assertion, a location or a trigger."""
    return _TEXTS[type(node)](node)


def text_at(level: int, node: Node) -> str:
    """The text of an operand, in parentheses if it binds more loosely than `level`."""
    text = text_of(node)
    return text if level_of(node) >= level else f"({text})"


def comma_list(nodes: Iterable[Node]) -> str:
    return ", ".join([text_of(node) for node in nodes])


def variable_list(variables: Iterable[expr.Var]) -> str:
    """`x: T, y: U`."""
    return ", ".join([f"{v.name}: {v.type}" for v in variables])


# ---------------------------------------------------------------- literals, operators


def implication_text(condition: Node, body: Node) -> str:
    return f"{text_at(WAND + 1, condition)} ==> {text_at(IMPLIES, body)}"


def _conditional(e: expr.Conditional | assertion.Choice) -> str:
    condition = text_at(IMPLIES, e.condition)
    return f"({condition} ? {text_of(e.then)} : {text_of(e.otherwise)})"


def _equal(e: expr.Equal) -> str:
    match e:
        case expr.Equal(expr.FunctionApp(name, args), expr.Old()) if name.startswith("untouched "):
            return f"untouched({call_text(name.partition(' ')[2], args)})"
    known = class_of(e)
    if known is not None:
        return f"{text_at(SUFFIX, known[0])}.class == {known[1]}"
    return f"{text_at(EQUALITY + 1, e.left)} == {text_at(EQUALITY + 1, e.right)}"


def _compare(e: expr.Compare) -> str:
    return f"{text_at(COMPARISON + 1, e.left)} {e.op.value} {text_at(COMPARISON + 1, e.right)}"


_PERM_SYMBOLS = {
    expr.PermOp.ADD: "+",
    expr.PermOp.SUB: "-",
    expr.PermOp.MUL: "*",
    expr.PermOp.INT_MUL: "*",
    expr.PermOp.DIV: "/",
    expr.PermOp.INT_DIV: "/",
    expr.PermOp.FRACTION: "/",
}


def _arithmetic(e: expr.IntArith | expr.PermArith) -> str:
    level = level_of(e)
    symbol = _PERM_SYMBOLS[e.op] if isinstance(e, expr.PermArith) else e.op.value
    if e.op is expr.IntOp.DIV and is_of_objects(e):
        symbol = "/"
    return f"{text_at(level, e.left)} {symbol} {text_at(level + 1, e.right)}"


# ---------------------------------------------------------------- heap, functions, binders


def _field(e: expr.FieldRead | assertion.FieldLocation) -> str:
    return field_text(e.receiver, e.field)


def field_text(receiver: expr.Expr, field: str) -> str:
    return f"{text_at(SUFFIX, receiver)}.{short_name(field)}"


def call_text(name: str, args: Sequence[expr.Expr]) -> str:
    """`f(a, b)`, or `a.f(b)` for a member of a class."""
    if not is_qualified(name):
        return f"{name}({comma_list(args)})"
    return call_words(name, [text_at(SUFFIX, arg) for arg in args[:1]] + [*map(text_of, args[1:])])


def access_text(
    location: assertion.FieldLocation | assertion.PredicateLocation, amount: expr.Expr
) -> str:
    if amount == expr.PermLit(expr.PermConstant.WRITE):
        if isinstance(location, assertion.PredicateLocation):
            if is_qualified(location.predicate):
                return text_of(location)
        elif is_qualified(location.field):
            return f"acc({text_of(location)})"
    return f"acc({text_of(location)}, {text_of(amount)})"


def _function_app(e: expr.FunctionApp) -> str:
    if " for " in e.function:  # what nobody wrote stands for what somebody wrote (`hidden.py`)
        return e.function.partition(" for ")[2]
    call = call_text(e.function, e.args)
    return f"(@reveal() {call})" if e.reveal else call


def _domain_app(e: expr.DomainApp) -> str:
    call = f"{e.function}({comma_list(e.args)})"
    return f"({call}: {e.type})" if e.type_args else call


def _old(e: expr.Old) -> str:
    label = "" if e.label is None else f"[{e.label}]"
    return f"old{label}({text_of(e.operand)})"


def _let(e: expr.Let | assertion.Binding) -> str:
    return f"(let {e.variable.name} == ({text_of(e.bound)}) in {text_of(e.body)})"


def _unfolding(e: expr.Unfolding) -> str:
    word = "opening" if is_qualified(e.predicate.predicate) else "unfolding"
    return f"({word} {access_text(e.predicate, e.amount)} in {text_of(e.body)})"


def _inhale_exhale(e: expr.InhaleExhaleExpr | assertion.InhaleExhale) -> str:
    return f"[{text_of(e.inhaled)}, {text_of(e.exhaled)}]"


def _forall(e: expr.Forall) -> str:
    if is_of_objects(e):
        condition = e.body.left if isinstance(e.body, expr.Implies) else expr.BoolLit(value=True)
        body = e.body.right if isinstance(e.body, expr.Implies) else e.body
        return _object_quantifier("forall", e, condition, body)
    return _quantifier("forall", e, text_of(e.body))


def _exists(e: expr.Exists) -> str:
    if is_of_objects(e):
        return _object_quantifier("exists", e, e.body, None)
    return _quantifier("exists", e, text_of(e.body))


def _quantified_permission(e: assertion.QuantifiedPermission) -> str:
    if is_of_objects(e):
        return _object_quantifier("forall", e, e.condition, e.resource)
    if e.condition == expr.BoolLit(value=True):
        return _quantifier("forall", e, text_of(e.resource))
    return _quantifier("forall", e, implication_text(e.condition, e.resource))


def _quantifier(
    keyword: str, e: expr.Forall | expr.Exists | assertion.QuantifiedPermission, body: str
) -> str:
    weight = "" if e.weight is None else f'@weight("{e.weight}") '
    parts = [f"{weight}{keyword} {variable_list(e.variables)} ::"]
    parts += [text_of(trigger) for trigger in e.triggers]
    return f"({' '.join(parts)} {body})"


def _object_quantifier(
    keyword: str,
    e: expr.Forall | expr.Exists | assertion.QuantifiedPermission,
    condition: expr.Expr,
    body: Node | None,
) -> str:
    """`forall int i in 0..n :: body`; `body` is None where all is said by the condition."""
    *others, variable = e.variables
    through, asked = range_of(variable, condition)
    heads = [f"{type_words(v.type, v.name, e.span)} {v.name}" for v in (*others, variable)]
    domain = "..".join([text_at(SUM, bound) for bound in through])
    head = f"{keyword} {', '.join(heads)}{' in ' if domain else ''}{domain} ::"
    left = " && ".join([text_at(AND + 1, part) for part in asked if part != _TRUE])
    if body is None:
        return f"({head} {left or 'true'})"
    return f"({head} {left}{' ==> ' if left else ''}{text_at(IMPLIES, body)})"


_TRUE = expr.BoolLit(value=True)


def _for_perm(e: expr.ForPerm) -> str:
    head = f"forperm {variable_list(e.variables)} [{text_of(e.location)}]"
    return f"({head} :: {text_of(e.body)})"


# ---------------------------------------------------------------- collections


def _collection(e: expr.SeqLit | expr.SetLit | expr.MultisetLit) -> str:
    if is_of_objects(e):
        return f"{type_words(e.type)}({comma_list(e.elements)})"
    if not e.elements:
        return f"{e.type}()"
    name = str(e.type).partition("[")[0]
    return f"{name}({comma_list(e.elements)})"


def _map_lit(e: expr.MapLit) -> str:
    if not e.entries:
        return f"{e.type}()"
    entries = [f"{text_of(key)} := {text_of(value)}" for key, value in e.entries]
    return f"Map({', '.join(entries)})"


def _index(e: expr.SeqIndex) -> str:
    return f"{text_at(SUFFIX, array_of(e.sequence) or e.sequence)}[{text_of(e.index)}]"


def _drop(e: expr.SeqDrop) -> str:
    """`s[i..j]` is the drop of a take."""
    if isinstance(e.sequence, expr.SeqTake):
        taken = e.sequence
        bounds = f"{text_of(e.count)}..{text_of(taken.count)}"
        return f"{text_at(SUFFIX, taken.sequence)}[{bounds}]"
    return f"{text_at(SUFFIX, e.sequence)}[{text_of(e.count)}..]"


def _seq_update(e: expr.SeqUpdate) -> str:
    return f"{text_at(SUFFIX, e.sequence)}[{text_of(e.index)} := {text_of(e.value)}]"


def _membership(element: expr.Expr, collection: expr.Expr) -> str:
    return f"({text_at(SUM, element)} in {text_at(SUM, collection)})"


def _cardinality(e: expr.Cardinality) -> str:
    array = array_of(e.collection)
    if array is not None:
        return f"{text_at(SUFFIX, array)}.length"
    return f"|{text_of(e.collection)}|"


# ---------------------------------------------------------------- plugins


def _construct(e: expr.Construct) -> str:
    call = f"{e.constructor}({comma_list(e.args)})"
    return f"({call}: {e.type})" if "[" in str(e.type) else call


_TEXTS: Mapping[type, Callable[..., str]] = {
    expr.IntLit: lambda e: str(e.value),
    expr.BoolLit: lambda e: "true" if e.value else "false",
    expr.NullLit: lambda _: "null",
    expr.PermLit: lambda e: e.value.value,
    expr.Var: lambda e: e.name,
    expr.Result: lambda _: "result",
    expr.Not: lambda e: "!" + text_at(SUFFIX, e.operand),
    expr.And: lambda e: " && ".join([text_at(AND + 1, operand) for operand in e.operands]),
    expr.Or: lambda e: " || ".join([text_at(OR + 1, operand) for operand in e.operands]),
    expr.Implies: lambda e: implication_text(e.left, e.right),
    expr.Conditional: _conditional,
    expr.Equal: _equal,
    expr.NotEqual: lambda e: f"{text_at(EQUALITY + 1, e.left)} != {text_at(EQUALITY + 1, e.right)}",
    expr.Negate: lambda e: "-" + text_at(SUFFIX, e.operand),
    expr.IntArith: _arithmetic,
    expr.PermArith: _arithmetic,
    expr.Compare: _compare,
    expr.FieldRead: _field,
    expr.FunctionApp: _function_app,
    expr.DomainApp: _domain_app,
    expr.Old: _old,
    expr.Let: _let,
    expr.Unfolding: _unfolding,
    expr.Applying: lambda e: f"(applying ({text_of(e.wand)}) in {text_of(e.body)})",
    expr.Asserting: lambda e: f"(asserting ({text_of(e.assertion)}) in {text_of(e.body)})",
    expr.CurrentPerm: lambda e: f"perm({text_of(e.location)})",
    expr.InhaleExhaleExpr: _inhale_exhale,
    expr.Trigger: lambda e: f"{{ {comma_list(e.terms)} }}" if e.terms else "{ }",
    expr.Forall: _forall,
    expr.Exists: _exists,
    expr.ForPerm: _for_perm,
    expr.SeqLit: _collection,
    expr.SetLit: _collection,
    expr.MultisetLit: _collection,
    expr.MapLit: _map_lit,
    expr.SeqRange: lambda e: f"[{text_of(e.low)}..{text_of(e.high)})",
    expr.SeqAppend: lambda e: f"{text_at(SUM, e.left)} ++ {text_at(PRODUCT, e.right)}",
    expr.SeqIndex: _index,
    expr.SeqTake: lambda e: f"{text_at(SUFFIX, e.sequence)}[..{text_of(e.count)}]",
    expr.SeqDrop: _drop,
    expr.SeqUpdate: _seq_update,
    expr.SeqContains: lambda e: _membership(e.element, e.sequence),
    expr.SetBinary: lambda e: f"({text_at(SUM, e.left)} {e.op.value} {text_at(PRODUCT, e.right)})",
    expr.Subset: lambda e: f"({text_at(SUM, e.left)} subset {text_at(PRODUCT, e.right)})",
    expr.SetContains: lambda e: _membership(e.element, e.set),
    expr.MultisetCount: lambda e: _membership(e.element, e.multiset),
    expr.Cardinality: _cardinality,
    expr.MapLookup: lambda e: f"{text_at(SUFFIX, e.map)}[{text_of(e.key)}]",
    expr.MapUpdate: lambda e: f"{text_at(SUFFIX, e.map)}[{text_of(e.key)} := {text_of(e.value)}]",
    expr.MapContains: lambda e: _membership(e.key, e.map),
    expr.MapDomain: lambda e: f"domain({text_of(e.map)})",
    expr.MapRange: lambda e: f"range({text_of(e.map)})",
    expr.Construct: _construct,
    expr.Destruct: lambda e: f"{text_at(SUFFIX, e.receiver)}.{e.argument}",
    expr.Discriminate: lambda e: f"{text_at(SUFFIX, e.receiver)}.is{e.constructor}",
    expr.PredicateInstance: lambda e: f"#{e.predicate}({comma_list(e.args)})",
    assertion.FieldLocation: _field,
    assertion.PredicateLocation: lambda e: call_text(e.predicate, e.args),
    assertion.Wand: lambda e: f"{text_at(WAND + 1, e.left)} --* {text_at(WAND, e.right)}",
    assertion.Access: lambda e: access_text(e.location, e.amount),
    assertion.Star: lambda e: " && ".join([text_at(AND + 1, conjunct) for conjunct in e.conjuncts]),
    assertion.Guarded: lambda e: implication_text(e.condition, e.body),
    assertion.Choice: _conditional,
    assertion.QuantifiedPermission: _quantified_permission,
    assertion.Binding: _let,
    assertion.InhaleExhale: _inhale_exhale,
}
"""One function per class. A table, because a match over sixty classes tries them in turn; a test
goes through the unions and finds a class that is missing here."""
