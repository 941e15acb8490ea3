"""Recursive functions without a measure: nobody proves that they end, but what they say is used.

A function that does not end satisfies every postcondition, and its definition may contradict
itself: `function f(x: Int): Int { f(x) + 1 }` proves everything. Where no clause says for all
arguments that it ends (`decreases *` says nothing, one with a condition not all), the form of its
recursive applications may: they pass on a smaller part of a parameter, a number that comes nearer
to a bound that a condition or the precondition has, or are made inside of a predicate instance,
about another one. This is a guess and proves nothing; it only decides who is warned.
"""

from __future__ import annotations

from pitviper.plugins.termination.deeper import (
    Application,
    Truth,
    applications,
    facts_of,
    is_the_same,
)
from pitviper.program import expr as pe
from pitviper.program.callgraph import CallGraph, call_graph
from pitviper.program.member import Function, Program
from pitviper.program.node import Node
from pitviper.program.stmt import DecreasesStar, DecreasesTuple, DecreasesWildcard
from pitviper.program.walk import free_vars
from pitviper.source.diagnostic import Diagnostic, Related, Severity

CODE = "termination.unmeasured"


def about_unmeasured(program: Program, *, strict: bool, proved: bool) -> tuple[Diagnostic, ...]:
    """Returns a warning, or an error, for each recursive function of which nothing says that it
    ends. Unless clauses are `proved`, only `decreases _` says so."""
    promises = _promises if proved else _is_believed
    open_ = [f for f in program.functions.values() if f.body is not None and not promises(f)]
    if not any(_applications(f) for f in open_):
        return ()
    graph = call_graph(program)
    found = [(f, _endless(f, graph, program)) for f in open_ if graph.is_recursive(f.name)]
    severity = Severity.ERROR if strict else Severity.WARNING
    return tuple([_told(f, app, severity) for f, app in found if app is not None])


def _promises(function: Function) -> bool:
    """Whether a clause says that the function ends, whatever its arguments are."""
    return any(
        isinstance(clause, DecreasesTuple | DecreasesWildcard) and clause.condition is None
        for clause in function.decreases
    )


def _is_believed(function: Function) -> bool:
    """Whether the function is said to end without a proof, whatever its arguments are."""
    return any(
        isinstance(clause, DecreasesWildcard) and clause.condition is None
        for clause in function.decreases
    )


def _told(function: Function, app: pe.FunctionApp, severity: Severity) -> Diagnostic:
    clauses = [c for c in function.decreases if not isinstance(c, DecreasesStar)]
    conditional = bool(clauses) and all(c.condition is not None for c in clauses)
    where = " where no condition of its clauses holds" if conditional else ""
    return Diagnostic(
        CODE,
        severity,
        function.span,
        f"nothing says that function {function.name} ends{where}: what it says is believed all the"
        " same, and may be wrong",
        (Related(app.span, "applied again here"),),
        help=_same_again(function, app) or _cure(function),
    )


def _same_again(function: Function, app: pe.FunctionApp) -> str | None:
    """The body applies the function to its own arguments, which no measure proves to end."""
    own = tuple([p.name for p in function.params])
    given = tuple([arg.name if isinstance(arg, pe.Var) else None for arg in app.args])
    body = function.body
    if body is None or app.function != function.name or given != own:
        return None
    if not body.span.start <= app.span.start < body.span.end:
        return None
    told = f"`{function.name}({', '.join(own)})` needs its own value here, and so never ends"
    if not own:
        return f"{told}: leave it out of the body"
    return f"{told}: apply it to something smaller, and not at all in the smallest case"


def _cure(function: Function) -> str:
    both = "a `decreases` clause has it proved; `decreases _` says that it ends without proof"
    if not function.decreases:
        return both
    if all(isinstance(clause, DecreasesStar) for clause in function.decreases):
        return f"`decreases *` promises nothing: {both}"
    if _promises(function):
        return "its `decreases` clause is not checked in this run: leave out what turns that off"
    return "say `decreases ...` for the other arguments, too, or exclude them by `requires`"


def _applications(function: Function) -> list[Application]:
    """The applications of functions in body and postconditions."""
    parts: list[Node] = [*function.postconditions]
    if function.body is not None:
        parts.append(function.body)
    return [found for part in parts for found in applications(part)]


def _endless(function: Function, graph: CallGraph, program: Program) -> pe.FunctionApp | None:
    """The first recursive application that does not look as if it came to an end."""
    required = facts_of(function.preconditions)
    for found in _applications(function):
        if not graph.same_component(function.name, found.app.function):
            continue
        goes_in = found.opened and not is_the_same(program, found)
        known = found.when | required
        smaller = found.when and any(
            _comes_to_an_end(arg, found.app, function, known) for arg in found.app.args
        )
        if not (goes_in or smaller):
            return found.app
    return None


def _comes_to_an_end(
    arg: pe.Expr, app: pe.FunctionApp, function: Function, known: frozenset[Truth]
) -> bool:
    """Whether an argument is a smaller part of a parameter, or a number that has a bound where it
    goes to: one that does not go along with it."""
    parameters = {p.name: at for at, p in enumerate(function.params)}
    step = _step(arg, set(parameters))
    if step is None:
        return not isinstance(arg, pe.IntArith) and is_smaller(arg, set(parameters))
    name, down = step
    for fact, truth in known:
        if not isinstance(fact, pe.Compare):
            continue
        low, high = (fact.left, fact.right) if truth else (fact.right, fact.left)
        counted, bound = (high, low) if down else (low, high)
        if name not in free_vars(counted) or name in free_vars(bound):
            continue
        others = [(q, app.args[parameters[q]]) for q in free_vars(bound) if q in parameters]
        if app.function != function.name or all(_stays(q, to, down=down) for q, to in others):
            return True
    return False


def _stays(name: str, arg: pe.Expr, *, down: bool) -> bool:
    """Whether a parameter of a bound is passed on as it is, or comes nearer as well."""
    if isinstance(arg, pe.Var) and arg.name == name:
        return True
    step = _step(arg, {name})
    return step is not None and step[1] is not down


def _step(e: pe.Expr, parameters: set[str]) -> tuple[str, bool] | None:
    """The parameter that an argument is made from by steps, and whether they lead down."""
    match e:
        case pe.IntArith(op, inner, pe.IntLit(value)) if value > 0 and op in _STEPS:
            down = op is not pe.IntOp.ADD
        case pe.IntArith(pe.IntOp.ADD, pe.IntLit(value), inner) if value > 0:
            down = False
        case _:
            return None
    if isinstance(inner, pe.Var) and inner.name in parameters:
        return inner.name, down
    further = _step(inner, parameters)
    return further if further is not None and further[1] is down else None


_STEPS = (pe.IntOp.SUB, pe.IntOp.ADD, pe.IntOp.DIV)


def is_smaller(e: pe.Expr, parameters: set[str]) -> bool:
    """Whether an argument is made from a parameter in a way that comes to an end."""
    match e:
        case pe.IntArith(pe.IntOp.SUB | pe.IntOp.ADD | pe.IntOp.DIV, inner, pe.IntLit(value)):
            return value > 0 and _is_of(inner, parameters)
        case pe.SeqTake(inner) | pe.SeqDrop(inner) | pe.SeqIndex(inner):
            return _is_of(inner, parameters)
        case pe.SetBinary(pe.SetOp.DIFFERENCE, inner):
            return _is_of(inner, parameters)
        case pe.Destruct(receiver):
            return _is_of(receiver, parameters)
        case pe.DomainApp(args=args):
            return any(_is_of(arg, parameters) for arg in args)
        case _:
            return False


def _is_of(e: pe.Expr, parameters: set[str]) -> bool:
    """A parameter, or what is smaller than one."""
    return (isinstance(e, pe.Var) and e.name in parameters) or is_smaller(e, parameters)
