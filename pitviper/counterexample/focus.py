"""What a failing check looks at: objects, locations, variables, earlier states."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from pitviper.base.qualified import call_words
from pitviper.base.record import replace
from pitviper.counterexample.bounded.reading import Reader
from pitviper.counterexample.bounded.values import Unevaluable, Value
from pitviper.counterexample.problem import heap_holdings
from pitviper.counterexample.question import Question, Sought
from pitviper.counterexample.recorded_state import contents, values_of
from pitviper.engines.shared.members import Member
from pitviper.engines.symbolic.heap.chunk import Heap, Kind, Resource
from pitviper.engines.symbolic.state import PRE_STATE
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.node import Node
from pitviper.program.walk import descendants
from pitviper.results.counterexample import (
    MISSING,
    NOW,
    Application,
    Focus,
    HeapState,
    Instance,
    Location,
)
from pitviper.results.finding import Finding
from pitviper.solver.model import Element, Structure
from pitviper.source.span import Span
from pitviper.terms.sort import REF
from pitviper.terms.substitute import subterms
from pitviper.terms.term import Term

MOST_APPLICATIONS = 24


def shown_heap(sought: Sought, finding: Finding | None) -> Heap:
    """Returns what is held; where permission is missing, what is left of it.

    A statement that has taken other things away so far (the first half of a predicate's body)
    changes nothing about why this one is missing: then it is the heap before the statement.
    """
    st, lacking = sought.state, sought.lacking
    missing = finding is not None and finding.reason in _LACKING
    if not missing or (lacking is not None and _same(st.heap, st.held, lacking)):
        return st.heap
    return st.held


def _same(heap: Heap, left: Heap, resource: Resource) -> bool:
    whole = heap.of(resource), heap.quantified(resource)
    return whole == (left.of(resource), left.quantified(resource))


_LACKING = ("insufficient.permission", "wand.not.found")


def focus_of(question: Question, reader: Reader, heap: Heap) -> Focus:
    """Returns objects, locations and variables that the goal mentions."""
    sought = question.sought
    if sought.goal is None:
        return Focus()
    mentioned = {t for t in subterms(sought.goal) if not t.free}
    names = [
        name
        for term in subterms(sought.goal)
        if term in mentioned and term.sort is REF
        for name in _object(term, reader)
    ]
    locations = []
    for holding in heap_holdings(heap, sought.run.symbols):
        if holding.kind == "field" and not holding.formals and holding.value in mentioned:
            locations += [(name, holding.name) for name in _object(holding.args[0], reader)]
    lacked = _lacked(question, reader)
    names += [name for name, _ in lacked]
    return Focus(
        tuple(dict.fromkeys([n for n in names if n != "null"])),
        tuple(dict.fromkeys([*lacked, *(_named(locations, question, reader) or locations)])),
        tuple([name for name, term in sought.variables.items() if term in mentioned]),
        _labels(question),
        _lacked_instances(question, reader),
    )


def _lacked(question: Question, reader: Reader) -> list[tuple[str, str]]:
    """The location that permission is missing to: the goal is about amounts, it names no object."""
    for node in _lacking(question):
        if isinstance(node, pe.FieldRead | pa.FieldLocation | ps.FieldAssign):
            for value in _values(question, (node.receiver,)) or ():
                return [(n, node.field) for n in _object(value, reader) if n != "null"]
    return []


def _lacked_instances(question: Question, reader: Reader) -> tuple[Instance, ...]:
    """The predicate instance that permission is missing to, with the values of its arguments."""
    for node in _lacking(question):
        for place in (node, getattr(node, "predicate", None)):
            if isinstance(place, pa.PredicateLocation):
                values = _values(question, place.args)
                if values is not None:
                    shown = tuple([reader.shown(value) for value in values])
                    return (Instance("predicate", place.predicate, shown, MISSING),)
    return ()


def _lacking(question: Question) -> Iterator[Node]:
    """What is written where permission is missing; nothing where the check is about values."""
    finding = question.finding
    if finding is not None and finding.reason in _LACKING:
        yield from nodes_at(question.sought, finding.offending or finding.span)


def _values(question: Question, nodes: Sequence[pe.Expr]) -> list[Term] | None:
    """The values of expressions where permission is missing; None where they have none."""
    sought = question.sought
    here = sought.state.storing(sought.names or sought.state.store)
    values = values_of(nodes, replace(sought, state=here), _ERROR, "%lacked")
    return None if isinstance(values, Finding) else [value.term for value in values]


_ERROR = "exhale.failed"


def _labels(question: Question) -> tuple[str, ...]:
    """The labels of earlier states that the check speaks of; `old` is that of the start."""
    finding = question.finding
    if finding is None:
        return ()
    place = finding.offending or finding.span
    inner = [n for node in nodes_at(question.sought, place) for n in descendants(node)]
    return tuple(dict.fromkeys([n.label or "old" for n in inner if isinstance(n, pe.Old)]))


def _named(
    locations: list[tuple[str, str]], question: Question, reader: Reader
) -> list[tuple[str, str]]:
    """Those that the text of the check names: others may just have the same value."""
    place = question.span if question.finding is None else question.finding.offending
    text = "" if place is None else place.text
    references = [
        (name, reader.shown(term).text)
        for name, term in question.sought.state.store.items()
        if term.sort is REF
    ]
    return [
        (target, field)
        for target, field in locations
        if any(f"{name}.{field}" in text for name, value in references if value == target)
    ]


def _object(term: Term, reader: Reader) -> list[str]:
    try:
        value = reader.evaluator.value(term)
    except Unevaluable:
        return []
    return [reader.name(value)] if isinstance(value, Element) else []


def owning(sought: Sought, heap: Heap, shown: HeapState, reader: Reader, depth: int) -> HeapState:
    """Returns the heap with what is inside predicate instances, where the values tell."""
    owned: dict[int, tuple[Location, ...]] = {}
    within: dict[int, tuple[str, ...]] = {}
    names: dict[str, int] = {}
    for inside in contents(heap, sought, "inside0", depth).opened:
        first = inside.place[0]
        if len(inside.place) == 1:
            args = [reader.shown(arg).text for arg in inside.chunk.args]
            names[call_words(inside.chunk.resource.name, args)] = first
        for outcome in inside.outcomes:
            if reader.shown(outcome.guard).text == "true":
                inner = reader.heap(NOW, heap_holdings(outcome.heap, sought.run.symbols))
                owned[first] = owned.get(first, ()) + inner.locations
                texts = tuple([held.text for held in inner.instances])
                within[first] = tuple(dict.fromkeys(within.get(first, ()) + texts))
    instances = [
        replace(held, owns=owned.get(place, ()), inside=within.get(place, ()))
        for held in shown.instances
        for place in (names.get(held.text, -1),)
    ]
    return replace(shown, instances=tuple(instances))


def applications(reader: Reader, question: Question, present: Heap) -> tuple[Application, ...]:
    """Returns values of functions of the program, for the arguments that occur.

    A value that rests on what was held at the start, and is no longer, is that of `old`.
    """
    sought, adts = question.sought, question.program.adts
    program, symbols = sought.run.program, sought.run.symbols
    written = [name for name in program.functions if " " not in name]  # by somebody
    named = {symbols.function(name).full: name for name in written}
    named.update({symbols.function(name).limited: name for name in written})
    plain = {
        symbols.domain_function(domain.name, function.name, ()): function.name
        for domain in program.domains.values()
        if not domain.type_params and domain.name not in adts
        for function in domain.functions
    }
    now = _snapshots(present, reader)
    then = _snapshots(sought.state.old.get(PRE_STATE), reader)
    found: dict[str, Application] = {}
    for symbol, entries in reader.evaluator.touched.items():
        name = named.get(symbol) or plain.get(symbol)
        if name is None:
            continue
        skip = 1 if symbol in named else 0
        for args, value in entries.items():
            sorts = symbol.domain[skip:]
            texts = [reader.text(a, s) for a, s in zip(args[skip:], sorts, strict=True)]
            text = call_words(name, texts)
            if skip and _rests_on(args[0], then - now) and not _rests_on(args[0], now - then):
                text = f"old({text})"
            found.setdefault(text, Application(text, reader.value(value, symbol.range)))
    return tuple(list(found.values())[:MOST_APPLICATIONS])


def _snapshots(heap: Heap | None, reader: Reader) -> frozenset[Value]:
    """The contents of the predicate instances of a heap, as values."""
    found = set[Value]()
    for chunk in () if heap is None else heap:
        if chunk.resource.kind is Kind.PREDICATE and chunk.value is not None:
            with contextlib.suppress(Unevaluable):
                found.add(reader.evaluator.value(chunk.value))
    return frozenset([value for value in found if isinstance(value, Structure) and value.args])


def _rests_on(snapshot: Value, contents_: frozenset[Value]) -> bool:
    """Whether some contents are a part of a snapshot."""
    if snapshot in contents_:
        return True
    return isinstance(snapshot, Structure) and any(_rests_on(a, contents_) for a in snapshot.args)


def nodes_at(sought: Sought, place: Span) -> Iterator[Node]:
    """What is written there: in the member, or in the contract of a callee."""
    for member in members_at(sought, place):
        yield from [node for node in descendants(member) if node.span == place]


def members_at(sought: Sought, place: Span) -> Iterator[Member]:
    """Those whose text has a place in it; macros may bring their own text into the member."""
    program = sought.run.program
    others = (program.methods, program.functions, program.predicates)
    for member in (sought.member, *[m for table in others for m in table.values()]):
        if member.span.file is place.file and member.span.start <= place.start < member.span.end:
            yield member
