"""Members of a program."""

from __future__ import annotations

import re
from collections.abc import Callable

from pitviper.base.record import replace
from pitviper.syntax import tree
from pitviper.syntax.parse.atoms import ATOMS
from pitviper.syntax.parse.statements import StmtParser
from pitviper.syntax.token import NAME

_PATH = re.compile(r"<[ \t]*([^<>\"\r\n]*[^<>\"\s])[ \t]*>")
"""The path of a library file, which is no sequence of tokens."""


class MemberParser(StmtParser):
    """One method for each member; it begins at the member's keyword."""

    __slots__ = ()

    def member(self) -> tree.Member:
        start = self.starts[self.at]
        annotations = self.annotations()
        parse = MEMBERS.get(self.kinds[self.at])
        if parse is None:
            raise self.unexpected("a declaration")
        member = parse(self)
        if not annotations:
            return member
        return replace(member, annotations=annotations, span=self.span_from(start))

    # ------------------------------------------------------------ imported files and fields

    def import_(self) -> tree.Member:
        start = self.starts[self.at]
        self.at += 1
        if self.kinds[self.at] != "<":
            return tree.Import(self.string(), library=False, span=self.span_from(start))
        found = _PATH.match(self.text, self.starts[self.at])
        if found is None:
            help_ = 'write `import <decreases/int.vpr>`, or `import "file.vpr"` for a file of yours'
            raise self.failure("expected a path between `<` and `>`", help_)
        while self.starts[self.at] < found.end():
            self.at += 1
        return tree.Import(found[1], library=True, span=self.span_from(start))

    def field(self) -> tree.Member:
        start = self.starts[self.at]
        self.at += 1
        fields = self.comma_items(self.binding)
        self.accept(";")
        return tree.FieldDeclaration(fields, span=self.span_from(start))

    # ------------------------------------------------------------ methods, functions, predicates

    def method(self) -> tree.Member:
        start = self.starts[self.at]
        self.at += 1
        name = self.identifier()
        params = self.parameters()
        returns = self.parameters() if self.accept("returns") else None
        specs = self._contract()
        body = self.block() if self.kinds[self.at] == "{" else None
        return tree.Method(name, params, returns, specs, body, span=self.span_from(start))

    def function(self) -> tree.Member:
        start = self.starts[self.at]
        self.at += 1
        name = self.identifier()
        params = self.parameters()
        self.expect(":", "a function has a result type, as in `function f(x: Int): Int`")
        result = self.type_name()
        specs = self._contract()
        return tree.Function(name, params, result, specs, self._body(), span=self.span_from(start))

    def predicate(self) -> tree.Member:
        start = self.starts[self.at]
        self.at += 1
        name = self.identifier()
        params = self.parameters()
        return tree.Predicate(name, params, self._body(), span=self.span_from(start))

    def _contract(self) -> tuple[tree.Specification, ...]:
        """All preconditions stand before all postconditions; `decreases` stands anywhere."""
        specs: list[tree.Specification] = []
        ensured = False
        while (kind := self.kinds[self.at]) in ("requires", "ensures", "decreases"):
            if kind == "requires":
                if ensured:
                    raise self.failure(
                        "a precondition stands after a postcondition",
                        "put every `requires` before the first `ensures`",
                    )
                specs.append(self.clause("requires"))
            elif kind == "ensures":
                ensured = True
                specs.append(self.clause("ensures"))
            else:
                specs.append(self.decreases())
            self.accept(";")
        return tuple(specs)

    def _body(self) -> tree.Expr | None:
        kind = self.kinds[self.at]
        if kind in ATOMS and kind not in (NAME, "domain", "@"):
            raise self.unexpected("`{`", "the body stands in braces")
        return self._braced() if kind == "{" else None

    def _braced(self) -> tree.Expr:
        opened = self.expect("{")
        body = self.expression()
        self.close("}", opened)
        return body

    # ------------------------------------------------------------ domains

    def domain(self) -> tree.Member:
        start = self.starts[self.at]
        self.at += 1
        name = self.identifier()
        type_params = self._type_parameters()
        interpretations = None
        if self.accept("interpretation"):
            opened = self.expect("(")
            interpretations = self.comma_list(self._interpretation, ")", opened)
        opened = self.expect("{")
        members: list[tree.DomainFunction | tree.Axiom] = []
        while not self.accept("}"):
            members.append(self._domain_member(opened))
            self.accept(";")
        return tree.Domain(
            name, type_params, interpretations, tuple(members), span=self.span_from(start)
        )

    def _type_parameters(self) -> tuple[tree.Identifier, ...] | None:
        if self.kinds[self.at] != "[":
            return None
        opened = self.expect("[")
        return self.comma_list(self.identifier, "]", opened)

    def _interpretation(self) -> tree.Interpretation:
        key = self.identifier()
        self.expect(":", 'write `SMTLIB: "text"`')
        return tree.Interpretation(key.name, self.string(), span=self.span_from(key.span.start))

    def _domain_member(self, opened: int) -> tree.DomainFunction | tree.Axiom:
        start = self.starts[self.at]
        annotations = self.annotations()
        kind = self.kinds[self.at]
        member: tree.DomainFunction | tree.Axiom
        if kind == "axiom":
            member = self._axiom()
        elif kind in ("function", "unique"):
            member = self._domain_function()
        else:
            raise self.unclosed("`function`, `unique`, `axiom` or `}`", opened)
        return replace(member, annotations=annotations, span=self.span_from(start))

    def _domain_function(self) -> tree.DomainFunction:
        start = self.starts[self.at]
        unique = self.accept("unique")
        self.expect("function")
        name = self.identifier()
        opened = self.expect("(")
        params = self.comma_list(self._domain_parameter, ")", opened)
        self.expect(":", "a function has a result type, as in `function f(x: Int): Int`")
        result = self.type_name()
        interpretation = self.string() if self.accept("interpretation") else None
        span = self.span_from(start)
        return tree.DomainFunction(unique, name, params, result, interpretation, span=span)

    def _domain_parameter(self) -> tree.DomainParameter:
        """`x: T` or just `T`."""
        start = self.starts[self.at]
        name = None
        if self.kinds[self.at] == NAME and self.kinds[self.at + 1] == ":":
            name = self.identifier()
            self.at += 1
        return tree.DomainParameter(name, self.type_name(), span=self.span_from(start))

    def _axiom(self) -> tree.Axiom:
        start = self.starts[self.at]
        self.at += 1
        name = None if self.kinds[self.at] == "{" else self.identifier()
        return tree.Axiom(name, self._braced(), span=self.span_from(start))

    # ------------------------------------------------------------ algebraic data types

    def adt(self) -> tree.Member:
        start = self.starts[self.at]
        self.at += 1
        name = self.identifier()
        type_params = self._type_parameters()
        opened = self.expect("{")
        constructors: list[tree.Constructor] = []
        while not self.accept("}"):
            constructors.append(self._constructor(opened))
            self.accept(";")
        derives = self._derivations() if self.accept("derives") else None
        span = self.span_from(start)
        return tree.Adt(name, type_params, tuple(constructors), derives, span=span)

    def _constructor(self, opened: int) -> tree.Constructor:
        start = self.starts[self.at]
        annotations = self.annotations()
        if self.kinds[self.at] != NAME:
            raise self.unclosed("a constructor or `}`", opened)
        name = self.identifier()
        if self.kinds[self.at] != "(":
            raise self.unexpected("`(`", f"parentheses belong to it: write `{name.name}()`")
        params = self.parameters()
        return tree.Constructor(name, params, annotations=annotations, span=self.span_from(start))

    def _derivations(self) -> tuple[tree.Derivation, ...]:
        opened = self.expect("{")
        derivations: list[tree.Derivation] = []
        while not self.accept("}"):
            if self.kinds[self.at] != NAME:
                raise self.unclosed("a derived function such as `contains`, or `}`", opened)
            derivations.append(self._derivation())
            self.accept(";")
        return tuple(derivations)

    def _derivation(self) -> tree.Derivation:
        name = self.identifier()
        type_arg = None
        if self.kinds[self.at] == "[":
            opened = self.expect("[")
            type_arg = self.type_name()
            self.close("]", opened)
        without = self.comma_items(self.identifier) if self.accept("without") else ()
        return tree.Derivation(name, type_arg, without, span=self.span_from(name.span.start))


MEMBERS: dict[str, Callable[[MemberParser], tree.Member]] = {
    "import": MemberParser.import_,
    "define": MemberParser.define,
    "field": MemberParser.field,
    "method": MemberParser.method,
    "function": MemberParser.function,
    "predicate": MemberParser.predicate,
    "domain": MemberParser.domain,
    "adt": MemberParser.adt,
}
"""What a member may begin with, behind its annotations."""
