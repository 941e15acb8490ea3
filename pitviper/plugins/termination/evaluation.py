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
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.node import Node
from pitviper.program.stmt import Apply, Assert, Declare, Inhale, LocalAssign, Stmt
from pitviper.program.walk import children

Env: TypeAlias = Mapping[str, pe.Expr]
"""The local of the proof that stands for a bound variable."""

N = TypeVar("N", bound=Node)


@record
class Proof:
    """How calls are checked and predicates are opened in the proof at hand."""

    names: NameSupply
    check_call: Callable[[pe.FunctionApp], list[Stmt]]
    unfold: Callable[[pa.PredicateLocation, pe.Expr], list[Stmt]]


def checks_of(node: Node, env: Env, proof: Proof) -> list[Stmt]:
    """The checks for one evaluation of an expression or assertion."""
    rule = _RULES.get(type(node))
    if rule is None:
        return _in_order(children(node), env, proof)
    return rule(node, env, proof)


def checks_in_sequence(parts: Sequence[pa.Assertion], env: Env, proof: Proof) -> list[Stmt]:
    """Each part is evaluated assuming those before it, permissions included."""
    return _assuming_before(parts, parts, env, proof)


def _in_order(nodes: Sequence[Node], env: Env, proof: Proof) -> list[Stmt]:
    statements: list[Stmt] = []
    for node in nodes:
        statements += checks_of(node, env, proof)
    return statements


def _assuming_before(
    parts: Sequence[pa.Assertion], facts: Sequence[pa.Assertion], env: Env, proof: Proof
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


def _under(condition: pe.Expr, body: Node, env: Env, proof: Proof) -> list[Stmt]:
    """The checks of `body` where `condition` holds."""
    checks = checks_of(body, env, proof)
    if not checks:
        return []
    return aside([_assume(condition, env), *checks], proof.names, body.span)


def _assume(fact: pa.Assertion, env: Env) -> Inhale:
    return Inhale(substitute(fact, env), span=fact.span)


# ---------------------------------------------------------------- one rule for each construct


def _call(e: pe.FunctionApp, env: Env, proof: Proof) -> list[Stmt]:
    return _in_order(e.args, env, proof) + proof.check_call(substitute(e, env))


def _disjunction(e: pe.Or, env: Env, proof: Proof) -> list[Stmt]:
    negated = [pe.Not(operand, span=operand.span) for operand in e.operands]
    return _assuming_before(e.operands, negated, env, proof)


def _implication(e: pe.Implies, env: Env, proof: Proof) -> list[Stmt]:
    return checks_of(e.left, env, proof) + _under(e.left, e.right, env, proof)


def _guarded(a: pa.Guarded, env: Env, proof: Proof) -> list[Stmt]:
    return checks_of(a.condition, env, proof) + _under(a.condition, a.body, env, proof)


def _choice(e: pe.Conditional | pa.Choice, env: Env, proof: Proof) -> list[Stmt]:
    negated = pe.Not(e.condition, span=e.condition.span)
    return (
        checks_of(e.condition, env, proof)
        + _under(e.condition, e.then, env, proof)
        + _under(negated, e.otherwise, env, proof)
    )


def _let(e: pe.Let | pa.Binding, env: Env, proof: Proof) -> list[Stmt]:
    statements = checks_of(e.bound, env, proof)
    local = _local(e.variable, proof)
    body = checks_of(e.body, {**env, e.variable.name: local}, proof)
    if body:
        value = substitute(e.bound, env)
        statements += [Declare(local, span=e.span), LocalAssign(local, value, span=e.span), *body]
    return statements


def _quantifier(e: pe.Forall | pe.Exists, env: Env, proof: Proof) -> list[Stmt]:
    """A local without a value stands for any value of a bound variable."""
    declared, inner = _bind(e.variables, env, proof)
    body = checks_of(e.body, inner, proof)
    return declared + body if body else []


def _for_permission(e: pe.ForPerm, env: Env, proof: Proof) -> list[Stmt]:
    """The body is evaluated for the locations that are held."""
    declared, inner = _bind(e.variables, env, proof)
    none = pe.PermLit(pe.PermConstant.NONE, span=e.location.span)
    held = pe.Compare(
        pe.CompareOp.GT, pe.CurrentPerm(e.location, span=e.location.span), none, span=e.span
    )
    checks = checks_of(e.location, inner, proof) + _under(held, e.body, inner, proof)
    return declared + checks if checks else []


def _quantified_permission(a: pa.QuantifiedPermission, env: Env, proof: Proof) -> list[Stmt]:
    declared, inner = _bind(a.variables, env, proof)
    checks = checks_of(a.condition, inner, proof)
    checks += _under(a.condition, a.resource, inner, proof)
    return declared + checks if checks else []


def _unfolding(e: pe.Unfolding, env: Env, proof: Proof) -> list[Stmt]:
    statements = _in_order((*e.predicate.args, e.amount), env, proof)
    body = checks_of(e.body, env, proof)
    if body:
        opened = proof.unfold(substitute(e.predicate, env), substitute(e.amount, env))
        statements += aside([*opened, *body], proof.names, e.span)
    return statements


def _applying(e: pe.Applying, env: Env, proof: Proof) -> list[Stmt]:
    body = checks_of(e.body, env, proof)
    if not body:
        return []
    applied = Apply(substitute(e.wand, env), span=e.span)
    return aside([applied, *body], proof.names, e.span)


def _asserting(e: pe.Asserting, env: Env, proof: Proof) -> list[Stmt]:
    statements = checks_of(e.assertion, env, proof)
    body = checks_of(e.body, env, proof)
    if body:
        asserted = Assert(substitute(e.assertion, env), span=e.assertion.span)
        statements += aside([asserted, *body], proof.names, e.span)
    return statements


def _inhale_exhale(e: pa.InhaleExhale | pe.InhaleExhaleExpr, env: Env, proof: Proof) -> list[Stmt]:
    """Either side is evaluated, by those who assume or by those who check."""
    inhaled = aside(checks_of(e.inhaled, env, proof), proof.names, e.span)
    return inhaled + aside(checks_of(e.exhaled, env, proof), proof.names, e.span)


def _nothing(_: Node, __: Env, ___: Proof) -> list[Stmt]:
    return []


def _bind(
    variables: Sequence[pe.Var], env: Env, proof: Proof
) -> tuple[list[Stmt], dict[str, pe.Expr]]:
    """Declarations of locals for bound variables, and the environment of their scope."""
    inner = dict(env)
    declared: list[Stmt] = []
    for variable in variables:
        local = _local(variable, proof)
        inner[variable.name] = local
        declared.append(Declare(local, span=variable.span))
    return declared, inner


def _local(variable: pe.Var, proof: Proof) -> pe.Var:
    return pe.Var(proof.names.fresh(variable.name), variable.type, span=variable.span)


_RULES: dict[type, Callable[..., list[Stmt]]] = {
    pe.FunctionApp: _call,
    pe.And: lambda e, env, proof: checks_in_sequence(e.operands, env, proof),
    pa.Star: lambda a, env, proof: checks_in_sequence(a.conjuncts, env, proof),
    pe.Or: _disjunction,
    pe.Implies: _implication,
    pa.Guarded: _guarded,
    pe.Conditional: _choice,
    pa.Choice: _choice,
    pe.Let: _let,
    pa.Binding: _let,
    pe.Forall: _quantifier,
    pe.Exists: _quantifier,
    pe.ForPerm: _for_permission,
    pa.QuantifiedPermission: _quantified_permission,
    pe.Unfolding: _unfolding,
    pe.Applying: _applying,
    pe.Asserting: _asserting,
    pa.InhaleExhale: _inhale_exhale,
    pe.InhaleExhaleExpr: _inhale_exhale,
    pe.Trigger: _nothing,
    pa.Wand: _nothing,
}
