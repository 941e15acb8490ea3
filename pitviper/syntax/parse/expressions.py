"""Operators and suffixes by binding strength."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.parse.atoms import ATOMS, WAND, AtomParser
from pitviper.syntax.parse.literals import EXPRESSION
from pitviper.syntax.token import NAME

IFF, IMPLIES, OR, AND, EQUALITY, COMPARISON, SUM, PRODUCT = 2, 3, 5, 6, 7, 8, 9, 10
"""Levels of binding strength, loosest first; EXPRESSION is 1 and WAND is 4."""

_RIGHT: dict[str, tree.BinaryOp] = {"<==>": "<==>", "==>": "==>", "==": "==", "!=": "!="}
_SUM: dict[str, tree.BinaryOp] = {
    "+": "+", "-": "-", "++": "++",
    "union": "union", "intersection": "intersection", "setminus": "setminus", "subset": "subset",
}  # fmt: skip
_PRODUCT: dict[str, tree.BinaryOp] = {"*": "*", "/": "/", "\\": "\\", "%": "%"}
_COMPARISON: dict[str, tree.ComparisonOp] = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "in": "in"}

LEVELS: dict[str, int] = {
    "?": EXPRESSION, "<==>": IFF, "==>": IMPLIES, "--*": WAND, "||": OR, "&&": AND,
    "==": EQUALITY, "!=": EQUALITY,
    **dict.fromkeys(_COMPARISON, COMPARISON),
    **dict.fromkeys(_SUM, SUM),
    **dict.fromkeys(_PRODUCT, PRODUCT),
}  # fmt: skip
"""Every infix operator with its level."""


class ExprParser(AtomParser):
    """Precedence climbing: `climb` reads an operand, then hands it to the rule of each operator.

    A rule gets the offset where its left operand starts, parentheses included: nodes of the levels
    up to EQUALITY begin there, tighter ones inside the parentheses of their left operand.
    """

    __slots__ = ()

    def climb(self, level: int) -> tree.Expr:
        self.depth = depth = self.depth + 1
        if depth > self.peak:
            self.deeper()
        start = self.starts[self.at]
        left = self.operand()
        kinds = self.kinds
        found = LEVELS.get(kinds[self.at], 0)
        while found >= level:
            left = _RULES[found](self, start, left)
            found = LEVELS.get(kinds[self.at], 0)
        self.depth = depth - 1
        return left

    # ------------------------------------------------------------ operators

    def conditional(self, start: int, left: tree.Expr) -> tree.Expr:
        self.at += 1
        then = self.climb(EXPRESSION)
        self.expect(":", "write `condition ? e1 : e2`")
        otherwise = self.climb(EXPRESSION)
        return tree.Conditional(left, then, otherwise, span=self.span_from(start))

    def right_associative(self, start: int, left: tree.Expr) -> tree.Expr:
        """`<==>`, `==>`, `==`, `!=`."""
        kind = self.kinds[self.at]
        self.at += 1
        right = self.climb(LEVELS[kind])
        return tree.Binary(_RIGHT[kind], left, right, span=self.span_from(start))

    def wand(self, start: int, left: tree.Expr) -> tree.Expr:
        """The right side of `--*` is a full expression."""
        self.at += 1
        return tree.Wand(left, self.climb(EXPRESSION), span=self.span_from(start))

    def disjunction(self, start: int, left: tree.Expr) -> tree.Expr:
        operands = [left]
        while self.accept("||"):
            operands.append(self.climb(AND))
        return tree.Or(tuple(operands), span=self.span_from(start))

    def conjunction(self, start: int, left: tree.Expr) -> tree.Expr:
        operands = [left]
        while self.accept("&&"):
            operands.append(self.climb(EQUALITY))
        return tree.And(tuple(operands), span=self.span_from(start))

    def comparison(self, start: int, left: tree.Expr) -> tree.Expr:
        operands = [left]
        ops: list[tree.ComparisonOp] = []
        while (op := _COMPARISON.get(self.kinds[self.at])) is not None:
            self.at += 1
            ops.append(op)
            operands.append(self.climb(SUM))
        return tree.Comparison(tuple(operands), tuple(ops), span=self.span_from(left.span.start))

    def sum(self, start: int, left: tree.Expr) -> tree.Expr:
        chain = 0
        while (op := _SUM.get(self.kinds[self.at])) is not None:
            self.at += 1
            right = self.climb(PRODUCT)
            left = tree.Binary(op, left, right, span=self.span_from(left.span.start))
            chain += 1
            if chain > self.chain:
                self.longer(chain)
        return left

    def product(self, start: int, left: tree.Expr) -> tree.Expr:
        chain = 0
        while (op := _PRODUCT.get(self.kinds[self.at])) is not None:
            self.at += 1
            right = self.operand()
            left = tree.Binary(op, left, right, span=self.span_from(left.span.start))
            chain += 1
            if chain > self.chain:
                self.longer(chain)
        return left

    # ------------------------------------------------------------ suffixes

    def operand(self) -> tree.Expr:
        kinds = self.kinds
        parse = ATOMS.get(kinds[self.at])
        if parse is None:
            raise self.no_operand()
        expr = parse(self)
        chain = 0
        while (kind := kinds[self.at]) == "." or kind == "[":
            expr = self._field(expr) if kind == "." else self._bracket(expr)
            chain += 1
            if chain > self.chain:
                self.longer(chain)
        return expr

    def _field(self, receiver: tree.Expr) -> tree.Expr:
        self.at += 1
        if self.kinds[self.at] != NAME:
            raise self.unexpected("a field name")
        field = self.identifier()
        span = Span(self.file, receiver.span.start, field.span.end)
        return tree.FieldAccess(receiver, field, span=span)

    def _bracket(self, base: tree.Expr) -> tree.Expr:
        """`[i]`, `[i := v]`, `[i..j]`, `[i..]`, `[..j]`."""
        opened = self.at
        start = base.span.start
        self.at = opened + 1
        if self.accept(".."):
            high = self.climb(EXPRESSION)
            self.close("]", opened)
            return tree.Slice(base, None, high, span=self.span_from(start))
        index = self.climb(EXPRESSION)
        if self.accept(":="):
            value = self.climb(EXPRESSION)
            self.close("]", opened)
            return tree.Update(base, index, value, span=self.span_from(start))
        if self.accept(".."):
            bound = None if self.kinds[self.at] == "]" else self.climb(EXPRESSION)
            self.close("]", opened)
            return tree.Slice(base, index, bound, span=self.span_from(start))
        self.close("]", opened)
        return tree.Index(base, index, span=self.span_from(start))


_RULES: dict[int, Callable[[ExprParser, int, tree.Expr], tree.Expr]] = {
    EXPRESSION: ExprParser.conditional,
    IFF: ExprParser.right_associative,
    IMPLIES: ExprParser.right_associative,
    WAND: ExprParser.wand,
    OR: ExprParser.disjunction,
    AND: ExprParser.conjunction,
    EQUALITY: ExprParser.right_associative,
    COMPARISON: ExprParser.comparison,
    SUM: ExprParser.sum,
    PRODUCT: ExprParser.product,
}
