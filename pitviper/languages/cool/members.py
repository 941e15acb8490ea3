"""Classes of the object language as members of the core, with qualified names."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.checking.report import Report
from pitviper.languages.cool import tree
from pitviper.languages.cool.belonging import belongs, class_fact
from pitviper.languages.cool.build import LENGTH, conjunction, not_null
from pitviper.languages.cool.classes import ClassInfo, MethodInfo, Table
from pitviper.languages.cool.dispatch import dispatching
from pitviper.languages.cool.expressions import assertion, measure, value
from pitviper.languages.cool.scope import Scope
from pitviper.languages.cool.statements import END, Body
from pitviper.languages.cool.types import (
    BOOL,
    NOTHING,
    ArrayT,
    ClassT,
    CoolType,
    SeqT,
    SetT,
    core_type,
    default_value,
)
from pitviper.languages.cool.untouched import state_function
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program import stmt as s
from pitviper.program import types as core
from pitviper.program.classes import CLASS, class_note, class_of
from pitviper.program.node import Annotation
from pitviper.program.print.objects import ARRAYS
from pitviper.program.rooms import SEEN_BY
from pitviper.source.span import NO_SPAN, Span

MAIN = "main"
"""The name of the main routine."""


class Members:
    """Lowers all classes of a file."""

    def __init__(self, file: tree.File, table: Table, report: Report) -> None:
        self._file = file
        self._table = table
        self._report = report
        self._fields: dict[str, m.Field] = {}
        self._methods: dict[str, m.Method] = {}
        self._functions: dict[str, m.Function] = {}
        self._predicates: dict[str, m.Predicate] = {}
        self.types: dict[str, dict[str, CoolType]] = {}
        """The types of variables, by method."""

    def program(self) -> m.Program:
        self._built_in()
        for info in self._table.classes.values():
            self._class(info)
        if self._file.main:
            self._main()
        for name in sorted(self._table.states):
            state = state_function(self._predicates[name])
            self._functions[state.name] = state
        return m.Program(self._fields, self._methods, self._functions, self._predicates, {}, {})

    def _built_in(self) -> None:
        """Lengths of arrays, and classes of objects where interfaces make them matter."""
        text = self._file.span.file.text
        this = x.Var("this", core.REF)
        if "[" in text:
            zero = x.Compare(x.CompareOp.GE, x.Result(core.INT), x.IntLit(0))
            pre = (not_null(this, NO_SPAN),)
            self._functions[LENGTH] = m.Function(
                LENGTH, (this,), core.INT, pre, (zero,), (), None, span=NO_SPAN
            )
            for name, element in (
                ("int", core.INT), ("bool", core.BOOL), ("object", core.REF)
            ):  # fmt: skip
                field = f"{name}[].elems"
                self._fields[field] = m.Field(field, core.SeqType(element), span=NO_SPAN)
            for name in self._table.array_classes:
                of = ArrayT(ClassT(name))
                field = self._table.elems_field(of)
                notes = self._classes({field: SeqT(of.element)})
                self._fields[field] = m.Field(
                    field, core.SeqType(core.REF), span=NO_SPAN, annotations=notes
                )
        if self._table.knows_classes:
            self._functions[CLASS] = m.Function(
                CLASS, (this,), core.INT, (), (), (), None, span=NO_SPAN
            )

    def _class(self, info: ClassInfo) -> None:
        for field in info.fields.values():
            if info.is_interface:
                cure = f"declare a pure method, `pure {field.type} {field.name}();`"
                self._report.error(field.span, "an interface has no fields", help=cure)
            name = field.core_name
            notes = _arrays({name: field.type}) + self._classes({name: field.type})
            self._fields[name] = m.Field(
                name, core_type(field.type), span=field.span, annotations=notes
            )
        for method in info.methods.values():
            match method.kind:
                case "predicate":
                    self._predicate(info, method)
                case "pure":
                    self._pure(info, method)
                case _:
                    self._mutator(info, method)

    # ------------------------------------------------------------ scopes

    def _scope(
        self, info: ClassInfo | None, method: MethodInfo | None, named: MethodInfo | None = None
    ) -> Scope:
        """The parameters of a method, which have the names of another one in the core.

        A class may name the parameters of an interface as it likes.
        """
        names: dict[str, x.Var] = {}
        scope = Scope(self._table, self._report, info, {}, names=names)
        if method is not None:
            other = (named or method).declaration.params
            for param, type_, core_param in zip(
                method.declaration.params, method.params, other, strict=True
            ):
                scope.declare(
                    param.name, type_, param.span, is_fixed=True, core_name=core_param.name
                )
        return scope

    def _home_of(self, method: MethodInfo) -> MethodInfo:
        """The method that has declared a predicate or pure method first."""
        return self._table.classes[method.home].methods[method.name]

    def _params(self, scope: Scope, span: Span) -> tuple[x.Var, ...]:
        return (x.Var("this", core.REF, span=span), *[v.core for v in scope.variables.values()])

    def _clauses(
        self, declaration: tree.MethodDeclaration, keyword: str, scope: Scope
    ) -> tuple[a.Assertion, ...]:
        return tuple(
            [
                assertion(clause.assertion, scope)
                for clause in declaration.clauses
                if clause.keyword == keyword
            ]
        )

    def _measures(
        self, declaration: tree.MethodDeclaration, scope: Scope
    ) -> tuple[s.Decreases, ...]:
        found = [c for c in declaration.clauses if c.keyword == "decreases"]
        if not found:
            return ()
        measures = tuple([measure(clause.assertion, scope) for clause in found])
        return (s.DecreasesTuple(measures, None, span=found[0].span),)

    def _contract_of(self, info: ClassInfo, method: MethodInfo) -> MethodInfo:
        """The method whose contract counts: that of the interface where none is written."""
        if method.home == info.name or method.declaration.clauses:
            return method
        return self._table.classes[method.home].methods[method.name]

    # ------------------------------------------------------------ predicates, pure methods

    def _predicate(self, info: ClassInfo, method: MethodInfo) -> None:
        declaration = method.declaration
        for clause in declaration.clauses:
            message = "predicates have no contract"
            self._report.error(clause.span, message, help="put the condition into its body")
        scope = self._scope(info, method, self._home_of(method))
        params = self._params(scope, declaration.place.span)
        body: a.Assertion | None = None
        returned = self._returned(info, method)
        if returned is not None:
            body = _of_an_object(assertion(returned, scope.spec()), params[0])
        home = self._predicates.get(method.core_name)
        known = None if home is None else home.params
        span = declaration.span if home is None else home.span
        if home is not None and home.body is not None:
            body = home.body if body is None else self._choice(info, body, home.body)
        name = method.core_name
        notes = self._seen_by(method) + self._classes_of(self._home_of(method))
        self._predicates[name] = m.Predicate(
            name, known or params, body, span=span, annotations=notes
        )

    def _seen_by(self, method: MethodInfo) -> tuple[Annotation, ...]:
        """Of a member of an interface, the classes that define it, with their numbers."""
        classes = self._table.implementers(method.home)
        told = tuple([text for c in classes for text in (c.name, str(c.number))])
        return (Annotation(SEEN_BY, told),) if told else ()

    def _classes(self, types: dict[str, CoolType]) -> tuple[Annotation, ...]:
        """The annotation that tells of which classes the objects are that some names stand for."""
        return class_note({name: self._table.known_of(t) for name, t in types.items()})

    def _classes_of(self, method: MethodInfo) -> tuple[Annotation, ...]:
        params = [p.name for p in method.declaration.params]
        types = dict(zip(params, method.params, strict=True))
        return self._classes({"this": ClassT(method.owner), **types, "result": method.result})

    def _choice(self, info: ClassInfo, body: a.Assertion, others: a.Assertion) -> a.Assertion:
        """The body of a class beside those of other classes, chosen by the class of `this`.

        NOTE(closed-world): what is not of a later class is of the first one. There are no other
        objects, since an interface has the classes of its file, and types keep others away.
        Bodies of pure methods are chosen alike, so that both stand under the same conditions.
        """
        if isinstance(body, a.Impure) or isinstance(others, a.Impure):
            this = x.Var("this", core.REF)
            condition = class_of(this, info.number, NO_SPAN)
            return a.Choice(condition, body, others, span=body.span)
        return self._chosen(info, body, others)

    def _bodiless(self, body: tree.Block) -> None:
        message = "the methods of an interface have no bodies"
        self._report.error(body.span, message, help="write `;`, and the body into its classes")

    def _returned(self, info: ClassInfo, method: MethodInfo) -> tree.Expr | None:
        """The expression of a body `{ return e; }`; None for an abstract method."""
        body = method.declaration.body
        if body is None:
            return None
        if info.is_interface:
            self._bodiless(body)
        match body.statements:
            case (tree.Return(value=found),) if found is not None and not isinstance(
                found, tree.NewObject | tree.NewArray | tree.Anything
            ):
                return found
        message = f"the body of a {_kind(method)} is `{{ return e; }}`"
        cure = "it is one expression: `c ? a : b` chooses, other pure methods name its parts"
        self._report.error(body.span, message, help=cure)
        return None

    def _pure(self, info: ClassInfo, method: MethodInfo) -> None:
        declaration = method.declaration
        contract = self._contract_of(info, method)
        scope = self._scope(info, method, self._home_of(method))
        params = self._params(scope, declaration.place.span)
        returned = self._returned(info, method)
        body = None
        if returned is not None:
            body = value(returned, method.result, scope.spec())
        home = self._functions.get(method.core_name)
        if home is not None:
            assert body is None or home is not None
            merged = home.body
            if body is not None:
                merged = body if merged is None else self._chosen(info, body, merged)
            self._functions[method.core_name] = replace(home, body=merged)
            return
        if contract is not method:  # the interface stands further down in the text
            home_class = self._table.classes[method.home]
            self._pure(home_class, contract)
            self._pure(info, method)
            return
        before = (not_null(params[0], declaration.place.span),)
        spec = scope.spec()
        pre = (*before, *self._clauses(declaration, "requires", spec))
        post_scope = scope.spec()
        post_scope.result = method.result
        after = []
        for clause in declaration.clauses:
            if clause.keyword == "ensures":
                after.append(value(clause.assertion, BOOL, post_scope))
        after += self._class_of_result(method, scope)
        self._functions[method.core_name] = m.Function(
            method.core_name,
            params,
            core_type(method.result),
            pre,
            tuple(after),
            self._measures(declaration, spec),
            body,
            span=declaration.span,
            annotations=self._seen_by(method) + self._classes_of(method),
        )

    def _class_of_result(self, method: MethodInfo, scope: Scope) -> list[x.Expr]:
        """What the type of the result tells, as a postcondition: others do not know the body."""
        place = method.declaration.place.span
        result = x.Result(core_type(method.result), span=place)
        fact = belongs(result, method.result, scope, place)
        return [] if fact is None else [fact]

    def _chosen(self, info: ClassInfo, body: x.Expr, others: x.Expr) -> x.Expr:
        """NOTE(closed-world) is about this choice, too."""
        condition = class_of(x.Var("this", core.REF), info.number, NO_SPAN)
        return x.Conditional(condition, body, others, span=body.span)

    # ------------------------------------------------------------ mutators

    def _mutator(self, info: ClassInfo, method: MethodInfo) -> None:
        declaration = method.declaration
        contract = self._contract_of(info, method)
        made = self._contract(contract, info if contract is method else None, method)
        body = None
        if declaration.body is not None:
            if info.is_interface:
                self._bodiless(declaration.body)
            body = self._body(info, method)
        notes = dispatching(self._implementations(info, method)) if info.is_interface else ()
        params = [p.name for p in declaration.params]
        known = dict(zip(params, method.params, strict=True))
        notes += _arrays({**known, **self.types.get(method.core_name, {})})
        notes += self._classes_of(method)
        whole = replace(
            made, name=method.core_name, body=body, span=declaration.span, annotations=notes
        )
        self._methods[method.core_name] = whole
        for promise in self._table.promises(method):
            if contract is method:
                self._refinement(info, method, promise, whole)
            elif promise is not contract:
                self._again(method, promise, whole)

    def _again(self, method: MethodInfo, promise: MethodInfo, own: m.Method) -> None:
        """A method that two interfaces declare is verified against the contract of each."""
        contract = self._contract(promise, None, method)
        name = f"{own.name} as {promise.core_name}"
        notes = self._classes_of(method)
        self._methods[name] = replace(
            contract, name=name, body=own.body, span=own.span, annotations=notes
        )
        self.types[name] = self.types.get(own.name, {})

    def _implementations(self, info: ClassInfo, method: MethodInfo) -> list[tuple[int, str]]:
        """What a call of a method of an interface may come to, by the numbers of classes."""
        classes = self._table.implementers(info.name)
        return [(c.number, f"{c.name}.{method.name}") for c in classes if method.name in c.methods]

    def _contract(
        self, contract: MethodInfo, owner: ClassInfo | None, method: MethodInfo
    ) -> m.Method:
        """A method without a body, whose contract is that of `contract`."""
        info = owner or self._table.classes[contract.owner]
        declaration = contract.declaration
        scope = self._scope(info, contract, method)
        place = method.declaration.place.span
        params = self._params(scope, place)
        before: list[a.Assertion] = [not_null(params[0], place)]
        if method.kind == "constructor":
            before += self._fresh_fields(info, params[0], place)
        spec = scope.spec()
        before += self._clauses(declaration, "requires", spec)
        after_scope = scope.spec(has_old=True)
        after_scope.result, after_scope.result_is_variable = contract.result, True
        after = self._clauses(declaration, "ensures", after_scope)
        returns: tuple[x.Var, ...] = ()
        if contract.result != NOTHING:
            returns = (x.Var("result", core_type(contract.result), span=place),)
        measures = self._measures(declaration, spec)
        return m.Method(
            contract.core_name, params, returns, tuple(before), after, measures, None, span=place
        )

    def _fresh_fields(self, info: ClassInfo, this: x.Var, span: Span) -> list[a.Assertion]:
        """What a constructor starts with: access to all fields, which hold their first value."""
        found: list[a.Assertion] = []
        for field in info.fields.values():
            full = x.PermLit(x.PermConstant.WRITE, span=span)
            location = a.FieldLocation(this, field.core_name, span=span)
            found.append(a.Access(location, full, span=span))
            read = x.FieldRead(this, field.core_name, core_type(field.type), span=span)
            found.append(x.Equal(read, default_value(field.type, span), span=span))
        return found

    def _body(self, info: ClassInfo | None, method: MethodInfo) -> s.Block:
        declaration = method.declaration
        assert declaration.body is not None
        scope = self._scope(info, method)
        scope.in_code = True
        start: list[s.Stmt] = []
        this = x.Var("this", core.REF, span=declaration.place.span)
        known: list[tuple[x.Expr, CoolType]] = [(this, ClassT(method.owner))]
        known += [(v.core, v.type) for v in scope.variables.values()]
        for variable, type_ in known:
            fact = belongs(variable, type_, scope, declaration.place.span)
            if fact is not None and not isinstance(type_, SeqT | SetT):
                start.append(s.Inhale(fact, span=declaration.place.span))
        if scope.names is not None:
            scope.names["result"] = x.Var("result", core_type(method.result))
        body = Body(method.result, method.kind)
        self.types[method.core_name] = scope.types
        scope.types.update(this=ClassT(method.owner))
        if method.result != NOTHING:
            scope.types.update(result=method.result)
        done = body.statements(declaration.body.statements, scope.inner())
        if method.result != NOTHING and not body.has_return:
            message = f"`{method.title}` has a result, and its body has no `return`"
            cure = "write `return ...;` at its end, or `void` in place of the type"
            scope.error(declaration.place.span, message, cure)
        return _ended((*start, *done), body, declaration.body.span)

    def _refinement(
        self, info: ClassInfo, method: MethodInfo, contract: MethodInfo, own: m.Method
    ) -> None:
        """A method with a contract of its own has to do what its interfaces promise, too."""
        promised = self._contract(contract, None, contract)
        place = method.declaration.place.span
        this = promised.params[0]
        fact = class_fact(this, ClassT(info.name), self._scope(info, None), place)
        call = s.MethodCall(own.name, promised.params, promised.returns, span=place)
        start = () if fact is None else (s.Inhale(fact, span=place),)
        name = f"{own.name} as {contract.core_name}"
        body = s.Block((*start, call), span=place)
        notes = self._classes({"this": ClassT(info.name)})
        self._methods[name] = replace(promised, name=name, body=body, span=place, annotations=notes)

    def _main(self) -> None:
        first, last = self._file.main[0].span, self._file.main[-1].span
        span = first.to(last)
        scope = Scope(self._table, self._report, None, {}, in_code=True, names={})
        body = Body(NOTHING, "main")
        self.types[MAIN] = scope.types
        done = _ended(body.statements(self._file.main, scope), body, span)
        self._methods[MAIN] = m.Method(MAIN, (), (), (), (), (), done, span=span)


def _ended(statements: tuple[s.Stmt, ...], body: Body, span: Span) -> s.Block:
    """The body with the label that `return` goes to; a return at the very end needs none."""
    if not body.has_return:
        return s.Block(statements, span=span)
    gotos = [n for st in statements for n in _gotos(st)]
    if statements and isinstance(statements[-1], s.Goto) and len(gotos) == 1:
        return s.Block(statements[:-1], span=span)
    return s.Block((*statements, s.Label(END, (), span=span)), span=span)


def _of_an_object(body: a.Assertion, this: x.Var) -> a.Assertion:
    """The body of a predicate, whose receiver is not null: permission to a field says so, too."""
    first = body.conjuncts[0] if isinstance(body, a.Star) else body
    match first:
        case a.Access(location=a.FieldLocation(receiver), amount=x.PermLit(x.PermConstant.WRITE)):
            is_told = receiver == this
        case _:
            is_told = False
    return body if is_told else conjunction([not_null(this, this.span), body], body.span)


def _gotos(statement: s.Stmt) -> list[s.Goto]:
    from pitviper.program.walk import descendants

    return [n for n in descendants(statement) if isinstance(n, s.Goto)]


def _arrays(types: dict[str, CoolType]) -> tuple[Annotation, ...]:
    """The annotation that tells which names hold arrays."""
    told = [text for n, t in types.items() if isinstance(t, ArrayT) for text in (n, str(t))]
    return (Annotation(ARRAYS, tuple(told)),) if told else ()


def _kind(method: MethodInfo) -> str:
    return "pure method" if method.kind == "pure" else method.kind
