"""The termination plugin: decreases clauses become assertions that measures decrease."""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.base.record import replace
from pitviper.plugins.build import replace_statements
from pitviper.plugins.step import PluginContext, Step
from pitviper.plugins.termination.amounts import with_binary_amounts
from pitviper.plugins.termination.calls import Checks
from pitviper.plugins.termination.functions import FunctionProofs
from pitviper.plugins.termination.measures import clauses_of, orders_of
from pitviper.plugins.termination.methods import check_methods
from pitviper.plugins.termination.obligation import Ledger, translation
from pitviper.program.callgraph import call_graph
from pitviper.program.member import Function, Method, Program
from pitviper.program.stmt import Stmt, While


def check_termination(program: Program, context: PluginContext) -> Step:
    """Every function with a tuple gets proof methods; methods and loops get checks inside."""
    if not context.options.termination:
        return Step(_without_clauses(program))
    ledger = Ledger()
    orders = orders_of(program)
    methods = check_methods(program, Checks(orders, ledger, context.names))
    proofs = FunctionProofs(
        _as_proofs_see_them(program, context),
        program.predicates,
        call_graph(program),
        orders,
        ledger,
        context.names,
    )
    owners: dict[str, str] = {}
    for function in proofs.functions.values():
        for proof in proofs.proofs_of(function):
            methods[proof.name] = proof
            owners[proof.name] = function.name
    checked = replace(_without_clauses(program), methods=methods)
    return Step(checked, tuple(ledger.diagnostics), translation(ledger, owners), owners)


def _as_proofs_see_them(program: Program, context: PluginContext) -> Mapping[str, Function]:
    if context.options.respect_function_pre_perm_amounts:
        return program.functions
    return {
        name: with_binary_amounts(function) if function.decreases else function
        for name, function in program.functions.items()
    }


def _without_clauses(program: Program) -> Program:
    return replace(
        program,
        functions={
            name: _function_without(function) for name, function in program.functions.items()
        },
        methods={name: _method_without(method) for name, method in program.methods.items()},
    )


def _function_without(function: Function) -> Function:
    """A measure that counts always, and is not just assumed to decrease, is remembered."""
    if not function.decreases:
        return function
    clauses = clauses_of(function.decreases)
    measure = clauses.tuple
    measured = measure is not None and measure.condition is None and clauses.wildcard is None
    return replace(function, decreases=(), measured=measured)


def _method_without(method: Method) -> Method:
    body = None if method.body is None else replace_statements(method.body, _loop_without)
    if body is method.body and not method.decreases:
        return method
    return replace(method, decreases=(), body=body)


def _loop_without(statement: Stmt) -> list[Stmt]:
    if isinstance(statement, While) and statement.decreases:
        return [replace(statement, decreases=())]
    return [statement]
