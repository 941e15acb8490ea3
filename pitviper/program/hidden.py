"""Contracts that look into a predicate, for those who do not know what is in it.

The contract of a method may read fields through a predicate of its class, `requires valid() &&
n > 0`. For other classes, which do not know the body of `valid`, the value of `n > 0` depends on
the contents of the instance in a way that they cannot know. So it is an application of a function
without a body to the instance: what one contract promises about it, another may ask for, and
nothing else can be learnt. What is said about an earlier state is computed apart and passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitviper.base.record import replace
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import (
    children,
    descendants,
    free_variables,
    free_vars,
    rewrite,
    rewrite_children,
)

_OPERATORS = (
    x.And, x.Or, x.Not, x.Implies, x.Equal, x.NotEqual, x.Compare, x.Conditional
)  # fmt: skip
_SUMS = (x.IntOp.ADD, x.IntOp.SUB, x.IntOp.MUL)
_LITERALS = (x.Var, x.IntLit, x.BoolLit, x.NullLit, x.Result, x.PermLit)

Hidden = Callable[[str], bool]
"""Whether what a member looks into is not known."""


def without_looks(program: Program, is_hidden: Hidden) -> Program:
    """The program in which no contract of a member of another class looks into a predicate."""
    looks = _Looks()
    methods = {
        name: looks.method(method) if is_hidden(name) else method
        for name, method in program.methods.items()
    }
    functions = {
        name: looks.function(function) if is_hidden(name) else function
        for name, function in program.functions.items()
    }
    return replace(program, methods=methods, functions={**functions, **looks.made})


class _Looks:
    """Replaces what looks into predicates; `made` are the functions that stand for it."""

    def __init__(self) -> None:
        self.made: dict[str, Function] = {}

    def method(self, method: Method) -> Method:
        before = tuple([self._replaced(clause) for clause in method.preconditions])
        after = tuple([self._promised(clause) for clause in method.postconditions])
        if before == method.preconditions and after == method.postconditions:
            return method
        return replace(method, preconditions=before, postconditions=after)

    def function(self, function: Function) -> Function:
        before = tuple([self._replaced(clause) for clause in function.preconditions])
        after = tuple([_pure(self._promised(clause)) for clause in function.postconditions])
        if before == function.preconditions and after == function.postconditions:
            return function
        return replace(function, preconditions=before, postconditions=after)

    def _promised(self, clause: a.Assertion) -> a.Assertion:
        """A clause of a postcondition; parts that have no meaning outside are left out."""
        match clause:
            case a.Star(conjuncts):
                return replace(clause, conjuncts=tuple([self._promised(c) for c in conjuncts]))
            case x.And(operands):
                parts = tuple([_pure(self._promised(operand)) for operand in operands])
                return replace(clause, operands=parts)
        if any(not _is_closed(look) for look in self._looks_in(clause)):
            return x.BoolLit(value=True, span=clause.span)
        return self._replaced(clause)

    def _replaced(self, clause: a.Assertion) -> a.Assertion:
        found = {id(look): self._seen(look, look.body) for look in self._looks_in(clause)}
        return rewrite(clause, lambda node: found.get(id(node))) if found else clause

    def _looks_in(self, node: Node) -> Iterator[x.Unfolding]:
        """The outermost parts that look into predicates."""
        if isinstance(node, x.Unfolding):
            yield node
            return
        for child in children(node):
            yield from self._looks_in(child)

    def _seen(self, look: x.Unfolding, body: x.Expr) -> x.Expr:
        """What is seen of a body: of operators that always have a value, that of each operand."""
        if isinstance(body, _LITERALS):
            return body
        is_sum = isinstance(body, x.IntArith) and body.op in _SUMS
        if not is_sum and not isinstance(body, _OPERATORS):
            return self._application(replace(look, body=body, span=body.span))
        found: dict[int, Node] = {}
        for child in children(body):
            assert not isinstance(child, a.Impure)
            found[id(child)] = self._seen(look, child)  # type: ignore[arg-type]
        return rewrite_children(body, found)

    def _application(self, look: x.Unfolding) -> x.Expr:
        """The value of the function that stands for what is seen."""
        if isinstance(look.body, x.Old):
            return _pure(self._replaced(look.body))
        passed: dict[x.Expr, x.Var] = {}

        def rule(node: Node) -> Node | None:
            if isinstance(node, x.Old | x.Result):
                return passed.setdefault(node, x.Var(f"passed {len(passed)}", node.type))
            return None

        inside = rewrite(look, rule)
        given = {variable: _pure(self._replaced(e)) for e, variable in passed.items()}
        params = tuple([replace(v, span=look.span) for v in free_variables(inside)])
        args = tuple([given.get(replace(p), p) for p in params])
        name = f"{look.predicate.predicate} for {text_of(inside)}"
        if name not in self.made:
            held = a.Access(inside.predicate, inside.amount, span=look.span)
            self.made[name] = Function(name, params, look.type, (held,), (), (), None)
        return x.FunctionApp(name, args, look.type, span=look.span)


def _is_closed(look: x.Unfolding) -> bool:
    """Whether what is said about earlier states mentions no variable bound inside."""
    free = free_vars(look)
    return all(free_vars(node) <= free for node in descendants(look) if isinstance(node, x.Old))


def _pure(e: a.Assertion) -> x.Expr:
    assert not isinstance(e, a.Impure)
    return e
