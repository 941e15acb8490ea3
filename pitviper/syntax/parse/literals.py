"""Expressions without keywords of their own: names, calls, literals, brackets, collections."""

from __future__ import annotations

from abc import ABC, abstractmethod
from sys import intern
from typing import Literal, TypeAlias

from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.foreign import is_foreign
from pitviper.syntax.parse.types import TypeParser

EXPRESSION = 1
"""The level of binding strength of a full expression."""

MAX_DIGITS = 4300
"""Python converts longer numbers to text and back only on request."""

_Collection: TypeAlias = Literal["Seq", "Set", "Multiset"]


class LiteralParser(TypeParser, ABC):
    """One method for each atomic form; a method begins at the form's first token."""

    __slots__ = ()

    # ------------------------------------------------------------ what the layer above provides

    @abstractmethod
    def climb(self, level: int) -> tree.Expr:
        """An expression whose operators bind at least as strongly as `level`."""

    @abstractmethod
    def operand(self) -> tree.Expr:
        """An atom with its suffixes."""

    def expression(self) -> tree.Expr:
        return self.climb(EXPRESSION)

    # ------------------------------------------------------------ names, calls, literals

    def name(self) -> tree.Expr:
        """`x` or `f(e,*)`."""
        at = self.at
        if self.kinds[at + 1] == "(" and self._calls(at):
            return self.call()
        self.at = at + 1
        start, end = self.starts[at], self.ends[at]
        return tree.Name(intern(self.text[start:end]), span=Span(self.file, start, end))

    def _calls(self, at: int) -> bool:
        """Is the parenthesis behind the name its argument list? Not if it is on a new line."""
        end, opening = self.ends[at], self.starts[at + 1]
        return end == opening or self.text[end:opening].strip(" \t") == ""

    def call(self) -> tree.Expr:
        at = self.at
        ascribable = at == self.ascribable
        callee = self.identifier()
        if self.ends[at] != self.starts[self.at] and not is_foreign(callee.name):
            blanks = Span(self.file, self.ends[at], self.starts[self.at])
            self.warn(f"blanks between `{callee.name}` and `(`", blanks, "remove the blanks")
        args = self.arguments()
        call = tree.Call(callee, args, span=self.span_from(self.starts[at]))
        if ascribable and self.accept(":"):
            return tree.Ascription(call, self.type_name(), span=self.span_from(self.starts[at]))
        return call

    def arguments(self) -> tuple[tree.Expr, ...]:
        """`(e,*)`."""
        opened = self.at
        self.at = opened + 1
        if self.kinds[opened + 1] == ")":
            self.at = opened + 2
            return ()
        args = [self.climb(EXPRESSION)]
        while self.kinds[self.at] == ",":
            self.at += 1
            args.append(self.climb(EXPRESSION))
        if self.kinds[self.at] != ")":
            raise self.unclosed("`,` or `)`", opened)
        self.at += 1
        return tuple(args)

    def _token(self) -> Span:
        """Consume the next token."""
        at = self.at
        self.at = at + 1
        return Span(self.file, self.starts[at], self.ends[at])

    def integer(self) -> tree.Expr:
        start, end = self.starts[self.at], self.ends[self.at]
        if end - start > MAX_DIGITS:
            message = f"this number is too long (more than {MAX_DIGITS} digits)"
            raise self.failure(message, "write it as a product of smaller ones")
        return tree.IntLiteral(int(self.text[start:end]), span=self._token())

    def true(self) -> tree.Expr:
        return tree.BoolLiteral(value=True, span=self._token())

    def false(self) -> tree.Expr:
        return tree.BoolLiteral(value=False, span=self._token())

    def null(self) -> tree.Expr:
        return tree.NullLiteral(span=self._token())

    def result(self) -> tree.Expr:
        return tree.ResultLiteral(span=self._token())

    def write(self) -> tree.Expr:
        return tree.PermLiteral("write", span=self._token())

    def none(self) -> tree.Expr:
        return tree.PermLiteral("none", span=self._token())

    def wildcard(self) -> tree.Expr:
        return tree.PermLiteral("wildcard", span=self._token())

    def epsilon(self) -> tree.Expr:
        return tree.PermLiteral("epsilon", span=self._token())

    # ------------------------------------------------------------ prefixes and brackets

    def minus(self) -> tree.Expr:
        start = self._token().start
        return tree.Unary("-", self._nested_operand(), span=self.span_from(start))

    def negation(self) -> tree.Expr:
        start = self._token().start
        return tree.Unary("!", self._nested_operand(), span=self.span_from(start))

    def _nested_operand(self) -> tree.Expr:
        self.depth += 1
        if self.depth > self.peak:
            self.deeper()
        operand = self.operand()
        self.depth -= 1
        return operand

    def parenthesised(self) -> tree.Expr:
        """`(e)`, where a call at the front may be ascribed a type: `(f(x): T)`."""
        opened = self.at
        self.at = opened + 1
        self.ascribable = opened + 1
        inner = self.climb(EXPRESSION)
        self.close(")", opened)
        return inner

    def in_parentheses(self, help_: str | None = None, level: int = EXPRESSION) -> tree.Expr:
        """`(e)` where the parentheses belong to the construct around them."""
        opened = self.expect("(", help_)
        inner = self.climb(level)
        self.close(")", opened)
        return inner

    def bracketed(self) -> tree.Expr:
        """`[A, B]` or `[low..high)`."""
        opened = self.at
        self.at = opened + 1
        start = self.starts[opened]
        first = self.climb(EXPRESSION)
        if self.accept(","):
            second = self.climb(EXPRESSION)
            if self.kinds[self.at] == ",":
                raise self.unexpected("`]`", "a sequence is written `Seq(1, 2, 3)`")
            self.close("]", opened)
            return tree.InhaleExhale(first, second, span=self.span_from(start))
        if not self.accept(".."):
            if self.kinds[self.at] == "]":
                raise self.unexpected("`,` or `..`", "a sequence is written `Seq(1, 2)`")
            raise self.unclosed("`,` or `..`", opened)
        second = self.climb(EXPRESSION)
        self.close(")", opened)
        return tree.Range(first, second, span=self.span_from(start))

    def cardinality(self) -> tree.Expr:
        opened = self.at
        self.at = opened + 1
        operand = self.climb(EXPRESSION)
        self.close("|", opened)
        return tree.Cardinality(operand, span=self.span_from(self.starts[opened]))

    def double_cardinality(self) -> tree.Expr:
        """`||e| - 1|`: where an expression begins, `||` opens twice."""
        at = self.at
        start = self.starts[at]
        self.kinds[at : at + 1] = ["|", "|"]
        self.starts[at : at + 1] = [start, start + 1]
        self.ends[at : at + 1] = [start + 1, start + 2]
        return self.cardinality()

    # ------------------------------------------------------------ collections

    def sequence(self) -> tree.Expr:
        return self._collection("Seq")

    def set_(self) -> tree.Expr:
        return self._collection("Set")

    def multiset(self) -> tree.Expr:
        return self._collection("Multiset")

    def _collection(self, kind: _Collection) -> tree.Expr:
        start = self._token().start
        type_ = None
        if self.kinds[self.at] == "[":
            opened = self.expect("[")
            type_ = self.type_name()
            self.close("]", opened)
        opened = self.expect("(")
        elements = self.comma_list(self.expression, ")", opened)
        if type_ is not None and elements:
            raise self.failure(
                "a collection has either a type argument or elements",
                f"leave out the type: `{kind}(...)`",
                elements[0].span,
            )
        return tree.CollectionLiteral(kind, type_, elements, span=self.span_from(start))

    def map_(self) -> tree.Expr:
        start = self._token().start
        types = None
        if self.accept("["):
            opened = self.at - 1
            key = self.type_name()
            self.expect(",", "write `Map[K, V]()`")
            types = (key, self.type_name())
            self.close("]", opened)
        opened = self.expect("(")
        entries = self.comma_list(self._entry, ")", opened)
        if types is not None and entries:
            raise self.failure(
                "a map has either type arguments or entries",
                "leave out the types: `Map(...)`",
                entries[0][0].span,
            )
        return tree.MapLiteral(types, entries, span=self.span_from(start))

    def _entry(self) -> tuple[tree.Expr, tree.Expr]:
        key = self.climb(EXPRESSION)
        self.expect(":=", "an entry is written `key := value`")
        return key, self.climb(EXPRESSION)

    def map_domain(self) -> tree.Expr:
        start = self._token().start
        return tree.MapDomain(self.in_parentheses(), span=self.span_from(start))

    def map_range(self) -> tree.Expr:
        start = self._token().start
        return tree.MapRange(self.in_parentheses(), span=self.span_from(start))
