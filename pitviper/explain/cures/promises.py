"""What callees and functions may promise, from what they do or from what is needed."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import (
    Case,
    call_of,
    conjuncts,
    reads_heap,
    substituted,
    with_values,
)
from pitviper.explain.advice.objects.getters import THIS, by_getters, getters
from pitviper.explain.advice.runs.run import value_of
from pitviper.explain.cures.edit import Candidate, never_called, statement_at, words_for_front
from pitviper.explain.writing import ensures, in_front_of, requires
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import room_of
from pitviper.program.walk import descendants, free_vars, rewrite


def promised(case: Case) -> Iterator[Candidate]:
    """What a callee in front could promise, from what its body does or from what is needed."""
    method, part = case.member, case.part
    if not isinstance(method, Method) or method.body is None or part is None:
        return
    part = substituted(part, *call_of(case))
    end = method.body.span.end
    at = end if case.finding.error == "postcondition.violated" else case.finding.span.start
    calls = [
        n
        for n in descendants(method.body)
        if isinstance(n, s.MethodCall) and (n.span.end <= at or _in_one_loop(method, n, at))
    ]
    for call in reversed(calls):
        callee = case.program.methods[call.method]
        needed = _of_front(method, call, part)
        fields = {n.field for n in descendants(needed) if isinstance(n, x.FieldRead)}
        clauses = (
            *_of_getters(callee, needed, case.program),
            *_clauses(callee, call, needed),
            *_of_instances(callee, fields, case.program),
        )
        for clause in dict.fromkeys(clauses):
            hidden = "" if callee.body is None else ", not its body"
            known = {text_of(c) for post in callee.postconditions for c in conjuncts(post)}
            if clause not in known:
                yield Candidate(
                    ensures(callee, clause),
                    f"after the call of `{callee.name}` (line {call.span.line}) only its "
                    f"postcondition is known{hidden}: add `ensures {clause}` to "
                    f"`{callee.name}`",
                    within=False,
                )


def _in_one_loop(method: Method, call: s.MethodCall, at: int) -> bool:
    return any(
        isinstance(n, s.While) and n.span.start <= at <= n.span.end and n.span.encloses(call.span)
        for n in descendants(method)
    )


def _clauses(callee: Method, call: s.MethodCall, part: Node) -> Iterator[str]:
    final = final_values(callee)
    about = free_vars(part)
    fields = {n.field for n in descendants(part) if isinstance(n, x.FieldRead)}
    results = dict(zip([v.name for v in call.targets], callee.returns, strict=True))
    for name, formal in results.items():
        value = final.get(formal.name)
        if name in about and value is not None and not isinstance(value, x.Conditional):
            yield f"{formal.name} == {text_of(value)}"
        if name in about and str(formal.type) == "Int":
            yield from (f"{formal.name} >= 0", f"{formal.name} > 0")
    for place, value in final.items():
        if "." in place and place.rpartition(".")[2] in fields:
            yield from _of_field(callee, place, f"{place} == {text_of(value)}")
    for node in _asked_fields(callee):
        if node.field in fields and text_of(node) not in final and not _writes(callee, node.field):
            place = text_of(node)
            yield from _of_field(callee, place, f"{place} == old({place})")
    yield from _of_many(callee, fields)
    for meant in _in_formals(callee, call, part):
        yield from _of_field(callee, None, meant)
    for name, formal in results.items():
        value = final.get(formal.name)
        if name in about and isinstance(value, x.Conditional):
            yield f"{formal.name} == {text_of(value)}"


def _of_many(callee: Method, fields: set[str]) -> Iterator[str]:
    """That the objects of a range keep their values: all of them, or all but what is given."""
    for clause in callee.preconditions:
        for node in descendants(clause):
            match node:
                case a.QuantifiedPermission(
                    (variable,), _, condition, a.Access(a.FieldLocation(field=field) as location)
                ) if field in fields:
                    place, bound = text_of(location), f"{variable.name}: {variable.type}"
                    same = [p.name for p in callee.params if p.type == variable.type]
                    others = "".join([f" && {variable.name} != {name}" for name in same])
                    for range_ in dict.fromkeys(["", others]):
                        yield (
                            f"forall {bound} :: {text_of(condition)}{range_} ==> "
                            f"{place} == old({place})"
                        )


def _of_instances(callee: Method, fields: set[str], program: Program) -> Iterator[str]:
    """That what is inside of an instance, which is taken and given back, keeps its value."""
    taken = [n for clause in callee.preconditions for n in conjuncts(clause)]
    given = {text_of(n) for clause in callee.postconditions for n in conjuncts(clause)}
    for node in taken:
        if not isinstance(node, a.Access) or not isinstance(node.location, a.PredicateLocation):
            continue
        predicate = program.predicates[node.location.predicate]
        if text_of(node) not in given or predicate.body is None:
            continue
        for inner in descendants(predicate.body):
            if isinstance(inner, a.FieldLocation) and inner.field in fields:
                place = text_of(substituted(inner, predicate.params, node.location.args))
                value = f"unfolding {_instance(node)} in {place}"
                yield f"({value}) == old({value})"


def _instance(node: a.Access) -> str:
    """`acc(P(x), 1/2)` as it is written, else `P(x)`."""
    return node.span.text if node.span.text.startswith("acc") else text_of(node.location)


def _of_getters(callee: Method, part: Node, program: Program) -> Iterator[str]:
    """What the body makes of fields, by the pure methods that tell them and that a part applies."""
    told = getters(program, room_of(callee.name))
    applied = {n.function for n in descendants(part) if isinstance(n, x.FunctionApp)}
    for place, value in final_values(callee).items():
        receiver, _, field = place.partition(".")
        if receiver == THIS.name and told.get(field) in applied:
            getter = text_of(x.FunctionApp(told[field], (THIS,), value.type))
            if isinstance(value, x.BoolLit):
                yield getter if value.value else f"!{getter}"
            else:
                yield f"{getter} == {text_of(by_getters(value, told))}"


def _asked_fields(callee: Method) -> Iterator[a.FieldLocation]:
    for clause in callee.preconditions:
        for node in descendants(clause):
            if isinstance(node, a.FieldLocation) and isinstance(node.receiver, x.Var):
                yield node


def _writes(callee: Method, field: str) -> bool:
    return callee.body is not None and any(
        isinstance(n, s.FieldAssign) and n.field == field for n in descendants(callee.body)
    )


def _of_field(callee: Method, place: str | None, clause: str) -> Iterator[str]:
    """The clause, and with it in each instance that the callee gives back."""
    yield clause
    for post in callee.postconditions:
        for part in conjuncts(post):
            if isinstance(part, a.Access) and isinstance(part.location, a.PredicateLocation):
                yield f"unfolding {text_of(part.location)} in {clause}"


def _of_front(method: Method, call: s.MethodCall, part: Node) -> Node:
    """What is needed, with what was kept in front of the call in variables: `old(bal(a))`."""
    assert method.body is not None
    given = {v.name for arg in call.args for v in descendants(arg) if isinstance(v, x.Var)}
    given |= {target.name for target in call.targets}
    kept: dict[str, x.Expr] = {}
    for node in method.body.statements:
        if isinstance(node, s.LocalAssign) and node.span.end <= call.span.start:
            value = node.value
            early = x.Old(None, value, span=value.span) if reads_heap(value) else value
            kept[node.target.name] = early
    return rewrite(
        part, lambda n: kept.get(n.name) if isinstance(n, x.Var) and n.name not in given else None
    )


def _in_formals(callee: Method, call: s.MethodCall, part: Node) -> Iterator[str]:
    """What is needed, in the words of the callee, where all that it speaks of goes through it."""
    numbers = {
        actual.value: formal
        for formal, actual in zip(callee.params, call.args, strict=True)
        if isinstance(actual, x.IntLit)
    }
    back: dict[str, x.Expr] = {}
    for formal, actual in zip(callee.params, call.args, strict=True):
        if isinstance(actual, x.Var):
            back[actual.name] = formal
    for formal, target in zip(callee.returns, call.targets, strict=True):
        back[target.name] = formal
    if not free_vars(part) or not free_vars(part) <= set(back):
        return
    said = rewrite(part, lambda n: back.get(n.name) if isinstance(n, x.Var) else None)
    if numbers:
        yield text_of(
            rewrite(said, lambda n: numbers.get(n.value) if isinstance(n, x.IntLit) else None)
        )
    yield text_of(said)


def final_values(method: Method) -> dict[str, x.Expr]:
    """What variables and fields are at the end, by the start, of a body without loops and calls."""
    if method.body is None:
        return {}
    values = _after(method.body, {})
    if values is None:
        return {}
    known = {param.name for param in method.params}
    own = {v.name for v in (*method.params, *method.returns)}
    return {
        name: value
        for name, value in values.items()
        if name.partition(".")[0] in own and free_vars(value) <= known
    }


def _after(block: s.Block, before: dict[str, x.Expr]) -> dict[str, x.Expr] | None:
    """The values behind a block; None where something in it is not followed."""
    values = dict(before)
    for node in block.statements:
        match node:
            case s.LocalAssign(target, value):
                values[target.name] = _today(value, values)
            case s.FieldAssign(x.Var() as receiver, field, value):
                now = _today(value, values)
                for place in [p for p in values if p.endswith(f".{field}")]:
                    if place != f"{receiver.name}.{field}":
                        del values[place]
                values[f"{receiver.name}.{field}"] = now
            case s.If(condition, then, otherwise):
                sides = _after(then, values), _after(otherwise, values)
                if sides[0] is None or sides[1] is None:
                    return None
                values = _joined(_today(condition, values), sides[0], sides[1])
            case s.Declare() | s.Fold() | s.Unfold() | s.Assert() | s.Label():
                continue
            case _:
                return None
    return values


def _joined(
    condition: x.Expr, then: dict[str, x.Expr], otherwise: dict[str, x.Expr]
) -> dict[str, x.Expr]:
    """What is known behind both branches; a field that one of them writes is not followed."""
    joined: dict[str, x.Expr] = {}
    for name in then.keys() & otherwise.keys():
        one, two = then[name], otherwise[name]
        same = text_of(one) == text_of(two)
        joined[name] = one if same else x.Conditional(condition, one, two, span=condition.span)
    return dict(sorted(joined.items()))


def _today(value: x.Expr, values: dict[str, x.Expr]) -> x.Expr:
    def rule(node: Node) -> Node | None:
        match node:
            case x.FieldRead(x.Var(name), field):
                found = values.get(f"{name}.{field}")
                return found if found is not None else x.Old(None, node, span=node.span)
            case x.Var(name):
                return values.get(name)
            case _:
                return None

    return rewrite(value, rule)


def of_functions(case: Case) -> Iterator[Candidate]:
    """What a recursive function lacks: a promise, or a smaller value that is mentioned."""
    method, part = case.member, with_values(case)
    if part is None or case.finding.reason != "assertion.false":
        return
    apps = [n for n in descendants(part) if isinstance(n, x.FunctionApp)]
    for app in apps:
        function = case.program.functions.get(app.function)
        if function is None or not isinstance(part, x.Expr):
            continue
        promise = _about_result(part, app, function)
        if promise is not None and not _makes_constant(part, app, function):
            lead = f"`{function.name}` has no body and does not promise this"
            if function.body is not None:
                lead = f"a proof for every `{function.name}(...)` needs a promise of its own"
            yield Candidate(
                ensures(function, promise),
                f"{lead}: add `ensures {promise}` to `{function.name}`",
                within=False,
            )
            if isinstance(method, Method) and function.body is not None:
                yield from _for_some(method, function, app, promise)
        if isinstance(method, Method) and function.body is not None:
            yield from _unrolled(case, method, app)


def _makes_constant(part: x.Expr, app: x.FunctionApp, function: Function) -> bool:
    """Whether a promise would say that a function without a body has one value everywhere."""
    if function.body is not None or not function.params:
        return False
    match part:
        case x.FunctionApp() | x.Not(x.FunctionApp()):
            return True
        case x.Equal(left, right) if app in (left, right):
            return not free_vars(right if left == app else left)
        case _:
            return False


def _for_some(
    method: Method, function: Function, app: x.FunctionApp, promise: str
) -> Iterator[Candidate]:
    """A promise for numbers that are not negative, and the caller has one of these."""
    for formal, actual in zip(function.params, app.args, strict=True):
        if str(formal.type) != "Int" or not isinstance(actual, x.Var):
            continue
        clause, fact = f"{formal.name} >= 0 ==> {promise}", f"{actual.name} >= 0"
        edits = ensures(function, clause)
        lead = f"a proof for every `{function.name}(...)` needs a promise of its own"
        words = f"{lead}: add `ensures {clause}` to `{function.name}`"
        yield Candidate(edits, words, within=False)
        if actual.name in {param.name for param in method.params}:
            asked = requires(method, fact)
            yield Candidate(
                (*edits, *asked),
                f"{words}, and `requires {fact}` to `{method.name}`",
                within=False,
                never=never_called(method, (*edits, *asked)),
            )


def _about_result(part: x.Expr, app: x.FunctionApp, function: Function) -> str | None:
    result = x.Result(function.result, span=app.span)
    text = text_of(app)
    said = rewrite(
        part, lambda n: result if isinstance(n, x.FunctionApp) and text_of(n) == text else None
    )
    back = {
        actual.name: formal
        for formal, actual in zip(function.params, app.args, strict=True)
        if isinstance(actual, x.Var)
    }
    if not free_vars(said) <= set(back) or any(
        isinstance(n, x.Old | x.Forall | x.Exists) for n in descendants(said)
    ):
        return None
    if not any(isinstance(n, x.Result) for n in descendants(said)):
        return None
    return text_of(rewrite(said, lambda n: back.get(n.name) if isinstance(n, x.Var) else None))


def _unrolled(case: Case, method: Method, app: x.FunctionApp) -> Iterator[Candidate]:
    """`assert fac(0) == 1`, `assert fac(1) == 1`, ... in front; or a look into an instance."""
    around = statement_at(method, case.finding.span)
    if around is None:
        return
    front = words_for_front(around[0])
    match app.args:
        case (x.IntLit(most),) if 0 < most <= 12:
            values = [value_of(_applied(app, k), {}, case.program) for k in range(most)]
            known = [(k, v) for k, v in enumerate(values) if v is not None]
            texts = [f"assert {app.function}({k}) == {v}" for k, v in known]
            for first in range(len(texts) - 1, -1, -1):
                chosen = texts[first:]
                said, more = _listed(chosen), ""
                if len(chosen) > MOST_LISTED:
                    said, more = _listed(chosen[:2]), f" and so on to `{chosen[-1]}`"
                yield Candidate(
                    (in_front_of(around[0], chosen),),
                    f"the definition of `{app.function}` is used once for each application that "
                    f"is mentioned: write {said}{more} {front}",
                )


def _listed(texts: list[str]) -> str:
    *some, last = [f"`{text}`" for text in texts]
    return f"{', '.join(some)} and {last}" if some else last


MOST_LISTED = 4
"""Statements that are told one by one."""


def _applied(app: x.FunctionApp, argument: int) -> x.FunctionApp:
    args = (x.IntLit(argument, span=app.span),)
    return x.FunctionApp(app.function, args, app.type, span=app.span)
