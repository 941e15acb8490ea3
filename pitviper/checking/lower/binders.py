"""Expressions that bind variables: quantifiers, `forperm`, `let`."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.checking.collect import resolve
from pitviper.checking.context import Context
from pitviper.checking.infer import (
    IMPURE_NODES,
    NOT_CLOSED,
    Alternative,
    Grounding,
    Lowered,
    Open,
    around,
    closed,
    constant,
    expect,
    formula,
    of_type,
)
from pitviper.checking.lower.quantified import Binder, split
from pitviper.checking.lower.resources import resource
from pitviper.checking.scope import Local
from pitviper.checking.types import ERROR, IMPURE, NOTHING, apply, has_holes, holes_of
from pitviper.checking.wellformed.shapes import check_forperm, check_trigger
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.types import BOOL, Type
from pitviper.source.span import Span
from pitviper.syntax import tree
from pitviper.syntax.walk import descendants

_MAX_TRIALS = 100
"""How often lets inside a let of undecided type are tried out: nesting would double the work."""


def bound_variables(bindings: tuple[tree.VarBinding, ...], cx: Context) -> tuple[x.Var, ...]:
    """Bring the variables of a quantifier into the scope that was just entered."""
    variables = []
    for binding in bindings:
        name, t = binding.name.name, resolve(binding.type, cx)
        cx.declare(binding.name, Local(name, t, binding.name.span))
        variables.append(x.Var(name, t, span=binding.span))
    return tuple(variables)


# ---------------------------------------------------------------- quantifiers


def quantifier(e: tree.Quantifier, cx: Context, weight: int | None = None) -> a.Assertion:
    """`forall`, which may be impure, and `exists`."""
    cx.scope.enter()
    variables = bound_variables(e.variables, cx)
    body = formula(e.body, cx) if e.kind == "forall" else _of_exists(e, cx)
    triggers = tuple([_trigger(trigger, e, cx) for trigger in e.triggers])
    cx.scope.leave()
    if isinstance(body, IMPURE_NODES):
        return split(Binder(variables, triggers, weight, e.span), body)
    node = x.Forall if e.kind == "forall" else x.Exists
    if node is x.Exists:
        _says_nothing(e, body, cx)
    return node(variables, triggers, body, weight, span=e.span)


def _of_exists(e: tree.Quantifier, cx: Context) -> x.Expr:
    """The body of an `exists`, which has no permissions."""
    lowered = cx.lower(e.body, cx)
    told = _no_permission(e, lowered) if isinstance(lowered, IMPURE_NODES) else None
    return of_type(lowered, BOOL, cx, told=told)


def _no_permission(e: tree.Quantifier, body: a.Assertion) -> str:
    """What to write for `exists x: Ref :: x in s && acc(x.f)`."""
    parts = body.conjuncts if isinstance(body, a.Star) else (body,)
    held = [part.span.text for part in parts if isinstance(part, a.Access | a.Wand)]
    ranges = [part for part in parts if not isinstance(part, IMPURE_NODES)]
    places = (x.SetContains, x.SeqContains, x.Compare)
    pure = " && ".join([part.span.text for part in ranges])
    bound = ", ".join([binding.span.text for binding in e.variables])
    no = "an `exists` says not of which object there is permission, and so gives none"
    if not held or len(held[0]) + len(bound) > _LONG:
        return f"{no}: name the object as a parameter"
    named = f"{no}: name it as a parameter or result `{bound}`, and ask for `{held[0]}`"
    if not pure or len(pure) > _LONG or not all(isinstance(part, places) for part in ranges):
        return named
    return f"{named}; or for all of them, `forall {bound} :: {pure} ==> {held[0]}`"


_LONG = 40
"""Characters of a formula that are repeated in advice."""


def _says_nothing(e: tree.Quantifier, body: x.Expr, cx: Context) -> None:
    """`exists i: Int :: 0 <= i ==> fact` holds of any `i` below 0."""
    names = {binding.name.name for binding in e.variables}
    if not isinstance(body, x.Implies) or not e.span.text.startswith("exists"):
        return
    parts = body.left.operands if isinstance(body.left, x.And) else (body.left,)
    if not all(_is_bound(part, names) for part in parts):
        return
    start = body.span.start - e.span.start
    sides = f"{body.left.span.text} && {body.right.span.text}"
    whole = " ".join(f"{e.span.text[:start]}{sides}".split())
    cx.report.warning(
        e.span,
        "this `exists` with `==>` says nothing: any value outside of the range will do",
        help=f"write `&&` after the range: `{whole}`",
    )


def _is_bound(part: x.Expr, names: set[str]) -> bool:
    """Whether a comparison says where a variable of the quantifier is."""
    match part:
        case x.Compare(_, x.Var(name), _) | x.Compare(_, _, x.Var(name)) if name in names:
            return True
        case x.SeqContains(x.Var(name), _) | x.SetContains(x.Var(name), _) if name in names:
            return True
        case _:
            return False


def _possible_trigger(e: tree.Quantifier) -> str | None:
    """A term of the body that can be a trigger: it has all variables, and no operators."""
    names = [binding.name.name for binding in e.variables]
    for part in descendants(e.body):
        if not isinstance(part, tree.Index | tree.Call | tree.FieldAccess):
            continue
        inner = list(descendants(part))
        mentioned = {each.name for each in inner if isinstance(each, tree.Name)}
        operators = (tree.Binary, tree.Comparison, tree.And, tree.Or)
        if mentioned.issuperset(names) and not any(isinstance(each, operators) for each in inner):
            return part.span.text
    return None


def _trigger(trigger: tree.Trigger, around: tree.Quantifier, cx: Context) -> x.Trigger:
    terms: list[x.Expr | a.PredicateLocation | a.Wand] = []
    errors = cx.report.error_count
    for e in trigger.exprs:
        term = closed(cx.lower(e, cx), cx)
        if isinstance(term, a.Access):
            location = term.location
            if isinstance(location, a.FieldLocation):
                cx.shape_error(trigger.span, f"{e.span.text} is not a valid Trigger")
            else:
                terms.append(location)
        elif isinstance(term, a.Wand) or not isinstance(term, IMPURE_NODES):
            terms.append(term)
        else:
            cx.shape_error(trigger.span, f"{e.span.text} is not a valid Trigger")
    node = x.Trigger(tuple(terms), span=trigger.span)
    if cx.report.error_count == errors:
        check_trigger(node, cx, lambda: _possible_trigger(around))
    return node


def forperm(e: tree.ForPerm, cx: Context) -> Lowered:
    """`forperm x: T [resource] :: body`."""
    before = cx.rules
    if before.perm_ban is not None:
        cx.error(e.span, before.perm_ban)
    cx.scope.enter()
    variables = bound_variables(e.variables, cx)
    cx.rules = replace(
        before,
        perm_ban="forperm quantifier bodies are not allowed to contain "
        "`perm` and `forperm` expressions",
        ban_ends_in_pair=False,
    )
    body = expect(e.body, BOOL, cx)
    cx.rules = replace(before, perm_ban=None, measure=False)
    errors = cx.report.error_count
    location = resource(e.resource, cx)
    cx.rules = before
    cx.scope.leave()
    if location is None:
        return cx.bad(e.span, BOOL)
    node = x.ForPerm(variables, location, body, span=e.span)
    if cx.report.error_count == errors:
        check_forperm(node, cx)
    return node


# ---------------------------------------------------------------- let


def let(e: tree.Let, cx: Context) -> Lowered:
    """`let v == (bound) in body`."""
    bound = cx.lower(e.bound, cx)
    if isinstance(bound, IMPURE_NODES):
        cx.inconsistent(bound.span, "the bound expression of a let must be pure")
        return _let_of(e, IMPURE, x.BoolLit(value=True, span=bound.span), cx)
    if not isinstance(bound, NOT_CLOSED):
        return _let_of(e, bound.type, bound, cx)
    if cx.undecided_lets == 0:
        cx.trials_left = _MAX_TRIALS
    cx.undecided_lets += 1
    types = [_let_type(e, apply(o.type, o.holes), cx) for o in bound.alternatives]
    lowered = _let_of_first_fit(e, bound, types, cx)
    cx.undecided_lets -= 1
    return lowered


def _let_of(e: tree.Let, t: Type, bound: x.Expr, cx: Context) -> Lowered:
    variable = x.Var(e.name.name, t, span=e.name.span)
    cx.scope.enter()
    cx.declare(e.name, Local(e.name.name, t, e.name.span))
    body = cx.lower(e.body, cx)
    cx.scope.leave()
    if isinstance(body, IMPURE_NODES):
        return a.Binding(variable, bound, body, span=e.span)
    return around(body, lambda inner: x.Let(variable, bound, inner, span=e.span), e.span)


def _let_type(e: tree.Let, t: Type, cx: Context) -> Type:
    """The type of the variable, from its uses where the bound expression leaves it open."""
    holes = holes_of(t)
    if not holes:
        return t
    if cx.trials_left <= 0:
        return Grounding(NOTHING, e.bound.span, cx).type(t)
    cx.trials_left -= 1
    mark = cx.report.mark()
    for hole in holes:
        cx.let_holes[hole] = []
    _let_of(e, t, cx.bad(e.span, t), cx)
    cx.report.forget_since(mark)
    found: dict[str, Type] = {}
    for hole in holes:
        for use in cx.let_holes.pop(hole):
            if use is not ERROR and not has_holes(use):
                found.setdefault(hole, use)
    return Grounding(found, e.bound.span, cx).type(t)


def _let_of_first_fit(e: tree.Let, bound: Open, types: list[Type], cx: Context) -> Lowered:
    """Keep every type of the variable for which the body is right."""
    fits: list[Lowered] = []
    for t in types if len(types) > 1 else ():
        if cx.trials_left <= 0:
            break
        cx.trials_left -= 1
        mark, errors = cx.report.mark(), cx.report.error_count
        lowered = _let_of(e, t, of_type(bound, t, cx), cx)
        if cx.report.error_count == errors:
            fits.append(lowered)
        else:
            cx.report.forget_since(mark)
    if not fits:
        return _let_of(e, types[0], of_type(bound, types[0], cx), cx)
    return _either(fits, e.span)


def _either(fits: list[Lowered], span: Span) -> Lowered:
    first = fits[0]
    if isinstance(first, IMPURE_NODES):
        return first
    alternatives: dict[Type, Alternative] = {}
    for fit in fits:
        if isinstance(fit, Open):
            for alternative in fit.alternatives:
                alternatives.setdefault(alternative.type, alternative)
        elif not isinstance(fit, IMPURE_NODES):
            alternatives.setdefault(fit.type, constant(fit))
    if len(alternatives) == 1 and not isinstance(first, Open):
        return first
    return Open(tuple(alternatives.values()), span)
