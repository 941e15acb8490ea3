"""The theory of finite multisets over one element sort."""

from __future__ import annotations

from functools import partial

from pitviper.base.record import record
from pitviper.encoding.quantify import axiom
from pitviper.encoding.theories.sets import Unordered, shared_symbols
from pitviper.terms.build import (
    apply,
    at_least,
    at_most,
    conjoin,
    differ,
    disjoin,
    equal,
    exists,
    forall,
    greater,
    iff,
    implies,
    integer,
    ite,
    minimum,
    minus,
    negate,
    plus,
    times,
    variable,
)
from pitviper.terms.sort import INT, Sort, uninterpreted
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import Term


@record(kw_only=True)
class Multisets(Unordered):
    """`count(x, m)` is how often x occurs."""

    count: Function


def multisets(element: Sort) -> Multisets:
    s = uninterpreted(f"Multiset<{element}>")
    count = function(f"{s}.count", (element, s), INT)
    return Multisets(count=count, **shared_symbols(s, element))


def multiset_axioms(th: Multisets) -> tuple[Term, ...]:
    return (*_basics(th), *_insert(th), *_combinations(th), *_sizes(th), *_relations(th))


def _basics(th: Multisets) -> tuple[Term, ...]:
    m, x, r = variable("m", th.sort), variable("x", th.element), variable("r", th.element)
    count, size = partial(apply, th.count), partial(apply, th.size)
    empty, one = apply(th.empty), apply(th.singleton, r)
    some = exists((x,), greater(count(x, m), integer(0)), ((count(x, m),),), "multiset.some")
    return (
        axiom("multiset.count", (m, x), at_least(count(x, m), integer(0)), count(x, m)),
        axiom("multiset.size", (m,), at_least(size(m), integer(0)), size(m)),
        axiom(
            "multiset.size.empty",
            (m,),
            conjoin(
                iff(equal(size(m), integer(0)), equal(m, empty)),
                implies(differ(size(m), integer(0)), some),
            ),
            size(m),
        ),
        axiom("multiset.empty", (x,), equal(count(x, empty), integer(0)), count(x, empty)),
        axiom(
            "multiset.singleton",
            (r, x),
            equal(count(x, one), ite(equal(x, r), integer(1), integer(0))),
            count(x, one),
        ),
        axiom(
            "multiset.singleton.one",
            (r,),
            conjoin(
                equal(size(one), integer(1)),
                equal(count(r, one), integer(1)),
                equal(one, apply(th.insert, empty, r)),
            ),
            one,
        ),
    )


def _insert(th: Multisets) -> tuple[Term, ...]:
    m, x, y = variable("m", th.sort), variable("x", th.element), variable("y", th.element)
    count, size, more = partial(apply, th.count), partial(apply, th.size), apply(th.insert, m, y)
    return (
        axiom(
            "multiset.insert",
            (m, x, y),
            equal(count(x, more), plus(count(x, m), ite(equal(x, y), integer(1), integer(0)))),
            count(x, more),
            (more, count(x, m)),
        ),
        axiom(
            "multiset.insert.size",
            (m, y),
            equal(size(more), plus(size(m), integer(1))),
            size(more),
            (more, size(m)),
        ),
        axiom(
            "multiset.insert.some",
            (m, y),
            conjoin(greater(count(y, more), integer(0)), greater(size(more), integer(0))),
            more,
        ),
    )


def _combinations(th: Multisets) -> tuple[Term, ...]:
    a, b, x = variable("a", th.sort), variable("b", th.sort), variable("x", th.element)
    count = partial(apply, th.count)
    both, common = apply(th.union, a, b), apply(th.intersection, a, b)
    rest = apply(th.difference, a, b)
    over = minus(count(x, a), count(x, b))
    return (
        axiom(
            "multiset.union",
            (a, b, x),
            equal(count(x, both), plus(count(x, a), count(x, b))),
            count(x, both),
            (both, count(x, a), count(x, b)),
        ),
        axiom(
            "multiset.intersection",
            (a, b, x),
            equal(count(x, common), minimum(count(x, a), count(x, b))),
            count(x, common),
        ),
        axiom(
            "multiset.difference",
            (a, b, x),
            equal(count(x, rest), ite(at_least(over, integer(0)), over, integer(0))),
            count(x, rest),
        ),
        axiom(
            "multiset.difference.gone",
            (a, b, x),
            implies(at_most(count(x, a), count(x, b)), equal(count(x, rest), integer(0))),
            (rest, count(x, b), count(x, a)),
        ),
    )


def _sizes(th: Multisets) -> tuple[Term, ...]:
    a, b = variable("a", th.sort), variable("b", th.sort)
    size = partial(apply, th.size)
    both, common = apply(th.union, a, b), apply(th.intersection, a, b)
    left, right = apply(th.difference, a, b), apply(th.difference, b, a)
    return (
        axiom(
            "multiset.union.size",
            (a, b),
            equal(size(both), plus(size(a), size(b))),
            size(both),
            (size(a), both),
            (size(b), both),
        ),
        axiom(
            "multiset.difference.size",
            (a, b),
            conjoin(
                equal(
                    plus(plus(size(left), size(right)), times(integer(2), size(common))), size(both)
                ),
                equal(size(left), minus(size(a), size(common))),
            ),
            size(left),
        ),
    )


def _relations(th: Multisets) -> tuple[Term, ...]:
    a, b, x = variable("a", th.sort), variable("b", th.sort), variable("x", th.element)
    count, same, below = partial(apply, th.count), apply(th.equals, a, b), apply(th.subset, a, b)
    differs = function(f"{th.sort}.differs", (th.sort, th.sort), th.element)
    d = apply(differs, a, b)
    inside = forall(
        (x,), at_most(count(x, a), count(x, b)), ((count(x, a),), (count(x, b),)), "multiset.inside"
    )
    return (
        axiom("multiset.subset", (a, b), iff(below, inside), below),
        axiom(
            "multiset.extensional",
            (a, b),
            disjoin(
                conjoin(same, equal(a, b)),
                conjoin(
                    negate(same),
                    differ(a, b),
                    equal(d, apply(differs, b, a)),
                    differ(count(d, a), count(d, b)),
                ),
            ),
            same,
        ),
    )
