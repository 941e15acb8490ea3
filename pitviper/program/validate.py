"""The types of a typed program, checked: a front end's mistake is a message, never a crash.

The checker of Viper makes programs that are right by construction. Those of another front end come
from outside: `faults` says of them what an engine would stumble over. Names have one type and are
in scope, every operand has the type that its operator wants, members that are named exist and get
as many arguments as they have parameters. What an expression *means* is not looked at here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import assert_never

from pitviper.base.record import record
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program import stmt as s
from pitviper.program import types as pt
from pitviper.program.node import Node
from pitviper.program.shape import malformed
from pitviper.program.walk import descendants
from pitviper.source.span import NO_SPAN, Span


@record
class Fault:
    """What is wrong with a typed program; `span` is None where the place is not known."""

    member: str
    span: Span | None
    message: str


def faults(program: m.Program) -> tuple[Fault, ...]:
    """All that is wrong with a program, in the order of its members; nothing if it is right."""
    shapes = [Fault("", span, message) for span, message in malformed(program, m.Program)]
    if shapes:
        return tuple(shapes)
    known = _Known(program)
    found: list[Fault] = []
    names: set[str] = set()
    for table in _tables(program):
        for name, member in table.items():
            rules = _Rules(known, member.name, member.span)
            if name != member.name:
                rules.fault(member, f"it stands in the table as `{name}`")
            if member.name in names:
                rules.fault(member, "another member has this name")
            rules.name(member, member.name)
            names.add(member.name)
            rules.member(member)
            found += rules.found
    return tuple(found)


def _tables(program: m.Program) -> tuple[Mapping[str, m.Member], ...]:
    return (
        program.domains,
        program.adts,
        program.fields,
        program.functions,
        program.predicates,
        program.methods,
    )


class _Known:
    """The declarations of a program, as uses of them look them up."""

    def __init__(self, program: m.Program) -> None:
        self.program = program
        self.constructors = {
            c.name: (adt, c) for adt in program.adts.values() for c in adt.constructors
        }
        self.domain_functions = {
            (domain.name, f.name): (domain, f)
            for domain in program.domains.values()
            for f in domain.functions
        }

    def destructor(self, adt: str, name: str) -> x.Var | None:
        """The argument of a constructor that has this name."""
        declared = self.program.adts.get(adt)
        for constructor in () if declared is None else declared.constructors:
            for param in constructor.params:
                if param.name == name:
                    return param
        return None


class _Rules:
    """The rules for one member; `scope` are the variables that are known, with their types."""

    def __init__(self, known: _Known, member: str, span: Span) -> None:
        self._known = known
        self._member = member
        self._span = span
        self._scope: dict[str, pt.Type] = {}
        self._declared: dict[str, pt.Type] = {}
        self._labels: frozenset[str] = frozenset()
        self._type_params: frozenset[str] = frozenset()
        self._result: pt.Type | None = None
        self.found: list[Fault] = []

    def fault(self, node: Node, message: str) -> None:
        """Notes what is wrong with a node, at the nearest place that is known."""
        span = node.span if node.span != NO_SPAN else self._span
        self.found.append(Fault(self._member, None if span == NO_SPAN else span, message))

    def name(self, node: Node, name: str) -> None:
        """Names are written between bars for the solver, so no bar can be in them."""
        if not name.isprintable() or not name or "|" in name or "\\" in name:
            self.fault(node, f"{name!r} is no name: it is empty, or has a sign that none can have")

    # ------------------------------------------------------------ members

    def member(self, member: m.Member) -> None:
        match member:
            case m.Field(type=type_):
                self._type(type_, member)
            case m.Method():
                self._method(member)
            case m.Function():
                self._function(member)
            case m.Predicate(params=params, body=body):
                self._declare(params)
                if body is not None:
                    self._formula(body)
            case m.Domain():
                self._domain(member)
            case m.Adt(type_params=type_params, constructors=constructors):
                self._type_params = frozenset(type_params)
                for constructor in constructors:
                    self._signature(constructor.params)
            case _:
                assert_never(member)

    def _method(self, method: m.Method) -> None:
        self._declare(method.params)
        for condition in method.preconditions:
            self._formula(condition)
        self._decreases(method.decreases)
        self._declare(method.returns)
        for condition in method.postconditions:
            self._formula(condition)
        if method.body is not None:
            nodes = list(descendants(method.body))
            labels = [node.name for node in nodes if isinstance(node, s.Label)]
            self._labels = frozenset(labels)
            for label in self._labels:
                if labels.count(label) > 1:
                    self.fault(method, f"there are two labels `{label}`")
            self._statement(method.body)

    def _function(self, function: m.Function) -> None:
        self._type(function.result, function)
        self._declare(function.params)
        for condition in function.preconditions:
            self._formula(condition)
        self._decreases(function.decreases)
        if function.body is not None:
            self._typed(function.body, function.result, "the body")
        self._result = function.result
        for post in function.postconditions:
            self._formula(post)

    def _domain(self, domain: m.Domain) -> None:
        self._type_params = frozenset(domain.type_params)
        for function in domain.functions:
            self._signature(function.params)
            self._type(function.result, function)
        for axiom in domain.axioms:
            self._scope = {}
            self._formula(axiom.body)

    def _signature(self, params: tuple[x.Var, ...]) -> None:
        for param in params:
            self._type(param.type, param)

    def _declare(self, variables: Iterable[x.Var]) -> None:
        """A name has one type in a member; whoever declares it again gives it any value."""
        for variable in variables:
            self._type(variable.type, variable)
            self.name(variable, variable.name)
            if self._declared.setdefault(variable.name, variable.type) != variable.type:
                self.fault(variable, f"the variable `{variable.name}` is declared with two types")
            self._scope[variable.name] = variable.type

    def _decreases(self, clauses: Iterable[s.Decreases]) -> None:
        for clause in clauses:
            match clause:
                case s.DecreasesTuple(measures, condition):
                    for measure in measures:
                        self._expression(measure)
                    self._optional(condition)
                case s.DecreasesWildcard(condition):
                    self._optional(condition)
                case s.DecreasesStar():
                    pass
                case _:
                    assert_never(clause)

    def _optional(self, condition: x.Expr | None) -> None:
        if condition is not None:
            self._typed(condition, pt.BOOL, "a condition")

    # ------------------------------------------------------------ types

    def _type(self, type_: pt.Type, at: Node) -> None:
        """Types name domains and ADTs that exist, with as many arguments as they have."""
        match type_:
            case pt.IntType() | pt.BoolType() | pt.PermType() | pt.RefType():
                pass
            case pt.SeqType(element) | pt.SetType(element) | pt.MultisetType(element):
                self._type(element, at)
            case pt.MapType(key, value):
                self._type(key, at)
                self._type(value, at)
            case pt.DomainType(name, args):
                if type_ in (pt.STATE, x.PREDICATE_INSTANCE):
                    return
                self._type_use(name, args, self._known.program.domains.get(name), at)
            case pt.AdtType(name, args):
                self._type_use(name, args, self._known.program.adts.get(name), at)
            case pt.TypeVar(name):
                if name not in self._type_params:
                    self.fault(at, f"there is no type `{name}` here")
            case _:
                assert_never(type_)

    def _type_use(
        self, name: str, args: tuple[pt.Type, ...], declared: m.Domain | m.Adt | None, at: Node
    ) -> None:
        for arg in args:
            self._type(arg, at)
        if declared is None:
            self.fault(at, f"there is no type `{name}`")
        elif len(declared.type_params) != len(args):
            count = len(declared.type_params)
            self.fault(at, f"the type `{name}` has {count} arguments, and is given {len(args)}")

    # ------------------------------------------------------------ statements

    def _statement(self, statement: s.Stmt) -> None:
        match statement:
            case s.Block(statements):
                for inner in statements:
                    self._statement(inner)
            case s.Declare(variable):
                self._declare((variable,))
            case s.LocalAssign(target, value):
                self._expression(target)
                self._typed(value, target.type, f"the value of `{target.name}`")
            case s.FieldAssign(receiver, field, value):
                self._field(receiver, field, statement, lambda t: self._typed(value, t, "it"))
            case s.New(target, fields):
                self._typed(target, pt.REF, "the target of `new`")
                for name in fields:
                    if name not in self._known.program.fields:
                        self.fault(statement, f"there is no field `{name}`")
            case s.MethodCall(method, args, targets):
                self._call(method, args, targets, statement)
            case s.Inhale(assertion) | s.Exhale(assertion) | s.Assert(assertion):
                self._formula(assertion)
            case s.Cut(assertion):
                self._formula(assertion)
            case s.Fold(predicate, amount) | s.Unfold(predicate, amount):
                self._opened(predicate)
                self._typed(amount, pt.PERM, "the amount")
            case s.Package() | s.Apply() | s.Quasihavoc() | s.QuasihavocAll():
                self._wand_or_havoc(statement)
            case s.Refute() | s.Unreachable():
                if isinstance(statement, s.Refute):
                    self._typed(statement.condition, pt.BOOL, "the condition")
            case _:
                self._flow(statement)

    def _wand_or_havoc(
        self, statement: s.Package | s.Apply | s.Quasihavoc | s.QuasihavocAll
    ) -> None:
        match statement:
            case s.Package(wand, script):
                self._location(wand)
                self._statement(script)
            case s.Apply(wand):
                self._location(wand)
            case s.Quasihavoc(condition, location):
                self._optional(condition)
                self._location(location)
            case s.QuasihavocAll(variables, condition, location):
                with self._binding(variables):
                    self._optional(condition)
                    self._location(location)
            case _:
                assert_never(statement)

    def _flow(self, statement: s.If | s.While | s.Label | s.Goto) -> None:
        match statement:
            case s.If(condition, then, otherwise):
                self._typed(condition, pt.BOOL, "the condition")
                self._statement(then)
                self._statement(otherwise)
            case s.While(condition, invariants, decreases, body):
                self._typed(condition, pt.BOOL, "the condition")
                for invariant in invariants:
                    self._formula(invariant)
                self._decreases(decreases)
                self._statement(body)
            case s.Label(invariants=invariants):
                for invariant in invariants:
                    self._formula(invariant)
            case s.Goto(target):
                if target not in self._labels:
                    self.fault(statement, f"there is no label `{target}`")
            case _:
                assert_never(statement)

    def _call(
        self, name: str, args: tuple[x.Expr, ...], targets: tuple[x.Var, ...], at: Node
    ) -> None:
        method = self._known.program.methods.get(name)
        if method is None:
            self.fault(at, f"there is no method `{name}`")
            self._all(args)
            return
        self._arguments(f"method `{name}`", [p.type for p in method.params], args, at)
        if len(targets) != len(method.returns):
            count = len(method.returns)
            self.fault(at, f"method `{name}` returns {count} values, for {len(targets)} targets")
            return
        for target, returned in zip(targets, method.returns, strict=True):
            self._typed(target, returned.type, f"the target `{target.name}`")

    # ------------------------------------------------------------ assertions

    def _formula(self, e: a.Assertion) -> None:
        match e:
            case a.Access(location, amount):
                self._location(location)
                self._typed(amount, pt.PERM, "the amount")
            case a.Wand():
                self._location(e)
            case a.Star(conjuncts):
                for conjunct in conjuncts:
                    self._formula(conjunct)
            case a.Guarded(condition, body):
                self._typed(condition, pt.BOOL, "the condition")
                self._formula(body)
            case a.Choice(condition, then, otherwise):
                self._typed(condition, pt.BOOL, "the condition")
                self._formula(then)
                self._formula(otherwise)
            case a.QuantifiedPermission(variables, triggers, condition, resource):
                with self._binding(variables):
                    self._triggers(triggers)
                    self._typed(condition, pt.BOOL, "the condition")
                    self._formula(resource)
            case a.Binding(variable, bound, body):
                self._typed(bound, variable.type, f"the value of `{variable.name}`")
                with self._binding((variable,)):
                    self._formula(body)
            case a.InhaleExhale(inhaled, exhaled):
                self._formula(inhaled)
                self._formula(exhaled)
            case _:
                self._typed(e, pt.BOOL, "a formula")

    def _triggers(self, triggers: tuple[x.Trigger, ...]) -> None:
        for trigger in triggers:
            for term in trigger.terms:
                if isinstance(term, a.PredicateLocation | a.Wand):
                    self._location(term)
                else:
                    self._expression(term)

    @contextmanager
    def _binding(self, variables: tuple[x.Var, ...]) -> Iterator[None]:
        """Inside of a binder its variables are known, and nobody knows them behind it."""
        outside = dict(self._scope)
        for variable in variables:
            self._type(variable.type, variable)
            self._scope[variable.name] = variable.type
        yield
        self._scope = outside

    def _opened(self, location: a.PredicateLocation) -> None:
        self._location(location)
        predicate = self._known.program.predicates.get(location.predicate)
        if predicate is not None and predicate.body is None:
            self.fault(location, f"predicate `{location.predicate}` has no body to fold or unfold")

    def _location(self, location: a.Location) -> None:
        match location:
            case a.FieldLocation(receiver, field):
                self._field(receiver, field, location, lambda _: None)
            case a.PredicateLocation(predicate, args):
                self._predicate(predicate, args, location)
            case a.Wand(left, right):
                self._formula(left)
                self._formula(right)
            case _:
                assert_never(location)

    def _predicate(self, name: str, args: tuple[x.Expr, ...], at: Node) -> None:
        declared = self._known.program.predicates.get(name)
        if declared is None:
            self.fault(at, f"there is no predicate `{name}`")
            self._all(args)
            return
        self._arguments(f"predicate `{name}`", [p.type for p in declared.params], args, at)

    def _field(
        self, receiver: x.Expr, name: str, at: Node, value: Callable[[pt.Type], object]
    ) -> None:
        self._typed(receiver, pt.REF, f"the receiver of `{name}`")
        declared = self._known.program.fields.get(name)
        if declared is None:
            self.fault(at, f"there is no field `{name}`")
        else:
            value(declared.type)

    # ------------------------------------------------------------ expressions

    def _all(self, expressions: Iterable[x.Expr]) -> None:
        for e in expressions:
            self._expression(e)

    def _typed(self, e: x.Expr, wanted: pt.Type, what: str) -> None:
        """An expression that has to have a type."""
        self._expression(e)
        if e.type != wanted:
            self.fault(e, f"{what} has to be of type {wanted}, and is of {e.type}")

    def _each(self, wanted: pt.Type, what: str, *expressions: x.Expr) -> None:
        for e in expressions:
            self._typed(e, wanted, what)

    def _arguments(
        self, what: str, types: Sequence[pt.Type], args: tuple[x.Expr, ...], at: Node
    ) -> None:
        if len(types) != len(args):
            self.fault(at, f"{what} has {len(types)} parameters, and is given {len(args)}")
            self._all(args)
            return
        for number, (arg, wanted) in enumerate(zip(args, types, strict=True), 1):
            self._typed(arg, wanted, f"argument {number} of {what}")

    def _expression(self, e: x.Expr) -> None:
        match e:
            case x.IntLit() | x.BoolLit() | x.NullLit() | x.PermLit():
                pass
            case x.Var(name, type_):
                self._variable(name, type_, e)
            case x.Result(type_):
                if self._result is None:
                    self.fault(e, "`result` stands outside of a postcondition of a function")
                elif self._result != type_:
                    self.fault(e, f"`result` is of type {self._result}, and here of type {type_}")
            case x.Not(operand):
                self._typed(operand, pt.BOOL, "the operand of a negation")
            case x.And(operands) | x.Or(operands):
                if len(operands) < 2:
                    self.fault(e, "a conjunction or disjunction has at least two operands")
                self._each(pt.BOOL, "an operand", *operands)
            case x.Implies(left, right) | x.InhaleExhaleExpr(left, right):
                self._each(pt.BOOL, "an operand", left, right)
            case x.Conditional(condition, then, otherwise):
                self._typed(condition, pt.BOOL, "the condition")
                self._expression(then)
                self._typed(otherwise, then.type, "the second alternative")
            case x.Equal(left, right) | x.NotEqual(left, right):
                self._expression(left)
                self._typed(right, left.type, "the right side of an equation")
            case _:
                self._number_or_heap(e)

    def _variable(self, name: str, type_: pt.Type, at: Node) -> None:
        declared = self._scope.get(name)
        if declared is None:
            self.fault(at, f"the variable `{name}` is not declared here")
        elif declared != type_:
            self.fault(at, f"the variable `{name}` is of type {declared}, and here of {type_}")

    def _number_or_heap(self, e: x.Expr) -> None:
        match e:
            case x.Negate(operand):
                self._number(operand)
            case x.IntArith(left=left, right=right):
                self._each(pt.INT, "an operand", left, right)
            case x.PermArith(op, left, right):
                of_left, of_right = _PERM_OPERANDS[op]
                self._typed(left, of_left, "the left operand")
                self._typed(right, of_right, "the right operand")
            case x.Compare(left=left, right=right):
                self._number(left)
                self._typed(right, left.type, "the right side of a comparison")
            case x.FieldRead(receiver, field, type_):
                self._field(receiver, field, e, lambda t: self._same(e, f"`{field}`", t, type_))
            case x.FunctionApp():
                self._application(e)
            case x.DomainApp():
                self._domain_application(e)
            case _:
                self._scoped(e)

    def _scoped(self, e: x.Expr) -> None:
        match e:
            case x.Old(label, operand):
                if label not in (None, "lhs") and label not in self._labels:
                    self.fault(e, f"there is no label `{label}`")
                self._expression(operand)
            case x.Let(variable, bound, body):
                self._typed(bound, variable.type, f"the value of `{variable.name}`")
                with self._binding((variable,)):
                    self._expression(body)
            case x.Unfolding(predicate, amount, body):
                self._opened(predicate)
                self._typed(amount, pt.PERM, "the amount")
                self._expression(body)
            case x.Applying(wand, body):
                self._location(wand)
                self._expression(body)
            case x.Asserting(assertion, body):
                self._formula(assertion)
                self._expression(body)
            case x.CurrentPerm(location):
                self._location(location)
            case x.Forall(variables, triggers, body) | x.Exists(variables, triggers, body):
                with self._binding(variables):
                    self._triggers(triggers)
                    self._typed(body, pt.BOOL, "the body")
            case x.ForPerm(variables, location, body):
                with self._binding(variables):
                    self._location(location)
                    self._typed(body, pt.BOOL, "the body")
            case x.Construct() | x.Destruct() | x.Discriminate():
                self._adt(e)
            case x.PredicateInstance(predicate, args):
                self._predicate(predicate, args, e)
            case _:
                self._collection(e)

    def _number(self, e: x.Expr) -> None:
        self._expression(e)
        if e.type not in (pt.INT, pt.PERM):
            self.fault(e, f"the operand has to be of type Int or Perm, but is of type {e.type}")

    def _same(self, at: Node, what: str, declared: pt.Type, used: pt.Type) -> None:
        if declared != used:
            self.fault(at, f"{what} is of type {declared}, and here of type {used}")

    def _application(self, e: x.FunctionApp) -> None:
        function = self._known.program.functions.get(e.function)
        if function is None:
            self.fault(e, f"there is no function `{e.function}`")
            self._all(e.args)
            return
        what = f"function `{e.function}`"
        self._arguments(what, [p.type for p in function.params], e.args, e)
        self._same(e, f"the value of {what}", function.result, e.type)

    def _domain_application(self, e: x.DomainApp) -> None:
        for arg in e.type_args:
            self._type(arg, e)
        found = self._known.domain_functions.get((e.domain, e.function))
        if found is None:
            self.fault(e, f"there is no function `{e.function}` in a domain `{e.domain}`")
            self._all(e.args)
            return
        domain, function = found
        what = f"domain function `{e.function}`"
        if len(domain.type_params) != len(e.type_args):
            count = len(domain.type_params)
            self.fault(e, f"{what} has {count} type arguments, and is given {len(e.type_args)}")
            return
        chosen = dict(zip(domain.type_params, e.type_args, strict=True))
        types = [pt.instantiate(param.type, chosen) for param in function.params]
        self._arguments(what, types, e.args, e)
        self._same(e, f"the value of {what}", pt.instantiate(function.result, chosen), e.type)

    def _adt(self, e: x.Construct | x.Destruct | x.Discriminate) -> None:
        match e:
            case x.Construct(constructor, args, pt.AdtType(name, type_args)):
                found = self._known.constructors.get(constructor)
                if found is None or found[0].name != name:
                    self.fault(e, f"the type `{name}` has no constructor `{constructor}`")
                    self._all(args)
                    return
                self._type(e.type, e)
                chosen = dict(zip(found[0].type_params, type_args, strict=False))
                types = [pt.instantiate(param.type, chosen) for param in found[1].params]
                self._arguments(f"constructor `{constructor}`", types, args, e)
            case x.Destruct(receiver, argument, type_) if isinstance(receiver.type, pt.AdtType):
                self._expression(receiver)
                of = receiver.type
                declared = self._known.destructor(of.name, argument)
                if declared is None:
                    self.fault(e, f"no constructor of `{of.name}` has an argument `{argument}`")
                    return
                params = self._known.program.adts[of.name].type_params
                chosen = dict(zip(params, of.args, strict=False))
                self._same(e, f"`{argument}`", pt.instantiate(declared.type, chosen), type_)
            case x.Discriminate(receiver, constructor) if isinstance(receiver.type, pt.AdtType):
                self._expression(receiver)
                found = self._known.constructors.get(constructor)
                if found is None or found[0].name != receiver.type.name:
                    name = receiver.type.name
                    self.fault(e, f"the type `{name}` has no constructor `{constructor}`")
            case _:
                self.fault(e, "this is about values of an ADT only")

    def _collection(self, e: x.Expr) -> None:
        match e:
            case x.SeqLit(elements, type_) | x.SetLit(elements, type_):
                self._each(type_.element, "an element", *elements)
            case x.MultisetLit(elements, type_):
                self._each(type_.element, "an element", *elements)
            case x.MapLit(entries, type_):
                for key, value in entries:
                    self._typed(key, type_.key, "a key")
                    self._typed(value, type_.value, "a value")
            case x.SeqRange(low, high):
                self._each(pt.INT, "a bound", low, high)
            case x.SeqAppend(left, right):
                self._kind(left, pt.SeqType)
                self._typed(right, left.type, "the second sequence")
            case x.SeqIndex(sequence, index, type_):
                self._element_of(sequence, pt.SeqType, type_, e)
                self._typed(index, pt.INT, "the index")
            case x.SeqTake(sequence, count) | x.SeqDrop(sequence, count):
                self._kind(sequence, pt.SeqType)
                self._typed(count, pt.INT, "the count")
            case x.SeqUpdate(sequence, index, value):
                self._expression(value)
                self._element_of(sequence, pt.SeqType, value.type, e)
                self._typed(index, pt.INT, "the index")
            case x.SeqContains(element, sequence):
                self._expression(element)
                self._element_of(sequence, pt.SeqType, element.type, e)
            case x.SetBinary(left=left, right=right) | x.Subset(left, right):
                self._kind(left, pt.SetType, pt.MultisetType)
                self._typed(right, left.type, "the second set")
            case x.SetContains(element, collection):
                self._expression(element)
                self._element_of(collection, pt.SetType, element.type, e)
            case x.MultisetCount(element, multiset):
                self._expression(element)
                self._element_of(multiset, pt.MultisetType, element.type, e)
            case x.Cardinality(collection):
                self._kind(collection, pt.SeqType, pt.SetType, pt.MultisetType, pt.MapType)
            case _:
                self._map(e)

    def _map(self, e: x.Expr) -> None:
        match e:
            case x.MapLookup(of, key, type_):
                self._map_parts(of, e, key=key, value=type_)
            case x.MapUpdate(of, key, value):
                self._expression(value)
                self._map_parts(of, e, key=key, value=value.type)
            case x.MapContains(key, of):
                self._map_parts(of, e, key=key)
            case x.MapDomain(of, type_):
                self._map_parts(of, e)
                if isinstance(of.type, pt.MapType):
                    self._same(e, "the domain", pt.SetType(of.type.key), type_)
            case x.MapRange(of, type_):
                self._map_parts(of, e)
                if isinstance(of.type, pt.MapType):
                    self._same(e, "the range", pt.SetType(of.type.value), type_)
            case _:
                self.fault(e, f"there is no rule for {type(e).__name__}")

    def _map_parts(
        self, of: x.Expr, at: Node, *, key: x.Expr | None = None, value: pt.Type | None = None
    ) -> None:
        self._kind(of, pt.MapType)
        if not isinstance(of.type, pt.MapType):
            return
        if key is not None:
            self._typed(key, of.type.key, "the key")
        if value is not None:
            self._same(at, "the value", of.type.value, value)

    def _kind(self, e: x.Expr, *kinds: type) -> None:
        self._expression(e)
        if not isinstance(e.type, kinds):
            names = " or ".join([kind.__name__.removesuffix("Type") for kind in kinds])
            self.fault(e, f"the collection has to be a {names}, but is of type {e.type}")

    def _element_of(
        self,
        e: x.Expr,
        kind: type[pt.SeqType] | type[pt.SetType] | type[pt.MultisetType],
        element: pt.Type,
        at: Node,
    ) -> None:
        self._kind(e, kind)
        if isinstance(e.type, kind):
            self._same(at, "the element", e.type.element, element)


_PERM_OPERANDS: Mapping[x.PermOp, tuple[pt.Type, pt.Type]] = {
    x.PermOp.ADD: (pt.PERM, pt.PERM),
    x.PermOp.SUB: (pt.PERM, pt.PERM),
    x.PermOp.MUL: (pt.PERM, pt.PERM),
    x.PermOp.INT_MUL: (pt.INT, pt.PERM),
    x.PermOp.DIV: (pt.PERM, pt.PERM),
    x.PermOp.INT_DIV: (pt.PERM, pt.INT),
    x.PermOp.FRACTION: (pt.INT, pt.INT),
}
