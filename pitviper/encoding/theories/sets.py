"""The theory of finite sets over one element sort."""

from __future__ import annotations

from functools import partial
from typing import Any

from pitviper.base.record import record
from pitviper.encoding.quantify import axiom
from pitviper.terms.build import (
    apply,
    at_least,
    conjoin,
    differ,
    disjoin,
    equal,
    exists,
    forall,
    iff,
    implies,
    integer,
    ite,
    minus,
    negate,
    plus,
    variable,
)
from pitviper.terms.sort import BOOL, INT, Sort, uninterpreted
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import Term


@record(kw_only=True)
class Unordered:
    """Symbols that sets and multisets of one element sort have; `insert(s, x)` adds one element."""

    sort: Sort
    element: Sort
    size: Function
    empty: Function
    singleton: Function
    insert: Function
    union: Function
    intersection: Function
    difference: Function
    subset: Function
    equals: Function

    def literal(self, elements: tuple[Term, ...]) -> Term:
        """`Set(e1, .., en)` or `Multiset(e1, .., en)` as insertions into a singleton."""
        if not elements:
            return apply(self.empty)
        built = apply(self.singleton, elements[0])
        for element in elements[1:]:
            built = apply(self.insert, built, element)
        return built


def shared_symbols(s: Sort, element: Sort) -> dict[str, Any]:
    """The fields of `Unordered` for collections of sort `s`."""
    signatures: dict[str, tuple[tuple[Sort, ...], Sort]] = {
        "size": ((s,), INT),
        "empty": ((), s),
        "singleton": ((element,), s),
        "insert": ((s, element), s),
        "union": ((s, s), s),
        "intersection": ((s, s), s),
        "difference": ((s, s), s),
        "subset": ((s, s), BOOL),
        "equals": ((s, s), BOOL),
    }
    symbols = {name: function(f"{s}.{name}", *typed) for name, typed in signatures.items()}
    return {"sort": s, "element": element, **symbols}


@record(kw_only=True)
class Sets(Unordered):
    contains: Function


def sets(element: Sort) -> Sets:
    s = uninterpreted(f"Set<{element}>")
    contains = function(f"{s}.contains", (element, s), BOOL)
    return Sets(contains=contains, **shared_symbols(s, element))


def set_axioms(th: Sets) -> tuple[Term, ...]:
    return (*_basics(th), *_insert(th), *_combinations(th), *_sizes(th), *_relations(th))


def _basics(th: Sets) -> tuple[Term, ...]:
    s, x, r = variable("s", th.sort), variable("x", th.element), variable("r", th.element)
    has, size = partial(apply, th.contains), partial(apply, th.size)
    empty, one = apply(th.empty), apply(th.singleton, r)
    return (
        axiom("set.size", (s,), at_least(size(s), integer(0)), size(s)),
        axiom(
            "set.size.empty",
            (s,),
            conjoin(
                iff(equal(size(s), integer(0)), equal(s, empty)),
                implies(
                    differ(size(s), integer(0)),
                    exists((x,), has(x, s), ((has(x, s),),), "set.some"),
                ),
            ),
            size(s),
        ),
        axiom("set.empty", (x,), negate(has(x, empty)), has(x, empty)),
        axiom("set.singleton.in", (r,), has(r, one), one),
        axiom("set.singleton", (r, x), iff(has(x, one), equal(x, r)), has(x, one)),
        axiom("set.singleton.size", (r,), equal(size(one), integer(1)), size(one)),
    )


def _insert(th: Sets) -> tuple[Term, ...]:
    s, x, y = variable("s", th.sort), variable("x", th.element), variable("y", th.element)
    has, more = partial(apply, th.contains), apply(th.insert, s, y)
    grown = plus(apply(th.size, s), ite(has(y, s), integer(0), integer(1)))
    return (
        axiom(
            "set.insert",
            (s, x, y),
            iff(has(x, more), disjoin(equal(x, y), has(x, s))),
            has(x, more),
        ),
        axiom("set.insert.new", (s, y), has(y, more), more),
        axiom("set.insert.old", (s, x, y), implies(has(x, s), has(x, more)), (more, has(x, s))),
        axiom("set.insert.size", (s, y), equal(apply(th.size, more), grown), apply(th.size, more)),
    )


def _combinations(th: Sets) -> tuple[Term, ...]:
    s, t, x = variable("s", th.sort), variable("t", th.sort), variable("x", th.element)
    has = partial(apply, th.contains)
    union, meet = partial(apply, th.union), partial(apply, th.intersection)
    both, common, rest = union(s, t), meet(s, t), apply(th.difference, s, t)
    return (
        axiom(
            "set.union", (s, t, x), iff(has(x, both), disjoin(has(x, s), has(x, t))), has(x, both)
        ),
        axiom("set.union.left", (s, t, x), implies(has(x, s), has(x, both)), (both, has(x, s))),
        axiom("set.union.right", (s, t, x), implies(has(x, t), has(x, both)), (both, has(x, t))),
        axiom(
            "set.intersection",
            (s, t, x),
            iff(has(x, common), conjoin(has(x, s), has(x, t))),
            has(x, common),
            (common, has(x, s)),
            (common, has(x, t)),
        ),
        axiom(
            "set.difference",
            (s, t, x),
            iff(has(x, rest), conjoin(has(x, s), negate(has(x, t)))),
            has(x, rest),
            (rest, has(x, s)),
            (rest, has(x, t)),
        ),
        axiom("set.union.again", (s, t), equal(union(both, t), both), union(both, t)),
        axiom("set.union.twice", (s, t), equal(union(s, both), both), union(s, both)),
        axiom("set.meet.again", (s, t), equal(meet(common, t), common), meet(common, t)),
        axiom("set.meet.twice", (s, t), equal(meet(s, common), common), meet(s, common)),
    )


def _sizes(th: Sets) -> tuple[Term, ...]:
    s, t = variable("s", th.sort), variable("t", th.sort)
    size = partial(apply, th.size)
    both, common = apply(th.union, s, t), apply(th.intersection, s, t)
    left, right = apply(th.difference, s, t), apply(th.difference, t, s)
    return (
        axiom(
            "set.union.size",
            (s, t),
            equal(plus(size(both), size(common)), plus(size(s), size(t))),
            size(both),
            size(common),
        ),
        axiom(
            "set.difference.size",
            (s, t),
            conjoin(
                equal(plus(plus(size(left), size(right)), size(common)), size(both)),
                equal(size(left), minus(size(s), size(common))),
            ),
            size(left),
        ),
    )


def _relations(th: Sets) -> tuple[Term, ...]:
    s, t, x = variable("s", th.sort), variable("t", th.sort), variable("x", th.element)
    has, same, below = partial(apply, th.contains), apply(th.equals, s, t), apply(th.subset, s, t)
    differs = function(f"{th.sort}.differs", (th.sort, th.sort), th.element)
    d = apply(differs, s, t)
    inside = forall((x,), implies(has(x, s), has(x, t)), ((has(x, s),), (has(x, t),)), "set.inside")
    return (
        axiom("set.subset", (s, t), iff(below, inside), below),
        axiom(
            "set.extensional",
            (s, t),
            disjoin(
                conjoin(same, equal(s, t)),
                conjoin(
                    negate(same),
                    differ(s, t),
                    equal(d, apply(differs, t, s)),
                    differ(has(d, s), has(d, t)),
                ),
            ),
            same,
        ),
    )
