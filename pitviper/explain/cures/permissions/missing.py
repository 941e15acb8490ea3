"""Edits for missing permission: give it back, ask for it, make it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pitviper.explain.advice.case import (
    Case,
    Location,
    asked,
    conjuncts,
    lacking_of,
    reads_heap,
    substituted,
    with_arguments,
)
from pitviper.explain.advice.objects.contents import completed_predicates
from pitviper.explain.cures.edit import (
    Candidate,
    nested,
    never_called,
    statement_at,
    words_for_front,
)
from pitviper.explain.cures.effects import chosen_from, closed_new, ended_new
from pitviper.explain.cures.permissions.functions import read_by_function
from pitviper.explain.cures.permissions.instances import (
    closing,
    folded_later,
    linked,
    looked_into,
    only_in_a_branch,
    opening,
    other_instance,
    other_invariant,
    packaged,
    superfluous,
    swapped,
    used_before,
)
from pitviper.explain.cures.permissions.shares import evened, fixed_part, opened_in_part
from pitviper.explain.cures.permissions.wands import applied_at_last
from pitviper.explain.writing import (
    ensures,
    in_front_of,
    indent_at,
    inserted,
    replaced,
    requires,
    without,
)
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import wording_of
from pitviper.source.edit import Edit
from pitviper.source.span import Span


def permission_cures(case: Case) -> Iterator[Candidate]:
    """In the order in which they are believed."""
    location = lacking_of(case)
    if location is None:
        return
    wanted = text_of(with_arguments(case, location))
    for edits, said in completed_predicates(case):
        member = case.member
        never = never_called(member, edits) if isinstance(member, Method | Function) else ()
        yield Candidate(edits, said, within=False, further=True, never=never)
    yield from read_by_function(case)
    if isinstance(case.member, Method):
        yield from _in_an_invariant(case, wanted)
        yield from opened_in_part(case)
        yield from fixed_part(case, wanted)
        yield from evened(case, wanted)
        yield from closed_new(case)
        yield from chosen_from(case)
        yield from other_instance(case, location)
        yield from other_invariant(case, wanted)
        yield from packaged(case, wanted)
        yield from applied_at_last(case, wanted)
        yield from linked(case, location)
        yield from ended_new(case)
        yield from _made_with(case, location)
        yield from superfluous(case)
        yield from only_in_a_branch(case, wanted)
        yield from folded_later(case, location)
        yield from closing(case, location, wanted)
        yield from opening(case)
        yield from swapped(case)
        yield from _given_back(case, wanted)
        yield from _guarded(case, wanted)
        yield from _only_where(case, wanted)
    yield from looked_into(case)
    yield from _whole(case, wanted)
    yield from _whole_instance(case)
    yield from _in_a_clause(case, wanted)
    yield from _earlier(case)
    yield from _among_many(case, location)
    yield from _asked_for(case, wanted)


def _earlier(case: Case) -> Iterator[Candidate]:
    """A postcondition applies a function to what is held at the start only."""
    app, method = case.construct, case.member
    if not isinstance(app, x.FunctionApp) or not isinstance(method, Method):
        return
    if any(clause.span.encloses(app.span) for clause in method.postconditions):
        text = app.span.text
        yield Candidate(
            (replaced(app, f"old({text})"),),
            f"a postcondition is about the end: for the value at the start write `old({text})` in "
            f"place of `{text}`",
            within=False,
        )


def _among_many(case: Case, location: Location) -> Iterator[Candidate]:
    """A field of all elements of a set is held: is this object one of them?"""
    member = case.member
    place = with_arguments(case, location)
    if not isinstance(member, Method | Function) or not isinstance(place, a.FieldLocation):
        return
    for node in [n for clause in member.preconditions for n in descendants(clause)]:
        if not isinstance(node, a.QuantifiedPermission) or len(node.variables) != 1:
            continue
        bound = node.variables[0]
        if not isinstance(node.resource, a.Access) or str(bound.type) != "Ref":
            continue
        of = node.resource.location
        if not isinstance(of, a.FieldLocation) or of.field != place.field or of.receiver != bound:
            continue
        fact = text_of(substituted(node.condition, (bound,), (place.receiver,)))
        fact = fact[1:-1] if fact.startswith("(") and fact.endswith(")") else fact
        if free_vars(place.receiver) <= {p.name for p in member.params}:
            edits = requires(member, fact)
            yield Candidate(
                edits,
                f"line {node.span.line} has `{text_of(of)}` for all `{bound.name}` with "
                f"`{node.condition.span.text}`: ask for that, `requires {fact}`",
                within=False,
                never=never_called(member, edits),
            )


def _made_with(case: Case, location: Location) -> Iterator[Candidate]:
    """The object was made without the field, or was not made at all."""
    place = with_arguments(case, location)
    if not isinstance(place, a.FieldLocation) or not isinstance(place.receiver, x.Var):
        return
    assert isinstance(case.member, Method)
    name, field = place.receiver.name, place.field
    for node in descendants(case.member):
        if isinstance(node, s.New) and node.target.name == name and field not in node.fields:
            fields = [field, *[f for f in _fields_of(case, name) if f != field]]
            for more in (fields, [field]) if len(fields) > 1 else ([field],):
                text = f"{name} := new({', '.join((*node.fields, *more))})"
                if node.span.text.startswith(name):
                    kinds = " and ".join([f"`{one}`" for one in more])
                    lead = f"the `new` of line {node.span.line} makes no permission to {kinds}"
                    said = f"{lead}: write `{text}`"
                    yield Candidate((replaced(node, text),), said, further=True)
                    for ended in ended_new(case):  # the other link is not set, either
                        edits = (replaced(node, text), *ended.edits)
                        yield Candidate(edits, f"{said}; {ended.said}")
        if not isinstance(node, s.LocalAssign) or node.target.name != name:
            continue
        if isinstance(node.value, x.NullLit):
            text = f"new({field})"
            yield Candidate(
                (replaced(node.value, text),),
                f"`{name}` is `null` since line {node.span.line}, and `null` has no fields: "
                f"make an object there, `{name} := {text}`",
            )
    params = {param.name for param in case.member.params}
    around = statement_at(case.member, case.finding.span)
    is_given = any(name in _given(n) for n in descendants(case.member))
    if around is not None and name not in params and not is_given and not case.finding.history:
        text = f"{name} := new({field})"
        lead = f"nothing makes `{name}` an object with this field"
        front = words_for_front(around[0])
        yield Candidate(
            (in_front_of(around[0], [text]),), f"{lead}: write `{text}` {front}", weak=True
        )


def _given(node: Node) -> frozenset[str]:
    """Variables that get an object which is there already."""
    match node:
        case s.LocalAssign(target, value) if not isinstance(value, x.NullLit):
            return frozenset([target.name])
        case s.MethodCall(targets=targets):
            return frozenset([target.name for target in targets])
        case _:
            return frozenset()


def _fields_of(case: Case, name: str) -> list[str]:
    """The fields of a variable that a method speaks of, as far as its `new` does not make them."""
    assert case.member is not None
    made = {
        field
        for n in descendants(case.member)
        if isinstance(n, s.New) and n.target.name == name
        for field in n.fields
    }
    found = list[str]()
    for node in descendants(case.member):
        match node:
            case (
                a.FieldLocation(x.Var(of), field)
                | x.FieldRead(x.Var(of), field)
                | s.FieldAssign(x.Var(of), field)
            ) if of == name and field not in made:
                found.append(field)
    return list(dict.fromkeys(found))


def _given_back(case: Case, wanted: str) -> Iterator[Candidate]:
    """A callee takes the permission and does not return it."""
    method = case.member
    assert isinstance(method, Method)
    for event in reversed(case.finding.history):
        for call in descendants(method):
            if not isinstance(call, s.MethodCall) or call.span != event.span:
                continue
            callee = case.program.methods[call.method]
            yield from _called_twice(case, method, call)
            if callee.body is None and callee.postconditions:  # what it keeps, it keeps on purpose
                yield from used_before(case, call)
            for clause in callee.preconditions:
                for part in conjuncts(clause):
                    place = part.location if isinstance(part, a.Access) else None
                    if place is None:
                        continue
                    if text_of(substituted(place, callee.params, call.args)) == wanted:
                        text = _as_written(part, place)
                        yield from _given_back_in_part(callee, call, place, text)
                        meant = _ON_PURPOSE if _is_given_by_another(case, callee, place) else ""
                        yield Candidate(
                            ensures(callee, text),
                            f"`{callee.name}` (line {call.span.line}) takes the permission and "
                            f"does not give it back: {meant}add `ensures {text}` to "
                            f"`{callee.name}`",
                            within=False,
                        )


_ON_PURPOSE = "if it is meant to, "


def _is_given_by_another(case: Case, callee: Method, place: Location) -> bool:
    """Whether a method without a body gives what another one takes, as locks do."""
    if callee.body is not None:
        return False
    for other in case.program.methods.values():
        given = [n for c in other.postconditions for n in descendants(c)]
        taken = [n for c in other.preconditions for n in descendants(c)]
        if other.body is None and _is_kind(place, given) and not _is_kind(place, taken):
            return True
    return False


def _is_kind(place: Location, nodes: list[Node]) -> bool:
    """Whether a formula has permission to the same field or predicate."""
    match place:
        case a.FieldLocation(_, field):
            return any(isinstance(n, a.FieldLocation) and n.field == field for n in nodes)
        case a.PredicateLocation(name):
            return any(isinstance(n, a.PredicateLocation) and n.predicate == name for n in nodes)


def _called_twice(case: Case, method: Method, call: s.MethodCall) -> Iterator[Candidate]:
    """A call that stands twice in a row, of a method that takes what it asks for, by its text."""
    around = statement_at(method, case.finding.span)
    if around is None or case.program.methods[call.method].body is not None:
        return
    node, block = around
    line = [n.span for n in block.statements]
    twice = isinstance(node, s.MethodCall) and node.span.text == call.span.text
    if not twice or call.span not in line or line.index(call.span) + 1 != line.index(node.span):
        return
    asked_for = case.program.methods[call.method].preconditions
    back = " && ".join([clause.span.text for clause in asked_for])
    yield Candidate(
        (without(node),),
        f"line {call.span.line} calls `{call.method}` already, which takes the permission and does "
        f"not give it back: if it can be called twice, add `ensures {back}` to `{call.method}`; "
        f"if not, leave line {node.span.line} out",
    )


def _as_written(part: Node, place: Node) -> str:
    """The text of a permission; that to a field of a new object is written nowhere."""
    if isinstance(place, a.FieldLocation) and "acc" not in part.span.text:
        return f"acc({place.field.rpartition('.')[2]})"
    return part.span.text


def _given_back_in_part(
    callee: Method, call: s.MethodCall, place: Node, text: str
) -> Iterator[Candidate]:
    """The callee gives back another part than it takes."""
    for node in [n for clause in callee.postconditions for n in descendants(clause)]:
        if not isinstance(node, a.Access) or text_of(node.location) != text_of(place):
            continue
        if node.span.text != text:
            yield Candidate(
                (replaced(node, text),),
                f"`{callee.name}` (line {call.span.line}) takes `{text}` and gives back "
                f"`{node.span.text}`: write `ensures {text}` in line {node.span.line}",
                within=False,
            )


def _guarded(case: Case, wanted: str) -> Iterator[Candidate]:
    """The permission is there only if something holds: the statement may be meant for that."""
    method = case.member
    assert isinstance(method, Method)
    around = statement_at(method, case.finding.span)
    if around is None or isinstance(around[0], s.While | s.If):
        return
    for node in _conditional(case, method):
        inner = [text_of(n.location) for n in descendants(node) if isinstance(n, a.Access)]
        if wanted not in inner:
            continue
        text, condition = around[0].span.text, text_of(node.condition)
        yield Candidate(
            (replaced(around[0], f"if ({condition}) {{ {text} }}"),),
            f"the permission is there only if `{condition}` (line {node.span.line}): write "
            f"`if ({condition}) {{ {text} }}`, or ask for it without the condition",
        )


def _only_where(case: Case, wanted: str) -> Iterator[Candidate]:
    """An instance of the precondition has it under a condition: that is what to ask for."""
    method = case.member
    assert isinstance(method, Method)
    for clause in method.preconditions:
        for instance in [n for n in conjuncts(clause) if isinstance(n, a.Access)]:
            place = instance.location
            if not isinstance(place, a.PredicateLocation):
                continue
            predicate = case.program.predicates[place.predicate]
            if predicate.body is None:
                continue
            body = substituted(predicate.body, predicate.params, place.args)
            for node in [n for n in conjuncts(body) if isinstance(n, a.Guarded)]:
                inner = [text_of(n.location) for n in descendants(node) if isinstance(n, a.Access)]
                if wanted not in inner:
                    continue
                own, condition = text_of(place), text_of(node.condition)
                reads = reads_heap(node.condition)
                fact = f"unfolding {own} in {condition}" if reads else condition
                edits = requires(method, fact)
                yield Candidate(
                    edits,
                    f"`{own}` has this permission only where `{condition}` "
                    f"(line {node.span.line}): ask for that, `requires {fact}`",
                    within=False,
                    never=never_called(method, edits),
                )


def _conditional(case: Case, method: Method) -> Iterator[a.Guarded]:
    """Permissions under a condition, of the precondition and of instances that were opened."""
    formulas: list[Node] = list(method.preconditions)
    for node in descendants(method):
        if isinstance(node, s.Unfold) and node.span.end <= case.finding.span.start:
            predicate = case.program.predicates[node.predicate.predicate]
            if predicate.body is not None:
                formulas.append(substituted(predicate.body, predicate.params, node.predicate.args))
    for formula in formulas:
        yield from [n for n in descendants(formula) if isinstance(n, a.Guarded)]


def _side_by_side(parts: list[a.Access]) -> Span | None:
    """`acc(x.f, 1/3) && acc(x.f, 1/3)`, where nothing else is between them."""
    text = parts[0].span.file.text
    between = [text[one.span.end : two.span.start].strip() for one, two in pairwise(parts)]
    if not between or set(between) != {"&&"}:
        return None
    return Span(parts[0].span.file, parts[0].span.start, parts[-1].span.end)


def _whole(case: Case, wanted: str) -> Iterator[Candidate]:
    """A part of the permission is asked for, and all of it is needed."""
    if case.member is None:
        return
    given = [n.span for n in descendants(case.member) if isinstance(n, s.Exhale | s.Inhale)]
    parts = [
        node
        for node in descendants(case.member)
        if isinstance(node, a.Access)
        and not any(span.encloses(node.span) for span in given)
        and text_of(node.location) == wanted
        and _is_part(node.amount)
        and node.span.text.startswith("acc(")
    ]
    own = parts and isinstance(case.member, Method)
    if own:
        text = f"acc({wanted})" if "(" not in wanted else wanted
        lines = " and ".join([str(line) for line in dict.fromkeys(n.span.line for n in parts)])
        writes = isinstance(case.part, s.FieldAssign)
        more = "writing needs all of it" if writes else "more is needed here"
        lead = f"`{parts[0].span.text}` is enough to read, and {more}"
        if case.finding.history:
            taken = case.finding.history[-1].span.line
            lead = f"line {taken} takes all that is held, `{parts[0].span.text}`: for some to stay"
        several = _side_by_side(parts)
        if several is not None:
            yield Candidate(
                (Edit(several, text),),
                f"all of them together are a part, and {more}: write `{text}` in place of "
                f"`{several.text}`",
                within=False,
            )
        yield Candidate(
            tuple([replaced(node, text) for node in parts]),
            f"{lead}{',' if case.finding.history else ':'} write `{text}` in "
            f"line{'s' if ' and ' in lines else ''} {lines}{_each_time(parts)}",
            within=False,
            weak="(" in wanted,
        )


def _whole_instance(case: Case) -> Iterator[Candidate]:
    """A part of an instance is asked for, opened and closed, and a write needs all of it."""
    method = case.member
    if not isinstance(method, Method) or not isinstance(case.part, s.FieldAssign):
        return
    asked_parts = [
        node
        for clause in method.preconditions
        for node in conjuncts(clause)
        if isinstance(node, a.Access)
        and isinstance(node.location, a.PredicateLocation)
        and _is_part(node.amount)
    ]
    for node in asked_parts:
        text, whole = node.span.text, text_of(node.location)
        span = method.span
        found = [span.start + at.start() for at in re.finditer(re.escape(text), span.text)]
        places = [Span(span.file, at, at + len(text)) for at in found]
        lines = " and ".join(str(line) for line in dict.fromkeys(p.line for p in places))
        yield Candidate(
            tuple([Edit(place, whole) for place in places]),
            f"a part of `{whole}` has a part of what is inside, and writing needs all of that: "
            f"write `{whole}` for `{text}` in line{'s' if ' and ' in lines else ''} {lines}",
            within=False,
        )


def _is_part(amount: x.Expr) -> bool:
    """Whether an amount is a number or a wildcard, and not all."""
    return text_of(amount) != "write" and not free_vars(amount)


def _in_a_clause(case: Case, wanted: str) -> Iterator[Candidate]:
    """A contract reads what it does not hold: the permission has to stand in front."""
    member = case.member
    if not isinstance(member, Method | Function):
        return
    at = case.finding.offending or case.finding.span
    if case.finding.error == "application.precondition":
        at = case.finding.span
    clauses = [*member.preconditions, *member.postconditions]
    for clause in clauses:
        if not clause.span.encloses(at):
            continue
        for inner in conjuncts(clause):
            if not inner.span.encloses(at):
                continue
            yield from _moved(clause, inner, wanted)
            after = clause in member.postconditions
            text = _amount_asked(member, wanted) if after else _access(wanted)
            lead = "a contract may only read what it has asked for before: "
            if after and asked(member.preconditions, wanted):
                lead = (
                    "what `requires` asks for is gone at the end unless `ensures` gives it back: "
                )
            elif after:
                lead = "a caller can read only what `ensures` gives, and that has to come first: "
            front = f"write `{text} &&` before `{inner.span.text}`"
            yield Candidate((inserted(inner, f"{text} && "),), f"{lead}{front}", within=False)
            if after and not asked(member.preconditions, wanted):
                yield Candidate(
                    (*requires(member, text), inserted(inner, f"{text} && ")),
                    f"`{member.name}` does not ask for this permission, and what is asked for has "
                    f"to be given back: add `requires {text}`, and {front}",
                    within=False,
                )


def _in_an_invariant(case: Case, wanted: str) -> Iterator[Candidate]:
    """An invariant reads what the loop does not keep: a clause with it stands in front."""
    method = case.member
    if not isinstance(method, Method) or case.finding.error != "not.wellformed":
        return
    at = case.finding.offending or case.finding.span
    for loop in [n for n in nested(method) if isinstance(n, s.While)]:
        for clause in loop.invariants:
            if not clause.span.encloses(at) or asked(loop.invariants, wanted):
                continue
            text = _amount_asked(method, wanted)
            ends = wording_of(clause.span).ends
            yield Candidate(
                (inserted(clause, f"{text}{ends}\n{indent_at(loop.span)}  invariant "),),
                "a loop keeps only what its invariants have, and they are read in their order: "
                f"write `invariant {text}` before this one",
            )


def _each_time(parts: list[a.Access]) -> str:
    """What a line asks for and promises is written in both places."""
    lines = {part.span.line for part in parts}
    return ", each time that it stands there" if len(parts) > len(lines) else ""


def _moved(clause: a.Assertion, reading: Node, wanted: str) -> Iterator[Candidate]:
    """The permission stands behind what reads: the two change places."""
    for part in conjuncts(clause):
        if not isinstance(part, a.Access) or part.span.start < reading.span.end:
            continue
        if text_of(part.location) == wanted:
            one, two = part.span.text, reading.span.text
            yield Candidate(
                (replaced(reading, one), replaced(part, two)),
                "the permission comes too late: a contract is read from the left, so move "
                f"`{one}` before `{two}`",
                within=False,
            )


def _access(wanted: str) -> str:
    return wanted if wanted.endswith(")") else f"acc({wanted})"


def _amount_asked(member: Method | Function, wanted: str) -> str:
    for clause in member.preconditions:
        for part in conjuncts(clause):
            if isinstance(part, a.Access) and text_of(part.location) == wanted:
                return part.span.text
    return _access(wanted)


def _is_at_hand(receiver: x.Expr, member: Method | Function) -> bool:
    """Whether a precondition can speak of an object: a parameter, or a field that it asks for."""
    if isinstance(receiver, x.FieldRead):
        return asked(member.preconditions, text_of(receiver))
    return isinstance(receiver, x.Var)


def _asked_for(case: Case, wanted: str) -> Iterator[Candidate]:
    """The precondition does not ask for it."""
    member = case.member
    if not isinstance(member, Method | Function) or case.finding.history:
        return
    part_is_held = any(text.startswith(f"acc({wanted},") for text in case.finding.held)
    if part_is_held or asked(member.preconditions, wanted):
        return
    location = lacking_of(case)
    assert location is not None
    if isinstance(location, a.PredicateLocation) and case.finding.error == "postcondition.violated":
        predicate = case.program.predicates.get(location.predicate)
        if predicate is None or predicate.body is not None:
            return  # who has it already needs nobody to make it
    place = with_arguments(case, location)
    if not free_vars(place) or not free_vars(place) <= {p.name for p in member.params}:
        return
    if isinstance(place, a.FieldLocation) and not _is_at_hand(place.receiver, member):
        return
    text = _access(wanted)
    kind = "method" if isinstance(member, Method) else "function"
    lead = f"`{member.name}` does not ask for this permission"
    for amount in dict.fromkeys([*_given_at_the_end(case, member, wanted), text]):
        edits = requires(member, amount)
        same = f", and `ensures` gives it back: add `requires {amount}`"
        yield Candidate(
            edits,
            f"{lead}{f': add `requires {text}` to the {kind}' if amount == text else same}",
            within=False,
            never=never_called(member, edits),
            weak=isinstance(member, Method) and amount == text,
        )
    if isinstance(member, Method):
        edits = requires(member, text)
        both = f"add `requires {text}` and `ensures {text}`"
        edits = (*edits, *ensures(member, text))
        yield Candidate(edits, f"{lead}: {both}", within=False, weak=True)


def _given_at_the_end(case: Case, member: Method | Function, wanted: str) -> Iterator[str]:
    """The part of a permission that a method gives back, where it only reads the field."""
    if isinstance(member, Method) and not isinstance(case.part, s.FieldAssign):
        for clause in member.postconditions:
            for part in conjuncts(clause):
                if isinstance(part, a.Access) and text_of(part.location) == wanted:
                    yield part.span.text if _is_part(part.amount) else _access(wanted)
