"""Termination proofs of functions: methods that evaluate what the function evaluates.

There is one method each for the preconditions, the postconditions and the body. The latter two
require what the function requires, so that `old` is the state in which the function is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitviper.base.record import record, replace
from pitviper.plugins.build import replace_statements
from pitviper.plugins.names import LocalNames, Names
from pitviper.plugins.step import PluginContext, Step
from pitviper.plugins.termination.calls import (
    Caller,
    Checks,
    Target,
    caller_at_start,
    check_call,
    reads_heap,
)
from pitviper.plugins.termination.evaluation import Proof, checks_in_sequence, checks_of
from pitviper.plugins.termination.measures import Orders, clauses_of, orders_of
from pitviper.plugins.termination.methods import check_methods
from pitviper.plugins.termination.nesting import Nesting, has_instances, with_binary_amounts
from pitviper.plugins.termination.obligation import Ledger, Subject, translation
from pitviper.program import expr as pe
from pitviper.program.assertion import Assertion, PredicateLocation
from pitviper.program.callgraph import CallGraph, call_graph
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.stmt import Block, Declare, DecreasesTuple, Stmt, Unfold, While
from pitviper.program.walk import descendants, rewrite


@record
class FunctionProofs:
    """What the proofs of all functions share; `functions` have amounts as proofs see them."""

    functions: Mapping[str, Function]
    predicates: Mapping[str, Predicate]
    graph: CallGraph
    orders: Orders
    ledger: Ledger
    names: Names

    def proofs_of(self, function: Function) -> list[Method]:
        """The methods that prove a function with a tuple; those without a check are left out."""
        clause = clauses_of(function.decreases).tuple
        if clause is None:
            return []
        work = _Work(self, function, clause)
        proofs = (work.preconditions(), work.postconditions(), work.body())
        return [proof for proof in proofs if proof is not None]


@record
class _Work:
    """The proofs of one function."""

    shared: FunctionProofs
    function: Function
    clause: DecreasesTuple

    def preconditions(self) -> Method | None:
        """Evaluated from nothing, each precondition adding what it grants.

        The condition of the tuple counts only if it means something before the preconditions do.
        """
        if not self.function.preconditions:
            return None
        names = self._names()
        caller = self._caller()
        if _is_partial(caller.condition):
            caller = replace(caller, condition=pe.BoolLit(value=True, span=self.clause.span))
        parts = self.function.preconditions
        checks = checks_in_sequence(parts, {}, self._proof(caller, names))
        return self._method("pres_termination_proof", (), checks)

    def postconditions(self) -> Method | None:
        """Evaluated for any result that the postconditions before allow."""
        if not self.function.postconditions:
            return None
        names = self._names()
        returned = pe.Var(names.fresh("returned"), self.function.result, span=self.function.span)
        parts = [_with_result(post, returned) for post in self.function.postconditions]
        checks = checks_in_sequence(parts, {}, self._proof(self._caller(), names))
        if checks:
            checks.insert(0, Declare(returned, span=self.function.span))
        return self._method("posts_termination_proof", self.function.preconditions, checks)

    def body(self) -> Method | None:
        if self.function.body is None:
            return None
        checks = checks_of(self.function.body, {}, self._proof(self._caller(), self._names()))
        return self._method("termination_proof", self.function.preconditions, checks)

    def _names(self) -> LocalNames:
        """Locals differ from all variables of the function, so copies of its parts stay valid."""
        variables = [node.name for node in descendants(self.function) if isinstance(node, pe.Var)]
        return self.shared.names.of_new_member(variables)

    def _caller(self) -> Caller:
        return caller_at_start(Subject.FUNCTION, self.function.name, self.clause, None)

    def _method(
        self, suffix: str, required: Sequence[Assertion], checks: Sequence[Stmt]
    ) -> Method | None:
        if not checks:
            return None
        return Method(
            self.shared.names.fresh(f"{self.function.name}_{suffix}"),
            self.function.params,
            (),
            tuple(required),
            (),
            (),
            Block(tuple(checks), span=self.function.span),
            annotations=tuple([a for a in self.function.annotations if a.key != "opaque"]),
            span=self.function.span,
        )

    def _proof(self, caller: Caller, names: LocalNames) -> Proof:
        shared = self.shared
        checks = Checks(shared.orders, shared.ledger, names)
        nesting = Nesting(shared.predicates, shared.orders, names)
        learns = has_instances(self.clause, shared.orders, shared.ledger)

        def check(app: pe.FunctionApp) -> list[Stmt]:
            return check_call(caller, self._target(app, names), app.span, checks)

        def unfold(location: PredicateLocation, amount: pe.Expr) -> list[Stmt]:
            statement = Unfold(location, amount, span=location.span)
            return nesting.unfold(statement) if learns else [statement]

        return Proof(names, check, unfold)

    def _target(self, app: pe.FunctionApp, names: LocalNames) -> Target:
        callee = self.shared.functions[app.function]
        values = dict(zip([p.name for p in callee.params], app.args, strict=True))
        clauses = clauses_of(callee.decreases).instantiate(values, names)
        same_cycle = self.shared.graph.same_component(self.function.name, callee.name)
        return Target(clauses, callee.span, same_cycle)


def _with_result(postcondition: pe.Expr, variable: pe.Var) -> pe.Expr:
    return rewrite(postcondition, lambda node: variable if isinstance(node, pe.Result) else None)


def _is_partial(e: pe.Expr) -> bool:
    """Whether an expression may have no value, or needs permission."""
    return reads_heap(e) or any([_may_fail(node) for node in descendants(e)])


def _may_fail(node: Node) -> bool:
    match node:
        case pe.SeqIndex() | pe.SeqUpdate() | pe.MapLookup() | pe.PermArith():
            return True
        case pe.IntArith(op):
            return op in (pe.IntOp.DIV, pe.IntOp.MOD)
        case _:
            return False


def check_termination(program: Program, context: PluginContext) -> Step:
    """Every function with a tuple gets proof methods; methods and loops get checks inside."""
    if not context.options.termination:
        return Step(_without_clauses(program, proved=False))
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
    checked = replace(_without_clauses(program, proved=True), methods=methods)
    return Step(checked, tuple(ledger.diagnostics), translation(ledger, owners), owners)


def _as_proofs_see_them(program: Program, context: PluginContext) -> Mapping[str, Function]:
    if context.options.respect_function_pre_perm_amounts:
        return program.functions
    return {
        name: with_binary_amounts(function) if function.decreases else function
        for name, function in program.functions.items()
    }


def _without_clauses(program: Program, *, proved: bool) -> Program:
    return replace(
        program,
        functions={
            name: _function_without(function, proved=proved)
            for name, function in program.functions.items()
        },
        methods={name: _method_without(method) for name, method in program.methods.items()},
    )


def _function_without(function: Function, *, proved: bool) -> Function:
    """A measure that counts always, and is not just assumed to decrease, is remembered, if it is
    proved to decrease."""
    if not function.decreases:
        return function
    clauses = clauses_of(function.decreases)
    measure = clauses.tuple
    always = measure is not None and measure.condition is None and clauses.wildcard is None
    return replace(function, decreases=(), measured=proved and always)


def _method_without(method: Method) -> Method:
    body = None if method.body is None else replace_statements(method.body, _loop_without)
    if body is method.body and not method.decreases:
        return method
    return replace(method, decreases=(), body=body)


def _loop_without(statement: Stmt) -> list[Stmt]:
    if isinstance(statement, While) and statement.decreases:
        return [replace(statement, decreases=())]
    return [statement]
