"""Translation of functions, and the axioms that applications of them rest on.

NOTE(function-axioms). The body is translated in the state that inhaling the precondition from a
snapshot constant `s` gives, for constants as arguments; its value is a term over these, and that
term is the definition. Symbols made on the way become functions of them (see generalise.py). All of
it is guarded by the symbol that says that the precondition holds: for other snapshots nothing is
claimed. Without a precondition it always holds; so domain axioms may use such functions. None of it
is known while the function, or another one of its cycle, is verified: there only what its body
applies may be relied on (see function.py), because only that is known to be reached earlier.
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
from pitviper.engines.vcg.context import Context
from pitviper.engines.vcg.heap import snapshot as snapshots
from pitviper.engines.vcg.heap.total import lookup, own_entry
from pitviper.engines.vcg.heap.triggers import is_hint, is_location_trigger
from pitviper.engines.vcg.ivl.language import Assume, Block
from pitviper.engines.vcg.kinds import predicate_kind
from pitviper.engines.vcg.rules import evaluate as ev
from pitviper.engines.vcg.rules.exhale import exhale_clauses
from pitviper.engines.vcg.rules.generalise import Learnt, Mark, is_since, learnt, lifting
from pitviper.engines.vcg.rules.inhale import (
    check_exhaled,
    empty_heap,
    inhale_clauses,
    knowing_classes,
)
from pitviper.engines.vcg.state import State
from pitviper.program.assertion import PredicateLocation
from pitviper.program.member import Function
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.substitute import subterms
from pitviper.terms.term import App, Quantified, Term


@record
class Setting(FunctionSetting):
    """Symbols made after the mark, for the body, become functions of the variables."""

    mark: Mark

    def generalised(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        return lifting(self.constants, self.mark).terms(terms)


def translate_function(function: Function, cx: Context) -> tuple[Term, ...]:
    """Emit the checks of contract and body; the result are the axioms, if these checks succeed."""
    symbols, supply = cx.services.symbols, cx.services.supply
    at = Setting.of(function, symbols, supply, mark=supply.mark())
    exact = cx.services.options.respect_function_amounts
    inner = replace(cx, in_function=not exact, reading=not exact, function=function.name)
    store = {p.name: value for p, value in zip(function.params, at.args, strict=True)}
    st, contract = _precondition(State(store, empty_heap(cx)), at, inner)
    posts = _postconditions(st, at, contract, inner)
    basic = at.basic_axioms()
    for axiom in basic:
        cx.services.emitter.emit(Assume(axiom, origin="axiom"))
    return (*basic, *at.total_axioms(), *posts, *_body(st, at, contract, inner))


def _precondition(st: State, at: Setting, cx: Context) -> tuple[State, list[Learnt]]:
    """The state that the precondition describes; it is well-formed and has the snapshot."""
    clauses = at.function.preconditions
    check_exhaled(st, clauses, cx)  # before the other side, of which nothing is known here
    with cx.services.emitter.trial() as blocks:
        st = knowing_classes(st, at.function, cx)
        st = inhale_clauses(st, clauses, at.snap, "not.wellformed", cx)
        if clauses:
            st = cx.assume(st, tb.equal(at.snap, snapshots.shape(st, clauses, cx)))
    _again(blocks, cx)
    if clauses:
        st = cx.assume(st, at.holds)
    return st, learnt(blocks)


def _again(blocks: list[Block], cx: Context) -> None:
    """What was translated on trial becomes part of the procedure."""
    for block in blocks:
        for command in block.commands:
            cx.services.emitter.emit(command)


def _postconditions(st: State, at: Setting, contract: list[Learnt], cx: Context) -> list[Term]:
    """Postconditions make sense for any result; each holds for every application."""
    if not at.function.postconditions:
        return []
    inner = _in_contract(at, cx)
    with cx.services.emitter.trial() as blocks:
        inside, values = st.binding("result", at.limited), []
        for post in at.function.postconditions:
            value = ev.evaluate(inside, post, inner.proving("not.wellformed", post))
            inside = cx.assume(inside, value)
            values.append(value)
    with cx.services.emitter.side():
        _again(blocks, cx)
    premise, contract = _owed(contract, at)
    known = tb.implies(premise, _facts([*contract, *learnt(blocks)], [], at))
    promise = tb.implies(at.holds, tb.conjoin(*values))
    return [at.axiom(tb.conjoin(known, promise), [(at.limited,)], "post")]


def _owed(contract: list[Learnt], at: Setting) -> tuple[Term, list[Learnt]]:
    """The condition under which axioms hold, and what else is known of the precondition.

    Who applies a function whose precondition has pairs owes other sides than are assumed here. What
    it promises is known then, as of a method. What the assumed sides say is not known by having
    applied it: it is a condition of the definition and of all that was learnt.
    """
    if not is_judged_on_use(*at.function.preconditions):
        return at.holds, contract
    said = [
        each
        for each in contract
        if not is_hint(each.fact)
        and not any(_is_new(t, at) for t in subterms(each.closed) if t not in at.constants)
    ]
    premise = tb.conjoin(at.holds, *[each.closed for each in said])
    return premise, [each for each in contract if each not in said]


def _is_new(term: Term, at: Setting) -> bool:
    return isinstance(term, App) and is_since(term.symbol.name, at.mark)


def _in_contract(at: Setting, cx: Context) -> Context:
    """A postcondition is about the result: what it applies is not reached before that is there,
    unless measures say so."""
    services = cx.services
    measured = services.calls.is_measured(at.function.name, services.program)
    return replace(cx, in_contract=not measured)


def _facts(known: list[Learnt], values: list[Term], at: Setting) -> Term:
    facts = [each.closed for each in known if _concerns_value(each.fact, at)]
    return tb.conjoin(*facts, *values)


def _concerns_value(fact: Term, at: Setting) -> bool:
    """Quantifiers belong to the definition only if they are about symbols made for it, or about
    preconditions. Others, from contracts and predicates, would be stated again for every snapshot:
    the solver may then follow references through the heaps of all of them, in any order."""
    if is_hint(fact) or fact is at.holds:
        return False
    if not isinstance(fact, Quantified):
        return True
    return any(_is_own(t, at) for t in subterms(fact) if t not in at.constants)


def _is_own(term: Term, at: Setting) -> bool:
    if not isinstance(term, App):
        return False
    name = term.symbol.name
    return name.endswith("%precondition") or is_since(name, at.mark)


def _body(st: State, at: Setting, contract: list[Learnt], cx: Context) -> list[Term]:
    function = at.function
    if function.body is None:
        return []
    inner = cx.proving("function.not.wellformed", function)
    with cx.services.emitter.trial() as blocks:
        value = ev.evaluate(st, function.body, inner)
    _again(blocks, cx)
    result = cx.services.emitter.name("result", value)
    exhale_clauses(
        st.binding("result", result),
        function.postconditions,
        "postcondition.violated",
        function.name,
        _in_contract(at, cx).trusting_contract(*function.preconditions, *function.postconditions),
    )
    known = learnt(blocks)
    seen = [each.fact for each in known if is_location_trigger(each.fact)]
    premise, contract = _owed(contract, at)
    facts = _facts([*contract, *known], [*seen, tb.equal(at.full, value)], at)
    patterns = [(at.full,), *_unrolling_patterns(st, at, cx)]
    return [at.axiom(tb.implies(premise, facts), patterns, "definition"), *_unrolled(st, at, cx)]


# ---------------------------------------------------------------- unrolling


def _unrolling_patterns(st: State, at: Setting, cx: Context) -> list[tuple[Term, ...]]:
    """Where a predicate that the function looks into is folded or unfolded, the definition is
    instantiated for the instance's snapshot, if the function was applied to these arguments."""
    if is_opaque(at.function):
        return []
    patterns: dict[tuple[Term, ...], None] = {}
    for location in predicates_to_unroll(at.function, cx.services.calls):
        term = _trigger_of(st, location, cx)
        if term is None or not is_matchable((term,)):
            continue
        covered = set(subterms(term, at.anywhere))
        if set(at.constants) <= covered:
            patterns[(at.anywhere, term) if at.args else (term,)] = None
    return list(patterns)


def _unrolled(st: State, at: Setting, cx: Context) -> list[Term]:
    """As above, for instances that the precondition holds among many."""
    if is_opaque(at.function):
        return []
    axioms: dict[Term, None] = {}
    for location in opened_of_many(at.function, cx.services.calls):
        with cx.services.emitter.trial():
            index = tuple([ev.evaluate(st, arg, snapshots.quiet(cx)) for arg in location.args])
        symbol = cx.services.symbols.predicate_trigger(location.predicate)
        axioms.update(dict.fromkeys(at.unrolled_axioms(symbol, index)))
    return list(axioms)


def _trigger_of(st: State, location: PredicateLocation, cx: Context) -> Term | None:
    """The trigger term of an instance that the precondition holds."""
    with cx.services.emitter.trial():
        index = tuple([ev.evaluate(st, arg, snapshots.quiet(cx)) for arg in location.args])
        kind = predicate_kind(location.predicate, cx.services.symbols)
        if own_entry(st, st.heap, kind, index, cx) is None:
            return None
        value = _if_held(lookup(st, kind, index, cx))
    return tb.apply(cx.services.symbols.predicate_trigger(location.predicate), value, *index)


def _if_held(value: Term) -> Term:
    """The value of an instance where its amount is positive, whatever that depends on."""
    while isinstance(value, App) and value.symbol is op.ITE:
        value = value.args[1]
    return value
