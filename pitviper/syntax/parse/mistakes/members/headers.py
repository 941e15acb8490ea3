"""Headers of methods and functions, and the clauses of their contracts."""

from __future__ import annotations

import re

from pitviper.syntax.parse.complaints import CLAUSE_WORDS, MEMBER_WORDS, TYPE_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.token import INT, NAME

_MEMBERS = ("method", "function", "predicate")
_LIST = "`,` or `)`"


def _of_member(look: Look, at: int) -> int | None:
    """The parenthesis of the parameters or results around a token."""
    opened = look.enclosing(at)
    if opened is None or look.kind(opened) != "(":
        return None
    return (
        opened if look.kind(opened - 2) in _MEMBERS or look.kind(opened - 1) == "returns" else None
    )


def _separated(look: Look, at: int, expected: str) -> str | None:
    """`method m(x: Int; y: Int)`."""
    if expected != _LIST or look.kind(at) != ";" or _of_member(look, at) is None:
        return None
    return "parameters are separated by commas: write `,` for `;`"


def _default(look: Look, at: int, expected: str) -> str | None:
    """`method m(x: Int = 3)`."""
    opened = _of_member(look, at)
    if expected != _LIST or look.text(at) not in ("=", ":=") or opened is None:
        return None
    end = look.behind(at, ",", ")")
    value = "" if end is None else look.between(at, end)
    return f"a parameter has no first value, each call gives one: leave `{value}` out"


def _modified(look: Look, at: int, expected: str) -> str | None:
    """`method m(var x: Int)` and `method m(in x: Int)`."""
    is_word = look.kind(at) in ("var", "in", "new", "old") or look.text(at) in (
        "const",
        "out",
        "ref",
    )
    if expected not in ("a name", "`:`") or _of_member(look, at) is None:
        return None
    word = at if is_word else at - 1
    if look.text(word) not in (
        "var",
        "in",
        "out",
        "const",
        "ref",
        "ghost",
        "inout",
        "final",
        "mut",
    ):
        return None
    if look.kind(word + 1) != NAME or look.kind(word + 2) != ":":
        return None
    return f"leave `{look.text(word)}` out; what a method gives back stands after `returns`"


def _no_parameters(look: Look, at: int, expected: str) -> str | None:
    """`method m { ... }`, `method m[T](x: T)`, `method m-one()` and `function c: Int`."""
    word, name = look.kind(at - 2), look.text(at - 1)
    if expected != "`(`" or word not in _MEMBERS or look.kind(at - 1) != NAME:
        return None
    if look.kind(at) in ("[", "<"):
        return _generic(look, at)
    if look.kind(at) == "-" and look.kind(at + 1) == NAME:
        return f"a name consists of letters, digits and `_`: `{name}_{look.text(at + 1)}`"
    if look.kind(at) in ("{", ":", "returns", *CLAUSE_WORDS, *MEMBER_WORDS, "}", "axiom"):
        typed = f": {look.text(at + 1)}" if look.kind(at) == ":" else ""
        written = f"{word} {name}(){typed}"
        return f"parentheses belong to it, also without parameters: write `{written}`"
    return None


def _generic(look: Look, at: int) -> str | None:
    """`method id[T](x: T) returns (y: T)`, with a given type for `T`."""
    word, opened = look.kind(at - 2), look.kind(at)
    closing = look.closing(at) if opened == "[" else look.behind(at, ">", "(")
    if closing is None or look.kind(closing) not in ("]", ">"):
        return None
    bracket = look.between(at, closing + 1)
    names = [look.text(here) for here in range(at + 1, closing) if look.kind(here) == NAME]
    told = f"a {word} is about given types, only domains and ADTs have type parameters"
    unknown = [name for name in names if not look.is_type(name)]
    end = look.behind(closing, "{", "}", *CLAUSE_WORDS, *MEMBER_WORDS, "axiom", "unique", "end")
    header = "" if end is None else " ".join(look.between(closing + 1, end).split())
    for name in unknown:
        header = re.sub(rf"\b{re.escape(name)}\b", "Int", header)
    written = f"{look.between(at - 2, at)}{header}"
    if not header or len(written) > _LONG:
        return f"{told}: leave `{bracket}` out"
    given = " and ".join([f"`{name}`" for name in unknown])
    types = f", and write a given type for {given}" if unknown else ""
    return f"{told}: leave `{bracket}` out{types}: `{written}`"


_LONG = 100
"""Characters of a header that is repeated."""


def _no_name(look: Look, at: int, expected: str) -> str | None:
    """`method (x: Int)` and `method 1m()`."""
    word = look.kind(at - 1)
    if expected != "a name" or word not in _MEMBERS:
        return None
    if look.kind(at) == "(":
        closing = look.closing(at)
        given = "()" if closing is None else look.between(at, closing + 1)
        return f"a {word} has a name: write `{word} {word[0]}{given}`"
    if look.kind(at) == INT and look.kind(at + 1) == NAME:
        return f"a name begins with a letter: `{word} {look.text(at + 1)}{look.text(at)}`"
    return None


def _result(look: Look, at: int, expected: str) -> str | None:
    """`returns y { ... }`."""
    if expected != "`(`" or look.kind(at - 1) != "returns" or look.kind(at) != NAME:
        return None
    if look.kind(at + 1) in (":", ","):
        return None
    return f"results stand in parentheses, with their types: `returns ({look.text(at)}: Int)`"


def _clause(look: Look, at: int, expected: str) -> str | None:
    """`requires { x > 0 }`, `decreases: n` and `decreases (n, 1)`."""
    word = look.text(at - 1)
    clauses = (*CLAUSE_WORDS, "invariant")
    if look.kind(at) == "{" and word in clauses and expected == "an expression":
        closing = look.closing(at)
        inner = "" if closing is None else look.between(at + 1, closing)
        return f"no braces: write `{word} {inner}`" if inner and "\n" not in inner else None
    if look.kind(at) == ":" and word == "decreases":
        return f"leave the `:` out: `decreases {look.formula(at + 1)}`"
    if look.kind(at) == "{" and word == "," and expected == "an expression":
        clause = look.before(at, *clauses)
        if clause is not None and look.line(clause) == look.line(at):
            return f"leave the comma out: `{look.between(clause, at - 1)}`"
    opened = look.enclosing(at)
    if look.kind(at) == "," and opened is not None and look.kind(opened - 1) == "decreases":
        closing = look.closing(opened)
        inner = "..." if closing is None else look.between(opened + 1, closing)
        return f"several measures stand without parentheses: `decreases {inner}`"
    return None


def _behind_body(look: Look, at: int, expected: str) -> str | None:
    """`function f(n: Int): Int { n } decreases n`."""
    if expected != "a declaration" or look.kind(at) not in CLAUSE_WORDS or look.kind(at - 1) != "}":
        return None
    text = f"{look.text(at)} {look.formula(at + 1)}".strip()
    return f"a contract stands before the body: write `{text}` before the `{{`"


def _clause_word(look: Look, at: int, expected: str) -> str | None:
    """`decreasing n` and `variant n`."""
    own = _CLAUSES.get(look.text(at))
    if own is None or expected not in ("a declaration", "`{`"):
        return None
    return f"write `{own} {look.formula(at + 1)}`"


_CLAUSES = {
    "decreasing": "decreases", "variant": "decreases", "measure": "decreases",
    "decreases_by": "decreases", "terminates": "decreases", "needs": "requires",
    "assumes": "requires", "expects": "requires", "guarantees": "ensures",
    "promises": "ensures", "where": "requires", "with": "requires", "given": "requires",
}  # fmt: skip


def _typed_first(look: Look, at: int, expected: str) -> str | None:
    """`field x.f: Int` and `field f(): Int`."""
    if expected != "`:`" or look.kind(at - 2) != "field":
        return None
    name = look.text(at - 1)
    if look.kind(at) == "." and look.kind(at + 2) == ":":
        told = f"field {look.text(at + 1)}: {look.text(at + 3)}"
        return f"a field belongs to all objects: write `{told}`"
    if look.kind(at) == "(" and look.kind(at + 1) == ")" and look.kind(at + 3) in TYPE_WORDS:
        return f"a field has no parentheses: write `field {name}: {look.text(at + 3)}`"
    return None


RULES: tuple[Rule, ...] = (
    _separated, _default, _modified, _no_parameters, _no_name, _result, _clause, _behind_body,
    _clause_word, _typed_first,
)  # fmt: skip
"""In the order in which they are asked."""
