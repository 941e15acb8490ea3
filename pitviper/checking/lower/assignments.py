"""Assignments: of values, of new objects, and of the results of method calls."""

from __future__ import annotations

import re
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.checking.context import Context
from pitviper.checking.infer import expect, misfit, of_type
from pitviper.checking.lower.calls import (
    NO_VARIABLE,
    Called,
    declared_later,
    field_type,
    is_ambiguous,
    missing_result,
    only_object,
    parameters_of,
    unknown_callee,
    written_otherwise,
    wrong_number,
)
from pitviper.checking.scope import ConstructorInfo, Local, MethodInfo, PredicateInfo
from pitviper.checking.types import ERROR
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.node import Annotation
from pitviper.program.types import BOOL, INT, PERM, REF, Type
from pitviper.source.span import Span
from pitviper.syntax import foreign, tree


@record
class VariableTarget:
    variable: x.Var
    span: Span

    @property
    def type(self) -> Type:
        return self.variable.type


@record
class FieldTarget:
    receiver: x.Expr
    field: str
    type: Type
    span: Span


@record
class NoTarget:
    """A target that has been reported."""

    span: Span
    type: Type = ERROR


Target: TypeAlias = VariableTarget | FieldTarget | NoTarget


@record
class Place:
    """Where the statement stands, for the statements it becomes."""

    span: Span
    annotations: tuple[Annotation, ...] = ()


# ---------------------------------------------------------------- targets


def target(e: tree.Expr, cx: Context) -> Target:
    """The left side of an assignment."""
    match e:
        case tree.Name():
            return _variable(e, cx)
        case tree.FieldAccess():
            return _field(e, cx)
        case _:
            cx.error(e.span, "expected a variable or a field as the target of an assignment")
            return NoTarget(e.span)


def _variable(e: tree.Name, cx: Context) -> Target:
    local = cx.scope.find(e.name)
    if local is None:
        _undeclared(e, cx)
        return NoTarget(e.span)
    if is_ambiguous(e, cx):
        return NoTarget(e.span)
    if not local.assignable:
        cx.error(
            e.span,
            f"cannot assign to the parameter `{e.name}`",
            help="parameters keep their values: assign to a variable of its own, "
            f"`var {e.name}2: {local.type} := {e.name}` at the start of the body, and write "
            f"`{e.name}2` for `{e.name}` after it",
        )
        return NoTarget(e.span)
    return VariableTarget(x.Var(local.name, local.type, span=e.span), e.span)


def _undeclared(e: tree.Name, cx: Context) -> None:
    message, known = f"undeclared identifier `{e.name}`", missing_result(e, cx)
    if known is not None:
        cx.error(e.span, message, help=known)
    else:
        cx.error(e.span, NO_VARIABLE.format(e.name), help=_about_target(e, cx))


def _about_target(e: tree.Name, cx: Context) -> str:
    name, later = e.name, declared_later(e)
    if later is not None:
        return later
    if name in cx.table.fields:
        place = f"{only_object(cx)}.{name}"
        value = _value_of(e.span)
        whole = re.sub(rf"(?<![\w$.]){re.escape(name)}(?![\w$(])", place, value)
        return f"`{name}` is a field of objects: write `{place} := {whole}`"
    near = cx.suggest(name, cx.scope.visible)
    return near or f"declare it first: `var {name}: Int`"


def _value_of(target: Span) -> str:
    """What is assigned to a target, where it stands in the same line; else three dots."""
    line = target.file.text[target.end :].partition("\n")[0].partition("//")[0].strip()
    value = re.split(r"[;}]", line.removeprefix(":="))[0].strip()
    return value if line.startswith(":=") and value else "..."


def _built_anew(e: tree.FieldAccess, cx: Context) -> str | None:
    """`q := P(1, q.snd)` for `q.fst := 1`, where all values of the type have one constructor."""
    name, whole = e.field.name, e.receiver.span.text
    made = [c for c in cx.table.callees.values() if isinstance(c, ConstructorInfo)]
    for each in made:
        parts = re.findall(r"([\w$]+)\s*:", parameters_of(each.name, each.params, cx))
        if name not in parts or sum(other.adt == each.adt for other in made) > 1:
            continue
        args = [_value_of(e.span) if part == name else f"{whole}.{part}" for part in parts]
        built = f"`{whole} := {each.name}({', '.join(args)})`"
        return f"a value of an ADT does not change: build a new one, {built}"
    return None


def _field(e: tree.FieldAccess, cx: Context) -> Target:
    name = e.field.name
    if name not in cx.table.fields and (
        name in cx.table.destructors or cx.table.constructor_of_test(name) is not None
    ):
        cx.lower(e.receiver, cx)
        message = f"`{name}` belongs to an ADT value and cannot be assigned to"
        cx.error(e.span, message, help=_built_anew(e, cx))
        return NoTarget(e.span)
    receiver = cx.lower(e.receiver, cx)
    t = field_type(e.field, cx)
    if t is ERROR:
        return NoTarget(e.span)
    return FieldTarget(of_type(receiver, REF, cx, "receiver"), name, t, e.span)


# ---------------------------------------------------------------- right sides


def assign(targets: tuple[Target, ...], value: tree.Expr, at: Place, cx: Context) -> list[s.Stmt]:
    """`targets := value`; without targets, a statement that is just an expression."""
    if isinstance(value, tree.Call) and _is_method_call(targets, value, cx):
        return _call(targets, value, at, cx)
    if len(targets) == 1:
        if isinstance(value, tree.New):
            return _new(targets[0], value, at, cx)
        return _store(targets[0], expect(value, targets[0].type, cx), at)
    if targets:
        cx.error(at.span, "expected a method call when assigning to multiple targets")
    else:
        word = _foreign_word(value, cx)
        message = (
            "invalid expression in statement position, only method calls with no returns are "
            "allowed in a statement position"
        )
        if word is not None:
            name = value.span.text
            own = f"Viper has no `{name}` statement" if name in _STATEMENTS else None
            cx.error(at.span, own or f"there is no `{name}` here", help=word)
        else:
            cx.error(at.span, message, help=_about_statement(value, cx))
    return []


def _about_statement(value: tree.Expr, cx: Context) -> str | None:
    """A number with letters that stands alone, or a method without its arguments."""
    if not isinstance(value, tree.Name):
        return None
    if cx.scope.find(value.name) is not None:
        return _about_value(value)
    callee = cx.table.callees.get(value.name)
    if isinstance(callee, MethodInfo) and not callee.returns:
        return f"a call has parentheses: `{value.name}({'...' if callee.params else ''})`"
    text, at = value.span.file.text, value.span
    if at.start > 0 and text[at.start - 1].isdigit():
        return f"`{value.name}` belongs to no number: write numbers in decimal digits only"
    return None


def _about_value(value: tree.Name) -> str:
    """A variable that stands alone is the value of the only result, where the method has one."""
    header = value.span.file.text[: value.span.start].rpartition("method ")[2]
    result = re.search(r"\breturns\s*\(\s*([A-Za-z_$][\w$]*)\s*:[^,()]*\)", header)
    if result is None or result[1] == value.name:
        return f"a name alone does nothing: leave `{value.name}` out"
    return f"a value alone does nothing: write `{result[1]} := {value.name}`"


_STATEMENTS = ("return", "break", "continue", "pass")
"""Statements of other languages."""


def _foreign_word(value: tree.Expr, cx: Context) -> str | None:
    """What to write for a word of another language that stands alone, unless a variable has it."""
    if not isinstance(value, tree.Name) or cx.scope.find(value.name) is not None:
        return None
    text, at = value.span.file.text, value.span
    if at.start > 0 and text[at.start - 1].isdigit():
        return None
    behind = text[at.end :].partition("\n")[0]
    declared = _declared_otherwise(value, behind, cx)
    if declared is not None:
        return declared
    match value.name:
        case "return":
            given = re.split(r"[;}]|//", behind)[0].strip()
            return foreign.returned(text[: at.start], given)
        case "open" | "close" if re.match(r"[ \t]*[A-Za-z_]\w*\(", behind):
            given = re.split(r"[;}]|//", behind)[0].strip()
            return f"write `{'unfold' if value.name == 'open' else 'fold'} {given}`"
        case "call" if behind.strip():
            given = re.split(r"[;}]|//", behind)[0].strip()
            return f"leave `call` out: `{given}`"
        case "break":
            label = "done" if re.search(r"\bdone\b", text) is None else "after_loop"
            return f"write `goto {label}` here, and `label {label}` after the `}}` of the loop"
    return (
        _as_operator(value.name, text[: at.start], behind, cx)
        or foreign.OPERATORS.get(value.name)
        or foreign.STATEMENTS.get(value.name)
        or _between_operands(text, at, behind)
    )


_OPERAND = r"[\w$.]+(?:\([^()\n]*\)|\[[^\[\]\n]*\])?"
_OPERATORS = {"xor": "!=", "is": "==", "equals": "==", "implies": "==>", "iff": "<==>"}


def _as_operator(name: str, before: str, behind: str, cx: Context) -> str | None:
    """`l is Nil` and `a xor b` with the operator that stands for the word."""
    left = re.search(rf"(?<![\w$.)\]])({_OPERAND})[ \t]+$", before)
    right = re.match(rf"[ \t]+({_OPERAND})", behind)
    if left is None or right is None:
        return None
    made = right[1].removesuffix("()")
    if name in ("is", "instanceof") and cx.table.constructor_of_test(f"is{made}") is not None:
        return f"ask which constructor made it: `{left[1]}.is{made}`"
    if name not in _OPERATORS:
        return None
    told, sign = foreign.OPERATORS[name], _OPERATORS[name]
    front = before[: left.start()].rstrip()
    alone = front.endswith(("assert", "assume", "(", "inhale", "exhale", ":=", "requires"))
    return f"{told}: `{left[1]} {sign} {right[1]}`" if alone else told


def is_operator_word(e: tree.Expr, cx: Context) -> bool:
    """Whether it is an unknown word between two operands, as in `a mod b`."""
    if not isinstance(e, tree.Name) or cx.scope.find(e.name) is not None:
        return False
    text = e.span.file.text
    behind = text[e.span.end :].partition("\n")[0]
    return _between_operands(text, e.span, behind) is not None


def _between_operands(text: str, at: Span, behind: str) -> str | None:
    """About any other word that stands between two operands, as an operator would."""
    before = text[text.rfind("\n", 0, at.start) + 1 : at.start]
    if re.search(r"[\w)\]][ \t]+$", before) is None or re.match(r"[ \t]+[\w(]", behind) is None:
        return None
    if re.match(r"[ \t]+\w+[ \t]*:=", behind) is not None:
        return None
    return "what stands before it is complete: write an operator here, or leave it out"


_TYPES: dict[str, Type] = {"Int": INT, "Bool": BOOL, "Ref": REF, "Perm": PERM}


def _declared_otherwise(value: tree.Name, behind: str, cx: Context) -> str | None:
    """About `int x := 3`; the variable is known from here on, so that this is said once."""
    named = re.match(r"[ \t]+([A-Za-z_]\w*)[ \t]*(:=[^\n;}]*)?", behind)
    type_ = foreign.TYPES.get(value.name)
    if type_ is None or named is None:
        return None
    if cx.scope.find(named[1]) is None:
        local = Local(named[1], _TYPES[type_], value.span, assignable=True)
        cx.scope.bind(named[1], local)
    given = f"var {named[1]}: {type_}{f' {named[2].strip()}' if named[2] else ''}"
    return f"a variable is declared with `var`, its name first: `{given}`"


def _is_method_call(targets: tuple[Target, ...], value: tree.Call, cx: Context) -> bool:
    """A call with one target is one only if no function has the name."""
    callee = cx.table.callees.get(value.callee.name)
    return len(targets) != 1 or callee is None or isinstance(callee, MethodInfo)


def _store(to: Target, value: x.Expr, at: Place) -> list[s.Stmt]:
    match to:
        case VariableTarget(variable):
            return [s.LocalAssign(variable, value, span=at.span, annotations=at.annotations)]
        case FieldTarget(receiver, field):
            return [s.FieldAssign(receiver, field, value, span=at.span, annotations=at.annotations)]
        case NoTarget():
            return []


def _new(to: Target, value: tree.New, at: Place, cx: Context) -> list[s.Stmt]:
    if to.type is not REF and to.type is not ERROR:
        misfit(to.span, to.type, REF, cx)
    if value.fields is None:
        fields = tuple(cx.table.fields)
    else:
        fields = tuple([name.name for name in value.fields])
        for name in value.fields:
            field_type(name, cx)
    temporaries = _Temporaries((to,), cx)
    statement = s.New(temporaries.variables[0], fields, span=at.span, annotations=at.annotations)
    return [*temporaries.before, statement, *temporaries.after]


def _call(targets: tuple[Target, ...], value: tree.Call, at: Place, cx: Context) -> list[s.Stmt]:
    method = cx.table.callees.get(value.callee.name)
    if not isinstance(method, MethodInfo):
        _no_method(targets, value, cx)
        return []
    if len(value.args) != len(method.params):
        wrong_number(value, method.params, cx)
        return []
    if len(targets) != len(method.returns):
        cx.error(at.span, "wrong number of targets", help=_about_targets(method, value, cx))
        return []
    args = tuple([expect(arg, t, cx) for arg, t in zip(value.args, method.params, strict=True)])
    for to, t in zip(targets, method.returns, strict=True):
        if to.type is not t and to.type != t and ERROR not in (to.type, t):
            name = to.span.text
            told = f"`{method.name}` returns `{t}`, and `{name}` is of type `{to.type}`"
            kept = f"keep the result in a variable of its type, `var r: {t}`"
            misfit(to.span, to.type, t, cx, f"{told}: {kept}")
    fields = [to.field for to in targets if isinstance(to, FieldTarget)]
    if len(set(fields)) < len(fields):
        cx.shape_error(at.span, "multiple targets which access the same field are not allowed")
    temporaries = _Temporaries(targets, cx)
    statement = s.MethodCall(
        method.name, args, temporaries.variables, span=at.span, annotations=at.annotations
    )
    return [*temporaries.before, statement, *temporaries.after]


def _about_targets(method: MethodInfo, value: tree.Call, cx: Context) -> str:
    count, name = len(method.returns), method.name
    text = value.span.text
    call = text if len(text) <= _SHORT and "\n" not in text else f"{name}(...)"
    if count == 0:
        return f"`{name}` returns nothing: write `{call}` alone"
    if count == 1:
        given = f"var value: {method.returns[0]} := {call}"
        return f"`{name}` returns one value, which has to be taken: `{given}`"
    taken = {*cx.scope.visible, *cx.table.callees}
    names = [one for one in "abcdefghijklmnopqrstuvwxyz" if one not in taken][:count]
    if count > _MOST_TARGETS or count > len(names):
        return f"`{name}` returns {count} values: declare a variable for each, and assign to all"
    each = ", ".join([f"{one}: {t}" for one, t in zip(names, method.returns, strict=True)])
    return (
        f"`{name}` returns {count} values: declare variables for them, `var {each}`, and write "
        f"`{', '.join(names)} := {call}`"
    )


_MOST_TARGETS = 8
"""Variables that are written out in advice."""

_SHORT = 40
"""Characters of a call that are repeated in advice."""


def _no_method(targets: tuple[Target, ...], value: tree.Call, cx: Context) -> None:
    name = value.callee
    if name.name not in cx.table.callees:
        operands = [cx.lower(arg, cx) for arg in value.args]
        known = written_otherwise(value, operands, cx)
        called = Called(len(value.args), tuple([target.type for target in targets]))
        unknown_callee(name, "function or method", cx, called, known)
        return
    callee = cx.table.callees[name.name]
    kind = "predicate" if isinstance(callee, PredicateInfo) else "function"
    message = f"{kind} `{name.name}` is called where a method has to stand"
    cx.error(name.span, message, help=_about_callee(value, cx))


def _about_callee(call: tree.Call, cx: Context) -> str:
    name = call.callee.name
    callee = cx.table.callees[name]
    assert not isinstance(callee, MethodInfo)
    text = call.span.text if "\n" not in call.span.text else f"{name}(...)"
    if isinstance(callee, PredicateInfo):
        return (
            f"say what is done with the predicate: `fold {text}` makes it of what it contains, "
            f"`unfold {text}` opens it"
        )
    return (
        f"`{name}` is a function, which only has a value: use it, as in `var value: "
        f"{callee.result} := {text}`"
    )


class _Temporaries:
    """Variables for field targets: receivers are evaluated first, stores happen last."""

    __slots__ = ("after", "before", "variables")

    def __init__(self, targets: tuple[Target, ...], cx: Context) -> None:
        self.before: list[s.Stmt] = []
        self.after: list[s.Stmt] = []
        variables: list[x.Var] = []
        for to in targets:
            match to:
                case VariableTarget(variable):
                    variables.append(variable)
                case FieldTarget():
                    variables.append(self._field(to, cx))
                case NoTarget(span, t):
                    variables.append(x.Var("<error>", t, span=span))
        self.variables = tuple(variables)

    def _field(self, to: FieldTarget, cx: Context) -> x.Var:
        at = to.receiver.span
        receiver = x.Var(cx.scope.fresh("receiver"), REF, span=at)
        value = x.Var(cx.scope.fresh("target"), to.type, span=to.span)
        self.before += [
            s.Declare(receiver, span=at),
            s.LocalAssign(receiver, to.receiver, span=at),
            s.Declare(value, span=to.span),
        ]
        self.after.append(s.FieldAssign(receiver, to.field, value, span=to.span))
        return value
