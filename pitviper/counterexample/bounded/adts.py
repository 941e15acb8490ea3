"""Algebraic data types in an instance: each value is built by constructors, in finitely many steps.

A model of the solver has elements of such a type, a number for the constructor of each and what the
destructors give. As with collections, this is read as a value of the program:

    adt List { Nil() Cons(head: Int, tail: List) }
    // L1 with List_tag(L1) = 0, get_List_head(L1) = 4, get_List_tail(L1) = L2  is  Cons(4, Nil())

What the facts say nothing about is chosen, so that different elements are different values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from pitviper.counterexample.bounded.ground import GroundTerms
from pitviper.counterexample.bounded.values import (
    Adt,
    Built,
    Case,
    Meaning,
    Theories,
    Underspecified,
    Value,
    theories_of,
)
from pitviper.encoding.symbols import Symbols
from pitviper.plugins.adt.domain import symbols_of
from pitviper.plugins.names import Names
from pitviper.program.member import Program
from pitviper.program.types import DomainType
from pitviper.terms import build as tb
from pitviper.terms.sort import INT, Sort
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import Term


def theories_with_adts(program: Program, symbols: Symbols) -> Theories:
    """Returns the collections and the data types of a program, which is the user's."""
    found = theories_of(symbols)
    adts = adts_of(program, symbols)
    meanings = dict(found.meanings)
    for adt in adts:
        meanings.update(meanings_of(adt))
    return Theories(found.by_sort, meanings, {adt.sort: adt for adt in adts})


def adts_of(program: Program, symbols: Symbols) -> tuple[Adt, ...]:
    """Returns the data types that `program`, which is the user's, has; as far as they are used."""
    if not program.adts:
        return ()
    names = symbols_of(program, Names(program))
    found = []
    for instance in list(symbols.instances):
        declared = program.adts.get(instance.domain)
        if declared is None:
            continue
        of = partial(symbols.domain_function, instance.domain, args=instance.args)
        cases = [
            Case(
                c.name,
                names.tags[c.name],
                of(c.name),
                tuple([of(names.destructors[declared.name, p.name]) for p in c.params]),
            )
            for c in declared.constructors
        ]
        sort = symbols.sort(DomainType(instance.domain, instance.args))
        found.append(Adt(sort, of(names.tag_functions[declared.name]), tuple(cases)))
    return tuple(found)


def meanings_of(adt: Adt) -> dict[Function, Meaning]:
    """Returns what the symbols of a data type mean."""
    numbers = {case.name: case.number for case in adt.cases}
    found: dict[Function, Meaning] = {adt.tag: lambda value: numbers[value.constructor]}
    for case in adt.cases:
        found[case.build] = partial(_built, case.name)
        for at, part in enumerate(case.parts):
            found[part] = partial(_part, case.name, at)
    return found


def _built(name: str, *args: Value) -> Value:
    return Built(name, args)


def _part(name: str, at: int, value: Built) -> Value:
    if value.constructor != name:
        raise Underspecified("a part that the value does not have")
    return value.args[at]


def tags(adts: Mapping[Sort, Adt], ground: GroundTerms) -> list[Term]:
    """Returns the constructor's number of each value that there is a term for."""
    return [
        tb.apply(adt.tag, term)
        for adt in adts.values()
        for term in ground.by_sort.get(adt.sort, ())
    ]


def finite(adts: Mapping[Sort, Adt], ground: GroundTerms, deepest: int) -> Iterator[Term]:
    """Gives that no value is inside itself: parts have a smaller rank than the whole."""
    ranks = {sort: function(f"%rank!{sort}", (sort,), INT) for sort in adts}
    for adt in adts.values():
        for term in ground.by_sort.get(adt.sort, ()):
            yield tb.at_most(tb.apply(ranks[adt.sort], term), tb.integer(deepest))
        for case in adt.cases:
            for part in [p for p in case.parts if p.range in adts]:
                for term in ground.applications.get(part, ()):
                    whole = term.args[0]
                    given = tb.equal(tb.apply(adt.tag, whole), tb.integer(case.number))
                    yield tb.implies(given, _smaller(term, whole, ranks))
            for term in ground.applications.get(case.build, ()):
                for arg in [a for a in term.args if a.sort in adts]:
                    yield _smaller(arg, term, ranks)


def _smaller(part: Term, whole: Term, ranks: Mapping[Sort, Function]) -> Term:
    inner, outer = tb.apply(ranks[part.sort], part), tb.apply(ranks[whole.sort], whole)
    return tb.conjoin(tb.at_least(inner, tb.integer(0)), tb.greater(outer, inner))


def values_of(sort: Sort, adts: Mapping[Sort, Adt], plain: Mapping[Sort, Value]) -> Iterator[Value]:
    """Gives values of a sort, simple ones first; `plain` are those of sorts that have only one."""
    adt = adts.get(sort)
    if sort is INT:
        yield from range(1000)
    elif adt is None:
        if sort in plain:
            yield plain[sort]
    else:
        yield from _trees(adt, adts, plain)


LEVELS = 12
"""How deep values are that nothing is known about."""


def _trees(adt: Adt, adts: Mapping[Sort, Adt], plain: Mapping[Sort, Value]) -> Iterator[Value]:
    """Gives values level by level: the values of a level have one of the level before inside."""
    least: dict[Sort, Value] = {**plain, INT: 0}
    last: dict[Sort, list[Value]] = {}
    for _ in range(LEVELS):
        new: dict[Sort, list[Value]] = {sort: [] for sort in adts}
        for each in adts.values():
            for case in each.cases:
                new[each.sort] += _level(case, least, last)
        for sort, values in new.items():
            if values:
                least.setdefault(sort, values[0])
        if not new[adt.sort] and not any(new.values()):
            return
        yield from new[adt.sort]
        last = new


def _level(
    case: Case, least: Mapping[Sort, Value], last: Mapping[Sort, list[Value]]
) -> Iterator[Value]:
    sorts = [part.range for part in case.parts]
    if any(sort not in least for sort in sorts):
        return
    base = [least[sort] for sort in sorts]
    if not last:
        yield Built(case.name, tuple(base))
        return
    for at, sort in enumerate(sorts):
        for value in last.get(sort, ())[:2]:
            yield Built(case.name, (*base[:at], value, *base[at + 1 :]))
