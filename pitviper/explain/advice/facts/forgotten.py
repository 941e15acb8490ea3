"""What is forgotten behind a call or a loop: only contracts and invariants are known there."""

from __future__ import annotations

from pitviper.explain.advice.case import LONGEST, Case, in_front, quote, reads_heap, substituted
from pitviper.explain.advice.cures import Advice, Said, in_general, promises
from pitviper.explain.advice.loops.loops import behind_loop, inside_loop, loop_takes, mentions
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def forgotten(case: Case) -> Said:
    """Behind a call or a loop only contracts and invariants are known of what it assigns."""
    if case.finding.reason != "assertion.false" or case.part is None:
        return None
    if not isinstance(case.member, Method) or case.member.body is None:
        return None
    wanted, before = free_vars(case.part), case.finding.span.start
    if case.finding.error == "postcondition.violated":
        before = case.member.body.span.end
    said: Said = None
    reads = {text_of(n): n for n in descendants(case.part) if isinstance(n, x.FieldRead)}
    for node in in_front(case.member.body, before):
        match node:
            case s.MethodCall():
                told = _behind_call(node, wanted, case.part, case.program)
                told = told or _call_takes(node, reads, case.program)
                said = told or _call_takes_many(node, case.part, case.program) or said
            case s.While() if node.span.end <= before:
                said = behind_loop(case, node, wanted) or loop_takes(case, node, reads) or said
            case s.FieldAssign(receiver, field) if f"{text_of(receiver)}.{field}" in reads:
                said = None
            case s.While():
                said = inside_loop(node, wanted) or said
            case s.LocalAssign(target) | s.New(target) if target.name in wanted:
                said = None
    return said


def _field_of_result(
    call: s.MethodCall, target: x.Var, formal: x.Var, method: Method, part: Node
) -> Advice | None:
    """The assertion reads a field of an object that a call returns, of which nothing is said."""
    for node in descendants(part):
        if not isinstance(node, x.FieldRead) or text_of(node.receiver) != target.name:
            continue
        place = f"{formal.name}.{node.field}"
        if any(mentions(clause, place) for clause in method.postconditions):
            continue
        meant = "..."
        if free_vars(part) == {target.name}:
            meant = quote(substituted(part, (target,), (formal,))) or "..."
        return Advice(
            f"after the call of `{call.method}` (line {call.span.line}) only its postcondition is "
            f"known of `{text_of(node)}`{_body_of(method)}: it says nothing about `{place}`, so "
            f"say it there, `ensures {meant}`",
            promises(method, meant),
            general=meant == "...",
        )
    return None


def _behind_call(call: s.MethodCall, wanted: frozenset[str], part: Node, program: Program) -> Said:
    method = program.methods[call.method]
    pairs = zip(call.targets, method.returns, strict=True)
    for target, formal in pairs:
        if target.name in wanted:
            if (said := _field_of_result(call, target, formal, method, part)) is not None:
                return said
            told = any(formal.name in free_vars(p) for p in method.postconditions)
            value = _assigned_once(method, formal)
            what = f"`{target.name}`{_body_of(method)}"
            text = _only_postcondition(call, what, formal.name, value, told=told)
            cures = () if told else promises(method, f"{formal.name} == {value}")
            return Advice(text, cures, general=told)
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


def _body_of(callee: Method) -> str:
    """Words for a body that callers do not see, where there is one."""
    return "" if callee.body is None else ", not its body"


def _only_postcondition(
    call: s.MethodCall, what: str, formal: str, value: str = "...", *, told: bool
) -> str:
    lack = "say more there" if told else f"it says nothing about `{formal}`, so say it there"
    clause = "ensures ..." if told else f"ensures {formal} == {value}"
    return (
        f"after the call of `{call.method}` (line {call.span.line}) only its postcondition is "
        f"known of {what}: {lack}, `{clause}`"
    )


def _call_takes(call: s.MethodCall, reads: dict[str, x.FieldRead], program: Program) -> Said:
    """A call that is given the whole permission to a field may change it."""
    method = program.methods[call.method]
    for clause in method.preconditions:
        for node in descendants(clause):
            if not isinstance(node, a.Access) or not isinstance(node.location, a.FieldLocation):
                continue
            place = text_of(substituted(node.location, method.params, call.args))
            if place in reads and text_of(node.amount) == "write":
                formal = text_of(node.location)
                said = [p for p in method.postconditions if mentions(p, formal)]
                if said and (quoted := _facts_about(said, formal, call, method)):
                    return in_general(
                        f"after the call of `{call.method}` (line {call.span.line}) only its "
                        f"postcondition is known of `{place}`: `{quoted}`, from which this does "
                        "not follow; assert something else, or say more there"
                    )
                told = any(mentions(p, formal) for p in method.postconditions)
                if told or wording_of(call.span) is not VIPER or _writes(method, node.location):
                    what = f"`{place}`{_body_of(method)}"
                    text = _only_postcondition(call, what, formal, told=told)
                    return Advice(text, general=told)
                return Advice(
                    f"after the call of `{call.method}` (line {call.span.line}) only its "
                    f"postcondition is known of `{place}`{_body_of(method)}: it says nothing about "
                    f"`{formal}`, so add `ensures {formal} == old({formal})` there, if it does "
                    "not change it",
                    promises(method, f"{formal} == old({formal})"),
                )
    return None


def _facts_about(clauses: list[a.Assertion], place: str, call: s.MethodCall, method: Method) -> str:
    """The conjuncts of a callee's contract that speak of a field, with the names of a caller."""
    formals = (*method.params, *method.returns)
    given = (*call.args, *call.targets)
    found = []
    for clause in clauses:
        parts = clause.conjuncts if isinstance(clause, a.Star) else (clause,)
        told = [part for part in parts if mentions(part, place)]
        found += [text_of(substituted(part, formals, given)) for part in told]
    joined = " && ".join(found)
    return joined if len(joined) <= LONGEST else ""


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
