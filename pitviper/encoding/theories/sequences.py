"""The theory of finite sequences over one element sort."""

from __future__ import annotations

from functools import partial

from pitviper.base.record import record
from pitviper.terms.build import (
    apply,
    at_least,
    at_most,
    conjoin,
    disjoin,
    equal,
    forall,
    implies,
    integer,
    ite,
    less,
    minus,
    negate,
    plus,
    variable,
)
from pitviper.terms.sort import BOOL, INT, Sort, uninterpreted
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import Term


@record
class Sequences:
    """Symbols of sequences of one element sort. `range` exists for integers only.

    `marks` is the twin of `contains` that stands in triggers: every element that is read is marked,
    so quantifiers over `x in s` find it without `contains` having to be defined by every read.
    `plus` and `minus` are copies of + and - that may stand in triggers.
    """

    sort: Sort
    element: Sort
    length: Function
    empty: Function
    singleton: Function
    append: Function
    index: Function
    take: Function
    drop: Function
    update: Function
    contains: Function
    marks: Function
    equals: Function
    range: Function | None

    def literal(self, elements: tuple[Term, ...]) -> Term:
        """`Seq(e1, .., en)` as appended singletons."""
        if not elements:
            return apply(self.empty)
        built = apply(self.singleton, elements[0])
        for element in elements[1:]:
            built = apply(self.append, built, apply(self.singleton, element))
        return built


PLUS = function("Seq.plus", (INT, INT), INT)
MINUS = function("Seq.minus", (INT, INT), INT)


def sequences(element: Sort) -> Sequences:
    name = f"Seq<{element}>"
    s = uninterpreted(name)

    def symbol(label: str, domain: tuple[Sort, ...], range_: Sort) -> Function:
        return function(f"{name}.{label}", domain, range_)

    return Sequences(
        sort=s,
        element=element,
        length=symbol("length", (s,), INT),
        empty=symbol("empty", (), s),
        singleton=symbol("singleton", (element,), s),
        append=symbol("append", (s, s), s),
        index=symbol("index", (s, INT), element),
        take=symbol("take", (s, INT), s),
        drop=symbol("drop", (s, INT), s),
        update=symbol("update", (s, INT, element), s),
        contains=symbol("contains", (s, element), BOOL),
        marks=symbol("marks", (s, element), BOOL),
        equals=symbol("equals", (s, s), BOOL),
        range=symbol("range", (INT, INT), s) if element is INT else None,
    )


def index_arithmetic_axioms() -> tuple[Term, ...]:
    """The trigger copies of + and - mean + and -."""
    i, j = variable("i", INT), variable("j", INT)
    sum_, difference = apply(PLUS, i, j), apply(MINUS, i, j)
    return (
        forall((i, j), equal(sum_, plus(i, j)), ((sum_,),), name="seq.plus"),
        forall((i, j), equal(difference, minus(i, j)), ((difference,),), name="seq.minus"),
    )


def sequence_axioms(th: Sequences) -> tuple[Term, ...]:
    return (
        *_lengths(th),
        *_append(th),
        *_update(th),
        *_take(th),
        *_drop(th),
        *_slices_of_append(th),
        *_slices_of_update(th),
        *_membership(th),
        *_equality(th),
        *_range(th),
    )


def _lengths(th: Sequences) -> tuple[Term, ...]:
    s, e = variable("s", th.sort), variable("e", th.element)
    length, one = partial(apply, th.length), apply(th.singleton, e)
    empty = apply(th.empty)
    return (
        forall((s,), at_least(length(s), integer(0)), ((length(s),),), name="seq.length"),
        forall(
            (s,),
            implies(equal(length(s), integer(0)), equal(s, empty)),
            ((length(s),),),
            name="seq.empty",
        ),
        equal(length(empty), integer(0)),
        forall((e,), equal(length(one), integer(1)), ((one,),), name="seq.singleton.length"),
        forall(
            (e,), equal(apply(th.index, one, integer(0)), e), ((one,),), name="seq.singleton.index"
        ),
    )


def _append(th: Sequences) -> tuple[Term, ...]:
    s, t = variable("s", th.sort), variable("t", th.sort)
    n, m = variable("n", INT), variable("m", INT)
    length, at, empty = partial(apply, th.length), partial(apply, th.index), apply(th.empty)
    both = apply(th.append, s, t)
    full = conjoin(negate(equal(s, empty)), negate(equal(t, empty)))
    behind, before = apply(MINUS, n, length(s)), apply(PLUS, m, length(s))
    return (
        forall(
            (s, t),
            implies(full, equal(length(both), plus(length(s), length(t)))),
            ((length(both),),),
            name="seq.append.length",
        ),
        forall(
            (s, t),
            conjoin(
                implies(equal(s, empty), equal(both, t)), implies(equal(t, empty), equal(both, s))
            ),
            ((both,),),
            name="seq.append.empty",
        ),
        forall(
            (s, t, n),
            implies(
                conjoin(full, at_most(integer(0), n), less(n, length(s))),
                equal(at(both, n), at(s, n)),
            ),
            (
                (at(both, n),),
                (at(s, n), both),
            ),
            name="seq.append.left",
        ),
        forall(
            (s, t, n),
            implies(
                conjoin(full, at_most(length(s), n), less(n, length(both))),
                conjoin(
                    equal(apply(PLUS, behind, length(s)), n), equal(at(both, n), at(t, behind))
                ),
            ),
            ((at(both, n),),),
            name="seq.append.right",
        ),
        forall(
            (s, t, m),
            implies(
                conjoin(full, at_most(integer(0), m), less(m, length(t))),
                conjoin(
                    equal(apply(MINUS, before, length(s)), m), equal(at(both, before), at(t, m))
                ),
            ),
            ((at(t, m), both),),
            name="seq.append.shift",
        ),
    )


def _update(th: Sequences) -> tuple[Term, ...]:
    s, i, n = variable("s", th.sort), variable("i", INT), variable("n", INT)
    v = variable("v", th.element)
    length, at, new = partial(apply, th.length), partial(apply, th.index), apply(th.update, s, i, v)
    inside = conjoin(at_most(integer(0), i), less(i, length(s)))
    return (
        forall(
            (s, i, v),
            implies(inside, equal(length(new), length(s))),
            (
                (length(new),),
                (length(s), new),
            ),
            name="seq.update.length",
        ),
        forall((s, i, v), implies(inside, equal(at(new, i), v)), ((new,),), name="seq.update.here"),
        forall(
            (s, i, v, n),
            implies(
                conjoin(at_most(integer(0), n), less(n, length(s))),
                equal(at(new, n), ite(equal(i, n), v, at(s, n))),
            ),
            (
                (at(new, n),),
                (at(s, n), new),
            ),
            name="seq.update.index",
        ),
    )


def _take(th: Sequences) -> tuple[Term, ...]:
    s, n, j = variable("s", th.sort), variable("n", INT), variable("j", INT)
    length, at, part = partial(apply, th.length), partial(apply, th.index), apply(th.take, s, n)
    shorter = ite(less(n, length(s)), n, length(s))
    return (
        forall(
            (s, n),
            equal(length(part), ite(less(n, integer(0)), integer(0), shorter)),
            (
                (length(part),),
                (part, length(s)),
            ),
            name="seq.take.length",
        ),
        forall(
            (s, n, j),
            implies(
                conjoin(at_most(integer(0), j), less(j, n), less(j, length(s))),
                equal(at(part, j), at(s, j)),
            ),
            (
                (at(part, j),),
                (at(s, j), part),
            ),
            name="seq.take.index",
        ),
        forall(
            (s, n),
            conjoin(
                implies(at_most(n, integer(0)), equal(part, apply(th.empty))),
                implies(at_least(n, length(s)), equal(part, s)),
            ),
            ((part,),),
            name="seq.take.all",
        ),
    )


def _drop(th: Sequences) -> tuple[Term, ...]:
    s, n, j = variable("s", th.sort), variable("n", INT), variable("j", INT)
    length, at, part = partial(apply, th.length), partial(apply, th.index), apply(th.drop, s, n)
    left = minus(length(s), n)
    forward, backward = apply(PLUS, j, n), apply(MINUS, j, n)
    return (
        forall(
            (s, n),
            equal(
                length(part),
                ite(
                    less(n, integer(0)),
                    length(s),
                    ite(at_least(left, integer(0)), left, integer(0)),
                ),
            ),
            (
                (length(part),),
                (length(s), part),
            ),
            name="seq.drop.length",
        ),
        forall(
            (s, n, j),
            implies(
                conjoin(less(integer(0), n), at_most(integer(0), j), less(j, left)),
                conjoin(equal(apply(MINUS, forward, n), j), equal(at(part, j), at(s, forward))),
            ),
            ((at(part, j),),),
            name="seq.drop.index",
        ),
        forall(
            (s, n, j),
            implies(
                conjoin(less(integer(0), n), at_most(n, j), less(j, length(s))),
                conjoin(equal(apply(PLUS, backward, n), j), equal(at(part, backward), at(s, j))),
            ),
            ((part, at(s, j)),),
            name="seq.drop.shift",
        ),
        forall(
            (s, n),
            conjoin(
                implies(at_most(n, integer(0)), equal(part, s)),
                implies(at_least(n, length(s)), equal(part, apply(th.empty))),
            ),
            ((part,),),
            name="seq.drop.all",
        ),
    )


def _slices_of_append(th: Sequences) -> tuple[Term, ...]:
    s, t, n = variable("s", th.sort), variable("t", th.sort), variable("n", INT)
    length, append = partial(apply, th.length), partial(apply, th.append)
    take, drop = partial(apply, th.take), partial(apply, th.drop)
    both, over = append(s, t), apply(MINUS, n, length(s))
    inside = conjoin(less(integer(0), n), at_most(n, length(s)))
    beyond = conjoin(less(integer(0), n), less(length(s), n))
    regained = equal(apply(PLUS, over, length(s)), n)
    return (
        forall(
            (s, t, n),
            conjoin(
                implies(inside, equal(take(both, n), take(s, n))),
                implies(
                    conjoin(beyond, less(n, length(both))),
                    conjoin(regained, equal(take(both, n), append(s, take(t, over)))),
                ),
            ),
            ((take(both, n),),),
            name="seq.take.append",
        ),
        forall(
            (s, t, n),
            conjoin(
                implies(inside, equal(drop(both, n), append(drop(s, n), t))),
                implies(beyond, conjoin(regained, equal(drop(both, n), drop(t, over)))),
            ),
            ((drop(both, n),),),
            name="seq.drop.append",
        ),
    )


def _slices_of_update(th: Sequences) -> tuple[Term, ...]:
    s, i, n = variable("s", th.sort), variable("i", INT), variable("n", INT)
    v = variable("v", th.element)
    take, drop = partial(apply, th.take), partial(apply, th.drop)
    update = partial(apply, th.update)
    new, shifted = update(s, i, v), apply(MINUS, i, n)
    inside = conjoin(at_most(integer(0), i), less(i, apply(th.length, s)))
    return (
        forall(
            (s, i, v, n),
            implies(
                inside, equal(take(new, n), ite(less(i, n), update(take(s, n), i, v), take(s, n)))
            ),
            ((take(new, n),),),
            name="seq.take.update",
        ),
        forall(
            (s, i, v, n),
            conjoin(
                implies(conjoin(inside, less(i, n)), equal(drop(new, n), drop(s, n))),
                implies(
                    conjoin(inside, less(integer(0), n), at_most(n, i)),
                    equal(drop(new, n), update(drop(s, n), shifted, v)),
                ),
            ),
            ((drop(new, n),),),
            name="seq.drop.update",
        ),
    )


def _membership(th: Sequences) -> tuple[Term, ...]:
    s, x, y, i = (
        variable("s", th.sort),
        variable("x", th.element),
        variable("y", th.element),
        variable("i", INT),
    )
    length, at, has = (
        partial(apply, th.length),
        partial(apply, th.index),
        partial(apply, th.contains),
    )
    where = apply(function(f"{th.sort}.where", (th.sort, th.element), INT), s, x)
    inside = conjoin(at_most(integer(0), i), less(i, length(s)))
    one = apply(th.singleton, y)
    t = variable("t", th.sort)
    both = apply(th.append, s, t)  # by parts: through indices, each membership makes new ones
    return (
        forall(
            (s, t, x),
            equal(has(both, x), disjoin(has(s, x), has(t, x))),
            ((has(both, x),),),
            name="seq.contains.append",
        ),
        forall(
            (s, x),
            implies(
                has(s, x),
                conjoin(at_most(integer(0), where), less(where, length(s)), equal(at(s, where), x)),
            ),
            ((has(s, x),),),
            name="seq.contains.where",
        ),
        forall(
            (s, x, i),
            implies(conjoin(inside, equal(at(s, i), x)), has(s, x)),
            ((has(s, x), at(s, i)),),
            name="seq.contains.index",
        ),
        forall(
            (s, i),
            implies(inside, apply(th.marks, s, at(s, i))),
            ((at(s, i),),),
            name="seq.marks",
        ),
        forall((x, y), equal(has(one, x), equal(x, y)), ((has(one, x),),), name="seq.contains.one"),
    )


def _equality(th: Sequences) -> tuple[Term, ...]:
    s, t = variable("s", th.sort), variable("t", th.sort)
    length, at, same = partial(apply, th.length), partial(apply, th.index), apply(th.equals, s, t)
    differs = function(f"{th.sort}.differs", (th.sort, th.sort), INT)
    d = apply(differs, s, t)
    witness = conjoin(
        equal(length(s), length(t)),
        equal(d, apply(differs, t, s)),
        at_most(integer(0), d),
        less(d, length(s)),
        negate(equal(at(s, d), at(t, d))),
    )
    return (
        forall((s, t), implies(same, equal(s, t)), ((same,),), name="seq.equal"),
        forall(
            (s, t),
            disjoin(
                conjoin(same, equal(s, t)),
                conjoin(
                    negate(same),
                    negate(equal(s, t)),
                    disjoin(negate(equal(length(s), length(t))), witness),
                ),
            ),
            ((same,),),
            name="seq.extensional",
        ),
    )


def _range(th: Sequences) -> tuple[Term, ...]:
    if th.range is None:
        return ()
    low, high, j = variable("low", INT), variable("high", INT), variable("j", INT)
    part, width = apply(th.range, low, high), minus(high, low)
    return (
        forall(
            (low, high),
            equal(apply(th.length, part), ite(less(low, high), width, integer(0))),
            ((apply(th.length, part),),),
            name="seq.range.length",
        ),
        forall(
            (low, high, j),
            implies(
                conjoin(at_most(integer(0), j), less(j, width)),
                equal(apply(th.index, part, j), plus(low, j)),
            ),
            ((apply(th.index, part, j),),),
            name="seq.range.index",
        ),
        forall(
            (low, high, j),
            equal(apply(th.contains, part, j), conjoin(at_most(low, j), less(j, high))),
            ((apply(th.contains, part, j),),),
            name="seq.range.contains",
        ),
    )
