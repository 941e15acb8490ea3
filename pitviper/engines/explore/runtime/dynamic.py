"""Types of objects at run time: numbers that the solver chooses from the sets of a hierarchy.

Section 2.4.2 of the paper: each type has a number, a type stands for the set of its own number and
those of all its subtypes, and an object of the input has the number of some type in the set of the
type it was declared with. Whether an object is of a type is a condition of the path like others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.engines.explore.model.types import INT, OBJECT, Nominal, Type
from pitviper.engines.explore.runtime.inputs import unknown
from pitviper.engines.explore.runtime.value import Sym, Value, both, plain, term_of
from pitviper.engines.shared.values import Ref
from pitviper.terms import build
from pitviper.terms.sort import INT as INT_SORT

if TYPE_CHECKING:
    from pitviper.engines.explore.runtime.run import Run


def of_type(run: Run, value: Ref, kind: Type) -> Ref:
    """The reference; null, or an object of a type that fits the one it was declared with."""
    if kind != OBJECT and value.number != 0:
        known = run.inputs.types
        if value.number not in known and value.number > 0:
            known[value.number] = _chosen(run, value.number, kind)
        else:
            run.require(_among(type_number(run, value), run.model.hierarchy.concrete(kind)))
    return value


def is_a(run: Run, value: Ref, kind: str) -> Value:
    """Whether a reference is one to an object of a type, or of a subtype."""
    if value.number == 0:
        return False
    return _among(type_number(run, value), run.model.hierarchy.concrete(_named(run, kind)))


def is_exactly(run: Run, value: Ref, kind: str) -> Value:
    """Whether a reference is one to an object of a type, and of none of its subtypes."""
    if value.number == 0:
        return False
    return _among(type_number(run, value), (run.model.hierarchy.numbers()[_named(run, kind)],))


def made_as(run: Run, value: Ref, kind: str) -> None:
    """Says what type an object has that the run made."""
    run.inputs.types[value.number] = run.model.hierarchy.numbers()[_named(run, kind)]


def type_number(run: Run, value: Ref) -> Value:
    known = run.inputs.types
    if value.number not in known:
        known[value.number] = _chosen(run, value.number, OBJECT)
    return known[value.number]


def _chosen(run: Run, number: int, kind: Type) -> Value:
    """The number of any type that fits; the first one, until a condition wants another."""
    allowed = run.model.hierarchy.concrete(kind)
    run.require(bool(allowed))
    name = f"typeof object{number}"
    run.choosing(name)
    given = int(run.inputs.assignment.values.get(name, allowed[0]))
    value = given if given in allowed else allowed[0]
    run.inputs.symbols[name] = (INT, value)
    found = Sym(value, unknown(name, INT_SORT))
    among = _among(found, allowed)
    run.fact(term_of(among))
    return found


def _among(number: Value, allowed: tuple[int, ...]) -> Value:
    """Whether a number is one of those in a set."""
    if number.__class__ is not Sym:
        return number in allowed
    same = [build.equal(term_of(number), build.integer(n)) for n in allowed]
    return both(plain(number) in allowed, build.disjoin(*same))


def _named(run: Run, kind: str) -> Nominal:
    """The type of the hierarchy with a full name."""
    found = next((t for t in run.model.hierarchy.supertypes if str(t) == kind), None)
    if found is None:
        raise KeyError(kind)
    return found
