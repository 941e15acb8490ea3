"""One iteration of a loop for small values: from which state it makes an invariant false."""

from __future__ import annotations

from itertools import islice

from pitviper.explain.advice.case import LONGEST, Case, conjuncts, first_line, reads_heap
from pitviper.explain.advice.cures import Advice
from pitviper.explain.advice.runs.run import Jump, Nothing, Run, Value, Values
from pitviper.explain.advice.runs.trial import at_head, in_words, size_of, starts_of, written
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, descendants, free_vars
from pitviper.results.wording import VIPER, wording_of

MOST = 4_000
"""States that are tried."""


def broken_by_an_iteration(case: Case) -> Advice | None:
    """A state that the invariants and the condition allow, behind which the invariant is false."""
    loop, part, method = _loop_of(case), case.part, case.member
    if loop is None or not isinstance(part, x.Expr) or not isinstance(method, Method):
        return None
    names = free_vars(part)
    places = names | {text_of(n) for n in descendants(part) if isinstance(n, x.FieldRead)}
    steps = [
        node
        for node in descendants(loop.body)
        if isinstance(node, s.LocalAssign | s.FieldAssign) and _place(node) in places
    ]
    used = _variables(method, loop)
    if any(isinstance(n, x.Old) for n in descendants(part)):
        return None  # it speaks of the start of the method
    if not steps or len(steps[0].span.text) > LONGEST:
        return None
    found = _broken(case, loop, part, used)
    name = _place(steps[0])
    if found is None or name not in found[1]:
        return None
    if len(steps) > 1:
        return _by_several(case, loop, steps, found, used)
    before, after = found
    told = " and ".join([f"`{one}`" for one in in_words(before, used)])
    lead = (
        f"line {steps[0].span.line}, `{first_line(steps[0])}`, makes it false for {told}: `{name}` "
        f"is {written(after[name])} then"
    )
    changed = {variable.name for variable in assigned_variables(loop)}
    given = [n for n in used if n in free_vars(steps[0].value) - changed]
    seen = [h for h in at_head(case, loop) if all(h.values.get(n) == v for n, v in before.items())]
    if given and given[0] in {param.name for param in method.params}:
        cure = f"ask for a `{given[0]}` for which it is not, or change the line"
    elif seen:
        cure = "a run comes there, so change the line, or the invariant"
    else:
        cure = "add an `invariant` that is false of these values"
    return Advice(f"{lead}; {cure}", general=True, cause=lead)


def _by_several(
    case: Case,
    loop: s.While,
    steps: list[s.LocalAssign | s.FieldAssign],
    found: tuple[Values, dict[str, Value]],
    used: dict[str, str],
) -> Advice | None:
    """An invariant of which an iteration changes several places: what they are before and behind.

    Told only where a run comes there: then no further invariant helps.
    """
    before, after = found
    heads = at_head(case, loop)
    if not any(all(h.values.get(n) == v for n, v in before.items()) for h in heads):
        return None
    places = dict.fromkeys([_place(node) for node in steps])
    told = " and ".join([f"`{one}`" for one in in_words(before, used)])
    kinds = {_place(node): str(node.value.type) for node in steps}
    shown = {
        name: written(bool(after[name]) if kinds[name] == "Bool" else after[name])
        for name in places
        if name in after
    }
    now = " and ".join([f"`{name}` is {value}" for name, value in shown.items()])
    lines = sorted({node.span.line for node in steps})
    *some, last = [str(line) for line in lines]
    where = f"lines {', '.join(some)} and {last} make" if some else f"line {last} makes"
    lead = f"{where} it false: an iteration that begins with {told} ends where {now}"
    return Advice(
        f"{lead}; a run comes there, so change what the body assigns, or the invariant",
        general=True,
        cause=lead,
    )


def _place(node: s.LocalAssign | s.FieldAssign) -> str:
    if isinstance(node, s.LocalAssign):
        return node.target.name
    return f"{text_of(node.receiver)}.{node.field}"


def _loop_of(case: Case) -> s.While | None:
    """The loop of an invariant that is not kept."""
    if case.finding.error != "invariant.not.preserved" or case.member is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    for node in descendants(case.member):
        if isinstance(node, s.While) and any(i.span == case.finding.span for i in node.invariants):
            return node
    return None


def _variables(method: Method, loop: s.While) -> dict[str, str]:
    """What an iteration depends on, with its types."""
    own = [n.variable for n in descendants(method) if isinstance(n, s.Declare)]
    types = {v.name: str(v.type) for v in (*method.params, *method.returns, *own)}
    inside = {n.variable.name for n in descendants(loop.body) if isinstance(n, s.Declare)}
    used = {n.name for n in descendants(loop) if isinstance(n, x.Var)} - inside
    objects = {name for name, type_ in types.items() if type_ == "Ref"}
    found = {n: type_ for n, type_ in types.items() if n in used - objects}
    for node in descendants(loop):
        match node:
            case x.FieldRead(x.Var(name), field) if name in objects:
                found[f"{name}.{field}"] = str(node.type)
    return found


def _broken(
    case: Case, loop: s.While, part: x.Expr, used: dict[str, str]
) -> tuple[Values, dict[str, Value]] | None:
    """The values before an iteration, and those behind it."""
    assert isinstance(case.member, Method)
    facts: list[Node] = [*loop.invariants, loop.condition]
    facts += [
        fact
        for clause in case.member.preconditions
        for fact in conjuncts(clause)
        if free_vars(fact) <= set(used) and not reads_heap(fact)
    ]
    for values in sorted(islice(starts_of(used, case.member, case.program), MOST), key=size_of):
        run = Run(case.program, values)
        try:
            if all(run.number(fact) for fact in facts):
                run.block(loop.body)
                if not run.number(part):
                    return values, run.values
        except (Nothing, Jump, RecursionError):
            continue
    return None
