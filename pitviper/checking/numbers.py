"""What is said of a value that is no number where one has to stand, and what it may have meant."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.checking.scope import ConstructorInfo, DomainFunctionInfo, Globals
from pitviper.checking.types import ASSERTION_TYPES, ERROR
from pitviper.program.types import (
    INT,
    PERM,
    REF,
    AdtType,
    DomainType,
    MapType,
    MultisetType,
    SeqType,
    SetType,
    Type,
)

ORDERS = ("<", "<=", ">", ">=")
NUMERIC = ("+", "-", "*", "/", "\\", "%", *ORDERS)
"""Operators whose operands are numbers."""

_SIZES = {SeqType: "length", SetType: "size", MultisetType: "size", MapType: "size"}
_MOST = 3
"""Places that are named."""


def needs_numbers(operator: str, found: Type, text: str) -> str | None:
    """`x` is a `Ref`: `+` needs numbers; None where the value is a number, or no value at all."""
    if operator not in NUMERIC or found in (INT, PERM, ERROR) or found in ASSERTION_TYPES:
        return None
    what = "this" if text == "..." else f"`{text}`"
    return f"{what} is {_a(found)} `{found}`: `{operator}` needs numbers"


def number_of(text: str, found: Type, wanted: Type, table: Globals) -> str | None:
    """Where the number may be that was meant: in a field, in an argument, as a size."""
    if text == "null":
        return None
    if type(found) in _SIZES and wanted is INT:
        return f"for its {_SIZES[type(found)]} write `|{text}|`"
    places = [f"`{place}`" for place in _places(text, found, wanted, table)][:_MOST]
    return f"for a number of it write {' or '.join(places)}" if places else None


def compared(operator: str, left: tuple[str, Type], right: tuple[str, Type], table: Globals) -> str:
    """About two objects in an order: their fields may be meant."""
    whole = ""
    if left[1] is REF and right[1] is REF:
        fields = [name for name, type_ in table.fields.items() if type_ is INT][:_MOST]
        pairs = [f"`{left[0]}.{name} {operator} {right[0]}.{name}`" for name in fields]
        whole = f"compare numbers of theirs, {' or '.join(pairs)}, or " if pairs else ""
    if {left[1], right[1]} == {REF, INT}:
        text = left[0] if left[1] is REF else right[0]
        found = number_of(text, REF, INT, table)
        whole = f"{found}, or " if found else ""
        return f"objects have no order: {whole}compare it with `null`, `{text} != null`"
    return f"objects have no order: {whole}compare them by `==` or `!=`"


def never_null(text: str, found: Type, operator: str, table: Globals) -> str | None:
    """About a value of a collection or an ADT that is compared with `null`."""
    no = operator == "=="
    if type(found) in _SIZES:
        sign = "==" if no else ">"
        return f"only a `Ref` can be `null`: is `{text}` empty? `|{text}| {sign} 0`"
    if not isinstance(found, AdtType):
        return None
    made = [c for c in table.callees.values() if isinstance(c, ConstructorInfo)]
    ends = [c.name for c in made if c.adt == found.name and not c.params]
    if len(ends) != 1:
        return None
    test = f"{'' if no else '!'}{text}.is{ends[0]}"
    return f"only a `Ref` can be `null`: ask for the constructor, `{test}`"


def unlike(operator: str, left: tuple[str, Type], right: tuple[str, Type], table: Globals) -> str:
    """About values of two types that are compared: what one of them may have of the other type."""
    types = f"`{left[0]}` is {_a(left[1])} `{left[1]}`, `{right[0]}` {_a(right[1])} `{right[1]}`"
    for (text, found), (other, wanted) in ((left, right), (right, left)):
        places = list(_places(text, found, wanted, table))[:_MOST]
        if type(found) in _SIZES and wanted is INT:
            places = [f"|{text}|"]
        is_left = text == left[0]
        whole = [
            f"`{place} {operator} {other}`" if is_left else f"`{other} {operator} {place}`"
            for place in places
        ]
        if whole:
            return f"{types}: is something of `{text}` meant? {' or '.join(whole)}"
    for (text, found), (other, wanted) in ((left, right), (right, left)):
        if found is REF and other in ("true", "false"):
            told = f"`{text} {operator} null`"
            return f"an object is neither true nor false: compare it with `null`, {told}"
        if found is REF and wanted is not REF and text.isidentifier():
            what = f"declare what objects hold, `field val: {wanted}`"
            return f"{types}: {what}, and write `{text}.val`, or give `{text}` the other type"
    return f"{types}: only values of one type are compared, so one of them is another one"


def _places(text: str, found: Type, wanted: Type, table: Globals) -> Iterator[str]:
    """Fields, arguments of constructors and functions with the wanted type."""
    if found is REF:
        yield from [f"{text}.{name}" for name, type_ in table.fields.items() if type_ == wanted]
    if isinstance(found, AdtType):
        for name, types in table.destructors.items():
            if types.get(found.name) == wanted:
                yield f"{text}.{name}"
    if isinstance(found, DomainType):
        for name, callee in table.callees.items():
            match callee:
                case DomainFunctionInfo(params=(param,), result=result):
                    if param == found and result == wanted:
                        yield f"{name}({text})"
                case _:
                    pass


def _a(found: Type) -> str:
    return "an" if str(found)[0] in "AEIO" else "a"


def as_truth(text: str, found: Type) -> str | None:
    """A condition that a value may have meant."""
    if type(found) in _SIZES:
        return f"`{text}` is {_a(found)} `{found}`, no condition: is it not empty? `|{text}| > 0`"
    return None


def as_elements(text: str, found: Type, expected: Type) -> str | None:
    """A collection that a value may have meant, where that is its size or one of its elements."""
    kind = str(expected).partition("[")[0]
    whole = text[1:-1].strip() if text.startswith("|") and text.endswith("|") else ""
    if found is INT and whole and "|" not in whole:
        return f"`{text}` is a number, the size of `{whole}`: write `{whole}` for all of it"
    base, bracket, index = text.partition("[")
    is_one = bracket and index.endswith("]") and ".." not in index and base.isidentifier()
    match expected:
        case SeqType(element) if element == found and is_one:
            rest = f"; without its first one, `{base}` is `{base}[1..]`" if index == "0]" else ""
            return f"`{text}` is one element: a sequence of it is `Seq({text})`{rest}"
        case SeqType(element) | SetType(element) | MultisetType(element) if element == found:
            return f"`{text}` may be an element: a {kind} with nothing else is `{kind}({text})`"
        case _:
            return None


def about_elements(operator: str, left: tuple[str, Type], right: tuple[str, Type]) -> str | None:
    """About a collection that is compared with one of its elements, or asked for in it."""
    for (whole, kind), (text, found) in ((left, right), (right, left)):
        match kind:
            case SeqType(element) | SetType(element) | MultisetType(element) if element == found:
                pass
            case _:
                continue
        if operator == "in":
            return f"the collection stands after `in`: write `{text} in {whole}`"
        no = "!" if operator == "!=" else ""
        inside = f"`{no}({text} in {whole})`" if no else f"`{text} in {whole}`"
        place = f", or one element, `{whole}[i] {operator} {text}`" * isinstance(kind, SeqType)
        return f"`{text}` may be an element of `{whole}`: ask whether it is, {inside}{place}"
    return None


def about_index(text: str, found: Type, whole: str, element: Type) -> str | None:
    """About `s[x]`, where `x` is an element already."""
    if found != element or found is INT:
        return None
    return (
        f"an index is an Int, and `{text}` may be an element itself: write `{text}` for "
        f"`{whole}[{text}]`, or declare it as an Int with `0 <= {text} && {text} < |{whole}|`"
    )
