"""Statements of the object language as statements of the core."""

from __future__ import annotations

from pitviper.base.record import record, replace
from pitviper.languages.cool import tree
from pitviper.languages.cool import types as ct
from pitviper.languages.cool.belonging import class_fact
from pitviper.languages.cool.build import conjunction, length_of
from pitviper.languages.cool.choices import about_the_new, fitting, witnesses
from pitviper.languages.cool.classes import MethodInfo
from pitviper.languages.cool.expressions import (
    arguments,
    assertion,
    callee,
    is_visible,
    lower,
    measure,
    not_visible,
    nothing_inside,
    predicate_instance,
    pure,
    value,
)
from pitviper.languages.cool.operators import word
from pitviper.languages.cool.scope import Scope
from pitviper.plugins.build import substitute
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program import types as core
from pitviper.program.classes import class_of
from pitviper.program.walk import descendants, free_vars
from pitviper.source.span import Span

MOST_ROWS = 32
"""Rows of an array that are made by one `new`."""

END = "end"
"""The label behind the last statement of a body, where `return` goes."""


@record
class _Site:
    """Where a statement stands, and what it becomes."""

    scope: Scope
    span: Span
    out: list[s.Stmt]


class Body:
    """Statements of one method of a kind; what they become is collected in order."""

    def __init__(self, result: ct.CoolType, kind: str) -> None:
        self._result = result
        self._kind = kind
        self.has_return = False
        self._branches = 0

    def block(self, block: tree.Block, scope: Scope) -> s.Block:
        """A block with names of its own."""
        return s.Block(self.statements(block.statements, scope.inner()), span=block.span)

    def statements(self, statements: tuple[tree.Stmt, ...], scope: Scope) -> tuple[s.Stmt, ...]:
        out: list[s.Stmt] = []
        for statement in statements:
            self._statement(statement, scope, out)
        return tuple(out)

    def _statement(self, st: tree.Stmt, scope: Scope, out: list[s.Stmt]) -> None:
        match st:
            case tree.Local():
                self._local(st, scope, out)
            case tree.Assignment():
                self._assignment(st, scope, out)
            case tree.Such():
                self._such(st, scope, out)
            case tree.Call():
                self._call(st, scope, out)
            case tree.Branch():
                condition = value(st.condition, ct.BOOL, scope)
                self._branches += 1
                then = self.block(st.then, scope)
                empty = tree.Block((), span=st.span)
                otherwise = self.block(st.otherwise or empty, scope)
                self._branches -= 1
                out.append(s.If(condition, then, otherwise, span=st.span))
            case tree.Loop():
                self._loop(st, scope, out)
            case tree.Claim():
                self._claim(st, scope, out)
            case tree.Ghost():
                self._ghost(st, scope, out)
            case tree.Return():
                self._return(st, scope, out)
            case tree.Block():
                out.append(self.block(st, scope))

    # ------------------------------------------------------------ assignments

    def _local(self, st: tree.Local, scope: Scope, out: list[s.Stmt]) -> None:
        type_ = scope.table.type(st.type)
        before = scope.inner()  # the value does not see the variable
        variable = scope.declare(st.name, type_, st.span, is_fixed=False)
        out.append(s.Declare(variable, span=st.span))
        if st.chosen is not None:
            target = tree.Name(st.name, span=st.span)
            self._such(tree.Such(target, st.chosen, span=st.span), scope, out)
        elif st.value is None:
            initial = ct.default_value(type_, st.span)
            out.append(s.LocalAssign(variable, initial, span=st.span))
        elif not isinstance(st.value, tree.Anything):
            self._store(variable, type_, st.value, _Site(before, st.span, out))
        self._know_class(variable, type_, _Site(scope, st.span, out))

    def _assignment(self, st: tree.Assignment, scope: Scope, out: list[s.Stmt]) -> None:
        target = self._target(st.target, scope)
        if target is None:
            return
        place, type_ = target
        if isinstance(place, x.Var):
            if isinstance(st.value, tree.Anything):
                out.append(s.Declare(place, span=st.span))
            else:
                self._store(place, type_, st.value, _Site(scope, st.span, out))
            self._know_class(place, type_, _Site(scope, st.span, out))
            return
        if isinstance(st.value, tree.NewObject | tree.NewArray | tree.Anything) or (
            isinstance(st.value, tree.Invoke) and self._is_mutator(st.value, scope)
        ):
            place = self._settled(place, _Site(scope, st.span, out))
            made = self._temporary(_written(st.value.span), type_, _Site(scope, st.span, out))
            if not isinstance(st.value, tree.Anything):
                self._store(made, type_, st.value, _Site(scope, st.span, out))
            self._know_class(made, type_, _Site(scope, st.span, out))
            new: x.Expr = made
        else:
            new = value(st.value, type_, scope)
        self._write(place, new, st, out)

    def _settled(self, place: x.FieldRead | x.SeqIndex, site: _Site) -> x.FieldRead | x.SeqIndex:
        """The place as it is before the new value is made, which may change what leads to it."""
        if isinstance(place, x.FieldRead):
            return replace(place, receiver=self._kept(place.receiver, site))
        assert isinstance(place.sequence, x.FieldRead)
        array = self._kept(place.sequence.receiver, site)
        index = self._kept(place.index, site)
        return replace(place, sequence=replace(place.sequence, receiver=array), index=index)

    def _kept(self, e: x.Expr, site: _Site) -> x.Expr:
        """A value that stays: of a variable or a number, or else in a variable of its own."""
        if isinstance(e, x.Var | x.IntLit):
            return e
        aside = _Site(site.scope, _aside(e.span), site.out)
        variable = self._temporary_of(f"{_written(e.span)} before", e.type, aside)
        site.out.append(s.LocalAssign(variable, e, span=e.span))
        return replace(variable, span=e.span)

    def _write(
        self,
        place: x.FieldRead | x.SeqIndex,
        new: x.Expr,
        st: tree.Assignment | tree.Such,
        out: list[s.Stmt],
    ) -> None:
        if isinstance(place, x.FieldRead):
            out.append(s.FieldAssign(place.receiver, place.field, new, span=st.span))
            return
        elements, index = place.sequence, place.index
        assert isinstance(elements, x.FieldRead)
        zero = x.IntLit(0, span=index.span)
        size = length_of(elements.receiver, index.span)
        inside = x.And(
            (
                x.Compare(x.CompareOp.LE, zero, index, span=index.span),
                x.Compare(x.CompareOp.LT, index, size, span=index.span),
            ),
            span=index.span,
        )
        out.append(s.Assert(inside, span=index.span))
        changed = x.SeqUpdate(elements, index, new, span=st.span)
        out.append(s.FieldAssign(elements.receiver, elements.field, changed, span=st.span))

    def _target(
        self, e: tree.Expr, scope: Scope
    ) -> tuple[x.Var | x.FieldRead | x.SeqIndex, ct.CoolType] | None:
        found = lower(e, scope)
        if found.type == ct.NOTHING:
            return None
        match found.value:
            case x.Var(name="this"):
                scope.error(e.span, "`this` keeps its value", "assign its fields, `this.x := ...`")
                return None
            case x.Var(name=name) as variable:
                known = next((v for v in scope.variables.values() if v.core.name == name), None)
                if known is None or known.is_fixed:
                    cure = "copy it into a variable, and change that"
                    scope.error(e.span, "parameters keep their value", cure)
                    return None
                return variable, found.type
            case x.FieldRead(field=field) as read if not field.endswith("[].elems"):
                return read, found.type
            case x.SeqIndex(sequence=x.FieldRead(field=field)) as index if field.endswith(
                "[].elems"
            ):
                return index, found.type
            case x.SeqIndex() if isinstance(e, tree.Index):
                whole, at = e.base.span.text, e.index.span.text
                cure = f"make another one: `{whole} := {whole}[{at} := ...]`"
                scope.error(e.span, "a sequence keeps its elements", cure)
                return None
        scope.error(e.span, "this cannot be assigned", "assign a variable, a field or an element")
        return None

    def _is_mutator(self, e: tree.Invoke, scope: Scope) -> bool:
        quiet = scope.inner()
        quiet.report = type(scope.report)()
        found = callee(e, quiet)
        return found is not None and found[0].kind == "mutator"

    def _store(
        self,
        variable: x.Var,
        type_: ct.CoolType,
        new: tree.Value,
        site: _Site,
    ) -> None:
        """`variable := new`, whatever the new value is."""
        scope, span, out = site.scope, site.span, site.out
        if isinstance(new, tree.NewObject):
            self._new_object(variable, type_, new, site)
        elif isinstance(new, tree.NewArray):
            self._new_array(variable, type_, new, site)
        elif isinstance(new, tree.Invoke) and self._is_mutator(new, scope):
            found = callee(new, scope)
            assert found is not None
            method, args = found
            if not scope.table.fits(method.result, type_) or method.result == ct.NOTHING:
                message = f"`{method.title}` has {word(method.result)} as its result"
                scope.error(new.span, message)
            args = self._arguments(method, args, site)
            out.append(s.MethodCall(method.core_name, args, (variable,), span=span))
        elif not isinstance(new, tree.Anything):
            out.append(s.LocalAssign(variable, value(new, type_, scope), span=span))

    def _temporary(self, name: str, type_: ct.CoolType, site: _Site) -> x.Var:
        return self._temporary_of(name, ct.core_type(type_), site)

    def _temporary_of(self, name: str, type_: core.Type, site: _Site) -> x.Var:
        """A variable for what has no name in the text: its name is the text of what it holds."""
        scope, span, out = site.scope, site.span, site.out
        names = {} if scope.names is None else scope.names
        number, found = 1, name
        while found in names or found in scope.variables:
            number += 1
            found = f"{name} ({number})"
        variable = x.Var(found, type_, span=span)
        names[found] = variable
        out.append(s.Declare(variable, span=span))
        return variable

    def _new_object(
        self,
        variable: x.Var,
        type_: ct.CoolType,
        new: tree.NewObject,
        site: _Site,
    ) -> None:
        scope, span, out = site.scope, site.span, site.out
        info = scope.table.classes.get(new.name)
        if info is None or info.is_interface:
            if new.name == "Object" and not new.args:
                out.append(s.New(variable, (), span=span))
                return
            if info is not None:
                classes = [c.name for c in scope.table.implementers(info.name)]
                cure = f"make one of its classes: `new {classes[0]}(...)`" if classes else None
                message = f"`{new.name}` is an interface: there are no objects of it"
                scope.error(new.span, message, cure)
            elif new.name in ("int", "bool"):
                cure = f"write `new {new.name}[n]` for an array of n of them"
                scope.error(new.span, f"there are no objects of type `{new.name}`", cure)
            else:
                cure = scope.table.similar_class(new.name)
                cure = cure or f"declare it: `class {new.name} {{ ... }}`"
                scope.error(new.span, f"there is no class `{new.name}`", cure)
            return
        own = ct.ClassT(new.name)
        if not scope.table.fits(own, type_):
            scope.error(new.span, f"this is {word(own)}, expected {word(type_)}")
        constructor = info.constructor
        args: tuple[x.Expr, ...] = ()
        if constructor is not None:
            args = arguments(new.args, constructor, new.span, scope)
        elif new.args:
            cure = f"write `new {new.name}()`, or declare `{new.name}(...) {{ ... }}` in the class"
            scope.error(new.span, f"class `{new.name}` has no constructor with parameters", cure)
        target = variable
        if any(variable.name == name for arg in args for name in free_vars(arg)):
            target = self._temporary(_written(new.span), own, _Site(scope, span, out))
        names = tuple([field.core_name for field in info.fields.values()])
        out.append(s.New(target, names, span=new.span))
        for field in info.fields.values():
            first = ct.default_value(field.type, span)
            out.append(s.FieldAssign(target, field.core_name, first, span=_aside(span)))
        if scope.table.has_dispatch(own):
            out.append(s.Inhale(class_of(target, info.number, span), span=_aside(span)))
        if constructor is not None:
            out.append(s.MethodCall(constructor.core_name, (target, *args), (), span=span))
        if target is not variable:
            out.append(s.LocalAssign(variable, target, span=_aside(span)))

    def _new_array(
        self,
        variable: x.Var,
        type_: ct.CoolType,
        new: tree.NewArray,
        site: _Site,
    ) -> None:
        scope, span, out = site.scope, site.span, site.out
        own = scope.table.type(new.type)
        assert isinstance(own, ct.ArrayT) or own == ct.NOTHING
        outer, *further = new.lengths
        length = value(outer, ct.INT, scope)
        if not isinstance(own, ct.ArrayT):
            return
        if further:
            self._new_rows(variable, type_, new, site)
            return
        if not scope.table.fits(own, type_):
            scope.error(new.span, f"this is {word(own)}, expected {word(type_)}")
        zero = x.IntLit(0, span=outer.span)
        positive = x.Compare(x.CompareOp.GE, length, zero, span=outer.span)
        out.append(s.Assert(positive, span=outer.span))
        if variable.name in free_vars(length):
            size = self._temporary(_written(outer.span), ct.INT, _Site(scope, span, out))
            out.append(s.LocalAssign(size, length, span=span))
            length = size
        field = scope.table.elems_field(own)
        out.append(s.New(variable, (field,), span=new.span))
        elements = x.FieldRead(variable, field, core.SeqType(ct.core_type(own.element)), span=span)
        count = x.Cardinality(elements, span=span)
        at = x.Var("i'" if variable.name == "i" else "i", core.INT, span=span)
        element = x.SeqIndex(elements, at, ct.core_type(own.element), span=span)
        inside = x.And(
            (
                x.Compare(x.CompareOp.LE, x.IntLit(0), at, span=span),
                x.Compare(x.CompareOp.LT, at, count, span=span),
            ),
            span=span,
        )
        first = x.Equal(element, ct.default_value(own.element, span), span=span)
        empty = x.Forall(
            (at,),
            (x.Trigger((element,), span=span),),
            x.Implies(inside, first, span=span),
            span=span,
        )
        facts: list[x.Expr] = [
            x.Equal(length_of(variable, span), length, span=span),
            x.Equal(count, length, span=span),
            empty,
        ]
        out.append(s.Inhale(conjunction(facts, span), span=_aside(span)))

    def _new_rows(
        self, variable: x.Var, type_: ct.CoolType, new: tree.NewArray, site: _Site
    ) -> None:
        """`new int[2][3]`: an array of rows, each of which is made and put into its place."""
        scope, span, out = site.scope, site.span, site.out
        first, *further = new.lengths
        own = scope.table.type(new.type)
        assert isinstance(own, ct.ArrayT)
        if not isinstance(first, tree.Number) or first.value > MOST_ROWS:
            rest = "[]" * (new.type.dimensions - 1)
            made = f"new {new.type.name}[{first.span.text}]{rest}"
            cure = f"write `{made}`, and make the rows in a loop"
            message = f"rows are made at once where a number up to {MOST_ROWS} says how many"
            scope.error(first.span, message, cure)
            return
        self._new_array(variable, type_, replace(new, lengths=(first,)), site)
        row_type = replace(new.type, dimensions=new.type.dimensions - 1)
        inner = tree.NewArray(row_type, tuple(further), span=new.span)
        field, kind = scope.table.elems_field(own), core.SeqType(ct.core_type(own.element))
        for at in range(first.value):
            row = self._temporary(f"row {at} of {_written(new.span)}", own.element, site)
            self._new_array(row, own.element, inner, site)
            rows = x.FieldRead(variable, field, kind, span=span)
            changed = x.SeqUpdate(rows, x.IntLit(at, span=span), row, span=span)
            out.append(s.FieldAssign(variable, field, changed, span=_aside(span)))

    def _know_class(self, variable: x.Var, type_: ct.CoolType, site: _Site) -> None:
        fact = class_fact(variable, type_, site.scope, site.span)
        if fact is not None:
            site.out.append(s.Inhale(fact, span=_aside(site.span)))

    def _such(self, st: tree.Such, scope: Scope, out: list[s.Stmt]) -> None:
        target = self._target(st.target, scope)
        condition = value(st.condition, ct.BOOL, scope.spec(has_old=True))
        if target is None:
            return
        place, type_ = target
        site = _Site(scope, st.span, out)
        if isinstance(place, x.Var):
            chosen = place
        else:
            chosen = self._temporary(" ".join(st.target.span.text.split()), type_, site)
            condition = about_the_new(condition, place, chosen)
        found = witnesses(chosen, condition)
        if isinstance(chosen.type, core.RefType):
            found += fitting(type_, scope, st.span)
        tried = [substitute(condition, {chosen.name: e}) for e in found]
        if ct.holds_references(chosen.type):  # other references may be of other types
            tried.append(x.BoolLit(value=False, span=st.span))
        else:
            tried.append(x.Exists((chosen,), (), condition, span=st.span))
        there = tried[0] if len(tried) == 1 else x.Or(tuple(tried), span=st.span)
        out.append(s.Assert(there, span=st.span))
        out.append(s.Declare(chosen, span=st.span))
        out.append(s.Inhale(condition, span=st.condition.span))
        self._know_class(chosen, type_, site)
        if not isinstance(place, x.Var):
            self._write(place, chosen, st, out)

    # ------------------------------------------------------------ calls and control

    def _call(self, st: tree.Call, scope: Scope, out: list[s.Stmt]) -> None:
        assert isinstance(st.call, tree.Invoke)
        found = callee(st.call, scope)
        if found is None:
            return
        method, args = found
        if method.kind != "mutator":
            message = f"calling `{method.title}` changes nothing"
            scope.error(st.span, message, "use its value, or leave out the statement")
            return
        targets: tuple[x.Var, ...] = ()
        if method.result != ct.NOTHING:
            targets = (
                self._temporary(_written(st.call.span), method.result, _Site(scope, st.span, out)),
            )
        args = self._arguments(method, args, _Site(scope, st.span, out))
        out.append(s.MethodCall(method.core_name, args, targets, span=st.span))

    def _arguments(
        self, method: MethodInfo, args: tuple[x.Expr, ...], site: _Site
    ) -> tuple[x.Expr, ...]:
        """Arguments are known before the call: what was opened to read them may be closed again.

        That matters where the precondition asks for an instance of a predicate.
        """
        table = site.scope.table
        is_asked = any(
            isinstance(node, tree.Invoke) and table.is_predicate(node.name)
            for one in (method, *table.promises(method))
            for clause in one.declaration.clauses
            for node in descendants(clause)
        )
        if not is_asked:
            return args
        receiver, *others = args
        return (receiver, *[self._read_before(arg, site) for arg in others])

    def _read_before(self, e: x.Expr, site: _Site) -> x.Expr:
        if not any(isinstance(node, x.FieldRead) for node in descendants(e)):
            return e
        aside = _Site(site.scope, _aside(e.span), site.out)
        variable = self._temporary_of(_written(e.span), e.type, aside)
        site.out.append(s.LocalAssign(variable, e, span=e.span))
        return replace(variable, span=e.span)

    def _loop(self, st: tree.Loop, scope: Scope, out: list[s.Stmt]) -> None:
        condition = value(st.condition, ct.BOOL, scope)
        inside = scope.spec(has_old=True)
        invariants = tuple([assertion(invariant, inside) for invariant in st.invariants])
        measures: tuple[s.Decreases, ...] = ()
        if st.measures:
            found = tuple([measure(part, inside) for part in st.measures])
            measures = (s.DecreasesTuple(found, None, span=st.measures[0].span),)
        body = self.block(st.body, scope)
        known: list[s.Stmt] = []
        changed = {target.name for target in _assigned(body)}
        for variable in scope.variables.values():
            if variable.core.name in changed:
                self._know_class(variable.core, variable.type, _Site(scope, st.span, known))
        body = replace(body, statements=(*known, *body.statements))
        out.append(s.While(condition, invariants, measures, body, span=st.span))
        out.extend(known)

    def _claim(self, st: tree.Claim, scope: Scope, out: list[s.Stmt]) -> None:
        claim = assertion(st.assertion, scope.spec(has_old=True))
        if st.keyword == "assume":
            out.append(s.Inhale(claim, span=st.span))
        elif st.keyword == "join":
            self._join(claim, _Site(scope, st.span, out))
        else:
            out.append(s.Assert(claim, span=st.span))

    def _join(self, claim: a.Assertion, site: _Site) -> None:
        """A cut: nothing else is known behind it, but what the types of variables tell."""
        if self._branches:
            cure = "put it after the `if`"
            message = "a `join` stands where all ways meet: not inside of an `if`"
            site.scope.error(site.span, message, cure)
        site.out.append(s.Cut(claim, span=site.span))
        known = [(v.core, v.type) for v in site.scope.variables.values()]
        owner = site.scope.owner
        if owner is not None:
            known.append((x.Var("this", core.REF, span=site.span), ct.ClassT(owner.name)))
        for variable, type_ in known:
            self._know_class(variable, type_, site)

    def _ghost(self, st: tree.Ghost, scope: Scope, out: list[s.Stmt]) -> None:
        inside = scope.spec(has_old=True)
        if st.keyword == "use":
            found = callee(st.target, inside) if isinstance(st.target, tree.Invoke) else None
            if found is None or found[0].kind != "pure":
                if not isinstance(st.target, tree.Invoke) or found is not None:
                    scope.error(st.target.span, "expected a pure method, as in `get()`")
                return
            if not is_visible(found[0], scope):
                not_visible(found[0], st.target.span, scope)
                return
            call, _ = pure(st.target, inside)
            out.append(s.Assert(x.Equal(call, call, span=st.span), span=st.span))
            return
        instance = predicate_instance(st.target, inside)
        if instance is None:
            return
        method, location, amount = instance
        if not is_visible(method, scope):
            not_visible(method, st.target.span, scope)
        elif method.declaration.body is None:
            nothing_inside(method, st.target.span, scope)
        elif st.keyword == "open":
            out.append(s.Unfold(location, amount, span=st.span))
        else:
            out.append(s.Fold(location, amount, span=st.span))

    def _return(self, st: tree.Return, scope: Scope, out: list[s.Stmt]) -> None:
        if self._result == ct.NOTHING:
            if st.value is not None:
                told = "this method has no result", "write its type for `void`, or `return;`"
                scope.error(st.span, *_NO_RESULT.get(self._kind, told))
        elif st.value is None:
            cure = "write `return ...;` with the result, or `void` in place of the type"
            scope.error(st.span, f"expected {word(self._result)} after `return`", cure)
        else:
            variable = x.Var("result", ct.core_type(self._result), span=st.span)
            self._store(variable, self._result, st.value, _Site(scope, st.span, out))
        self.has_return = True
        out.append(s.Goto(END, span=st.span))


_NO_RESULT = {
    "constructor": (
        "a constructor has no result",
        "write `return;`: `new` gives the object itself",
    ),
    "main": ("the main routine has no result", "write `return;`"),
}
"""What is said of a value behind `return`, and the cure, by the kind of the method."""


def _written(span: Span) -> str:
    """A piece of the text in one line, as the name of what it stands for; never a plain word."""
    text = " ".join(span.text.split())
    return f"({text})" if text.isidentifier() else text


def _assigned(body: s.Block) -> list[x.Var]:
    """The variables that statements of a block change."""
    found: list[x.Var] = []
    for node in descendants(body):
        match node:
            case s.LocalAssign(target=target) | s.New(target=target):
                found.append(target)
            case s.MethodCall(targets=targets):
                found += targets
            case s.Declare(variable=variable):
                found.append(variable)
    return found


def _aside(span: Span) -> Span:
    """The place of a statement that nobody wrote and that needs no help, so that it is no place of
    the statement that it belongs to: what is inferred there is needed or not by that one alone.
    """
    return Span(span.file, span.start, span.start)
