"""Runs of a member for small numbers: values for which an assertion is false, states of a loop.

Only what is about numbers and truth values is run, of variables and of fields of parameters, and a
run that meets anything else, or a variable that nothing has assigned, tells nothing. What a run
tells is true of these values: parameters are different objects in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from pitviper.base.record import record
from pitviper.explain.advice.case import LONGEST, Case, compared, quote, reads_heap
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of

Values = Mapping[str, int]
"""Variables and fields, `x` and `x.f`, with their values; those of Bool are 0 and 1."""

_NUMBERS = {
    1: (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 7, 10, -10, 99, -99),
    2: (0, 1, -1, 2, -2, 3, 5, -5),
    3: (0, 1, -1, 2),
}
"""The numbers that are tried, by the number of parameters."""

_STEPS = 300
"""Statements and applications in a run; a longer one tells nothing."""


@record
class Witness:
    """Values of parameters for which a part is false, and how the run came there."""

    values: Values
    assigned: tuple[tuple[str, int, s.LocalAssign | s.FieldAssign], ...]
    jumps: tuple[s.Goto, ...]


@record
class Head:
    """The values of variables where an iteration begins or the loop ends."""

    values: Values
    entry: bool


class _Nothing(Exception):
    """The run cannot be continued."""


class _Reached(Exception):
    """The run has come to the place that was asked for."""


class _Jump(Exception):
    """A `goto` leaves the block that it stands in."""

    def __init__(self, statement: s.Goto) -> None:
        super().__init__(statement.target)
        self.statement = statement


class _Run:
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
            raise _Nothing

    def block(self, block: s.Block) -> None:
        at = 0
        while at < len(block.statements):
            try:
                self.statement(block.statements[at])
            except _Jump as jump:
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
            raise _Reached
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
                self.block(then if self.value(condition) else otherwise)
            case s.While(condition):
                self.heads.append((node, Head(dict(self.values), entry=True)))
                while self.value(condition):
                    self.block(node.body)
                    self._step()
                    self.heads.append((node, Head(dict(self.values), entry=False)))
            case s.Goto():
                raise _Jump(node)
            case s.Inhale(formula) if not isinstance(formula, x.Expr):
                raise _Nothing  # it may bring permission, and with it any value
            case s.Inhale(formula) | s.Assert(formula):
                if not self.value(formula):
                    raise _Nothing  # no run comes past this
            case _:
                raise _Nothing

    def value(self, node: Node) -> int:
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
                return int(not self.value(operand))
            case x.Negate(operand):
                return -self.value(operand)
            case x.Conditional(condition, then, otherwise):
                return self.value(then if self.value(condition) else otherwise)
            case x.Equal(left, right):
                return int(self.value(left) == self.value(right))
            case x.NotEqual(x.Var(name), x.NullLit()) if self._is_object(name):
                return 1
            case x.NotEqual(left, right):
                return int(self.value(left) != self.value(right))
            case x.Compare(op, left, right):
                return int(_COMPARED[op](self.value(left), self.value(right)))
            case x.IntArith(op, left, right):
                return _calculated(op, self.value(left), self.value(right))
            case x.FunctionApp(name, args):
                return self._applied(name, [self.value(arg) for arg in args])
            case _:
                return self._of_others(node)

    def _of_others(self, node: Node) -> int:
        """Connectives, and what is about objects."""
        match node:
            case x.And(operands):
                return int(all(self.value(each) for each in operands))
            case x.Or(operands):
                return int(any(self.value(each) for each in operands))
            case x.Implies(left, right):
                return int(not self.value(left) or bool(self.value(right)))
            case x.FieldRead(x.Var(name), field):
                return self._known(f"{name}.{field}")
            case x.Old(None, operand):
                return self._earlier(operand)
            case a.Access(a.FieldLocation(x.Var(name), field), x.PermLit()):
                return int(f"{name}.{field}" in self.values)
            case a.Star(parts):
                return int(all(self.value(each) for each in parts))
            case _:
                raise _Nothing

    def _earlier(self, operand: Node) -> int:
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

    def _known(self, name: str) -> int:
        if name not in self.values:
            raise _Nothing
        return self.values[name]

    def _applied(self, name: str, args: list[int]) -> int:
        self._step()
        function = self._program.functions.get(name)
        if function is None or function.body is None:
            raise _Nothing
        kept = self.values
        self.values = {p.name: arg for p, arg in zip(function.params, args, strict=True)}
        try:
            if not all(self.value(clause) for clause in function.preconditions):
                raise _Nothing
            return self.value(function.body)
        finally:
            self.values = kept


_COMPARED = {
    x.CompareOp.LT: int.__lt__,
    x.CompareOp.LE: int.__le__,
    x.CompareOp.GT: int.__gt__,
    x.CompareOp.GE: int.__ge__,
}


_LARGEST = 10**12
"""Products of larger numbers are not made: a loop that squares would not end."""


def _calculated(op: x.IntOp, left: int, right: int) -> int:
    """Division is Euclidean: a remainder is never negative."""
    if abs(left) > _LARGEST or abs(right) > _LARGEST:
        raise _Nothing
    match op:
        case x.IntOp.ADD:
            return left + right
        case x.IntOp.SUB:
            return left - right
        case x.IntOp.MUL:
            return left * right
    if right == 0:
        raise _Nothing
    remainder = left % abs(right)
    return remainder if op is x.IntOp.MOD else (left - remainder) // right


def value_of(node: Node, values: Values, program: Program) -> int | None:
    """The value of an expression about numbers, if it has one."""
    try:
        return _Run(program, values).value(node)
    except (_Nothing, RecursionError):
        return None


# ---------------------------------------------------------------- what runs tell


Tried = list[tuple[Witness, bool]]
"""The runs that come to a failing part, and whether it holds there."""


def _size(values: Values) -> tuple[int, int]:
    return sum(abs(value) for value in values.values()), -sum(values.values())


def _excluding(case: Case, runs: Tried) -> str | None:
    """What to ask of the only parameter, so that no run that was tried makes the part false."""
    if not isinstance(case.member, Method | Function):
        return None
    unknown = dict(_unknown(case.member, case.program))
    if list(unknown.values()) != ["Int"]:
        return None
    name = next(iter(unknown))
    for text, test in _ASKED.items():
        rest = [holds for run, holds in runs if test(run.values[name])]
        if len(rest) > 2 and all(rest):
            return f"{name} {text}"
    return None


_ASKED: dict[str, Callable[[int], bool]] = {
    "!= 0": lambda n: n != 0,
    ">= 0": lambda n: n >= 0,
    "<= 0": lambda n: n <= 0,
    "> 0": lambda n: n > 0,
    "< 0": lambda n: n < 0,
}
"""Conditions on a number; weaker ones come first."""


def _tried(case: Case) -> Iterator[tuple[Witness, bool]]:
    """The runs that come to the failing part, and whether it holds there."""
    member, part = case.member, case.part
    if part is None or not isinstance(part, x.Expr) or case.finding.reason != "assertion.false":
        return
    if not isinstance(member, Method | Function) or member.body is None:
        return
    stop = None
    if case.finding.error == "assert.failed" and isinstance(member, Method):
        stop = _asserting(member, case)
        if stop is None:
            return
    elif case.finding.error != "postcondition.violated":
        return
    for values in _starts(member, case.program):
        run = _Run(case.program, values, stop)
        try:
            holds = _holds(run, member, part)
        except (_Nothing, _Jump, RecursionError):
            continue
        if holds is not None:
            names = [(n, run.values[n], node) for n, node in run.assigned.items()]
            yield Witness(values, tuple(names), tuple(run.jumps)), holds


def _asserting(member: Method, case: Case) -> s.Stmt | None:
    """The statement with the failing assertion, if it runs once: that of a loop is none."""
    at = case.finding.span
    for node in _outside_loops(member.body):
        if isinstance(node, s.Assert) and node.assertion.span == at:
            return node
    return None


def _outside_loops(block: s.Block | None) -> Iterator[s.Stmt]:
    for node in () if block is None else block.statements:
        yield node
        match node:
            case s.If(_, then, otherwise):
                yield from _outside_loops(then)
                yield from _outside_loops(otherwise)
            case s.Block():
                yield from _outside_loops(node)


def _starts(member: Method | Function, program: Program) -> Iterator[Values]:
    unknown = dict(_unknown(member, program))
    if not set(unknown.values()) <= {"Int", "Bool"} or len(unknown) > max(_NUMBERS):
        return
    numbers = _NUMBERS.get(len(unknown), ())
    for values in product(*[numbers if kind == "Int" else (0, 1) for kind in unknown.values()]):
        yield dict(zip(unknown, values, strict=True))


def _unknown(member: Method | Function, program: Program) -> Iterator[tuple[str, str]]:
    """What has some value at the start, with its type: parameters, and fields of objects."""
    objects = {param.name for param in member.params if str(param.type) == "Ref"}
    yield from [(p.name, str(p.type)) for p in member.params if p.name not in objects]
    if not isinstance(member, Method):
        yield from [(name, "Ref") for name in objects]
        return
    for node in descendants(member):
        match node:
            case a.FieldLocation(x.Var(name), field) if name in objects:
                yield f"{name}.{field}", str(program.fields[field].type)


def _holds(run: _Run, member: Method | Function, part: x.Expr) -> bool | None:
    """Whether the part holds at the end of the run, or at the place where it stops."""
    if not all(run.value(clause) for clause in member.preconditions):
        return None
    if isinstance(member, Function):
        assert member.body is not None
        run.values["result"] = run.value(member.body)
        return bool(run.value(part))
    assert member.body is not None
    try:
        run.block(member.body)
    except _Reached:
        return bool(run.value(part))
    return bool(run.value(part)) if run.stop is None else None


def at_head(case: Case, loop: s.While) -> list[Head]:
    """States at the start of iterations and at the end of a loop, of some runs."""
    if not isinstance(case.member, Method) or case.member.body is None:
        return []
    found: list[Head] = []
    for values in _starts(case.member, case.program):
        run = _Run(case.program, values)
        try:
            if all(run.value(clause) for clause in case.member.preconditions):
                run.block(case.member.body)
        except (_Nothing, _Jump, RecursionError):
            continue
        found += [state for node, state in run.heads if node is loop]
    return found


def tried(case: Case) -> str | None:
    """A rule: values for which the failing part is false, and what to do about them."""
    if wording_of(case.finding.span) is not VIPER:
        return None
    runs = list(_tried(case))
    failing = [run for run, holds in runs if not holds]
    if not failing or case.part is None:
        return None
    witness = min(failing, key=lambda run: _size(run.values))
    assert isinstance(case.member, Method | Function)
    unknown = dict(_unknown(case.member, case.program))
    bools = {name for name, kind in unknown.items() if kind == "Bool"}
    told = [
        (n if v else f"!{n}") if n in bools else f"{n} == {v}" for n, v in witness.values.items()
    ]
    lead = "it is false" + (f" for {' and '.join([f'`{one}`' for one in told])}" if told else "")
    if witness.jumps:
        jump = witness.jumps[-1]
        lead += f", on the path of `goto {jump.target}` (line {jump.span.line})"
    used = free_vars(case.part) | _fields_of_now(case.part)
    steps = [
        f"`{name}` is {_shown(value, node)} there (line {node.span.line}, `{node.span.text}`)"
        for name, value, node in witness.assigned
        if name in used and len(node.span.text) <= LONGEST
    ]
    lead += f": {' and '.join(steps)}" if steps else ""
    mend = "assert" if case.finding.error == "assert.failed" else "mend the body, or promise"
    if not any(holds for _, holds in runs):
        lead += ", and for all other values that were tried" if told and not steps else ""
        fixed = _fixing(case)
        if fixed is not None and told and not steps:
            said = quote(fixed)
            fact = f"`{said}` (line {fixed.span.line})" if said else f"line {fixed.span.line}"
            return f"{lead}; {mend} something that follows from {fact}"
        ask = ", or ask for more in the precondition" if told and not steps else ""
        return f"{lead}; {mend} something else{ask}"
    asked = _excluding(case, runs)
    if asked is None and case.finding.error == "assert.failed":
        names = {param.name for param in case.member.params}
        kept = not reads_heap(case.part) and free_vars(case.part) <= names
        asked = (quote(case.part) or None) if kept else None
    exclude = f"exclude that, `requires {asked}`" if asked else "exclude that by a precondition"
    if case.finding.error == "assert.failed":
        return f"{lead}; assert less, or {exclude}"
    change = "mend the body, " if steps else ""
    return f"{lead}; {change}{exclude}, or promise less"


def _fixing(case: Case) -> Node | None:
    """A fact in front of the failing part about what this compares: to ask for the part as well
    may contradict it."""
    if not isinstance(case.member, Method) or case.part is None:
        return None
    body = () if case.member.body is None else case.member.body.statements
    front = [n for n in body if n.span.start < case.finding.span.start]
    inhaled = [n.assertion for n in front if isinstance(n, s.Inhale)]
    about = compared(case.part)
    for clause in (*case.member.preconditions, *inhaled):
        for fact in _conjuncts(clause):
            if compared(fact) & about:
                return fact
    return None


def _conjuncts(clause: Node) -> Iterator[Node]:
    match clause:
        case a.Star(parts) | x.And(parts):
            for part in parts:
                yield from _conjuncts(part)
        case _:
            yield clause


def _fields_of_now(part: Node) -> set[str]:
    """The fields that a formula reads, but not those in `old`."""
    if isinstance(part, x.Old):
        return set()
    found = {name for inner in children(part) for name in _fields_of_now(inner)}
    if isinstance(part, x.FieldRead) and isinstance(part.receiver, x.Var):
        found.add(f"{part.receiver.name}.{part.field}")
    return found


def _shown(value: int, node: s.LocalAssign | s.FieldAssign) -> str:
    if str(node.value.type) == "Bool":
        return "true" if value else "false"
    return str(value)
