"""Permission that another class has to give: its fields, those of `null`, those of an interface."""

from __future__ import annotations

import re

from pitviper.explain.advice.case import Case, in_front, lacking_of, quote, with_arguments
from pitviper.explain.advice.cures import Advice, in_general
from pitviper.explain.advice.objects.hidden import holding_elsewhere
from pitviper.explain.advice.objects.objects import class_around
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Function, Method, Program
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import room_of, rooms_of
from pitviper.program.walk import descendants
from pitviper.results.wording import VIPER, wording_of


def of_null(case: Case) -> str | None:
    """The variable whose field is used was never given an object."""
    location, method = lacking_of(case), case.member
    if wording_of(case.finding.span) is VIPER or location is None:
        return None
    if not isinstance(method, Method) or method.body is None:
        return None
    place = with_arguments(case, location)
    receiver = place.receiver if isinstance(place, a.FieldLocation) else place.args[0]
    if not isinstance(receiver, x.Var):
        return None
    last: s.Stmt | None = None
    for node in in_front(method.body, case.finding.span.start):
        match node:
            case s.LocalAssign(target) if target.name == receiver.name:
                last = node
            case s.MethodCall(targets=targets) if receiver.name in [v.name for v in targets]:
                last = node
            case s.New(target) if target.name == receiver.name:
                last = node
            case s.While():
                return None
    if not isinstance(last, s.LocalAssign) or not isinstance(last.value, x.NullLit):
        return None
    written, line = last.span.text.rstrip(";"), last.span.line
    made = f"`{receiver.name} := new ...(...)`"
    declared = re.fullmatch(rf"(\w+)\s+{receiver.name}(\s*:=\s*null)?", written)
    if declared is not None:
        made = f"`{declared[1]} {receiver.name} := new {declared[1]}(...);`"
    return f"`{receiver.name}` is `null` since line {line}, and `null` has no fields: write {made}"


def of_another_class(case: Case) -> Advice | None:
    """A field that a predicate of its class contains is used by the methods of that class."""
    location = lacking_of(case)
    if not isinstance(location, a.FieldLocation) or wording_of(case.finding.span) is VIPER:
        return None
    predicate = holding_elsewhere(case, location)
    if predicate is None or room_of(location.field) == room_of(case.finding.member):
        return None
    owner, field = room_of(location.field), location.field.rpartition(".")[2]
    instance = f"{predicate.name.rpartition('.')[2]}()"
    of, place = text_of(location.receiver), quote(location)
    if isinstance(case.part, s.FieldAssign):
        return in_general(
            f"call a method of `{owner}` that changes it, in place of assigning to `{place}`: "
            f"one with `requires {instance}; ensures {instance};`"
        )
    told = case.program.fields[location.field].span.text.removesuffix(field).strip()
    return in_general(
        f"let a method of `{owner}` tell it, `pure {told} {field}Of() requires {instance}; "
        f"{{ return {field}; }}`, and write `{of}.{field}Of()` here"
    )


def of_interface_without(case: Case) -> str | None:
    """A pure method of an interface that asks for nothing, and whose bodies read fields."""
    location, member = lacking_of(case), case.member
    if not isinstance(location, a.FieldLocation) or not isinstance(member, Function):
        return None
    interface, method = member.name.partition(".")[0], member.name.rpartition(".")[2]
    if wording_of(case.finding.span) is VIPER or rooms_of(case.program, member.name) == (
        interface,
    ):
        return None
    known = _predicate_of(interface, case.program)
    owner = class_around(case.part) if case.part is not None else room_of(location.field)
    field = location.field.rpartition(".")[2]
    if known is not None:
        body = case.program.predicates[f"{interface}.{known}"].body
        nodes = () if body is None else descendants(body)
        held = any(isinstance(n, a.FieldLocation) and n.field == location.field for n in nodes)
        more = "" if held else f", and `acc({field})` with `&&` into `{owner}.{known}`"
        return (
            f"`{interface}.{method}` (line {member.span.line}) may look at what its precondition "
            f"holds: write `requires {known}();` there{more}"
        )
    return (
        f"an interface has no fields, and holds them by a predicate: `predicate valid();` in "
        f"`{interface}`, `requires valid();` after `{method}(...)` there, and `predicate valid() "
        f"{{ return acc({field}); }}` in `{owner}`, whose constructor has to promise it, `ensures "
        "valid();`"
    )


def _predicate_of(interface: str, program: Program) -> str | None:
    own = [name for name in program.predicates if room_of(name) == interface]
    return own[0].rpartition(".")[2] if own else None
