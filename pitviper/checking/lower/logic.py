"""Connectives: pure where all parts are, else their separating counterparts."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.base.record import field, record, replace
from pitviper.checking.context import Context
from pitviper.checking.denied import about_guard
from pitviper.checking.infer import (
    IMPURE_NODES,
    NOT_CLOSED,
    Lowered,
    Signature,
    as_assertion,
    combine,
    expect,
    formula,
    mismatch,
    of_type,
    preferred_type,
)
from pitviper.checking.types import ASSERTION_TYPES, ERROR, Hole
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.assertion import Star
from pitviper.program.types import BOOL
from pitviper.source.span import Span
from pitviper.syntax import tree


def conjunction(e: tree.And, cx: Context) -> a.Assertion:
    """`a && b && c`."""
    return star([formula(operand, cx) for operand in e.operands], e.span)


def star(parts: list[a.Assertion], span: Span) -> a.Assertion:
    """The conjunction of at least one part."""
    if len(parts) == 1:
        return parts[0]
    pure = [part for part in parts if not isinstance(part, IMPURE_NODES)]
    if len(pure) == len(parts):
        return x.And(tuple(pure), span=span)
    flat: list[a.Assertion] = []
    for part in parts:
        if isinstance(part, a.Star) and not isinstance(part, Ghost):
            flat.extend(part.conjuncts)
        else:
            flat.append(part)
    return a.Star(tuple(flat), span=span)


def disjunction(e: tree.Or, cx: Context) -> a.Assertion:
    lowered = [cx.lower(operand, cx) for operand in e.operands]
    told = None
    if any(isinstance(part, IMPURE_NODES) for part in lowered):
        told = _guarded(list(zip(e.operands, lowered, strict=True)))
    operands = [of_type(part, BOOL, cx, "alternative", told) for part in lowered]
    return x.Or(tuple(operands), span=e.span)


def _guarded(operands: list[tuple[tree.Expr, Lowered]]) -> str | None:
    """What to write for `acc(x.f) || b`, if only one side is a permission."""
    pure = [operand for operand, part in operands if not isinstance(part, IMPURE_NODES)]
    held = [part for _, part in operands if isinstance(part, a.Access)]
    texts = [part.span.text for part in held]
    if len(operands) == len(held) == 2 and all(len(text) <= _SHORT for text in texts):
        return (
            "no permission is held by choice alone: say by a Boolean which one, as in "
            f"`b ? {texts[0]} : {texts[1]}`; or ask for both, `{texts[0]} && {texts[1]}`"
        )
    if len(operands) != 2 or len(pure) != 1 or len(held) != 1:
        return None
    match pure[0]:
        case tree.Binary("==", left, right):
            unless = f"{left.span.text} != {right.span.text}"
        case tree.Binary("!=", left, right):
            unless = f"{left.span.text} == {right.span.text}"
        case other:
            text = other.span.text
            unless = f"!{text}" if text.isidentifier() else f"!({text})"
    if "\n" in unless or len(unless) > _SHORT:
        return None
    return f"`||` stands between Booleans: write `{unless} ==> {held[0].span.text}`"


_SHORT = 40
"""Characters of a condition that are repeated in advice."""


def implication(e: tree.Binary, cx: Context) -> a.Assertion:
    left = _condition(e.left, e.span, "==>", cx)
    return guard(left, formula(e.right, cx), e.span)


def _condition(e: tree.Expr, whole: Span, sign: str, cx: Context) -> x.Expr:
    """What stands in front of `==>` or `?`."""
    found = cx.lower(e, cx)
    told = about_guard(e, whole, sign) if isinstance(found, IMPURE_NODES) else None
    return of_type(found, BOOL, cx, "premise" if sign == "==>" else "condition", told)


def guard(condition: x.Expr, body: a.Assertion, span: Span) -> a.Assertion:
    if isinstance(body, IMPURE_NODES):
        return a.Guarded(condition, body, span=span)
    return x.Implies(condition, body, span=span)


def equivalence(e: tree.Binary, cx: Context) -> a.Assertion:
    return x.Equal(expect(e.left, BOOL, cx), expect(e.right, BOOL, cx), span=e.span)


def conditional(e: tree.Conditional, cx: Context) -> Lowered:
    """`c ? a : b`; with an impure branch both are assertions."""
    condition = _condition(e.condition, e.span, "?", cx)
    then, otherwise = cx.lower(e.then, cx), cx.lower(e.otherwise, cx)
    if isinstance(then, IMPURE_NODES) or isinstance(otherwise, IMPURE_NODES):
        then, otherwise = as_assertion(then, cx), as_assertion(otherwise, cx)
        return a.Choice(condition, then, otherwise, span=e.span)
    if (
        not isinstance(then, NOT_CLOSED)
        and not isinstance(otherwise, NOT_CLOSED)
        and then.type is otherwise.type
    ):
        return x.Conditional(condition, then, otherwise, span=e.span)
    hole = Hole(cx.hole_name("T"))
    return combine(
        (Signature((hole, hole), hole),),
        (then, otherwise),
        lambda ops, _: x.Conditional(condition, ops[0], ops[1], span=e.span),
        e.span,
        cx,
    )


def inhale_exhale(e: tree.InhaleExhale, cx: Context) -> a.Assertion:
    """`[A, B]`, in which contracts may talk about permissions held."""
    before = cx.rules
    if before.in_axiom:
        cx.inconsistent(e.span, "axioms of domains are not allowed to contain pairs `[A, B]`")
    if before.perm_ban is not None and before.ban_ends_in_pair:
        cx.rules = replace(before, perm_ban=None)
    first, second = cx.lower(e.inhaled, cx), cx.lower(e.exhaled, cx)
    cx.rules = before
    types = preferred_type(first), preferred_type(second)
    if all(t is not BOOL and t is not ERROR and t not in ASSERTION_TYPES for t in types):
        cx.error(e.inhaled.span, mismatch(types[0], BOOL), help=_elements(e))
        return cx.bad(e.span, ERROR)
    cx.has_pairs = True
    return pair(as_assertion(first, cx), as_assertion(second, cx), e.span)


_LONGEST = 30
"""Characters of the elements that advice repeats."""


def _elements(e: tree.InhaleExhale) -> str:
    """About a pair of values, which was meant as a sequence."""
    written = f"{e.inhaled.span.text}, {e.exhaled.span.text}"
    if len(written) > _LONGEST:
        written = "1, 2"
    return f"a sequence is written `Seq({written})`; `[A, B]` is a pair of assertions"


def pair(inhaled: a.Assertion, exhaled: a.Assertion, span: Span) -> a.Assertion:
    if isinstance(inhaled, IMPURE_NODES) or isinstance(exhaled, IMPURE_NODES):
        return a.InhaleExhale(inhaled, exhaled, span=span)
    return x.InhaleExhaleExpr(inhaled, exhaled, span=span)


def wand(e: tree.Wand, cx: Context) -> a.Wand:
    """`A --* B`; a banned wand is reported once, also if it contains others."""
    before = cx.rules
    if before.wand_ban:
        cx.error(e.span, "magic wands are not supported in function preconditions or predicates")
    if before.wand_ban or before.assuming:
        cx.rules = replace(before, wand_ban=False, assuming=False)
    node = a.Wand(formula(e.left, cx), formula(e.right, cx), span=e.span)
    cx.rules = before
    return node


IMPURE_BODY = "the body of unfolding, applying and asserting must be pure"


@record
class Ghost(Star):
    """`wrap` puts the operation around a pure body; the impure body is the only conjunct."""

    wrap: Callable[[x.Expr], x.Expr] = field(compare=False, repr=False)
