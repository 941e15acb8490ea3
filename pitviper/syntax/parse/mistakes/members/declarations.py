"""Declarations and types as other languages have them, with what to write instead."""

from __future__ import annotations

import re

from pitviper.syntax import foreign
from pitviper.syntax.parse.complaints import MEMBER_WORDS, STATEMENT_WORDS, TYPE_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule, is_closed
from pitviper.syntax.token import END, NAME, STRING


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
        return f"a name stands before its type: write `{binding}`"
    value = f" := {look.rest(end + 2)}" if look.kind(end + 1) == ":=" else ""
    return f"a variable is declared with `var`, its name first: `var {binding}{value}`"


def _foreign_variable(look: Look, at: int, expected: str) -> str | None:
    """`int x = 0;`, which goes wrong at the sign."""
    name, type_ = look.text(at - 1), look.text(at - 2)
    if look.text(at) not in (":=", "=") or look.kind(at - 1) != NAME or look.kind(at - 2) != NAME:
        return None
    starts = look.begins_line(at - 2) or look.kind(at - 3) in ("{", "}", ";")
    own = foreign.own_type(type_)
    if expected not in ("a statement", "`,` or `:=`") or not starts or own not in TYPE_WORDS:
        return None
    value = look.rest(at + 1).rstrip("} ;")
    told = f"`var {name}: {own} := {value}`"
    return f"a variable is declared with `var`, its name first: {told}"


def _foreign_type_first(look: Look, at: int, expected: str) -> str | None:
    """`method m(int a, Node b)`."""
    if expected != "`:`" or look.kind(at) != NAME or look.kind(at - 1) != NAME:
        return None
    if look.kind(at - 2) not in ("(", ",") or look.kind(at + 1) not in (",", ")"):
        return None
    type_ = look.text(at - 1)
    return (
        f"a name stands before its type: write `{look.text(at)}: {foreign.TYPES.get(type_, type_)}`"
    )


def _unnamed_result(look: Look, at: int, expected: str) -> str | None:
    if expected != "a name" or look.kind(at - 2) != "returns" or not look.is_word(at):
        return None
    if look.kind(at + 1) == ":":
        type_ = look.text(at + 2)
        own, used = look.text(at), "" if look.text(at) != "result" else ", and write `res` for it"
        return f"`{own}` is a word of the language: choose another name, `res: {type_}`{used}"
    return f"name the result: `returns (res: {look.text(at)})`"


def _misspelt_returns(look: Look, at: int, expected: str) -> str | None:
    """`method m() return (y: Int)`."""
    if expected != "a declaration" or look.text(at) not in ("return", "return_", "Returns"):
        return None
    if look.kind(at - 1) != ")" or look.kind(at + 1) != "(":
        return None
    closing = look.closing(at + 1)
    named = "(res: Int)" if closing is None else look.between(at + 1, closing + 1)
    return f"write `returns {named}`"


def _comma_between_parameters(look: Look, at: int, expected: str) -> str | None:
    if expected == "`,` or `)`" and look.kind(at) == NAME and look.kind(at + 1) == ":":
        return f"a comma is missing: write `, {look.text(at)}`"
    return None


def _array(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) == "]" and look.kind(at - 1) == "[":
        at -= 1
    if look.kind(at) != "[" or look.kind(at + 1) != "]" or look.kind(at - 2) != ":":
        return None
    return foreign.no_array(look.text(at - 1))


def _optional(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) == "?" and look.kind(at - 2) == ":" and look.is_word(at - 1):
        kind, name = look.text(at - 1), look.text(at - 3)
        if kind in ("Int", "Bool", "Perm", "Rational"):
            return f"there are no optional types, and `null` is no {kind}: leave `?` out"
        null = f"say `{name} != null` where it is not"
        return f"there are no optional types: leave `?` out; every `Ref` may be `null`: {null}"
    return None


def _angle_brackets(look: Look, at: int, _: str) -> str | None:
    if look.kind(at) != "<" or look.kind(at - 2) not in (":", "domain", "adt", ",", "["):
        return None
    closing = look.behind(at, ">")
    name = look.text(at - 1)
    if closing is None or not look.is_word(at - 1):
        return None
    inner = look.between(at + 1, closing).split(",")
    own = {"seq": "Seq", "set": "Set", "map": "Map", "dict": "Map", "multiset": "Multiset"}
    if name.lower() in own and not any("<" in part for part in inner):
        types = ", ".join([foreign.own_type(part.strip()) for part in inner])
        return f"types stand in square brackets: write `{own[name.lower()]}[{types}]`"
    if name in foreign.TYPE_HELP:
        return foreign.TYPE_HELP[name]
    return f"types in brackets: write `{name}[{look.between(at + 1, closing)}]`"


def _compared_first_value(look: Look, at: int, expected: str) -> str | None:
    """`var k: Int == 3`."""
    colon = look.before(at, ":")
    if expected != "a statement" or look.kind(at) != "==" or colon is None:
        return None
    if look.kind(colon - 2) != "var" or look.line(colon) != look.line(at):
        return None
    head = look.between(colon - 2, at)
    return f"write `:=` to assign: `{head} := {look.rest(at + 1).rstrip('} ')}`"


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
        case "define" if look.text(at) == ":=" and at == first + 2:
            return f"leave `:=` out: `{look.between(first, at)} {look.rest(at + 1)}`"
        case "define" if look.text(at) == ":=":
            body = max(first + 2, at - 1)
            head = look.between(first, body)
            return f"statements stand in braces: `{head} {{ {look.rest(body)} }}`"
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
    closing = look.closing(at + 1) if look.kind(at) == "returns" else None
    if expected == "a declaration" and look.kind(first) == "predicate" and closing is not None:
        return f"a predicate has no result: leave `{look.between(at, closing + 1)}` out"
    return None


def _arrow_of_function(look: Look, at: int, expected: str) -> str | None:
    """`function f(x: Int) -> Int` and `function f(x: Int) { ... }`."""
    opened = look.opening(at - 1) if look.kind(at - 1) == ")" else None
    if expected != "`:`" or opened is None or look.kind(opened - 2) != "function":
        return None
    head = look.between(opened - 2, at)
    if look.kind(at) == "-" and look.kind(at + 1) == ">" and look.is_word(at + 2):
        closing = look.closing(at + 3) if look.kind(at + 3) == "[" else None
        type_ = look.between(at + 2, (at + 2 if closing is None else closing) + 1)
        return f"a colon stands before the type: write `{head}: {foreign.own_type(type_)}`"
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
    closing = look.closing(at)
    body = "" if closing is None else look.between(at + 1, closing)
    opened = -1 if function is None else function + 2
    ended = look.closing(opened) if look.kind(opened) == "(" else None
    bound = "x: Int" if ended is None else look.between(opened + 1, ended)
    body = body if body and "\n" not in body else "..."
    args = ", ".join(re.findall(r"(\w+)\s*:", bound))
    axiom = f"forall {bound} :: {name}({args}) == {body}" if args else f"{name}() == {body}"
    return f"a function of a domain has no body: say what it is in an axiom, `axiom {{ {axiom} }}`"


def _type_before_name(look: Look, at: int, expected: str) -> str | None:
    """`method void m(x: Int)` and `function int f(x: Int)`, which go wrong at the name."""
    if look.kind(at) == NAME and expected == "`(`" and look.kind(at - 1) == NAME:
        type_ = at - 1
    elif expected == "a name" and look.kind(at) in TYPE_WORDS and look.kind(at + 1) == NAME:
        type_ = at
    else:
        return None
    word, name = look.kind(type_ - 1), type_ + 1
    closing = look.closing(name + 1) if look.kind(name + 1) == "(" else None
    if word not in ("method", "function", "predicate") or closing is None:
        return None
    header, own = (
        with_own_types(look.between(name, closing + 1)),
        foreign.own_type(look.text(type_)),
    )
    if word == "predicate" or look.text(type_) in ("void", *_MODIFIERS):
        return f"no type stands before a name: write `{word} {header}`"
    result = f"returns (res: {own})" if word == "method" else f": {own}"
    separator = " " if word == "method" else ""
    return f"the type of a result stands after the parameters: `{word} {header}{separator}{result}`"


def _cases_of_datatype(look: Look, at: int, expected: str) -> str | None:
    """`datatype Tree = Leaf | Node(l: Tree, r: Tree)` and `enum Colour { Red, Green }`."""
    if expected != "a declaration" or look.text(at) not in ("datatype", "data", "enum", "type"):
        return None
    sign = at + 2
    if look.kind(at + 1) != NAME or look.text(sign) not in ("=", "{"):
        return None
    cases, here = list[str](), sign + 1
    here += look.text(here) == "|"
    while look.kind(here) == NAME:
        closing = look.closing(here + 1) if look.kind(here + 1) == "(" else None
        fields = "()" if closing is None else with_own_types(look.between(here + 1, closing + 1))
        cases.append(f"{look.text(here)}{fields}")
        here = (here if closing is None else closing) + 1
        if look.text(here) not in ("|", ","):
            break
        here += 1
    if not cases or (look.text(at) == "type" and len(cases) < 2):
        return None
    return f"declare an `adt`: `adt {look.text(at + 1)} {{ {' '.join(cases)} }}`"


_UNTYPED = (("`:`", "var"), ("`==`", "let"))
"""What is expected behind a name, and the word in front of it."""


def _untyped_variable(look: Look, at: int, expected: str) -> str | None:
    """`var s := Seq[Int]()` and `let s = Seq[Int]()`: the type of the value, where its first
    tokens tell it."""
    word = look.kind(at - 2)
    if look.text(at) not in (":=", "=") or (expected, word) not in _UNTYPED:
        return None
    value = look.rest(at + 1).partition(";")[0].rstrip("} ")
    type_ = _type_of_value(look, at + 1, value)
    ended = look.behind(at, "in", "}", ";", ":=", *STATEMENT_WORDS)
    if word == "let" and ended is not None and look.kind(ended) == "in":
        return None
    if word == "let" and value:
        return f"declare a variable: `var {look.text(at - 1)}: {type_ or 'Int'} := {value}`"
    if not value or "{" in value:
        return None
    sign = ", and write `:=` to assign" if look.text(at) == "=" else ""
    told = f"say its type as well{sign}: `var {look.text(at - 1)}: {type_ or 'Int'} := {value}`"
    return told if type_ is not None else f"{told}, with the type of the value"


def _type_of_value(look: Look, at: int, value: str) -> str | None:
    """The type of the value that begins at a token."""
    kind, text = look.kind(at), look.text(at)
    if re.search(r"==|!=|<|>|&&|\|\||\bin\b", value) or text in ("true", "false", "!"):
        return "Bool"
    if kind in ("Seq", "Set", "Multiset", "Map"):
        closing = look.closing(at + 1) if look.kind(at + 1) == "[" else None
        if closing is not None:
            return look.between(at, closing + 1)
        assigned = look.behind(at, ":=") if kind == "Map" else None
        places = [at + 2] if assigned is None else [at + 2, assigned + 1]
        elements = [_type_of_value(look, place, "") for place in places]
        known = [element for element in elements if element is not None]
        complete = len(known) == (2 if kind == "Map" else 1)
        return f"{kind}[{', '.join(known)}]" if complete else None
    if kind in ("null", "new"):
        return "Ref"
    if text.isdigit() or text == "|":
        return "Int"
    if kind == NAME and look.kind(at + 1) == "(":
        closing = look.closing(at + 1)
        whole = closing is not None and (value in ("", look.between(at, closing + 1)))
        return look.result_type(text) if whole else None
    return look.written_type(text, at) if value in ("", text) and kind == NAME else None


def _bare_constructors(look: Look, at: int, expected: str) -> str | None:
    """`adt Color { Red Green Blue }` and `adt List { Nil | Cons(v: Int, t: List) }`."""
    opened = look.before(at, "{")
    if expected != "`(`" or opened is None or look.kind(opened - 2) != "adt":
        return None
    found, odd, here = list[str](), 0, opened + 1
    while look.kind(here) in (NAME, ",", "|", ";"):
        closing = look.closing(here + 1) if look.kind(here + 1) == "(" else None
        odd += closing is None
        end = here if closing is None else closing
        if look.kind(here) == NAME:
            given = "()" if closing is None else look.between(here + 1, closing + 1)
            found.append(look.text(here) + given)
        here = end + 1
    if look.kind(here) != "}" or len(found) < 2 or odd < 2:
        return None
    return f"parentheses belong to each of them: write `{' '.join(found)}`"


def _between_constructors(look: Look, at: int, expected: str) -> str | None:
    if expected == "a constructor or `}`" and look.kind(at) in (",", "|"):
        return f"constructors stand one after the other: leave `{look.text(at)}` out"
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
        if look.kind(at + 1) not in ((STRING,) if word == "require" else (STRING, NAME)):
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
    if opened is None or look.kind(opened - 2) != "method":
        return None
    closing = look.closing(start) if look.kind(start) == "(" else None
    if closing is not None and look.kind(start + 2) == ":":
        header, given = look.between(opened - 2, at), look.between(start, closing + 1)
        return f"write `{with_own_types(header)} returns {with_own_types(given)}`"
    if not look.is_word(start):
        return None
    if look.text(start) in ("void", "unit", "Unit"):
        return (
            f"a method without `returns` has no result: leave `{look.between(at, start + 1)}` out"
        )
    header, end = look.between(opened - 2, at), _end_of_type(look, start)
    brace, used = _body(look, end)
    if brace is not None and _is_value(look, brace):
        type_ = foreign.own_type(look.between(start, end))
        header = with_own_types(header).replace("method", "function", 1)
        return f"what has a value is a function, a method has results: write `{header}: {type_}`"
    named = ", and `res` for `result`" if used else ""
    return f"a method names its results: `{header} {_returns(look, start)}`{named}"


def _end_of_type(look: Look, start: int) -> int:
    """The token behind the type that begins at a token."""
    closing = look.closing(start + 1) if look.kind(start + 1) == "[" else None
    return (start if closing is None else closing) + 1


def _body(look: Look, start: int) -> tuple[int | None, bool]:
    """The brace of the body behind the head of a member, and whether `result` stands in it."""
    here, used, brace = start, False, None
    while look.kind(here) not in ("", END, *MEMBER_WORDS):
        closing = look.closing(here) if look.kind(here) == "{" else None
        is_trigger = look.kind(here - 1) == "::" or (
            look.kind(here - 1) == "}" and brace is None and look.kind(here) == "{"
        )
        if closing is not None and not is_trigger and brace is None:
            brace = here
        used = used or look.kind(here) == "result"
        here += 1
    return brace, used


def _is_value(look: Look, brace: int) -> bool:
    """Whether a body is one expression."""
    closing = look.closing(brace)
    kinds = [look.kind(here) for here in range(brace + 1, brace if closing is None else closing)]
    words = [look.text(here) for here in range(brace + 1, brace + 1 + len(kinds))]
    foreign_ = any(word in foreign.STATEMENTS for word in words)
    if words[:1] and words[0] in look.declared("method") and kinds[-1:] == [")"]:
        return False
    return bool(kinds) and not foreign_ and not any(kind in _OF_STEPS for kind in kinds)


_OF_STEPS = (":=", ";", "{", "new", "bad", *STATEMENT_WORDS)
"""What stands in statements only."""


def _returns(look: Look, start: int) -> str:
    """`returns (res: T)` for the type that begins at a token."""
    written = look.between(start, _end_of_type(look, start))
    return f"returns (res: {foreign.own_type(written)})"


def with_own_types(header: str) -> str:
    """The parameters of a header with the names that their types have here."""
    named = re.sub(
        r"(:\s*)([A-Za-z_]\w*)", lambda found: found[1] + foreign.own_type(found[2]), header
    )
    return re.sub(
        r"([(,]\s*)([A-Za-z_]\w*)\s+([A-Za-z_]\w*)",
        lambda found: f"{found[1]}{found[3]}: {foreign.own_type(found[2])}",
        named,
    )


def _member_of_a_class(look: Look, at: int, expected: str) -> str | None:
    """`public static int inc(int x) { ... }`."""
    if expected != "a declaration" or look.text(at) not in (*_MODIFIERS, *foreign.TYPES):
        return None
    word = at
    while look.text(word) in _MODIFIERS:
        word += 1
    type_, name = look.text(word), word + 1
    if look.kind(name) != NAME or look.kind(name + 1) != "(" or not look.is_word(word):
        return None
    if look.kind(word) in MEMBER_WORDS:
        return None
    closing = look.closing(name + 1)
    if closing is None:
        return None
    header = with_own_types(look.between(name, closing + 1))
    results = "" if type_ == "void" else f" returns (res: {foreign.own_type(type_)})"
    return f"write `method {header}{results} {{ ... }}`"


_MODIFIERS = ("public", "private", "protected", "static", "final", "abstract", "virtual", "inline")


def _smt_lib(look: Look, at: int, expected: str) -> str | None:
    if expected != "a declaration" or look.kind(at) != "(" or not look.begins_line(at):
        return None
    return (
        "this is a list in parentheses, as SMT-LIB has it: a Viper program consists of "
        "declarations, such as `method m(x: Int) requires x > 0 { assert x >= 1 }`"
    )


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
    header, behind = with_own_types(look.between(at + 1, closing + 1)), closing + 1
    header = _with_types(header)
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


def _with_types(header: str) -> str:
    """`add(a: Int, b: Int)` for `add(a, b)`."""
    name, _, rest = header.partition("(")
    names = [one.strip() for one in rest.removesuffix(")").split(",")]
    if not all(one.isidentifier() for one in names):
        return header
    return f"{name}({', '.join([f'{one}: Int' for one in names])})"


def _of_a_prover(look: Look, at: int, expected: str) -> str | None:
    """`Definition f (n : nat) := ...`, `Lemma l : ...`, as Coq and Lean have them."""
    words = _PROVERS.get(look.text(at))
    if expected != "a declaration" or words is None or look.kind(at + 1) != NAME:
        return None
    return words.format(look.text(at + 1))


_LEMMA = (
    "a lemma is a method whose postcondition is what it says, and whose body is the proof: "
    "`method {}(n: Int) ensures ... {{ }}`"
)
_DEFINED = "write `function {}(n: Int): Int {{ ... }}`, with an expression as its body"
_PROVERS = {
    "Definition": _DEFINED,
    "Fixpoint": f"{_DEFINED}, which may apply itself",
    "Function": _DEFINED,
    "Lemma": _LEMMA,
    "Theorem": _LEMMA,
    "theorem": _LEMMA,
    "Example": _LEMMA,
    "Inductive": "write `adt {} {{ ... }}` with its constructors, as in `adt List {{ Nil() "
    "Cons(head: Int, tail: List) }}`",
}


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
            return f"`{look.text(other)}` is of type {type_}: write {value}"
    codes = ", ".join([str(ord(letter)) for letter in text[:6]])
    codes += ", ..." if len(text) > 6 else ""
    value = f"Seq({codes})" if text else "Seq[Int]()"
    joined = ", joined by `++`" if "+" in (look.kind(at - 1), look.kind(at + 1)) else ""
    name = text if text.isidentifier() and text.islower() else "hello"
    coded, named = value, f"{name}()"
    if look.kind(at - 1) == ":=" and look.kind(at - 3) == ":" and look.kind(at - 4) == NAME:
        var = look.text(at - 4)  # the type is one of another language as well
        coded, named = f"var {var}: Seq[Int] := {value}", f"var {var}: Text := {name}()"
    return (
        f"write the codes of the letters, `{coded}`{joined}; or declare a "
        f"constant for each text, `domain Text {{ unique function {name}(): Text }}`, and write "
        f"`{named}`"
    )


RULES: tuple[Rule, ...] = (
    _comment, _type_first, _foreign_variable, _foreign_type_first, _unnamed_result,
    _misspelt_returns, _comma_between_parameters, _array, _optional, _angle_brackets,
    _compared_first_value, _several_names, _such_that, _body_behind_equals, _constant,
    _type_of_predicate,
    _arrow_of_function, _returns_of_function, _body_in_domain, _type_before_name,
    _cases_of_datatype,
    _untyped_variable, _bare_constructors, _between_constructors,
    _member_inside, _imported, _result_of_method, _member_of_a_class, _smt_lib,
    _member_of_another_language, _of_a_prover, _axiom_outside, _string,
)  # fmt: skip
"""In the order in which they are asked."""
