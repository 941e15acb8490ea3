"""Expressions that a keyword begins, and the table of all atomic expressions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from pitviper.syntax import tree
from pitviper.syntax.parse.literals import EXPRESSION, LiteralParser
from pitviper.syntax.token import INT, NAME

WAND = 4
"""The level of `A --* B`: an expression without `==>`, `<==>` and `? :` around it."""

_FEW_FIELDS = 4
"""Fields that are written out in advice."""

_Quantifier: TypeAlias = Literal["forall", "exists"]


class AtomParser(LiteralParser):
    """One method for each form; it begins at the form's first token."""

    __slots__ = ()

    def atom(self) -> tree.Expr:
        """An atom without suffixes."""
        parse = ATOMS.get(self.kinds[self.at])
        if parse is None:
            raise self.unexpected("an expression")
        return parse(self)

    # ------------------------------------------------------------ permissions

    def acc(self) -> tree.Expr:
        start = self._token().start
        opened = self.expect("(", "write `acc(e.f)` or `acc(P(e))`, with the parentheses")
        location = self.operand()
        if not isinstance(location, tree.FieldAccess | tree.Call):
            wanted = "a field access or a predicate instance"
            told = self.slip(wanted) or self._about_location(location)
            raise self.failure(f"expected {wanted}", told, location.span)
        amount = self.climb(EXPRESSION) if self.accept(",") else None
        self.close(")", opened)
        return tree.Acc(location, amount, span=self.span_from(start))

    def _about_location(self, location: tree.Expr) -> str:
        """What to write in an `acc` that names no location."""
        at, kinds = self.at, self.kinds
        if not isinstance(location, tree.Name):
            return "write `acc(e.f)` or `acc(P(e))`"
        if kinds[at : at + 3] == ["-", ">", NAME]:
            field = self.tokens.text(at + 2)
            return f"a field stands after a dot, not `->`: write `acc({location.name}.{field})`"
        if kinds[at] == "," and kinds[at + 1] == NAME and kinds[at + 2] == ")":
            return f"write `acc({location.name}.{self.tokens.text(at + 1)})`"
        fields = [self.tokens.text(i + 1) for i, kind in enumerate(kinds) if kind == "field"]
        if location.name in fields:
            return f"say whose field it is, as in `acc(x.{location.name})`"
        field = fields[0] if fields else "f"
        return f"permission is to one field at a time: write `acc({location.name}.{field})`"

    def perm(self) -> tree.Expr:
        start = self._token().start
        opened = self.expect("(")
        resource = self._resource()
        self.close(")", opened)
        return tree.Perm(resource, span=self.span_from(start))

    def _resource(self) -> tree.Expr:
        """`e.f`, `P(e)` or `A --* B`."""
        resource = self.climb(WAND)
        if not isinstance(resource, tree.FieldAccess | tree.Call | tree.Wand):
            raise self.failure(
                "expected a field access, a predicate instance or a magic wand",
                self.slip("a resource") or "write `perm(x.f)`, `perm(P(x))` or `perm(A --* B)`",
                resource.span,
            )
        return resource

    def predicate_access(self) -> tree.Expr:
        """`P(e)` or `acc(P(e), p)`, behind fold, unfold and unfolding."""
        if self.kinds[self.at] == "acc":
            return self.acc()
        if self.kinds[self.at] != NAME:
            raise self.unexpected("a predicate instance such as `P(x)` or `acc(P(x), p)`")
        resource = self.name()
        if not isinstance(resource, tree.Call):
            raise self.failure(
                "expected a predicate instance such as `P(x)`",
                self.slip("a predicate instance")
                or f"write its arguments in parentheses after it, as in `{resource.span.text}(x)`",
                resource.span,
            )
        return resource

    def predicate_instance(self) -> tree.Expr:
        start = self._token().start
        predicate = self.identifier()
        if self.kinds[self.at] != "(":
            raise self.unexpected("`(`")
        return tree.PredicateInstance(predicate, self.arguments(), span=self.span_from(start))

    # ------------------------------------------------------------ binders

    def forall(self) -> tree.Expr:
        return self._quantifier("forall")

    def exists(self) -> tree.Expr:
        return self._quantifier("exists")

    def _quantifier(self, kind: _Quantifier) -> tree.Expr:
        start = self._token().start
        variables = self.comma_items(self.binding)
        self.expect("::", f"write `{kind} {variables[0].name.name}: Int :: body`, with `::`")
        triggers: list[tree.Trigger] = []
        while self.kinds[self.at] == "{":
            triggers.append(self._trigger())
        body = self.climb(EXPRESSION)
        return tree.Quantifier(kind, variables, tuple(triggers), body, span=self.span_from(start))

    def _trigger(self) -> tree.Trigger:
        opened = self.expect("{")
        exprs = self.comma_list(self.expression, "}", opened)
        return tree.Trigger(exprs, span=self.span_from(self.starts[opened]))

    def forperm(self) -> tree.Expr:
        start = self._token().start
        variables = self.comma_items(self.resource_binding)
        opened = self.expect("[", "write `forperm x: T [resource] :: body`")
        resource = self._resource()
        self.close("]", opened)
        self.expect("::", "write `forperm x: T [resource] :: body`")
        body = self.climb(EXPRESSION)
        return tree.ForPerm(variables, resource, body, span=self.span_from(start))

    def let(self) -> tree.Expr:
        start = self._token().start
        name = self.identifier()
        shape = f"write `let {name.name} == (e) in body`, with the parentheses"
        self.expect("==", shape)
        bound = self.in_parentheses(shape)
        self.expect("in", shape)
        return tree.Let(name, bound, self.climb(EXPRESSION), span=self.span_from(start))

    # ------------------------------------------------------------ states

    def old(self) -> tree.Expr:
        start = self._token().start
        label = None
        if self.kinds[self.at] == "[":
            opened = self.expect("[")
            label = self._old_label()
            self.close("]", opened)
        return tree.Old(
            label,
            self.in_parentheses("write `old(e)`, with the parentheses"),
            span=self.span_from(start),
        )

    def _old_label(self) -> tree.Identifier:
        if self.kinds[self.at] == "lhs":
            return tree.Identifier("lhs", span=self._token())
        return self.identifier()

    def unfolding(self) -> tree.Expr:
        start = self._token().start
        resource = self.predicate_access()
        self.expect("in", "write `unfolding P(x) in e`")
        return tree.Unfolding(resource, self.climb(EXPRESSION), span=self.span_from(start))

    def applying(self) -> tree.Expr:
        start = self._token().start
        shape = "write `applying (A --* B) in e`, with the parentheses"
        wand = self.in_parentheses(shape, WAND)
        self.expect("in", shape)
        return tree.Applying(wand, self.climb(EXPRESSION), span=self.span_from(start))

    def asserting(self) -> tree.Expr:
        start = self._token().start
        shape = "write `asserting (A) in e`, with the parentheses"
        assertion = self.in_parentheses(shape)
        self.expect("in", shape)
        return tree.Asserting(assertion, self.climb(EXPRESSION), span=self.span_from(start))

    # ------------------------------------------------------------ allocation, annotations

    def new(self) -> tree.Expr:
        start = self._token().start
        right = self.kinds[self.at] == "("
        opened = self.expect("(", None if right else self._allocations())
        if self.accept("*"):
            self.close(")", opened)
            return tree.New(None, span=self.span_from(start))
        return tree.New(self.comma_list(self.identifier, ")", opened), span=self.span_from(start))

    def _allocations(self) -> str:
        """The ways to write `new`, with the fields of the file where they are few."""
        made = re.match(r"(\w+)\s*\(", self.file.text[self.starts[self.at] :])
        adts = re.findall(r"\badt\s+\w+[^{]*\{([^{}]*)\}", self.file.text)
        if made is not None and any(re.search(rf"\b{made[1]}\s*\(", each) for each in adts):
            return f"a constructor is written without `new`: write `{made[1]}(...)`"
        declared = re.findall(r"^\s*field\s+(\w+)\s*:", self.file.text, flags=re.MULTILINE)
        if not 0 < len(declared) <= _FEW_FIELDS:
            return "objects have no class: write `new(f, g)` with fields, or `new()`, or `new(*)`"
        return f"objects have no class, but fields: write `new({', '.join(declared)})`"

    def annotated(self) -> tree.Expr:
        start = self.starts[self.at]
        annotations = self.annotations()
        return tree.AnnotatedExpr(annotations, self.atom(), span=self.span_from(start))


ATOMS: dict[str, Callable[[AtomParser], tree.Expr]] = {
    NAME: AtomParser.name,
    INT: AtomParser.integer,
    "true": AtomParser.true,
    "false": AtomParser.false,
    "null": AtomParser.null,
    "result": AtomParser.result,
    "write": AtomParser.write,
    "none": AtomParser.none,
    "wildcard": AtomParser.wildcard,
    "epsilon": AtomParser.epsilon,
    "-": AtomParser.minus,
    "!": AtomParser.negation,
    "(": AtomParser.parenthesised,
    "[": AtomParser.bracketed,
    "|": AtomParser.cardinality,
    "||": AtomParser.double_cardinality,
    "Seq": AtomParser.sequence,
    "Set": AtomParser.set_,
    "Multiset": AtomParser.multiset,
    "Map": AtomParser.map_,
    "domain": AtomParser.map_domain,
    "range": AtomParser.map_range,
    "acc": AtomParser.acc,
    "perm": AtomParser.perm,
    "#": AtomParser.predicate_instance,
    "forall": AtomParser.forall,
    "exists": AtomParser.exists,
    "forperm": AtomParser.forperm,
    "let": AtomParser.let,
    "old": AtomParser.old,
    "unfolding": AtomParser.unfolding,
    "applying": AtomParser.applying,
    "asserting": AtomParser.asserting,
    "new": AtomParser.new,
    "@": AtomParser.annotated,
}
"""What an expression may begin with."""
