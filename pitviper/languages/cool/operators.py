"""Rows of operators: precedence and the meaning of `*`, once the operands have types."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pitviper.languages.cool import tree
from pitviper.languages.cool import types as ct
from pitviper.languages.cool.build import conjunction
from pitviper.languages.cool.scope import Scope, Typed
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.source.span import Span

_LEVELS = {
    "<==>": 1, "==>": 2, "||": 3, "&&": 4, "**": 4, "==": 5, "!=": 5,
    "<": 6, "<=": 6, ">": 6, ">=": 6, "in": 6,
    "+": 7, "-": 7, "++": 7, "union": 7, "intersection": 7, "setminus": 7,
    "*": 8, "/": 8, "%": 8,
}  # fmt: skip
_HIGHEST = 8
_RELATIONS = {"<", "<=", ">", ">="}

_ARITHMETIC = {
    "+": x.IntOp.ADD, "-": x.IntOp.SUB, "*": x.IntOp.MUL, "/": x.IntOp.DIV, "%": x.IntOp.MOD
}  # fmt: skip
_SETS = {
    "union": x.SetOp.UNION,
    "intersection": x.SetOp.INTERSECTION,
    "setminus": x.SetOp.DIFFERENCE,
}


def word(type_: ct.CoolType) -> str:
    """A type in a sentence."""
    match type_:
        case ct.ClassT() | ct.ArrayT() | ct.SeqT() | ct.SetT():
            text = str(type_)
            return f"{'an' if text[0] in 'AEIOUi' else 'a'} `{text}`"
        case ct.NULL:
            return "`null`"
        case ct.INT:
            return "a number (`int`)"
        case ct.BOOL:
            return "a condition (`bool`)"
        case ct.ASSERTION:
            return "an assertion about permissions"
        case _:
            return f"`{type_}`"


def converted(text: str, given: ct.CoolType, wanted: ct.CoolType) -> str | None:
    """How a value is written as one of another type, where that can be meant."""
    if wanted == ct.BOOL and given == ct.INT:
        return f"write `{text} != 0`"
    if wanted == ct.BOOL and isinstance(given, ct.ClassT | ct.ArrayT):
        return f"write `{text} != null`"
    if wanted == ct.INT and given == ct.BOOL:
        return f"write `{text} ? 1 : 0`"
    if given == ct.NULL and wanted in (ct.INT, ct.BOOL):
        return "only objects and arrays can be `null`"
    return None


def chain(e: tree.Chain, operands: Sequence[Typed], scope: Scope) -> Typed:
    """The row as a tree, by precedence; NOTE(flat-operators) says why this is done so late."""
    symbols = [
        "**" if o.symbol == "*" and not _multiplies(operands[i], operands[i + 1]) else o.symbol
        for i, o in enumerate(e.operators)
    ]
    return _Row(symbols, [o.span for o in e.operators], list(operands), scope).parse(1)


def around(first: Span, last: Span) -> Span:
    """From one operand to another with their parentheses: `(a + b) % n`, not `a + b) % n`."""
    text, start, end = first.file.text, first.start, last.end
    missing = [0, 0]  # in front and behind
    for sign in text[start:end]:
        if sign == ")" and not missing[1]:
            missing[0] += 1
        elif sign in "()":
            missing[1] += 1 if sign == "(" else -1
    for _ in range(missing[0]):
        before = text[:start].rstrip()
        start = len(before) - 1 if before.endswith("(") else start
    for _ in range(missing[1]):
        behind = len(text) - len(text[end:].lstrip())
        end = behind + 1 if text[behind : behind + 1] == ")" else end
    return Span(first.file, start, end)


def _multiplies(left: Typed, right: Typed) -> bool:
    numbers = (ct.INT, ct.AMOUNT, ct.NOTHING)
    return left.type in numbers and right.type in numbers


class _Row:
    def __init__(
        self, symbols: list[str], spans: list[Span], operands: list[Typed], scope: Scope
    ) -> None:
        self._symbols = symbols
        self._spans = spans
        self._operands = operands
        self._scope = scope
        self._at = 0
        self._separates = "**" in symbols

    def _level(self) -> int:
        return _LEVELS[self._symbols[self._at]] if self._at < len(self._symbols) else 0

    def parse(self, level: int) -> Typed:
        if level > _HIGHEST:
            return self._operands[self._at]
        left = self.parse(level + 1)
        if level == 2 and self._level() == 2:
            return self._implication(left)
        parts: list[Typed] = [left]
        found: list[tuple[str, Span]] = []
        while self._level() == level:
            found.append((self._symbols[self._at], self._spans[self._at]))
            self._at += 1
            parts.append(self.parse(level + 1))
        if not found:
            return left
        if level == 4:
            return self._conjunction(parts)
        if level == 6 and len(found) > 1 and all(s in _RELATIONS for s, _ in found):
            self._warn_of_products(parts[1:-1])
            pairs = zip(parts, found, parts[1:], strict=False)
            return self._conjunction([self._binary(one, o, two) for one, o, two in pairs])
        result = left
        for operator, right in zip(found, parts[1:], strict=True):
            result = self._binary(result, operator, right)
        return result

    def _warn_of_products(self, middle: Sequence[Typed]) -> None:
        """`0 <= i * i < n` multiplies; nobody means that who writes `*` between conditions."""
        for part in middle:
            match part.value:
                case x.IntArith(x.IntOp.MUL, left, right) if left == right or self._separates:
                    message = f"`*` multiplies here: `{part.span.text}` is a number"
                    cure = "write `&&` between conditions, or `0 <= i < n` for both bounds of `i`"
                    self._scope.report.warning(part.span, message, help=cure)

    def _implication(self, left: Typed) -> Typed:
        place = self._spans[self._at]
        self._at += 1
        right = self.parse(2)
        span = around(left.span, right.span)
        condition = self._pure(left, ct.BOOL, place)
        if isinstance(right.value, a.Impure):
            return Typed(a.Guarded(condition, right.value, span=span), ct.ASSERTION)
        return Typed(x.Implies(condition, self._pure(right, ct.BOOL, place), span=span), ct.BOOL)

    def _conjunction(self, parts: list[Typed]) -> Typed:
        for part in parts:
            if part.type not in (ct.BOOL, ct.ASSERTION, ct.NOTHING):
                message = f"this is {word(part.type)}, expected a condition"
                cure = converted(part.span.text, part.type, ct.BOOL)
                if "*" in self._symbols or "**" in self._symbols:
                    cure = "`*` between numbers multiplies: write `&&`, or put it in parentheses"
                self._scope.error(part.span, message, cure)
        span = around(parts[0].span, parts[-1].span)
        whole = conjunction([part.value for part in parts], span)
        return Typed(whole, ct.ASSERTION if isinstance(whole, a.Impure) else ct.BOOL)

    def _pure(self, part: Typed, wanted: ct.CoolType, place: Span) -> x.Expr:
        if isinstance(part.value, a.Impure):
            cure = "permissions are combined by `&&`, `*`, `==>` and `? :`"
            if (
                isinstance(part.value, a.Star)
                and place.file.text[part.span.end :].lstrip()[:3] == "==>"
            ):
                cure = (
                    "`==>` binds less than `&&`: put parentheses around the implication, "
                    "`... && (c ==> ...)`"
                )
            self._scope.error(part.span, "a permission is no value", cure)
            return x.NullLit(span=place)
        if part.type not in (wanted, ct.NOTHING):
            told = f"this is {word(part.type)}, expected {word(wanted)}"
            self._scope.error(part.span, told, converted(part.span.text, part.type, wanted))
        return part.value

    def _binary(self, left: Typed, operator: tuple[str, Span], right: Typed) -> Typed:
        symbol, place = operator
        span = around(left.span, right.span)

        def both(wanted: ct.CoolType) -> tuple[x.Expr, x.Expr]:
            return self._pure(left, wanted, place), self._pure(right, wanted, place)

        match symbol:
            case "==" | "!=":
                return self._equality(left, operator, right)
            case "<==>":
                return Typed(x.Equal(*both(ct.BOOL), span=span), ct.BOOL)
            case "||":
                return Typed(x.Or(both(ct.BOOL), span=span), ct.BOOL)
            case "<" | "<=" | ">" | ">=":
                return Typed(x.Compare(x.CompareOp(symbol), *both(ct.INT), span=span), ct.BOOL)
            case "in" | "++" | "union" | "intersection" | "setminus":
                return self._collections(left, symbol, right)
            case "+" if isinstance(left.type, ct.SeqT):
                cure = "`++` puts sequences together"
                return self._scope.error(place, "`+` adds numbers", cure)
            case _:
                return Typed(x.IntArith(_ARITHMETIC[symbol], *both(ct.INT), span=span), ct.INT)

    def _mixes(self) -> bool:
        """Whether numbers are multiplied in this row where conditions may be meant."""
        return "*" in self._symbols and bool({"**", "&&"} & {*self._symbols})

    def _equality(self, left: Typed, operator: tuple[str, Span], right: Typed) -> Typed:
        symbol, place = operator
        fits = self._scope.table.fits
        if not (fits(left.type, right.type) or fits(right.type, left.type)):
            message = f"{word(left.type)} is never equal to {word(right.type)}"
            is_product = any(isinstance(part.value, x.IntArith) for part in (left, right))
            cure = "`*` between numbers multiplies: write `&&` between conditions"
            return self._scope.error(place, message, cure if is_product or self._mixes() else None)
        parts = self._pure(left, left.type, place), self._pure(right, right.type, place)
        make: Callable[..., x.Expr] = x.Equal if symbol == "==" else x.NotEqual
        return Typed(make(*parts, span=around(left.span, right.span)), ct.BOOL)

    def _collections(self, left: Typed, symbol: str, right: Typed) -> Typed:
        span = around(left.span, right.span)
        kind = right.type
        if symbol == "in" and isinstance(kind, ct.SeqT | ct.SetT):
            fits = self._scope.table.fits(left.type, kind.element)
            element = self._pure(left, left.type if fits else kind.element, left.span)
            collection = self._pure(right, kind, right.span)
            make: Callable[..., x.Expr] = (
                x.SeqContains if isinstance(kind, ct.SeqT) else x.SetContains
            )
            return Typed(make(element, collection, span=span), ct.BOOL)
        wanted = ct.SeqT if symbol == "++" else ct.SetT
        if ct.NOTHING in (left.type, kind):
            return Typed(left.value, ct.NOTHING)
        if symbol == "in" or not isinstance(kind, wanted) or left.type != kind:
            what = "sequences" if symbol == "++" else "sets"
            message = f"`{symbol}` is about {what}, found {word(left.type)} and {word(kind)}"
            return self._scope.error(span, message)
        parts = self._pure(left, kind, span), self._pure(right, kind, span)
        if symbol == "++":
            return Typed(x.SeqAppend(*parts, span=span), kind)
        return Typed(x.SetBinary(_SETS[symbol], *parts, span=span), kind)
