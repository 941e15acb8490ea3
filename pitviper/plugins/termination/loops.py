"""Termination of loops: the tuple is smaller at the end of an iteration than at its start."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.plugins.build import conjunction
from pitviper.plugins.substitute import instantiate, substitute
from pitviper.plugins.termination.calls import (
    Caller,
    Checks,
    Target,
    caller_at_start,
    check_descent,
    check_termination_of,
    reads_heap,
)
from pitviper.plugins.termination.measures import clauses_of
from pitviper.plugins.termination.obligation import Subject
from pitviper.program.expr import Expr, Var
from pitviper.program.free_vars import assigned_variables, free_vars
from pitviper.program.stmt import Declare, DecreasesTuple, Label, LocalAssign, Stmt, While


def check_entry(caller: Caller, loop: While, checks: Checks) -> list[Stmt]:
    """In a method with a tuple, a loop that is entered has to terminate."""
    entered = conjunction((caller.condition, loop.condition), loop.condition.span)
    target = Target(clauses_of(loop.decreases), loop.span, same_cycle=False)
    return check_termination_of(replace(caller, condition=entered), target, loop.span, checks)


def check_iteration(member: str, loop: While, checks: Checks) -> While:
    """The loop without its clauses, its body between the start values and the checks.

    Checked only if the loop goes on: the last iteration need not leave a smaller tuple. Clause and
    condition move into the body, so their bound variables must differ from the locals there.
    """
    clause = clauses_of(loop.decreases).tuple
    if clause is None:
        return replace(loop, decreases=()) if loop.decreases else loop
    clause = instantiate(clause, {}, checks.names)
    condition = instantiate(loop.condition, {}, checks.names)
    start, caller = _at_start(member, clause, loop, checks)
    again = conjunction((caller.condition, condition), condition.span)
    end = check_descent(replace(caller, condition=again), clause, clause.span, checks)
    statements = (*start, *loop.body.statements, *end)
    return replace(loop, decreases=(), body=replace(loop.body, statements=statements))


def _at_start(
    member: str, clause: DecreasesTuple, loop: While, checks: Checks
) -> tuple[list[Stmt], Caller]:
    """Copies of the variables that the body assigns, and a label for the heap.

    So the tuple is evaluated only where its condition holds, and in the state of the start.
    """
    statements: list[Stmt] = []
    label = None
    if reads_heap(clause):
        label = checks.names.fresh("iteration")
        statements.append(Label(label, (), span=clause.span))
    mentioned = free_vars(clause)
    copies: dict[str, Expr] = {}
    for variable in assigned_variables(loop.body):
        if variable.name in mentioned:
            name = checks.names.fresh(f"{variable.name}_at_start")
            copy = Var(name, variable.type, span=clause.span)
            value = Var(variable.name, variable.type, span=clause.span)
            copies[variable.name] = copy
            statements.append(Declare(copy, span=clause.span))
            statements.append(LocalAssign(copy, value, span=clause.span))
    tuple_ = substitute(clause, copies)
    return statements, caller_at_start(Subject.LOOP, member, tuple_, label)
