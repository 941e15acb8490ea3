"""What a failing check looks at, and the sentence that says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from pitviper.base.qualified import call_words
from pitviper.base.record import replace
from pitviper.counterexample.bounded.reading import Reader
from pitviper.counterexample.bounded.values import Unevaluable
from pitviper.counterexample.problem import heap_holdings
from pitviper.counterexample.question import Question, Sought
from pitviper.counterexample.recorded_state import contents, values_of
from pitviper.engines.shared.members import Member
from pitviper.engines.symbolic.heap.chunk import Heap, Resource
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program.node import Node
from pitviper.program.walk import descendants
from pitviper.results.counterexample import NOW, Application, Focus, HeapState, Location
from pitviper.results.finding import Finding
from pitviper.solver.model import Element
from pitviper.source.span import Span
from pitviper.terms.operators import AT_MOST, EQUAL, LESS
from pitviper.terms.sort import REF
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Symbol
from pitviper.terms.term import App, Term

LONGEST = 100
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
    return Focus(
        tuple(dict.fromkeys([n for n in names if n != "null"])),
        tuple(dict.fromkeys(_named(locations, question, reader) or locations)),
        tuple([name for name, term in sought.variables.items() if term in mentioned]),
        _labels(question),
    )


def _labels(question: Question) -> tuple[str, ...]:
    """The labels of earlier states that the check speaks of; `old` is that of the start."""
    finding = question.finding
    if finding is None:
        return ()
    place = finding.offending or finding.span
    inner = [n for node in _nodes_at(question.sought, place) for n in descendants(node)]
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
                within[first] = within.get(first, ()) + texts
    instances = [
        replace(held, owns=owned.get(place, ()), inside=within.get(place, ()))
        for held in shown.instances
        for place in (names.get(held.text, -1),)
    ]
    return replace(shown, instances=tuple(instances))


def applications(reader: Reader, question: Question) -> tuple[Application, ...]:
    """Returns values of functions of the program, for the arguments that occur."""
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
            found.setdefault(text, Application(text, reader.value(value, symbol.range)))
    return tuple(list(found.values())[:MOST_APPLICATIONS])


def caption_of(question: Question, focus: Focus, reader: Reader) -> str:
    """Returns one sentence: what fails here, and why."""
    span, finding = question.span, question.finding
    if finding is None:
        if question.sought.typed is not None:
            return f"at line {span.line} the goal fails: {question.sought.typed} is false"
        way = f", if {question.way}" if question.way else ""
        return f"a state before line {span.line}: {_short(span)}{way}"
    what = _short(finding.offending or finding.span)
    witness = witness_of(question, reader)
    reasons = {
        "assertion.false": f"{what} is false{sides_of(question, reader) or witness}",
        "insufficient.permission": f"there is not enough permission to {what}{witness}",
        "division.by.zero": f"{what} is zero",
        "seq.index.negative": f"the index {what} is negative",
        "seq.index.length": f"the index {what} is too large",
        "map.key.contains": f"the key {what} is not in the map",
        "negative.permission": f"the amount {what} is negative",
        "permission.not.positive": f"the amount {what} is not positive",
        "qp.not.injective": f"two instances of {what} are the same location",
        "wand.not.found": f"the wand {what} is not held",
    }
    text = f"line {finding.span.line} fails: {reasons.get(finding.reason, finding.message)}"
    store = question.sought.names or question.sought.state.store
    referring = [
        f"{name} is {reader.shown(term).text}"
        for name, term in store.items()
        if term.sort is REF and _is_meant(name, what, focus, question)
    ]
    if referring and finding.reason == "insufficient.permission":
        text += f" ({', '.join(referring)})"
    return text


def _is_meant(name: str, what: str, focus: Focus, question: Question) -> bool:
    """Whether a reader wants to know which object a name stands for."""
    if question.sought.names is None:
        return name in focus.variables and name in question.types
    return re.search(rf"\b{re.escape(name)}\b", what) is not None


def _short(span: Span) -> str:
    text = " ".join(span.text.split())
    text = "(" * (text.count(")") - text.count("(")) + text  # a place begins behind its brackets
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def witness_of(question: Question, reader: Reader) -> str:
    """Returns ` for i = 0, j = 2`: the values for which a `forall` of the check does not hold.

    The verifier proves a `forall` for constants that stand for any value; they are in the goal.
    """
    sought, finding = question.sought, question.finding
    if sought.goal is None or finding is None:
        return ""
    store = sought.state.store if sought.names is None else sought.names
    mentioned = set(subterms(sought.goal))
    told = [
        f"{_BEFORE_RENAMING.sub('', name)} = {reader.shown(store[name]).text}"
        for name in _bound_at(sought, finding.offending or finding.span)
        if name in store and store[name] in mentioned
    ]
    return f" for {', '.join(told)}" if told else ""


def _bound_at(sought: Sought, place: Span) -> dict[str, None]:
    """The variables of the quantifiers around a place and inside of it."""
    found: dict[str, None] = {}
    for member in _members_at(sought, place):
        for node in descendants(member):
            if isinstance(node, pe.Forall | pa.QuantifiedPermission):
                around = node.span.start <= place.start and place.end <= node.span.end
                inside = place.start <= node.span.start and node.span.end <= place.end
                if node.span.file is place.file and (around or inside):
                    found.update(dict.fromkeys([v.name for v in node.variables]))
    return found


_BEFORE_RENAMING = re.compile(r"\$\d+$")
_SIGNS: Final[dict[Symbol, str]] = {EQUAL: "==", LESS: "<", AT_MOST: "<="}
_TURNED: Final = {"<": ">", "<=": ">="}

Comparison: TypeAlias = pe.Compare | pe.Equal | pe.NotEqual


def sides_of(question: Question, reader: Reader) -> str:
    """Returns ` (-1 >= 0)`; nothing where there is no comparison, or a side has no value."""
    sought, finding = question.sought, question.finding
    if sought.goal is None or finding is None:
        return ""
    nodes = _nodes_at(sought, finding.offending or finding.span)
    written = next((node for node in nodes if isinstance(node, Comparison)), None)
    found = _as_written(sought, written) or _as_encoded(sought.goal, written)
    if found is None:
        return ""
    left, sign, right = found
    tags = [adt.tag for adt in reader.evaluator.interpretation.theories.adts.values()]
    if isinstance(left, App) and left.symbol in tags:
        return ""  # `l.isNil` is no comparison for a reader
    one, other = reader.shown(left).text, reader.shown(right).text
    return "" if "..." in (one, other) else f" ({one} {sign} {other})"


def _nodes_at(sought: Sought, place: Span) -> Iterator[Node]:
    """What is written there: in the member, or in the contract of a callee."""
    for member in _members_at(sought, place):
        yield from [node for node in descendants(member) if node.span == place]


def _members_at(sought: Sought, place: Span) -> Iterator[Member]:
    """Those whose text has a place in it; macros may bring their own text into the member."""
    program = sought.run.program
    others = (program.methods, program.functions, program.predicates)
    for member in (sought.member, *[m for table in others for m in table.values()]):
        if member.span.file is place.file and member.span.start <= place.start < member.span.end:
            yield member


def _as_written(sought: Sought, node: Comparison | None) -> tuple[Term, str, Term] | None:
    """If it means the goal in this state: in a contract, names can mean something else."""
    if node is None:
        return None
    nodes = (node, node.left, node.right)
    here = sought.state.storing(sought.names or sought.state.store)
    values = values_of(nodes, replace(sought, state=here), "assert.failed", "%sides")
    if isinstance(values, Finding) or values[0].term is not sought.goal:
        return None
    return values[1].term, _sign(node), values[2].term


def _as_encoded(goal: Term, node: Comparison | None) -> tuple[Term, str, Term] | None:
    """The solver's comparison says the same, maybe the other way round."""
    if not isinstance(goal, App) or goal.symbol not in _SIGNS:
        return None
    left, right = goal.args
    if isinstance(node, pe.Compare) and node.op.value == _TURNED.get(_SIGNS[goal.symbol]):
        return right, node.op.value, left
    return left, _SIGNS[goal.symbol], right


def _sign(node: Comparison) -> str:
    if isinstance(node, pe.Compare):
        return node.op.value
    return "==" if isinstance(node, pe.Equal) else "!="
