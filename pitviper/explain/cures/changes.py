"""One change of an expression at a time: an operator, a name or a number that is another one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Program
from pitviper.program.node import Node
from pitviper.program.types import AdtType, SeqType
from pitviper.program.walk import children

_MOST_NUMBERS = 4
"""Numbers of an expression that may be exchanged."""


def changes_of(expression: x.Expr, names: dict[str, str]) -> Iterator[tuple[Node, str]]:
    """One change at a time, outer nodes first."""
    for node in parts_of(expression):
        yield from _of_operators(node)
        yield from _of_names(node, names)
    for node in parts_of(expression):
        if str(getattr(node, "type", "")) == "Int" and not isinstance(node, x.IntArith | x.IntLit):
            text = node.span.text
            yield node, f"{text} + 1"
            yield node, f"{text} - 1"
    for node in _cases(expression):
        if str(node.type) == "Bool" and isinstance(node, x.Var | x.FunctionApp | x.FieldRead):
            yield node, f"!{node.span.text}"
        if isinstance(node, x.IntLit):
            yield from [(node, other) for other, kind in names.items() if kind == "Int"]
        if isinstance(node, x.Var) and str(node.type) == "Int":
            yield node, f"-{node.span.text}"
    yield from _exchanged_numbers(expression)


def _exchanged_numbers(expression: x.Expr) -> Iterator[tuple[Node, str]]:
    """Two numbers of an expression, each in the place of the other."""
    numbers = [n for n in parts_of(expression) if isinstance(n, x.IntLit) and n.value > 1]
    whole = expression.span
    for one, two in combinations(numbers[:_MOST_NUMBERS], 2):
        if one.value == two.value or one.span.end > two.span.start:
            continue
        text, start = whole.text, whole.start
        first, second = text[: one.span.start - start], text[two.span.end - start :]
        between = text[one.span.end - start : two.span.start - start]
        yield expression, f"{first}{two.span.text}{between}{one.span.text}{second}"


def _cases(value: x.Expr) -> Iterator[x.Expr]:
    """What a value may be, by the cases that it takes apart."""
    match value:
        case x.Conditional(_, then, otherwise):
            yield from _cases(then)
            yield from _cases(otherwise)
        case x.Unfolding(body=body):
            yield from _cases(body)
        case _:
            yield value


def other_parts(expression: x.Expr, program: Program) -> Iterator[tuple[Node, str]]:
    """`t.left` for `t.right`: another part of a value with the same type."""
    parts = {p.name: p for adt in program.adts.values() for c in adt.constructors for p in c.params}
    for node in parts_of(expression):
        if isinstance(node, x.Destruct) and node.argument in parts:
            for other in [n for n, p in parts.items() if p.type == parts[node.argument].type]:
                if other != node.argument:
                    yield node, f"{node.receiver.span.text}.{other}"


def left_out(expression: x.Expr, owner: Node, program: Program) -> Iterator[tuple[Node, str]]:
    """`xs.head + sum(xs.tail)` for `sum(xs.tail)`: a recursion that leaves a part out."""
    if not isinstance(owner, Function):
        return
    for node in parts_of(expression):
        if not isinstance(node, x.FunctionApp) or node.function != owner.name:
            continue
        for part in _parts_of_arguments(owner, program) if str(node.type) == "Int" else ():
            yield node, f"{part} + {node.span.text}"


def _parts_of_arguments(function: Function, program: Program) -> Iterator[str]:
    for param in function.params:
        match param.type:
            case AdtType(name):
                parts = [p for c in program.adts[name].constructors for p in c.params]
                yield from [f"{param.name}.{p.name}" for p in parts if str(p.type) == "Int"]
            case SeqType(element) if str(element) == "Int":
                yield f"{param.name}[0]"


def negated(owner: Node, argument: x.Expr) -> Iterator[tuple[Node, str]]:
    """A number that is given to a call may be meant with the other sign."""
    is_given = isinstance(owner, s.MethodCall) and isinstance(argument, x.Var)
    if is_given and str(argument.type) == "Int":
        yield argument, f"-{argument.span.text}"


def parts_of(node: Node) -> Iterator[Node]:
    """The parts of an expression that are no quantifier's own variables."""
    yield node
    for inner in children(node):
        if isinstance(inner, x.Expr | a.FieldLocation):
            yield from parts_of(inner)


FLIPS = {
    x.CompareOp.LT: ("<=", ">", ">="),
    x.CompareOp.LE: ("<", ">=", ">"),
    x.CompareOp.GT: (">=", "<", "<="),
    x.CompareOp.GE: (">", "<=", "<"),
}
"""Other signs for a comparison; the first differs only where both sides are equal."""

_SIGNS = {
    x.IntOp.ADD: ("-",),
    x.IntOp.SUB: ("+",),
    x.IntOp.MUL: ("+",),
    x.IntOp.DIV: ("*",),
}


def _of_operators(node: Node) -> Iterator[tuple[Node, str]]:
    match node:
        case x.Compare(op, left, right):
            for sign in FLIPS[op]:
                yield node, f"{left.span.text} {sign} {right.span.text}"
        case x.IntArith(op, left, right):
            for sign in _SIGNS.get(op, ()):
                yield node, f"{left.span.text} {sign} {right.span.text}"
            if op is x.IntOp.SUB:
                yield node, f"{right.span.text} - {left.span.text}"
            if isinstance(right, x.IntArith) and not right.span.text.startswith("("):
                inner = f"({left.span.text} {op.value} {right.left.span.text})"
                yield node, f"{inner} {right.op.value} {right.right.span.text}"
            if op is not x.IntOp.MUL and isinstance(right, x.IntLit):
                yield node, left.span.text
            elif op is x.IntOp.ADD:
                yield node, f"{left.span.text} * {right.span.text}"
        case x.Equal(left, right):
            yield node, f"{left.span.text} != {right.span.text}"
            for sign in ("<=", ">=") if str(left.type) == "Int" else ():
                yield node, f"{left.span.text} {sign} {right.span.text}"
        case x.NotEqual(left, right):
            yield node, f"{left.span.text} == {right.span.text}"
        case _:
            yield from _of_collections(node)
            yield from _of_connectives(node)


def _of_collections(node: Node) -> Iterator[tuple[Node, str]]:
    match node:
        case x.SeqAppend(left, right):
            yield node, f"{right.span.text} ++ {left.span.text}"
        case x.SetBinary(op, left, right):
            if op is x.SetOp.DIFFERENCE:
                yield node, f"{right.span.text} {op.value} {left.span.text}"
            for other in [o for o in x.SetOp if o is not op]:
                yield node, f"{left.span.text} {other.value} {right.span.text}"
        case x.SeqTake(whole, count):
            yield node, f"{whole.span.text}[{count.span.text}..]"
        case x.SeqDrop(whole, count):
            yield node, f"{whole.span.text}[..{count.span.text}]"
        case x.SeqUpdate(whole, at, value) | x.MapUpdate(whole, at, value):
            if str(at.type) == str(value.type):
                yield node, f"{whole.span.text}[{value.span.text} := {at.span.text}]"


def _connected(
    node: Node, operands: tuple[x.Expr, ...], own: str, other: str
) -> Iterator[tuple[Node, str]]:
    """All with the other sign; of more than two, the last two."""
    texts = [part.span.text for part in operands]
    yield node, other.join(texts)
    if len(texts) > 2:
        yield node, own.join([*texts[:-2], f"({other.join(texts[-2:])})"])


def _of_connectives(node: Node) -> Iterator[tuple[Node, str]]:
    match node:
        case x.And(operands):
            yield from _connected(node, operands, " && ", " || ")
        case x.Or(operands):
            yield from _connected(node, operands, " || ", " && ")
        case x.Not(operand):
            yield node, operand.span.text
        case x.Negate(operand):
            yield node, operand.span.text
        case x.Conditional(condition, then, otherwise):
            yield node, f"{condition.span.text} ? {otherwise.span.text} : {then.span.text}"
        case x.IntLit(value):
            yield node, str(value + 1)
            if value > 0:
                yield node, str(value - 1)
        case x.BoolLit(value):
            yield node, "false" if value else "true"


def _of_names(node: Node, names: dict[str, str]) -> Iterator[tuple[Node, str]]:
    if isinstance(node, x.NullLit):
        yield from [(node, other) for other, kind in names.items() if kind == "Ref"]
        return
    if isinstance(node, x.SeqIndex) and isinstance(node.index, x.IntLit):
        if node.index.value == 0:
            yield node.index, f"|{node.sequence.span.text}| - 1"
        yield from [(node.index, other) for other, kind in names.items() if kind == "Int"]
        return
    if isinstance(node, x.MapLit) and len(node.entries) == 1:
        entry = node.span.text.removeprefix("Map").strip()[1:-1]
        same = [other for other, kind in names.items() if kind == str(node.type)]
        yield from [(node, f"{other}[{entry}]") for other in same]
        return
    if isinstance(node, x.Construct) and not node.args:
        yield from [(node, other) for other, kind in names.items() if kind == str(node.type)]
        return
    if isinstance(node, x.FunctionApp | x.Construct):
        yield from _with_exchanged(node)
        return
    if not isinstance(node, x.Var) or node.span.text != node.name:
        return
    for other, kind in names.items():
        if other != node.name and kind == str(node.type):
            yield node, other


def _with_exchanged(node: x.FunctionApp | x.Construct) -> Iterator[tuple[Node, str]]:
    """Two arguments of one type that follow each other may stand the other way round."""
    texts = [arg.span.text for arg in node.args]
    name = node.function if isinstance(node, x.FunctionApp) else node.constructor
    if not node.span.text.startswith(f"{name}("):
        return  # it is written in another way
    for at, (left, right) in enumerate(pairwise(node.args)):
        if left.type == right.type and texts[at] != texts[at + 1]:
            other = [*texts[:at], texts[at + 1], texts[at], *texts[at + 2 :]]
            yield node, f"{name}({', '.join(other)})"
