"""Notes about bodies that are not known where something fails: they belong to another class."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, lacking_of
from pitviper.explain.advice.objects.objects import class_around
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.member import Declaration, Predicate, Program
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import has_rooms, is_known, room_of, rooms_of
from pitviper.program.walk import descendants
from pitviper.results.wording import VIPER, wording_of

Used = x.FunctionApp | a.FieldLocation | a.PredicateLocation

BY_CONTRACT = "here its value is what"
"""Words of a note that `driver/verify/curing.py` keeps where it was seen to be to the point."""


def hidden_bodies(case: Case) -> Iterator[str]:
    """Bodies of other classes that a claim, or a permission, would follow from."""
    if wording_of(case.finding.span) is VIPER or not has_rooms(case.program):
        return
    if case.finding.reason == "assertion.false":
        yield from _of_pure_methods(case)
    elif case.finding.reason == "insufficient.permission":
        yield from _of_predicates(case)


def _of_pure_methods(case: Case) -> Iterator[str]:
    """Of a pure method of another class the contract is known: it may be what has to say more."""
    if case.part is None:
        return
    told: dict[str, None] = {}
    for node in descendants(case.part):
        if not isinstance(node, x.FunctionApp):
            continue
        function = case.program.functions.get(node.function)
        if function is None or function.body is None or _is_seen(case, function, node):
            continue
        told[
            f"{_where(case.program, function)}: {BY_CONTRACT} its contract says; a postcondition "
            f"of `{function.name}`, `ensures ...`, has to tell what is needed"
        ] = None
    yield from told


def _of_predicates(case: Case) -> Iterator[str]:
    """What is inside of a predicate of another class can be used by its methods only."""
    location = lacking_of(case)
    if isinstance(location, a.FieldLocation):
        predicate = holding_elsewhere(case, location)
        if predicate is not None:
            yield (
                f"{_where(case.program, predicate)}: elsewhere `{text_of(location)}` is used "
                f"by the methods of `{room_of(location.field)}`"
            )
    elif isinstance(location, a.PredicateLocation):
        predicate = case.program.predicates[location.predicate]
        if predicate.body is not None and not _is_seen(case, predicate, location):
            yield f"{_where(case.program, predicate)}: elsewhere nobody can open or close it"


def holding_elsewhere(case: Case, location: a.FieldLocation) -> Predicate | None:
    """The first predicate that contains a field, and whose body is not known here."""
    for predicate in case.program.predicates.values():
        if not _is_seen(case, predicate, location) and _holds(predicate, location.field):
            return predicate
    return None


def _holds(predicate: Predicate, field: str) -> bool:
    nodes = () if predicate.body is None else descendants(predicate.body)
    return any(isinstance(n, a.FieldLocation) and n.field == field for n in nodes)


def _is_seen(case: Case, member: Declaration, used: Used) -> bool:
    """Whether a body is known where something fails, at least that for `this`."""
    receiver = used.receiver if isinstance(used, a.FieldLocation) else (*used.args, None)[0]
    if not is_known(case.program, member.name, _room(case)):
        return False
    one_class = rooms_of(case.program, member.name) == (room_of(member.name),)
    return one_class or receiver is None or text_of(receiver) == "this"


def _room(case: Case) -> str:
    """The class in which something fails; a member of an interface has its bodies in others."""
    own, name = room_of(case.finding.member), case.finding.member
    elsewhere = case.part is not None and rooms_of(case.program, name) != (own,)
    return class_around(case.part) if elsewhere and case.part is not None else own


def _where(program: Program, member: Declaration) -> str:
    """`the body of Cell.get (line 5) is known in class Cell only`."""
    classes = rooms_of(program, member.name)
    if classes == (room_of(member.name),):
        line = member.span.line
        return f"the body of `{member.name}` (line {line}) is known in class `{classes[0]}` only"
    named = ", ".join([f"`{name}.{member.name.rpartition('.')[2]}`" for name in classes])
    return f"the bodies of `{member.name}` ({named}) are known in their own classes only"
