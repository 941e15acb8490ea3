"""Type inference: an expression is lowered at once, or stays open until its context decides.

`1/2`, `Seq()` and applications of generic functions may have several types. Such an expression is
an `Open`: its alternatives in order of preference, each of which can be built once its holes are
known. Everything else is a finished node of the typed program, so inference costs nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.checking.amounts import about_amount
from pitviper.checking.context import Context
from pitviper.checking.denied import about_negation
from pitviper.checking.numbers import (
    NUMERIC,
    ORDERS,
    about_elements,
    as_elements,
    as_truth,
    compared,
    needs_numbers,
    never_null,
    number_of,
    unlike,
)
from pitviper.checking.report import Misfit
from pitviper.checking.scope import Local, PredicateInfo
from pitviper.checking.types import (
    ASSERTION_TYPES,
    ERROR,
    IMPURE,
    NOTHING,
    PREDICATE,
    WAND,
    Hole,
    Substitution,
    apply,
    has_holes,
    merge,
    unify,
)
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.types import (
    BOOL,
    INT,
    PERM,
    REF,
    MapType,
    MultisetType,
    SeqType,
    SetType,
    Type,
    TypeVar,
    rebuild,
)
from pitviper.source.span import Span
from pitviper.syntax import tree

UNCONSTRAINED = "unconstrained type parameter, substituting default type Int"


class Grounding:
    """The final types of holes: what was inferred, else Int or the domain's own parameter."""

    __slots__ = ("_cx", "_holes", "_span")

    def __init__(self, holes: Substitution, span: Span, cx: Context) -> None:
        self._holes = holes
        self._span = span
        self._cx = cx
        if cx.let_holes:
            for name in cx.let_holes.keys() & holes.keys():
                cx.let_holes[name].append(apply(holes[name], holes))

    def type(self, t: Type) -> Type:
        """`t` without holes."""
        if isinstance(t, Hole):
            found = self._holes.get(t.name)
            return self._default(t) if found is None else self.type(found)
        return rebuild(t, self.type)

    def _default(self, hole: Hole) -> Type:
        domain = self._cx.domain
        if domain is not None and hole.domain == domain.name:
            return TypeVar(hole.parameter)
        if hole.name in self._cx.let_holes:
            return ERROR
        self._cx.report.warning(self._span, UNCONSTRAINED)
        return INT


@record
class Alternative:
    """One possible type, under an assumption about holes."""

    type: Type
    holes: Substitution
    build: Callable[[Grounding], x.Expr]


@record
class Open:
    """An expression whose type the context has to choose."""

    alternatives: tuple[Alternative, ...]
    span: Span


Lowered: TypeAlias = a.Assertion | Open

IMPURE_NODES = (
    a.Access, a.Wand, a.Star, a.Guarded, a.Choice, a.QuantifiedPermission, a.Binding,
    a.InhaleExhale,
)  # fmt: skip
"""For `isinstance`: everything else that is lowered is pure or open."""

NOT_CLOSED = (Open, *IMPURE_NODES)
"""For `isinstance`: everything else is a pure expression of a known type."""


def type_of(e: a.Assertion) -> Type:
    if not isinstance(e, IMPURE_NODES):
        return e.type
    if isinstance(e, a.Wand):
        return WAND
    if isinstance(e, a.Access) and isinstance(e.location, a.PredicateLocation):
        return PREDICATE
    return IMPURE


def mismatch(found: Type, expected: Type) -> str:
    """The words for a type where another one belongs; what has none is said in words."""
    if found in _WORDS:
        return f"found {_WORDS[found]}, expected {_WORDS.get(expected, f'a value of `{expected}`')}"
    return f"found incompatible type `{found}`, expected {_WORDS.get(expected, f'`{expected}`')}"


def misfit(span: Span, found: Type, expected: Type, cx: Context, help_: str | None = None) -> None:
    """An error about a type where another one belongs."""
    cx.report.misfits.append(Misfit(span, found, expected))
    cx.error(span, mismatch(found, expected), help=help_)


_WORDS: dict[Type, str] = {
    IMPURE: "an assertion about permissions",
    PREDICATE: "a predicate",
    WAND: "a magic wand",
}
"""What no program writes as a type."""


# ---------------------------------------------------------------- choosing


def settle(e: Open, expected: Type | None, cx: Context) -> x.Expr | None:
    """The first alternative that has the expected type."""
    for alternative in e.alternatives:
        holes: Substitution | None = alternative.holes
        if expected is not None:
            holes = unify(alternative.type, expected, alternative.holes)
        if holes is not None:
            return alternative.build(Grounding(holes, e.span, cx))
    return None


def closed(e: Lowered, cx: Context) -> a.Assertion:
    """The preferred alternative, where nothing is expected."""
    if not isinstance(e, Open):
        return e
    first = e.alternatives[0]
    return first.build(Grounding(first.holes, e.span, cx))


def of_type(
    e: Lowered, expected: Type, cx: Context, place: str = "", told: str | None = None
) -> x.Expr:
    """`e` as a pure expression of the expected type, or an error at `e`.

    `place` says what `e` is part of, to choose the advice: see `_PLACES`; `told` is better advice
    for a permission, or an index.
    """
    if isinstance(e, Open):
        chosen = settle(e, expected, cx)
        if chosen is not None:
            return chosen
    elif not isinstance(e, IMPURE_NODES):
        t = e.type
        if t is expected or t is ERROR or expected is ERROR or t == expected:
            return e
    found = preferred_type(e)
    help_ = _advice(e, found, expected, place)
    if place == "receiver" and isinstance(e, x.Var) and (local := cx.scope.find(e.name)):
        help_ = _about_receiver(e.name, local)
    if found in ASSERTION_TYPES or told is not None:
        help_ = told or (_about_predicate(e, cx) if expected is BOOL else None) or help_
    help_ = help_ or _about_object(e, found, expected, cx) or _about_number(e, found, expected, cx)
    misfit(e.span, found, expected, cx, help_)
    return cx.bad(e.span, expected)


def _about_number(e: Lowered, found: Type, expected: Type, cx: Context) -> str | None:
    """About a value of another type where a number has to stand that it may have."""
    if expected is not INT or len(e.span.text) > _QUOTED:
        return None
    return number_of(e.span.text, found, INT, cx.table)


def _about_object(e: Lowered, found: Type, expected: Type, cx: Context) -> str | None:
    """About an object where a value has to stand that one of its fields may have."""
    if found is not REF or not isinstance(e, x.Var | x.FieldRead) or len(e.span.text) > _QUOTED:
        return None
    holding = [name for name, type_ in cx.table.fields.items() if type_ == expected]
    if not holding or e.span.text == "null":
        return None
    places = " or ".join([f"`{e.span.text}.{name}`" for name in holding[:3]])
    return f"`{e.span.text}` is an object: for a value that it holds write {places}"


def _about_predicate(e: Lowered, cx: Context) -> str | None:
    """About a predicate as a condition whose body asks for no permission: it is meant as one."""
    if not isinstance(e, a.Access) or not isinstance(e.location, a.PredicateLocation):
        return None
    name = e.location.predicate
    declared = cx.table.names.get(name)
    if declared is None:
        return None
    text = declared.span.file.text[declared.span.start :]
    found = re.match(rf"{re.escape(name)}\s*\(([^()]*)\)\s*\{{([^{{}}]*)\}}", text)
    called = set() if found is None else set(re.findall(r"([A-Za-z_$][\w$]*)\s*\(", found[2]))
    predicates = {n for n, c in cx.table.callees.items() if isinstance(c, PredicateInfo)}
    if found is None or called & (predicates | {"acc"}):
        return None
    head = f"function {name}({' '.join(found[1].split())}): Bool"
    return (
        f"a predicate is held, and is not true or false: `{name}` asks for no permission, so "
        f"declare it as a function, `{head} {{ ... }}` with the same body"
    )


_PERMISSION = (
    "permissions can be asserted, but are no Boolean values; in a body, `perm(x.f) > none` says "
    "whether some is held"
)
_PLACES = {
    "guard": "`==>` binds less than `&&`: put parentheses around the implication, "
    "`... && (c ==> ...)`",
    "premise": "a permission cannot be a premise: write `acc(...) && ...` if it is always there, "
    "else let a Boolean say when it is, `b ==> acc(...)`",
    "alternative": "`||` stands between Booleans: write `c ==> acc(...)`, or "
    "`c ? acc(...) : acc(...)`",
    "function postcondition": "a function gives all permissions back by itself: leave them out "
    "of its postcondition",
    "condition": "a condition is a Boolean: keep one that says whether there is permission, or "
    "write `perm(x.f) > none`",
}
"""Advice about a permission where a Boolean has to stand."""


def _advice(e: Lowered, found: Type, expected: Type, place: str = "") -> str | None:
    text = e.span.text if len(e.span.text) <= _QUOTED else "e"
    match expected:
        case _ if found is ERROR or expected is ERROR:
            return None
        case _ if place == "amount" and not isinstance(e, Open):
            return about_amount(e, found, text)
        case _ if place == "negation" and found in ASSERTION_TYPES:
            return about_negation(e.span, _held_text(e))
        case _ if found in ASSERTION_TYPES and expected is BOOL:
            if place == "premise" and isinstance(e, a.Star):
                place = "guard"
            return _PLACES.get(place, _PERMISSION).replace("x.f", _held_text(e))
        case _ if expected is PERM and found is INT:
            return _int_as_perm(text)
        case _ if expected is BOOL:
            return _no_condition(e, found, text, place)
        case _ if expected is INT and found is BOOL and text in ("true", "false"):
            return f"a Bool is not a number: write `{int(text == 'true')}`"
        case _ if found is BOOL and place == "amount":
            return _fact_as_amount(e, text)
        case _ if expected in (INT, PERM) and found is BOOL:
            return f"a Bool is not a number: write `({text} ? 1 : 0)`"
        case _ if expected is INT and found is PERM:
            return "a Perm is not an Int: `Perm` is the type of fractions and of permissions"
        case _ if expected is REF:
            return _no_object(found, text, place)
        case _ if found is REF and text == "null":
            value = "a number" if expected is INT else f"a value of type {expected}"
            return f"only a `Ref` can be `null`: write {value}, or declare it with the type `Ref`"
        case _ if type(expected) in _KINDS:
            return _no_collection(found, expected, text)
        case _ if found in ASSERTION_TYPES:
            return "a permission is not a value: `perm(x.f)` is the amount that is held"
        case _:
            return None


def _no_condition(e: Lowered, found: Type, text: str, place: str) -> str | None:
    """About something else where a Boolean has to stand."""
    if place == "negation" and found in (INT, REF) and not isinstance(e, x.FieldRead):
        kind, least = ("an Int", "0") if found is INT else ("an object", "null")
        return f"{kind} is not a condition: write `{text} == {least}` for `!{text}`"
    if place == "negation" and found is REF:
        return f"an object is not a condition: write `{text} == null` for `!{text}`"
    if isinstance(e, x.FieldRead):
        return f"`acc({text})` says that there is permission to the field"
    if text in ("0", "1"):
        return f"an Int is not a Bool: write `{'true' if text == '1' else 'false'}`"
    if isinstance(e, x.MultisetCount):
        return f"`{text}` is how often it is in there: compare it, as in `({text}) > 0`"
    if isinstance(e, x.Conditional):
        return _chosen(e)
    if found is INT:
        return f"an Int is not a condition: compare it, as in `{_operand_text(e)} != 0`"
    if found is REF:
        return f"an object is not a condition: compare it, as in `{text} != null`"
    return as_truth(text, found)


def _chosen(e: x.Conditional) -> str | None:
    """`n == 0 ? 1 : 0` where a Boolean has to stand: that is the condition itself."""
    condition = e.condition.span.text if len(e.condition.span.text) <= _QUOTED else "..."
    match e.then, e.otherwise:
        case x.IntLit(1), x.IntLit(0):
            meant = condition
        case x.IntLit(0), x.IntLit(1):
            meant = f"!({condition})"
        case _:
            return f"both values after the `?` have to be Bool, and `{e.then.span.text}` is none"
    return f"1 and 0 are no Bool: the condition is one itself, write `{meant}`"


def _no_collection(found: Type, expected: Type, text: str) -> str | None:
    """About something else where a collection has to stand."""
    if found is REF and text == "null":
        return f"only a `Ref` can be `null`: {_KINDS[type(expected)]} may be empty, `|s| == 0`"
    if isinstance(expected, SeqType) and found is BOOL and text.startswith("["):
        return "a sequence is written `Seq(1, 2)`; `[A, B]` is a pair of assertions"
    if isinstance(found, SetType | MultisetType) and found.element == _elements(expected):
        return _converted(found, expected, text)
    if has_holes(expected) and isinstance(found, SetType | MultisetType):
        element = found.element
        return (
            f"only sequences and maps have places: speak of the elements of `{text}`, as in "
            f"`forall e: {element} :: e in {text} ==> ...`"
        )
    if found in ASSERTION_TYPES:
        return "a permission is not a value: `perm(x.f)` is the amount that is held"
    if found is INT and isinstance(expected, SetType | MultisetType) and text.count("\\") == 1:
        left, right = [side.strip() for side in text.split("\\")]
        return f"write `{left} setminus {right}`"
    kind = str(expected).partition("[")[0]
    literal = re.fullmatch(r"(?:Seq|Set|Multiset)\(([^()]*)\)", text)
    if type(found) in _KINDS and type(found) is not type(expected) and literal and kind != "Map":
        return (
            f"{_KINDS[type(found)]} is not {_KINDS[type(expected)]}: write `{kind}({literal[1]})`"
        )
    if type(found) in _KINDS and type(found) is not type(expected):
        return (
            f"{_KINDS[type(found)]} is not {_KINDS[type(expected)]}: compare elements, which "
            "`x in s` finds in each of them"
        )
    return as_elements(text, found, expected)


def _elements(expected: Type) -> Type | None:
    """The sequence whose elements a set or multiset would have."""
    return SeqType(expected.element) if isinstance(expected, SetType | MultisetType) else None


def _converted(found: SetType | MultisetType, expected: Type, text: str) -> str:
    """About `Multiset(s)` of a sequence `s`, which is a multiset with one element."""
    kind = str(expected).partition("[")[0]
    inner = text.partition("(")[2].removesuffix(")") or "s"
    name = f"to{kind}"
    body = f"|s| == 0 ? {expected}() : {kind}(s[0]) union {name}(s[1..])"
    declared = f"function {name}(s: {found.element}): {expected} decreases |s| {{ {body} }}"
    return (
        f"`{text}` has one element, `{inner}` itself: nothing makes a {kind} of a sequence, so "
        f"declare `{declared}`, and write `{name}({inner})`"
    )


def _about_receiver(name: str, local: Local) -> str:
    """About a variable that is no object, in front of a dot."""
    if isinstance(local.type, SeqType):
        return f"a sequence has no fields, an element may have: write `{name}[i]` for one"
    line = local.span.start_position[0]
    return f"only a `Ref` has fields: declare `{name}: Ref` in line {line}"


def _no_object(found: Type, text: str, place: str) -> str | None:
    """About something else where an object has to stand."""
    if place == "receiver":
        return f"only objects have fields: declare `{text}` with the type `Ref`"
    if text == "0":
        return "an Int is not an object: write `null` for none"
    if found is INT:
        return "an Int is not an object: `null` is the only constant of type `Ref`"
    return None


def _held_text(e: Lowered) -> str:
    """The location of a permission, to ask about in its place."""
    text = e.location.span.text if isinstance(e, a.Access) else "x.f"
    return text if len(text) <= _QUOTED else "x.f"


def _int_as_perm(text: str) -> str:
    """About an Int where a fraction has to stand."""
    constants = {"0": "none", "1": "write"}
    if text in constants:
        return f"an Int is not a permission: write `{constants[text]}`"
    if text.isdigit():
        return "an Int is not a permission: `write` is all of it, `1/2` is a half"
    amount = f"{text}/1" if text.isalnum() else f"({text})/1"
    return f"an Int is not a permission: write `{amount}`"


def _fact_as_amount(e: Lowered, text: str) -> str:
    """About `acc(x.f, x.f > 0)`."""
    before = e.span.file.text[: e.span.start]
    first = re.search(r"\bacc\s*\(\s*([^(),\n]+?)\s*,\s*$", before)
    place = "x.f" if first is None else first[1]
    return (
        "after the comma stands an amount, and what is known stands beside it: write "
        f"`acc({place}) && {text}`"
    )


_QUOTED = 30
"""Characters of an expression that are repeated in advice."""


def preferred_type(e: Lowered) -> Type:
    if isinstance(e, Open):
        first = e.alternatives[0]
        return apply(first.type, first.holes)
    return type_of(e)


def as_assertion(e: Lowered, cx: Context) -> a.Assertion:
    """`e` as a formula that may hold permissions."""
    return e if isinstance(e, IMPURE_NODES) else of_type(e, BOOL, cx)


def expect(e: tree.Expr, expected: Type, cx: Context, place: str = "") -> x.Expr:
    """Lower `e` where a pure expression of a known type has to stand."""
    return of_type(cx.lower(e, cx), expected, cx, place)


def formula(e: tree.Expr, cx: Context) -> a.Assertion:
    """Lower `e` where an assertion has to stand."""
    return as_assertion(cx.lower(e, cx), cx)


def around(e: x.Expr | Open, wrap: Callable[[x.Expr], x.Expr], span: Span) -> x.Expr | Open:
    """Put a node around an expression without changing its type."""
    if not isinstance(e, Open):
        return wrap(e)
    return Open(tuple([_around(alternative, wrap) for alternative in e.alternatives]), span)


def _around(inner: Alternative, wrap: Callable[[x.Expr], x.Expr]) -> Alternative:
    return Alternative(inner.type, inner.holes, lambda grounding: wrap(inner.build(grounding)))


# ---------------------------------------------------------------- combining


@record
class Signature:
    """`operator` chooses the advice about an operand that does not fit."""

    params: tuple[Type, ...]
    result: Type
    operator: str = ""


Build: TypeAlias = Callable[[tuple[x.Expr, ...], Type], x.Expr]
"""Makes a node of finished operands and the final result type."""


@record
class _Chosen:
    """The choice for an operand, behind those for the operands before: literals may have many."""

    before: _Chosen | None
    choice: Alternative


@record
class _Partial:
    """A signature whose first operands have been matched."""

    signature: Signature
    holes: Substitution
    chosen: _Chosen | None

    def choices(self) -> list[Alternative]:
        found, at = list[Alternative](), self.chosen
        while at is not None:
            found.append(at.choice)
            at = at.before
        return found[::-1]


def combine(
    signatures: Sequence[Signature],
    operands: Sequence[Lowered],
    build: Build,
    span: Span,
    cx: Context,
) -> x.Expr | Open:
    """All ways to apply an overloaded operator, in the order of its signatures."""
    partials = [_Partial(signature, NOTHING, None) for signature in signatures]
    has_error = False
    for index, operand in enumerate(operands):
        choices = _alternatives(operand, [p.signature.params[index] for p in partials], cx)
        has_error = has_error or choices[0].type is ERROR
        matched = _matches(partials, index, choices)
        if not matched:
            _report(partials[0], index, operands, cx)
            return cx.bad(span, _common_result(signatures))
        partials = matched
    if has_error:
        return cx.bad(span, _common_result(signatures))
    return _opened([_finished(p, build) for p in partials], span, cx)


def _matches(
    partials: list[_Partial], index: int, choices: tuple[Alternative, ...]
) -> list[_Partial]:
    matched = []
    for partial in partials:
        for choice in choices:
            holes = merge(partial.holes, choice.holes)
            if holes is not None:
                holes = unify(choice.type, partial.signature.params[index], holes)
            if holes is not None:
                matched.append(_Partial(partial.signature, holes, _Chosen(partial.chosen, choice)))
    return matched


def _alternatives(e: Lowered, slots: list[Type], cx: Context) -> tuple[Alternative, ...]:
    if isinstance(e, Open):
        return e.alternatives
    if not isinstance(e, IMPURE_NODES):
        return (constant(e),)
    if all(isinstance(slot, Hole) for slot in slots):
        # NOTE(impure-argument): Viper's type rules let an impure assertion stand where any type
        # may stand; its consistency checks reject it.
        cx.inconsistent(e.span, "argument is not pure")
        return (constant(x.BoolLit(value=True, span=e.span)),)
    return (constant(cx.bad(e.span, type_of(e))),)


def constant(e: x.Expr) -> Alternative:
    return Alternative(e.type, NOTHING, lambda _: e)


def _finished(partial: _Partial, build: Build) -> Alternative:
    chosen, result = partial.choices(), partial.signature.result

    def finish(grounding: Grounding) -> x.Expr:
        operands = tuple([choice.build(grounding) for choice in chosen])
        return build(operands, grounding.type(result))

    return Alternative(apply(result, partial.holes), partial.holes, finish)


def _opened(found: list[Alternative], span: Span, cx: Context) -> x.Expr | Open:
    """Drop alternatives that the context cannot tell apart; build at once if one is left."""
    distinct: dict[Type, Alternative] = {}
    for alternative in found:
        distinct.setdefault(alternative.type, alternative)
    rest = tuple(distinct.values())
    first = rest[0]
    if len(rest) == 1 and not has_holes(first.type):
        return first.build(Grounding(first.holes, span, cx))
    return Open(rest, span)


def _common_result(signatures: Sequence[Signature]) -> Type:
    results = {signature.result for signature in signatures}
    only = results.pop()
    return ERROR if results or has_holes(only) else only


def _report(partial: _Partial, index: int, operands: Sequence[Lowered], cx: Context) -> None:
    operand = operands[index]
    found = preferred_type(operand)
    expected = apply(partial.signature.params[index], partial.holes)
    operator = partial.signature.operator
    help_ = _about_operand(operator, index, operands, cx) or _about_null(operator, operands, cx)
    if help_ is None and len(operands) == 2:
        help_ = _about_meaning(operator, operands[0], operands[1])
    if help_ is None and len(operands) == 2:
        help_ = _about_collections(operator, operands[0], operands[1])
    help_ = help_ or _advice(operand, found, expected)
    help_ = help_ or _about_object(operand, found, expected, cx)
    counted = _counted(operator, operands)
    if counted is not None:
        name = counted.text.strip("+ \t")
        help_ = f"write `{name} := {name} + 1`"
        cx.error(counted, f"there is no `{counted.text}`", help=help_)
        return
    others = [preferred_type(other) for other in operands if other is not operand]
    if expected is PERM and PERM not in (found, *others):
        expected = INT  # the first signature is that of amounts, which nobody means here
    help_ = help_ or _about_number(operand, found, expected, cx)
    help_ = help_ or _about_types(operator, operands, cx)
    told = needs_numbers(operator, found, _operand_text(operand))
    if told is None:
        misfit(operand.span, found, expected, cx, help_)
        return
    cx.report.misfits.append(Misfit(operand.span, found, expected))
    cx.error(operand.span, told, help=help_)


def _about_null(operator: str, operands: Sequence[Lowered], cx: Context) -> str | None:
    """About `s == null` of a sequence."""
    if operator not in ("==", "!=") or operands[1].span.text != "null":
        return None
    return never_null(operands[0].span.text, preferred_type(operands[0]), operator, cx.table)


def _about_types(operator: str, operands: Sequence[Lowered], cx: Context) -> str | None:
    """About values of two types that are compared, where nothing better is known."""
    types = [preferred_type(each) for each in operands]
    if operator not in ("==", "!=") or any(t is ERROR or t in ASSERTION_TYPES for t in types):
        return None
    texts = [_operand_text(each) for each in operands]
    if "..." in texts or any(has_holes(t) for t in types):
        return None
    return unlike(operator, (texts[0], types[0]), (texts[1], types[1]), cx.table)


def _counted(operator: str, operands: Sequence[Lowered]) -> Span | None:
    """`++i` in a line of its own, which reads as an operator between two lines; and `i++`."""
    if operator != "++" or len(operands) != 2:
        return None
    left, right = operands
    if preferred_type(left) is not INT or preferred_type(right) is not INT:
        return None
    file, start, end = left.span.file, left.span.end, right.span.start
    between = file.text[start:end]
    if right.span.file is not file or "\n" not in between:
        return None
    if between.endswith("++") and right.span.text.isidentifier():
        return Span(file, end - 2, right.span.end)
    if between.startswith("++") and left.span.text.isidentifier():
        return Span(file, left.span.start, start + 2)
    return None


_ON_COLLECTIONS = {
    ("+", SeqType): "write `{0} ++ {1}` to append sequences",
    ("+", SetType): "write `{0} union {1}`",
    ("+", MultisetType): "write `{0} union {1}`",
    ("-", SetType): "write `{0} setminus {1}`",
    ("-", MultisetType): "write `{0} setminus {1}`",
    ("\\", SetType): "write `{0} setminus {1}`",
    ("\\", MultisetType): "write `{0} setminus {1}`",
    ("*", SetType): "write `{0} intersection {1}`",
    ("*", MultisetType): "write `{0} intersection {1}`",
    ("++", SetType): "`++` appends sequences: write `{0} union {1}`",
    ("++", MultisetType): "`++` appends sequences: write `{0} union {1}`",
    ("union", SeqType): "`union` is for sets: write `{0} ++ {1}` to append sequences",
    ("<=", SetType): "write `{0} subset {1}`",
    ("<", SetType): "write `{0} subset {1} && {0} != {1}`",
    (">=", SetType): "write `{1} subset {0}`",
    (">", SetType): "write `{1} subset {0} && {0} != {1}`",
    ("<=", MultisetType): "write `{0} subset {1}`",
    ("<", MultisetType): "write `{0} subset {1} && {0} != {1}`",
    (">=", MultisetType): "write `{1} subset {0}`",
    (">", MultisetType): "write `{1} subset {0} && {0} != {1}`",
}
"""Where both operands are of the kind; `{0}` and `{1}` are what was written."""

_ELEMENT = {
    ("+", SeqType): "write `{0} ++ Seq({1})` to append an element",
    ("++", SeqType): "write `{0} ++ Seq({1})` to append an element",
    ("+", SetType): "write `{0} union Set({1})` to add an element",
    ("union", SetType): "write `{0} union Set({1})` to add an element",
    ("+", MultisetType): "write `{0} union Multiset({1})` to add an element",
    ("union", MultisetType): "write `{0} union Multiset({1})` to add an element",
    ("-", SetType): "write `{0} setminus Set({1})` to take an element out",
    ("setminus", SetType): "write `{0} setminus Set({1})` to take an element out",
    ("-", SeqType): "without its first element `{0}` is `{0}[1..]`, without the one at `i` "
    "`{0}[..i] ++ {0}[i + 1..]`",
}
"""Where the right operand has the type of the elements."""

_KINDS = {SeqType: "a sequence", SetType: "a set", MultisetType: "a multiset", MapType: "a map"}


def _about_collections(operator: str, left: Lowered, right: Lowered) -> str | None:
    """About an operator that is not one of its operands, of which one is a collection."""
    types = preferred_type(left), preferred_type(right)
    kinds = type(types[0]), type(types[1])
    texts = [_operand_text(left), _operand_text(right)]
    if operator in ("+", "++") and isinstance(types[0], SeqType) and texts[1].startswith("["):
        return f"write `{texts[0]} ++ Seq({texts[1][1:-1]})` to append a sequence"
    if not operator or ERROR in types:
        return None
    if operator in ("==", "!=", "in"):
        return about_elements(operator, (texts[0], types[0]), (texts[1], types[1]))
    if kinds[0] is MapType and operator in ("+", "++", "union"):
        entry = re.fullmatch(r"\(?Map\(([^(),]+:=[^(),]+)\)\)?", texts[1])
        written = f"{texts[0]}[{entry[1]}]" if entry is not None else f"{texts[0]}[k := v]"
        return f"maps are not joined, an entry is added by an update: `{written}`"
    if kinds[0] is kinds[1]:
        key = "union" if operator == "intersection" and kinds[0] is not SeqType else operator
        found = _ON_COLLECTIONS.get((key, kinds[0]))
        return None if found is None else found.format(*texts)
    names = [_KINDS.get(kind) for kind in kinds]
    if names[0] is not None and names[1] is not None:
        return (
            f"`{texts[0]}` is {names[0]} and `{texts[1]}` {names[1]}: they are different, and "
            f"`{operator}` does not join them"
        )
    match types[0]:
        case SeqType(element) | SetType(element) | MultisetType(element) if element == types[1]:
            found = _ELEMENT.get((operator, kinds[0]))
            if found is None:
                return None
            size = f", or `|{texts[0]}|` for its size" if types[1] is INT else ""
            is_number = operator in NUMERIC
            return f"{found.format(*texts)}{size if is_number else ''}"
        case _:
            return None


def _about_meaning(operator: str, left: Lowered, right: Lowered) -> str | None:
    """About `acc(x.f) * acc(y.f)`, `acc(x.f)/2` and `1/2 * acc(x.f)`; and `++i`."""
    if operator in ORDERS and preferred_type(left) is BOOL and preferred_type(right) is BOOL:
        numbers = [f"({_operand_text(e)} ? 1 : 0)" for e in (left, right)]
        return f"`{operator}` compares numbers: write `{numbers[0]} {operator} {numbers[1]}`"
    if operator == "++" and preferred_type(left) is INT and preferred_type(right) is INT:
        between = left.span.file.text[left.span.end : right.span.start]
        name = (right if "\n" in between else left).span.text
        counted = f"to count up, write `{name} := {name} + 1`; " if name.isidentifier() else ""
        return f"`++` appends sequences: {counted}to add numbers, write `+`"
    impure = [e for e in (left, right) if preferred_type(e) in ASSERTION_TYPES]
    if len(impure) == 2:
        return "write `&&` between permissions: each side has its own"
    if len(impure) == 1 and operator in ORDERS:
        return _ordered(impure[0], operator, left, right)
    if len(impure) == 1 and operator in ("*", "/"):
        other = left if impure[0] is right else right
        amount = f"1/{other.span.text}" if operator == "/" else other.span.text
        behind = re.match(r" */ *\d+", other.span.file.text[other.span.end :])
        if other is right and behind is not None:
            amount += behind[0].replace(" ", "")
        return f"the amount stands inside: write `acc({_held_text(impure[0])}, {amount})`"
    return None


def _ordered(access: Lowered, operator: str, left: Lowered, right: Lowered) -> str | None:
    """About `acc(x.f) > 0`."""
    place, other = _held_text(access), (right if access is left else left).span.text
    if len(other) > _QUOTED or not isinstance(access, a.Access):
        return None
    sides = (place, other) if access is left else (other, place)
    amount = "wildcard" if other in ("0", "none") else other
    if "/" in other or other in ("none", "write"):
        return (
            f"a permission is not a value: ask for it by `acc({place}, {amount})`; in a body, "
            f"`perm({place})` is the amount that is held"
        )
    return (
        f"a permission is not a value: for that of the field write `{access.span.text} && "
        f"{sides[0]} {operator} {sides[1]}`, for a part of the permission `acc({place}, {amount})`"
    )


def _operand_text(e: Lowered) -> str:
    """What was written; an operator in it would need parentheses."""
    text = e.span.text
    if len(text) > _QUOTED or "\n" in text:
        return "..."
    whole = re.fullmatch(r"[\w$']*(\([^()]*\)|\[[^\[\]]*\])?(\.[\w$']+)*", text)
    return text if whole else f"({text})"


def _about_operand(
    operator: str, index: int, operands: Sequence[Lowered], cx: Context
) -> str | None:
    operand = operands[index]
    found, text = preferred_type(operand), operand.span.text
    if operator == "| |" and found is INT:
        absolute = f"({text} >= 0 ? {text} : -{text})"
        return f"`|...|` is the size of a collection; the absolute value is `{absolute}`"
    if operator in ORDERS and found is REF:
        left, right = [(each.span.text, preferred_type(each)) for each in operands]
        return compared(operator, left, right, cx.table)
    if operator in NUMERIC and found is REF:
        return number_of(text, found, INT, cx.table) or "no field of type Int is declared"
    if operator == "| |" and found is REF:
        return "`|...|` is the size of a collection: an object has none"
    return None
