"""What to do where a member or a loop might not end."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.explain.advice.case import Case, call_of, quote, reads_heap, substituted
from pitviper.explain.advice.cures import Said, in_general
from pitviper.explain.advice.runs.run import value_of
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Program
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def termination(case: Case) -> Said:
    """A rule: what to do about a measure that does not get smaller, or is not there."""
    if case.finding.error != "termination.failed":
        return None
    measure = _measure(case)
    match case.finding.reason:
        case "tuple.condition.false":
            params, _ = call_of(case)
            if (said := _without_measure(case)) is not None:
                return said
            of = ", ".join([p.name for p in params if str(p.type) == "Int"][:1])
            return (
                "what is called on a way back here needs a measure, too: give it a `decreases` "
                f"clause, such as `decreases {of or 'n'}`"
            )
        case "tuple.false" if isinstance(case.construct, s.While | s.DecreasesTuple):
            return _grows(case) or (
                f"{f'`{measure}`' if measure else 'the measure'} has to get smaller with each "
                "iteration, and to be at least 0 where one begins: choose another measure, or "
                "change what the body assigns"
            )
        case "tuple.false" if isinstance(case.part, s.DecreasesTuple) and not any(
            free_vars(m) for m in case.part.measures
        ):
            if not case.part.measures:
                params, _ = call_of(case)
                of = f", such as `decreases {params[0].name}`" if params else ""
                return (
                    "`decreases` alone says that it does not call itself, and it does: say what "
                    f"gets smaller with each call{of}"
                )
            return (
                f"`{measure or 'it'}` is always the same: choose something that gets smaller with "
                "each call, such as a parameter"
            )
        case "tuple.false" if measure is not None and (said := _of_measure(case, measure)):
            return said
        case "termination.condition.false" if isinstance(case.construct, s.While):
            return (
                "the method promises to end, so the loop has to: give it a measure that gets "
                "smaller with each iteration, such as `decreases n - i`, after its invariants"
            )
        case "termination.condition.false":
            callee = case.construct
            name = callee.method if isinstance(callee, s.MethodCall) else "it"
            return (
                f"what a terminating member calls has to terminate, too: give `{name}` a "
                "`decreases` clause; `decreases` alone says that it does not call itself"
            )
        case "tuple.false" if (said := _of_instance(case)) is not None:
            return said
        case "tuple.false":
            return in_general(
                "the measure has to get smaller with each call or iteration, and not below 0: "
                "choose another one, or other arguments"
            )
    return None


def _without_measure(case: Case) -> str | None:
    """The function that is called leads back here, and has no `decreases` clause."""
    if not isinstance(case.construct, x.FunctionApp) or not isinstance(case.member, Function):
        return None
    callee = case.program.functions.get(case.construct.function)
    if callee is None or callee.decreases or callee is case.member or callee.body is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    calls = {n.function for n in descendants(callee.body) if isinstance(n, x.FunctionApp)}
    numbers = [param.name for param in callee.params if str(param.type) == "Int"]
    if case.member.name not in calls or not numbers:
        return None
    return (
        f"`{callee.name}` (line {callee.span.line}) calls `{case.member.name}` again and has no "
        f"measure: give it one that fits, such as `decreases {numbers[0]}`"
    )


def _grows(case: Case) -> str | None:
    """The body of a loop is a line of assignments, and they make its measure larger or keep it."""
    clause = case.part if isinstance(case.part, s.DecreasesTuple) else case.construct
    if not isinstance(clause, s.DecreasesTuple) or len(clause.measures) != 1:
        return None
    loops = [
        n
        for n in ([] if case.member is None else descendants(case.member))
        if isinstance(n, s.While) and any(d is clause for d in n.decreases)
    ]
    if not loops or wording_of(case.finding.span) is not VIPER:
        return None
    measure = clause.measures[0]
    steps = [n for n in loops[0].body.statements if not isinstance(n, s.Declare)]
    used = [n for n in steps if isinstance(n, s.LocalAssign)]
    if len(used) != len(steps) or reads_heap(measure):
        return None
    change = _change(measure, used, case.program)
    if change is None or change < 0:
        return None
    own = [n for n in used if n.target.name in free_vars(measure)]
    told = f", by `{own[-1].span.text}` (line {own[-1].span.line})" if own else ""
    how = "gets larger" if change > 0 else "stays the same"
    better = _shrinking(loops[0].condition, used, case.program)
    if better is not None:
        return (
            f"`{text_of(measure)}` has to get smaller with each iteration, and {how}{told}: "
            f"`{better}` does get smaller, so write `decreases {better}`"
        )
    return (
        f"`{text_of(measure)}` has to get smaller with each iteration, and {how}{told}: "
        f"{_other_step(measure, used, case.program)}, or choose another measure"
    )


def _other_step(measure: x.Expr, steps: list[s.LocalAssign], program: Program) -> str:
    """The step that goes the other way, where the measure gets smaller with it."""
    for at, node in enumerate(steps):
        match node.value:
            case x.IntArith(x.IntOp.ADD | x.IntOp.SUB as op, x.Var(name), x.IntLit() as by) if (
                name == node.target.name
            ):
                other = x.IntOp.SUB if op is x.IntOp.ADD else x.IntOp.ADD
                meant = replace(node, value=replace(node.value, op=other))
                change = _change(measure, [*steps[:at], meant, *steps[at + 1 :]], program)
                if change is not None and change < 0:
                    step = f"{name} := {name} {other.value} {by.value}"
                    return f"write `{step}` in line {node.span.line}"
    return "change what the body assigns"


def _change(measure: x.Expr, steps: list[s.LocalAssign], program: Program) -> int | None:
    """By how much assignments change a measure, if that is always the same."""
    after = measure
    for node in reversed(steps):
        after_ = substituted(after, (node.target,), (node.value,))
        assert isinstance(after_, x.Expr)
        after = after_
    names = sorted(free_vars(measure) | free_vars(after))
    changes: set[int] = set()
    for seed in range(1, 8):
        values = {name: (seed * (at + 2) * 7) % 11 + seed for at, name in enumerate(names)}
        before, behind = (value_of(e, values, program) for e in (measure, after))
        if before is None or behind is None:
            return None
        changes.add(behind - before)
    return changes.pop() if len(changes) == 1 else None


def _shrinking(condition: x.Expr, steps: list[s.LocalAssign], program: Program) -> str | None:
    """The distance that the condition of a loop says not to be negative, if it gets smaller."""
    for fact in condition.operands if isinstance(condition, x.And) else (condition,):
        match fact:
            case x.Compare(x.CompareOp.LT | x.CompareOp.LE, low, high):
                pass
            case x.Compare(x.CompareOp.GT | x.CompareOp.GE, high, low):
                pass
            case _:
                continue
        if str(low.type) != "Int" or reads_heap(fact):
            continue
        distance = x.IntArith(x.IntOp.SUB, high, low, span=fact.span)
        change = _change(distance, steps, program)
        if change is not None and change < 0:
            return text_of(high if isinstance(low, x.IntLit) and low.value == 0 else distance)
    return None


def _measure(case: Case) -> str | None:
    """The text of the only measure, if there is one."""
    clause = case.part
    if not isinstance(clause, s.DecreasesTuple) or len(clause.measures) != 1:
        return None
    return quote(clause.measures[0]) or None


def _another_measure(case: Case, measure: str) -> str | None:
    """Another parameter, of which the call gives a smaller number."""
    params, args = call_of(case)
    for param, arg in zip(params, args, strict=True):
        match arg:
            case x.IntArith(x.IntOp.SUB, x.Var(name), x.IntLit(step)) if (
                step > 0 and name == param.name != measure
            ):
                return name
    return None


def _of_measure(case: Case, measure: str) -> str | None:
    """About a measure that is a parameter, and what the call gives for it."""
    params, args = call_of(case)
    given = [arg for param, arg in zip(params, args, strict=True) if param.name == measure]
    if case.member is None or len(params) != len(args):
        return None
    if not given:
        return _of_length(case, measure)
    at = [param.name for param in params].index(measure)
    if str(params[at].type) != "Int":
        return None
    bounded = "bounded" in case.finding.message and "decrease" not in case.finding.message
    if bounded and (said := _endless(case, measure)) is not None:
        return said
    if bounded:
        return (
            f"`{measure}` might be negative here, and a measure is at least 0: ask for it, "
            f"`requires {measure} >= 0`"
        )
    match given[0]:
        case x.IntArith(x.IntOp.ADD, x.Var(name), x.IntLit(by)) if name == measure and by > 0:
            fewer = [f"{measure} - {by}" if i == at else text_of(e) for i, e in enumerate(args)]
            return (
                f"`{text_of(given[0])}` is larger than `{measure}`, and a measure has to get "
                f"smaller: call it with something smaller, as in `{_callee(case)}"
                f"({', '.join(fewer)})`, or choose a measure that gets smaller, such as the "
                f"distance from `{measure}` to where it ends"
            )
    if text_of(given[0]) != measure:
        return None
    other = _another_measure(case, measure)
    if other is not None:
        return (
            f"`{measure}` is the same in the call, and `{other}` gets smaller there: measures are "
            f"compared from the left, so write `decreases {measure}, {other}`"
        )
    smaller = [f"{measure} - 1" if i == at else text_of(arg) for i, arg in enumerate(args)]
    return (
        f"`{measure}` is the same in the call: give it something smaller, as in "
        f"`{_callee(case)}({', '.join(smaller)})`"
    )


def _of_instance(case: Case) -> str | None:
    """A call is given the instance by which it is measured, and not one inside of it."""
    clause, (params, args) = case.part, call_of(case)
    if not isinstance(clause, s.DecreasesTuple) or len(clause.measures) != 1:
        return None
    measure = clause.measures[0]
    if not isinstance(measure, x.PredicateInstance) or len(params) != len(args):
        return None
    given = dict(zip([param.name for param in params], [text_of(arg) for arg in args], strict=True))
    own = [text_of(arg) for arg in measure.args]
    if any(given.get(name, name) != name for name in own):
        return None
    body, whole = case.program.predicates[measure.predicate].body, text_of(measure).lstrip("#")
    inside = next(
        (
            text_of(node)
            for node in (() if body is None else descendants(body))
            if isinstance(node, a.PredicateLocation) and node.predicate == measure.predicate
        ),
        "an instance in its body",
    )
    return (
        f"the call is given all of `{whole}`, which has to get smaller: call it for a part, "
        f"`{inside}`, which is there once `{whole}` is unfolded"
    )


def _endless(case: Case, measure: str) -> str | None:
    """A function that applies itself in every case has no value."""
    function = case.member
    if not isinstance(function, Function) or function.body is None:
        return None
    body = function.body.span.text
    if has_an_end(function.body, function.name) or "\n" in body:
        return None
    return (
        f"`{function.name}` calls itself in every case, and nothing ends that: give a value for "
        f"the last case, as in `{measure} <= 0 ? ... : {body}`, with that value for `...`"
    )


def has_an_end(body: x.Expr, name: str) -> bool:
    """Whether a case of a body does not apply the function."""
    match body:
        case x.Conditional(_, then, otherwise):
            return has_an_end(then, name) or has_an_end(otherwise, name)
        case _:
            found = [n for n in descendants(body) if isinstance(n, x.FunctionApp)]
            return all(app.function != name for app in found)


def _callee(case: Case) -> str:
    match case.construct:
        case s.MethodCall(name) | x.FunctionApp(name):
            return name
        case _:
            return "" if case.member is None else case.member.name


def _of_length(case: Case, measure: str) -> str | None:
    """A sequence is measured by its length, and the call is given all of it."""
    params, args = call_of(case)
    for at, (param, arg) in enumerate(zip(params, args, strict=True)):
        is_same = measure == f"|{param.name}|" and text_of(arg) == param.name
        if is_same and str(param.type).startswith("Seq"):
            fewer = [f"{param.name}[1..]" if i == at else text_of(e) for i, e in enumerate(args)]
            return (
                f"`{measure}` is the same in the call: give it something shorter, as in "
                f"`{_callee(case)}({', '.join(fewer)})`"
            )
    return None
