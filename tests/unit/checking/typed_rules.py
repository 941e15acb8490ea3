"""What every typed program must satisfy, said independently of how lowering makes it so."""

from __future__ import annotations

from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program import stmt as s
from pitviper.program.node import Node
from pitviper.program.types import (
    BOOL,
    INT,
    PERM,
    REF,
    AdtType,
    DomainType,
    MapType,
    MultisetType,
    SeqType,
    SetType,
    Type,
    TypeVar,
)
from pitviper.program.walk import children

IMPURE = (
    a.Access, a.Wand, a.Star, a.Guarded, a.Choice, a.QuantifiedPermission, a.Binding,
    a.InhaleExhale,
)  # fmt: skip

_PURE_CHILDREN = (
    x.Not, x.And, x.Or, x.Implies, x.Conditional, x.Equal, x.NotEqual, x.Negate, x.IntArith,
    x.PermArith, x.Compare, x.FieldRead, x.FunctionApp, x.DomainApp, x.Old, x.Let,
    x.InhaleExhaleExpr, x.Exists, x.SeqLit, x.SetLit, x.MultisetLit, x.MapLit, x.SeqRange,
    x.SeqAppend, x.SeqIndex, x.SeqTake, x.SeqDrop, x.SeqUpdate, x.SeqContains, x.SetBinary,
    x.Subset, x.SetContains, x.MultisetCount, x.Cardinality, x.MapLookup, x.MapUpdate,
    x.MapContains, x.MapDomain, x.MapRange, x.Construct, x.Destruct, x.Discriminate,
    x.PredicateInstance, a.FieldLocation, a.PredicateLocation,
)  # fmt: skip


class Rules:
    """Walks through a program and notes what is wrong."""

    def __init__(self, program: m.Program) -> None:
        self._program = program
        self._type_params: tuple[str, ...] = ()
        self.wrong: list[str] = []

    def check(self) -> list[str]:
        for method in self._program.methods.values():
            self._method(method)
        for function in self._program.functions.values():
            scope = _scope(function.params)
            for part in (*function.preconditions, *function.postconditions, *function.decreases):
                self._node(part, scope)
            if function.body is not None:
                self._node(function.body, scope)
                self._same(function.body.type, function.result, function)
        for predicate in self._program.predicates.values():
            if predicate.body is not None:
                self._node(predicate.body, _scope(predicate.params))
        for domain in self._program.domains.values():
            self._type_params = domain.type_params
            for axiom in domain.axioms:
                self._node(axiom.body, {})
            self._type_params = ()
        return self.wrong

    def _method(self, method: m.Method) -> None:
        scope = _scope(method.params + method.returns)
        for part in (*method.preconditions, *method.postconditions, *method.decreases):
            self._node(part, scope)
        if method.body is not None:
            self._statement(method.body, scope)

    def _note(self, node: Node, why: str) -> None:
        self.wrong.append(f"{type(node).__name__} {why}: {node.span.text[:60]}")

    def _same(self, t: Type, u: Type, node: Node) -> None:
        if t != u:
            self._note(node, f"has {t} for {u}")

    # ------------------------------------------------------------ statements

    def _statement(self, st: Node, scope: dict[str, Type]) -> None:
        """`scope` collects the locals of the method: each is declared once."""
        match st:
            case s.Declare(variable):
                if variable.name in scope:
                    self._note(st, "declares a name again")
                scope[variable.name] = variable.type
                self._type(variable.type, st)
            case s.LocalAssign(target, value):
                self._same(value.type, target.type, st)
            case s.FieldAssign(receiver, field, value):
                self._same(receiver.type, REF, st)
                self._same(value.type, self._program.fields[field].type, st)
            case s.New(target, fields):
                self._same(target.type, REF, st)
                if not all(field in self._program.fields for field in fields):
                    self._note(st, "has an unknown field")
            case s.MethodCall(name, args, targets):
                method = self._program.methods[name]
                self._all_same([e.type for e in args], [v.type for v in method.params], st)
                self._all_same([e.type for e in targets], [v.type for v in method.returns], st)
            case s.If(condition) | s.While(condition) | s.Refute(condition):
                self._same(condition.type, BOOL, st)
            case s.QuasihavocAll(variables):
                scope = {**scope, **_scope(variables)}
            case _:
                pass
        for child in children(st):
            if isinstance(child, s.Statement):
                self._statement(child, scope)
            elif not isinstance(st, s.Declare):
                self._node(child, scope)

    def _all_same(self, found: list[Type], expected: list[Type], node: Node) -> None:
        if found != expected:
            self._note(node, f"has {found} for {expected}")

    # ------------------------------------------------------------ expressions

    def _node(self, node: Node, scope: dict[str, Type]) -> None:
        self._shape(node)
        self._types(node)
        inner = scope
        match node:
            case x.Var(name, t):
                if scope.get(name) != t:
                    self._note(node, f"{name} is not declared as {t}")
                self._type(t, node)
                return
            case x.Forall(variables) | x.Exists(variables) | x.ForPerm(variables):
                inner = {**scope, **_scope(variables)}
            case a.QuantifiedPermission(variables):
                inner = {**scope, **_scope(variables)}
            case x.Let(variable, bound) | a.Binding(variable, bound):
                self._same(bound.type, variable.type, node)
                self._node(bound, scope)
                self._node(node.body, {**scope, variable.name: variable.type})
                return
            case _:
                pass
        for child in children(node):
            self._node(child, inner)

    def _shape(self, node: Node) -> None:
        match node:
            case a.Star(conjuncts):
                if len(conjuncts) < 2 or not any(isinstance(c, IMPURE) for c in conjuncts):
                    self._note(node, "needs impure conjuncts")
                if any(isinstance(c, a.Star) for c in conjuncts):
                    self._note(node, "is nested directly")
            case a.Guarded(_, body) | a.Binding(_, _, body) if not isinstance(body, IMPURE):
                self._note(node, "has a pure body")
            case a.Choice(_, one, other) | a.InhaleExhale(one, other):
                if not isinstance(one, IMPURE) and not isinstance(other, IMPURE):
                    self._note(node, "has no impure part")
            case x.And(operands) | x.Or(operands) if len(operands) < 2:
                self._note(node, "has too few operands")
            case _ if isinstance(node, _PURE_CHILDREN):
                if any(isinstance(child, IMPURE) for child in children(node)):
                    self._note(node, "has an impure part")
            case _:
                pass

    def _type(self, t: Type, node: Node) -> None:
        match t:
            case TypeVar(name):
                if type(t) is not TypeVar or name not in self._type_params:
                    self._note(node, f"has the unfinished type {t!r}")
            case SeqType(element) | SetType(element) | MultisetType(element):
                self._type(element, node)
            case MapType(key, value):
                self._type(key, node)
                self._type(value, node)
            case DomainType(name, args) | AdtType(name, args):
                table = self._program.domains if isinstance(t, DomainType) else self._program.adts
                if len(table[name].type_params) != len(args):
                    self._note(node, f"has the incomplete type {t}")
                for arg in args:
                    self._type(arg, node)
            case _:
                pass

    def _types(self, node: Node) -> None:  # noqa: C901  # one case per construct
        found = getattr(node, "type", None)
        if found is not None:
            self._type(found, node)
        match node:
            case x.Not(e):
                self._same(e.type, BOOL, node)
            case x.And(operands) | x.Or(operands):
                for e in operands:
                    self._same(e.type, BOOL, e)
            case x.Implies(left, right) | x.InhaleExhaleExpr(left, right):
                self._all_same([left.type, right.type], [BOOL, BOOL], node)
            case x.Conditional(condition, then, otherwise):
                self._same(condition.type, BOOL, node)
                self._same(then.type, otherwise.type, node)
            case x.Equal(left, right) | x.NotEqual(left, right):
                self._same(left.type, right.type, node)
            case x.Compare(_, left, right):
                self._same(left.type, right.type, node)
                if left.type not in (INT, PERM):
                    self._note(node, f"compares {left.type}")
            case x.IntArith(_, left, right) | x.SeqRange(left, right):
                self._all_same([left.type, right.type], [INT, INT], node)
            case x.PermArith(op, left, right):
                self._all_same([left.type, right.type], _perm_operands(op), node)
            case x.FieldRead(receiver, field, t):
                self._same(receiver.type, REF, node)
                self._same(self._program.fields[field].type, t, node)
            case a.FieldLocation(receiver, field):
                self._same(receiver.type, REF, node)
                assert field in self._program.fields
            case x.FunctionApp(name, args, t):
                function = self._program.functions[name]
                self._all_same([e.type for e in args], [v.type for v in function.params], node)
                self._same(function.result, t, node)
            case x.DomainApp():
                self._domain_app(node)
            case x.Construct(name, args, t):
                self._construct(node, name, args, t)
            case a.PredicateLocation(name, args) | x.PredicateInstance(name, args):
                params = self._program.predicates[name].params
                self._all_same([e.type for e in args], [v.type for v in params], node)
            case a.Access(_, amount):
                self._same(amount.type, PERM, node)
            case _:
                self._collection_types(node)

    def _collection_types(self, node: Node) -> None:
        match node:
            case x.SeqLit(elements, t) | x.SetLit(elements, t) | x.MultisetLit(elements, t):
                for e in elements:
                    self._same(e.type, t.element, e)
            case x.SeqIndex(sequence, index, t):
                self._all_same([sequence.type, index.type], [SeqType(t), INT], node)
            case x.MapLookup(base, key, t):
                self._same(base.type, MapType(key.type, t), node)
            case x.SeqContains(element, base):
                self._same(base.type, SeqType(element.type), node)
            case x.SetContains(element, base):
                self._same(base.type, SetType(element.type), node)
            case x.MultisetCount(element, base):
                self._same(base.type, MultisetType(element.type), node)
            case x.SeqAppend(left, right) | x.SetBinary(_, left, right) | x.Subset(left, right):
                self._same(left.type, right.type, node)
            case _:
                pass

    def _domain_app(self, node: x.DomainApp) -> None:
        domain = self._program.domains[node.domain]
        (function,) = [f for f in domain.functions if f.name == node.function]
        binding = dict(zip(domain.type_params, node.type_args, strict=True))
        expected = [_instance(v.type, binding) for v in function.params]
        self._all_same([e.type for e in node.args], expected, node)
        self._same(node.type, _instance(function.result, binding), node)

    def _construct(self, node: Node, name: str, args: tuple[x.Expr, ...], t: Type) -> None:
        assert isinstance(t, AdtType)
        adt = self._program.adts[t.name]
        (constructor,) = [c for c in adt.constructors if c.name == name]
        binding = dict(zip(adt.type_params, t.args, strict=True))
        expected = [_instance(v.type, binding) for v in constructor.params]
        self._all_same([e.type for e in args], expected, node)


def _scope(variables: tuple[x.Var, ...]) -> dict[str, Type]:
    return {variable.name: variable.type for variable in variables}


def _perm_operands(op: x.PermOp) -> list[Type]:
    match op:
        case x.PermOp.INT_MUL:
            return [INT, PERM]
        case x.PermOp.INT_DIV:
            return [PERM, INT]
        case x.PermOp.FRACTION:
            return [INT, INT]
        case _:
            return [PERM, PERM]


def _instance(t: Type, binding: dict[str, Type]) -> Type:
    match t:
        case TypeVar(name):
            return binding[name]
        case SeqType(element):
            return SeqType(_instance(element, binding))
        case SetType(element):
            return SetType(_instance(element, binding))
        case MultisetType(element):
            return MultisetType(_instance(element, binding))
        case MapType(key, value):
            return MapType(_instance(key, binding), _instance(value, binding))
        case DomainType(name, args):
            return DomainType(name, tuple(_instance(arg, binding) for arg in args))
        case AdtType(name, args):
            return AdtType(name, tuple(_instance(arg, binding) for arg in args))
        case _:
            return t


def violations(program: m.Program) -> list[str]:
    """What is wrong with a typed program."""
    return Rules(program).check()
