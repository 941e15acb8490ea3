"""From an expression to statements that check the calls its evaluation makes.

The statements follow the evaluation: a part that is evaluated under a condition only is checked on
a path of its own under this condition (`build.aside`), so the main path is never split. Parts
without a call that needs a check leave no statement behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from pitviper.base.record import record
from pitviper.plugins.build import NameSupply, aside, substitute
from pitviper.program.assertion import (
    Assertion,
    Binding,
    Choice,
    Guarded,
    InhaleExhale,
    PredicateLocation,
    QuantifiedPermission,
    Star,
    Wand,
)
from pitviper.program.expr import (
    And,
    Applying,
    Asserting,
    Compare,
    CompareOp,
    Conditional,
    CurrentPerm,
    Exists,
    Expr,
    Forall,
    ForPerm,
    FunctionApp,
    Implies,
    InhaleExhaleExpr,
    Let,
    Not,
    Or,
    PermConstant,
    PermLit,
    Trigger,
    Unfolding,
    Var,
)
from pitviper.program.node import Node
from pitviper.program.stmt import Apply, Assert, Declare, Inhale, LocalAssign, Stmt
from pitviper.program.walk import children

Env: TypeAlias = Mapping[str, Expr]
"""The local of the proof that stands for a bound variable."""

N = TypeVar("N", bound=Node)


@record
class Proof:
    """How calls are checked and predicates are opened in the proof at hand."""

    names: NameSupply
    check_call: Callable[[FunctionApp], list[Stmt]]
    unfold: Callable[[PredicateLocation, Expr], list[Stmt]]


def checks_of(node: Node, env: Env, proof: Proof) -> list[Stmt]:
    """The checks for one evaluation of an expression or assertion."""
    rule = _RULES.get(type(node))
    if rule is None:
        return _in_order(children(node), env, proof)
    return rule(node, env, proof)


def checks_in_sequence(parts: Sequence[Assertion], env: Env, proof: Proof) -> list[Stmt]:
    """Each part is evaluated assuming those before it, permissions included."""
    return _assuming_before(parts, parts, env, proof)


def _in_order(nodes: Sequence[Node], env: Env, proof: Proof) -> list[Stmt]:
    statements: list[Stmt] = []
    for node in nodes:
        statements += checks_of(node, env, proof)
    return statements


def _assuming_before(
    parts: Sequence[Assertion], facts: Sequence[Assertion], env: Env, proof: Proof
) -> list[Stmt]:
    """Part i is evaluated under the facts before i; nothing is left behind the last check."""
    first = checks_of(parts[0], env, proof)
    assumed: list[Stmt] = []
    later: list[Stmt] = []
    for fact, part in zip(facts, parts[1:], strict=False):
        assumed.append(_assume(fact, env))
        checks = checks_of(part, env, proof)
        if checks:
            later += assumed + checks
            assumed = []
    return first + aside(later, proof.names, parts[0].span)


def _under(condition: Expr, body: Node, env: Env, proof: Proof) -> list[Stmt]:
    """The checks of `body` where `condition` holds."""
    checks = checks_of(body, env, proof)
    if not checks:
        return []
    return aside([_assume(condition, env), *checks], proof.names, body.span)


def _assume(fact: Assertion, env: Env) -> Inhale:
    return Inhale(substitute(fact, env), span=fact.span)


# ---------------------------------------------------------------- one rule for each construct


def _call(e: FunctionApp, env: Env, proof: Proof) -> list[Stmt]:
    return _in_order(e.args, env, proof) + proof.check_call(substitute(e, env))


def _conjunction(e: And, env: Env, proof: Proof) -> list[Stmt]:
    return checks_in_sequence(e.operands, env, proof)


def _star(a: Star, env: Env, proof: Proof) -> list[Stmt]:
    return checks_in_sequence(a.conjuncts, env, proof)


def _disjunction(e: Or, env: Env, proof: Proof) -> list[Stmt]:
    negated = [Not(operand, span=operand.span) for operand in e.operands]
    return _assuming_before(e.operands, negated, env, proof)


def _implication(e: Implies, env: Env, proof: Proof) -> list[Stmt]:
    return checks_of(e.left, env, proof) + _under(e.left, e.right, env, proof)


def _guarded(a: Guarded, env: Env, proof: Proof) -> list[Stmt]:
    return checks_of(a.condition, env, proof) + _under(a.condition, a.body, env, proof)


def _choice(e: Conditional | Choice, env: Env, proof: Proof) -> list[Stmt]:
    negated = Not(e.condition, span=e.condition.span)
    return (
        checks_of(e.condition, env, proof)
        + _under(e.condition, e.then, env, proof)
        + _under(negated, e.otherwise, env, proof)
    )


def _let(e: Let | Binding, env: Env, proof: Proof) -> list[Stmt]:
    statements = checks_of(e.bound, env, proof)
    local = _local(e.variable, proof)
    body = checks_of(e.body, {**env, e.variable.name: local}, proof)
    if body:
        value = substitute(e.bound, env)
        statements += [Declare(local, span=e.span), LocalAssign(local, value, span=e.span), *body]
    return statements


def _quantifier(e: Forall | Exists, env: Env, proof: Proof) -> list[Stmt]:
    """A local without a value stands for any value of a bound variable."""
    declared, inner = _bind(e.variables, env, proof)
    body = checks_of(e.body, inner, proof)
    return declared + body if body else []


def _for_permission(e: ForPerm, env: Env, proof: Proof) -> list[Stmt]:
    """The body is evaluated for the locations that are held."""
    declared, inner = _bind(e.variables, env, proof)
    none = PermLit(PermConstant.NONE, span=e.location.span)
    held = Compare(CompareOp.GT, CurrentPerm(e.location, span=e.location.span), none, span=e.span)
    checks = checks_of(e.location, inner, proof) + _under(held, e.body, inner, proof)
    return declared + checks if checks else []


def _quantified_permission(a: QuantifiedPermission, env: Env, proof: Proof) -> list[Stmt]:
    declared, inner = _bind(a.variables, env, proof)
    checks = checks_of(a.condition, inner, proof)
    checks += _under(a.condition, a.resource, inner, proof)
    return declared + checks if checks else []


def _unfolding(e: Unfolding, env: Env, proof: Proof) -> list[Stmt]:
    statements = _in_order((*e.predicate.args, e.amount), env, proof)
    body = checks_of(e.body, env, proof)
    if body:
        opened = proof.unfold(substitute(e.predicate, env), substitute(e.amount, env))
        statements += aside([*opened, *body], proof.names, e.span)
    return statements


def _applying(e: Applying, env: Env, proof: Proof) -> list[Stmt]:
    body = checks_of(e.body, env, proof)
    if not body:
        return []
    applied = Apply(substitute(e.wand, env), span=e.span)
    return aside([applied, *body], proof.names, e.span)


def _asserting(e: Asserting, env: Env, proof: Proof) -> list[Stmt]:
    statements = checks_of(e.assertion, env, proof)
    body = checks_of(e.body, env, proof)
    if body:
        asserted = Assert(substitute(e.assertion, env), span=e.assertion.span)
        statements += aside([asserted, *body], proof.names, e.span)
    return statements


def _inhale_exhale(e: InhaleExhale | InhaleExhaleExpr, env: Env, proof: Proof) -> list[Stmt]:
    """Either side is evaluated, by those who assume or by those who check."""
    inhaled = aside(checks_of(e.inhaled, env, proof), proof.names, e.span)
    return inhaled + aside(checks_of(e.exhaled, env, proof), proof.names, e.span)


def _nothing(_: Node, __: Env, ___: Proof) -> list[Stmt]:
    return []


def _bind(variables: Sequence[Var], env: Env, proof: Proof) -> tuple[list[Stmt], dict[str, Expr]]:
    """Declarations of locals for bound variables, and the environment of their scope."""
    inner = dict(env)
    declared: list[Stmt] = []
    for variable in variables:
        local = _local(variable, proof)
        inner[variable.name] = local
        declared.append(Declare(local, span=variable.span))
    return declared, inner


def _local(variable: Var, proof: Proof) -> Var:
    return Var(proof.names.fresh(variable.name), variable.type, span=variable.span)


_RULES: dict[type, Callable[..., list[Stmt]]] = {
    FunctionApp: _call,
    And: _conjunction,
    Star: _star,
    Or: _disjunction,
    Implies: _implication,
    Guarded: _guarded,
    Conditional: _choice,
    Choice: _choice,
    Let: _let,
    Binding: _let,
    Forall: _quantifier,
    Exists: _quantifier,
    ForPerm: _for_permission,
    QuantifiedPermission: _quantified_permission,
    Unfolding: _unfolding,
    Applying: _applying,
    Asserting: _asserting,
    InhaleExhale: _inhale_exhale,
    InhaleExhaleExpr: _inhale_exhale,
    Trigger: _nothing,
    Wand: _nothing,
}
