"""Applications: functions, domain functions, constructors, predicates, fields, destructors."""

from __future__ import annotations

import re

from pitviper.base.record import record
from pitviper.checking.collect import resolve
from pitviper.checking.context import Context
from pitviper.checking.infer import (
    NOT_CLOSED,
    UNCONSTRAINED,
    Lowered,
    Open,
    Signature,
    combine,
    expect,
    of_type,
)
from pitviper.checking.scope import (
    Callee,
    ConstructorInfo,
    DomainFunctionInfo,
    FunctionInfo,
    Generic,
    MethodInfo,
    PredicateInfo,
)
from pitviper.checking.types import ERROR, Hole, apply
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import types as pt
from pitviper.source.span import Span
from pitviper.syntax import foreign, tree

COLLECTIONS = (pt.SeqType, pt.SetType, pt.MultisetType, pt.MapType)

# ---------------------------------------------------------------- calls


def call(e: tree.Call, cx: Context) -> Lowered:
    """`f(e,*)` in an expression."""
    callee = cx.table.callees.get(e.callee.name)
    match callee:
        case FunctionInfo():
            if cx.rules.in_axiom and callee.has_precondition:
                cx.error(
                    e.callee.span,
                    f"Cannot use function {callee.name}, which has preconditions, inside axiom",
                )
            operands = arguments(e, callee.params, cx)
            return x.FunctionApp(callee.name, operands, callee.result, span=e.span)
        case DomainFunctionInfo() | ConstructorInfo():
            return _generic(e, callee, cx)
        case PredicateInfo():
            return _predicate(e, callee, cx)
        case MethodInfo() | None:
            _no_function(e, [cx.lower(arg, cx) for arg in e.args], callee, cx)
            return cx.bad(e.span, ERROR)


def ascription(e: tree.Ascription, cx: Context) -> Lowered:
    """`(f(e,*): T)`."""
    t = resolve(e.type, cx)
    if isinstance(cx.table.callees.get(e.call.callee.name), PredicateInfo):
        cx.error(e.span, "predicate call cannot have an explicit type")
        return cx.bad(e.span, t)
    return of_type(call(e.call, cx), t, cx)


def arguments(e: tree.Call, params: tuple[pt.Type, ...], cx: Context) -> tuple[x.Expr, ...]:
    """The arguments of a call, of the given types."""
    if len(e.args) == len(params):
        return tuple([expect(arg, t, cx) for arg, t in zip(e.args, params, strict=True)])
    for arg in e.args:
        cx.lower(arg, cx)
    wrong_number(e, params, cx)
    return tuple([cx.bad(e.span, t) for t in params])


A_RESULT = "if it is a result, declare it"
"""How the help begins that a result of a method is not declared."""


def missing_result(e: tree.Name, cx: Context) -> str | None:
    """The help of an error of this member which says that a result of this name is missing."""
    message = f"undeclared identifier `{e.name}`"
    for told in cx.report.told(message):
        if told.span is None or told.span.file is not e.span.file or told.help is None:
            continue
        between = e.span.file.text[told.span.end : e.span.start]
        if told.help.startswith(A_RESULT) and re.search(r"\n\s*method\b", between) is None:
            return told.help if told.span.end <= e.span.start else None
    return None


NO_VARIABLE = "undeclared identifier `{}`, expected parameter or local variable"
"""About a name that is assigned, and is none of a variable."""


def is_told_as_field(e: tree.Name, cx: Context) -> bool:
    """Whether it was told of the target of this assignment that the name is one of a field."""
    told = cx.report.told(NO_VARIABLE.format(e.name)) if e.name in cx.table.fields else []
    lines = [one.span.line for one in told if one.span and one.span.file is e.span.file]
    return e.span.line in lines


def is_ambiguous(e: tree.Name, cx: Context) -> bool:
    """Whether several variables of this name are declared, which is an error at each use of it."""
    if not cx.scope.is_ambiguous(e.name):
        return False
    help_text = f"`{e.name}` is declared more than once: rename one, and write that name here"
    cx.error(e.span, f"ambiguous identifier `{e.name}`", help=help_text)
    return True


def declared_later(e: tree.Name) -> str | None:
    """About a variable whose declaration stands further behind in the same body."""
    text = e.span.file.text
    behind = re.split(r"\n(?:method|function|predicate|domain|field)\b", text[e.span.end :])[0]
    found = re.search(rf"\bvar\s+{re.escape(e.name)}\s*:", behind)
    if found is None:
        return None
    line = text.count("\n", 0, e.span.end + found.start()) + 1
    return f"`{e.name}` is declared only in line {line}: move that declaration up"


def parameters_of(name: str, params: tuple[pt.Type, ...], cx: Context) -> str:
    """The parameters of a member as they are declared, or their types."""
    declared = cx.table.names.get(name)
    types = ", ".join(map(str, params))
    if declared is None:
        return types
    text = declared.span.file.text[declared.span.start : declared.span.start + 200]
    found = re.match(rf"{re.escape(name)}\s*\(([^()]*)\)", text)
    return types if found is None else " ".join(found[1].split())


def _with_variables(shown: str, params: tuple[pt.Type, ...], cx: Context) -> str | None:
    """The arguments that were meant: variables in scope that have the names and types."""
    names = re.findall(r"([\w$]+)\s*:", shown)
    given = []
    for name, t in zip(names, params, strict=False):
        of_type = [each for each in cx.scope.visible if _local_type(each, cx) == t]
        chosen = name if name in of_type else of_type[0] if len(of_type) == 1 else None
        if chosen is None:
            return None
        given.append(chosen)
    return ", ".join(given) if len(given) == len(params) else None


def _filled_up(e: tree.Call, shown: str, params: tuple[pt.Type, ...], cx: Context) -> str:
    """What is given, and behind it what is missing: a variable of that name, or three dots."""
    named = re.findall(r"([\w$]+)\s*:", shown)
    names = named if len(named) == len(params) else [""] * len(params)
    given, missing = [arg.span.text for arg in e.args], list[str]()
    for name, t in list(zip(names, params, strict=True))[len(given) :]:
        is_there = cx.scope.find(name) is not None and _local_type(name, cx) == t
        missing += [] if is_there else [f"`{name}: {t}`" if name else f"type {t}"]
        given.append(name if is_there else "...")
    written = f"{e.callee.name}({', '.join(given)})"
    if "\n" in written or len(written) > _SHOWN:
        return ""
    values = f", with a value for {' and '.join(missing)}" if missing else ""
    return f"; write `{written}`{values}"


def _local_type(name: str, cx: Context) -> pt.Type:
    local = cx.scope.find(name)
    return ERROR if local is None else local.type


def wrong_number(e: tree.Call, params: tuple[pt.Type, ...], cx: Context) -> None:
    """An error that names the types of all parameters."""
    name, wanted = e.callee.name, len(params)
    takes = "no arguments" if wanted == 0 else f"{wanted} argument{'s' if wanted > 1 else ''}"
    shown = parameters_of(name, params, cx)
    here = "here is 1" if len(e.args) == 1 else f"here are {len(e.args)}"
    help_ = f"`{name}` takes {takes}: `{name}({shown})`, {here}"
    if not e.args and (given := _with_variables(shown, params, cx)):
        help_ += f"; write `{name}({given})`"
    elif 0 < len(e.args) < wanted:
        help_ += _filled_up(e, shown, params, cx)
    cx.error(e.span, "wrong number of arguments", help=help_)


def _no_function(
    e: tree.Call, operands: list[Lowered], callee: MethodInfo | None, cx: Context
) -> None:
    name = e.callee
    if callee is None:
        unknown_callee(name, "function or predicate", cx, known=written_otherwise(e, operands, cx))
        return
    cx.error(
        name.span,
        f"invalid method call `{name.name}` in expression position, expected function or predicate",
        help=_of_its_own(e, callee, cx),
    )


def empty_collection(at: Span, name: str, cx: Context) -> str | None:
    """About `empty` and `nil`, where the place tells of which type a collection is wanted."""
    if name.replace("_", "").lower() not in _EMPTY:
        return None
    before = at.file.text[: at.start]
    line = before[before.rfind("\n") + 1 :]
    typed = re.search(r":\s*((?:Seq|Set|Multiset|Map)\[[^:=]*\])\s*:=\s*$", line)
    if typed is not None:
        return f"an empty collection is written with its type: `{typed[1]}()`"
    named = re.search(r"([\w$]+)\s*(?::=|==|!=)\s*$", line)
    found = None if named is None else _local_type(named[1], cx)
    if named is not None and found is ERROR:
        found = cx.table.fields.get(named[1])
    if not isinstance(found, COLLECTIONS):
        return None
    return f"an empty collection is written with its type: `{found}()`"


_EMPTY = frozenset(
    "empty emptyseq emptyset emptymultiset emptymap emptylist nil null emptycollection".split()
)


def written_otherwise(e: tree.Call, operands: list[Lowered], cx: Context) -> str | None:
    """What stands for a call that other languages have: `isC(x)`, `len(s)`, `contains(s, x)`."""
    name, texts = e.callee.name, [arg.span.text for arg in e.args]
    if not texts and (empty := empty_collection(e.span, name, cx)) is not None:
        return empty
    if len(texts) == 1 and cx.table.constructor_of_test(name) is not None:
        return f"write `{texts[0]}.{name}`"
    if len(texts) == 1 and (told := _of_one(e, operands[0], cx)) is not None:
        return told
    if len(texts) == 1 and name in (cx.table.destructors.keys() | cx.table.fields.keys()):
        receiver = texts[0] if re.fullmatch(r"[\w$.]+", texts[0]) else f"({texts[0]})"
        return f"`{name}` stands after the value that has it: write `{receiver}.{name}`"
    if len(texts) == 1 and name in foreign.COLLECTION_SIZES:
        t = _receiver_type(operands[0])
        if isinstance(t, COLLECTIONS):
            return f"write `|{texts[0]}|` for the size of a collection"
        lacking = f"`|s|` is the size of a collection: a value of type {t} has none"
        return None if t is ERROR else lacking
    if name in _CHOICES and len(texts) == _CHOICES[name].count("{1}") // 2 + 1:
        operands_ = [text if re.fullmatch(r"[\w$.]+", text) else f"({text})" for text in texts]
        return f"nothing is built in: write `({_CHOICES[name].format(*operands_)})`"
    if name == "return" and len(texts) == 1:
        return foreign.returned(e.span.file.text[: e.span.start], texts[0])
    if name in _LITERALS:
        return f"write `{_LITERALS[name]}({', '.join(texts)})`"
    if len(texts) == 1 and isinstance(e.args[0], tree.FieldAccess) and name in _ACCESS:
        return f"write `acc({texts[0]}{_ACCESS[name]})`"
    if len(texts) == 2 and name in ("append", "push", "cons"):
        return f"write `{texts[0]} ++ Seq({texts[1]})`"
    if len(texts) == 2 and name in ("contains", "has", "member", "elem"):
        first = isinstance(_receiver_type(operands[0]), COLLECTIONS)
        whole, part = texts if first else texts[::-1]
        return f"write `{part} in {whole}`"
    return None


def _of_one(e: tree.Call, operand: Lowered, cx: Context) -> str | None:
    """What stands for `is_C(x)`, `pre(x.f)`, `keys(m)` and `s(i)`."""
    name, text, arg = e.callee.name, e.args[0].span.text, e.args[0]
    if (meant := _similar_test(name, cx)) is not None:
        return f"write `{text}.{meant}`"
    if isinstance(arg, tree.FieldAccess) and name.lower() in _OLD:
        return f"write `old({text})`"
    if isinstance(arg, tree.FieldAccess) and name in ("permission", "perms", "getPerm", "amount"):
        return f"write `perm({text})`"
    if isinstance(_receiver_type(operand), pt.MapType) and name in _PARTS_OF_MAPS:
        return f"write `{_PARTS_OF_MAPS[name]}({text})`"
    if isinstance(_local_type(name, cx), pt.SeqType | pt.MapType):
        return f"an element stands in brackets: write `{name}[{text}]`"
    return None


def _similar_test(name: str, cx: Context) -> str | None:
    """The discriminator `isC` that was meant by `is_C`, `isc` or `C?`."""
    wanted = name.replace("_", "").lower()
    made = [c for c in cx.table.callees.values() if isinstance(c, ConstructorInfo)]
    tests = [f"is{c.name}" for c in made if f"is{c.name}".lower() == wanted]
    return tests[0] if len(tests) == 1 else None


_OLD = frozenset({"pre", "old", "old_", "previous", "prev", "before", "at_start", "initial"})
_PARTS_OF_MAPS = {
    "keys": "domain", "dom": "domain", "Keys": "domain", "keySet": "domain", "keyset": "domain",
    "values": "range", "Values": "range", "rng": "range", "ran": "range", "image": "range",
}  # fmt: skip
"""What stands for functions of maps that other languages have."""

_CHOICES = {
    "abs": "{0} >= 0 ? {0} : -{0}",
    "min": "{0} < {1} ? {0} : {1}",
    "max": "{0} > {1} ? {0} : {1}",
}
"""What stands for functions that other languages have."""

_ACCESS = {
    "rd": ", wildcard",
    "read": ", wildcard",
    "readable": ", wildcard",
    "Acc": "",
    "access": "",
    "own": "",
    "owns": "",
    "writable": "",
}
"""What other languages call `acc(x.f)`, with the amount."""

_LITERALS = {
    "set": "Set",
    "seq": "Seq",
    "list": "Seq",
    "List": "Seq",
    "multiset": "Multiset",
}


def member_word(span: Span) -> str:
    """What kind of member stands around a place."""
    before = span.file.text[: span.start]
    words = re.findall(rf"^\s*(?:@.*\s)?{_MEMBER}\b|\}}\s*{_MEMBER}\b", before, flags=re.M)
    return (words[-1][0] or words[-1][1]) if words else "method"


_MEMBER = "(method|function|predicate|domain)"


def _as_function(e: tree.Call, method: MethodInfo, cx: Context) -> str:
    """The method as a function, which formulas may apply."""
    name, declared = re.escape(method.name), cx.table.names.get(method.name)
    text = "" if declared is None else declared.span.file.text[declared.span.start :]
    head = re.match(rf"{name}\s*(\([^()]*\))\s*returns\s*\(\s*(\w+)\s*:([^(),]*)\)", text)
    made = "a `function`"
    if head is not None:
        assigned = rf"\s*\{{\s*{head[2]}\s*:=([^{{}};\n]*?)\s*\}}"
        body = re.match(assigned, text[head.end() :])
        value = "..." if body is None or len(body[1]) > _SHOWN else body[1].strip()
        made = f"`function {method.name}{head[1]}: {head[3].strip()} {{ {value} }}`"
    word = member_word(e.span)
    what = {"domain": "an axiom", "method": "a contract"}.get(word, f"a {word}")
    return (
        f"{what} cannot call a method, which may change something: declare {made} in place of the "
        f"method{f', or say here what `{method.name}` ensures' if what == 'a contract' else ''}"
    )


def _of_its_own(e: tree.Call, method: MethodInfo, cx: Context) -> str:
    in_formula = cx.rules.perm_ban is not None or cx.rules.result is not None
    if in_formula or cx.rules.in_axiom or member_word(e.span) != "method":
        return _as_function(e, method, cx)
    if len(method.returns) != 1:
        return f"call the method in a statement of its own; it has {len(method.returns)} results"
    earlier = _calls_in_front(e.span, cx)
    name = f"value{earlier + 1}" if earlier else "value"
    plain = len(e.span.text) <= _SHOWN and not any(isinstance(arg, tree.Call) for arg in e.args)
    call = e.span.text if plain else f"{method.name}(...)"
    given = f"var {name}: {method.returns[0]} := {call}"
    return f"call the method in a statement of its own, `{given}`, and use `{name}`"


def _calls_in_front(span: Span, cx: Context) -> int:
    """How many calls of methods end in front of a place, in its line and statement."""
    text = span.file.text
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    statement = re.split(r":=|[{};]", line)[-1]
    found = 0
    for call in re.finditer(r"([A-Za-z_$][\w$]*)\s*\(", statement):
        behind = statement[call.end() :]
        ended = behind.count(")") > behind.count("(")
        found += ended and isinstance(cx.table.callees.get(call[1]), MethodInfo)
    return found


_SHOWN = 40
"""Characters of a call that are repeated in advice."""


@record
class Called:
    """How something unknown stands as a statement: its arguments, and what takes its results."""

    arguments: int
    results: tuple[pt.Type, ...]


def unknown_callee(
    name: tree.Identifier,
    wanted: str,
    cx: Context,
    called: Called | None = None,
    known: str | None = None,
) -> None:
    """`called` is given where it stands as a statement.

    `known` is what to write instead, where the arguments told that.
    """
    if known is not None:
        help_text: str | None = known
    elif cx.scope.find(name.name) is not None:
        help_text = f"`{name.name}` is a variable, which cannot be called"
    elif name.name in cx.table.fields:
        help_text = f"`{name.name}` is a field: write `{only_object(cx)}.{name.name}`"
    else:
        help_text = _about_unknown(name.name, wanted, called, cx)
    message = f"undeclared call `{name.name}`, expected {wanted}"
    if name.name in foreign.STATEMENTS and called is not None:
        message = f"there is no `{name.name}`"
    cx.error(name.span, message, help=help_text)


def only_object(cx: Context) -> str:
    """The variable in scope that has fields, if it is one; else any name."""
    objects = [name for name in cx.scope.visible if _local_type(name, cx) is pt.REF]
    return objects[0] if len(objects) == 1 else "e"


def _about_unknown(name: str, wanted: str, called: Called | None, cx: Context) -> str:
    near = None if name in foreign.CALLS else cx.suggest(name, cx.table.callees)
    word = foreign.CALLS.get(name) or foreign.OPERATORS.get(name) or foreign.STATEMENTS.get(name)
    found = near or word
    if wanted == "predicate":
        return found or f"declare it: `predicate {name}(x: Ref) {{ ... }}`"
    if called is None and found is None and name[:1].isupper():
        constructors = [n for n in cx.table.callees if n[:1].isupper()]
        if constructors:
            known = ", ".join([f"`{each}`" for each in constructors[:4]])
            return f"no constructor has this name: those of the file are {known}"
    if called is None:
        return found or f"declare it: `function {name}(x: Int): Int`"
    count, results = called.arguments, called.results
    names = ["x"] if count == 1 else [f"x{at + 1}" for at in range(count)]
    params = ", ".join([f"{param}: Int" for param in names])
    types = ", with the types of its arguments" if names else ""
    given = [f"r{at + 1 if len(results) > 1 else ''}: {t}" for at, t in enumerate(results)]
    returns = f" returns ({', '.join(given)})" if given and ERROR not in results else ""
    return found or f"declare it: `method {name}({params}){returns}`{types}"


def _predicate(e: tree.Call, callee: PredicateInfo, cx: Context) -> a.Assertion:
    operands = arguments(e, callee.params, cx)
    if cx.rules.measure:
        return x.PredicateInstance(callee.name, operands, span=e.span)
    place = a.PredicateLocation(callee.name, operands, span=e.span)
    return a.Access(place, x.PermLit(x.PermConstant.WRITE, span=e.span), span=e.span)


def predicate_instance(e: tree.PredicateInstance, cx: Context) -> Lowered:
    """`#P(e,*)`."""
    as_call = tree.Call(e.predicate, e.args, span=e.span)
    callee: Callee | None = cx.table.callees.get(e.predicate.name)
    if isinstance(callee, PredicateInfo):
        operands = arguments(as_call, callee.params, cx)
        return x.PredicateInstance(callee.name, operands, span=e.span)
    unknown_callee(e.predicate, "predicate", cx)
    return cx.bad(e.span, x.PREDICATE_INSTANCE)


# ---------------------------------------------------------------- generic functions


def _generic(e: tree.Call, info: Generic, cx: Context) -> Lowered:
    """A domain function or constructor: type arguments follow from arguments or context."""
    if not info.type_params:
        return _application(info, arguments(e, info.params, cx), info.result, (), e.span)
    operands = [cx.lower(arg, cx) for arg in e.args]
    if len(operands) != len(info.params):
        wrong_number(e, info.params, cx)
        return cx.bad(e.span, ERROR)
    known = _known_application(info, operands, e.span)
    return known or _open_application(info, operands, e.span, cx)


def _known_application(info: Generic, operands: list[Lowered], span: Span) -> x.Expr | None:
    """The arguments alone say what the type parameters are."""
    closed = []
    found: dict[str, pt.Type] = {}
    for param, operand in zip(info.params, operands, strict=True):
        if isinstance(operand, NOT_CLOSED) or not _match(param, operand.type, found):
            return None
        closed.append(operand)
    if len(found) < len(info.type_params):
        return None
    type_args = tuple([found[p] for p in info.type_params])
    return _application(info, tuple(closed), pt.instantiate(info.result, found), type_args, span)


def _open_application(
    info: Generic, operands: list[Lowered], span: Span, cx: Context
) -> x.Expr | Open:
    domain = info.domain if isinstance(info, DomainFunctionInfo) else None
    holes: dict[str, pt.Type] = {p: Hole(cx.hole_name(p), domain, p) for p in info.type_params}

    def build(ops: tuple[x.Expr, ...], result: pt.Type) -> x.Expr:
        found: dict[str, pt.Type] = {}
        for pattern, operand in zip(info.params, ops, strict=True):
            _match(pattern, operand.type, found)
        _match(info.result, result, found)
        type_args = tuple([found.get(p) or _phantom(p, domain, span, cx) for p in holes])
        return _application(info, ops, result, type_args, span)

    params = tuple([pt.instantiate(param, holes) for param in info.params])
    signature = Signature(params, pt.instantiate(info.result, holes))
    return combine((signature,), operands, build, span, cx)


def _application(
    info: Generic,
    operands: tuple[x.Expr, ...],
    result: pt.Type,
    type_args: tuple[pt.Type, ...],
    span: Span,
) -> x.Expr:
    if isinstance(info, ConstructorInfo):
        return x.Construct(info.name, operands, result, span=span)
    return x.DomainApp(info.domain, info.name, type_args, operands, result, span=span)


def _phantom(parameter: str, domain: str | None, span: Span, cx: Context) -> pt.Type:
    """A type parameter that the function's own types do not mention."""
    if cx.domain is not None and cx.domain.name == domain:
        return pt.TypeVar(parameter)
    cx.report.warning(span, UNCONSTRAINED)
    return pt.INT


def _match(pattern: pt.Type, t: pt.Type, found: dict[str, pt.Type]) -> bool:
    """Find the type parameters that turn `pattern` into `t`."""
    if isinstance(pattern, pt.TypeVar):
        known = found.setdefault(pattern.name, t)
        return t is not ERROR and (known is t or known == t)
    if not pt.same_head(pattern, t):
        return False
    for inner, given in zip(pt.arguments_of(pattern), pt.arguments_of(t), strict=True):
        if not _match(inner, given, found):
            return False
    return True


# ---------------------------------------------------------------- behind a dot


def field_access(e: tree.FieldAccess, cx: Context) -> Lowered:
    """`e.f`: a field, an argument of an ADT constructor, or a discriminator."""
    name = e.field.name
    t = cx.table.fields.get(name)
    if t is not None:
        base = expect(e.receiver, pt.REF, cx, "receiver")
        if isinstance(base, x.Old) and isinstance(base.operand, x.Var):
            _reads_now(e, base, cx)
        return x.FieldRead(base, name, t, span=e.span)
    if name in cx.table.destructors:
        return _destruct(e, cx)
    constructor = cx.table.constructor_of_test(name)
    if constructor is not None:
        return _discriminate(e, constructor, cx)
    if _is_of_a_type(e, cx):
        inside = "..." if cx.table.callees[name].params else ""
        help_text = f"a constructor is written without its type: write `{name}({inside})`"
        cx.error(e.span, f"there is no `{e.span.text}`", help=help_text)
        return cx.bad(e.span, ERROR)
    receiver = cx.lower(e.receiver, cx)
    if name in foreign.COLLECTION_SIZES and isinstance(_receiver_type(receiver), COLLECTIONS):
        help_text = f"write `|{e.receiver.span.text}|` for the size of a collection"
        cx.error(e.field.span, f"undeclared field `{name}`", help=help_text)
        return cx.bad(e.span, pt.INT)
    known = _of_a_value(e, _receiver_type(receiver), cx)
    if known is not None:
        cx.error(e.field.span, f"undeclared field `{name}`", help=known)
        return cx.bad(e.span, ERROR)
    return cx.bad(e.span, field_type(e.field, cx))


def _is_of_a_type(e: tree.FieldAccess, cx: Context) -> bool:
    """Whether it is `Color.Red`, a constructor behind the name of its ADT."""
    callee = cx.table.callees.get(e.field.name)
    if not isinstance(e.receiver, tree.Name) or not isinstance(callee, ConstructorInfo):
        return False
    return callee.adt == e.receiver.name and cx.scope.find(e.receiver.name) is None


def _reads_now(e: tree.FieldAccess, receiver: x.Old, cx: Context) -> None:
    """`old(x).f` is `x.f`: a variable has the same value in every state."""
    assert isinstance(receiver.operand, x.Var)
    label = "" if receiver.label is None else f"[{receiver.label}]"
    name = receiver.operand.name
    cx.report.warning(
        e.span,
        f"`{e.span.text}` is `{name}.{e.field.name}` as it is now: `old` is about fields, and "
        f"`{name}` is a variable",
        help=f"for the earlier value of the field write `old{label}({name}.{e.field.name})`",
    )


_OF_MAPS = {"keys": "domain", "values": "range", "domain": "domain", "range": "range"}
_PLACES = {"first": "0", "head": "0", "last": "|{0}| - 1"}


def _of_a_value(e: tree.FieldAccess, t: pt.Type, cx: Context) -> str | None:
    """What stands for `s.first` of a sequence, and what a value of an ADT has."""
    name, text = e.field.name, e.receiver.span.text
    if isinstance(t, pt.MapType) and name.lower() in _OF_MAPS:
        return f"write `{_OF_MAPS[name.lower()]}({text})`"
    if isinstance(t, pt.SeqType) and name in _PLACES:
        return f"write `{text}[{_PLACES[name].format(text)}]`"
    if isinstance(t, pt.AdtType):
        has = [each for each, types in cx.table.destructors.items() if t.name in types]
        test = _similar_test(name, cx) or _similar_test(f"is{name}", cx)
        if test is not None:
            return f"which constructor made it is asked by `{text}.{test}`"
        near = cx.suggest(name, has)
        named = ", ".join(f"`{text}.{each}`" for each in has)
        return near or (f"a value of type {t} has {named}" if has else None)
    return None


def field_type(name: tree.Identifier, cx: Context) -> pt.Type:
    """The type of a field; a name that is none is reported."""
    t = cx.table.fields.get(name.name)
    if t is None:
        near = cx.suggest(name.name, cx.table.fields, cx.table.destructors)
        declared = f"field {name.name}: {_type_of_field(name)}"
        help_text = near or f"declare it at the top of the file: `{declared}`"
        cx.error(name.span, f"undeclared field `{name.name}`", help=help_text)
        return ERROR
    return t


def _type_of_field(name: tree.Identifier) -> str:
    """The type that an unknown field has to have, by what stands around its uses; else `Int`."""
    text = name.span.file.text
    uses = re.finditer(rf"\.\s*{re.escape(name.name)}\b", text)
    found = [type_ for use in uses if (type_ := _type_around(text, use)) is not None]
    return found[0] if found else "Int"


def _type_around(text: str, use: re.Match[str]) -> str | None:
    """What one use of a field says of its type."""
    behind = text[use.end() :].partition("\n")[0]
    line = text[text.rfind("\n", 0, use.start()) + 1 : use.start()]
    declared = re.search(r"\bvar\s+[\w$]+\s*:\s*([^:={};]*?)\s*:=\s*[\w$.]*$", line)
    if re.match(r"\s*(\.\s*[A-Za-z_]|(==|!=|:=)\s*(null|new)\b)", behind):
        return "Ref"
    if declared is not None and re.match(r"\s*($|[;}])", behind):
        return declared[1]
    return "Bool" if re.match(r"\s*(==|!=|:=)\s*(true|false)\b", behind) else None


def _destruct(e: tree.FieldAccess, cx: Context) -> Lowered:
    name = e.field.name
    receiver = cx.lower(e.receiver, cx)
    t = _receiver_type(receiver)
    if t is ERROR:
        return cx.bad(e.span, ERROR)
    if not isinstance(t, pt.AdtType):
        cx.error(
            e.span,
            f"found incompatible receiver type `{t}` when destructing adt field `{name}`, "
            "expected an adt",
        )
        return cx.bad(e.span, ERROR)
    declared = cx.table.destructors[name].get(t.name)
    if declared is None:
        cx.error(e.span, f"undefined adt field `{name}` when destructing, in adt `{t.name}`")
        return cx.bad(e.span, ERROR)
    parameters = cx.table.types[t.name].parameters
    result = pt.instantiate(declared, dict(zip(parameters, t.args, strict=True)))
    return combine(
        (Signature((t,), result),),
        (receiver,),
        lambda ops, final: x.Destruct(ops[0], name, final, span=e.span),
        e.span,
        cx,
    )


def _receiver_type(receiver: Lowered) -> pt.Type:
    if isinstance(receiver, Open):
        first = receiver.alternatives[0]
        return apply(first.type, first.holes)
    return pt.BOOL if isinstance(receiver, NOT_CLOSED) else receiver.type


def _discriminate(e: tree.FieldAccess, info: ConstructorInfo, cx: Context) -> Lowered:
    holes: dict[str, pt.Type] = {p: Hole(cx.hole_name(p)) for p in info.type_params}
    return combine(
        (Signature((pt.instantiate(info.result, holes),), pt.BOOL),),
        (cx.lower(e.receiver, cx),),
        lambda ops, _: x.Discriminate(ops[0], info.name, span=e.span),
        e.span,
        cx,
    )
