"""Which call may have changed what a failing condition depends on.

The value of a pure method rests on the predicate instances of its precondition. A call that takes
such an instance and does not promise `untouched` gives it back with other contents, so all that
was known of the pure method is lost: as that of an iterator whose list was changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import LONGEST, conjuncts, substituted
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.print.printer import stmt_text
from pitviper.program.types import STATE
from pitviper.program.walk import descendants, rewrite
from pitviper.source.span import Span

Instance = tuple[str, tuple[x.Expr, ...]]


def changed_by(part: Node, at: Span, method: Method, program: Program) -> str | None:
    """The last call before a place after which a value in the part may be another one."""
    wanted = list(_needed(part, program))
    if method.body is None or not wanted:
        return None
    same = same_since(method.body, at)
    for call in reversed([c for c in _calls_before(method.body, at) if c.span.end <= at.start]):
        for value, instance in wanted:
            for taken in _taken(call, program):
                if _may_be_one(instance, taken, same):
                    why = _one_object(instance, taken, same)
                    return (
                        f"`{stmt_text(call)}` in line {call.span.line} may have changed what "
                        f"`{text_of(value)}` depends on: it takes `{_text(taken)}`{why} and "
                        f"{_promised(call, value, program)}"
                    )
    return None


def same_since(body: s.Block, at: Span) -> dict[frozenset[str], int]:
    """Pairs of variables that an assignment in front has made one object, with its line."""
    return {
        frozenset((node.target.name, node.value.name)): node.span.line
        for node in descendants(body)
        if isinstance(node, s.LocalAssign)
        and isinstance(node.value, x.Var)
        and node.span.end <= at.start
    }


def _one_object(one: Instance, other: Instance, same: dict[frozenset[str], int]) -> str:
    """Why an instance of another name is meant."""
    pair = frozenset([text_of(instance[1][0]) for instance in (one, other) if instance[1]])
    return f" (`{_name(other)}` is `{_name(one)}` since line {same[pair]})" if pair in same else ""


def _name(instance: Instance) -> str:
    return text_of(instance[1][0])


def _promised(call: s.MethodCall, value: x.FunctionApp, program: Program) -> str:
    """What a callee says of a pure method, for these arguments."""
    callee = program.methods[call.method]
    params, args = (*callee.params, *callee.returns), (*call.args, *call.targets)
    for clause in callee.postconditions:
        for fact in conjuncts(clause):
            names = [n.function for n in descendants(fact) if isinstance(n, x.FunctionApp)]
            text = text_of(substituted(fact, params, args))
            if value.function in names and len(text) <= LONGEST:
                return f"promises `{text}`"
    return "does not promise that this is untouched"


def _calls_before(statement: s.Stmt, at: Span) -> Iterator[s.MethodCall]:
    """Calls that may have been executed when a place is reached: none of the other branch."""
    match statement:
        case s.MethodCall():
            yield statement
        case s.Block(statements):
            for inner in statements:
                yield from _calls_before(inner, at)
        case s.If(then=then, otherwise=otherwise):
            inside = [b for b in (then, otherwise) if _contains(b, at)]
            for branch in inside or (then, otherwise):
                yield from _calls_before(branch, at)
        case s.While(body=body):
            yield from _calls_before(body, at)


def _contains(block: s.Block, at: Span) -> bool:
    return any(n.span.start <= at.start and at.end <= n.span.end for n in block.statements)


def _needed(part: Node, program: Program) -> Iterator[tuple[x.FunctionApp, Instance]]:
    """Applications of functions, with the instances that their values rest on."""
    for node in descendants(part):
        if isinstance(node, x.FunctionApp) and "." in node.function:
            function = program.functions[node.function]
            values = {p.name: arg for p, arg in zip(function.params, node.args, strict=True)}
            for clause in function.preconditions:
                for instance in _instances(clause, values):
                    yield node, instance


def _taken(call: s.MethodCall, program: Program) -> Iterator[Instance]:
    """The instances that a call takes, without those that it promises not to touch."""
    called = program.methods[call.method]
    values = {p.name: arg for p, arg in zip(called.params, call.args, strict=True)}
    kept = {
        node.function.partition(" ")[2]
        for clause in called.postconditions
        for node in descendants(clause)
        if isinstance(node, x.FunctionApp) and node.type == STATE
    }
    for clause in called.preconditions:
        for instance in _instances(clause, values):
            if instance[0] not in kept and x.NullLit() not in instance[1]:
                yield instance


def _instances(clause: Node, values: dict[str, x.Expr]) -> Iterator[Instance]:
    def rule(node: Node) -> Node | None:
        return values.get(node.name) if isinstance(node, x.Var) else None

    for node in descendants(clause):
        if isinstance(node, a.Access) and isinstance(node.location, a.PredicateLocation):
            location = rewrite(node.location, rule)
            yield location.predicate, location.args


def _may_be_one(one: Instance, other: Instance, same: dict[frozenset[str], int]) -> bool:
    """Two variables with different names are mostly different objects; other terms may be one."""
    if one[0] != other[0]:
        return False
    pairs = zip(one[1], other[1], strict=True)
    return all(
        left == right
        or not (isinstance(left, x.Var) and isinstance(right, x.Var))
        or frozenset((left.name, right.name)) in same
        for left, right in pairs
    )


def _text(instance: Instance) -> str:
    return text_of(a.PredicateLocation(*instance))
