"""Where to look if what a method assumes contradicts itself: all that it believes without proof."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.qualified import ARRAY_LENGTH
from pitviper.program import expr as x
from pitviper.program import stmt as ps
from pitviper.program.callgraph import CallGraph, call_graph
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants, free_vars

_MANY = 4
"""So many places are named; with more of them the rule is better told in general."""

_SMOKE = "`--enableSmokeDetection` tells after which statement"


def believed(method: Method, program: Program) -> str:
    """Returns what to do about a method whose end is never reached."""
    empty = "anything is proved of this method"
    resources = next(_assumed_resources(method), None)
    if resources is not None:
        return (
            f"`{resources.span.text}` in line {resources.span.line} says that this is held already,"
            f" and gets nothing: write `inhale`, which does{_asked(resources, method)}; as it is, "
            f"{empty}"
        )
    named = list(dict.fromkeys(_believed(method, program)))
    if not named:
        return f"as it is, {empty}; {_SMOKE}"
    shown = named if len(named) <= _MANY else [*named[:_MANY], f"{len(named) - _MANY} more"]
    if len(shown) == 1:
        return f"as it is, {empty}: mend {shown[0]}"
    return f"as it is, {empty}: mend {', '.join(shown[:-1])} or {shown[-1]}; {_SMOKE}"


def _asked(assumed: ps.Inhale, method: Method) -> str:
    """The other way to have a permission that is assumed: to ask callers for it."""
    text = assumed.span.text.removeprefix("assume").strip()
    known = {param.name for param in method.params}
    if not free_vars(assumed.assertion) <= known or "\n" in text:
        return ""
    return f", or ask callers for it, `requires {text}`"


def _believed(method: Method, program: Program) -> Iterator[str]:
    """Statements first, in their order; then what functions say, axioms, the precondition."""
    inside = [] if method.body is None else list(descendants(method.body))
    for node in inside:
        match node:
            case ps.Inhale() if (word := _first_word(node)) in ("inhale", "assume"):
                yield f"`{word}` in line {node.span.line}"
            case ps.MethodCall() if _ensures(program.methods[node.method]):
                yield f"what {node.method} ensures"
            case ps.MethodCall() if program.methods[node.method].postconditions:
                yield f"what {node.method} ensures (if {node.method} does not verify)"
    graph = call_graph(program)
    for name in _applied([*inside, *descendants(method)], graph):
        function = program.functions[name]
        if name == ARRAY_LENGTH:
            continue  # nobody wrote it
        if _ensures(function):
            yield f"what {name} ensures"
        elif graph.is_recursive(name) and not graph.is_measured(name, program):
            yield f"the body of {name}, which need not end"
    for domain in program.domains.values():
        if domain.axioms:
            yield f"the axioms of {domain.name}"
    if method.preconditions:
        yield "the precondition"


def _first_word(node: Node) -> str:
    """What a statement begins with; nothing for one that nobody wrote."""
    return node.span.text.partition(" ")[0].partition("\n")[0]


def _assumed_resources(method: Method) -> Iterator[ps.Inhale]:
    """What `assume` was taken for: permissions are compared with what is held, not added."""
    for node in () if method.body is None else descendants(method.body):
        if isinstance(node, ps.Inhale) and node.span.text.startswith("assume"):
            looks = any(isinstance(part, x.CurrentPerm) for part in descendants(node))
            if looks and "perm" not in node.span.text:
                yield node


def _ensures(member: Method | Function) -> bool:
    return member.body is None and bool(member.postconditions)


def _applied(nodes: list[Node], graph: CallGraph) -> list[str]:
    """The functions that are applied, and those that these apply."""
    todo = [node.function for node in nodes if isinstance(node, x.FunctionApp)]
    found: dict[str, None] = {}
    while todo:
        name = todo.pop(0)
        if name not in found:
            found[name] = None
            todo += graph.calls[name]
    return list(found)
