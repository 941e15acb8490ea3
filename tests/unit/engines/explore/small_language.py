"""A small object language over the engine: what somebody else would write for a language of theirs.

Its programs are classes and functions in the syntax of Python, with types. Fields need no
permission, methods are bound by the type that the receiver has at run time, and operators are
methods. There is nothing of Viper in here.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

from pitviper.engines.explore.model import program as mp
from pitviper.engines.explore.model import types as mt
from pitviper.engines.explore.model.binding import OPERATOR, Binder, Problem, virtual_call
from pitviper.engines.explore.model.term import Fresh, Literal, Local, Operation, Term
from pitviper.source.span import SourceFile, Span

HEAP = Local("%heap", mt.HEAP)
TRUE = Literal(value=True, type=mt.BOOLEAN)
SPECIAL = {"__add__": "+", "__mul__": "*", "__lt__": "<"}
SYMBOLS: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("+", "add"), ast.Sub: ("-", "sub"), ast.Mult: ("*", "mul"),
    ast.Lt: ("<", "less"), ast.LtE: ("<=", "at_most"), ast.Eq: ("==", "equal"),
    ast.NotEq: ("!=", "differ"),
}  # fmt: skip


class NotBound(Exception):
    """A call, an operator or a statement that means nothing."""


class SmallLanguage:
    """Translates a text; `model` has a method `main %entry` for the function `main`."""

    def __init__(self, text: str) -> None:
        self.file = SourceFile(Path("small.py"), text)
        tree = ast.parse(text)
        self.classes = [n for n in tree.body if isinstance(n, ast.ClassDef)]
        self.functions = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
        self.fields: dict[str, mt.Type] = {}
        above = {
            self.named(c.name): tuple(
                [self.named(b.id) for b in c.bases if isinstance(b, ast.Name)]
            )
            for c in self.classes
        }
        abstract = frozenset(self.named(c.name) for c in self.classes if c.decorator_list)
        self.hierarchy = mt.Hierarchy(above, abstract)
        for one in self.classes:
            for part in one.body:
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    self.fields[part.target.id] = self.type(part.annotation)
        heads = {f.name: self._head(f.name, f, None) for f in self.functions}
        members: dict[mt.Nominal, dict[str, tuple[mp.Method, ...]]] = {}
        bodies: list[tuple[mp.Method, ast.FunctionDef]] = []
        for one in self.classes:
            owner = self.named(one.name)
            for number, body in enumerate(one.body):
                if isinstance(body, ast.FunctionDef):
                    head = self._head(f"{owner}.{body.name}.{number}", body, owner)
                    special = SPECIAL.get(body.name)
                    name = body.name if special is None else OPERATOR + special
                    known = members.setdefault(owner, {})
                    known[name] = (*known.get(name, ()), head)
                    bodies.append((head, body))
        self.binder = Binder(self.hierarchy, members)
        self.heads = heads
        bodies += [(heads[f.name], f) for f in self.functions]
        methods = {h.name: _Body(self, h).translate(b) for h, b in bodies}
        methods["main %entry"] = self._entry(heads["main"])
        self.model = mp.Model(methods, self.fields, hierarchy=self.hierarchy)

    def named(self, name: str) -> mt.Nominal:
        return mt.Nominal("small", name)

    def type(self, annotation: ast.expr | None) -> mt.Type:
        assert isinstance(annotation, ast.Name)
        known: dict[str, mt.Type] = {"int": mt.INT, "bool": mt.BOOLEAN}
        return known.get(annotation.id) or self.named(annotation.id)

    def _head(self, name: str, body: ast.FunctionDef, owner: mt.Nominal | None) -> mp.Method:
        params = [HEAP]
        for number, a in enumerate(body.args.args):
            is_self = owner is not None and number == 0
            params.append(Local(a.arg, owner if is_self and owner else self.type(a.annotation)))
        results = (Local("result", self.type(body.returns)),) if body.returns else ()
        return mp.Method(name, name, tuple(params), results, ())

    def _entry(self, head: mp.Method) -> mp.Method:
        code: list[mp.Instruction] = [mp.Call("heap.empty", (), (HEAP,), native=True)]
        code += [mp.Assign(p, Fresh(p.type, p.name)) for p in head.params[1:]]
        code.append(mp.Call(head.name, head.params, head.results))
        return mp.Method("main %entry", "main", (), head.results, (*code, mp.Return()))

    def span(self, node: ast.AST) -> Span:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        start = self.file.offset(line, column + 1)
        return Span(self.file, start, start + 1)


class _Body:
    """One function."""

    def __init__(self, language: SmallLanguage, head: mp.Method) -> None:
        self._language = language
        self._head = head
        self._types = {p.name: p.type for p in (*head.params, *head.results)}
        self._code: list[mp.Instruction] = []
        self._number = 0

    def translate(self, body: ast.FunctionDef) -> mp.Method:
        self._block(body.body)
        self._code.append(mp.Return())
        return mp.Method(
            self._head.name, self._head.member, self._head.params, self._head.results,
            tuple(self._code),
        )  # fmt: skip

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign([ast.Name(name)], value):
                term = self._term(value)
                target = Local(name, self._types.setdefault(name, term.type))
                self._code.append(mp.Assign(target, term))
            case ast.Assign([ast.Attribute(inner, field)], value):
                receiver = self._reached(inner, field)
                given = (HEAP, receiver, Literal(field, mt.NULL), self._term(value))
                self._code.append(mp.Call("heap.write", given, (), native=True))
            case ast.If(test, body, orelse):
                skip = self._jump(Operation("not", (self._term(test),), mt.BOOLEAN))
                self._block(body)
                over = self._jump(TRUE)
                self._land(skip)
                self._block(orelse)
                self._land(over)
            case ast.While(test, body):
                start = len(self._code)
                skip = self._jump(Operation("not", (self._term(test),), mt.BOOLEAN))
                self._block(body)
                self._code.append(mp.Branch(TRUE, start))
                self._land(skip)
            case ast.Assert(test):
                self._check(self._term(test), statement, "assert.failed")
            case ast.Return(value):
                if value is not None:
                    self._code.append(mp.Assign(self._head.results[0], self._term(value)))
                self._code.append(mp.Return())
            case ast.Expr(value):
                self._term(value)
            case _:
                raise NotBound(ast.dump(statement))

    def _jump(self, condition: Term) -> int:
        self._code.append(mp.Branch(condition, 0))
        return len(self._code) - 1

    def _land(self, jump: int) -> None:
        branch = self._code[jump]
        assert isinstance(branch, mp.Branch)
        self._code[jump] = mp.Branch(branch.condition, len(self._code))

    def _blame(self, node: ast.AST, error: str) -> mp.Blame:
        span = self._language.span(node)
        return mp.Blame(error, "here", self._head.name, error, span, span)

    def _check(self, condition: Term, node: ast.AST, error: str) -> None:
        blame = self._blame(node, error)
        self._code.append(mp.Constraint(mp.ConstraintKind.ASSERT, condition, blame, blame.span))

    def _term(self, e: ast.expr) -> Term:
        match e:
            case ast.Constant(bool(value)):
                return Literal(value, mt.BOOLEAN)
            case ast.Constant(int(value)):
                return Literal(value, mt.INT)
            case ast.Constant(None):
                return Literal(None, mt.OBJECT)
            case ast.Name(name):
                return Local(name, self._types[name])
            case ast.UnaryOp(ast.Not(), operand):
                return Operation("not", (self._term(operand),), mt.BOOLEAN)
            case ast.BoolOp(op, values):
                word = "and" if isinstance(op, ast.And) else "or"
                return Operation(word, tuple([self._term(v) for v in values]), mt.BOOLEAN)
            case ast.Compare(left, [ast.Is() | ast.IsNot() as op], [right]):
                same = Operation("identical", (self._term(left), self._term(right)), mt.BOOLEAN)
                is_same = isinstance(op, ast.Is)
                return same if is_same else Operation("not", (same,), mt.BOOLEAN)
            case ast.Compare(left, [op], [right]):
                return self._operator(SYMBOLS[type(op)], left, right, e)
            case ast.BinOp(left, op, right):
                return self._operator(SYMBOLS[type(op)], left, right, e)
            case ast.Attribute(inner, field):
                receiver = self._reached(inner, field)
                kind = self._language.fields[field]
                return self._kept(Operation("read", (HEAP, receiver), kind, field))
            case ast.Call(ast.Name("isinstance"), [value, ast.Name(kind)]):
                name = str(self._language.named(kind))
                return Operation("is_a", (self._term(value),), mt.BOOLEAN, name)
            case ast.Call(ast.Name(name), args):
                return self._called(name, args)
            case ast.Call(ast.Attribute(inner, name), args):
                return self._virtual(name, [inner, *args], e)
            case _:
                raise NotBound(ast.dump(e))

    def _kept(self, term: Term) -> Local:
        self._number += 1
        made = Local(f"t{self._number}", term.type)
        self._code.append(mp.Assign(made, term))
        return made

    def _reached(self, inner: ast.expr, field: str) -> Term:
        receiver = self._term(inner)
        there = Operation("not", (Operation("is_null", (receiver,), mt.BOOLEAN),), mt.BOOLEAN)
        self._check(there, inner, "null.dereferenced")
        given = (HEAP, receiver, Literal(field, mt.NULL))
        self._code.append(mp.Call("heap.reach", given, (), native=True))
        return receiver

    def _operator(
        self, symbol: tuple[str, str], left: ast.expr, right: ast.expr, e: ast.expr
    ) -> Term:
        written, own = symbol
        args = (self._term(left), self._term(right))
        if all(a.type in (mt.INT, mt.BOOLEAN) for a in args):
            kind = mt.INT if own in ("add", "sub", "mul") else mt.BOOLEAN
            return Operation(own, args, kind)
        found = self._language.binder.operator(written, (args[0].type, args[1].type))
        if isinstance(found, Problem):
            raise NotBound(found.message)
        return self._direct(found, args)

    def _direct(self, method: mp.Method, args: tuple[Term, ...]) -> Term:
        self._number += 1
        target = Local(f"t{self._number}", method.results[0].type)
        self._code.append(mp.Call(method.name, (HEAP, *args), (target,)))
        return target

    def _called(self, name: str, args: list[ast.expr]) -> Term:
        language = self._language
        if name in language.heads:
            return self._direct(language.heads[name], tuple([self._term(a) for a in args]))
        kind = language.named(name)
        self._number += 1
        made = Local(f"t{self._number}", kind)
        given = (HEAP, Literal(str(kind), mt.NULL), Literal(",".join(language.fields), mt.NULL))
        self._code.append(mp.Call("heap.new_of", given, (made,), native=True))
        return made

    def _virtual(self, name: str, parts: list[ast.expr], e: ast.expr) -> Term:
        args = tuple([self._term(p) for p in parts])
        kinds = tuple([a.type for a in args])
        meant = self._language.binder.overridden(kinds[0], name, kinds)
        wrong = [m.message for m in meant.values() if isinstance(m, Problem)]
        if wrong or not meant:
            raise NotBound(wrong[0] if wrong else f"nobody has {name}")
        fine = {k: m for k, m in meant.items() if isinstance(m, mp.Method)}
        self._number += 1
        target = Local(f"t{self._number}", next(iter(fine.values())).results[0].type)
        call = mp.Call("", (HEAP, *args), (target,))
        nobody = self._blame(e, "null.called")
        self._code += virtual_call(fine, call, len(self._code), nobody)
        return target
