"""Termination of methods: checks in front of calls and loops, facts behind unfolds."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import record, replace
from pitviper.plugins.statements import replace_statements, statements_in
from pitviper.plugins.substitute import instantiate
from pitviper.plugins.termination.calls import (
    Caller,
    Checks,
    Target,
    caller_at_start,
    check_call,
)
from pitviper.plugins.termination.loops import check_entry, check_iteration
from pitviper.plugins.termination.measures import clauses_of
from pitviper.plugins.termination.nesting import Nesting, has_instances
from pitviper.plugins.termination.obligation import Subject
from pitviper.program.callgraph import strongly_connected
from pitviper.program.member import Method, Program
from pitviper.program.stmt import MethodCall, Stmt, Unfold, While


def check_methods(program: Program, checks: Checks) -> dict[str, Method]:
    """All methods, with their checks and without their clauses."""
    cycles = _cycles(program.methods)
    return {
        name: _check_method(method, _Callees(program.methods, cycles), program, checks)
        for name, method in program.methods.items()
    }


def _cycles(methods: Mapping[str, Method]) -> dict[str, int]:
    """A number for each method, the same for those that call each other."""
    calls = {name: _called(method) for name, method in methods.items()}
    return {
        name: number
        for number, component in enumerate(strongly_connected(calls))
        for name in component
    }


def _called(method: Method) -> list[str]:
    if method.body is None:
        return []
    return [s.method for s in statements_in(method.body) if isinstance(s, MethodCall)]


@record
class _Callees:
    methods: Mapping[str, Method]
    cycles: Mapping[str, int]

    def target(self, caller: str, call: MethodCall, checks: Checks) -> Target:
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
    learns = _compares_instances(method, checks)

    def rule(statement: Stmt) -> list[Stmt]:
        match statement:
            case MethodCall() if caller is not None:
                target = callees.target(method.name, statement, checks)
                return [*check_call(caller, target, statement.span, checks), statement]
            case While():
                return _check_loop(method.name, caller, statement, checks)
            case Unfold() if learns:
                return nesting.unfold(statement)
            case _:
                return [statement]

    return replace(method, decreases=(), body=replace_statements(method.body, rule))


def _compares_instances(method: Method, checks: Checks) -> bool:
    """Whether a tuple of the method or of one of its loops has a predicate instance."""
    assert method.body is not None
    groups = [method.decreases]
    groups += [s.decreases for s in statements_in(method.body) if isinstance(s, While)]
    tuples = [clause for group in groups if (clause := clauses_of(group).tuple) is not None]
    found = [has_instances(clause, checks.orders, checks.ledger) for clause in tuples]
    return any(found)


def _check_loop(member: str, caller: Caller | None, loop: While, checks: Checks) -> list[Stmt]:
    entry = [] if caller is None else check_entry(caller, loop, checks)
    return [*entry, check_iteration(member, loop, checks)]
