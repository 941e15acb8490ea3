"""Definitions 3 and 4: when a method and a predicate are valid."""

from __future__ import annotations

from collections.abc import Iterable

from pitviper.encoding.inhale_exhale import exhaled_side
from pitviper.engines.shared.reach import (
    end_of,
    end_unreachable,
    is_by_assumption,
    is_false,
    says_unreachable,
)
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.ghost.hooks import Clauses, consume_helped, end_of_body
from pitviper.engines.symbolic.heap.chunk import EMPTY
from pitviper.engines.symbolic.rules.clauses import check_exhaled, knowing_classes, produce_clauses
from pitviper.engines.symbolic.rules.flow import execute_body
from pitviper.engines.symbolic.rules.produce import produce_all
from pitviper.engines.symbolic.state import PRE_STATE, State
from pitviper.program.cfg import jumped_over
from pitviper.program.member import Method, Predicate
from pitviper.program.never import never_holds
from pitviper.program.node import Node
from pitviper.program.stmt import Block
from pitviper.solver.session import CHECK, END, Path
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP


def verify_method(method: Method, cx: Context) -> None:
    """From the precondition, the body leads to the postcondition, whatever the arguments."""
    symbols = cx.services.symbols
    store = {
        v.name: cx.fresh(v.name, symbols.sort(v.type)) for v in (*method.params, *method.returns)
    }
    before = cx.assuming_from(f"precondition of {method.name}")
    start = knowing_classes(State(store), method, cx)
    produced = produce_clauses(start, method.preconditions, None, "not.wellformed", before)
    starts = [st.labelled(PRE_STATE, st.heap) for st in produced]
    check_exhaled(start, method.preconditions, "not.wellformed", before)
    _warn_if_unsatisfiable(starts, method, cx)
    for st in starts:
        _check_postconditions(st, method, cx)
    if method.body is not None:
        ends: list[State] = []
        before_body = len(cx.services.log.ended)
        for st in starts:
            for end in execute_body(_with_jumped_over(st, method.body, cx), method.body, cx):
                ends += _end(end, method, cx)
        _warn_if_unreachable(ends, cx.services.log.ended[before_body:], method, cx)


def _with_jumped_over(st: State, body: Block, cx: Context) -> State:
    """Variables whose declarations a jump may pass by have some value from the start."""
    for variable in jumped_over(body):
        st = st.binding(
            variable.name, cx.fresh(variable.name, cx.services.symbols.sort(variable.type))
        )
    return st


def _warn_if_unsatisfiable(starts: list[State], method: Method, cx: Context) -> None:
    """No call can ever meet such a precondition: all that follows holds for no reason."""
    if not method.preconditions or cx.reported:
        return
    never = any(never_holds(clause) for clause in method.preconditions)
    if never or all(cx.ask(st, tb.FALSE, CHECK).proved for st in starts):
        cx.warn(method.preconditions[0], f"the precondition of {method.name} is unsatisfiable")


def _check_postconditions(st: State, method: Method, cx: Context) -> None:
    """The postcondition must make sense on its own, from an empty heap."""
    start, clauses = st.holding(EMPTY), method.postconditions
    for _ in produce_clauses(start, clauses, None, "not.wellformed", cx):
        pass
    check_exhaled(start, clauses, "not.wellformed", cx)


def _end(st: State, method: Method, cx: Context) -> Iterable[State]:
    """The postcondition was found to make sense, or that was reported; now it must hold."""
    place = end_of_body(method)
    clauses = Clauses(method.postconditions, "postcondition.violated", method.name, place)
    return consume_helped(st, clauses, cx.trusting_contract(*method.postconditions))


def _warn_if_unreachable(ends: list[State], ended: list[Node], method: Method, cx: Context) -> None:
    """NOTE(end): all of `ends` are contradictory, or there is none.

    No proof rests on the questions, so that a recorder is not told.
    """
    log, place, said = cx.services.log, end_of(method), end_unreachable(method.name)

    def is_over(path: Path) -> bool:
        return cx.services.solver.entails(path, tb.FALSE, END, str(place)).proved

    if cx.reported or log.warnings or any(not is_over(st.path) for st in ends):
        return
    if says_unreachable(method, cx.services.program):
        return
    by_claims = any(not is_false(node) for node in ended)
    if by_claims or any(is_by_assumption(st.path, is_over) for st in ends):
        log.warnings[place, said] = said


def verify_predicate(predicate: Predicate, cx: Context) -> None:
    """The body must make sense on its own."""
    if predicate.body is None:
        return
    symbols = cx.services.symbols
    store = {p.name: cx.fresh(p.name, symbols.sort(p.type)) for p in predicate.params}
    inner = cx.proving("predicate.not.wellformed", predicate)
    snap = cx.fresh("snapshot", SNAP)
    start = knowing_classes(State(store), predicate, cx)
    for _ in produce_all(start, (predicate.body,), snap, inner):
        pass
    exhaled = exhaled_side(predicate.body)
    if exhaled is not predicate.body:
        for _ in produce_all(start, (exhaled,), None, inner):
            pass
