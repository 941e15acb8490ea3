"""What was held in front and went away in a step that is known: how it comes back."""

from __future__ import annotations

from pitviper.explain.advice.case import (
    Case,
    asked,
    in_front,
    lacking_of,
    substituted,
    with_arguments,
)
from pitviper.explain.advice.cures import (
    Advice,
    Cures,
    Said,
    in_general,
    keeps,
    leaves_out,
    promises,
    writes_at_end,
    writes_in_front,
)
from pitviper.program import assertion as a
from pitviper.program import stmt as s
from pitviper.program.member import Method, Program
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants
from pitviper.source.span import Span


def given_away(case: Case) -> Said:
    """What was held before went away in a step that is known: how to get it back there."""
    location, history = lacking_of(case), case.finding.history
    if location is None or not isinstance(case.member, Method):
        return None
    wanted = text_of(with_arguments(case, location))
    if history:
        step = _statement_at(case.member, history[-1].span)
        folded = _statement_at(case.member, history[0].span)
        if isinstance(folded, s.Fold) and step is not folded:
            wanted = text_of(folded.predicate)
    else:
        step = taken_in_front(case, wanted)
    match step:
        case s.MethodCall(method):
            formal = _formal_access(step, wanted, case.program) or "acc(...)"
            return Advice(
                f"let `{method}` give it back: `ensures {formal}` in its contract; or call it "
                "when the permission is no longer needed",
                promises(case.program.methods[method], formal),
            )
        case s.While() if wanted.endswith(")"):
            return Advice(
                f"the loop of line {step.span.line} has only what its invariants ask for: add "
                f"`invariant {wanted}`",
                keeps(step, wanted),
            )
        case s.While():
            return Advice(
                f"the loop of line {step.span.line} has only what its invariants ask for: add "
                f"`invariant acc({wanted})`, and what is known of its value",
                keeps(step, f"acc({wanted})"),
            )
        case s.Exhale():
            return in_general(
                f"line {step.span.line} gives it away: use it before, exhale less, or inhale it "
                "again"
            )
        case s.Unfold(instance) if text_of(instance) == wanted and case.finding.error in _CLOSED:
            where = _CLOSED[case.finding.error]
            text = f"it was opened in line {step.span.line}: `fold {wanted}` {where}"
            return Advice(text, folds(case, wanted))
        case s.Unfold(instance) if (
            text_of(instance) == wanted and case.finding.error == "unfold.failed"
        ):
            text = f"it is open since line {step.span.line}, and what is inside is held"
            cures = leaves_out(case.construct) if isinstance(case.construct, s.Unfold) else ()
            return Advice(f"{text}: leave this `unfold` out", cures)
        case s.Unfold():
            return f"it was opened in line {step.span.line}: `fold` it again before"
        case s.Package():
            return (
                f"the package of line {step.span.line} took it: `apply` the wand to get it back, "
                "or use it before"
            )
    return None


def taken_in_front(case: Case, wanted: str) -> s.Stmt | None:
    """The statement that took what the precondition asks for, where the engine tells no history.

    It is the last one in front whose contract, formula or invariants take the location, by its
    text, and give nothing back.
    """
    if case.finding.containing is not None or not isinstance(case.member, Method):
        return None
    if case.member.body is None or not asked(case.member.preconditions, wanted):
        return None
    at = case.finding.span
    taken: s.Stmt | None = None
    at_end = case.finding.error == "postcondition.violated"
    before = case.member.body.span.end if at_end else at.start
    for node in in_front(case.member.body, before):
        match node:
            case s.MethodCall(method):
                callee = case.program.methods[method]
                returned = [substituted(p, callee.params, node.args) for p in callee.postconditions]
                if _formal_access(node, wanted, case.program) and not asked(returned, wanted):
                    taken = node
            case s.Exhale(formula) if asked([formula], wanted):
                taken = node
            case s.Inhale(formula) if asked([formula], wanted):
                taken = None
            case s.While() if not asked(node.invariants, wanted):
                taken = node if node.span.end > at.start else taken
            case s.Package(wand) if asked([wand.right], wanted):
                taken = None if asked([wand.left], wanted) else node
            case s.Unfold(instance) | s.Fold(instance) if text_of(instance) == wanted:
                taken = node if isinstance(node, s.Unfold) else None
    return taken


_CLOSED = {
    "postcondition.violated": "at the end of the body",
    "invariant.not.preserved": "at the end of the loop's body",
    "invariant.not.established": "before the loop",
    "call.precondition": "before the call",
    "exhale.failed": "before it",
    "assert.failed": "before it",
    "fold.failed": "before it",
    "package.failed": "between the braces of the package, `package ... { fold ... }`",
    "apply.failed": "before the apply",
}
"""Where an instance has to be closed again, by what needs it."""


def _statement_at(member: Method, span: Span) -> s.Stmt | None:
    """The statement of an event; that of a loop is told at its condition."""
    for node in descendants(member):
        if isinstance(node, s.While) and node.condition.span == span:
            return node
        if isinstance(node, s.Stmt) and not isinstance(node, s.Block) and node.span == span:
            return node
    return None


def _formal_access(call: s.MethodCall, wanted: str, program: Program) -> str | None:
    """The permission of a callee's precondition that is this one at the call, in its own words."""
    method = program.methods[call.method]
    for clause in method.preconditions:
        for node in descendants(clause):
            if isinstance(node, a.Access):
                place = substituted(node.location, method.params, call.args)
                if text_of(place) == wanted:
                    formal = text_of(node.location)
                    whole = text_of(node.amount) == "write"
                    return f"acc({formal})" if whole else node.span.text
    return None


def folds(case: Case, wanted: str) -> Cures:
    """A `fold` where it is needed: at the end for a postcondition, else in front of what fails."""
    at_end = case.finding.error == "postcondition.violated"
    write = writes_at_end if at_end else writes_in_front
    return () if case.finding.error == "invariant.not.preserved" else write(case, f"fold {wanted}")
