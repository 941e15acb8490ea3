"""Parts of domains and ADTs, and definitions of macros, as other languages have them."""

from __future__ import annotations

import re

from pitviper.syntax import foreign
from pitviper.syntax.parse.complaints import TYPE_WORDS
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.token import NAME

_IN_DOMAIN = "`function`, `unique`, `axiom` or `}`"
_LONG = 80
"""Characters that are repeated."""


def _in_domain(look: Look, at: int, expected: str) -> str | None:
    """What is neither a function nor an axiom between the braces of a domain."""
    if expected != _IN_DOMAIN:
        return None
    word = look.text(at)
    if word == "predicate" and look.kind(at + 2) == "(":
        closing = look.closing(at + 2)
        head = "" if closing is None else look.between(at + 1, closing + 1)
        return f"a domain has functions, and no predicates: `function {head}: Bool`"
    if word in ("requires", "ensures"):
        return (
            "a function of a domain has no contract: say what is known in an axiom, `axiom { ... }`"
        )
    if word in ("axioms", "Axiom", "law", "rule", "property"):
        return f"write `axiom` for `{word}`"
    if word in ("var", "field", "const") and look.kind(at + 2) == ":":
        return (
            f"a constant is a function without parameters: `function {look.text(at + 1)}(): "
            f"{look.text(at + 3)}`"
        )
    if word in ("method", "define", "adt", "import"):
        return "write it outside of the domain, which has functions and axioms only"
    if word in ("func", "fun", "fn", "def") and look.kind(at + 1) == NAME:
        return f"write `function` for `{word}`"
    if look.kind(at) == NAME and look.kind(at + 1) == "(":
        text = look.rest_of_formula(at)
        return f"write `function` first: `function {text}`" if len(text) <= _LONG else None
    return None


def _unnamed_argument(look: Look, at: int, expected: str) -> str | None:
    """`adt L { Cons(Int, L) }`."""
    opened = look.enclosing(at)
    brace = None if opened is None else look.enclosing(opened)
    if expected not in ("a name", "`:`") or opened is None or brace is None:
        return None
    closing = look.closing(opened)
    if "adt" not in (look.kind(brace - 2), look.kind(brace - 5)) or closing is None:
        return None
    parts = [part.strip() for part in look.between(opened + 1, closing).split(",")]
    if any(":" in part or "[" in part for part in parts):
        return None
    given = ", ".join([f"part{n + 1}: {foreign.own_type(p)}" for n, p in enumerate(parts)])
    return f"each argument has a name: `{look.text(opened - 1)}({given})`"


def _word_in_adt(look: Look, at: int, expected: str) -> str | None:
    """`adt L { case Nil() case Cons(h: Int) }`."""
    opened = look.enclosing(at)
    if expected not in ("`(`", "a constructor or `}`") or opened is None:
        return None
    if "adt" not in (look.kind(opened - 2), look.kind(opened - 5)):
        return None
    word = look.text(at) if look.text(at) in _WORDS else look.text(at - 1)
    if look.text(at) == ":" and look.is_word(at + 1):
        return (
            "an ADT has constructors, and these have the arguments: "
            f"`{look.text(opened - 1)}_({look.rest_of_formula(opened + 1)})`"
        )
    return (
        f"constructors stand without a word before them: leave `{word}` out"
        if word in _WORDS
        else None
    )


_WORDS = ("case", "constructor", "ctor", "function", "of")


def _adt_of_cases(look: Look, at: int, _: str) -> str | None:
    """`adt L = Nil() | Cons(h: Int, t: L)`."""
    if look.text(at) not in ("=", ":=") or look.kind(look.first_of_line(at)) != "adt":
        return None
    first = look.first_of_line(at)
    parts = [part.strip() for part in re.split(r"\|", look.rest(at + 1)) if part.strip()]
    if not parts or not all(re.fullmatch(r"\w+\s*(\([^()]*\))?", part) for part in parts):
        return None
    cases = " ".join([part if part.endswith(")") else f"{part}()" for part in parts])
    return f"constructors stand in braces: `{look.between(first, at)} {{ {cases} }}`"


def _macro(look: Look, at: int, expected: str) -> str | None:
    """`define f(x: Int) x + 1`, `define f(x) := x + 1` and `define f(x): Int (x + 1)`."""
    first = look.first_of_line(at)
    if look.kind(first) != "define" or look.kind(first + 2) != "(":
        return None
    closing = look.closing(first + 2)
    if closing is None or look.line(closing) != look.line(first):
        return None
    inner, body, start = look.between(first + 3, closing), "", closing + 1
    typed = re.findall(r"(\w+)\s*:", inner)
    names = ", ".join(typed) if typed else inner
    if look.kind(start) == ":" and look.kind(start + 1) in TYPE_WORDS:
        start += 2
    if look.text(start) in ("=", ":="):
        start += 1
    if start == closing + 1 and not typed:
        return None
    body = look.rest(start)
    if not body or len(body) > _LONG:
        return None
    body = body if body.startswith(("(", "{")) else f"({body})"
    what = "types" if typed or look.kind(closing + 1) == ":" else f"`{look.text(closing + 1)}`"
    return f"a macro is defined without {what}: `define {look.text(first + 1)}({names}) {body}`"


def _wand(look: Look, at: int, expected: str) -> str | None:
    """`A ---* B` and `A -- * B`."""
    if look.kind(at) != "*" or look.kind(at - 1) != "-" or look.kind(at - 2) != "-":
        return None
    return "write `--*` for a magic wand"


RULES: tuple[Rule, ...] = (
    _in_domain, _unnamed_argument, _word_in_adt, _adt_of_cases, _macro, _wand,
)  # fmt: skip
"""In the order in which they are asked."""
