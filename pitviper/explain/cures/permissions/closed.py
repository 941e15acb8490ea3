"""Sets of objects whose links stay in the set: nothing says so where one is followed.

requires forall x: Ref :: x in nodes ==> acc(x.next)    // m := n.next; m := m.next
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, conjuncts, lacking_of
from pitviper.explain.cures.edit import Candidate, never_called
from pitviper.explain.writing import invariants, requires
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


def of_a_closed_set(case: Case) -> Iterator[Candidate]:
    """Permission to a field of all objects of a set, and one that a field leads to.

    That links stay in the set is asked for, in a loop kept as well with its object.
    """
    method, receiver = case.member, _meant_inside(case)
    if not isinstance(method, Method) or receiver is None:
        return
    if wording_of(method.span) is not VIPER:
        return
    known = {param.name for param in method.params}
    if isinstance(receiver, x.FieldRead) and free_vars(receiver) <= known:
        return  # that this one is in the set is asked for
    for many in _held_of_sets(method):
        own = many.variables[0]
        whole = _set_of(many)
        for field in _links_to(receiver, method):
            link = f"{own.name}.{field}"
            for test in (f" && {link} != null", ""):
                fact = (
                    f"forall {own.name}: Ref :: {own.name} in {whole}{test} ==> {link} in {whole}"
                )
                inside = f"{text_of(receiver)} in {whole}"
                if isinstance(receiver, x.Var) and test:
                    inside = f"{text_of(receiver)} != null ==> {inside}"
                yield _closed(case, method, fact, inside)


def _meant_inside(case: Case) -> x.Expr | None:
    """The object that has to be one of a set: its field is read, or that it is there is claimed."""
    place, part = lacking_of(case), case.part
    if isinstance(place, a.FieldLocation):
        return place.receiver
    match part.right if isinstance(part, x.Implies) else part:
        case x.SetContains(element, x.Var()):
            return element
        case _:
            return None


def _closed(case: Case, method: Method, fact: str, inside: str) -> Candidate:
    """The fact as a precondition, and in a loop, which starts with its invariants only."""
    edits = requires(method, fact)
    link, _, whole = fact.rpartition(" ==> ")[2].partition(" in ")
    said = (
        f"nothing says that `{link}` leads to one of `{whole}`: ask for it after the "
        f"permissions, `requires {fact}`"
    )
    at = case.finding.span
    loops = [n for n in descendants(method) if isinstance(n, s.While) and n.span.encloses(at)]
    for loop in loops[:1]:
        known = {text_of(clause) for clause in loop.invariants}
        further = [] if inside in known or case.part in loop.invariants else [inside]
        edits = (*edits, *invariants(loop, [fact, *further]))
        said = f"{said}, and keep it as an `invariant`"
        said += "".join([f", with `invariant {one}` after it" for one in further])
    return Candidate(edits, said, within=False, never=never_called(method, edits))


def _held_of_sets(method: Method) -> Iterator[a.QuantifiedPermission]:
    """Permissions of the precondition to a field of all objects of a set."""
    for part in [part for clause in method.preconditions for part in conjuncts(clause)]:
        if not isinstance(part, a.QuantifiedPermission) or len(part.variables) != 1:
            continue
        if _set_of(part) is not None:
            yield part


def _set_of(many: a.QuantifiedPermission) -> str | None:
    match many.condition:
        case x.SetContains(element, x.Var(name)) if element == many.variables[0]:
            return name
        case _:
            return None


def _links_to(receiver: x.Expr, method: Method) -> list[str]:
    """The fields that lead to an object: that which is read, or those a variable is given."""
    match receiver:
        case x.FieldRead(_, field):
            return [field]
        case x.Var():
            steps = [n for n in descendants(method) if isinstance(n, s.LocalAssign)]
            values = [n.value for n in steps if n.target == receiver]
            return list(dict.fromkeys([v.field for v in values if isinstance(v, x.FieldRead)]))
        case _:
            return []
