"""The tokens of a wrong program, seen from a place in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pitviper.syntax.parse.complaints import MEMBER_WORDS
from pitviper.syntax.token import NAME, Tokens

_FAR = 60
"""Tokens that are looked at in front of a place, and behind it."""

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")

_BEHIND_FORMULA = (
    ";", ":=", "requires", "ensures", "invariant", "decreases", "returns", "method", "function",
    "predicate", "axiom", "assert", "assume", "inhale", "exhale", "fold", "unfold", "var", "else",
)  # fmt: skip


class Look:
    """Tokens by their index; beyond the ends there is nothing."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._last = len(tokens.kinds) - 1

    def kind(self, at: int) -> str:
        return self.tokens.kinds[at] if 0 <= at <= self._last else ""

    def text(self, at: int) -> str:
        return self.tokens.text(at) if 0 <= at <= self._last else ""

    def stuck(self, at: int) -> bool:
        """Whether a token touches the one in front of it."""
        return 0 < at <= self._last and self.tokens.ends[at - 1] == self.tokens.starts[at]

    def line(self, at: int) -> int:
        """The offset at which the line of a token begins."""
        return self.tokens.file.text.rfind("\n", 0, self.tokens.starts[at]) + 1

    def begins_line(self, at: int) -> bool:
        return not self.tokens.file.text[self.line(at) : self.tokens.starts[at]].strip()

    def ends_line(self, at: int) -> bool:
        behind = self.tokens.file.text[self.tokens.ends[at] :]
        return not behind.partition("\n")[0].strip()

    def ends_declaration(self, at: int) -> bool:
        """Whether nothing but a brace, a new line or a semicolon follows a token."""
        return self.ends_line(at) or self.kind(at + 1) in ("}", ";", "")

    def rest(self, at: int) -> str:
        """The text from a token to the end of its line."""
        start = self.tokens.starts[min(at, self._last)]
        text = self.tokens.file.text[start:].partition("\n")[0]
        return text.partition("//")[0].strip().rstrip(";")

    def rest_of_formula(self, at: int) -> str:
        """The same, as far as brackets go that are opened in it."""
        text, open_ = self.rest(at), 0
        for place, sign in enumerate(text):
            open_ += (sign in "([{") - (sign in ")]}")
            is_body = sign == "{" and open_ == 1 and place > 0 and text[place - 1] == " "
            if open_ < 0 or (is_body and not text[:place].rstrip().endswith(("::", "}"))):
                return text[:place].strip()
        return text.rstrip("{ ")

    def formula(self, start: int) -> str:
        """The text of a formula from a token on, as far as its line and its brackets go."""
        depth, here = 0, start
        while here < self._last and self.line(here) == self.line(start):
            kind = self.kind(here)
            opens_body = kind == "{" and here > start and self.kind(here - 1) not in ("::", "}")
            if depth == 0 and (kind in _BEHIND_FORMULA or opens_body):
                break
            depth += (kind in _OPENING) - (kind in _CLOSING)
            if depth < 0:
                break
            here += 1
        return self.between(start, here)

    def between(self, first: int, end: int) -> str:
        """The text from one token to the one in front of another."""
        if not 0 <= first < end <= self._last:
            return ""
        return self.tokens.file.text[self.tokens.starts[first] : self.tokens.ends[end - 1]]

    def before(self, at: int, *kinds: str) -> int | None:
        """The last token of these kinds in front of a place, not far from it."""
        for back in range(at - 1, max(at - _FAR, -1), -1):
            if self.kind(back) in kinds:
                return back
        return None

    def behind(self, at: int, *kinds: str) -> int | None:
        """The first token of these kinds behind a place, not far from it."""
        for here in range(at + 1, min(at + _FAR, self._last + 1)):
            if self.kind(here) in kinds:
                return here
        return None

    def partner(self, opened: int) -> int | None:
        """The parenthesis that closes the one of a token, not far from it."""
        depth = 0
        for here in range(opened, min(opened + _FAR, self._last + 1)):
            depth += (self.kind(here) == "(") - (self.kind(here) == ")")
            if depth == 0:
                return here
        return None

    def closing(self, opened: int) -> int | None:
        """The bracket that closes the one of a token."""
        return self._other(opened, range(opened, self._last + 1))

    def opening(self, closing: int) -> int | None:
        """The bracket that the one of a token closes."""
        return self._other(closing, range(closing, -1, -1))

    def _other(self, bracket: int, places: range) -> int | None:
        kind = self.kind(bracket)
        other = {"(": ")", "[": "]", "{": "}", ")": "(", "]": "[", "}": "{"}.get(kind)
        depth = 0
        for here in places:
            depth += (self.kind(here) == kind) - (self.kind(here) == other)
            if depth == 0:
                return here
        return None

    def enclosing(self, at: int) -> int | None:
        """The bracket that is open around a token, not far in front of it."""
        depth = 0
        for back in range(at - 1, max(at - _FAR, -1), -1):
            depth += (self.kind(back) in _CLOSING) - (self.kind(back) in _OPENING)
            if depth < 0:
                return back
        return None

    def depth(self, at: int) -> int:
        """How many braces are open in front of a token."""
        kinds = self.tokens.kinds[:at]
        return kinds.count("{") - kinds.count("}")

    def is_declared(self, name: str) -> bool:
        """Whether a method, function, predicate or macro of this file has the name."""
        words = ("method", "function", "predicate", "define")
        places = range(1, self._last + 1)
        return any(self.kind(i - 1) in words and self.text(i) == name for i in places)

    def declared(self, word: str) -> list[str]:
        """The names that the file declares with a word, such as `field`."""
        places = range(1, self._last + 1)
        return [self.text(i) for i in places if self.kind(i - 1) == word and self.kind(i) == NAME]

    def variables(self, at: int) -> list[tuple[str, str]]:
        """Parameters and variables of the member around a place, in front of it, with types."""
        first = next((i for i in range(at - 1, -1, -1) if self.kind(i) in MEMBER_WORDS[:3]), at)
        names = [i for i in range(first, at) if self.kind(i) == NAME and self.kind(i + 1) == ":"]
        return [(self.text(i), self.written_type(self.text(i), i + 1) or "") for i in names]

    def is_type(self, name: str) -> bool:
        """Whether the file declares a type of this name."""
        places = range(1, self._last + 1)
        return any(self.kind(i - 1) in ("domain", "adt") and self.text(i) == name for i in places)

    def is_domain(self, name: str) -> bool:
        """Whether the file declares a domain of this name."""
        places = range(1, self._last + 1)
        return any(self.kind(i - 1) == "domain" and self.text(i) == name for i in places)

    def is_field(self, name: str) -> bool:
        """Whether the file declares a field of this name."""
        places = range(1, self._last + 1)
        return any(self.kind(i - 1) == "field" and self.text(i) == name for i in places)

    def constructor(self, name: str) -> tuple[str, ...] | None:
        """The names of the arguments of a constructor of the file."""
        for at in range(self._last):
            if self.text(at) != name or self.kind(at + 1) != "(" or self.kind(at) != NAME:
                continue
            opened = self.before(at, "{")
            if opened is None or "adt" not in (self.kind(opened - 2), self.kind(opened - 5)):
                continue
            ended = self.closing(opened)
            if ended is not None and ended < at:
                continue
            closing = self.closing(at + 1)
            inside = range(at + 2, at + 2 if closing is None else closing)
            return tuple([self.text(i) for i in inside if self.kind(i + 1) == ":"])
        return None

    def is_argument(self, name: str) -> bool:
        """Whether a constructor of the file has an argument of this name."""
        places = [at for at in range(self._last) if self.kind(at) == "adt"]
        for opened in [self.behind(at, "{") for at in places]:
            ended = None if opened is None else self.closing(opened)
            if opened is None or ended is None:
                continue
            inside = range(opened, ended)
            if any(self.text(at) == name and self.kind(at + 1) == ":" for at in inside):
                return True
        return False

    def type_of(self, name: str, at: int) -> str | None:
        """The first word of the type that the last declaration in front of a place gives a name."""
        declared = self._declared(name, at)
        return None if declared is None else self.text(declared + 2)

    def written_type(self, name: str, at: int) -> str | None:
        """The same with its arguments, `Seq[Int]`."""
        declared = self._declared(name, at)
        if declared is None:
            return None
        closing = self.closing(declared + 3) if self.kind(declared + 3) == "[" else None
        return self.between(declared + 2, (declared + 2 if closing is None else closing) + 1)

    def element_of(self, name: str, at: int) -> str | None:
        """The type of the elements, or keys, of the collection that a name was declared as."""
        declared = self._declared(name, at)
        if declared is None or self.kind(declared + 3) != "[":
            return None
        closing, comma = self.closing(declared + 3), self.behind(declared + 3, ",")
        if closing is None:
            return None
        is_map = self.text(declared + 2) == "Map" and comma is not None
        return self.between(declared + 4, comma if is_map and comma is not None else closing)

    def _declared(self, name: str, at: int) -> int | None:
        """The name in its last declaration in front of a place, in the same member."""
        for here in range(at - 1, 0, -1):
            if self.text(here) == name and self.kind(here + 1) == ":":
                return here
            if self.kind(here) in MEMBER_WORDS[:3]:
                return None
        return None

    def result_type(self, name: str) -> str | None:
        """The type of a function of the file, or of the only result of a method."""
        for at in range(1, self._last):
            if self.text(at) != name or self.kind(at - 1) not in ("function", "method"):
                continue
            closing = self.closing(at + 1)
            if closing is None:
                return None
            behind = closing + 1
            if self.kind(behind) == "returns":
                colon, end = self.behind(behind, ":"), self.closing(behind + 1)
                several = any(self.kind(i) == "," for i in range(behind, end or behind))
                one = colon is not None and end is not None and not several
                return self.between((colon or 0) + 1, end or 0) if one else None
            if self.kind(behind) != ":":
                return None
            last = self.closing(behind + 2) if self.kind(behind + 2) == "[" else behind + 1
            return None if last is None else self.between(behind + 1, last + 1)
        return None

    def only_result(self, at: int) -> str | None:
        """The name of the result of the method around a token, where it has one only."""
        method = next((i for i in range(at, -1, -1) if self.kind(i) in MEMBER_WORDS[:3]), at)
        returns = next((i for i in range(method, at) if self.kind(i) == "returns"), at)
        closing = self.closing(returns + 1)
        if self.kind(returns + 1) != "(" or closing is None or closing > at:
            return None
        colons = [i for i in range(returns, closing) if self.kind(i) == ":"]
        return self.text(returns + 2) if len(colons) == 1 else None

    def is_operand(self, text: str) -> bool:
        """Whether a text needs no parentheses as an operand."""
        return text.replace(".", "").replace("_", "").isalnum()

    def first_of_line(self, at: int) -> int:
        """The first token of the line of a token."""
        start = self.line(at)
        while at > 0 and self.tokens.starts[at - 1] >= start:
            at -= 1
        return at

    def is_word(self, at: int) -> bool:
        return self.kind(at)[:1].isalpha()


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


Rule = Callable[[Look, int, str], str | None]
"""A token and what the parser expected there, to what to write instead."""


class Culprit(NamedTuple):
    """The tokens from `first` to `last` are wrong; without `help`, that of the place is right."""

    first: int
    last: int
    message: str
    help: str | None = None


CulpritRule = Callable[[Look, int, str], Culprit | None]
"""The same for the tokens that are to blame."""
