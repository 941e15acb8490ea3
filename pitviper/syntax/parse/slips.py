"""What people write who come from other languages: shapes of tokens, with what to write instead.

A rule gets the token at which the parser stands and what the parser expected there; it returns
what to write, made of the program's own words where these are short, or None where the shape is
another one. Rules are asked about wrong programs only, so none of them changes what is accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from pitviper.syntax import foreign
from pitviper.syntax.parse.complaints import MEMBER_WORDS, TYPE_WORDS, parameter_type
from pitviper.syntax.parse.look import Look
from pitviper.syntax.token import INT, NAME, STRING, Tokens

_FAR = 60
"""Characters of a condition that are repeated."""

_OPERANDS = (NAME, INT, ")", "]", "true", "false", "null", "result")


def slip(tokens: Tokens, at: int, expected: str) -> str | None:
    """What to write instead, where the shape of the tokens tells what was meant."""
    look = Look(tokens)
    return next((said for rule in _RULES if (said := rule(look, at, expected)) is not None), None)


def is_closed(tokens: Tokens, opened: int) -> bool:
    """Whether the bracket of a token has its partner: what goes wrong inside is something else.

    A partner that belongs to a later statement or member is none.
    """
    kind = tokens.kinds[opened]
    partner = {"(": ")", "[": "]", "{": "}"}.get(kind)
    if partner is None:
        return False
    depth = 0
    for at in range(opened, len(tokens.kinds)):
        here = tokens.kinds[at]
        if kind != "{" and (here in ("{", "}", ":=") or here in _BEGINNINGS) and depth <= 1:
            return here == ":=" and _partner_in_line(tokens, opened, partner)
        depth += (here == kind) - (here == partner)
        if depth == 0:
            return True
    return False


_BEGINNINGS = (
    *MEMBER_WORDS[:5], "requires", "ensures", "invariant", "assert", "assume", "inhale", "exhale",
    "fold", "unfold", "var", "while", "goto", "label",
)  # fmt: skip


def _partner_in_line(tokens: Tokens, opened: int, partner: str) -> bool:
    end = tokens.file.text.find("\n", tokens.starts[opened])
    line = tokens.file.text[tokens.starts[opened] : None if end < 0 else end]
    return line.count(partner) >= line.count(tokens.kinds[opened])


# ---------------------------------------------------------------- types and declarations


def _type_first(look: Look, at: int, expected: str) -> str | None:
    if look.kind(at) not in TYPE_WORDS or expected not in ("a name", "a statement"):
        return None
    end = at + 1
    if look.kind(end) == "[":
        closing = look.behind(end, "]")
        end = end if closing is None else closing + 1
    if look.kind(end) != NAME:
        return None
    binding = f"{look.text(end)}: {look.between(at, end)}"
    if expected == "a name":
        return f"a name stands in front of its type: write `{binding}`"
    value = f" := {look.rest(end + 2)}" if look.kind(end + 1) == ":=" else ""
    return f"a variable is declared with `var`, its name in front: `var {binding}{value}`"


def _unnamed_result(look: Look, at: int, expected: str) -> str | None:
    if expected == "a name" and look.kind(at - 2) == "returns" and look.is_word(at):
        return f"name the result: `returns (res: {look.text(at)})`"
    return None


def _comma_between_parameters(look: Look, at: int, expected: str) -> str | None:
    if expected == "`,` or `)`" and look.kind(at) == NAME and look.kind(at + 1) == ":":
        return f"a comma is missing: write `, {look.text(at)}`"
    return None


def _array(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) == "]" and look.kind(at - 1) == "[":
        at -= 1
    if look.kind(at) != "[" or look.kind(at + 1) != "]" or look.kind(at - 2) != ":":
        return None
    element = foreign.TYPES.get(look.text(at - 1), look.text(at - 1))
    return f"there are no arrays: write `Seq[{element}]` for a sequence"


def _optional(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) == "?" and look.kind(at - 2) == ":" and look.is_word(at - 1):
        return f"there are no optional types: leave `?` out; every `Ref` may be `null`: {_NULL}"
    return None


_NULL = "say `x != null` where it is not"


def _angle_brackets(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) != "<" or look.kind(at - 2) not in (":", "domain", "adt", ",", "["):
        return None
    closing = look.behind(at, ">")
    name = look.text(at - 1)
    if closing is None or not look.is_word(at - 1):
        return None
    if name in foreign.TYPE_HELP:
        return foreign.TYPE_HELP[name]
    return f"types in brackets: write `{name}[{look.between(at + 1, closing)}]`"


def _several_names(look: Look, at: int, expected: str) -> str | None:
    """`var x, y: Int`."""
    var = look.before(at, "var", "(", "forall", "exists", "field")
    if expected != "`:`" or look.kind(at) != "," or var is None:
        return None
    colon = look.behind(at, ":", ")", "}", "::")
    if colon is None or look.kind(colon) != ":":
        return None
    inner = range(var + 1, colon)
    if any(look.kind(i) not in (NAME, ",") for i in inner) or not look.is_word(colon + 1):
        return None
    type_ = look.text(colon + 1)
    each = ", ".join([f"{look.text(i)}: {type_}" for i in inner if look.kind(i) == NAME])
    word = "" if look.kind(var) == "(" else f"{look.text(var)} "
    return f"each of them has a type: write `{word}{each}`"


def _such_that(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) == ":" and look.kind(at + 1) == "|" and look.stuck(at + 1):
        fact = look.rest(at + 2).rstrip("} ")
        return f"declare it, and say in a statement of its own what is known: `assume {fact}`"
    return None


def _comment(look: Look, at: int, _: str) -> str | None:
    first = look.first_of_line(at)
    if look.kind(first) == "-" and look.kind(first + 1) == "-" and look.stuck(first + 1):
        return "a comment begins with `//`"
    if look.kind(first) != "#" or at > first + 2:
        return None
    if look.text(first + 1) == "define":
        return f"write `{look.rest(first + 1)}`, without `#`"
    if look.text(first + 1) == "include":
        return f"write `import {_file(look.rest(first + 2))}`"
    return None if look.kind(first + 2) == "(" else "a comment begins with `//`"


def _body_behind_equals(look: Look, at: int, _: str) -> str | None:
    """`function f(): Int = e`, `define N = 3`, `adt T = ...`, `const N: Int = 3`."""
    first = look.first_of_line(at)
    braces = any(look.kind(i) == "{" for i in range(first, at))
    if look.text(at) not in ("=", ":=") or braces:
        return None
    match look.kind(first):
        case "function" | "predicate":
            return f"the body stands in braces: `{{ {look.rest(at + 1)} }}`"
        case "define" if look.text(at) == ":=":
            return f"statements stand in braces: `define {look.text(first + 1)} {{ ... }}`"
        case "define":
            return f"leave `=` out: `{look.between(first, at)} {look.rest(at + 1)}`"
        case "adt":
            return f"constructors stand in braces: `{look.between(first, at)} {{ C(x: Int) }}`"
        case "field":
            return (
                "a field has no first value: assign it where the object is made, "
                f"`x.{look.text(first + 1)} := {look.rest(at + 1)}`"
            )
    return None


def _constant(look: Look, at: int, expected: str) -> str | None:
    if expected != "a declaration" or look.text(at) not in ("const", "let", "val", "final"):
        return None
    equals = next((i for i in range(at, at + 8) if look.text(i) in ("=", ":=")), None)
    if equals is None or look.kind(at + 1) != NAME:
        return None
    return f"write a macro: `define {look.text(at + 1)} ({look.rest(equals + 1)})`"


def _type_of_predicate(look: Look, at: int, expected: str) -> str | None:
    first = look.first_of_line(at)
    if expected == "a declaration" and look.kind(at) == ":" and look.kind(first) == "predicate":
        return f"a predicate has no type: leave `: {look.text(at + 1)}` out"
    return None


def _returns_of_function(look: Look, at: int, expected: str) -> str | None:
    if expected != "`:`" or look.kind(at) != "returns" or look.kind(at + 3) != ":":
        return None
    closing = look.behind(at, ")")
    if closing is None:
        return None
    return (
        f"a function has a type: write `: {look.between(at + 4, closing)}` for "
        f"`{look.between(at, closing + 1)}`; its contract calls the value `result`"
    )


def _body_in_domain(look: Look, at: int, expected: str) -> str | None:
    if not expected.startswith("`function`, `unique`") or look.kind(at) != "{":
        return None
    function = look.before(at, "function")
    name = "f" if function is None else look.text(function + 1)
    return (
        "a function of a domain has no body: say what it is in an axiom, "
        f"`axiom {{ forall x: Int :: {name}(x) == ... }}`"
    )


def _between_constructors(look: Look, at: int, expected: str) -> str | None:
    if expected == "a constructor or `}`" and look.kind(at) in (",", "|"):
        return f"constructors stand one behind the other: leave `{look.text(at)}` out"
    return None


def _member_inside(look: Look, at: int, expected: str) -> str | None:
    if expected != "a statement or `}`" or look.kind(at) not in MEMBER_WORDS:
        return None
    opened, depth = at, 1
    while depth > 0 and opened > 0:
        opened -= 1
        depth += (look.kind(opened) == "}") - (look.kind(opened) == "{")
    if depth > 0 or not is_closed(look.tokens, opened):
        return None
    return f"a {look.text(at)} is declared outside of methods: move it out"


def _imported(look: Look, at: int, expected: str) -> str | None:
    """`from "lib.vpr" import f`, `include "lib.vpr"`, `import os`."""
    word = look.text(at)
    if expected == "a declaration" and word in ("from", "include", "use", "using", "require"):
        if look.kind(at + 1) not in (STRING, NAME):
            return None
        all_of_it = ": all of the file is imported" if word == "from" else ""
        return f"write `import {_file(look.text(at + 1))}`{all_of_it}"
    if expected != "a string" or look.kind(at - 1) != "import":
        return None
    rest = look.rest(at)
    name = (rest.split() or ["file"])[0]
    if name[0] in "'`" or name.endswith(".vpr"):
        return f"write the name of the file between quotes: `import {_file(name)}`"
    return (
        f"only Viper files are imported, and there is no library `{rest}`: leave the line out, or "
        f"name a file of yours between quotes, `import {_file(name)}`"
    )


def _file(name: str) -> str:
    """A name as an import has it."""
    bare = name.strip("'\"`<>").removesuffix(".vpr")
    return f'"{bare}.vpr"'


def _result_of_method(look: Look, at: int, expected: str) -> str | None:
    """`method m(x: Int): Int` and `method m(x: Int) -> Int`."""
    start = at + 1 if look.kind(at) == ":" else at + 2
    if expected != "a declaration" or look.text(at) not in (":", "-") or look.kind(at - 1) != ")":
        return None
    opened = look.opening(at - 1)
    if opened is None or look.kind(opened - 2) != "method" or not look.is_word(start):
        return None
    return f"a method names its results: `{look.between(opened - 2, at)} {_returns(look, start)}`"


def _returns(look: Look, start: int) -> str:
    """`returns (res: T)` for the type that begins at a token."""
    closing = look.closing(start + 1) if look.kind(start + 1) == "[" else None
    written = look.between(start, (start if closing is None else closing) + 1)
    return f"returns (res: {foreign.TYPES.get(written, written)})"


def _member_of_another_language(look: Look, at: int, expected: str) -> str | None:
    """`def m(x: Int):`, `fn f(x: Int) -> Int`."""
    word = look.text(at)
    if expected != "a declaration" or look.kind(at + 1) != NAME or look.kind(at + 2) != "(":
        return None
    closing = look.closing(at + 2)
    if closing is None or word not in ("def", "fn", "fun", "func", "proc", "procedure", "void"):
        return None
    results = look.closing(closing + 2) if look.kind(closing + 1) == "returns" else None
    closing = closing if results is None else results
    header, behind = look.between(at + 1, closing + 1), closing + 1
    if look.kind(behind) == "-" and look.kind(behind + 1) == ">":
        behind += 1
    typed = look.kind(behind) in (":", ">") and look.is_word(behind + 1)
    if typed and look.line(behind) != look.line(behind + 1):
        typed = False
    result = f" {_returns(look, behind + 1)}" if typed else ""
    told = f"write `method {header}{result} {{ ... }}`, with the body in braces"
    if typed and word in ("fn", "fun", "func"):
        type_ = result.partition(": ")[2].removesuffix(")")
        told += f"; or `function {header}: {type_} {{ ... }}` for a value without effects"
    return told


def _axiom_outside(look: Look, at: int, expected: str) -> str | None:
    domain = look.before(at, "domain")
    if expected != "a declaration" or look.kind(at) != "axiom" or domain is None:
        return None
    line = look.tokens.file.text.count("\n", 0, look.tokens.starts[domain]) + 1
    return f"move it into the braces of `domain {look.text(domain + 1)}` in line {line}"


def _string(look: Look, at: int, expected: str) -> str | None:
    """A text as a value."""
    if expected != "an expression" or look.kind(at) != STRING:
        return None
    text = look.text(at)[1:-1]
    for sign, other in ((at + 1, at + 2), (at - 1, at - 2)):
        type_ = look.type_of(look.text(other), at) if look.kind(other) == NAME else None
        if look.kind(sign) in ("==", "!=", ":=") and type_ in ("Int", "Bool"):
            value = "a number" if type_ == "Int" else "`true` or `false`"
            return f"there are no strings: `{look.text(other)}` is of type {type_}, write {value}"
    codes = ", ".join([str(ord(letter)) for letter in text[:6]])
    codes += ", ..." if len(text) > 6 else ""
    value = f"Seq({codes})" if text else "Seq[Int]()"
    joined = ", joined by `++`" if "+" in (look.kind(at - 1), look.kind(at + 1)) else ""
    name = text if text.isidentifier() and text.islower() else "hello"
    return (
        f"there are no strings: write the codes of the letters, `{value}`{joined}; or declare a "
        f"constant for each text, `domain Text {{ unique function {name}(): Text }}`, and write "
        f"`{name}()`"
    )


# ---------------------------------------------------------------- expressions


class MethodOfObject(NamedTuple):
    """`name` is the token of the method in `x.m(e)`."""

    name: int
    help: str
    of_collection: bool


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
        told = _of_collection(look, name, args)
        if told is not None:
            return MethodOfObject(name, told, of_collection=True)
        if look.kind(name) != NAME:
            continue
        given = f"{look.text(dot - 1)}, {args}" if args else look.text(dot - 1)
        told = f"write `{look.text(name)}({given})`"
        return MethodOfObject(name, told, of_collection=False)
    return None


def _method_of_object(look: Look, at: int, _: str) -> str | None:
    found = method_of_object(look, at)
    if found is None:
        return None
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
        told = f"write `{test} ? ... : ...`"
    closing = look.closing(brace)
    for here in range(brace + 1, brace if closing is None else closing):
        parts = look.constructor(look.text(here)) if look.kind(here) == NAME else None
        if parts:
            named = " and ".join([f"`{subject}.{part}`" for part in parts])
            return f"{told}; {named} {'is' if len(parts) == 1 else 'are'} what it is made of"
    return told


def _arrow(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) != ">" or look.kind(at - 1) != "-" or not look.stuck(at):
        return None
    opened = look.before(at, "Map", ";", "{", "}")
    if opened is not None and look.kind(opened) == "Map":
        return f"an entry is written `{look.text(at - 2)} := {look.text(at + 1)}`"
    if look.stuck(at - 1) and look.stuck(at + 1) and look.kind(at - 2) == NAME:
        return f"write `{look.text(at - 2)}.{look.text(at + 1)}`, with a dot"
    return None


def _points_to(look: Look, at: int, _: str) -> str | None:
    if [look.text(i) for i in range(at, at + 3)] != ["|", "-", ">"] or not look.stuck(at + 2):
        return None
    place = look.between(at - 3, at) if look.kind(at - 2) == "." else look.text(at - 1)
    value = look.text(at + 3)
    fact = "" if value in ("_", "") else f" && {place} == {value}"
    return f"write `acc({place}){fact}`"


def _wand_sign(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) == "*" and look.kind(at - 1) == "-" and look.stuck(at):
        return "write `--*` for a magic wand"
    return None


def _two_stars(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) != "*" or look.kind(at - 1) != "*" or not look.stuck(at):
        return None
    first = look.first_of_line(at)
    if "acc" in [look.kind(i) for i in range(first, at + 2)]:
        return "write `&&` between permissions: each side has its own"
    base = look.text(at - 2)
    return f"there is no power: write `{base} * {base}`, or declare a recursive function"


def _pointer(look: Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) == "*":
        name = look.text(at + 1) or "x"
        return f"there are no pointers: an object holds its values in fields, `{name}.f := ...`"
    return None


def _backslash(look: Look, at: int, _: str) -> str | None:
    signs = (look.text(at - 1), look.text(at))
    if look.stuck(at) and signs in (("/", "\\"), ("\\", "/")):
        return f"write `{'&&' if signs[0] == '/' else '||'}`"
    if look.kind(at) != "\\" or not look.stuck(at + 1) or not look.is_word(at + 1):
        return None
    if look.text(at + 1) != "result":
        return f"write `{look.text(at + 1)}`, without `\\`"
    returns = look.before(at, "returns", "function")
    if returns is not None and look.kind(returns) == "returns":
        return f"a method names its results: write `{look.text(returns + 2)}`"
    return "write `result`, without `\\`"


def _cast(look: Look, at: int, expected: str) -> str | None:
    around = (look.kind(at - 1), look.kind(at + 1))
    if expected == "an expression" and look.kind(at) in TYPE_WORDS and around == ("(", ")"):
        return f"there are no casts: leave `({look.text(at)})` out"
    return None


def _slice(look: Look, at: int, expected: str) -> str | None:
    opened, closing = look.before(at, "["), look.behind(at, "]")
    if expected != "`]`" or look.kind(at) != ":" or opened is None or closing is None:
        return None
    low, base = look.between(opened + 1, at), look.text(opened - 1)
    high = look.between(at + 1, closing) if closing > at + 1 else ""
    return f"a part of a sequence is written `{base}[{low}..{high}]`"


def _conditional(look: Look, at: int, _: str) -> str | None:
    """`a if c else b`."""
    word = at if look.kind(at) == "if" else at - 1
    if look.kind(word) != "if" or look.kind(word - 1) not in _OPERANDS or look.begins_line(word):
        return None
    if look.kind(at + 1) == "else" and look.kind(at) in _OPERANDS:
        parts = look.text(at), look.text(word - 1), look.text(at + 2)
        return "write `{} ? {} : {}`".format(*parts)
    return "write `condition ? e1 : e2`"


def _decimal(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) != INT or look.kind(at - 1) != "." or look.kind(at - 2) != INT:
        return None
    if not look.stuck(at) or not look.stuck(at - 1):
        return None
    value = Fraction(f"{look.text(at - 2)}.{look.text(at)}")
    fraction = f"{value.numerator}/{value.denominator}"
    return f"there are no decimal numbers, but fractions: write `{fraction}`"


def _in_acc(look: Look, at: int, expected: str) -> str | None:
    """`acc(x.f && y.f)`."""
    opened = look.before(at, "(")
    if expected != "`)`" or look.kind(at) != "&&" or opened is None:
        return None
    if look.kind(opened - 1) != "acc":
        return None
    closing = look.behind(at, ")")
    left = look.between(opened + 1, at)
    right = "y.f" if closing is None else look.between(at + 1, closing)
    return f"each has its own `acc`: write `acc({left}) && acc({right})`"


def _not_in(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) != "in" or look.text(at - 1) not in ("!", "not"):
        return None
    return f"write `!({look.text(at - 2)} in {look.text(at + 1)})`"


def _cons(look: Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) == "::":
        return f"write `Seq({look.text(at - 1)}) ++ {look.text(at + 1)}`"
    return None


def _array_of_new(look: Look, at: int, expected: str) -> str | None:
    if expected == "`(`" and look.kind(at - 1) == "new" and look.kind(at + 1) == "[":
        return f"there are no arrays: `Seq(0, 0)` is a sequence, of type `Seq[{look.text(at)}]`"
    return None


def _values_of_new(look: Look, at: int, expected: str) -> str | None:
    opened = look.before(at, "(")
    if expected != "`,` or `)`" or look.text(at) not in (":=", "=", ":") or opened is None:
        return None
    closing = look.closing(opened)
    if look.kind(opened - 1) != "new" or closing is None:
        return None
    signs = [i for i in range(opened, closing) if look.text(i) in (":=", "=", ":")]
    fields = [look.text(i - 1) for i in signs]
    ends = [*(i - 2 for i in signs[1:]), closing]
    values = [look.between(i + 1, end) for i, end in zip(signs, ends, strict=True)]
    target = opened - 3
    if look.kind(target - 1) == ":":
        target -= 2
    name = look.text(target) if look.kind(opened - 2) == ":=" else "x"
    assigned = [f"`{name}.{f} := {value}`" for f, value in zip(fields, values, strict=True)]
    return f"`new` only names fields: write `new({', '.join(fields)})`, then {', '.join(assigned)}"


def _statement_in_expression(look: Look, at: int, expected: str) -> str | None:
    if expected != "an expression":
        return None
    match look.kind(at):
        case "unfold":
            return "in an expression write `unfolding P(x) in ...`"
        case "fold":
            return "a `fold` is a statement of its own: put it in front"
        case "var" | "assert" | "assume" | "while" if look.kind(at - 1) == "{":
            return (
                "a body of a function or predicate has no statements, it is one expression: name "
                "a part of it by `let y == (e) in ...`"
            )
    return None


def _value_of_function(look: Look, at: int, expected: str) -> str | None:
    """`return e`, `result := e` and `match` as the body of a function."""
    if expected != "`}`":
        return None
    if look.text(at - 1) == "return":
        return "the body of a function is its value: leave `return` out"
    if look.kind(at) == ":=":
        return f"the body of a function is its value: leave `{look.text(at - 1)} :=` out"
    if look.text(at - 1) in ("match", "case", "switch"):
        return f"test the constructors: `{look.text(at)}.isC ? ... : ...`"
    if look.kind(at) == ";":
        return "no `;` stands behind the body: leave it out"
    return None


def _two_conditions(look: Look, at: int, expected: str) -> str | None:
    """`forall i: Int | c :: e` and `forall i in s :: e`."""
    binder = look.before(at, "forall", "exists")
    if binder is None:
        return None
    kind, joined = look.text(binder), "==>" if look.kind(binder) == "forall" else "&&"
    if expected == "`::`" and look.text(at) in ("such", "holds", "we"):
        return f"write `{kind} {look.between(binder + 1, at)} :: ...`"
    if expected == "`::`" and look.kind(at) == "in" and look.kind(binder + 1) == NAME:
        bound, name = look.between(binder + 1, at), look.text(binder + 1)
        return f"write `{kind} {bound} :: {name} in {look.text(at + 1)} {joined} ...`"
    if expected == "`::`" and look.text(at) in ("|", "where", "with", "in", ";"):
        bound = look.between(binder + 1, at)
        return f"a condition goes into the body: `{kind} {bound} :: c {joined} e`"
    if expected == "`:`" and look.kind(at) == "in":
        name, where = look.text(at - 1), look.text(at + 1)
        return f"write `{kind} {name}: Int :: {name} in {where} {joined} ...`"
    if expected == "`:`" and look.kind(at - 2) == ",":
        bound, body = look.between(binder + 1, at - 2), look.rest(at - 1).rstrip("} ")
        return f"`::` stands in front of the body: `{kind} {bound} :: {body}`"
    if expected == "a name" and look.kind(at) == "(" and binder == at - 1:
        closing = look.behind(at, ")")
        bound = "x: Int" if closing is None else look.between(at + 1, closing)
        return f"no parentheses: write `{kind} {bound} :: ...`"
    return None


# ---------------------------------------------------------------- statements


def _message(look: Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) in (",", ":") and look.kind(at + 1) == STRING:
        return f"leave `{look.text(at)} {look.text(at + 1)}` out: an `assert` has no message"
    return None


def _block(look: Look, at: int, expected: str) -> str | None:
    if expected == "`{`" and look.kind(at) == ":" and look.kind(at + 1) == "{":
        return "leave the `:` out"
    if expected == "`{`" and look.kind(at) == ":" and look.kind(at - 2) == "axiom":
        return f"the axiom stands in braces: `axiom {look.text(at - 1)} {{ ... }}`"
    if expected == "`{`" and look.kind(at) == ";":
        return "leave the `;` out: the body belongs to what stands in front"
    if look.kind(at) != ":" or not (expected == "`{`" or look.ends_line(at)):
        return None
    if expected in ("`{`", "a declaration", "a statement") and not _is_label(look, at):
        return "a block stands in braces: write `{` here, and `}` where it ends"
    return None


def _is_label(look: Look, at: int) -> bool:
    return look.kind(at - 1) == NAME and look.kind(at - 2) in ("{", "}", ";", "")


def _label(look: Look, at: int, expected: str) -> str | None:
    if expected != "a statement" or look.kind(at) != ":" or look.kind(at - 1) != NAME:
        return None
    alone = _is_label(look, at) or look.begins_line(at - 1)
    return f"write `label {look.text(at - 1)}`" if alone else None


def _bare_condition(look: Look, at: int, expected: str) -> str | None:
    """`while i < 3 { ... }`, in the words of the program."""
    word = look.kind(at - 1)
    if expected != "`(`" or word not in ("if", "elseif", "while"):
        return None
    end = look.behind(at, "{", "invariant", ":", ";")
    text = "" if end is None else look.between(at, end).removesuffix(" then")
    if not text or "\n" in text or len(text) > _FAR:
        return None
    return f"a condition stands in parentheses: `{word} ({text})`"


def _of_loop(look: Look, at: int, expected: str) -> str | None:
    if expected != "`{`" or look.before(at, "while") is None:
        return None
    word = look.text(at)
    if word == "ensures":
        return (
            "a loop has no `ensures`: write an `invariant`, which has to hold before the first "
            "iteration as well; behind the loop it holds still, and the condition does not"
        )
    if word in ("requires", "maintaining", "maintains", "preserves", "inv"):
        return f"a loop has invariants: write `invariant` for `{word}`"
    return f"write `invariant` for `{word}`" if "invariant" in word.lower() else None


def _in_a_clause(look: Look, at: int, expected: str) -> str | None:
    """`requires a, b`, `requires x := 3` and `requires write(x.f)`."""
    if expected not in ("a declaration", "`{`"):
        return None
    clause = look.before(at, "requires", "ensures", "invariant", *MEMBER_WORDS)
    if clause is None or look.kind(clause) in MEMBER_WORDS:
        return None
    word = look.text(clause)
    if look.kind(at) == ",":
        return f"join conditions by `&&`, or write another `{word}`"
    if look.kind(at) == ":=":
        return "write `==` to compare"
    closing = look.behind(at, ")")
    if look.kind(at) == "(" and look.kind(at - 1) in ("write", "wildcard") and closing is not None:
        amount = ", wildcard" if look.kind(at - 1) == "wildcard" else ""
        return f"write `acc({look.between(at + 1, closing)}{amount})`"
    return None


def _compared_alone(look: Look, at: int, expected: str) -> str | None:
    """`x == 3` as a statement."""
    if expected != "a statement" or look.kind(at) != "==" or look.kind(at - 1) != NAME:
        return None
    if look.kind(at - 2) not in ("{", "}", ";") and not look.begins_line(at - 1):
        return None
    return f"write `{look.text(at - 1)} := {look.text(at + 1)}` to assign, or `assert` in front"


def _of_a_range(look: Look, at: int, expected: str) -> str | None:
    """`range(0, 5)` and `0..5`."""
    if expected == "`)`" and look.kind(at) == "," and look.kind(at - 3) == "range":
        return f"write `[{look.text(at - 1)}..{look.text(at + 1)})` for the numbers in between"
    if expected == "a statement" and look.kind(at) == "..":
        return f"write `[{look.text(at - 1)}..{look.text(at + 1)})` for the numbers in between"
    return None


def _several_values(look: Look, at: int, expected: str) -> str | None:
    if expected != "a statement" or look.kind(at) != ",":
        return None
    assigned = look.before(at, ":=", "{", "}", ";")
    if assigned is None or look.kind(assigned) != ":=":
        return None
    return "write one assignment each; several targets take the results of one call: `a, b := m()`"


def _assigned_in_assertion(look: Look, at: int, expected: str) -> str | None:
    first = look.first_of_line(at)
    words = ("inhale", "assume", "assert", "exhale")
    found = [i for i in range(first, at) if look.kind(i) in words]
    if expected != "a statement" or look.kind(at) != ":=" or not found:
        return None
    word = look.text(found[-1])
    return f"`{word}` takes a condition: write `==` to compare, or leave `{word}` out to assign"


def _superfluous(look: Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) in (")", "]"):
        return f"no bracket is open that it closes: leave `{look.text(at)}` out"
    if expected == "a declaration" and look.kind(at) == ";":
        return "leave the `;` out"
    if expected == "a field name" and look.kind(at) == "*":
        return "name the fields one by one, as in `acc(x.f) && acc(x.g)`"
    if look.kind(at) in (")", "]", "}") and look.kind(at - 1) == ",":
        return "leave the comma in front of it out"
    if expected == "a field name":
        return "write the name of a field behind the dot, as in `x.f`"
    return None


_Rule = Callable[[Look, int, str], str | None]

_RULES: tuple[_Rule, ...] = (
    _comment, _type_first, _unnamed_result, _comma_between_parameters, _array, _optional,
    _angle_brackets,
    _several_names, _such_that, _body_behind_equals, _constant, _type_of_predicate,
    _returns_of_function, _body_in_domain, _between_constructors, _member_inside, _imported,
    _result_of_method,
    _member_of_another_language, _axiom_outside, _string,
    _method_of_object, _arrow, _points_to, _wand_sign, _two_stars, _pointer, _backslash, _cast,
    _slice, _conditional, _decimal, _in_acc, _not_in, _cons,
    _values_of_new, _array_of_new, _in_a_clause, _compared_alone, _of_a_range,
    _statement_in_expression, _value_of_function, _two_conditions, _message, _label,
    _block, _bare_condition, _of_loop, _several_values, _assigned_in_assertion, _superfluous,
)  # fmt: skip
