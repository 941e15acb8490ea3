"""Contracts that are one off: a precondition that leaves a case out, a promise that is too weak.

requires n > 0    // and the body calls itself with 0: n >= 0
ensures r <= n    // and the body gives n - 1: r < n
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, conjuncts, substituted
from pitviper.explain.cures.edit import Candidate, edited_in
from pitviper.explain.writing import replaced
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def asked_too_much(case: Case) -> Iterator[Candidate]:
    """A recursive call comes to a case that the precondition just leaves out."""
    member, part = case.member, case.part
    if not isinstance(member, Method | Function) or not isinstance(part, x.Compare):
        return
    if case.finding.error not in ("call.precondition", "application.precondition"):
        return
    if not _is_recursive(case, member) or not _is_own(part, member.preconditions):
        return
    for meant in _wider(part):
        yield Candidate(
            (replaced(part, meant),),
            f"`{member.name}` is called for a case that its own precondition leaves out, by "
            f"`{part.span.text}`: write `{meant}` in line {part.span.line}",
            within=False,
        )


def _is_recursive(case: Case, member: Method | Function) -> bool:
    match case.construct:
        case s.MethodCall(method):
            return method == member.name
        case x.FunctionApp(function):
            return function == member.name
        case _:
            return False


def _is_own(part: x.Compare, clauses: tuple[a.Assertion, ...]) -> bool:
    return any(fact is part for clause in clauses for fact in conjuncts(clause))


def _wider(fact: x.Compare) -> Iterator[str]:
    """The comparison with the case that both sides are equal, or with a smaller number."""
    left, right = fact.left.span.text, fact.right.span.text
    if fact.op in _WIDER:
        yield f"{left} {_WIDER[fact.op]} {right}"
    for bound in [side for side in (fact.left, fact.right) if isinstance(side, x.IntLit)]:
        is_low = (bound is fact.right) == (fact.op in (x.CompareOp.GT, x.CompareOp.GE))
        if is_low and bound.value > 0:
            less = str(bound.value - 1)
            one, two = (less, right) if bound is fact.left else (left, less)
            yield f"{one} {fact.op.value} {two}"


_WIDER = {x.CompareOp.LT: "<=", x.CompareOp.GT: ">="}
_NARROWER = {x.CompareOp.LE: "<", x.CompareOp.GE: ">"}


def promised_too_little(case: Case) -> Iterator[Candidate]:
    """A callee with a body promises a bound that its result never comes to."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return
    if wording_of(method.span) is not VIPER:
        return
    about = free_vars(part)
    for call in [n for n in descendants(method.body) if isinstance(n, s.MethodCall)]:
        callee = case.program.methods[call.method]
        pairs = zip(call.targets, callee.returns, strict=True)
        results = {formal.name for target, formal in pairs if target.name in about}
        if not results or callee.body is None or callee is method:
            continue
        for fact in [fact for clause in callee.postconditions for fact in conjuncts(clause)]:
            if isinstance(fact, x.Compare) and fact.op in _NARROWER and free_vars(fact) & results:
                yield _stronger(callee, fact)


def _stronger(callee: Method, fact: x.Compare) -> Candidate:
    meant = f"{fact.left.span.text} {_NARROWER[fact.op]} {fact.right.span.text}"
    return Candidate(
        (replaced(fact, meant),),
        f"`{callee.name}` promises `{fact.span.text}` (line {fact.span.line}), and its body gives "
        f"`{meant}`: promise that",
        within=False,
    )


def asked_as_promised(case: Case) -> Iterator[Candidate]:
    """Permissions of a range that is asked for, which is shorter than the one given back."""
    method = case.member
    if not isinstance(method, Method) or wording_of(method.span) is not VIPER:
        return
    for given in _many(method.preconditions):
        for back in _many(method.postconditions):
            own = given.variables
            if text_of(given.resource) != text_of(substituted(back.resource, back.variables, own)):
                continue
            other_range = substituted(back.condition, back.variables, own)
            for fact, other in _differing(given.condition, other_range):
                edit = replaced(fact, text_of(other))
                yield Candidate(
                    (edit,),
                    f"line {given.span.line} asks for fewer permissions than line "
                    f"{back.span.line} gives back: write `{edit.text}` for `{fact.span.text}` "
                    f"there, `{edited_in(given.condition.span, edit)}`",
                    within=False,
                )


def _many(clauses: tuple[a.Assertion, ...]) -> list[a.QuantifiedPermission]:
    parts = [part for clause in clauses for part in conjuncts(clause)]
    return [part for part in parts if isinstance(part, a.QuantifiedPermission)]


def _differing(one: x.Expr, two: x.Expr) -> Iterator[tuple[x.Expr, x.Expr]]:
    """The one comparison in which two conditions differ."""
    left, right = conjuncts(one), conjuncts(two)
    if len(left) != len(right):
        return
    pairs = [(f, g) for f, g in zip(left, right, strict=True) if text_of(f) != text_of(g)]
    match pairs:
        case [(x.Compare() as fact, x.Compare() as other)]:
            yield fact, other
