"""What to do where an assertion fails, an index is out of range, a measure does not get smaller."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from pitviper.base.record import replace
from pitviper.explain.case import (
    Case,
    call_of,
    in_front,
    quote,
    reads_heap,
    substituted,
)
from pitviper.explain.changes import changed_by
from pitviper.explain.termination import termination
from pitviper.explain.trial import Head, at_head, tried, value_of
from pitviper.explain.unknown import (
    literally_false,
    of_parameters,
    remainder,
    two_objects,
    unknown_field,
)
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, children, descendants, free_vars, rewrite
from pitviper.results.wording import VIPER, wording_of


def _old_of_a_value(case: Case) -> str | None:
    """`old` is about the heap only."""
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if isinstance(node, x.FieldRead) and isinstance(node.receiver, x.Old):
            inner = text_of(node.receiver.operand)
            return (
                f"`{text_of(node)}` reads the field now: for its earlier value write "
                f"`old({inner}.{node.field})`"
            )
        if isinstance(node, x.Old) and not reads_heap(node.operand):
            inner = text_of(node.operand)
            return (
                f"`{text_of(node)}` is `{inner}` as it is now: `old` is about fields, and "
                "variables are none; keep the earlier value in a variable of its own"
            )
    return None


def _labelled_old(case: Case) -> str | None:
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if isinstance(node, x.Old) and node.label is not None and node.label != "lhs":
            labels = [] if case.member is None else list(descendants(case.member))
            at = [n.span.line for n in labels if isinstance(n, s.Label) and n.name == node.label]
            where = f" (line {at[0]})" if at else ""
            return (
                f"`{text_of(node)}` is the value at `label {node.label}`{where}, not the one now: "
                f"for that write `{text_of(node.operand)}`, or put the label further down"
            )
    return None


def _destructor(case: Case) -> str | None:
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if isinstance(node, x.Destruct):
            owner = _constructor_with(node.argument, case.program)
            receiver = quote(node.receiver) or "the value"
            if owner is not None and _tests(case, receiver, owner):
                return f"nothing is known of `{receiver}.{node.argument}` here: say it in front"
            if owner is not None:
                return (
                    f"`{node.argument}` belongs to `{owner}`: say that `{receiver}` is one, by "
                    f"`{receiver}.is{owner}`, and what is known of it"
                )
    return None


def _tests(case: Case, receiver: str, constructor: str) -> bool:
    """Whether the member says in front of the failing part which constructor made a value."""
    return case.member is not None and any(
        isinstance(node, x.Discriminate)
        and node.constructor == constructor
        and text_of(node.receiver) == receiver
        and node.span.start < case.finding.span.start
        for node in descendants(case.member)
    )


def _constructor_with(argument: str, program: Program) -> str | None:
    constructors = [c for adt in program.adts.values() for c in adt.constructors]
    return next((c.name for c in constructors if any(p.name == argument for p in c.params)), None)


def _of_numbers(case: Case) -> str | None:
    """What small numbers tell, with a word about remainders."""
    said, lead = tried(case), remainder(case)
    if said is None or lead is None:
        return said
    return f"{lead}; {said.replace('it is false', 'the whole is false', 1)}"


def _existential(case: Case) -> str | None:
    if isinstance(case.part, x.Exists) and case.finding.reason == "assertion.false":
        names = ", ".join(variable.name for variable in case.part.variables)
        return (
            "if there is one: the solver does not guess values, so name it in the body, "
            f"`{case.part.variables[0].name} == ... && ...`, or use a function of `{names}` in the "
            "body that a fact mentions, as trigger `{ f(x) }`"
        )
    return None


def _recursive_function(case: Case) -> str | None:
    """A definition is unrolled as often as applications are mentioned."""
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if isinstance(node, x.FunctionApp):
            function = case.program.functions.get(node.function)
            if function is not None and function.body is not None and _calls_itself(function):
                return (
                    f"if it is true: the definition of `{function.name}` is used once for each "
                    "application that "
                    "is mentioned: `assert` what it gives for smaller arguments in front, from the "
                    "smallest on, or prove a lemma by a method that calls itself"
                )
    return None


def _calls_itself(function: Function) -> bool:
    assert function.body is not None
    return any(
        isinstance(node, x.FunctionApp) and node.function == function.name
        for node in descendants(function.body)
    )


def _forgotten(case: Case) -> str | None:
    """Behind a call or a loop only contracts and invariants are known of what it assigns."""
    if case.finding.reason != "assertion.false" or case.part is None:
        return None
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    wanted, before = free_vars(case.part), case.finding.span.start
    if case.finding.error == "postcondition.violated":
        before = case.member.body.span.end
    said = None
    reads = {text_of(n): n for n in descendants(case.part) if isinstance(n, x.FieldRead)}
    for node in in_front(case.member.body, before):
        match node:
            case s.MethodCall():
                told = _behind_call(node, wanted, case.program)
                told = told or _call_takes(node, reads, case.program)
                said = told or _call_takes_many(node, case.part, case.program) or said
            case s.While() if node.span.end <= before:
                said = _behind_loop(case, node, wanted) or _loop_takes(case, node, reads) or said
            case s.FieldAssign(receiver, field) if f"{text_of(receiver)}.{field}" in reads:
                said = None
            case s.While():
                said = _inside_loop(node, wanted) or said
            case s.LocalAssign(target) | s.New(target) if target.name in wanted:
                said = None
    return said


def _behind_call(call: s.MethodCall, wanted: frozenset[str], program: Program) -> str | None:
    method = program.methods[call.method]
    pairs = zip(call.targets, method.returns, strict=True)
    for target, formal in pairs:
        if target.name in wanted:
            told = any(formal.name in free_vars(p) for p in method.postconditions)
            value = _assigned_once(method, formal)
            return _only_postcondition(call, target.name, formal.name, value, told=told)
    return None


def _assigned_once(method: Method, result: x.Var) -> str:
    """The value of a result where the body is a line of statements that assigns it once."""
    statements = () if method.body is None else method.body.statements
    if any(isinstance(node, s.If | s.While | s.Goto | s.Block) for node in statements):
        return "..."
    values = [
        node.value
        for node in statements
        if isinstance(node, s.LocalAssign) and node.target.name == result.name
    ]
    if len(values) != 1 or reads_heap(values[0]):
        return "..."
    known = free_vars(values[0]) <= {param.name for param in method.params}
    return (quote(values[0]) or "...") if known else "..."


def _only_postcondition(
    call: s.MethodCall, what: str, formal: str, value: str = "...", *, told: bool
) -> str:
    lack = "say more there" if told else f"it says nothing about `{formal}`, so say it there"
    clause = "ensures ..." if told else f"ensures {formal} == {value}"
    return (
        f"behind the call of `{call.method}` (line {call.span.line}) only its postcondition is "
        f"known of `{what}`, not its body: {lack}, `{clause}`"
    )


def _call_takes(call: s.MethodCall, reads: dict[str, x.FieldRead], program: Program) -> str | None:
    """A call that is given the whole permission to a field may change it."""
    method = program.methods[call.method]
    for clause in method.preconditions:
        for node in descendants(clause):
            if not isinstance(node, a.Access) or not isinstance(node.location, a.FieldLocation):
                continue
            place = text_of(substituted(node.location, method.params, call.args))
            if place in reads and text_of(node.amount) == "write":
                formal = text_of(node.location)
                told = any(_mentions(p, formal) for p in method.postconditions)
                if told or wording_of(call.span) is not VIPER or _writes(method, node.location):
                    return _only_postcondition(call, place, formal, told=told)
                return (
                    f"behind the call of `{call.method}` (line {call.span.line}) only its "
                    f"postcondition is known of `{place}`, not its body: it says nothing about "
                    f"`{formal}`, so add `ensures {formal} == old({formal})` there, if it does "
                    "not change it"
                )
    return None


def _writes(method: Method, place: a.FieldLocation) -> bool:
    """Whether a method has a body that assigns a field of that name."""
    return method.body is not None and any(
        isinstance(node, s.FieldAssign) and node.field == place.field
        for node in descendants(method.body)
    )


def _call_takes_many(call: s.MethodCall, part: Node, program: Program) -> str | None:
    """A call that is given a field of many objects may change all of them."""
    if wording_of(call.span) is not VIPER:
        return None
    fields = {n.field for n in descendants(part) if isinstance(n, x.FieldRead)}
    method = program.methods[call.method]
    for node in (n for clause in method.preconditions for n in descendants(clause)):
        if not isinstance(node, a.QuantifiedPermission) or not isinstance(node.resource, a.Access):
            continue
        place = node.resource.location
        if not isinstance(place, a.FieldLocation) or place.field not in fields:
            continue
        told = any(
            isinstance(n, x.FieldRead) and n.field == place.field
            for clause in method.postconditions
            for n in descendants(clause)
        )
        if told or text_of(node.resource.amount) != "write":
            continue
        bound = ", ".join([f"{v.name}: {v.type}" for v in node.variables])
        condition = text_of(node.condition)
        if condition.startswith("(") and isinstance(node.condition, x.SetContains | x.SeqContains):
            condition = condition[1:-1]
        value = "..."
        match part:
            case x.Equal(x.FieldRead(), x.IntLit() | x.BoolLit() | x.NullLit()):
                value = text_of(part.right)
        return (
            f"`{call.method}` (line {call.span.line}) may change `{text_of(place)}`, and its "
            f"postcondition does not say what it is then: say it there, "
            f"`ensures forall {bound} :: {condition} ==> {text_of(place)} == {value}`"
        )
    return None


def _mentions(clause: Node, place: str) -> bool:
    return any(isinstance(n, x.FieldRead) and text_of(n) == place for n in descendants(clause))


def _loop_takes(case: Case, loop: s.While, reads: dict[str, x.FieldRead]) -> str | None:
    """A loop whose invariant asks for a field may change it."""
    for clause in loop.invariants:
        for node in descendants(clause):
            if not isinstance(node, a.Access) or text_of(node.amount) != "write":
                continue  # who keeps a part knows the value
            if (place := text_of(node.location)) in reads:
                told = any(_mentions(i, place) for i in loop.invariants)
                bound = None if told else _bound_of_field(case, loop, place)
                if bound is not None:
                    return _where_it_ends(loop, bound)
                lack = "say more in one" if told else "none says what its value is"
                return (
                    f"behind the loop of line {loop.span.line} only its invariants are known of "
                    f"`{place}`, and that the condition is false: {lack}; {_AT_EVERY_START}"
                )
    return None


_AT_EVERY_START = (
    "add an `invariant` that holds at the start of every iteration, also of the first, and gives "
    "this together with the false condition"
)


def _where_it_ends(loop: s.While, bound: str, entry: str = "") -> str:
    return (
        f"behind the loop of line {loop.span.line} only its invariants are known, and that "
        f"`{text_of(loop.condition)}` is false: add `invariant {bound}`, which says where the "
        f"loop ends{entry}"
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
    for node in (n for clause in member.preconditions for n in _conjuncts(clause)):
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


def _conjuncts(formula: Node) -> list[Node]:
    match formula:
        case a.Star(parts) | x.And(parts):
            return [found for part in parts for found in _conjuncts(part)]
        case _:
            return [formula]


def _behind_loop(case: Case, loop: s.While, wanted: frozenset[str]) -> str | None:
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
        f"behind the loop of line {loop.span.line} only its invariants are known of {names}, and "
        "that the condition is false"
    )
    if related is not None:
        return f"{lead}: they do not mention it, so say it in one, such as `invariant {related}`"
    lack = "they do not say enough" if told == assigned else "they do not mention it"
    return f"{lead}: {lack}; {_AT_EVERY_START}"


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
                shifts = {n - factor * o for n, o in pairs if n is not None and o is not None}
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


def _inside_loop(loop: s.While, wanted: frozenset[str]) -> str | None:
    assigned = [v.name for v in assigned_variables(loop) if v.name in wanted]
    if not assigned:
        return None
    names = " and ".join(f"`{name}`" for name in assigned)
    return (
        f"an iteration of the loop of line {loop.span.line} starts with its invariants and its "
        f"condition: nothing else is known of {names}; add `invariant ...`"
    )


def _of_the_loop(case: Case) -> str | None:
    match case.finding.error, case.finding.reason:
        case "invariant.not.established", "assertion.false":
            return _at_first(case) or (
                "an invariant has to hold before the first iteration, too: weaken it, or start "
                "with other values"
            )
        case "invariant.not.preserved", "assertion.false":
            return _like_the_condition(case) or (
                "each iteration starts with the invariants and the condition only, and has to "
                "end with the invariants: weaken this one, or add what is known of its variables"
            )
    return None


def _at_first(case: Case) -> str | None:
    """What an invariant says before the first iteration, where the values there are constants."""
    loop = _loop_with_invariant(case)
    if loop is None or not isinstance(case.part, x.Expr) or reads_heap(case.part):
        return None
    assert isinstance(case.member, Method)
    values = _constants_in_front(case.member, loop)
    used = {name: value for name, value in values.items() if name in free_vars(case.part)}
    said = rewrite(case.part, lambda n: used.get(n.name) if isinstance(n, x.Var) else None)
    quoted = quote(said)
    given = " and ".join([f"`{name}` is {text_of(value)}" for name, value in used.items()])
    if not quoted:
        return None
    if not free_vars(said) and given:
        return (
            f"before the first iteration {given}, and `{quoted}` is not true: weaken the "
            "invariant, or start with other values"
        )
    if not free_vars(said) <= {param.name for param in case.member.params}:
        return None
    where = f"before the first iteration {given}, so it says `{quoted}`" if given else "it"
    lead = f"{where}: ask for that" if given else "it has to hold before the loop: ask for it"
    return f"{lead}, `requires {quoted}`, or weaken the invariant"


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


def _like_the_condition(case: Case) -> str | None:
    """An invariant that is the condition of its loop cannot hold when the loop ends."""
    loop, part = _loop_with_invariant(case), case.part
    if loop is None or not isinstance(part, x.Compare) or part.op not in _WEAKER:
        return None
    if text_of(loop.condition) != text_of(part):
        return None
    weaker = replace(part, op=_WEAKER[part.op])
    return (
        f"`{text_of(part)}` is the condition of the loop: when the loop ends it is false, and the "
        f"invariant has to hold then, too; weaken it, as in `{text_of(weaker)}`"
    )


def _changed_before(case: Case) -> str | None:
    """What a call may have changed, where pure methods rest on predicates of their classes."""
    if case.finding.reason != "assertion.false" or case.part is None:
        return None
    if case.finding.error not in ("assert.failed", "call.precondition", "application.precondition"):
        return None
    if not isinstance(case.member, Method) or wording_of(case.finding.span) is VIPER:
        return None
    part = case.part
    params, args = call_of(case)
    if len(params) == len(args) and params:
        values = {p.name: arg for p, arg in zip(params, args, strict=True)}
        part = rewrite(part, lambda n: values.get(n.name) if isinstance(n, x.Var) else None)
    return changed_by(part, case.finding.span, case.member, case.program)


def _of_a_contract(case: Case) -> str | None:
    if case.finding.reason != "assertion.false":
        return None
    match case.finding.error:
        case "call.precondition" | "application.precondition" if said := _of_constants(case):
            return said
        case "application.precondition" if _in_a_clause(case) and isinstance(case.part, x.Expr):
            asked = substituted(case.part, *call_of(case))
            fact = quote(asked) or "..."
            if isinstance(asked, x.Implies | x.Or | x.Conditional):
                fact = f"({fact})"
            return f"a contract is read from the left: write `{fact} &&` in front of this"
        case "call.precondition" | "application.precondition":
            return (
                "make sure of it in front of the call: test it, or ask for it in the precondition"
            )
        case "postcondition.violated" if isinstance(case.member, Function):
            return (
                "the body has to make it true for all arguments: exclude those for which it is "
                "false, `requires ...`, or promise less"
            )
        case "postcondition.violated" if said := (
            _never_assigned(case) or _without_old(case) or _overwritten(case)
        ):
            return said
        case "postcondition.violated" if case.part is not None and not reads_heap(case.part):
            return (
                "the body has to make it true on every path: `pitviper counterexample` shows one "
                "on which it is false"
            )
        case "postcondition.violated":
            return (
                "the body has to make it true on every path: what it says of fields is about "
                "their values at the end, `old(e)` about those at the start"
            )
        case "fold.failed" if isinstance(case.part, x.Expr):
            fact = quote(substituted(case.part, *call_of(case)))
            said = f"`{fact}`, which the body of the predicate says," if fact else "its body"
            return f"{said} has to be true in front of the `fold`: make it so, or fold later"
        case "fold.failed":
            return "make the body of the predicate true in front of the `fold`"
        case "assert.failed" | "exhale.failed" if said := (
            _heap_changed(case)
            or _never_assigned(case)
            or _new_values(case)
            or two_objects(case)
            or unknown_field(case)
            or _no_body(case)
            or of_parameters(case)
        ):
            return said
        case "assert.failed" | "exhale.failed":
            return (
                "it does not follow from what is known here: `pitviper counterexample` shows a "
                "state in which it is false, `pitviper debug` what is known"
            )
    return None


def _in_a_clause(case: Case) -> bool:
    """Whether the finding is about a contract of the member itself."""
    if not isinstance(case.member, Method | Function):
        return False
    at = case.finding.span
    clauses = (*case.member.preconditions, *case.member.postconditions)
    return any(c.span.start <= at.start and at.end <= c.span.end for c in clauses)


def _never_assigned(case: Case) -> str | None:
    """A variable that nothing has assigned may have any value."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    params = {param.name for param in case.member.params}
    assigned = {name for node in descendants(case.member.body) for name in _targets(node)}
    bound = {
        v.name
        for n in descendants(case.part)
        if isinstance(n, x.Forall | x.Exists)
        for v in n.variables
    }
    open_ = sorted(free_vars(case.part) - params - assigned - bound)
    if not open_:
        return None
    return (
        f"`{open_[0]}` is never assigned, so it may have any value: assign one, `{open_[0]} := ...`"
    )


def _targets(node: Node) -> tuple[str, ...]:
    match node:
        case s.LocalAssign(target) | s.New(target):
            return (target.name,)
        case s.MethodCall():
            return tuple([target.name for target in node.targets])
        case _:
            return ()


def _without_old(case: Case) -> str | None:
    """`x.f == x.f + 1` speaks of one moment on both sides."""
    part = case.part
    if not isinstance(part, x.Equal) or not isinstance(part.left, x.FieldRead):
        return None
    place = text_of(part.left)
    old = [n for n in descendants(part.right) if isinstance(n, x.Old)]
    if old or place not in [
        text_of(n) for n in descendants(part.right) if isinstance(n, x.FieldRead)
    ]:
        return None
    meant = rewrite(
        part.right,
        lambda n: x.Old(None, n, span=n.span) if _reads(n, place) else None,
    )
    return (
        f"`{place}` is the value at the end on both sides: the one at the start is `old({place})`, "
        f"as in `{place} == {text_of(meant)}`"
    )


def _overwritten(case: Case) -> str | None:
    """A field is written before a later line reads it, and its earlier value was meant."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    parts = list(descendants(case.part))
    meant = {text_of(n.operand): n.operand for n in parts if isinstance(n, x.Old)}
    promised = {text_of(n) for n in parts if isinstance(n, x.FieldRead)}
    written: dict[str, s.FieldAssign] = {}
    for node in case.member.body.statements:
        if not isinstance(node, s.FieldAssign):
            continue
        place = f"{text_of(node.receiver)}.{node.field}"
        for read in descendants(node.value):
            first = written.get(text_of(read)) if isinstance(read, x.FieldRead) else None
            if first is None or text_of(read) not in meant or place not in promised:
                continue
            name = text_of(read)
            kind = meant[name].type
            return (
                f"line {first.span.line} overwrites `{name}` before line {node.span.line} reads "
                f"it: keep its earlier value, `var t: {kind} := {name}` in front of "
                f"`{first.span.text}`, and read `t` in line {node.span.line}"
            )
        written[place] = node
    return None


def _reads(node: Node, place: str) -> TypeGuard[x.FieldRead]:
    return isinstance(node, x.FieldRead) and text_of(node) == place


def _new_values(case: Case) -> str | None:
    """A `new` gives permission, and says nothing of values."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    places = {text_of(n): n for n in descendants(case.part) if isinstance(n, x.FieldRead)}
    made = None
    for node in in_front(case.member.body, case.finding.span.start):
        match node:
            case s.New(target, fields):
                made = next(
                    (p for p in places if p in [f"{target.name}.{f}" for f in fields]), made
                )
                line = node.span.line
            case s.FieldAssign(receiver, field) if f"{text_of(receiver)}.{field}" == made:
                made = None
            case s.MethodCall() | s.While() | s.If():
                made = None
    if made is None:
        return None
    return (
        f"the `new` of line {line} gives `{made}` no value: assign one behind it, `{made} := ...`"
    )


def _no_body(case: Case) -> str | None:
    """Of a function without body only its postcondition is known, of one of a domain its axioms."""
    assert case.part is not None
    for node in descendants(case.part):
        if isinstance(node, x.FunctionApp):
            function = case.program.functions.get(node.function)
            if function is not None and function.body is None and not function.postconditions:
                return (
                    f"`{function.name}` has no body and promises nothing: say what is known of its "
                    "value, `ensures result ...`, or give it a body"
                )
        if isinstance(node, x.DomainApp):
            domain = case.program.domains.get(node.domain)
            if domain is not None and not domain.axioms:
                return (
                    f"no axiom says what `{node.function}` is: add one to the domain, "
                    f"`axiom {{ ... }}`"
                )
    return None


def _heap_changed(case: Case) -> str | None:
    """A line of statements in front writes what the assertion looks at, under another name."""
    if not isinstance(case.member, Method) or case.member.body is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    before = case.finding.span.start
    writes = [
        node
        for node in in_front(case.member.body, before)
        if isinstance(node, s.FieldAssign) and isinstance(node.receiver, x.Var)
    ]
    for write in reversed(writes):
        target = f"{text_of(write.receiver)}.{write.field}"
        for node in descendants(case.part):
            if isinstance(node, x.FunctionApp) and _looks_at(node, target, case.program):
                return (
                    f"`{text_of(node)}` looks at `{target}`, which line {write.span.line} changes: "
                    f"its earlier value is `old({text_of(node)})`, or a variable that was assigned "
                    "in front"
                )
            if not isinstance(node, x.FieldRead) or node.field != write.field:
                continue
            names = {text_of(node.receiver), text_of(write.receiver)}
            same = [c for c in case.finding.conditions if set(c.holds.split(" == ")) == names]
            if same and len(names) == 2:
                one, other = sorted(names)
                return (
                    f"line {write.span.line} writes `{target}`, which is `{text_of(node)}` where "
                    f"`{same[0].holds}`: say that they differ, `requires {one} != {other}`"
                )
    return None


def _looks_at(app: x.FunctionApp, target: str, program: Program) -> bool:
    """Whether the precondition of a function asks for a location."""
    function = program.functions.get(app.function)
    if function is None:
        return False
    return any(
        isinstance(node, a.FieldLocation)
        and text_of(substituted(node, function.params, app.args)) == target
        for clause in function.preconditions
        for node in descendants(clause)
    )


_OF_LITERALS = (
    x.IntLit, x.BoolLit, x.NullLit, x.Compare, x.Equal, x.NotEqual, x.IntArith, x.Negate, x.Not,
    x.And, x.Or,
)  # fmt: skip


def _of_constants(case: Case) -> str | None:
    """A precondition that is about the arguments only, which are constants."""
    params, args = call_of(case)
    if case.part is None or not params or len(params) != len(args):
        return None
    said = substituted(case.part, params, args)
    if not all(isinstance(node, _OF_LITERALS) for node in descendants(said)):
        return None
    quoted = quote(said)
    return f"`{quoted}` is not true: call it with another value" if quoted else None


# ---------------------------------------------------------------- other reasons


def _not_injective(case: Case) -> str | None:
    if case.finding.reason != "qp.not.injective" or case.construct is None:
        return None
    found = [n for n in descendants(case.construct) if isinstance(n, a.QuantifiedPermission)]
    if case.part is not None:
        inside = [n for n in found if any(d is case.part for d in descendants(n))]
        found = inside or found
    if not found or len(found[0].variables) != 1 or not isinstance(found[0].resource, a.Access):
        return None
    node, place = found[0], found[0].resource.location
    variable = node.variables[0]
    other = x.Var(f"{variable.name}2", variable.type, span=variable.span)
    if not isinstance(place, a.FieldLocation):
        return None

    def renamed(part: x.Expr) -> str:
        return text_of(substituted(part, (variable,), (other,)))

    both = f"{text_of(node.condition)} && {renamed(node.condition)} && "
    if isinstance(node.condition, x.BoolLit):
        both = ""
    fact = (
        f"forall {variable.name}: {variable.type}, {other.name}: {variable.type} :: {both}"
        f"{variable.name} != {other.name} ==> "
        f"{text_of(place.receiver)} != {renamed(place.receiver)}"
    )
    asked = isinstance(case.member, Method | Function) and any(
        clause.span.start <= node.span.start and node.span.end <= clause.span.end
        for clause in case.member.preconditions
    )
    if asked and wording_of(case.finding.span) is VIPER:
        return f"say that no object comes twice, in front of this `requires`: `requires {fact}`"
    return f"say in front that no object comes twice: `{fact}`"


_INDEXED = (x.SeqIndex, x.SeqUpdate)


def _index(case: Case) -> str | None:
    """An index that is too large or negative, with the fact to say about it."""
    if case.finding.reason not in ("seq.index.length", "seq.index.negative"):
        return None
    if case.member is None or not isinstance(case.part, x.Expr):
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    around = [
        node
        for node in descendants(case.member)
        if isinstance(node, _INDEXED) and any(part is case.part for part in children(node))
    ]
    index, whole = quote(case.part), quote(around[0].sequence) if around else ""
    if not index or not whole:
        return None
    last = f"the last index is `|{whole}| - 1`"
    if case.finding.reason == "seq.index.negative" and isinstance(case.part, x.Negate | x.IntLit):
        return f"indices count from 0, and {last}"
    if case.finding.reason == "seq.index.negative":
        return _said_in_front(case, f"0 <= {index}")
    if index.startswith(f"|{whole}|"):
        return f"indices count from 0: {last}"
    return _said_in_front(case, f"{index} < |{whole}|")


def _divisor(case: Case) -> str | None:
    if case.finding.reason != "division.by.zero" or not isinstance(case.part, x.Expr):
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    divisor = quote(case.part)
    if divisor == "0":
        return "nothing is divided by 0: write another divisor"
    return _said_in_front(case, f"{divisor} != 0") if divisor else None


def _said_in_front(case: Case, fact: str) -> str:
    """How a fact becomes known: by a contract, if it is about parameters, or by a test."""
    assert isinstance(case.part, x.Expr)
    if isinstance(case.member, Method | Function) and case.finding.error not in _CLAUSES:
        outside = free_vars(case.part) <= {param.name for param in case.member.params}
        if outside and not reads_heap(case.part):
            return f"`{fact}` has to be known: ask for it, `requires {fact}`, or test it in front"
    if case.finding.error in _CLAUSES and (said := _in_a_quantifier(case, fact)):
        return said
    if case.finding.error in _CLAUSES:
        return f"`{fact}` has to be known in front: write `{fact} &&` before it, or `{fact} ==>`"
    return f"`{fact}` has to be known here: test it in front, or let a contract or invariant say it"


def _in_a_quantifier(case: Case, fact: str) -> str | None:
    """The body of the quantifier around the part, with the fact among what it supposes."""
    if case.member is None or not isinstance(case.part, x.Expr):
        return None
    for node in descendants(case.member):
        if not isinstance(node, x.Forall) or not any(n is case.part for n in descendants(node)):
            continue
        if not {variable.name for variable in node.variables} & free_vars(case.part):
            continue
        supposed = node.body.left if isinstance(node.body, x.Implies) else None
        if supposed is not None and any(n is case.part for n in descendants(supposed)):
            return None
        rest = quote(node.body.right if isinstance(node.body, x.Implies) else node.body)
        lead = "" if supposed is None else quote(supposed)
        if not rest or (supposed is not None and not lead):
            return None
        if isinstance(supposed, x.Or | x.Implies | x.Conditional):
            lead = f"({lead})"
        known = f"{lead} && {fact}" if lead else fact
        if case.finding.reason == "seq.index.negative" and lead:
            known = f"{fact} && {lead}"
        return f"`{fact}` has to be known in front: write `{known} ==> {rest}`"
    return None


_CLAUSES = ("not.wellformed", "function.not.wellformed", "predicate.not.wellformed")


def _amount(case: Case) -> str | None:
    if case.part is None:
        return None
    match case.finding.reason:
        case "negative.permission" if not free_vars(case.part):
            return "an amount of permission is not negative: write another one, such as `1/2`"
        case "negative.permission":
            amount = quote(case.part) or "p"
            return (
                f"say that it is not: `{amount} > none` in front, or `{amount} >= none` if it may "
                "be nothing"
            )
        case "permission.not.positive":
            return f"say that it is: `{quote(case.part) or 'p'} > none` in front"
    return None


def _map_key(case: Case) -> str | None:
    if case.finding.reason != "map.key.contains" or case.member is None or case.part is None:
        return None
    if wording_of(case.finding.span) is not VIPER:
        return None
    for node in descendants(case.member):
        if isinstance(node, x.MapLookup) and any(part is case.part for part in children(node)):
            test = f"{text_of(node.key)} in domain({text_of(node.map)})"
            return f"say in front that the key is there, `{test}`: test it, or ask for it"
    return None


def _wand(case: Case) -> str | None:
    if case.finding.reason == "wand.not.found":
        return "the wand has to be held: `package` it before, or ask for it in the precondition"
    return None


FACT_RULES: tuple[Callable[[Case], str | None], ...] = (
    termination,
    _old_of_a_value,
    _labelled_old,
    _destructor,
    _existential,
    literally_false,
    _of_numbers,
    _of_the_loop,
    _forgotten,
    _recursive_function,
    _changed_before,
    _of_a_contract,
    _not_injective,
    _index,
    _divisor,
    _amount,
    _map_key,
    _wand,
)
"""In the order in which they are asked."""
