"""The rules that expressions, statements and members share: types, bindings, annotations."""

from __future__ import annotations

from sys import intern

from pitviper.source.span import Span
from pitviper.syntax.parse.cursor import Cursor
from pitviper.syntax.token import INT, NAME, STRING
from pitviper.syntax.tree import Annotation, TypeName, VarBinding

_PLAIN = frozenset({"Int", "Bool", "Ref", "Perm", "Rational"})
_ARITY = {"Seq": 1, "Set": 1, "Multiset": 1, "Map": 2}

_LOOK_AHEAD = 1000
"""Tokens to look at for a closing bracket; a bound, so that no input takes quadratic time."""


class TypeParser(Cursor):
    """Types, `x: T` bindings and `@key("v")` annotations."""

    __slots__ = ()

    # ------------------------------------------------------------ types

    def type_name(self) -> TypeName:
        at, kind = self.at, self.kinds[self.at]
        start = self.starts[at]
        if kind == NAME:
            self.at = at + 1
            name = intern(self.text[start : self.ends[at]])
            args = self._type_args() if self.kinds[self.at] == "[" else None
        elif kind in _PLAIN:
            self.at = at + 1
            name, args = kind, None
            if self.kinds[self.at] == "[" and self._is_array():
                raise self.failure(
                    f"there is no type `{kind}[...]`",
                    f"there are no arrays: write `Seq[{kind}]` for a sequence",
                    self.span_from(start),
                )
            if kind == "Rational":
                self.warn("Rational is deprecated, use Perm instead", self.span_from(start))
        elif kind in _ARITY:
            self.at = at + 1
            name, args = kind, self._collection_args(kind)
        else:
            raise self.unexpected("a type")
        return TypeName(name, args, span=self.span_from(start))

    def _is_array(self) -> bool:
        """Whether brackets with nothing or a number follow: those of `forperm` have a location."""
        return self.kinds[self.at + 1] == "]" or self.kinds[self.at + 1 : self.at + 3] == [INT, "]"]

    def _collection_args(self, kind: str) -> tuple[TypeName, ...]:
        shape = "[K, V]" if kind == "Map" else "[T]"
        if self.kinds[self.at] != "[":
            raise self.unexpected("`[`", f"write `{kind}{shape}`")
        before = self.at
        args = self._type_args()
        if len(args) != _ARITY[kind]:
            span = self.span_from(self.starts[before])
            raise self.failure(
                f"wrong number of type arguments of {kind}", f"write `{kind}{shape}`", span
            )
        return args

    def _type_args(self) -> tuple[TypeName, ...]:
        self.depth += 1
        if self.depth > self.peak:
            self.deeper()
        opened = self.expect("[")
        args = self.comma_list(self.type_name, "]", opened)
        self.depth -= 1
        return args

    def type_before_resource(self) -> TypeName:
        """A type of a `forperm` variable: a bracket group in front of `::` is the resource."""
        at = self.at
        if self.kinds[at] == NAME and self.kinds[at + 1] == "[" and self._closes_binders(at + 1):
            self.at = at + 1
            start, end = self.starts[at], self.ends[at]
            return TypeName(intern(self.text[start:end]), span=Span(self.file, start, end))
        return self.type_name()

    def _closes_binders(self, opened: int) -> bool:
        """Whether the group that a bracket opens ends in front of `::`; `[a..b)` is a group too."""
        depth = 0
        for at in range(opened, min(opened + _LOOK_AHEAD, len(self.kinds))):
            if self.kinds[at] in ("[", "("):
                depth += 1
            elif self.kinds[at] in ("]", ")"):
                depth -= 1
                if depth == 0:
                    return self.kinds[at] == "]" and self.kinds[at + 1] == "::"
        return False

    # ------------------------------------------------------------ bindings

    def binding(self) -> VarBinding:
        """`x: T`."""
        name = self.identifier()
        if not self.accept(":"):
            raise self.missing_type(name, f"say its type as well: `{name.name}: Int`")
        return VarBinding(name, self.type_name(), span=self.span_from(name.span.start))

    def resource_binding(self) -> VarBinding:
        name = self.identifier()
        self.expect(":", "every variable is declared with its type, as in `x: Ref`")
        type_ = self.type_before_resource()
        return VarBinding(name, type_, span=self.span_from(name.span.start))

    def parameters(self) -> tuple[VarBinding, ...]:
        """`(x: T, y: U)`."""
        opened = self.expect("(", self._parameter_help())
        return self.comma_list(self.binding, ")", opened)

    def _parameter_help(self) -> str | None:
        """About a list of parameters or results that is not there."""
        if self.kinds[self.at - 1] == "returns":
            named = self.kinds[self.at] == NAME and self.kinds[self.at + 1] == ":"
            if named:
                result = f"{self.tokens.text(self.at)}: {self.tokens.text(self.at + 2)}"
                return f"results stand in parentheses: `returns ({result})`"
            return "name the result, in parentheses: `returns (res: Int)`"
        return "parameters stand in parentheses, `()` where there are none"

    # ------------------------------------------------------------ strings and annotations

    def string(self) -> str:
        """The text between the quotes; white space behind the first quote does not count."""
        at = self.at
        if self.kinds[at] != STRING:
            raise self.unexpected("a string", 'write it between quotes, as in `"text"`')
        value = self.text[self.starts[at] + 1 : self.ends[at] - 1].lstrip(" \t\r\n")
        if not value:
            raise self.failure("this string is empty", "write something between the quotes")
        self.at = at + 1
        return value

    def annotations(self) -> tuple[Annotation, ...]:
        """All annotations that stand in a row."""
        found: list[Annotation] = []
        while self.kinds[self.at] == "@":
            found.append(self._annotation())
        return tuple(found)

    def _annotation(self) -> Annotation:
        at = self.at
        start = self.starts[at]
        key = self.text[start + 1 : self.ends[at]]
        self.at = at + 1
        opened = self.expect("(", f'write `@{key}()` or `@{key}("value")`')
        values = self.comma_list(self.string, ")", opened)
        return Annotation(key, values, span=self.span_from(start))
