"""Application of functions: their body is run, or the solver chooses their value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.base.record import record, replace
from pitviper.engines.explore.model.program import Method
from pitviper.engines.explore.model.term import Local, Operation, Term
from pitviper.engines.explore.model.types import HEAP
from pitviper.engines.explore.viper import assertions
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.emitter import (
    HEAP_NAME,
    Emitter,
    Obligation,
    Scope,
    boolean,
    text,
)
from pitviper.engines.explore.viper.types import model_type
from pitviper.program import expr as pe
from pitviper.program.assertion import Access
from pitviper.program.member import Function
from pitviper.program.pairs import has_pairs
from pitviper.program.walk import descendants

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation


def apply(e: pe.FunctionApp, sc: Scope, out: Emitter, tr: Translation) -> Term:
    """The precondition is checked here, with only zero or not of each amount."""
    function = tr.program.functions[e.function]
    args = [out.keep(rules.lower(arg, sc, out, tr)) for arg in e.args]
    names: dict[str, Term] = {p.name: a for p, a in zip(function.params, args, strict=True)}
    blame = Obligation("application.precondition", e.span, sc.obligation.member, (function.name,))
    inner = replace(
        sc,
        names=names,
        old={},
        result=None,
        binary=not tr.options.exact_amounts,
        obligation=blame,
        held=sc.heap,
        outer=None,
    )
    is_opaque = hides_body(function)
    is_chosen = function.body is None or is_opaque
    footprint = out.new_heap("heap.empty") if is_chosen else None
    if tr.is_nested(function.name) and function.preconditions:
        out.unsupported(f"{function.name} in its own contract")
    else:
        with tr.inside_precondition(function.name):
            held = out.new_heap("heap.copy", sc.heap) if tr.options.exact_amounts else sc.heap
            way = assertions.Loss(held, footprint) if footprint else assertions.Loss(held)
            for clause in function.preconditions:
                assertions.transfer(clause, inner, way, out, tr)
    _remark(function, out)
    result = out.local(model_type(function.result), function.name)
    if footprint is not None:
        abstract = _Abstract(function, args, footprint)
        _choose_value(abstract, replace(inner, result=result), out, tr)
    if footprint is None or (is_opaque and e.reveal):
        value = out.local(result.type, function.name)
        tr.need_function(function.name)
        out.call(method_name(function.name), (sc.heap, *args), (value,))
        if footprint is not None:
            out.assume(boolean("equal", result, value))
        return value
    return result


def hides_body(function: Function) -> bool:
    """Whether a function with a body is whatever its promises allow, unless it is revealed."""
    return function.body is not None and any(n.key == "opaque" for n in function.annotations)


def _remark(function: Function, out: Emitter) -> None:
    """What a run does with a function that verifiers do not do."""
    name = function.name
    if any(map(has_pairs, function.preconditions)):
        out.native("remark", text(f"the assumed side of a precondition of {name} was left out"))


def method_name(function: str) -> str:
    return f"function {function}"


@record
class _Abstract:
    """An application of a function whose body is not known, with the part of the heap it reads."""

    function: Function
    args: list[Local]
    footprint: Local


def _choose_value(app: _Abstract, sc: Scope, out: Emitter, tr: Translation) -> Term:
    """Any value that the postconditions allow, the same for the same part of the heap.

    Of `[A, B]` in a postcondition that is A, also where the application stands in an assertion.
    """
    function, args = app.function, app.args
    name = tr.function_table(function)
    result = sc.result
    assert isinstance(result, Local)
    reads = any(isinstance(n, Access) for c in function.preconditions for n in descendants(c))
    if reads:
        out.native("function.abstract", text(name), app.footprint, *args, to=(result,))
    else:
        out.assign(result, Operation("table", tuple(args), result.type, name))
    if tr.is_nested(function.name):
        if reads or not tr.is_promising(function.name, tuple(args)):
            out.native("remark", text(f"a promise of {function.name} was left out"))
        return result
    with tr.inside_promise(function.name, tuple(args)):
        for clause in function.postconditions:
            blame = Obligation("not.wellformed", clause.span, function.name)
            promised = replace(sc, assuming=True).proving(blame)
            out.assume(rules.lower(clause, promised, out, tr))
    return result


def function_method(function: Function, tr: Translation) -> Method:
    """The body, evaluated on the heap of whoever applies the function; then its promises.

    What of a promise is only assumed by those who apply the function, runs assume, too.
    """
    assert function.body is not None
    out = Emitter(function.name)
    out.span, out.tells_parts = function.body.span, True
    heap = Local(HEAP_NAME, HEAP)
    params = tuple([Local(p.name, model_type(p.type)) for p in function.params])
    names: dict[str, Term] = {p.name: p for p in params}
    blame = Obligation("function.not.wellformed", function.span, function.name)
    result = Local("%result", model_type(function.result))
    sc = Scope(names, heap, heap, {}, blame, result, binary=True)
    out.assign(result, rules.lower(function.body, sc, out, tr))
    for clause in function.postconditions:
        whole = Obligation("not.wellformed", clause.span, function.name)
        condition = rules.lower(clause, replace(sc, assuming=False).proving(whole), out, tr)
        broken = Obligation("postcondition.violated", clause.span, function.name, (function.name,))
        out.check(boolean("and", condition), broken.blame("assertion.false", clause, clause))
        if has_pairs(clause):
            out.assume(rules.lower(clause, sc.proving(whole), out, tr))
    return out.method(method_name(function.name), (heap, *params), (result,))
