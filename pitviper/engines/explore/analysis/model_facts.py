"""What is known in each method of a model, from what is known where it is called.

Only members of the source are looked at so. Others may be run where no call instruction stands:
functions for a watched expression, bodies of quantifiers and scripts of wands by the runtime.
Of those that the runtime is given by name nothing is assumed at all.
"""

from __future__ import annotations

from collections.abc import Mapping

from pitviper.engines.explore.analysis.entry_facts import Calls, MethodFacts, method_facts
from pitviper.engines.explore.analysis.graph import graph_of
from pitviper.engines.explore.analysis.knowledge import (
    ALL,
    NOTHING,
    Fact,
    Interval,
    Knowledge,
    decide,
    fact_of,
    joined,
    range_of,
)
from pitviper.engines.explore.model.program import Call, Method, Model, subterms, terms_of
from pitviper.engines.explore.model.term import Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, INT


def model_facts(model: Model) -> dict[str, MethodFacts]:
    """Methods after those that call them; of methods that call each other nothing is assumed."""
    graphs = {name: graph_of(method) for name, method in model.methods.items()}
    callers, named = _callers(model.methods), _named(model.methods)
    waiting = {name: len(found) for name, found in callers.items()}
    ready = [name for name, count in waiting.items() if not count]
    called: dict[str, Calls] = {name: [] for name in model.methods}
    facts: dict[str, MethodFacts] = {}
    while len(facts) < len(model.methods):
        is_free = bool(ready)
        name = ready.pop(0) if ready else next(n for n in model.methods if n not in facts)
        method = model.methods[name]
        is_member = name == method.member and is_free and bool(callers[name])
        start = _start(method, called[name]) if is_member else NOTHING
        found = method_facts(method, graphs[name], start)
        facts[name] = MethodFacts() if name in named else found
        for call, known in found.calls:
            if call.method in called:
                called[call.method].append((call, NOTHING if name in named else known))
        for callee, calling in callers.items():
            if name in calling and callee not in facts:
                waiting[callee] -= 1
                if not waiting[callee]:
                    ready.append(callee)
    return facts


def admitted_by(entry: str, name: str, model: Model) -> Knowledge:
    """What is known of the parameters of a method where runs begin: what its precondition says.

    Nothing where the method may come to be called by what it calls.
    """
    callers = _callers(model.methods)
    above, todo = {name}, [name]
    while todo:
        for caller in callers[todo.pop()]:
            if caller == name:
                return NOTHING
            if caller not in above:
                above.add(caller)
                todo.append(caller)
    begun = method_facts(model.methods[entry], graph_of(model.methods[entry]))
    return _start(model.methods[name], [c for c in begun.calls if c[0].method == name])


def _callers(methods: Mapping[str, Method]) -> dict[str, dict[str, None]]:
    """By method, those that call it."""
    found: dict[str, dict[str, None]] = {name: {} for name in methods}
    for name, method in methods.items():
        for instruction in method.instructions:
            if isinstance(instruction, Call) and instruction.method in found:
                found[instruction.method][name] = None
    return found


def _named(methods: Mapping[str, Method]) -> frozenset[str]:
    """Methods whose names are arguments: of operators, or of what the runtime does itself."""
    found: dict[str, None] = {}
    for method in methods.values():
        for instruction in method.instructions:
            for term in [t for root in terms_of(instruction) for t in subterms(root)]:
                if isinstance(term, Operation) and term.tag in methods:
                    found[term.tag] = None
                elif isinstance(term, Literal) and isinstance(term.value, str):
                    found[term.value] = None
    return frozenset([name for name in found if name in methods])


def _start(method: Method, calls: Calls) -> Knowledge:
    """What all calls of a method agree on; a method that no run calls is left alone."""
    result: Knowledge | None = None
    for call, known in calls:
        here = _passed(method, call, known)
        result = here if result is None else joined(result, here)
    return NOTHING if result is None else result


def _passed(method: Method, call: Call, known: Knowledge) -> Knowledge:
    """What is known about the arguments of a call, in terms of the parameters."""
    ranges: dict[str, Interval] = {}
    facts: dict[Fact, bool] = {}
    names: dict[Term, Local] = {}
    for param, argument in zip(method.params, call.args, strict=True):
        numbers = range_of(argument, known)
        if param.type == INT and numbers != ALL:
            ranges[param.name] = numbers
        truth = decide(argument, known) if param.type == BOOLEAN else None
        if truth is not None:
            facts[fact_of(param)] = truth
        if isinstance(argument, Local):
            names.setdefault(argument, param)
    for fact, holds in known.facts.items():
        renamed = _renamed(fact.term, names)
        if renamed is not None:
            facts[fact_of(renamed)] = holds
    return Knowledge(ranges, facts)


def _renamed(term: Term, names: Mapping[Term, Local]) -> Term | None:
    """A term about arguments as one about parameters; None if it is about more."""
    match term:
        case Local():
            return names.get(term)
        case Literal():
            return term
        case Operation(operator, args, kind, tag):
            inner = [_renamed(a, names) for a in args]
            kept = [a for a in inner if a is not None]
            return Operation(operator, tuple(kept), kind, tag) if len(kept) == len(args) else None
        case _:
            return None
