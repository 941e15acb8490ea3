"""A run of a member for given values: numbers, truth values, sequences and sets of numbers, and
values of data types that are made of these.

What a run meets that is none of these ends it, and it tells nothing; what it tells is true of these
values. Parameters are different objects in it, and only their fields are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.explain.advice.case import conjuncts
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.program.types import BOOL
from pitviper.program.walk import free_vars


@record
class Made:
    """A value of a data type; truth values in it are `True` and `False`."""

    constructor: str
    args: tuple[Value, ...]


Value: TypeAlias = "int | tuple[int, ...] | frozenset[int] | Made"
"""A number or truth value (0 and 1), a sequence, a set, a value of a data type."""

Values = Mapping[str, Value]
"""Variables and fields, `x` and `x.f`, with their values."""

_STEPS = 300
"""Statements, applications and elements in a run; a longer one tells nothing."""


@record
class Head:
    """The values of variables where an iteration begins or the loop ends."""

    values: Values
    entry: bool


class Nothing(Exception):
    """The run cannot be continued."""


class Reached(Exception):
    """The run has come to the place that was asked for."""


class Jump(Exception):
    """A `goto` leaves the block that it stands in."""

    def __init__(self, statement: s.Goto) -> None:
        super().__init__(statement.target)
        self.statement = statement


class Run:
    """One run of a member."""

    def __init__(self, program: Program, values: Values, stop: s.Stmt | None = None) -> None:
        self.values = dict(values)
        self.before = values
        self.assigned: dict[str, s.LocalAssign | s.FieldAssign] = {}
        self.jumps: list[s.Goto] = []
        self.heads: list[tuple[s.While, Head]] = []
        self.stop = stop
        self._program, self._left = program, _STEPS

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Nothing

    def block(self, block: s.Block) -> None:
        at = 0
        while at < len(block.statements):
            try:
                self.statement(block.statements[at])
            except Jump as jump:
                target = jump.statement.target
                found = [
                    i
                    for i, one in enumerate(block.statements)
                    if isinstance(one, s.Label) and one.name == target
                ]
                if not found:
                    raise
                self.jumps.append(jump.statement)
                at = found[0]
            at += 1

    def statement(self, node: s.Stmt) -> None:
        self._step()
        if node is self.stop:
            raise Reached
        match node:
            case s.Block():
                self.block(node)
            case s.Declare() | s.Label():
                pass
            case s.LocalAssign(target, value):
                self.values[target.name] = self.value(value)
                self.assigned[target.name] = node
            case s.FieldAssign(x.Var(name), field, value) if f"{name}.{field}" in self.values:
                self.values[f"{name}.{field}"] = self.value(value)
                self.assigned[f"{name}.{field}"] = node
            case s.If(condition, then, otherwise):
                self.block(then if self.number(condition) else otherwise)
            case s.While(condition):
                self.heads.append((node, Head(dict(self.values), entry=True)))
                while self.number(condition):
                    self.block(node.body)
                    self._step()
                    self.heads.append((node, Head(dict(self.values), entry=False)))
            case s.Goto():
                raise Jump(node)
            case s.Inhale(formula) if not isinstance(formula, x.Expr):
                raise Nothing  # it may bring permission, and with it any value
            case s.Inhale(formula) | s.Assert(formula):
                if not self.number(formula):
                    raise Nothing  # no run comes past this
            case _:
                raise Nothing

    def number(self, node: Node) -> int:
        """The value of what is a number or a truth value."""
        found = self.value(node)
        if not isinstance(found, int):
            raise Nothing
        return found

    def value(self, node: Node) -> Value:
        match node:
            case x.IntLit(number):
                return number
            case x.BoolLit(value):
                return int(value)
            case x.Var(name):
                return self._known(name)
            case x.Result():
                return self._known("result")
            case x.Not(operand):
                return int(not self.number(operand))
            case x.Negate(operand):
                return -self.number(operand)
            case x.Conditional(condition, then, otherwise):
                return self.value(then if self.number(condition) else otherwise)
            case x.Equal(left, right):
                return int(self.value(left) == self.value(right))
            case x.NotEqual(x.Var(name), x.NullLit()) if self._is_object(name):
                return 1
            case x.NotEqual(left, right):
                return int(self.value(left) != self.value(right))
            case x.Compare(op, left, right):
                return int(_COMPARED[op](self.number(left), self.number(right)))
            case x.IntArith(op, left, right):
                return _calculated(op, self.number(left), self.number(right))
            case x.FunctionApp(name, args):
                return self._applied(name, [self.value(arg) for arg in args])
            case _:
                return self._of_others(node)

    def _of_others(self, node: Node) -> Value:
        """Connectives, and what is about objects."""
        match node:
            case x.And(operands):
                return int(all(self.number(each) for each in operands))
            case x.Or(operands):
                return int(any(self.number(each) for each in operands))
            case x.Implies(left, right):
                return int(not self.number(left) or bool(self.number(right)))
            case x.FieldRead(x.Var(name), field):
                return self._known(f"{name}.{field}")
            case x.Old(None, operand):
                return self._earlier(operand)
            case a.Access(a.FieldLocation(x.Var(name), field), x.PermLit()):
                return int(f"{name}.{field}" in self.values)
            case a.Star(parts):
                return int(all(self.number(each) for each in parts))
            case x.Forall(variables, body=x.Implies(left) as body):
                return int(all(self._instances(variables, left, body)))
            case x.Exists(variables, body=x.And() as body):
                return int(any(self._instances(variables, body, body)))
            case _:
                return self._of_collections(node)

    def _of_collections(self, node: Node) -> Value:
        match node:
            case x.SeqLit(elements):
                return tuple([self.number(each) for each in elements])
            case x.SetLit(elements):
                return frozenset([self.number(each) for each in elements])
            case x.Cardinality(collection):
                return len(self._elements(collection))
            case x.SeqContains(element, collection) | x.SetContains(element, collection):
                return int(self.number(element) in self._elements(collection))
            case x.SeqAppend(left, right):
                return _joined(self._sequence(left), self._sequence(right))
            case x.SeqIndex(sequence, index):
                known, at = self._sequence(sequence), self.number(index)
                if not 0 <= at < len(known):
                    raise Nothing
                return known[at]
            case x.SeqTake(sequence, count):
                return self._sequence(sequence)[: max(0, self.number(count))]
            case x.SeqDrop(sequence, count):
                return self._sequence(sequence)[max(0, self.number(count)) :]
            case x.SetBinary(op, left, right):
                one, two = self._set(left), self._set(right)
                joined = {x.SetOp.UNION: one | two, x.SetOp.INTERSECTION: one & two}
                return joined.get(op, one - two)
            case x.Subset(left, right):
                return int(self._set(left) <= self._set(right))
            case _:
                return self._of_data(node)

    def _of_data(self, node: Node) -> Value:
        """Values of data types: a part that another constructor has may be anything."""
        match node:
            case x.Construct(name, args):
                params = _params(self._program, name)
                values = [self.value(arg) for arg in args]
                pairs = zip(params, values, strict=True)
                return Made(name, tuple([bool(v) if p.type == BOOL else v for p, v in pairs]))
            case x.Discriminate(receiver, name):
                return int(self._made(receiver).constructor == name)
            case x.Destruct(receiver, argument):
                made = self._made(receiver)
                names = [param.name for param in _params(self._program, made.constructor)]
                if argument not in names:
                    raise Nothing
                return made.args[names.index(argument)]
            case _:
                raise Nothing

    def _made(self, node: Node) -> Made:
        found = self.value(node)
        if not isinstance(found, Made):
            raise Nothing
        return found

    def _elements(self, node: Node) -> tuple[int, ...] | frozenset[int]:
        found = self.value(node)
        if isinstance(found, int | Made):
            raise Nothing
        return found

    def _sequence(self, node: Node) -> tuple[int, ...]:
        found = self.value(node)
        if not isinstance(found, tuple):
            raise Nothing
        return found

    def _set(self, node: Node) -> frozenset[int]:
        found = self.value(node)
        if not isinstance(found, frozenset):
            raise Nothing
        return found

    def _instances(
        self, variables: tuple[x.Var, ...], guard: x.Expr, body: x.Expr
    ) -> Iterator[bool]:
        """The body of a quantifier for all values that its guard leaves to its variables.

        `product` makes lists of what it is given, and the run ends after so many steps anyway.
        """
        ranges = self._ranges([v.name for v in variables], conjuncts(guard))
        kept = self.values
        for values in product(*[range(low, high + 1)[: _STEPS + 1] for low, high in ranges]):
            self._step()
            self.values = {**kept, **dict(zip([v.name for v in variables], values, strict=True))}
            try:
                yield bool(self.number(body))
            finally:
                self.values = kept

    def _ranges(self, names: list[str], facts: list[Node]) -> list[tuple[int, int]]:
        """The least and the largest value that the facts leave to each variable."""
        low, high = dict[str, int](), dict[str, int]()
        orders = [order for fact in facts if (order := _order(fact)) is not None]
        for _ in range(len(names) + 1):
            for less, more, gap in orders:
                at_least = self._bound(less, low, names)
                at_most = self._bound(more, high, names)
                if isinstance(more, x.Var) and more.name in names and at_least is not None:
                    low[more.name] = max(low.get(more.name, at_least + gap), at_least + gap)
                if isinstance(less, x.Var) and less.name in names and at_most is not None:
                    high[less.name] = min(high.get(less.name, at_most - gap), at_most - gap)
        if any(name not in low or name not in high for name in names):
            raise Nothing
        return [(low[name], high[name]) for name in names]

    def _bound(self, side: x.Expr, known: dict[str, int], names: list[str]) -> int | None:
        """The value of a side of a comparison, or the bound that is known of a variable."""
        if isinstance(side, x.Var) and side.name in names:
            return known.get(side.name)
        if free_vars(side) & set(names):
            return None
        return self.number(side)

    def _earlier(self, operand: Node) -> Value:
        """The value with fields as they were at the start, and variables as they are now."""
        kept = self.values
        self.values = {**kept, **{n: v for n, v in self.before.items() if "." in n}}
        try:
            return self.value(operand)
        finally:
            self.values = kept

    def _is_object(self, name: str) -> bool:
        """Whether it is a parameter of which fields are known."""
        return any(place.startswith(f"{name}.") for place in self.values)

    def _known(self, name: str) -> Value:
        if name not in self.values:
            raise Nothing
        return self.values[name]

    def _applied(self, name: str, args: list[Value]) -> Value:
        self._step()
        function = self._program.functions.get(name)
        if function is None or function.body is None:
            raise Nothing
        kept = self.values
        self.values = {p.name: arg for p, arg in zip(function.params, args, strict=True)}
        try:
            if not all(self.number(clause) for clause in function.preconditions):
                raise Nothing
            return self.value(function.body)
        finally:
            self.values = kept


def _params(program: Program, constructor: str) -> tuple[x.Var, ...]:
    """The parts that a constructor puts together."""
    for adt in program.adts.values():
        for one in adt.constructors:
            if one.name == constructor:
                return one.params
    raise Nothing


Order = tuple[x.Expr, x.Expr, int]
"""Two sides, of which the first and a number are at most the second."""


def _order(fact: Node) -> Order | None:
    match fact:
        case x.Compare(x.CompareOp.LE, left, right):
            return left, right, 0
        case x.Compare(x.CompareOp.LT, left, right):
            return left, right, 1
        case x.Compare(x.CompareOp.GE, left, right):
            return right, left, 0
        case x.Compare(x.CompareOp.GT, left, right):
            return right, left, 1
        case _:
            return None


_COMPARED = {
    x.CompareOp.LT: int.__lt__,
    x.CompareOp.LE: int.__le__,
    x.CompareOp.GT: int.__gt__,
    x.CompareOp.GE: int.__ge__,
}


_LARGEST = 10**12
"""Products of larger numbers are not made: a loop that squares would not end."""


def _joined(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    if len(left) + len(right) > _STEPS:
        raise Nothing
    return left + right


def _calculated(op: x.IntOp, left: int, right: int) -> int:
    """Division is Euclidean: a remainder is never negative."""
    if abs(left) > _LARGEST or abs(right) > _LARGEST:
        raise Nothing
    match op:
        case x.IntOp.ADD:
            return left + right
        case x.IntOp.SUB:
            return left - right
        case x.IntOp.MUL:
            return left * right
    if right == 0:
        raise Nothing
    remainder = left % abs(right)
    return remainder if op is x.IntOp.MOD else (left - remainder) // right


def value_of(node: Node, values: Values, program: Program) -> int | None:
    """The value of an expression about numbers, if it has one."""
    try:
        return Run(program, values).number(node)
    except (Nothing, RecursionError):
        return None
