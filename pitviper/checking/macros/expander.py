"""Expands the macros of one member.

Expansion is call by name: the body is copied, and where a parameter stands, the argument is
expanded in the scope it was written in.

NOTE(places). All nodes of an expression that a macro stands for get the place of the use. The
statements of a macro keep their places in its body, arguments in them those of the use.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import is_
from typing import TypeAlias, TypeVar

from pitviper.checking.macros.complaints import Complaints
from pitviper.checking.macros.names import Names
from pitviper.checking.macros.scope import (
    MEMBER,
    Argument,
    Scope,
    Use,
    WordPlace,
    as_type,
    names_in,
    word_behind,
)
from pitviper.checking.macros.table import Macro, MacroLog, Macros
from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.parse.cursor import MAX_NESTING
from pitviper.syntax.walk import map_children, with_fields

N = TypeVar("N", bound=tree.Node)

_NAMED = frozenset({
    tree.Name, tree.Call, tree.TypeName, tree.FieldAccess, tree.PredicateInstance, tree.New,
    tree.Old, tree.Label, tree.Goto,
})  # fmt: skip
_DECLARING = frozenset({
    tree.VarBinding, tree.Let, tree.Quantifier, tree.ForPerm, tree.QuasihavocAll,
    tree.VarDeclaration, tree.Block,
})  # fmt: skip
_LOCATIONS = (tree.FieldAccess, tree.Call)
_RESOURCES = (tree.FieldAccess, tree.Call, tree.Wand)
_INSTANCES = (tree.Call, tree.Acc)
_REQUIRED: dict[type, tuple[str, tuple[type, ...], str]] = {
    tree.Acc: ("location", _LOCATIONS, "a field access or a predicate instance"),
    tree.Perm: ("resource", _RESOURCES, "a field access, a predicate instance or a wand"),
    tree.ForPerm: ("resource", _RESOURCES, "a field access, a predicate instance or a wand"),
    tree.Unfolding: ("resource", _INSTANCES, "a predicate instance"),
    tree.FoldUnfold: ("resource", _INSTANCES, "a predicate instance"),
    tree.Ascription: ("call", (tree.Call,), "a call"),
    tree.Assign: ("targets", (tree.Name, tree.FieldAccess), "a variable or a field"),
}
"""The parts that only certain expressions can be."""


class Expander:
    """`macros` are those in scope, `names` those of the member."""

    def __init__(
        self, macros: Macros, names: Names, complaints: Complaints, progress: Progress
    ) -> None:
        self._macros = macros
        self._names = names
        self._complaints = complaints
        self._progress = progress

    def expand(self, member: N) -> N:
        """`member` without macros; the same object if it uses none."""
        match member:
            case tree.Method(params=params, returns=returns):
                self._declare((*params, *(returns or ())), MEMBER)
            case tree.Function(params=params) | tree.Predicate(params=params):
                self._declare(params, MEMBER)
        return self._below(member, MEMBER)

    # ------------------------------------------------------------ every node

    def _visit(self, node: tree.Node, scope: Scope) -> tree.Node:
        progress = self._progress
        if progress.place is not None and not progress.step():
            return node
        progress.depth += 1
        kind = type(node)
        if kind in _NAMED:
            result = self._named(node, scope)
        elif kind in _DECLARING:
            result = self._declaring(node, scope)
        else:
            result = map_children(node, self._visit, scope, progress.span)
        if kind in _REQUIRED:
            self._check_parts(node, result)
        progress.depth -= 1
        return result

    def _below(self, node: N, scope: Scope) -> N:
        return map_children(node, self._visit, scope, self._progress.span)

    # ------------------------------------------------------------ uses of macros

    def _use(self, use: Use, body: tree.Node | None) -> tree.Node:
        """What a use outside statements stands for; the macro may have no body for that."""
        if body is None:
            self._complaints.wrong_kind(use, self._progress.place)
            return use.node
        inner = self._scope_of(use)
        if inner is None:
            return use.node
        before = self._progress.begin(use.node.span, expression=True)
        result = self._visit(body, inner)
        self._progress.end(before)
        return result

    def _scope_of(self, use: Use) -> Scope | None:
        """The scope of the macro's body, or None if the use is wrong."""
        if self._progress.stopped or not self._complaints.arity_fits(use, self._progress.place):
            return None
        macro = use.macro
        pairs = zip(macro.params or (), use.args or (), strict=True)
        arguments = {name: Argument(expr, use.scope) for name, expr in pairs}
        if not macro.declares:
            return Scope(macro, arguments)
        self._names.reserve(names_in(arguments, self._macros))
        return Scope(macro, arguments, {}, self._labels(macro))

    def _labels(self, macro: Macro) -> dict[str, str]:
        """New names for the labels that the body of `macro` declares by names of its own."""
        params = macro.params or ()
        own = [label for label in macro.labels if label not in params and not self._is_word(label)]
        return {label: self._names.declare(label) for label in own}

    def _is_word(self, name: str) -> bool:
        macro = self._macros.get(name)
        return macro is not None and macro.word is not None

    # ------------------------------------------------------------ names

    def _named(self, node: tree.Node, scope: Scope) -> tree.Node:
        match node:
            case tree.Name():
                return self._name(node, scope)
            case tree.Call():
                return self._call(node, scope)
            case tree.TypeName():
                return self._type(node, scope)
            case tree.Label() | tree.Goto() | tree.Old():
                return map_children(node, self._visit_label, scope, self._progress.span)
            case _:
                return map_children(node, self._visit_word, scope, self._progress.span)

    def _name(self, node: tree.Name, scope: Scope) -> tree.Node:
        renamed = scope.variables.get(node.name)
        if renamed is not None:
            return tree.Name(renamed, span=self._progress.span or node.span)
        argument = scope.arguments.get(node.name)
        if argument is not None:
            return self._visit(argument.expr, argument.scope)
        macro = self._macros.get(node.name)
        if macro is None:
            return self._below(node, scope)
        return self._use(Use(macro, None, node, scope), macro.expression)

    def _call(self, node: tree.Call, scope: Scope) -> tree.Node:
        macro = self._macros.get(self._word(node.callee, scope, "member").name)
        if macro is None:
            return map_children(node, self._visit_word, scope, self._progress.span)
        return self._use(Use(macro, node.args, node, scope), macro.expression)

    def _type(self, node: tree.TypeName, scope: Scope) -> tree.Node:
        if node.args is not None:
            head = self._word(tree.Identifier(node.name, span=node.span), scope, "member")
            result = self._below(node, scope)
            return result if head.name == node.name else with_fields(result, {"name": head.name})
        argument = scope.arguments.get(node.name)
        if argument is not None:
            return self._type_argument(node, argument)
        macro = self._macros.get(node.name)
        if macro is None:
            return self._below(node, scope)
        body = None if macro.expression is None else as_type(macro.expression)
        return self._use(Use(macro, None, node, scope), body)

    def _type_argument(self, node: tree.TypeName, argument: Argument) -> tree.Node:
        meant = as_type(argument.expr)
        if meant is not None:
            return self._visit(meant, argument.scope)
        assert self._progress.place is not None
        self._complaints.no_type(node, argument, self._progress.place)
        return node

    def _visit_word(self, node: tree.Node, scope: Scope) -> tree.Node:
        """A child of a node whose identifier names a member."""
        if isinstance(node, tree.Identifier):
            return self._word(node, scope, "member")
        return self._visit(node, scope)

    def _visit_label(self, node: tree.Node, scope: Scope) -> tree.Node:
        """A child of a node whose identifier names a label."""
        if isinstance(node, tree.Identifier):
            return self._word(node, scope, "label")
        return self._visit(node, scope)

    def _word(self, node: tree.Identifier, scope: Scope, place: WordPlace) -> tree.Identifier:
        """An identifier, which may be a parameter or a macro that is a name."""
        found = word_behind(node.name, scope, self._macros, place)
        if isinstance(found, Argument):
            assert self._progress.place is not None
            self._complaints.no_name(node, found, self._progress.place)
        elif found != node.name or self._progress.place is not None:
            return tree.Identifier(found, span=self._progress.span or node.span)
        return node

    # ------------------------------------------------------------ declarations

    def _declaring(self, node: tree.Node, scope: Scope) -> tree.Node:
        match node:
            case tree.VarBinding():
                return self._renamed(self._below(node, scope), node.name.name, scope)
            case tree.Quantifier() | tree.ForPerm() | tree.QuasihavocAll():
                inner = scope.nested()
                self._declare(node.variables, inner)
                return self._below(node, inner)
            case tree.Let():
                inner = scope.nested()
                self._declare((node,), inner)
                result = self._with_value(node, node.bound, scope, inner)
                return self._renamed(result, node.name.name, inner)
            case tree.VarDeclaration():
                before = scope.nested()
                self._declare(node.variables, scope)
                return self._with_value(node, node.init, before, scope)
            case tree.Block():
                return self._block(node, scope)
            case _:
                return self._below(node, scope)

    def _declare(self, variables: Iterable[tree.VarBinding | tree.Let], scope: Scope) -> None:
        """Add variables to the scope of an expansion; those of a member keep their names."""
        for variable in variables:
            name = variable.name.name
            if scope.macro is not None:
                scope.variables[name] = self._names.declare(name)
            elif name in self._macros:
                self._complaints.hidden_variable(variable.name, self._macros[name])

    def _with_value(self, node: N, value: tree.Expr | None, outer: Scope, inner: Scope) -> N:
        """A node that declares variables, which its part `value` does not see."""

        def visit(child: tree.Node, scope: Scope) -> tree.Node:
            return self._visit(child, outer if child is value else scope)

        return map_children(node, visit, inner, self._progress.span)

    def _renamed(self, node: N, name: str, scope: Scope) -> N:
        """A declaration of `name`, under the name that it has been given."""
        given = scope.variables.get(name, name)
        if given == name:
            return node
        return with_fields(node, {"name": tree.Identifier(given, span=node.span)})

    # ------------------------------------------------------------ places with conditions

    def _check_parts(self, old: tree.Node, new: tree.Node) -> None:
        """The parser lets a part have certain forms only, which expansion may have changed."""
        part, allowed, needed = _REQUIRED[type(old)]
        before, after = getattr(old, part), getattr(new, part)
        pairs = zip(before, after, strict=True) if isinstance(before, tuple) else ((before, after),)
        for written, found in pairs:
            if not isinstance(found, allowed):
                self._complaints.wrong_form(written, needed, self._progress.place)

    # ------------------------------------------------------------ statements

    def _block(self, node: tree.Block, scope: Scope) -> tree.Block:
        old = node.statements
        new = self._statements(old, scope.nested())
        place = self._progress.place
        if place is None and len(new) == len(old) and all(map(is_, new, old)):
            return node
        return with_fields(node, {"statements": tuple(new)})

    def _statements(self, statements: tuple[tree.Stmt, ...], scope: Scope) -> list[tree.Node]:
        """A macro's statements take the place of its use, without a block of their own."""
        result: list[tree.Node] = []
        for statement in statements:
            if isinstance(statement, tree.ExprStatement):
                result.extend(self._run(statement.expr, scope, statement))
            elif not isinstance(statement, tree.Define):
                result.append(self._visit(statement, scope))
        return result

    def _run(self, expr: tree.Expr, scope: Scope, statement: tree.ExprStatement) -> list[tree.Node]:
        """The statements that `expr` stands for in the place of `statement`."""
        match expr:
            case tree.Name(name):
                argument = scope.argument(name)
                if argument is not None:
                    return self._run(argument.expr, argument.scope, statement)
                macro = None if name in scope.variables else self._macros.get(name)
                if macro is not None:
                    return self._run_macro(Use(macro, None, expr, scope), statement)
            case tree.Call(callee, args):
                macro = self._macros.get(self._word(callee, scope, "member").name)
                if macro is not None:
                    return self._run_macro(Use(macro, args, expr, scope), statement)
        return [self._bare(expr, scope, statement)]

    def _run_macro(self, use: Use, statement: tree.ExprStatement) -> list[tree.Node]:
        inner = self._scope_of(use)
        if inner is None:
            return [statement]
        body = use.macro.define.body
        before = self._progress.begin(use.node.span, expression=not isinstance(body, tree.Block))
        result: list[tree.Node] = []
        if self._progress.step():
            if isinstance(body, tree.Block):
                result = self._statements(body.statements, inner)
                result = [_annotated(part, statement.annotations) for part in result]
            else:
                result = self._run(body, inner, statement)
        self._progress.end(before)
        return result

    def _bare(
        self, expr: tree.Expr, scope: Scope, statement: tree.ExprStatement
    ) -> tree.ExprStatement:
        """An expression that is no macro; in an expansion it can only be a call of a method."""
        place, span = self._progress.place, self._progress.span
        if place is not None and not isinstance(expr, tree.Call):
            self._complaints.no_statement(expr, scope.macro, place)
        new = self._visit(expr, scope)
        if new is statement.expr:
            return statement
        return with_fields(statement, {"expr": new, "span": span or statement.span})


def _annotated(node: tree.Node, annotations: tuple[tree.Annotation, ...]) -> tree.Node:
    """A statement of an expansion; the annotations of the use hold for each of them."""
    if not annotations or not isinstance(node, tree.Statement):
        return node
    return with_fields(node, {"annotations": (*annotations, *node.annotations)})


MAX_NODES = 500_000
"""Nodes that the expansions of a program may have in all: macros can double at each step.

The largest generated program that we know (759 KB) has 114,470 nodes."""

MAX_DEPTH = 2 * MAX_NESTING
"""Levels of nodes around a node of an expansion. Blocks, clauses and the like count too, so what
the parser accepts has more of them than MAX_NESTING."""

Before: TypeAlias = tuple[Span | None, Span | None, int]
"""What `Progress.begin` changed."""


class Progress:
    """`place` is that of the use in the member's own text which is being expanded, `span` the one
    that all nodes at work get (see NOTE(places)), `depth` the number of nodes around them."""

    def __init__(self, log: MacroLog) -> None:
        self.place: Span | None = None
        self.span: Span | None = None
        self.depth = 0
        self._log = log
        self._nodes = 0
        self._gave_up = False

    def begin(self, use: Span, *, expression: bool) -> Before:
        """Start an expansion, or go one macro deeper in the one at work."""
        before = self.place, self.span, self.depth
        if self.place is None:
            self.place = use
        if expression and self.span is None:
            self.span = use
        self.depth += 1
        return before

    def end(self, before: Before) -> None:
        self.place, self.span, self.depth = before
        if self.place is None:
            self._gave_up = False

    @property
    def stopped(self) -> bool:
        """Have the expansions so far used up what a program may have?"""
        return self._nodes > MAX_NODES

    def step(self) -> bool:
        """Count a node; False if the expansion at work is to be given up."""
        if not self._gave_up:
            self._nodes += 1
            if self.stopped:
                self._give_up(f"the macros of this program expand to more than {MAX_NODES} nodes")
            elif self.depth > MAX_DEPTH:
                self._give_up("the expansion of this macro is nested too deeply")
        return not self._gave_up

    def _give_up(self, message: str) -> None:
        assert self.place is not None
        self._gave_up = True
        self._log.error(self.place, message, help="macros that use others repeatedly grow fast")
