"""Heads of branches and loops, and the clauses that belong to them."""

from __future__ import annotations

from pitviper.syntax.parse.complaints import CLAUSE_WORDS
from pitviper.syntax.parse.mistakes.look import Culprit, CulpritRule, Look, Rule

_LONG = 80
"""Characters of a head that is repeated."""


def _condition(look: Look, at: int) -> str:
    """The condition that begins at a token, in parentheses, with a blank before it."""
    end = look.closing(at) if look.kind(at) == "(" else None
    brace = look.behind(at - 1, "{", ":")
    text = look.between(at, end + 1) if end is not None else look.between(at, brace or at)
    if not text or "\n" in text or len(text) > _LONG:
        return ""
    return f" {text}" if end is not None else f" ({text})"


def _else_if(look: Look, at: int, expected: str) -> Culprit | None:
    """`else if (c)` and `else elseif (c)`."""
    word = look.kind(at)
    if expected != "`{`" or look.kind(at - 1) != "else" or word not in ("if", "elseif"):
        return None
    written = f"`elseif{_condition(look, at + 1)}`"
    told = f"write {written}" if word == "if" else f"leave `else` out: {written}"
    return Culprit(at - 1, at, f"there is no `else {word}`", told)


def _else_with_condition(look: Look, at: int, expected: str) -> Culprit | None:
    """`else (c) { ... }`."""
    if expected != "`{`" or look.kind(at) != "(" or look.kind(at - 1) != "else":
        return None
    closing = look.closing(at)
    if closing is None or look.kind(closing + 1) != "{":
        return None
    written = f"elseif{_condition(look, at)}"
    return Culprit(at - 1, at - 1, "an `else` has no condition", f"write `{written}`")


def _clause_inside(look: Look, at: int, expected: str) -> str | None:
    """`while (c) { invariant I ... }` and `method m() { requires P ... }`."""
    word = look.kind(at)
    first = expected == "an expression" and look.kind(at - 1) == "{"
    if not (expected == "a statement" or first) or word not in (*CLAUSE_WORDS, "invariant"):
        return None
    opened = _block_around(look, at)
    heads = ("function",) if first else ("while", "method")
    head = None if opened is None else look.before(opened, *heads, "}", ":=", "var")
    if opened is None or head is None or look.kind(head) not in heads:
        return None
    inner = [here for here in range(head, opened) if look.kind(here) == "{"]
    if any(look.kind(here - 1) != "::" for here in inner):
        return None
    of_loop = look.kind(head) == "while"
    if of_loop == (word in ("requires", "ensures")) and word != "decreases":
        return None
    before = opened
    if word == "requires":
        before = next((i for i in range(head, opened) if look.kind(i) == "ensures"), opened)
    clauses = _clauses(look, at)
    parts = [look.between(head, before), *clauses, look.between(before, opened)]
    written = " ".join(" ".join(parts).split())
    if not clauses or len(written) > _LONG:
        line = look.tokens.file.text.count("\n", 0, look.tokens.starts[opened]) + 1
        return f"move it before the `{{` of line {line}, where the body begins"
    what = {"invariant": "an invariant stands", "decreases": "`decreases` stands"}
    told = what.get(word, "a contract stands")
    return f"{told} before the body: `{written} {{ ... }}`"


def _block_around(look: Look, at: int) -> int | None:
    """The brace of the block in which a token stands."""
    depth = 0
    for back in range(at - 1, -1, -1):
        depth += (look.kind(back) == "}") - (look.kind(back) == "{")
        if depth < 0:
            return back
    return None


def _clauses(look: Look, at: int) -> list[str]:
    """The clauses of one kind that begin at a token, in the lines in which they stand."""
    found, here = list[str](), at
    while look.kind(here) == look.kind(at):
        condition = look.formula(here + 1)
        if not condition:
            return []
        found.append(f"{look.text(here)} {condition}")
        end = look.tokens.starts[here + 1] + len(condition)
        while look.kind(here) != "end" and look.tokens.starts[here] < end:
            here += 1
        here += look.kind(here) == ";"
    return found


CULPRITS: tuple[CulpritRule, ...] = (_else_if, _else_with_condition)
RULES: tuple[Rule, ...] = (_clause_inside,)
"""In the order in which they are asked."""
