"""Pure methods end (section 3.6): each call in a body is earlier, deeper or about less.

A call of a pure method in the body of another is fine if the callee stands earlier in the text, if
the call stands inside an `opening`, or if its precondition leaves some permission of the caller
behind. A pure method with a `decreases` clause is left to the proof of its measure.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.plugins.build import substitute
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants
from pitviper.source.diagnostic import Diagnostic, Severity


def about_termination(program: m.Program) -> list[Diagnostic]:
    """An error for each call that may go on for ever."""
    order = {name: at for at, name in enumerate(program.functions)}
    found = []
    for function in program.functions.values():
        if function.body is None or function.decreases:
            continue
        for call in _plain_calls(function.body):
            callee = program.functions.get(call.function)
            if callee is None or callee.body is None:
                continue
            if order[call.function] < order[function.name] or _leaves_some(function, callee, call):
                continue
            found.append(_error(function, call))
    return [*found, *_circular(program)]


def _circular(program: m.Program) -> list[Diagnostic]:
    """An error for each precondition that has to hold before it makes sense."""
    asked = {
        name: [c for pre in f.preconditions for c in _calls(pre)]
        for name, f in program.functions.items()
    }
    found = []
    for name, calls in asked.items():
        for call in calls:
            if name in _reached(call.function, asked):
                message = f"the precondition of `{name}` asks for `{name}` itself"
                cure = "say what it needs without calling it"
                error = Severity.ERROR
                found.append(Diagnostic("typechecker.error", error, call.span, message, help=cure))
    return found


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


def _error(function: m.Function, call: x.FunctionApp) -> Diagnostic:
    itself = "itself" if call.function == function.name else "a pure method that stands later"
    return Diagnostic(
        "termination.failed:not.smaller",
        Severity.ERROR,
        call.span,
        f"`{function.name}` might not end: it calls {itself} about nothing smaller",
        help="call it inside `opening ... in`, leave some permission behind, "
        "or write `decreases` and a measure",
    )


def _plain_calls(e: Node) -> Iterator[x.FunctionApp]:
    """The calls that stand in no `opening`."""
    if isinstance(e, x.Unfolding):
        for part in e.predicate.args:
            yield from _plain_calls(part)
        return
    if isinstance(e, x.FunctionApp):
        yield e
    for child in children(e):
        yield from _plain_calls(child)


def _leaves_some(caller: m.Function, callee: m.Function, call: x.FunctionApp) -> bool:
    """Whether the caller holds a location that the precondition of the call does not take."""
    values = {p.name: arg for p, arg in zip(callee.params, call.args, strict=True)}
    taken = [at for pre in callee.preconditions for at in _locations(substitute(pre, values))]
    held = [at for pre in caller.preconditions for at in _locations(pre)]
    return len(taken) < len(held) and all(location in held for location in taken)


def _locations(e: a.Assertion) -> list[a.Location]:
    return [node.location for node in descendants(e) if isinstance(node, a.Access)]
