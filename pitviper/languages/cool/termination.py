"""Pure methods end (section 3.6): each call in a body is earlier, deeper or about less.

A call of a pure method in the body of another is fine if the callee stands earlier in the text and
takes no more than the caller holds, if the call stands inside an `opening` and is about what was
inside, or if its precondition leaves some permission of the caller behind. A pure method with a
`decreases` clause is left to the proof of its measure.

In the paper an opened predicate is gone, and two permissions are about two places. Here pure
methods may look at what they opened, and `f(a, a)` may be called where `f` asks for permission to
both `a.x` and `b.x`. So the text has to tell that an instance or a place is another one.
"""

from __future__ import annotations

from pitviper.plugins.termination.deeper import (
    Application,
    Place,
    applications,
    asked,
    is_deeper,
    surely_held,
)
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program import stmt as s
from pitviper.program.callgraph import call_graph
from pitviper.program.walk import descendants
from pitviper.source.diagnostic import Diagnostic, Severity


def about_termination(program: m.Program) -> list[Diagnostic]:
    """An error for each call that may go on for ever."""
    order = {name: at for at, name in enumerate(program.functions)}
    found = []
    for function in program.functions.values():
        if function.body is None or function.decreases:
            continue
        for made in applications(function.body):
            callee = program.functions.get(made.app.function)
            if callee is None or callee.body is None or is_deeper(program, made):
                continue
            is_circle = _reaches(program, callee, function)
            is_earlier = order[callee.name] < order[function.name]
            if is_earlier and (not is_circle or _takes_no_more(function, callee, made)):
                continue
            if not _leaves_some(function, callee, made):
                stands = "earlier" if is_earlier else "later"
                found.append(_error(function, made, stands, is_circle=is_circle))
    return [*found, *_circular(program), *_promised(program)]


def _circular(program: m.Program) -> list[Diagnostic]:
    """An error for each precondition or measure that leads back to its own pure method."""
    graph = call_graph(program)
    found = []
    for name, function in program.functions.items():
        cycle = graph.components[graph.heights[name]]
        measured = [call for e in _measures(function) for call in _calls(e)]
        for call in [*[c for pre in function.preconditions for c in _calls(pre)], *measured]:
            if call.function in cycle:
                what = "measure" if call in measured else "precondition"
                way = "itself" if call.function == name else f"by `{call.function}`"
                message = f"the {what} of `{name}` asks for `{name}` {way}"
                cure = "say what it needs without calling it"
                if call in measured:
                    cure = "name something that gets smaller without calling it, such as a number"
                error = Severity.ERROR
                found.append(Diagnostic("typechecker.error", error, call.span, message, help=cure))
    return found


def _promised(program: m.Program) -> list[Diagnostic]:
    """An error for each postcondition that speaks of its own pure method without a measure."""
    cure = "write `result`, or `decreases` and a measure that gets smaller"
    return [
        Diagnostic(
            "termination.failed:not.smaller",
            Severity.ERROR,
            call.span,
            f"the postcondition of `{name}` speaks of `{call.function}`, which comes back to it",
            help=cure,
        )
        for name, function in program.functions.items()
        if not function.decreases
        for post in function.postconditions
        for call in _calls(post)
        if call.function == name
        or (
            _reaches(program, program.functions[call.function], function)
            and _reaches(program, function, program.functions[call.function])
        )
    ]


def _measures(function: m.Function) -> list[x.Expr]:
    clauses = [c for c in function.decreases if isinstance(c, s.DecreasesTuple)]
    return [measure for clause in clauses for measure in clause.measures]


def _calls(e: a.Assertion) -> list[x.FunctionApp]:
    return [node for node in descendants(e) if isinstance(node, x.FunctionApp)]


def _reached(start: str, asked: dict[str, list[x.FunctionApp]]) -> set[str]:
    """The functions that have to make sense before a call of one does."""
    found, todo = {start}, [start]
    while todo:
        for call in asked.get(todo.pop(), []):
            if call.function not in found:
                found.add(call.function)
                todo.append(call.function)
    return found


def _reaches(program: m.Program, start: m.Function, end: m.Function) -> bool:
    """Whether a call of one pure method can come to a call of another."""
    called = {
        name: [] if f.body is None else [made.app for made in applications(f.body)]
        for name, f in program.functions.items()
    }
    return end.name in _reached(start.name, called)


def _error(function: m.Function, made: Application, stands: str, *, is_circle: bool) -> Diagnostic:
    name, callee = function.name, made.app.function
    what = "itself" if callee == name else f"`{callee}`, which stands {stands},"
    cure = "write `decreases` and a measure that gets smaller"
    if made.opened:
        inside = ", ".join(sorted({f"`{instance.predicate}`" for instance in made.opened}))
        cure = (
            f"the call has to be about what {inside} contains, under the same conditions; or {cure}"
        )
    elif not is_circle:
        cure = f"put `{callee}` before `{name}`"
    else:
        cure = f"call it inside `opening ... in`, leave some permission behind, or {cure}"
    message = f"`{name}` might not end: it calls {what} about nothing smaller"
    error = Severity.ERROR
    return Diagnostic("termination.failed:not.smaller", error, made.app.span, message, help=cure)


def _takes_no_more(caller: m.Function, callee: m.Function, made: Application) -> bool:
    """Whether a call is about nothing but what the caller holds.

    Inside of an `opening` there is more: what is opened, and what was inside of it. A call about
    both could come back to the caller, which would open it again.
    """
    held = surely_held(caller.preconditions)
    return not made.opened or all(location in held for location in asked(callee, made.app))


def _leaves_some(caller: m.Function, callee: m.Function, made: Application) -> bool:
    """Whether the caller holds a location that is surely none of those that the call takes."""
    taken = asked(callee, made.app)
    held = surely_held(caller.preconditions)
    names = {_name(location) for location in taken}
    return all(location in held for location in taken) and any(
        _name(at) not in names for at in held
    )


def _name(location: Place) -> str:
    return location.field if isinstance(location, a.FieldLocation) else location.predicate
