"""Operators and other signs as other languages and mathematics write them."""

from __future__ import annotations

import re
from typing import NamedTuple

from pitviper.syntax.parse.mistakes.look import Look
from pitviper.syntax.parse.mistakes.operands import operand_end, operand_start
from pitviper.syntax.parse.mistakes.values.wanted import place_type
from pitviper.syntax.token import BAD, INT, NAME


class Sign(NamedTuple):
    """The tokens from `first` to `last` are meant as one operator."""

    first: int
    last: int
    message: str
    help: str


_COMPARING = {
    "=/=": "!=", "=!=": "!=", "~=": "!=", "><": "!=", "=\\=": "!=", "≠": "!=", "≢": "!=",
    "≤": "<=", "≦": "<=", "⩽": "<=", "=<": "<=",
    "≥": ">=", "≧": ">=", "⩾": ">=",
    "≡": "==", "≟": "==",
    "∈": "in", "⊆": "subset", "⊂": "subset",
    "∪": "union", "∩": "intersection", "∖": "setminus",
    "×": "*", "·": "*", "⋅": "*", "∗": "*", "÷": "\\", "−": "-", "–": "-",
}  # fmt: skip
"""Operators of short operands, which are repeated, with what they are called here."""

_JOINING = {
    "⇒": "==>", "→": "==>", "⟹": "==>", "⟶": "==>", "⇔": "<==>", "↔": "<==>", "⟺": "<==>",
    "<->": "<==>", "<-->": "<==>", "-->": "==>", "∧": "&&", "∨": "||", "¬": "!",
    "⊕": "!=", "⊻": "!=", "…": "..", "∷": "::", "←": ":=", "≔": ":=", "≜": ":=", "←→": "<==>",
}  # fmt: skip
"""Operators between formulas, which are not repeated."""

_WORDS = {
    "ℤ": "`Int` is the type of integers",
    "ℕ": "`Int` is the type of integers: say `x >= 0` beside it",
    "ℝ": "`Perm` is the type of fractions; there are no other numbers but `Int`",
    "𝔹": "`Bool` is the type of truth values",
    "⊤": "write `true`",
    "⊥": "write `false`",
    "λ": "functions are declared by name: `function f(x: Int): Int { ... }`",
    "½": "write `1/2`",
    "¼": "write `1/4`",
    "∅": "an empty set is `Set[Int]()`, with the type of its elements",
    "ø": "an empty set is `Set[Int]()`, with the type of its elements",
    "∞": "there is no infinite number",
    "\u00a0": "this is a blank of a special kind: write an ordinary one",
    "\u200b": "this character is invisible: take it out",
    "\ufeff": "this character is invisible: take it out",
    "\u2018": 'write plain quotes, `"`',
    "\u2019": 'write plain quotes, `"`',
    "\u201c": 'write plain quotes, `"`',
    "\u201d": 'write plain quotes, `"`',
    "\u201e": 'write plain quotes, `"`',
    "«": 'write plain quotes, `"`',
}
_POWERS = {"²": 2, "³": 3}
_BINDERS = {"∀": "forall", "∃": "exists"}
_SIGN_PARTS = frozenset("=/~!<>-\\:.^*+&|")
_SHORT = 20
"""Characters of an operand that is repeated."""


def foreign_sign(look: Look, at: int) -> Sign | None:
    """The operator of another language at a token, or right behind it."""
    first = at
    while look.stuck(first) and look.kind(first - 1) in _SIGN_PARTS | {BAD, "==", "!=", "<=", ">="}:
        first -= 1
    last = at
    while look.stuck(last + 1) and _is_sign(look, last + 1):
        last += 1
    for end in range(last, first - 1, -1):
        for start in range(first, min(at, end) + 1):
            written = look.between(start, end + 1)
            if len(written) > 1 and (told := _several(look, written, start, end)):
                return Sign(start, end, f"there is no `{written}`", told)
    return None


def _is_sign(look: Look, at: int) -> bool:
    return look.kind(at) in _SIGN_PARTS | {BAD, "==", "!=", "<=", ">=", "..", "::"}


def _several(look: Look, written: str, start: int, end: int) -> str | None:
    """About a sign of several characters, none of which is a letter of mathematics."""
    if not written.isascii() or not _between_operands(look, start, end):
        return None
    if written == "|->":
        return _points_to(look, start, end)
    if written in _COMPARING:
        return _compared(look, _COMPARING[written], start, end)
    if written in ("<<", ">>"):
        return _shifted(look, written, start, end)
    of_wand = look.before(start, "package", "apply", "{", "}", ";")
    if written == "-->" and look.kind(of_wand or 0) in ("package", "apply"):
        return "write `--*` for a magic wand"
    return f"write `{_JOINING[written]}`" if written in _JOINING else None


def _points_to(look: Look, start: int, end: int) -> str | None:
    """`x.f |-> 3` of separation logic; `Map(1 |-> 2)` is no such thing."""
    opened = look.enclosing(start)
    if opened is not None and look.kind(opened - 1) in ("Map", NAME, "]"):
        return None
    first = operand_start(look, start)
    place = look.between(first, start)
    if "." not in place:
        fields = look.declared("field")
        place = f"{place}.{fields[0] if fields else 'f'}"
    value = look.formula(end + 1)
    if "|->" in value or re.search(r"&&|==>|\*\s*acc\b|\*\*", value):
        value = look.between(end + 1, operand_end(look, end + 1))
    if look.text(end + 1) == "?" or value.startswith("?"):
        return (
            f"write `acc({place})`; the value needs no name: it is `{place}`, and `old({place})` "
            "is the one at the start"
        )
    fact = "" if value in ("_", "") else f" && {place} == {value}"
    return f"write `acc({place}){fact}`"


def _between_operands(look: Look, start: int, end: int) -> bool:
    return look.kind(start - 1) in (NAME, INT, ")", "]", "|", "true", "false", "null", "result")


def single_sign(look: Look, at: int, _: str) -> str | None:
    """About one unknown character."""
    if look.kind(at) != BAD:
        return None
    sign = look.text(at)[0]
    if sign.isalpha() and sign not in _WORDS:
        return "a name consists of the letters `a` to `z`, also capital ones, digits and `_`"
    if sign == "=" and look.text(at + 1) == ">" and look.stuck(at + 1):
        is_number = look.kind(at + 2) == INT and look.kind(at - 1) in (NAME, "]", ")", "|")
        return _at_least(look, at) if is_number else None
    if sign == "=" and look.kind(at - 1) in ("<", ">", "!") and not look.stuck(at):
        return _compared(look, f"{look.kind(at - 1)}=", at - 1, at)
    if sign == "^":
        return _caret(look, at)
    if sign == "∉":
        left, right = _sides(look, at, at)
        return f"write `!({left} in {right})`" if left and right else "write `!(x in s)`"
    if sign in _POWERS:
        base = look.between(operand_start(look, at), at)
        return f"there is no power: write `{' * '.join([base] * _POWERS[sign])}`"
    if sign in _BINDERS:
        return _binder(look, at, _BINDERS[sign])
    if sign in "⇒→" and look.kind(look.first_of_line(at)) == "method":
        return None
    if sign in _COMPARING:
        return _compared(look, _COMPARING[sign], at, at)
    return f"write `{_JOINING[sign]}`" if sign in _JOINING else _WORDS.get(sign)


def _caret(look: Look, at: int) -> str | None:
    """`a ^ b` where the types are known: the exclusive or of Booleans, or a power."""
    left, right = operand_start(look, at), operand_end(look, at + 1)
    texts = look.between(left, at), look.between(at + 1, right)
    types = place_type(look, at), place_type(look, right)
    formulas = [text.startswith("(") and re.search(r"[<>=]|&&|\|\|", text) for text in texts]
    if ("Bool" in types or all(formulas)) and all(texts) and look.kind(left - 1) not in _TIGHT:
        return f"between Booleans, write `!=`: `{texts[0]} != {texts[1]}`"
    if types == ("Int", "Int"):
        return "there is no power: multiply, or declare a recursive function for it"
    return None


def _at_least(look: Look, at: int) -> str:
    left, right = _sides(look, at, at + 1)
    return f"write `>=` for at least, `{left} >= {right}`; `==>` is the implication"


def _compared(look: Look, own: str, start: int, end: int) -> str:
    left, right = _sides(look, start, end)
    return f"write `{own}`: `{left} {own} {right}`" if left and right else f"write `{own}`"


def _shifted(look: Look, written: str, start: int, end: int) -> str:
    left, right = _sides(look, start, end)
    if not left or not right.isdecimal() or int(right) > _MOST_BITS:
        return "numbers have no bits: multiply by a power of 2, or divide by it with `\\`"
    sign = "*" if written == "<<" else "\\"
    return f"numbers have no bits: write `{left} {sign} {2 ** int(right)}`"


_MOST_BITS = 16

_TIGHT = ("+", "-", "*", "/", "%", "\\", "++", ".", "..", "union", "|")


def _sides(look: Look, start: int, end: int) -> tuple[str, str]:
    """The operands around a sign; nothing where one of them may be a part of a longer one."""
    left, right = operand_start(look, start), operand_end(look, end + 1)
    texts = look.between(left, start), look.between(end + 1, right)
    if look.kind(left - 1) in _TIGHT or look.kind(right) in _TIGHT:
        return "", ""
    simple = all(0 < len(text) <= _SHORT and "\n" not in text for text in texts)
    known = look.kind(end + 1) in (NAME, INT, "(", "true", "false", "null", "result", "old", "Set")
    return texts if simple and known and _between_operands(look, start, end) else ("", "")


def _binder(look: Look, at: int, word: str) -> str:
    """`forall x: Int :: ...` with the rest of the line, where nothing else is foreign in it."""
    rest = look.formula(at + 1)
    if rest.isascii() and "::" in rest and ":" in rest.partition("::")[0]:
        return f"write `{word} {rest}`"
    name = look.text(at + 1)
    return f"write `{word} {name if name.isidentifier() else 'x'}: Int :: ...`"
