"""Statements and clauses as other languages have them, with what to write instead."""

from __future__ import annotations

import re

from pitviper.syntax import foreign
from pitviper.syntax.parse.complaints import (
    MEMBER_WORDS,
    STILL_OPEN,
    TYPE_WORDS,
    parameter_type,
)
from pitviper.syntax.parse.mistakes.look import Look, Rule
from pitviper.syntax.parse.mistakes.operands import operand_start
from pitviper.syntax.token import INT, NAME, STRING

_FAR = 60
"""Characters of a condition that are repeated."""


def _message(look: Look, at: int, expected: str) -> str | None:
    if expected == "a statement" and look.kind(at) in (",", ":") and look.kind(at + 1) == STRING:
        return f"leave `{look.text(at)} {look.text(at + 1)}` out: an `assert` has no message"
    return None


def _block(look: Look, at: int, expected: str) -> str | None:
    if expected == "`{`" and look.kind(at) == ":" and look.kind(at + 1) == "{":
        return "leave the `:` out"
    if expected == "`{`" and look.kind(at) == ":" and look.kind(at - 2) == "axiom":
        return f"the axiom stands in braces: `axiom {look.text(at - 1)} {{ ... }}`"
    if look.kind(at) == ":" and look.kind(at - 2) == "label":
        return "leave the `:` out"
    if expected == "`{`" and look.kind(at) == ";":
        return "leave the `;` out: the body belongs to what stands before it"
    if look.kind(at) != ":" or not (expected == "`{`" or look.ends_line(at)):
        return None
    if expected in ("`{`", "a declaration", "a statement") and not _is_label(look, at, expected):
        return "a block stands in braces: write `{` here, and `}` where it ends"
    return None


def _is_label(look: Look, at: int, expected: str) -> bool:
    """`done:`, behind a statement or in a line of its own."""
    alone = expected == "a statement" and look.begins_line(at - 1)
    return look.kind(at - 1) == NAME and (alone or look.kind(at - 2) in ("{", "}", ";", ""))


def _label(look: Look, at: int, expected: str) -> str | None:
    if expected != "a statement" or look.kind(at) != ":" or look.kind(at - 1) != NAME:
        return None
    if _is_type(look, at + 1):
        return f"a variable is declared with `var`: `{_declaration(look, at)}`"
    if not _is_label(look, at, expected):
        return None
    return f"write `label {look.text(at - 1)}`"


def _declaration(look: Look, colon: int) -> str:
    """`var i: Int := 0` for `i: int = 0`."""
    written, _, value = look.rest(colon + 1).partition(";")[0].rstrip("} ").partition("=")
    type_ = foreign.own_type(written.rstrip(": "))
    return f"var {look.text(colon - 1)}: {type_}" + (f" := {value.strip()}" if value else "")


def _is_type(look: Look, at: int) -> bool:
    """Whether a type stands at a place, in the line of the colon in front of it."""
    name = look.text(at)
    if look.line(at) != look.line(at - 1):
        return False
    return look.kind(at) in TYPE_WORDS or name in foreign.TYPES or look.is_type(name)


def _else_with_colon(look: Look, at: int, expected: str) -> str | None:
    """`else:`, whose `if` had no braces either."""
    if expected != "a statement" or look.kind(at) != "else" or look.kind(at + 1) != ":":
        return None
    return "a block stands in braces: `} else { ... }`, after the block of its `if`"


def _bare_condition(look: Look, at: int, expected: str) -> str | None:
    """`while i < 3 { ... }`, in the words of the program."""
    word = look.kind(at - 1)
    if expected != "`(`" or word not in ("if", "elseif", "while"):
        return None
    end = look.behind(at, "{", "invariant", ":", ";")
    text = "" if end is None else look.between(at, end).removesuffix(" then").removesuffix(" do")
    if not text or "\n" in text or len(text) > _FAR:
        return None
    if look.kind(end or at) == ":":
        return (
            f"a condition stands in parentheses, and a block in braces: `{word} ({text}) {{ ... }}`"
        )
    return f"a condition stands in parentheses: `{word} ({text})`"


def block_of_words(look: Look, at: int, expected: str) -> str | None:
    """`while (c) do ... end` and `if (c) then ... end`."""
    if expected != "`{`" or look.text(at) not in ("do", "then", "begin"):
        return None
    words = [look.text(i) for i in range(at, at + _FAR)]
    end = next((w for w in ("end", "od", "fi", "done", "endif", "endwhile") if w in words), None)
    if end is None or look.kind(at + 1) == "{":
        return None
    return f"a block stands in braces: write `{{` for `{look.text(at)}`, and `}}` for `{end}`"


def _body_without_braces(look: Look, at: int, expected: str) -> str | None:
    """`if (c) y := 1`, with one statement as the body."""
    head = None if look.kind(at - 1) != ")" else look.opening(at - 1)
    if expected != "`{`" or head is None or look.kind(head - 1) not in ("if", "elseif", "while"):
        return None
    body = look.rest(at)
    if look.kind(at) not in (NAME, "assert", "var", "fold", "unfold", "exhale", "inhale"):
        return None
    if not body or "{" in body or "}" in body or len(body) > _FAR:
        return None
    return f"the body stands in braces: `{look.between(head - 1, at)} {{ {body} }}`"


def _else(look: Look, at: int, expected: str) -> str | None:
    """An `else` inside of the block of its `if`."""
    if expected != "a statement" or look.kind(at) not in ("else", "elseif"):
        return None
    opened, depth = at, 1
    while depth > 0 and opened > 0:
        opened -= 1
        depth += (look.kind(opened) == "}") - (look.kind(opened) == "{")
    head = look.opening(opened - 1) if look.kind(opened - 1) == ")" else None
    if head is None or look.kind(head - 1) not in ("if", "elseif"):
        return None
    line = look.tokens.file.text.count("\n", 0, look.tokens.starts[opened]) + 1
    return f"{STILL_OPEN} {line} is still open: write `}}` before `{look.text(at)}`"


def _of_loop(look: Look, at: int, expected: str) -> str | None:
    if expected != "`{`" or look.before(at, "while") is None:
        return None
    word = look.text(at)
    if word == "ensures":
        return (
            "a loop has no `ensures`: write an `invariant`, which has to hold before the first "
            "iteration as well; after the loop it holds still, and the condition does not"
        )
    if word in ("requires", "maintaining", "maintains", "preserves", "inv"):
        return f"a loop has invariants: write `invariant` for `{word}`"
    return f"write `invariant` for `{word}`" if "invariant" in word.lower() else None


def _in_a_clause(look: Look, at: int, expected: str) -> str | None:
    """`requires a, b`, `requires x := 3` and `requires write(x.f)`."""
    if expected == "`}`" and look.kind(at) == "," and look.kind(at - 1) in (")", NAME, INT):
        return "join conditions by `&&`: leave the comma out, and write `&&` for it"
    if expected not in ("a declaration", "`{`"):
        return None
    clause = look.before(at, "requires", "ensures", "invariant", *MEMBER_WORDS)
    if clause is None or look.kind(clause) in MEMBER_WORDS:
        return None
    word = look.text(clause)
    binder = look.before(at, "forall", "exists")
    if look.kind(at) == "," and binder is not None and binder > clause:
        joined = "==>" if look.kind(binder) == "forall" else "&&"
        whole = f"{look.between(binder, at)} {joined} {look.rest_of_formula(at + 1)}"
        return f"write `{joined}` after the range: `{whole}`"
    if look.kind(at) == ",":
        return f"join conditions by `&&`, or write another `{word}`"
    if look.kind(at) == ":=":
        return "write `==` to compare"
    closing = look.behind(at, ")")
    if look.kind(at) == "(" and look.kind(at - 1) in ("write", "wildcard") and closing is not None:
        amount = ", wildcard" if look.kind(at - 1) == "wildcard" else ""
        return f"write `acc({look.between(at + 1, closing)}{amount})`"
    return None


def _unfold_in(look: Look, at: int, expected: str) -> str | None:
    """`unfold P(x) in { ... }` and `unfold P(x) in e`."""
    unfold = look.before(at, "unfold", "{", "}", ";")
    if expected != "a statement" or look.kind(at) != "in" or unfold is None:
        return None
    if look.kind(unfold) != "unfold":
        return None
    instance = look.between(unfold + 1, at)
    if look.kind(at + 1) != "{":
        return f"as a part of an expression it is `unfolding {instance} in {look.rest(at + 1)}`"
    return (
        f"`unfold` has no block: write `unfold {instance}`, then the statements without braces, "
        f"and `fold {instance}` after them"
    )


def _compared_alone(look: Look, at: int, expected: str) -> str | None:
    """`x == 3` as a statement."""
    if expected != "a statement" or look.kind(at) != "==" or look.kind(at - 1) != NAME:
        return None
    if look.kind(at - 2) not in ("{", "}", ";") and not look.begins_line(at - 1):
        return None
    value = look.rest(at + 1).rstrip("} ;") or look.text(at + 1)
    return f"write `{look.text(at - 1)} := {value}` to assign, or `assert` first"


def _compared_place(look: Look, at: int, expected: str) -> str | None:
    """`x.f == x.f + 1` as a statement."""
    start = look.first_of_line(at)
    is_place = look.kind(at) == "==" and look.kind(at - 2) == "." and look.kind(at - 1) == NAME
    if expected != "a statement" or not is_place or operand_start(look, at) != start:
        return None
    value = look.rest(at + 1).rstrip("} ;")
    return f"write `{look.between(start, at)} := {value}` to assign, or `assert` first"


def _of_a_range(look: Look, at: int, expected: str) -> str | None:
    """`range(0, 5)` and `0..5`."""
    if expected == "`)`" and look.kind(at) == "," and look.kind(at - 3) == "range":
        return f"write `[{look.text(at - 1)}..{look.text(at + 1)})` for the numbers in between"
    if expected == "a statement" and look.kind(at) == "..":
        return f"write `[{look.text(at - 1)}..{look.text(at + 1)})` for the numbers in between"
    return None


def _let(look: Look, at: int, expected: str) -> str | None:
    """`let x = 1` and `let mut x: Int := 1` as a statement."""
    first = look.before(at, "let")
    if first is None or expected not in ("`==`", "`(`", "`in`", "an expression"):
        return None
    if look.kind(first - 1) not in ("{", "}", ";") and not look.begins_line(first):
        return None
    name = first + 2 if look.text(first + 1) in ("mut", "ghost", "const") else first + 1
    sign = next((i for i in range(name, at + 6) if look.text(i) in ("=", ":=", "==")), None)
    if look.kind(name) != NAME or sign is None:
        return None
    value = look.rest(sign + 1).rstrip("} ;")
    if look.kind(sign) == "==":
        if " in " in value or value.endswith(" in"):
            return None
        closing = look.closing(sign + 1) if look.kind(sign + 1) == "(" else None
        whole = closing is not None and look.between(sign + 1, closing + 1) == value
        value = value[1:-1] if whole else value
    typed = look.between(name + 2, sign) if look.kind(name + 1) == ":" else ""
    type_ = foreign.own_type(typed) if typed else _type_of_value(value)
    return (
        f"a variable is declared with `var` and a type: `var {look.text(name)}: {type_} := {value}`"
    )


def _type_of_value(value: str) -> str:
    return "Bool" if value in ("true", "false") else "Ref" if value == "null" else "Int"


def _several_values(look: Look, at: int, expected: str) -> str | None:
    """`a, b := 1, 2`, and the same with `=`."""
    if look.text(at) == "=" and look.kind(at - 2) == ",":
        assigned: int | None = at
    elif expected == "a statement" and look.kind(at) == ",":
        assigned = look.before(at, ":=", "{", "}", ";")
    else:
        return None
    if assigned is None or look.text(assigned) not in (":=", "="):
        return None
    targets = look.between(look.first_of_line(assigned), assigned).strip("{ ").split(",")
    values = look.rest(assigned + 1).rstrip("} ;").split(",")
    names = [target.strip() for target in targets]
    given = [value.strip() for value in values]
    short = len(names) == len(given) == 2 and all(name.isidentifier() for name in names)
    if not short:
        return _ONE_EACH
    types = [parameter_type(look.tokens, name, at) for name in names]
    if all(type_ is not None for type_ in types):
        own = zip(names, types, given, strict=True)
        copies = " and ".join([f"`var {name}2: {type_} := {value}`" for name, type_, value in own])
        return f"parameters keep their values: declare variables, {copies}, and use these after it"
    if names[0] in re.findall(r"\w+", given[1]):
        return (
            f"write one assignment each, and keep what is overwritten: `var t: Int := {names[0]}`, "
            f"`{names[0]} := {given[0]}`, `{names[1]} := "
            + re.sub(rf"\b{names[0]}\b", "t", given[1])
            + "`"
        )
    each = f"`{names[0]} := {given[0]}`, `{names[1]} := {given[1]}`"
    return f"several targets take the results of one call: write one assignment each, {each}"


_ONE_EACH = "write one assignment each; several targets take the results of one call: `a, b := m()`"


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
    if expected in ("a declaration", "a statement") and look.kind(at) == ";":
        return "leave the `;` out"
    if expected == "a field name" and look.kind(at) == "*":
        return "name the fields one by one, as in `acc(x.f) && acc(x.g)`"
    if look.kind(at) in (")", "]", "}") and look.kind(at - 1) == ",":
        return "leave the comma before it out"
    if expected == "a field name":
        return "write the name of a field after the dot, as in `x.f`"
    return None


RULES: tuple[Rule, ...] = (
    _message, _block, _label, _bare_condition, _else_with_colon, block_of_words,
    _body_without_braces, _else,
    _of_loop, _in_a_clause, _unfold_in, _compared_alone, _compared_place,
    _of_a_range, _let, _several_values, _assigned_in_assertion, _superfluous,
)  # fmt: skip
"""In the order in which they are asked."""
