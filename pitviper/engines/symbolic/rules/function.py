"""Verification of functions, and the axioms that applications of them rest on.

NOTE(function-axioms). The body is evaluated in the states that producing the precondition from a
snapshot symbol `s` gives, and the joined value is a term over `s` and the arguments: that term is
the definition. Every symbol made on the way is a function of `s` and the arguments, so the facts
about it can be generalised with the definition. All of it is guarded by the symbol that says that
the precondition holds: for other snapshots nothing is claimed. Without a
precondition it always holds; so domain axioms, which say nothing about it, may use such functions.

NOTE(recursion). While a function is verified, the postconditions of its cycle are known for what
its body applies on the path, and for nothing else: only that is reached earlier. So the axioms
about them are guarded by the symbol that says so, and what postconditions apply tells nothing,
unless measures decrease in the whole cycle, postconditions included.
"""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.record import record, replace
from pitviper.encoding.triggers.sums import is_matchable
from pitviper.engines.shared.functions import (
    FunctionSetting,
    is_opaque,
    opened_of_many,
    predicates_to_unroll,
)
from pitviper.engines.shared.judgement import is_judged_on_use
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Chunk, plain, predicate_resource
from pitviper.engines.symbolic.outcomes import guard_since
from pitviper.engines.symbolic.rules import evaluate as ev
from pitviper.engines.symbolic.rules.clauses import (
    check_exhaled,
    consume_clauses,
    knowing_classes,
    produce_clauses,
)
from pitviper.engines.symbolic.services import Log
from pitviper.engines.symbolic.state import State
from pitviper.program.assertion import PredicateLocation
from pitviper.program.callgraph import called_functions
from pitviper.program.member import Function
from pitviper.solver.session import FactKind, Path
from pitviper.terms import build as tb
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function as FunctionSymbol
from pitviper.terms.term import App, Quantified, Term


@record
class Setting(FunctionSetting):
    """Symbols made for the body are functions of the constants already: these are replaced."""

    def generalised(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        binding: dict[Term, Term] = dict(zip(self.constants, self.variables, strict=True))
        return tuple([substitute(term, binding) for term in terms])


def verify_function(function: Function, cx: Context) -> tuple[Term, ...]:
    """Check contract and body; the result are the axioms that were earned."""
    at, inner, starts = _started(function, cx)
    facts = _check_postconditions(starts, at, inner)
    if _has_findings(cx):
        return ()
    basic, posts = at.basic_axioms(), _postcondition_axioms(at, at.holds, facts)
    if cx.services.calls.is_recursive(function.name) or _is_in_a_predicate(function, cx):
        inside = _postcondition_axioms(at, at.called, facts)
        cx.services.solver.declare([*basic, *inside, *_of_the_cycle(function, cx)])
    axioms = [*basic, *at.total_axioms(), *posts]
    definition = _check_body(starts, at, inner)
    if definition is not None and not _has_findings(cx):
        axioms += [definition, *_unrolled(starts, at, inner)]
    return tuple(axioms)


def _is_in_a_predicate(function: Function, cx: Context) -> bool:
    """Whether unfolding in its body may tell of applications of a function to what is inside."""
    if not function.postconditions:
        return False
    bodies = [p.body for p in cx.services.program.predicates.values() if p.body is not None]
    return function.name in called_functions(bodies)


def _of_the_cycle(function: Function, cx: Context) -> list[Term]:
    """What postconditions of the other functions of a cycle say about what is applied; whether
    they make sense is found out when their turn comes."""
    axioms: list[Term] = []
    for name in cx.services.calls.component(function.name):
        if name == function.name:
            continue
        other = cx.services.program.functions[name]
        trial = replace(cx, services=replace(cx.services, log=Log(), recorder=None))
        at, inner, starts = _started(other, trial)
        facts = _check_postconditions(starts, at, inner)
        if not _has_findings(trial):
            axioms += _postcondition_axioms(at, at.called, facts)
    return axioms


def _started(function: Function, cx: Context) -> tuple[Setting, Context, list[State]]:
    """The states that the precondition describes."""
    at = Setting.of(function, cx.services.symbols, cx.services.supply)
    exact = cx.services.options.respect_function_amounts
    modes = cx.modes.defining(function.name, exact=exact)
    inner = cx.depending_on(at.snap, *at.args).in_modes(modes)
    store = {p.name: value for p, value in zip(function.params, at.args, strict=True)}
    before = inner.assuming_from(f"precondition of {function.name}")
    start = knowing_classes(State(store), function, inner)
    starts = list(produce_clauses(start, function.preconditions, at.snap, "not.wellformed", before))
    check_exhaled(start, function.preconditions, "not.wellformed", before)
    return at, inner, starts


def _has_findings(cx: Context) -> bool:
    return bool(cx.services.log.findings or cx.services.log.undecided)


def _check_postconditions(starts: list[State], at: Setting, cx: Context) -> list[Term]:
    """Postconditions make sense for any result; each start state gives a guarded fact."""
    facts, inner = [], _in_contract(at, cx)
    for start in starts:
        st, values = start.binding("result", at.limited), []
        for post in at.function.postconditions:
            st, value = ev.evaluate(st, post, inner.proving("not.wellformed", post))
            st = st.assume(value)
            values.append(value)
        promise = tb.implies(guard_since(Path(), start.path), tb.conjoin(*values))
        facts.append(tb.conjoin(promise, _guarded(start, st.path, tb.TRUE, at)))
    return facts


def _in_contract(at: Setting, cx: Context) -> Context:
    services = cx.services
    measured = services.calls.is_measured(at.function.name, services.program)
    assert cx.modes.definition is not None
    definition = replace(cx.modes.definition, in_contract=not measured)
    return cx.in_modes(replace(cx.modes, definition=definition))


def _postcondition_axioms(at: Setting, guard: Term, facts: list[Term]) -> list[Term]:
    if not at.function.postconditions:
        return []
    body = tb.implies(guard, tb.conjoin(*facts))
    return [at.axiom(body, [(at.limited,)], "post")]


def _guarded(start: State, end: Path, value: Term, at: Setting) -> Term:
    """What is known at the end of a path, and a value, under the branches of the start state.

    Who applies a function whose precondition has pairs owes other sides than are
    assumed here. What it promises is known then, as of a method. What the assumed sides say is not
    known by having applied it: it is a condition of the definition and of all that was learnt.
    """
    guard = guard_since(Path(), start.path)
    premises: list[Term] = []
    if is_judged_on_use(*at.function.preconditions):
        premises = [e.fact for e in start.path.since(Path()) if e.kind is FactKind.PLAIN]
    learnt = [
        e.fact
        for e in end.since(Path())
        if e.kind is not FactKind.BRANCH and e.fact not in premises and _concerns_value(e.fact, at)
    ]
    return tb.implies(tb.conjoin(guard, *premises), tb.conjoin(*learnt, value))


def _concerns_value(fact: Term, at: Setting) -> bool:
    """Quantifiers belong to the definition only if they are about symbols made for it, or about
    preconditions. Others, from contracts and predicates, would be stated again for every snapshot:
    the solver may then follow references through the heaps of all of them, in any order."""
    if not isinstance(fact, Quantified):
        return True
    mark = f"@{at.function.name}."
    return any(
        isinstance(t, App)
        and isinstance(t.symbol, FunctionSymbol)
        and (mark in t.symbol.name or t.symbol.name.endswith("%precondition"))
        and t is not at.snap
        and t not in at.args
        for t in subterms(fact)
    )


def _check_body(starts: list[State], at: Setting, cx: Context) -> Term | None:
    function = at.function
    if function.body is None:
        return None
    values = []
    inner = cx.proving("function.not.wellformed", function)
    for start in starts:
        st, value = ev.evaluate(start, function.body, inner)
        values.append(_guarded(start, st.path, tb.equal(at.full, value), at))
        st, result = cx.named(st, "result", value)
        st = st.binding("result", result)
        for _ in consume_clauses(
            st.leaving(st.heap),
            function.postconditions,
            "postcondition.violated",
            function.name,
            _in_contract(at, cx),
        ):
            pass
    body = tb.implies(at.holds, tb.conjoin(*values))
    patterns = [(at.full,), *_unrolling_patterns(starts, at, cx)]
    return at.axiom(body, patterns, "definition")


# ---------------------------------------------------------------- unrolling


def _unrolling_patterns(starts: list[State], at: Setting, cx: Context) -> list[tuple[Term, ...]]:
    """Where a predicate that the function looks into is folded or unfolded, the definition is
    instantiated for the instance's snapshot, if the function was applied to these arguments."""
    if is_opaque(at.function):
        return []
    patterns: dict[tuple[Term, ...], None] = {}
    for location in predicates_to_unroll(at.function, cx.services.calls):
        for start in starts:
            term = _trigger_of(start, location, cx)
            covered = {v for t in (term, at.anywhere) if t is not None for v in _consts(t)}
            if term is not None and set(at.constants) <= covered and is_matchable((term,)):
                patterns[(at.anywhere, term) if at.args else (term,)] = None
    return list(patterns)


def _unrolled(starts: list[State], at: Setting, cx: Context) -> list[Term]:
    """As above, for instances that the precondition holds among many."""
    if is_opaque(at.function):
        return []
    axioms: dict[Term, None] = {}
    for location in opened_of_many(at.function, cx.services.calls):
        symbol = cx.services.symbols.predicate_trigger(location.predicate)
        for start in starts:
            _, index = ev.evaluate_all(start, location.args, cx.unjudged())
            axioms.update(dict.fromkeys(at.unrolled_axioms(symbol, index)))
    return list(axioms)


def _consts(term: Term) -> set[Term]:
    todo, found = [term], set[Term]()
    while todo:
        t = todo.pop()
        if t not in found:
            found.add(t)
            todo.extend(t.args)
    return found


def _trigger_of(st: State, location: PredicateLocation, cx: Context) -> Term | None:
    """The trigger term of an instance that the precondition holds."""
    _, args = ev.evaluate_all(st, location.args, cx.unjudged())
    resource = predicate_resource(location.predicate)
    single = [plain(chunk) for chunk in st.heap.quantified(resource)]
    for chunk in (*st.heap.of(resource), *single):
        if isinstance(chunk, Chunk) and chunk.args == args:
            symbol = cx.services.symbols.predicate_trigger(location.predicate)
            return tb.apply(symbol, chunk.value, *args)
    return None
