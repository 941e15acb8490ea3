"""Shapes that triggers and `forperm` must have (found by Viper while it translates)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitviper.checking.context import Context
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants
from pitviper.source.edit import Cure, Edit

_FORBIDDEN = (
    x.IntArith, x.PermArith, x.Compare, x.Equal, x.NotEqual, x.Negate,
    x.Not, x.And, x.Or, x.Implies, x.Conditional,
)  # fmt: skip
"""Solvers do not match terms that contain these."""

_TRIGGER_HEADS = (
    x.FunctionApp, x.FieldRead, a.PredicateLocation, x.Construct, x.Destruct,
    x.SeqLit, x.SetLit, x.MultisetLit, x.MapLit, x.SeqRange, x.SeqAppend, x.SeqIndex, x.SeqTake,
    x.SeqDrop, x.SeqUpdate, x.SeqContains, x.SetBinary, x.Subset, x.SetContains, x.MultisetCount,
    x.Cardinality, x.MapLookup, x.MapUpdate, x.MapContains, x.MapDomain, x.MapRange,
)  # fmt: skip

_READS_HEAP = (
    x.FieldRead, x.FunctionApp, x.CurrentPerm, x.ForPerm, x.Unfolding, x.Applying, x.Asserting,
    a.Access, a.FieldLocation, a.PredicateLocation, a.Wand,
)  # fmt: skip


def check_trigger(trigger: x.Trigger, cx: Context, possible: Callable[[], str | None]) -> None:
    """Every term must be one that a solver can look for; `possible` names one."""
    if not all(_is_valid(term, cx) for term in trigger.terms):
        text = " ".join(trigger.span.text.split()) or "{...}"
        term, message = possible(), f"{text} is not a valid Trigger"
        if term is None:
            cx.shape_error(trigger.span, message)
            return
        told = f"{_no_trigger(trigger, cx)}: write `{{ {term} }}`"
        cx.shape_error(trigger.span, message, help=told, cures=trigger_cure(trigger, term))


def _no_trigger(trigger: x.Trigger, cx: Context) -> str:
    """What is wrong with the first term that is none of a trigger."""
    term = next(term for term in trigger.terms if not _is_valid(term, cx))
    if isinstance(term, x.Var):
        return f"a variable alone is no trigger, but a term with `{term.name}` in it is"
    if isinstance(term, x.IntLit | x.BoolLit | x.NullLit):
        return "a constant is no trigger, but a term with the variable in it is"
    return "a trigger is no comparison and no arithmetic"


def trigger_cure(trigger: x.Trigger, terms: str) -> tuple[Cure, ...]:
    """The change that gives a trigger other terms, where its place is one in braces."""
    written = f"{{ {terms} }}"
    if not trigger.span.text.startswith("{"):
        return ()
    return (Cure(f"Write the trigger `{written}`", (Edit(trigger.span, written),)),)


def _is_valid(term: Node, cx: Context) -> bool:
    match term:
        case x.Old(_, operand):
            return _is_valid(operand, cx)
        case a.Wand():
            return all(_is_free_of_operators(part) for part in evaluated_parts(term))
        case x.DomainApp():
            return term.function not in cx.table.interpreted and _is_free_of_operators(term)
        case _:
            return isinstance(term, _TRIGGER_HEADS) and _is_free_of_operators(term)


def _is_free_of_operators(term: Node) -> bool:
    return not any(isinstance(part, _FORBIDDEN) for part in descendants(term))


def evaluated_parts(wand: a.Wand) -> Iterator[Node]:
    """The largest parts of a wand that depend neither on the heap nor on variables bound in it."""
    todo: list[tuple[Node, frozenset[str]]] = [(wand.left, frozenset()), (wand.right, frozenset())]
    while todo:
        part, bound = todo.pop()
        if isinstance(part, (a.FieldLocation, a.PredicateLocation, x.Trigger)):
            todo.extend((child, bound) for child in children(part))
        elif isinstance(part, x.Old) and part.label == "lhs":
            continue
        elif _is_fixed(part, bound):
            yield part
        else:
            inside = bound | _binds(part)
            todo.extend((child, inside) for child in children(part) if not _declares(part, child))


def _is_fixed(part: Node, bound: frozenset[str]) -> bool:
    if isinstance(part, x.Old):
        return not _mentions(part, bound)
    return not any(
        isinstance(inner, _READS_HEAP) or (isinstance(inner, x.Var) and inner.name in bound)
        for inner in descendants(part)
    )


def _mentions(part: Node, names: frozenset[str]) -> bool:
    return any(isinstance(inner, x.Var) and inner.name in names for inner in descendants(part))


def _binds(part: Node) -> frozenset[str]:
    match part:
        case x.Forall() | x.Exists() | x.ForPerm() | a.QuantifiedPermission():
            return frozenset(variable.name for variable in part.variables)
        case x.Let() | a.Binding():
            return frozenset({part.variable.name})
        case _:
            return frozenset()


def _declares(part: Node, child: Node) -> bool:
    match part:
        case x.Forall() | x.Exists() | x.ForPerm() | a.QuantifiedPermission():
            return any(child is variable for variable in part.variables)
        case x.Let() | a.Binding():
            return child is part.variable
        case _:
            return False


def check_forperm(e: x.ForPerm, cx: Context) -> None:
    """Variables stand directly as arguments of the resource, and every one does."""
    match e.location:
        case a.FieldLocation(receiver):
            arguments: tuple[Node, ...] = (receiver,)
        case a.PredicateLocation(_, args):
            arguments = args
        case a.Wand():
            arguments = tuple(evaluated_parts(e.location))
    names = frozenset(variable.name for variable in e.variables)
    used = {
        inner.name for arg in arguments for inner in descendants(arg) if isinstance(inner, x.Var)
    }
    if not names <= used:
        cx.shape_error(e.span, "All quantified variables need to be used in a resource")
    for arg in arguments:
        if not isinstance(arg, x.Var) and _mentions(arg, names):
            cx.shape_error(arg.span, "Quantified arguments can only be used directly")
