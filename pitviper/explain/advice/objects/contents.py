"""What a predicate of a class lacks: its methods use a field that it does not contain."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import (
    LONGEST,
    Case,
    conjuncts,
    lacking_of,
    with_arguments,
)
from pitviper.explain.advice.cures import Advice
from pitviper.explain.advice.objects.hidden import holding_elsewhere
from pitviper.explain.writing import Edits, replaced
from pitviper.plugins.build import substitute
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import room_of, rooms_of
from pitviper.program.walk import descendants, free_vars, rewrite
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.edit import Edit
from pitviper.source.span import Span

DEEPEST, MOST = 12, 20
"""How deep, and how many at a time, predicates inside of others are looked into."""


def lacking_in_predicate(case: Case) -> Advice | None:
    """The first predicate that a member asks for, and that could contain what is missing.

    Where it is not said that an object is there, what is held of it is so under that condition.
    """
    found = list(completed_predicates(case))
    if found:
        return Advice(found[-1][1])
    deep = _further_inside(case)
    if deep is None:
        return None
    name, depth = deep
    return Advice(
        f"`{name}` contains it inside of others, {depth} deep: `--infer-depth {depth}` opens so "
        "many, or open them by hand"
    )


def _further_inside(case: Case) -> tuple[str, int] | None:
    """The predicate that a member asks for and that has a location inside of others, how deep."""
    location, member = lacking_of(case), case.member
    if wording_of(case.finding.span) is VIPER or not isinstance(member, Method | Function):
        return None
    if location is None or case.finding.history:
        return None
    wanted = text_of(with_arguments(case, location))
    for instance in _asked(member):
        depth = _depth_of(wanted, instance, case.program)
        if depth is not None and depth > 1:
            return instance.predicate, depth
    return None


def _depth_of(wanted: str, instance: a.PredicateLocation, program: Program) -> int | None:
    """How many predicates have to be opened to come to a location; None if it is not inside."""
    todo = [instance]
    for depth in range(1, DEEPEST + 1):
        inside = [access.location for each in todo for access in _contents(each, program)]
        if any(text_of(place) == wanted for place in inside):
            return depth
        todo = [place for place in inside if isinstance(place, a.PredicateLocation)][:MOST]
    return None


def _contents(instance: a.PredicateLocation, program: Program) -> list[a.Access]:
    predicate = program.predicates[instance.predicate]
    if predicate.body is None:
        return []
    values = {p.name: arg for p, arg in zip(predicate.params, instance.args, strict=True)}
    return [n for n in descendants(substitute(predicate.body, values)) if isinstance(n, a.Access)]


def completed_predicates(case: Case) -> Iterator[tuple[Edits, str]]:
    """Predicates of the own class with what is missing written into them, and words for that."""
    location, member = lacking_of(case), case.member
    if wording_of(case.finding.span) is VIPER or location is None or case.finding.history:
        return
    if not isinstance(member, Method | Function):
        return
    if isinstance(location, a.FieldLocation) and holding_elsewhere(case, location) is not None:
        return  # a predicate of another class contains it, and nothing is held twice
    wanted = with_arguments(case, location)
    for instance in _asked(member):
        predicate = case.program.predicates[instance.predicate]
        if predicate.body is None or room_of(predicate.name) != room_of(member.name):
            continue
        if rooms_of(case.program, predicate.name) != (room_of(predicate.name),):
            continue  # several classes define it, and each has a body of its own
        if (_depth_of(text_of(wanted), instance, case.program) or 0) > 1:
            return  # what is further inside would be held twice
        inside = _in_terms_of(predicate, instance, wanted)
        if inside is not None:
            yield from _completed(predicate, predicate.body, inside)
            return


def _asked(member: Method | Function) -> list[a.PredicateLocation]:
    """The instances that a member asks for under no condition."""
    parts = [part for clause in member.preconditions for part in conjuncts(clause)]
    found = [part.location for part in parts if isinstance(part, a.Access)]
    return [place for place in found if isinstance(place, a.PredicateLocation)]


def _in_terms_of(
    predicate: Predicate, instance: a.PredicateLocation, wanted: Node
) -> a.FieldLocation | a.PredicateLocation | None:
    """A location as the body of a predicate would name it; None where it cannot."""
    own = {text_of(arg): p for p, arg in zip(predicate.params, instance.args, strict=True)}

    def rule(node: Node) -> Node | None:
        return own.get(text_of(node)) if isinstance(node, x.Var) else None

    if not free_vars(wanted) <= set(own):
        return None
    named = rewrite(wanted, rule)
    if any(isinstance(n, x.FunctionApp | x.Old | x.Unfolding) for n in descendants(named)):
        return None
    return named if isinstance(named, a.FieldLocation | a.PredicateLocation) else None


def _completed(
    predicate: Predicate, body: Node, inside: a.FieldLocation | a.PredicateLocation
) -> Iterator[tuple[Edits, str]]:
    """The body with a location; where it has a part of it, with the whole."""
    name, text = f"`{predicate.name}` (line {predicate.span.line})", _own(text_of(inside))
    permission = text if isinstance(inside, a.PredicateLocation) else f"acc({text})"
    for node in descendants(body):
        if isinstance(node, a.Access) and text_of(node.location) == text_of(inside):
            if "," in node.span.text and node in conjuncts(body):
                yield (
                    (replaced(node, permission),),
                    f"{name} contains a part of it: write `{permission}` in place of "
                    f"`{node.span.text}` there",
                )
            return
    if text_of(inside) == text_of(a.PredicateLocation(predicate.name, predicate.params)):
        return
    returned = _returned(predicate, body)
    if returned is None:
        return
    receiver = inside.receiver if isinstance(inside, a.FieldLocation) else inside.args[0]
    text = returned.text if isinstance(body, a.Star | a.Access | x.And) else f"({returned.text})"
    lead = f"{name} does not contain `{_own(text_of(inside))}`"
    if isinstance(receiver, x.Var):
        told = _told(f"{permission} && {text}", f"`{permission} &&` after its `return`")
        yield (Edit(returned, f"{permission} && {text}"),), f"{lead}: {told}"
        return
    told = _told(f"{text} && {permission}", f"`&& {permission}` at its end")
    yield (Edit(returned, f"{text} && {permission}"),), f"{lead}: {told}"
    if not _is_there(receiver, body):
        there = f"{_own(text_of(receiver))} != null"
        more = f"({there} ==> {permission})"
        told = _told(f"{text} && {more}", f"`&& {more}` at its end")
        said = f"{lead}: {told}, and test `{there}` before this"
        yield (Edit(returned, f"{text} && {more}"),), said


def _told(body: str, change: str) -> str:
    """A new body in full, or what is new of a long one."""
    short = len(body) <= LONGEST and "\n" not in body
    return f"write `return {body};` there" if short else f"write {change}"


def _is_there(receiver: x.Expr, body: Node) -> bool:
    """Whether the body of a predicate says that an object is not null."""
    for part in conjuncts(body):
        match part:
            case x.NotEqual(left, right):
                if text_of(receiver) in (text_of(left), text_of(right)):
                    return True
            case a.Access(a.FieldLocation(of) | a.PredicateLocation(args=(of, *_))):
                if text_of(of) == text_of(receiver):
                    return True
    return False


def _returned(predicate: Predicate, body: Node) -> Span | None:
    """What is written between `return` and its semicolon: brackets around a part belong to it.

    A field of the object itself is written in front of that, since the rest may read it; other
    locations behind it, since they are reached by fields.
    """
    file, whole = body.span.file, predicate.span
    start = file.text.rfind(_RETURN, whole.start, body.span.start)
    end = file.text.find(";", body.span.end, whole.end)
    if start < 0 or end < 0:
        return None
    start += len(_RETURN)
    start += len(file.text[start:end]) - len(file.text[start:end].lstrip())
    return Span(file, start, end)


_RETURN = "return"


def _own(text: str) -> str:
    """Without the receiver that need not be written."""
    return text.removeprefix("this.")
