"""The theory of finite maps from one key sort to one value sort."""

from __future__ import annotations

from functools import partial

from pitviper.base.record import record
from pitviper.encoding.quantify import axiom
from pitviper.encoding.theories.sets import Sets
from pitviper.terms.build import (
    apply,
    at_least,
    conjoin,
    differ,
    equal,
    exists,
    forall,
    greater,
    iff,
    implies,
    integer,
    ite,
    negate,
    plus,
    variable,
)
from pitviper.terms.sort import BOOL, INT, Sort, uninterpreted
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import FALSE, TRUE, Term


@record
class Maps:
    """Symbols of maps; `keys` and `values` are the theories of the sets of both."""

    sort: Sort
    keys: Sets
    values: Sets
    size: Function
    empty: Function
    lookup: Function
    update: Function
    domain: Function
    range: Function
    equals: Function

    def literal(self, entries: tuple[tuple[Term, Term], ...]) -> Term:
        """`Map(k := v, ...)` as updates of the empty map, first to last."""
        built = apply(self.empty)
        for key, value in entries:
            built = apply(self.update, built, key, value)
        return built


def maps(keys: Sets, values: Sets) -> Maps:
    name = f"Map<{keys.element},{values.element}>"
    s, k, v = uninterpreted(name), keys.element, values.element

    def symbol(label: str, domain: tuple[Sort, ...], range_: Sort) -> Function:
        return function(f"{name}.{label}", domain, range_)

    return Maps(
        sort=s,
        keys=keys,
        values=values,
        size=symbol("size", (s,), INT),
        empty=symbol("empty", (), s),
        lookup=symbol("lookup", (s, k), v),
        update=symbol("update", (s, k, v), s),
        domain=symbol("domain", (s,), keys.sort),
        range=symbol("range", (s,), values.sort),
        equals=symbol("equals", (s, s), BOOL),
    )


def map_axioms(th: Maps) -> tuple[Term, ...]:
    return (*_basics(th), *_update(th), *_range(th), *_equality(th))


def _basics(th: Maps) -> tuple[Term, ...]:
    m, k = variable("m", th.sort), variable("k", th.keys.element)
    size, empty, keys = partial(apply, th.size), apply(th.empty), partial(apply, th.domain)
    has = apply(th.keys.contains, k, keys(m))
    count = apply(th.keys.size, keys(m))
    some = exists((k,), has, ((has,),), "map.some")
    return (
        axiom("map.size", (m,), at_least(size(m), integer(0)), size(m)),
        axiom("map.size.domain", (m,), equal(count, size(m)), count, size(m)),
        axiom(
            "map.empty",
            (k,),
            negate(apply(th.keys.contains, k, keys(empty))),
            apply(th.keys.contains, k, keys(empty)),
        ),
        axiom(
            "map.size.empty",
            (m,),
            conjoin(
                iff(equal(size(m), integer(0)), equal(m, empty)),
                implies(differ(size(m), integer(0)), some),
            ),
            size(m),
        ),
    )


def _update(th: Maps) -> tuple[Term, ...]:
    m, k, j = (
        variable("m", th.sort),
        variable("k", th.keys.element),
        variable("j", th.keys.element),
    )
    v = variable("v", th.values.element)
    new, size = apply(th.update, m, k, v), partial(apply, th.size)
    get = partial(apply, th.lookup)
    has_new = apply(th.keys.contains, j, apply(th.domain, new))
    has_old = apply(th.keys.contains, j, apply(th.domain, m))
    known = apply(th.keys.contains, k, apply(th.domain, m))
    return (
        axiom(
            "map.update",
            (m, k, v, j),
            conjoin(
                implies(equal(j, k), conjoin(has_new, equal(get(new, j), v))),
                implies(
                    differ(j, k), conjoin(iff(has_new, has_old), equal(get(new, j), get(m, j)))
                ),
            ),
            has_new,
            (has_old, new),
            get(new, j),
        ),
        axiom(
            "map.update.here",
            (m, k, v),
            conjoin(apply(th.keys.contains, k, apply(th.domain, new)), equal(get(new, k), v)),
            new,
        ),
        axiom(
            "map.update.size",
            (m, k, v),
            equal(size(new), plus(size(m), ite(known, integer(0), integer(1)))),
            size(new),
            (size(m), new),
        ),
        axiom(
            "map.update.range",
            (m, k, v),
            apply(th.values.contains, v, apply(th.range, new)),
            apply(th.range, new),
        ),
    )


def _range(th: Maps) -> tuple[Term, ...]:
    m, k = variable("m", th.sort), variable("k", th.keys.element)
    v = variable("v", th.values.element)
    get, values = apply(th.lookup, m, k), apply(th.range, m)
    has = apply(th.keys.contains, k, apply(th.domain, m))
    key_of = apply(function(f"{th.sort}.key", (th.sort, v.sort), k.sort), m, v)
    is_value = apply(th.values.contains, v, values)
    return (
        axiom(
            "map.range.key",
            (m, v),
            implies(
                is_value,
                conjoin(
                    apply(th.keys.contains, key_of, apply(th.domain, m)),
                    equal(apply(th.lookup, m, key_of), v),
                ),
            ),
            is_value,
        ),
        axiom("map.range", (m, k), implies(has, _is_among(th, get, values)), get),
        axiom(
            "map.range.size",
            (m, k),
            implies(has, greater(apply(th.values.size, values), integer(0))),
            get,
            has,
        ),
    )


def _is_among(th: Maps, value: Term, values: Term) -> Term:
    """Truth values by cases: each lookup would be an element of its own, with a key of its own."""
    contains = partial(apply, th.values.contains)
    if value.sort is BOOL:
        return ite(value, contains(TRUE, values), contains(FALSE, values))
    return contains(value, values)


def _equality(th: Maps) -> tuple[Term, ...]:
    m, n, k = variable("m", th.sort), variable("n", th.sort), variable("k", th.keys.element)
    same, get = apply(th.equals, m, n), partial(apply, th.lookup)
    in_m = apply(th.keys.contains, k, apply(th.domain, m))
    in_n = apply(th.keys.contains, k, apply(th.domain, n))
    domains = forall((k,), iff(in_m, in_n), ((in_m,), (in_n,)), "map.same.domain")
    values = forall(
        (k,),
        implies(in_m, equal(get(m, k), get(n, k))),
        ((get(m, k),), (get(n, k),)),
        "map.same.values",
    )
    return (
        axiom("map.equal", (m, n), iff(same, equal(m, n)), same),
        axiom("map.extensional", (m, n), implies(conjoin(domains, values), same), same),
    )
