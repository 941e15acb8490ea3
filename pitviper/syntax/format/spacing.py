"""Blanks between tokens: one or none, by what the tokens are used for."""

from __future__ import annotations

from pitviper.syntax.format.items import Before, Mark, Start
from pitviper.syntax.format.structure import Structure
from pitviper.syntax.token import INT, NAME

_OPERANDS = frozenset(
    [NAME, INT, ")", "]", *"true false null result none write wildcard epsilon".split()]
)
"""Tokens that can end an operand: behind them, `-` is an operator and `|` closes."""
_CALLED = frozenset("Seq Set Multiset Map domain range acc perm old new ] @".split())
"""Beside names, tokens that a list of arguments may follow."""
_INDEXED = frozenset("Seq Set Multiset Map old".split())
_GLUED_TO_NEXT = frozenset("( [ . .. # !".split())
_GLUED_TO_LAST = frozenset(") ] . .. , ;".split())
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_BINDERS = frozenset({"forall", "exists", "forperm"})
_PRODUCTS = frozenset("* / \\ %".split())


def find_choices(kinds: list[str]) -> set[int]:
    """The tokens `?` and `:` of conditional expressions; other colons stand before types."""
    if "?" not in kinds:
        return set()
    found: set[int] = set()
    choices, binders = [0], [0]  # for each open bracket: how many await their `:` or `::`
    for at, kind in enumerate(kinds):
        if kind in _OPENING:
            choices.append(0)
            binders.append(0)
        elif kind in _CLOSING and len(choices) > 1:
            choices.pop()
            binders.pop()
        elif kind in _BINDERS:
            binders[-1] += 1
        elif kind == "::":
            binders[-1] -= 1
        elif kind == "?":
            choices[-1] += 1
            found.add(at)
        elif kind == ":" and choices[-1] and binders[-1] <= 0:
            choices[-1] -= 1
            found.add(at)
    return found


def find_blanks(kinds: list[str], structure: Structure) -> list[Before]:
    """What stands before each token if it does not start a line."""
    spacing = _Spacing(kinds, structure)
    return [spacing.next(at, kind) for at, kind in enumerate(kinds)]


class _Spacing:
    """Goes through the tokens in order and knows what the last one was used for."""

    def __init__(self, kinds: list[str], structure: Structure) -> None:
        self.structure = structure
        self.choices = find_choices(kinds)
        self.kinds = kinds
        self.resources = _forperm_resources(kinds)
        self.last = ""
        self.after_operand = False
        self.glued = False  # the last token keeps the next one close
        self.in_annotation = False
        self.factor = False  # the last number belongs to something that binds at least like `/`

    def next(self, at: int, kind: str) -> Before:
        if self.structure.starts[at] is not Start.NOTHING or at in self.structure.bodies:
            self.after_operand = False
            self.last = ""
        prefix = not self.after_operand and kind in ("-", "|", "||", "!")
        blank = self._blank(at, kind)
        self._remember(at, kind, glued=prefix or (kind == "/" and not blank))
        return Before.BLANK if blank else Before.NOTHING

    def _blank(self, at: int, kind: str) -> bool:
        if kind == "(":
            return not self.glued and self.last != NAME and self.last not in _CALLED
        if kind == "[":
            indexes = self.after_operand or self.last in _INDEXED
            return not self.glued and (at in self.resources or not indexes)
        if kind in ("|", "||"):
            return self._blank_before_bar(kind)
        if self.glued or kind in _GLUED_TO_LAST:
            return False
        if kind == ":":
            return at in self.choices
        if kind == "/":
            return not self._in_fraction(at)
        if kind == "}":
            return self.structure.marks[at] is Mark.BLOCK_CLOSE and self.last != "{"
        return True

    def _in_fraction(self, at: int) -> bool:
        """`1/2`, where both numbers are operands of this `/` alone."""
        numbers = self.last == INT and self.kinds[at + 1] == INT
        return numbers and not self.factor and self.kinds[at + 2] not in (".", "[")

    def _blank_before_bar(self, kind: str) -> bool:
        """Two bars side by side would be one token."""
        if self.last in ("|", "||"):
            return True
        closes = kind == "|" and self.after_operand
        return not self.glued and not closes

    def _remember(self, at: int, kind: str, *, glued: bool) -> None:
        closes_bar = kind == "|" and self.after_operand
        trigger = kind == "{" and self.structure.marks[at] is Mark.OPEN
        self.glued = glued or trigger or kind in _GLUED_TO_NEXT
        self.after_operand = closes_bar or kind in _OPERANDS
        if kind != INT:
            self.factor = kind in _PRODUCTS or (glued and kind != "|")
        if kind == "@":
            self.in_annotation = True
        elif kind == ")" and self.in_annotation:
            self.in_annotation = self.after_operand = False
            self.factor = True
        self.last = kind


def _forperm_resources(kinds: list[str]) -> set[int]:
    """The brackets around the resources of `forperm`, which look like those of type arguments."""
    if "forperm" not in kinds:
        return set()
    found: set[int] = set()
    opened: list[int] = []
    binders: list[str] = []
    closed = -1
    for at, kind in enumerate(kinds):
        if kind in _OPENING:
            opened.append(at)
        elif kind in _CLOSING:
            closed = opened.pop()
        elif kind in _BINDERS or kind == "quasihavocall":
            binders.append(kind)
        elif kind == "::" and binders.pop() == "forperm":
            found.add(closed)
    return found
