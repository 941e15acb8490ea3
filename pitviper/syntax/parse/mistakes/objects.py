"""Methods of objects and of collections, and cases of values, as other languages have them."""

from __future__ import annotations

import re
from typing import NamedTuple

from pitviper.syntax import foreign
from pitviper.syntax.parse.complaints import parameter_type
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.token import NAME


class MethodOfObject(NamedTuple):
    """`name` is the token of the method in `x.m(e)`."""

    name: int
    help: str
    of_collection: bool
    is_case: bool = False
    """Whether the name is a constructor of an ADT, its test or one of its arguments."""


def method_of_object(look: Look, at: int) -> MethodOfObject | None:
    """`x.m(e)`, in the line of the place."""
    first = look.first_of_line(at)
    for dot in range(first + 1, at + 1):
        name, opened = dot + 1, dot + 2
        if look.kind(dot) != "." or look.kind(opened) != "(" or not look.is_word(name):
            continue
        if not look.stuck(opened) or not look.is_word(dot - 1):
            continue
        closing = look.partner(opened)
        args = "" if closing is None else look.between(opened + 1, closing)
        told = None if look.is_declared(look.text(name)) else _of_collection(look, name, args)
        if told is not None:
            return MethodOfObject(name, told, of_collection=True)
        if look.kind(name) != NAME:
            continue
        if not args and look.is_field(look.text(name)):
            told = f"a field is read without parentheses: write `{look.between(dot - 1, opened)}`"
            return MethodOfObject(name, told, of_collection=False)
        if look.is_domain(look.text(dot - 1)) and look.is_declared(look.text(name)):
            told = f"a function of a domain is applied by its name: `{look.text(name)}({args})`"
            return MethodOfObject(name, told, of_collection=False, is_case=True)
        told = _of_a_case(look, dot, args)
        if told is not None:
            return MethodOfObject(name, told, of_collection=False, is_case=True)
        receiver = _receiver(look, dot)
        given = f"{receiver}, {args}" if args else receiver
        told = f"write `{look.text(name)}({given})`"
        return MethodOfObject(name, told, of_collection=False)
    return None


def _of_a_case(look: Look, dot: int, args: str) -> str | None:
    """`Shape.Circle(3)`, `s.isCircle()` and `s.r()` of a value that a constructor makes."""
    name, whole = look.text(dot + 1), look.between(dot - 1, dot + 2)
    if look.constructor(name) is not None and look.type_of(look.text(dot - 1), dot) is None:
        return f"a constructor is written without its type: write `{name}({args})`"
    if args:
        return None
    is_test = name.startswith("is") and look.constructor(name.removeprefix("is")) is not None
    if is_test or look.is_argument(name):
        return f"write it without parentheses, `{whole}`"
    return None


def _receiver(look: Look, dot: int) -> str:
    """All that stands in front of a dot: `this.next` of `this.next.list()`, `s[i]` of `s[i].f()`.

    The token in front of the dot is a word.
    """
    first = dot - 1
    while look.kind(first - 1) == ".":
        before = first - 2
        while look.kind(before) in ("]", ")"):
            opened = look.opening(before)
            if opened is None:
                return look.between(first, dot)
            before = opened - 1 if look.stuck(opened) else opened
        first = before
    return look.between(first, dot)


def _method_of_object(look: Look, at: int, _: str) -> str | None:
    found = method_of_object(look, at)
    if found is None:
        return None
    if found.is_case:
        return found.help
    none = "collections have no methods" if found.of_collection else "objects have no methods"
    return f"{none} of their own: {found.help}"


def _of_collection(look: Look, name: int, args: str) -> str | None:
    """What to write for a method that collections have in other languages."""
    word, receiver = look.text(name), look.text(name - 2)
    if word in ("union", "intersection", "setminus", "subset"):
        return f"write `{receiver} {word} {args}`"
    if look.kind(name) != NAME:
        return None
    if word in foreign.COLLECTION_SIZES:
        return f"write `|{receiver}|` for the size of a collection"
    if not args and word in _OF_COLLECTIONS:
        return f"write `{_OF_COLLECTIONS[word].format(receiver)}`"
    if word in ("contains", "has", "containsKey", "includes"):
        where = f"domain({receiver})" if word == "containsKey" else receiver
        return f"write `{args or 'x'} in {where}`"
    if word in ("get", "at", "nth", "charAt", "elementAt"):
        return f"write `{receiver}[{args or 'i'}]`"
    if word in ("append", "push", "push_back", "add", "put", "insert"):
        return _added(look, name, receiver, args or "x")
    return None


_OF_COLLECTIONS = {
    "isEmpty": "|{0}| == 0",
    "is_empty": "|{0}| == 0",
    "empty": "|{0}| == 0",
    "keys": "domain({0})",
    "values": "range({0})",
    "first": "{0}[0]",
    "last": "{0}[|{0}| - 1]",
}
"""Methods without arguments that collections have elsewhere."""


def _added(look: Look, name: int, receiver: str, args: str) -> str:
    """A new collection, which takes the place of the old one as far as that can be assigned."""
    given = parameter_type(look.tokens, receiver, name)
    type_ = given or look.type_of(receiver, name)
    key, _, value = args.partition(",")
    ways = {
        "Seq": f"{receiver} ++ Seq({args})",
        "Set": f"{receiver} union Set({args})",
        "Multiset": f"{receiver} union Multiset({args})",
        "Map": f"{receiver}[{key.strip()} := {value.strip() or 'v'}]",
    }
    way = ways.get((type_ or "").partition("[")[0].strip())
    if way is None:
        return (
            f"a collection is a value, which a new one replaces: `{receiver} := {ways['Seq']}` for "
            f"a sequence, `{ways['Set']}` for a set"
        )
    if look.kind(name - 3) not in ("{", "}", ";", "") and not look.begins_line(name - 2):
        return f"write `{way}`"
    if given is None:
        return f"a collection is a value, which a new one replaces: `{receiver} := {way}`"
    return (
        f"a collection is a value, and parameters keep theirs: `var {receiver}2: {given} := {way}`"
    )


def several_cases(look: Look, word: int, *, statement: bool = False) -> str | None:
    """What to write for `switch (x) { case 1: ... }` and `match x { case C(a) => ... }`."""
    brace = look.behind(word, "{")
    subject = "" if brace is None else look.between(word + 1, brace)
    if brace is None or not subject or "\n" in subject:
        return None
    if subject.startswith("(") and subject.endswith(")"):
        subject = subject[1:-1]
    first = brace + 2 if look.text(brace + 1) == "case" else brace + 1
    value = look.text(first)
    if not value.isalnum():
        return None
    constructor = look.constructor(value)
    if constructor is None and look.kind(first) == NAME and value[:1].isupper():
        constructor = ()
    test = f"{subject} == {value}" if constructor is None else f"{subject}.is{value}"
    if statement:
        shape = f"`if ({test}) {{ ... }} elseif (...) {{ ... }} else {{ ... }}`"
        told = f"write {shape}"
    else:
        whole = _chosen(look, brace, subject)
        if whole is not None:
            return f"write `{whole}`"
        told = f"write `{test} ? ... : ...`"
    closing = look.closing(brace)
    for here in range(brace + 1, brace if closing is None else closing):
        parts = look.constructor(look.text(here)) if look.kind(here) == NAME else None
        if parts:
            named = " and ".join([f"`{subject}.{part}`" for part in parts])
            return f"{told}; its {'part is' if len(parts) == 1 else 'parts are'} {named}"
    return told


_ARM = re.compile(
    r"(?:^|[,;|\n]|\bcase\b)\s*(?:case\s+)?(?P<case>[A-Za-z_]\w*|\d+)\s*"
    r"(?:\((?P<names>[\w\s,]*)\))?\s*(?:=>|->|:(?![:=]))"
)
"""What begins the value for one case."""

_LONGEST = 160
"""Characters of a conditional that is written out."""


def _chosen(look: Look, brace: int, subject: str) -> str | None:
    """`l.isNil ? 0 : 1 + len(l.tail)` for `{ Nil => 0 | Cons(h, t) => 1 + len(t) }`."""
    closing = look.closing(brace)
    text = "" if closing is None else look.between(brace + 1, closing)
    arms = list(_ARM.finditer(text))
    ends = [*(arm.start() for arm in arms[1:]), len(text)]
    if len(arms) < 2 or arms[0].start() > 0:
        return None
    written = list[str]()
    for arm, end in zip(arms, ends, strict=True):
        value = text[arm.end() : end].strip(" \n\t,;|").removesuffix("break").strip(" ;")
        parts = look.constructor(arm["case"])
        names = [name.strip() for name in (arm["names"] or "").split(",") if name.strip()]
        if not value or "\n" in value or "{" in value or len(names) > len(parts or ()):
            return None
        for name, part in zip(names, parts or (), strict=False):
            value = re.sub(rf"(?<![\w.]){re.escape(name)}\b", f"{subject}.{part}", value)
        is_case = parts is not None
        test = f"{subject}.is{arm['case']}" if is_case else f"{subject} == {arm['case']}"
        written.append(value if arm is arms[-1] else f"{test} ? {value}")
    if look.constructor(arms[-1]["case"]) is None and arms[-1]["case"] not in _OTHERS:
        return None
    whole = " : ".join(written)
    return whole if len(whole) <= _LONGEST else None


_OTHERS = ("default", "_", "otherwise", "else")

RULES: tuple[Rule, ...] = (
    _method_of_object,
)  # fmt: skip
"""In the order in which they are asked."""
