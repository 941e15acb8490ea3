"""Termination of methods: checks in front of calls and loops, facts behind unfolds."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import record, replace
from pitviper.plugins.build import (
    conjunction,
    instantiate,
    replace_statements,
    statements_in,
    substitute,
)
from pitviper.plugins.termination.calls import (
    Caller,
    Checks,
    Target,
    caller_at_start,
    check_call,
    check_descent,
    check_termination_of,
    reads_heap,
)
from pitviper.plugins.termination.measures import Clauses, clauses_of
from pitviper.plugins.termination.nesting import Nesting, has_instances
from pitviper.plugins.termination.obligation import Subject
from pitviper.program import stmt as ps
from pitviper.program.callgraph import dispatched, strongly_connected
from pitviper.program.cfg import flow_graph
from pitviper.program.expr import Expr, Var
from pitviper.program.member import Method, Program
from pitviper.program.walk import assigned_variables, free_vars
from pitviper.source.span import Span


def check_methods(program: Program, checks: Checks) -> dict[str, Method]:
    """All methods, with their checks and without their clauses."""
    cycles = _cycles(program.methods)
    return {
        name: _check_method(method, _Callees(program.methods, cycles), program, checks)
        for name, method in program.methods.items()
    }


def _cycles(methods: Mapping[str, Method]) -> dict[str, int]:
    """A number for each method, the same for those that call each other."""
    calls = {name: _called(method, methods) for name, method in methods.items()}
    return {
        name: number
        for number, component in enumerate(strongly_connected(calls))
        for name in component
    }


def _called(method: Method, methods: Mapping[str, Method]) -> list[str]:
    """The methods that a call may go on to; of an interface, those of its classes.

    A class that has a contract of its own is called by the one that compares the two.
    """
    if method.body is None:
        of_classes = [(f"{name} as {method.name}", name) for _, name in dispatched(method)]
        return [compared if compared in methods else name for compared, name in of_classes]
    return [s.method for s in statements_in(method.body) if isinstance(s, ps.MethodCall)]


@record
class _Callees:
    methods: Mapping[str, Method]
    cycles: Mapping[str, int]

    def target(self, caller: str, call: ps.MethodCall, checks: Checks) -> Target:
        callee = self.methods[call.method]
        values = dict(zip([p.name for p in callee.params], call.args, strict=True))
        clauses = clauses_of(callee.decreases).instantiate(values, checks.names)
        return Target(clauses, callee.span, self.cycles[caller] == self.cycles[callee.name])


def _check_method(method: Method, callees: _Callees, program: Program, checks: Checks) -> Method:
    if method.body is None:
        return replace(method, decreases=())
    clause = clauses_of(method.decreases).tuple
    caller = None
    if clause is not None:
        clause = instantiate(clause, {}, checks.names)
        caller = caller_at_start(Subject.METHOD, method.name, clause, None)
    nesting = Nesting(program.predicates, checks.orders, checks.names)
    jumps = _jumps_back(method.body)
    learns = _compares_instances(method, checks)

    def rule(statement: ps.Stmt) -> list[ps.Stmt]:
        match statement:
            case ps.MethodCall() if caller is not None:
                target = callees.target(method.name, statement, checks)
                return [*check_call(caller, target, statement.span, checks), statement]
            case ps.Goto() if caller is not None and statement.span in jumps:
                again = Target(Clauses(None, None), jumps[statement.span], same_cycle=False)
                return [*check_termination_of(caller, again, statement.span, checks), statement]
            case ps.While():
                return _check_loop(method.name, caller, statement, checks)
            case ps.Unfold() if learns:
                return nesting.unfold(statement)
            case _:
                return [statement]

    return replace(method, decreases=(), body=replace_statements(method.body, rule))


def _jumps_back(body: ps.Block) -> dict[Span, Span]:
    """The places of jumps to labels in front of them, each with that of its label, where flow goes
    round by jumps: what is repeated like that has no measure, and not without such a jump."""
    graph = flow_graph(body)
    if not graph.irreducible and not any(isinstance(b.head, ps.Label) for b in graph.blocks):
        return {}
    labels: dict[str, Span] = {}
    found: dict[Span, Span] = {}
    for statement in statements_in(body):
        if isinstance(statement, ps.Label):
            labels[statement.name] = statement.span
        elif isinstance(statement, ps.Goto) and statement.target in labels:
            found[statement.span] = labels[statement.target]
    return found


def _compares_instances(method: Method, checks: Checks) -> bool:
    """Whether a tuple of the method or of one of its loops has a predicate instance."""
    assert method.body is not None
    groups = [method.decreases]
    groups += [s.decreases for s in statements_in(method.body) if isinstance(s, ps.While)]
    tuples = [clause for group in groups if (clause := clauses_of(group).tuple) is not None]
    found = [has_instances(clause, checks.orders, checks.ledger) for clause in tuples]
    return any(found)


def _check_loop(
    member: str, caller: Caller | None, loop: ps.While, checks: Checks
) -> list[ps.Stmt]:
    entry = [] if caller is None else check_entry(caller, loop, checks)
    return [*entry, check_iteration(member, loop, checks)]


def check_entry(caller: Caller, loop: ps.While, checks: Checks) -> list[ps.Stmt]:
    """In a method with a tuple, a loop that is entered has to terminate."""
    entered = conjunction((caller.condition, loop.condition), loop.condition.span)
    target = Target(clauses_of(loop.decreases), loop.span, same_cycle=False)
    return check_termination_of(replace(caller, condition=entered), target, loop.span, checks)


def check_iteration(member: str, loop: ps.While, checks: Checks) -> ps.While:
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
    member: str, clause: ps.DecreasesTuple, loop: ps.While, checks: Checks
) -> tuple[list[ps.Stmt], Caller]:
    """Copies of the variables that the body assigns, and a label for the heap.

    So the tuple is evaluated only where its condition holds, and in the state of the start.
    """
    statements: list[ps.Stmt] = []
    label = None
    if reads_heap(clause):
        label = checks.names.fresh("iteration")
        statements.append(ps.Label(label, (), span=clause.span))
    mentioned = free_vars(clause)
    copies: dict[str, Expr] = {}
    for variable in assigned_variables(loop.body):
        if variable.name in mentioned:
            name = checks.names.fresh(f"{variable.name}_at_start")
            copy = Var(name, variable.type, span=clause.span)
            value = Var(variable.name, variable.type, span=clause.span)
            copies[variable.name] = copy
            statements.append(ps.Declare(copy, span=clause.span))
            statements.append(ps.LocalAssign(copy, value, span=clause.span))
    tuple_ = substitute(clause, copies)
    return statements, caller_at_start(Subject.LOOP, member, tuple_, label)
