"""Instances of `null` whose predicate has permissions in every case: nothing can fold them."""

from __future__ import annotations

from pitviper.explain.advice.case import Case, conjuncts
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def folded_of_null(case: Case) -> str | None:
    """A rule: the predicate lacks the case that there is no object."""
    said = null_case(case)
    if said is None:
        return None
    assert isinstance(case.construct, s.Fold)
    body, text = said
    name = case.construct.predicate.predicate
    return (
        f"`{text_of(case.construct.predicate)}` is about `null` here, and `null` has no fields, so "
        f"nothing can fold it: give `{name}` (line {body.span.line}) that case, as in `{text}`"
    )


def null_case(case: Case) -> tuple[a.Assertion, str] | None:
    """The body of a predicate, and the same with the case that its argument is `null`."""
    fold, method = case.construct, case.member
    if not isinstance(fold, s.Fold) or not isinstance(method, Method) or method.body is None:
        return None
    if case.finding.reason != "insufficient.permission" or wording_of(fold.span) is not VIPER:
        return None
    predicate = case.program.predicates[fold.predicate.predicate]
    body = predicate.body
    if body is None or not _is_recursive(body, predicate.name) or "\n" in body.span.text:
        return None
    for param, arg in zip(predicate.params, fold.predicate.args, strict=True):
        held = [n for n in descendants(body) if isinstance(n, a.FieldLocation)]
        own = any(place.receiver == param for place in held)
        if own and _is_null(_value_before(method.body, fold, arg)):
            return body, f"{param.name} != null ==> {body.span.text}"
    return None


def _is_recursive(body: a.Assertion, name: str) -> bool:
    """Whether a body has another instance in every case: nothing ends that but `null`."""
    parts = [] if isinstance(body, a.Guarded) else conjuncts(body)
    places = [part.location for part in parts if isinstance(part, a.Access)]
    return any(isinstance(p, a.PredicateLocation) and p.predicate == name for p in places)


def _is_null(value: x.Expr) -> bool:
    return isinstance(value, x.NullLit)


def _value_before(body: s.Block, fold: s.Fold, value: x.Expr) -> x.Expr:
    """The value with what the assignments right in front in its block have given."""
    for block in [n for n in descendants(body) if isinstance(n, s.Block)]:
        if not any(node is fold for node in block.statements):
            continue
        for node in reversed([n for n in block.statements if n.span.end <= fold.span.start]):
            match node:
                case s.LocalAssign(target, other) if target == value:
                    return other
                case s.FieldAssign(receiver, field, other) if _is_place(value, receiver, field):
                    return other
                case s.LocalAssign(target) if target.name in free_vars(value):
                    return value
                case s.FieldAssign(_, field) if isinstance(value, x.FieldRead):
                    if field == value.field:
                        return value  # it may be that of the same object
                case s.LocalAssign() | s.FieldAssign() | s.Declare() | s.Fold():
                    continue
                case _:
                    return value
    return value


def _is_place(value: x.Expr, receiver: x.Expr, field: str) -> bool:
    return isinstance(value, x.FieldRead) and (value.receiver, value.field) == (receiver, field)
