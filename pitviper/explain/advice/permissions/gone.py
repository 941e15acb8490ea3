"""Where a permission is that is missing: with a wand, or with the same object's other name."""

from __future__ import annotations

from pitviper.explain.advice.case import (
    Case,
    asked,
    conjuncts,
    in_front,
    lacking_of,
    with_arguments,
)
from pitviper.explain.advice.cures import Said, in_general
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import assigned_variables, children, descendants
from pitviper.results.wording import VIPER, wording_of


def any_object(case: Case) -> Said:
    """The object is a variable that nothing has assigned."""
    place, method = _field_of(case), case.member
    if place is None or not isinstance(method, Method) or method.body is None:
        return None
    name = text_of(place.receiver)
    own = {n.variable.name for n in descendants(method.body) if isinstance(n, s.Declare)}
    if name not in own | {result.name for result in method.returns}:
        return None
    binders = [n for n in descendants(method) if n.span.encloses(case.finding.span)]
    binders += [] if case.construct is None else list(descendants(case.construct))
    kinds = (x.Forall, x.Exists, a.QuantifiedPermission)
    if any(v.name == name for n in binders if isinstance(n, kinds) for v in n.variables):
        return None  # another variable of that name
    written = [v.name for n in descendants(method.body) for v in _assigned(n)]
    told = [n for n in descendants(method.body) if isinstance(n, s.Inhale | s.Assert)]
    if name in written or any(n.span.end <= case.finding.span.start for n in told):
        return None
    return in_general(
        f"`{name}` is never assigned, so it may be any object, or `null`: assign one before "
        f"this, or make one, `{name} := new({place.field})`"
    )


def _assigned(node: object) -> list[x.Var]:
    return list(assigned_variables(node)) if isinstance(node, s.Stmt) else []


def used_by_apply(case: Case) -> str | None:
    """An `apply` in front has given the permission for the right side of its wand."""
    location, method = lacking_of(case), case.member
    if location is None or not isinstance(method, Method) or method.body is None:
        return None
    if case.finding.history or wording_of(case.finding.span) is not VIPER:
        return None
    wanted = text_of(with_arguments(case, location))
    taken: s.Apply | None = None
    for node in in_front(method.body, _end_of_run(case, method)):
        match node:
            case s.Apply(wand) if asked([wand.left], wanted):
                taken = None if asked([wand.right], wanted) else node
            case s.Inhale(formula) if asked([formula], wanted):
                taken = None
            case s.MethodCall() | s.Unfold() | s.Fold() | s.While():
                taken = None  # it may be these
            case s.Apply(wand) if asked([wand.right], wanted):
                taken = None
    if taken is None:
        return None
    at_end = case.finding.error == "postcondition.violated"
    other = "do not promise it" if at_end else "use it before"
    text = wanted if isinstance(location, a.PredicateLocation) else f"acc({wanted})"
    return (
        f"line {taken.span.line} gave `{text}` away: an `apply` gives the left side of its wand "
        f"for the right one; {other}, or ask for a wand that gives it back, "
        f"`{taken.wand.span.text} && {text}`"
    )


def same_object(case: Case) -> str | None:
    """A formula asks for a field of two variables, and a line in front makes them one object."""
    place, method = _field_of(case), case.member
    if place is None or not isinstance(method, Method) or method.body is None:
        return None
    if case.finding.error not in ("postcondition.violated", "assert.failed", "exhale.failed"):
        return None
    at_end = case.finding.error == "postcondition.violated"
    clauses = method.postconditions if at_end else (case.construct,)
    at = case.finding.offending or case.finding.span
    before = [
        node
        for clause in clauses
        if clause is not None
        for node in descendants(clause)
        if isinstance(node, a.Access) and node.span.end <= at.start
    ]
    end, name = _end_of_run(case, method), text_of(place.receiver)
    for node in before:
        of = node.location
        if not isinstance(of, a.FieldLocation) or of.field != place.field:
            continue
        line = made_one(method, {name, text_of(of.receiver)}, end)
        if line is not None:
            target = line.target.name
            return (
                f"line {line.span.line} makes `{target}` the same object as "
                f"`{text_of(line.value)}`, and line {at.line} wants its permission twice: write "
                f"`{target} == {text_of(line.value)}` for `acc({text_of(place)})`, or make another "
                f"object in line {line.span.line}, `{target} := new({place.field})`"
            )
    return None


def of_another_object(case: Case) -> str | None:
    """A field of what a field points to, which a line in front has made another object."""
    location, method = lacking_of(case), case.member
    if location is None or not isinstance(method, Method) or method.body is None:
        return None
    place = with_arguments(case, location)
    if not isinstance(place, a.FieldLocation) or not isinstance(place.receiver, x.FieldRead):
        return None
    if wording_of(case.finding.span) is not VIPER or case.finding.error == "fold.failed":
        return None
    link, wanted = text_of(place.receiver), text_of(place)
    if not asked(method.preconditions, wanted):
        return None
    for node in reversed([*in_front(method.body, _end_of_run(case, method))]):
        match node:
            case s.FieldAssign(receiver, field, value) if f"{text_of(receiver)}.{field}" == link:
                now = "which has no fields" if isinstance(value, x.NullLit) else "another object"
                return (
                    f"line {node.span.line} makes `{link}` `{text_of(value)}`, {now}: the "
                    f"permission is to `{wanted}` of before, so use it before line "
                    f"{node.span.line}, or keep the object, `var kept: Ref := {link}` there, and "
                    f"write `kept.{place.field}`"
                )
    return None


def all_on_the_way(case: Case) -> str | None:
    """A member goes on to what a field points to, and asks for the fields of one object only."""
    call, member = case.construct, case.member
    if not isinstance(member, Method | Function) or call is None or not _is_of_itself(call, member):
        return None
    place = None if (location := lacking_of(case)) is None else with_arguments(case, location)
    if not isinstance(place, a.FieldLocation) or not isinstance(place.receiver, x.FieldRead):
        return None
    link, start = place.receiver, place.receiver.receiver
    held = [
        node.span.text
        for clause in member.preconditions
        for node in conjuncts(clause)
        if isinstance(node, a.Access)
        and isinstance(node.location, a.FieldLocation)
        and node.location.receiver == start
    ]
    if not isinstance(start, x.Var) or not held or link not in children(call):
        return None
    of, further = start.name, text_of(link)
    if wording_of(case.finding.span) is not VIPER:
        return (
            None
            if of != "this"
            else _of_all_objects(held, member.name, link.field.rpartition(".")[2])
        )
    body = " && ".join([*held, f"({further} != null ==> all({further}))"])
    is_function = isinstance(member, Function)
    look = f"write `unfolding all({of}) in` before its body" if is_function else "`unfold` it"
    return (
        f"`{member.name}` goes on with `{further}`, and asks for the fields of `{of}` only: put "
        f"those of all objects on the way into a predicate, `predicate all({of}: Ref) {{ {body} "
        f"}}`, ask for `all({of})`, and {look if is_function else f'{look} in front'}"
    )


def _of_all_objects(held: list[str], member: str, link: str) -> str:
    """The same in words of a language with classes, where what is inside is opened by itself."""
    body = " && ".join([*held, f"({link} != null ==> {link}.all())"])
    return (
        f"`{member}` goes on with `{link}`, and asks for the fields of `this` only: put those of "
        f"all objects on the way into a predicate, `predicate all() {{ return {body}; }}`, and "
        "write `all()` in place of them in its contract"
    )


def _is_of_itself(call: Node, member: Method | Function) -> bool:
    match call:
        case s.MethodCall(name) | x.FunctionApp(name):
            return name == member.name
        case _:
            return False


def made_one(method: Method, names: set[str], end: int) -> s.LocalAssign | None:
    """The statement behind which two variables are one object up to a place."""
    assert method.body is not None
    found: s.LocalAssign | None = None
    for node in method.body.statements:
        if node.span.start >= end:
            break
        match node:
            case s.LocalAssign(target, x.Var(name)) if {target.name, name} == names:
                found = node
            case _ if names & {v.name for v in assigned_variables(node)}:
                found = None
    return found


def _field_of(case: Case) -> a.FieldLocation | None:
    """The field of a variable that permission is missing to."""
    location = lacking_of(case)
    if location is None or case.finding.history or wording_of(case.finding.span) is not VIPER:
        return None
    place = with_arguments(case, location)
    named = isinstance(place, a.FieldLocation) and isinstance(place.receiver, x.Var)
    return place if named and isinstance(place, a.FieldLocation) else None


def _end_of_run(case: Case, method: Method) -> int:
    """Where the run stands when the permission is missing."""
    assert method.body is not None
    at_end = case.finding.error == "postcondition.violated"
    return method.body.span.end if at_end else case.finding.span.start
