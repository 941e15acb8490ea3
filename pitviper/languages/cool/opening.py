"""Opens predicates inside expressions, where the text leaves `opening` out (section 4.1).

A contract or a pure body that reads a field of a closed predicate of its own class is read as if
`opening ... in` stood around the smallest part that needs it, and around nothing that needs the
predicate closed. What is read is decided by the text alone: by the locations that the bodies of
the predicates mention. So all engines, and a run, see the same program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from pitviper.base.record import record, replace
from pitviper.plugins.build import substitute
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program import stmt as s
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants, rewrite, rewrite_children
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import Span

Seen = Callable[[str], bool]
"""Whether the body of a predicate is known where an expression stands."""


@record
class Instance:
    """An instance of a predicate that is held, and how much of it."""

    location: a.PredicateLocation
    amount: x.Expr


@record
class _Need:
    """What an expression wants opened, outermost first, and what it wants closed."""

    opened: tuple[Instance, ...] = ()
    closed: tuple[a.PredicateLocation, ...] = ()

    def __add__(self, other: _Need) -> _Need:
        more = [i for i in other.opened if i not in self.opened]
        return _Need((*self.opened, *more), (*self.closed, *other.closed))

    @property
    def is_contradictory(self) -> bool:
        return any(i.location in self.closed for i in self.opened)


class _Limit:
    """How many predicates are opened inside each other, and where that was not enough."""

    def __init__(self, depth: int, found: list[Diagnostic]) -> None:
        self.depth = depth
        self._found = found

    def name(self, span: Span) -> None:
        message = f"more than {self.depth} predicates would have to be opened inside each other"
        cure = "write `opening ... in`, or allow more: `--infer-depth N`"
        warning = Severity.WARNING
        self._found.append(Diagnostic("typechecker.warning", warning, span, message, help=cure))


class Opener:
    """Opens predicates in the members of one program."""

    def __init__(self, program: m.Program, is_seen: Callable[[str, str], bool], depth: int) -> None:
        self._program = program
        self._is_seen = is_seen
        self._depth = depth
        self.limited: list[Diagnostic] = []
        """A warning for each place that needs more openings inside each other."""

    def _room(self, member: str) -> _Room:
        limit = _Limit(self._depth, self.limited)
        return _Room(self._program, lambda name: self._is_seen(member, name), limit)

    def program(self) -> m.Program:
        """The program with all openings that its contracts, conditions and pure bodies need."""
        functions = {name: self._function(f) for name, f in self._program.functions.items()}
        methods = {name: self._method(f) for name, f in self._program.methods.items()}
        predicates = {name: self._predicate(p) for name, p in self._program.predicates.items()}
        return replace(self._program, functions=functions, methods=methods, predicates=predicates)

    def _function(self, function: m.Function) -> m.Function:
        room = self._room(function.name)
        before, held = room.clauses(function.preconditions, ())
        after = tuple([room.expression(e, held, ()) for e in function.postconditions])
        body = None if function.body is None else room.expression(function.body, held, ())
        return replace(
            function,
            preconditions=before,
            postconditions=after,
            body=body,
            decreases=room.measures(function.decreases, held),
        )

    def _predicate(self, predicate: m.Predicate) -> m.Predicate:
        if predicate.body is None:
            return predicate
        room = self._room(predicate.name)
        (body,), _ = room.clauses((predicate.body,), ())
        return replace(predicate, body=body)

    def _method(self, method: m.Method) -> m.Method:
        room = self._room(method.name)
        before, held = room.clauses(method.preconditions, ())
        after, _ = room.clauses(method.postconditions, held)
        body = None if method.body is None else room.body(method.body, held)
        return replace(
            method,
            preconditions=before,
            postconditions=after,
            body=body,
            decreases=room.measures(method.decreases, held),
        )


class _Room:
    """A member, from which the bodies of some predicates are seen."""

    def __init__(self, program: m.Program, is_seen: Seen, limit: _Limit) -> None:
        self._program = program
        self._is_seen = is_seen
        self._limit = limit

    def clauses(
        self, clauses: Sequence[a.Assertion], before: Sequence[Instance]
    ) -> tuple[tuple[a.Assertion, ...], tuple[Instance, ...]]:
        """Clauses from left to right: each knows the instances that stand before it."""
        held: list[Instance] = []
        done = []
        for clause in clauses:
            done.append(self._assertion(clause, held, before))
        return tuple(done), tuple(held)

    def _assertion(
        self, e: a.Assertion, held: list[Instance], before: Sequence[Instance]
    ) -> a.Assertion:
        match e:
            case a.Access(location=a.PredicateLocation() as location, amount=amount):
                args = tuple([self.expression(arg, held, before) for arg in location.args])
                opened = replace(location, args=args)
                held.append(Instance(opened, amount))
                return replace(e, location=opened)
            case a.Access(location=a.FieldLocation() as place):
                receiver = self.expression(place.receiver, held, before)
                return replace(e, location=replace(place, receiver=receiver))
            case a.Star(conjuncts):
                parts = tuple([self._assertion(part, held, before) for part in conjuncts])
                return replace(e, conjuncts=parts)
            case a.Guarded(condition, body):
                opened_condition = self.expression(condition, held, before)
                inside = self._assertion(body, list(held), before)
                return replace(e, condition=opened_condition, body=inside)
            case a.Choice(condition, then, otherwise):
                return replace(
                    e,
                    condition=self.expression(condition, held, before),
                    then=self._assertion(then, list(held), before),
                    otherwise=self._assertion(otherwise, list(held), before),
                )
            case _:
                if isinstance(e, a.Impure):
                    return e
                return self.expression(e, held, before)

    def body(self, block: s.Block, before: Sequence[Instance]) -> s.Block:
        """The block, with the conditions and invariants of its loops opened.

        What else is opened in a body is inferred from what is held there. No statement can be in
        front of a part of an expression: where one part needs a predicate closed, as a call of a
        pure method does, and another one reads what is inside, that one is opened here.
        """
        names = {node.name for node in descendants(block) if isinstance(node, x.Var)}

        def rule(node: Node) -> Node | None:
            match node:
                case s.Assert(assertion):
                    if isinstance(assertion, a.Impure):
                        return replace(node, assertion=self._assertion(assertion, [], before))
                    return replace(node, assertion=self._apart(assertion, before))
                case s.LocalAssign(value=value):
                    return replace(node, value=self._apart(value, before))
                case s.If(condition=condition):
                    return replace(node, condition=self._apart(condition, before))
                case s.MethodCall(args=args):
                    return replace(node, args=tuple([self._apart(arg, before) for arg in args]))
                case s.FieldAssign():
                    return self._written(
                        replace(node, value=self._apart(node.value, before)), names
                    )
                case s.While(condition=condition, invariants=invariants):
                    done, held = self.clauses(invariants, before)
                    return replace(
                        node,
                        condition=self.expression(condition, held, before),
                        invariants=done,
                        decreases=self.measures(node.decreases, held),
                    )
                case _:
                    return None

        return rewrite(block, rule)

    def _apart(self, e: x.Expr, before: Sequence[Instance]) -> x.Expr:
        """The expression, in which parts are opened that read what other parts need closed."""
        held = self._needed_closed(e)
        return self._open(e, held, before)[0] if held else e

    def _needed_closed(self, e: x.Expr) -> list[Instance]:
        """The instances that the preconditions of what an expression calls ask for."""
        found: list[Instance] = []
        for node in descendants(e):
            if not isinstance(node, x.FunctionApp) or node.function not in self._program.functions:
                continue
            called = self._program.functions[node.function]
            values = {p.name: arg for p, arg in zip(called.params, node.args, strict=True)}
            for clause in called.preconditions:
                for access in _accesses(substitute(clause, values)):
                    if isinstance(access.location, a.PredicateLocation):
                        found.append(Instance(access.location, access.amount))
        return found

    def _written(self, node: s.FieldAssign, names: set[str]) -> s.Stmt:
        """`n := get() + 1`: the value needs the predicate closed in which `n` is.

        So it comes first, in a variable that has its text as name.
        """
        held = self._needed_closed(node.value)
        if not self._way(a.FieldLocation(node.receiver, node.field), held, self._limit.depth):
            return node
        span = node.value.span
        if span == node.span:  # of an element: two statements have two places
            span = Span(span.file, span.start, span.end - 1)
        name = " ".join(span.text.split())
        while name in names:
            name = f"{name} again"
        names.add(name)
        value = x.Var(name, node.value.type, span=span)
        aside = Span(span.file, span.start, span.start)
        first = s.LocalAssign(value, node.value, span=span)
        write = replace(node, value=value)
        return s.Block((s.Declare(value, span=aside), first, write), span=aside)

    def measures(
        self, clauses: Sequence[s.Decreases], held: Sequence[Instance]
    ) -> tuple[s.Decreases, ...]:
        """Clauses about termination, which rely on what is held."""

        def opened(clause: s.Decreases) -> s.Decreases:
            if not isinstance(clause, s.DecreasesTuple):
                return clause
            measures = tuple([self.expression(e, held, ()) for e in clause.measures])
            return replace(clause, measures=measures)

        return tuple([opened(clause) for clause in clauses])

    def expression(self, e: x.Expr, held: Sequence[Instance], before: Sequence[Instance]) -> x.Expr:
        """The expression, which may rely on instances held now, and in the earlier state."""
        opened, need = self._open(e, held, before)
        return _wrapped(opened, need)

    def _open(
        self, e: x.Expr, held: Sequence[Instance], before: Sequence[Instance]
    ) -> tuple[x.Expr, _Need]:
        """The expression and what still has to be opened around it."""
        if isinstance(e, x.Old):
            return replace(e, operand=self.expression(e.operand, before, ())), _Need()
        if isinstance(e, x.Unfolding):
            return e, _Need(closed=(e.predicate,))
        own = self._own_need(e, held)
        parts: dict[int, tuple[x.Expr, _Need]] = {}
        total = own
        for child in children(e):
            if isinstance(child, a.Impure | a.PredicateLocation | a.FieldLocation | x.Trigger):
                continue
            parts[id(child)] = self._open(cast(x.Expr, child), held, before)
        guarded = {id(child) for child in _guarded(e)}
        for key, (_, need) in parts.items():
            total += _Need() if key in guarded else need
        known = [*held, *total.opened]
        for key in guarded & set(parts):
            parts[key] = _opened_inside(*parts[key], known)
        for key, (_, need) in parts.items():
            total += need if key in guarded else _Need()
        if total.is_contradictory:
            changed = {key: _wrapped(*done) for key, done in parts.items()}
            closed = [i.location for _, need in parts.values() for i in need.opened]
            inner = [p for _, need in parts.values() for p in need.closed]
            total = own + _Need(closed=(*closed, *inner))
        else:
            changed = {key: done[0] for key, done in parts.items()}
        if all(changed[id(c)] is c for c in children(e) if id(c) in changed):
            return e, total
        return rewrite_children(e, changed), total

    def _own_need(self, e: x.Expr, held: Sequence[Instance]) -> _Need:
        """What the node itself needs: a location that it reads, the precondition of a call."""
        match e:
            case x.FieldRead(receiver, field):
                goal = a.FieldLocation(receiver, field)
                return _Need(self._limited_way(goal, held, e))
            case x.FunctionApp(function, args) if function in self._program.functions:
                called = self._program.functions[function]
                values = {p.name: arg for p, arg in zip(called.params, args, strict=True)}
                need = _Need()
                for clause in called.preconditions:
                    for location in _locations(substitute(clause, values)):
                        need += self._place(location, held, e)
                return need
            case _:
                return _Need()

    def _place(self, location: a.Location, held: Sequence[Instance], e: x.Expr) -> _Need:
        if any(location == instance.location for instance in held):
            assert isinstance(location, a.PredicateLocation)
            return _Need(closed=(location,))
        return _Need(self._limited_way(location, held, e))

    def _limited_way(
        self, goal: a.Location, held: Sequence[Instance], e: x.Expr
    ) -> tuple[Instance, ...]:
        """The instances to open for an expression; a warning where one more would be needed."""
        depth = self._limit.depth
        way = self._way(goal, held, depth)
        if not way and not _is_held(goal, held) and self._way(goal, held, depth + 1):
            self._limit.name(e.span)
        return way

    def _way(self, goal: a.Location, held: Sequence[Instance], depth: int) -> tuple[Instance, ...]:
        """The instances to open, one inside the other, until a location is there."""
        inside: list[tuple[Instance, list[Instance]]] = []
        for instance in _leading(goal, held):
            found = self._contents(instance)
            if any(location == goal for location, _ in found):
                return (instance,)
            amounts = [
                Instance(location, amount)
                for location, amount in found
                if isinstance(location, a.PredicateLocation)
            ]
            inside.append((instance, amounts))
        if depth > 1:
            for instance, further in inside:
                way = self._way(goal, further, depth - 1)
                if way:
                    return (instance, *way)
        return ()

    def _contents(self, instance: Instance) -> list[tuple[a.Location, x.Expr]]:
        """What an instance holds, with amounts; nothing where its body is not known here."""
        predicate = self._program.predicates.get(instance.location.predicate)
        if predicate is None or predicate.body is None or not self._is_seen(predicate.name):
            return []
        pairs = zip(predicate.params, instance.location.args, strict=True)
        body = substitute(predicate.body, {param.name: arg for param, arg in pairs})
        return [(access.location, access.amount) for access in _accesses(body)]


def _guarded(e: x.Expr) -> tuple[x.Expr, ...]:
    """The parts of an expression that are looked at only if other parts say so."""
    match e:
        case x.Conditional(_, then, otherwise):
            return then, otherwise
        case x.And(operands) | x.Or(operands):
            return operands[1:]
        case x.Implies(_, right):
            return (right,)
        case _:
            return ()


def _opened_inside(e: x.Expr, need: _Need, known: Sequence[Instance]) -> tuple[x.Expr, _Need]:
    """A guarded part and what is opened around its guard, too: what is there whatever that says.

    The others may be there only where the guard holds, such as `next.valid()` in
    `next == null ? 0 : next.item`: they are opened in the part itself.
    """
    inside = [instance for instance in need.opened if instance not in known]
    if not inside:
        return e, need
    outside = tuple([instance for instance in need.opened if instance in known])
    closed = (*need.closed, *[instance.location for instance in inside])
    return _wrapped(e, _Need(tuple(inside))), _Need(outside, closed)


def _leading(goal: a.Location, held: Sequence[Instance]) -> list[Instance]:
    """The instances in which a location can be: what is inside is named by their arguments.

    So the search follows the expression that is read, and not all that could be opened.
    """
    named = set(descendants(goal))
    return [i for i in held if any(argument in named for argument in i.location.args)]


def _is_held(goal: a.Location, held: Sequence[Instance]) -> bool:
    return any(goal == instance.location for instance in held)


def _wrapped(e: x.Expr, need: _Need) -> x.Expr:
    for instance in reversed(need.opened):
        e = x.Unfolding(instance.location, instance.amount, e, span=e.span)
    return e


def _accesses(e: a.Assertion) -> Iterable[a.Access]:
    match e:
        case a.Access():
            yield e
        case a.Star(conjuncts):
            for conjunct in conjuncts:
                yield from _accesses(conjunct)
        case a.Guarded(_, body):
            yield from _accesses(body)
        case a.Choice(_, then, otherwise):
            yield from _accesses(then)
            yield from _accesses(otherwise)


def _locations(e: a.Assertion) -> list[a.Location]:
    return [access.location for access in _accesses(e)]
