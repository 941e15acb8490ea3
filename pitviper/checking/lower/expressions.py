"""Lowering of expressions: the table of contents, and what needs no file of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pitviper.base.record import replace
from pitviper.checking.context import Context
from pitviper.checking.infer import IMPURE_NODES, Alternative, Lowered, Open, around, expect
from pitviper.checking.lower import arithmetic as arith
from pitviper.checking.lower import binders as binder
from pitviper.checking.lower import calls, collections, logic, resources
from pitviper.checking.lower.meant import as_meant
from pitviper.checking.types import ERROR, IMPURE, NOTHING, has_holes
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.types import BOOL
from pitviper.syntax import tree
from pitviper.syntax.foreign import word_help
from pitviper.syntax.token import KEYWORDS


def lower(e: tree.Expr, cx: Context) -> Lowered:
    """An expression of the source in the typed program."""
    return _RULES[type(e)](e, cx)


def _binary(e: tree.Binary, cx: Context) -> Lowered:
    match e.op:
        case "==" | "!=":
            return arith.equality(e, cx)
        case "==>":
            return logic.implication(e, cx)
        case "<==>":
            return logic.equivalence(e, cx)
        case "++":
            return collections.append(e, cx)
        case "union" | "intersection" | "setminus" | "subset":
            return collections.set_operation(e, cx)
        case _:
            return arith.arithmetic(e, cx)


def _unary(e: tree.Unary, cx: Context) -> Lowered:
    if e.op == "-":
        return arith.negation(e, cx)
    return x.Not(expect(e.operand, BOOL, cx, "negation"), span=e.span)


# ---------------------------------------------------------------- variables


def _name(e: tree.Name, cx: Context) -> Lowered:
    local = cx.scope.find(e.name)
    if local is None:
        undeclared(e, cx)
        return cx.bad(e.span, ERROR)
    if calls.is_ambiguous(e, cx):
        return cx.bad(e.span, ERROR)
    t = local.type
    if t is IMPURE:  # a let whose bound expression has been reported
        return a.Star((), span=e.span)
    if cx.let_holes and has_holes(t):
        use = Alternative(t, NOTHING, lambda g: x.Var(local.name, g.type(t), span=e.span))
        return Open((use,), e.span)
    return x.Var(local.name, t, span=e.span)


def undeclared(e: tree.Name, cx: Context) -> None:
    """An error for a name that is no variable in scope."""
    if calls.is_told_as_field(e, cx):
        return
    help_text = calls.missing_result(e, cx) or _about_undeclared(e, cx)
    cx.error(e.span, f"undeclared identifier `{e.name}`", help=help_text)


def _about_undeclared(e: tree.Name, cx: Context) -> str:
    if re.search(r"(?<!-)--[ \t]+$", _in_front(e)):
        return "a comment begins with `//`"
    callee = cx.table.callees.get(e.name)
    if callee is not None:
        inside = "..." if callee.params else ""
        return f"did you mean to call it: `{e.name}({inside})`?"
    if e.name in cx.table.fields:
        return f"`{e.name}` is a field: write `{calls.only_object(cx)}.{e.name}`"
    return cx.suggest(e.name, cx.scope.visible) or _about_name(e, cx)


def _in_front(e: tree.Name) -> str:
    """The text of the line in front of a name."""
    text = e.span.file.text[: e.span.start]
    return text[text.rfind("\n") + 1 :]


_RESULTS = frozenset({"res", "ret", "Result", "result_", "return", "retval", "returns", "value"})
"""What other languages call `result`."""


def _is_value_of_function(e: tree.Name, cx: Context) -> bool:
    """Whether a postcondition says what a name is: `r == a + b`, `r >= 0`."""
    text = e.span.file.text
    before = re.split(r"[\n;]", text[: e.span.start])[-1]
    return re.search(r"\bensures\s*$|&&\s*$|==>\s*$", before) is not None and bool(
        re.match(r"\s*(==|!=|[<>]=?)", text[e.span.end :])
    )


def _of_the_body(e: tree.Name, cx: Context) -> str | None:
    """About a local variable of the body that a contract in front of it mentions."""
    if cx.rules.perm_ban is None:
        return None
    behind = re.split(r"\n(?:method|function|predicate)\b", e.span.file.text[e.span.end :])[0]
    name = re.escape(e.name)
    if re.search(rf"\b{name}\s*:=", behind) and not re.search(rf"\bvar\s+{name}\b", behind):
        return f"{calls.A_RESULT}: `returns ({e.name}: Int)`"
    found = re.search(rf"\bvar\s+{re.escape(e.name)}\s*:\s*([\w$\[\], ]*[\w$\]])", behind)
    if found is None:
        return None
    return (
        f"`{e.name}` is a variable of the body, which a contract does not see: make it a result, "
        f"`returns ({e.name}: {found[1]})`, and leave its `var` out"
    )


def _about_name(e: tree.Name, cx: Context) -> str:
    name = e.name
    if name == "_":
        type_ = _argument_type(e, cx) or "Int"
        own = next(n for n in ("v", "value", "earlier", "v0") if cx.scope.find(n) is None)
        return (
            "there is no placeholder: give the value a name, as a parameter such as "
            f"`{own}: {type_}`, and write `{own}` here"
        )
    if cx.rules.result is not None and (name in _RESULTS or _is_value_of_function(e, cx)):
        return f"the value of a function is called `result`: write `result` for `{name}`"
    empty = calls.empty_collection(e.span, name, cx)
    if empty is not None:
        return empty
    earlier = cx.scope.ended(name)
    if earlier is not None:
        return (
            f"it is declared in line {earlier.line}, inside of a block or formula that has ended: "
            f"declare `{name}` before that"
        )
    if name in ("this", "self") and (header := _with_object(e)) is not None:
        return f"there is no `{name}`, each object is a parameter: `{header}`"
    return word_help(name) or _of_the_body(e, cx) or calls.declared_later(e) or _declared_as(e, cx)


def _with_object(e: tree.Name) -> str | None:
    """The head of the member around a name with a parameter for it."""
    heads = re.findall(rf"\b{_HEAD}", e.span.file.text[: e.span.start])
    if not heads:
        return None
    head, params = heads[-1]
    return f"{' '.join(head.split())}({', '.join([f'{e.name}: Ref', *filter(None, [params])])})"


_HEAD = r"((?:method|function|predicate)\s+[\w$]+)\s*\(([^()\n]*)\)"


def _declared_as(e: tree.Name, cx: Context) -> str:
    """How an unknown name is declared, with the type that a call around it asks for."""
    type_ = _argument_type(e, cx) or _used_as(e) or "Int"
    if cx.rules.in_axiom:
        bound = _unbound_in_axiom(e, type_, cx)
        return f"an axiom speaks of all values: write `forall {bound} :: ...` around it"
    if type_ == "Int" and _is_for_all(e):
        return (
            f"if it stands for all numbers, write `forall {e.name}: Int :: ...` around the "
            f"formula; else declare it, as a parameter `{e.name}: Int`"
        )
    member = calls.member_word(e.span)
    if member in ("function", "predicate"):
        return f"declare it as a parameter of the {member}, `{e.name}: {type_}`"
    words = re.findall(r"\b(?:requires|ensures)\b|[{}]", e.span.file.text[: e.span.start])
    if words[-1:] == ["requires"]:
        return f"declare it as a parameter, `{e.name}: {type_}`"
    if words[-1:] == ["ensures"]:
        return (
            f"declare it as a parameter, `{e.name}: {type_}`, or as a result, "
            f"`returns ({e.name}: {type_})`"
        )
    return (
        f"declare it: as a parameter `{e.name}: {type_}`, or with `var {e.name}: {type_}` in a body"
    )


def _is_for_all(e: tree.Name) -> bool:
    """Whether a name begins a range in front of `==>`, as in `0 <= i && i < n ==> s[i] > 0`."""
    behind = e.span.file.text[e.span.end :].partition("\n")[0]
    begins = re.search(r"\b(requires|ensures|invariant|assert|assume) +\w+ *<=? *$", _in_front(e))
    return begins is not None and re.match(r" *(<|&&|==>)", behind) is not None and "==>" in behind


def _unbound_in_axiom(e: tree.Name, type_: str, cx: Context) -> str:
    """All names of an axiom that nothing declares, where it binds none; else the one."""
    text = e.span.file.text
    start, end = text.rfind("{", 0, e.span.start), text.find("}", e.span.end)
    body = text[start + 1 : end]
    one = f"{e.name}: {type_}"
    if start < 0 or end < 0 or re.search(r"\b(forall|exists|let)\b", body):
        return one
    words = re.findall(r"(?<![\w$.])([A-Za-z_$][\w$]*)(?!\s*[(\w$])", body)
    unknown = [w for w in dict.fromkeys(words) if w not in KEYWORDS and w not in cx.table.names]
    if e.name not in unknown:
        return one
    return ", ".join([f"{word}: {_type_in_calls(word, body, cx) or 'Int'}" for word in unknown])


def _type_in_calls(name: str, text: str, cx: Context) -> str | None:
    """The type of the parameter for which a name stands in the first call with it."""
    found = re.search(rf"([A-Za-z_$][\w$]*)\(((?:[^(),]*,)*)\s*{re.escape(name)}\s*[,)]", text)
    callee = None if found is None else cx.table.callees.get(found[1])
    if found is None or callee is None or found[2].count(",") >= len(callee.params):
        return None
    return str(callee.params[found[2].count(",")])


def _used_as(e: tree.Name) -> str | None:
    """The type that a name has to have, by what stands around it or where its macro has it."""
    text, name = e.span.file.text, e.name
    beside = text[max(e.span.start - 1, 0) : e.span.end + 2]
    around = beside if e.span.text == name else _in_macro(e)
    if re.search(rf"\b{re.escape(name)}\s*\.\s*[A-Za-z_$]", around):
        return "Ref"
    is_sequence = re.search(rf"\|{re.escape(name)}\||\b{re.escape(name)}\[", around)
    return "Seq[Int]" if is_sequence else None


def _in_macro(e: tree.Name) -> str:
    """The body of the macro whose use brings a name, with that name for its parameter."""
    found = re.match(r"([A-Za-z_$][\w$]*)\(([^()]*)\)$", e.span.text)
    if found is None:
        return ""
    macro, args = found[1], [arg.strip() for arg in found[2].split(",")]
    head = rf"\bdefine\s+{re.escape(macro)}\(([^()]*)\)([^\n]*)"
    defined = re.search(head, e.span.file.text)
    if defined is None or e.name not in args:
        return ""
    params = [param.strip() for param in defined[1].split(",")]
    at = args.index(e.name)
    param = params[at] if at < len(params) else ""
    return re.sub(rf"\b{re.escape(param)}\b", e.name, defined[2]) if param else ""


def _argument_type(e: tree.Name, cx: Context) -> str | None:
    """The type of the parameter for which a name stands in a call, as far as the line tells."""
    text, start = e.span.file.text, e.span.start
    line = text[text.rfind("\n", 0, start) + 1 : start]
    found = re.search(r"([A-Za-z_$][\w$]*)\(((?:[^(),]*,)*)\s*$", line)
    callee = None if found is None else cx.table.callees.get(found[1])
    if found is None or callee is None or found[2].count(",") >= len(callee.params):
        return None
    return str(callee.params[found[2].count(",")])


def _named_result(e: tree.ResultLiteral) -> str:
    """How the result of the method around a place is called."""
    text = e.span.file.text[: e.span.start]
    if text.rfind("function ") > text.rfind("method "):
        return "a function has no value before it is applied: speak of it in `ensures`"
    before = text.rpartition("method ")[2]
    found = re.search(r"\breturns\s*\(\s*([A-Za-z_$][\w$]*)", before)
    if found is not None:
        return f"a method names its results: write `{found[1]}`"
    return "a method names its results: declare `returns (res: Int)` and write `res`"


def _result(e: tree.ResultLiteral, cx: Context) -> Lowered:
    if cx.rules.result is None:
        cx.error(
            e.span,
            "`result` can only be used in function postconditions",
            help=_named_result(e),
        )
        return cx.bad(e.span, ERROR)
    return x.Result(cx.rules.result, span=e.span)


# ---------------------------------------------------------------- annotations


def _annotated(e: tree.AnnotatedExpr, cx: Context) -> Lowered:
    """`@reveal() f(x)`, `@weight("3") forall ...`; annotations we do not know mean nothing."""
    weight = _weight(e, cx)
    if isinstance(e.expr, tree.Quantifier):
        return binder.quantifier(e.expr, cx, weight)
    inner = cx.lower(e.expr, cx)
    if isinstance(inner, IMPURE_NODES) or all(note.key != "reveal" for note in e.annotations):
        return inner
    return around(inner, _revealed, e.span)


def _revealed(e: x.Expr) -> x.Expr:
    return replace(e, reveal=True) if isinstance(e, x.FunctionApp) else e


def _weight(e: tree.AnnotatedExpr, cx: Context) -> int | None:
    for note in e.annotations:
        if note.key == "weight":
            if len(note.values) == 1 and note.values[0].isascii() and note.values[0].isdigit():
                return int(note.values[0])
            cx.report.warning(
                note.span,
                "Invalid value for annotation weight: expected one number; it is ignored",
                code="annotation.warning",
            )
    return None


# ---------------------------------------------------------------- table of contents


def _about_new(e: tree.New) -> str:
    """`new` in a function, which makes nothing, or within an expression."""
    before = e.span.file.text[: e.span.start]
    if before.rfind("function ") > before.rfind("method "):
        made = e.span.text if len(e.span.text) <= 30 else "new(...)"
        return (
            "a function makes no object, as it changes nothing: write a method, "
            f"`method m() returns (r: Ref) {{ r := {made} }}`"
        )
    return "`new` can only be the whole right side of an assignment: `x := new(...)`, then use `x`"


def _new(e: tree.New, cx: Context) -> Lowered:
    cx.error(
        e.span,
        "unexpected use of `new` as an expression",
        help=_about_new(e),
    )
    return cx.bad(e.span, ERROR)


_RULES: Mapping[type, Callable[..., Lowered]] = {
    tree.Name: _name,
    tree.IntLiteral: lambda e, _: x.IntLit(e.value, span=e.span),
    tree.BoolLiteral: lambda e, _: x.BoolLit(e.value, span=e.span),
    tree.NullLiteral: lambda e, _: x.NullLit(span=e.span),
    tree.PermLiteral: lambda e, _: x.PermLit(x.PermConstant(e.kind), span=e.span),
    tree.ResultLiteral: _result,
    tree.Call: calls.call,
    tree.Ascription: calls.ascription,
    tree.FieldAccess: calls.field_access,
    tree.PredicateInstance: calls.predicate_instance,
    tree.Unary: _unary,
    tree.Binary: as_meant(_binary),
    tree.Comparison: as_meant(arith.comparison),
    tree.And: as_meant(logic.conjunction),
    tree.Or: as_meant(logic.disjunction),
    tree.Wand: logic.wand,
    tree.Conditional: logic.conditional,
    tree.InhaleExhale: logic.inhale_exhale,
    tree.Quantifier: binder.quantifier,
    tree.ForPerm: binder.forperm,
    tree.Let: binder.let,
    tree.Acc: resources.access,
    tree.Perm: resources.current_perm,
    tree.Old: resources.old,
    tree.Unfolding: resources.unfolding,
    tree.Applying: resources.applying,
    tree.Asserting: resources.asserting,
    tree.Cardinality: collections.cardinality,
    tree.Range: collections.interval,
    tree.Index: collections.index,
    tree.Slice: collections.slice_of,
    tree.Update: collections.update,
    tree.CollectionLiteral: collections.collection,
    tree.MapLiteral: collections.map_literal,
    tree.MapDomain: collections.domain_or_range,
    tree.MapRange: collections.domain_or_range,
    tree.New: _new,
    tree.AnnotatedExpr: _annotated,
}
"""One function a class; a test finds a class that is missing here."""
