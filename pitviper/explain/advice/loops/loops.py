"""What to do where the invariants of a loop do not say enough, or too much."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.explain.advice.case import Case, asked, conjuncts, in_front, quote, reads_heap
from pitviper.explain.advice.cures import Advice, Said, asks, in_general, keeps
from pitviper.explain.advice.loops.iteration import broken_by_an_iteration
from pitviper.explain.advice.runs.run import Head, value_of
from pitviper.explain.advice.runs.trial import at_head
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, descendants, free_vars, rewrite


def mentions(clause: Node, place: str) -> bool:
    return any(isinstance(n, x.FieldRead) and text_of(n) == place for n in descendants(clause))


def loop_takes(case: Case, loop: s.While, reads: dict[str, x.FieldRead]) -> Said:
    """A loop whose invariant asks for a field may change it."""
    for clause in loop.invariants:
        for node in descendants(clause):
            if not isinstance(node, a.Access) or text_of(node.amount) != "write":
                continue  # who keeps a part knows the value
            if (place := text_of(node.location)) in reads:
                told = any(mentions(i, place) for i in loop.invariants)
                bound = None if told else _bound_of_field(case, loop, place)
                if bound is not None:
                    return _where_it_ends(loop, bound)
                lack = "say more in one" if told else "none says what its value is"
                return in_general(
                    f"after the loop of line {loop.span.line} only its invariants are known of "
                    f"`{place}`, and that the condition is false: {lack}; {_AT_EVERY_START}"
                )
    return None


_AT_EVERY_START = (
    "add an `invariant` that holds at the start of every iteration, also of the first, and gives "
    "this together with the false condition"
)


def _where_it_ends(loop: s.While, bound: str, entry: str = "") -> Advice:
    return Advice(
        f"after the loop of line {loop.span.line} only its invariants are known, and that "
        f"`{text_of(loop.condition)}` is false: add `invariant {bound}`, which says where the "
        f"loop ends{entry}",
        keeps(loop, bound),
    )


def _bound_of_field(case: Case, loop: s.While, place: str) -> str | None:
    """`x.f <= 10` for a loop that counts a field while `x.f < 10`, if it holds on entry.

    It does where the precondition gives the field a number, and nothing stands in front of the
    loop that may change it.
    """
    condition, member = loop.condition, case.member
    if not isinstance(condition, x.Compare) or condition.op not in _ENDS:
        return None
    if text_of(condition.left) != place or not isinstance(condition.right, x.IntLit):
        return None
    if not isinstance(member, Method) or member.body is None:
        return None
    before = list(in_front(member.body, loop.span.start))
    step = x.IntOp.ADD if condition.op is x.CompareOp.LT else x.IntOp.SUB
    if not _by_one(loop, place, step):
        return None
    if any(not isinstance(node, s.Declare | s.LocalAssign) for node in before):
        return None
    bound = replace(condition, op=_ENDS[condition.op])
    for node in (n for clause in member.preconditions for n in conjuncts(clause)):
        match node:
            case x.Equal(x.FieldRead() as read, x.IntLit() as number) if text_of(read) == place:
                entry = value_of(replace(bound, left=number), {}, case.program)
                return text_of(bound) if entry else None
    return None


def _by_one(loop: s.While, place: str, step: x.IntOp) -> bool:
    """Whether all that a loop assigns to a field of this name counts the place by one."""
    name = place.rpartition(".")[2]
    values = [n for n in descendants(loop.body) if isinstance(n, s.FieldAssign) and n.field == name]
    counts = [
        node
        for node in values
        if isinstance(node.value, x.IntArith)
        and node.value.op is step
        and text_of(node.value.left) == place == f"{text_of(node.receiver)}.{node.field}"
        and node.value.right == x.IntLit(1, span=node.value.right.span)
    ]
    return len(counts) == 1 == len(values)


def behind_loop(case: Case, loop: s.While, wanted: frozenset[str]) -> Said:
    assigned = [v.name for v in assigned_variables(loop) if v.name in wanted]
    if not assigned:
        return None
    names = " and ".join(f"`{name}`" for name in assigned)
    told = [name for name in assigned if any(name in free_vars(i) for i in loop.invariants)]
    bound = _missing_bound(loop) if told == assigned else None
    broken = [] if bound is None else _breaking(case, loop)
    if bound is not None and broken is None:
        return _where_it_ends(loop, bound, "; it has to hold before the loop, too")
    if bound is not None and not broken:
        return _where_it_ends(loop, bound)
    if bound is not None and broken and broken[0].entry:
        return _where_it_ends(loop, bound, "; ask for what makes it true before the loop, too")
    related = _related(case, loop, [name for name in assigned if name not in told])
    lead = (
        f"after the loop of line {loop.span.line} only its invariants are known of {names}, and "
        "that the condition is false"
    )
    if related is not None:
        text = f"{lead}: they do not mention it, so say it in one, such as `invariant {related}`"
        return Advice(text, keeps(loop, related))
    lack = "they do not say enough" if told == assigned else "they do not mention it"
    return in_general(f"{lead}: {lack}; {_AT_EVERY_START}")


def _breaking(case: Case, loop: s.While) -> list[Head] | None:
    """States of runs in which the bound of a counting loop is false; None where nothing was run."""
    condition = loop.condition
    assert isinstance(condition, x.Compare)
    bound = replace(condition, op=_ENDS[condition.op])
    heads = at_head(case, loop)
    if not heads:
        return None
    broken = [head for head in heads if not value_of(bound, head.values, case.program)]
    return sorted(broken, key=lambda head: head.entry)


def _related(case: Case, loop: s.While, names: list[str]) -> str | None:
    """An equation of a variable with another that the loop changes, true in all that was run."""
    states = [head.values for head in at_head(case, loop)]
    others = [v.name for v in assigned_variables(loop)]
    for name in names:
        for other in others:
            pairs = {(state.get(name), state.get(other)) for state in states}
            if name == other or len(pairs) < 4:
                continue
            for factor in (1, 2, -1, 3):
                shifts = {
                    n - factor * o for n, o in pairs if isinstance(n, int) and isinstance(o, int)
                }
                if len(shifts) == 1:
                    times = {1: "", -1: "-"}.get(factor, f"{factor} * ")
                    shift = shifts.pop()
                    rest = f" {'+' if shift > 0 else '-'} {abs(shift)}" if shift else ""
                    return f"{name} == {times}{other}{rest}"
    return None


_ENDS = {
    x.CompareOp.LT: x.CompareOp.LE,
    x.CompareOp.GT: x.CompareOp.GE,
}


def _missing_bound(loop: s.While) -> str | None:
    """`i <= n` for a loop that counts while `i < n`, where no invariant says so."""
    condition = loop.condition
    if not isinstance(condition, x.Compare) or condition.op not in _ENDS:
        return None
    counted = {v.name for v in assigned_variables(loop)}
    if not free_vars(condition.left) & counted or free_vars(condition.right) & counted:
        return None
    bound = text_of(replace(condition, op=_ENDS[condition.op]))
    flat = [text_of(n) for i in loop.invariants for n in descendants(i) if isinstance(n, x.Expr)]
    sides = text_of(condition.left), text_of(condition.right)
    said = [f"{sides[0]} == {sides[1]}", f"{sides[1]} >= {sides[0]}", f"{sides[1]} <= {sides[0]}"]
    return None if bound in flat or any(one in flat for one in said) else bound


def inside_loop(loop: s.While, wanted: frozenset[str]) -> Said:
    assigned = [v.name for v in assigned_variables(loop) if v.name in wanted]
    if not assigned:
        return None
    names = " and ".join(f"`{name}`" for name in assigned)
    return in_general(
        f"an iteration of the loop of line {loop.span.line} starts with its invariants and its "
        f"condition: nothing else is known of {names}; add `invariant ...`"
    )


def of_the_loop(case: Case) -> Said:
    match case.finding.error, case.finding.reason:
        case "invariant.not.established", "assertion.false":
            return _at_first(case) or in_general(
                "an invariant has to hold before the first iteration, too: weaken it, or start "
                "with other values"
            )
        case "invariant.not.preserved", "assertion.false":
            told = _like_the_condition(case) or broken_by_an_iteration(case)
            return told or in_general(
                "each iteration starts with the invariants and the condition only, and has to "
                "end with the invariants: weaken this one, or add what is known of its variables"
            )
    return None


def _at_first(case: Case) -> Said:
    """What an invariant says before the first iteration, where the values there are constants."""
    loop = _loop_with_invariant(case)
    if loop is None or not isinstance(case.part, x.Expr):
        return None
    if reads_heap(case.part):
        return _at_first_of_fields(case, loop)
    assert isinstance(case.member, Method)
    values = _constants_in_front(case.member, loop)
    used = {name: value for name, value in values.items() if name in free_vars(case.part)}
    said = rewrite(case.part, lambda n: used.get(n.name) if isinstance(n, x.Var) else None)
    quoted = quote(said)
    given = " and ".join([f"`{name}` is {text_of(value)}" for name, value in used.items()])
    if not quoted:
        return None
    if not free_vars(said) and given:
        first = f"before the first iteration {given}"
        return Advice(
            f"{first}, and `{quoted}` is not true: weaken the invariant, or start with other "
            "values",
            general=True,
            cause=first,
        )
    if not free_vars(said) <= {param.name for param in case.member.params}:
        return None
    start = f"before the first iteration {given}, so it says `{quoted}`" if given else None
    lead = f"{start}: ask for that" if start else "it has to hold before the loop: ask for it"
    text = f"{lead}, `requires {quoted}`, or weaken the invariant"
    return Advice(text, asks(case.member, quoted), general=True, cause=start)


def _at_first_of_fields(case: Case, loop: s.While) -> Said:
    """The same about fields that the precondition has, and nothing in front of the loop changes."""
    member, part = case.member, case.part
    assert isinstance(member, Method) and member.body is not None and part is not None
    before = in_front(member.body, loop.span.start)
    if not all(isinstance(n, s.Declare | s.LocalAssign | s.Assert | s.Label) for n in before):
        return None
    places = {text_of(node) for node in descendants(part) if isinstance(node, x.FieldRead)}
    held = places and all(asked(member.preconditions, place) for place in places)
    known = free_vars(part) <= {param.name for param in member.params}
    plain = not any(isinstance(n, x.FunctionApp | x.Unfolding | x.Old) for n in descendants(part))
    if not (held and known and plain and quote(part)):
        return None
    return in_general(
        f"it has to hold before the first iteration, too: ask for it, `requires {quote(part)}` "
        "after the permissions, make it true before the loop, or weaken the invariant",
        asks(member, quote(part)),
    )


def _loop_with_invariant(case: Case) -> s.While | None:
    """The loop of a failing invariant, if it is no part of another statement of the body."""
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    at = case.finding.span
    for node in case.member.body.statements:
        if isinstance(node, s.While) and any(i.span == at for i in node.invariants):
            return node
    return None


def _constants_in_front(method: Method, loop: s.While) -> dict[str, x.Expr]:
    """Variables that are literals when a loop begins, as far as the statements tell."""
    assert method.body is not None
    values: dict[str, x.Expr] = {}
    if any(isinstance(node, s.Goto) for node in descendants(method.body)):
        return values
    for node in method.body.statements:
        if node is loop:
            break
        for variable in assigned_variables(node):
            values.pop(variable.name, None)
        if isinstance(node, s.LocalAssign) and isinstance(node.value, x.IntLit | x.BoolLit):
            values[node.target.name] = node.value
    return values


_WEAKER = {x.CompareOp.LT: x.CompareOp.LE, x.CompareOp.GT: x.CompareOp.GE}


def _like_the_condition(case: Case) -> Advice | None:
    """An invariant that is the condition of its loop cannot hold when the loop ends."""
    loop, part = _loop_with_invariant(case), case.part
    if loop is None or not isinstance(part, x.Compare) or part.op not in _WEAKER:
        return None
    if text_of(loop.condition) != text_of(part):
        return None
    weaker = replace(part, op=_WEAKER[part.op])
    return in_general(
        f"`{text_of(part)}` is the condition of the loop: when the loop ends it is false, and the "
        f"invariant has to hold then, too; weaken it, as in `{text_of(weaker)}`"
    )
