"""Which functions of a program apply which others, with the cycles of this relation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pitviper.base.record import record
from pitviper.program.expr import FunctionApp
from pitviper.program.member import Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.walk import descendants

DISPATCH = "dispatch"
"""The annotation of methods of an interface: numbers of classes, each with the method it has."""


def dispatched(method: Method) -> list[tuple[int, str]]:
    """The methods that stand for one of an interface, by the numbers of their classes."""
    values = [v for note in method.annotations if note.key == DISPATCH for v in note.values]
    return [(int(n), name) for n, name in zip(values[::2], values[1::2], strict=True)]


@record
class CallGraph:
    """`calls` maps each function to those it applies anywhere in its contract or body.

    `components` are the strongly connected ones: a component comes after all those it calls, the
    functions of one stand in source order. `heights` numbers them, so an application of a function
    outside the caller's component goes to a smaller height.
    """

    calls: Mapping[str, tuple[str, ...]]
    components: tuple[tuple[str, ...], ...]
    heights: Mapping[str, int]

    def is_recursive(self, function: str) -> bool:
        """Whether a function reaches itself, directly or through others."""
        same_cycle = len(self.component(function)) > 1
        return same_cycle or function in self.calls[function]

    def component(self, function: str) -> tuple[str, ...]:
        """The function and those that reach it and are reached by it."""
        return self.components[self.heights[function]]

    def is_measured(self, function: str, program: Program) -> bool:
        """Whether measures decrease in the whole cycle of a function, contracts included."""
        return all(program.functions[name].measured for name in self.component(function))

    def same_component(self, one: str, other: str) -> bool:
        return self.heights[one] == self.heights[other]


def call_graph(program: Program) -> CallGraph:
    """The graph of all functions, edges from contracts (measures included) and bodies."""
    calls = {name: calls_of_function(f) for name, f in program.functions.items()}
    components = strongly_connected(calls)
    heights = {name: at for at, component in enumerate(components) for name in component}
    return CallGraph(calls, components, heights)


def calls_of_function(function: Function) -> tuple[str, ...]:
    parts: list[Node] = [*function.preconditions, *function.postconditions, *function.decreases]
    if function.body is not None:
        parts.append(function.body)
    return called_functions(parts)


def called_functions(nodes: Iterable[Node]) -> tuple[str, ...]:
    """The functions applied in the nodes, each once, in order of their first application."""
    found: dict[str, None] = {}
    for node in nodes:
        for inner in descendants(node):
            if isinstance(inner, FunctionApp):
                found[inner.function] = None
    return tuple(found)


def strongly_connected(graph: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Tarjan's algorithm with a stack of its own: successors' components come first.

    Targets that are no key of the graph are ignored. The nodes of a component keep the order of
    the keys, so the result depends on nothing but the graph.
    """
    search = _Search(graph)
    for node in graph:
        if node not in search.index:
            search.run(node)
    order = {node: at for at, node in enumerate(graph)}
    return tuple([tuple(sorted(c, key=order.__getitem__)) for c in search.components])


class _Search:
    """The state of one run of Tarjan's algorithm."""

    def __init__(self, graph: Mapping[str, Sequence[str]]) -> None:
        self.graph = graph
        self.index: dict[str, int] = {}
        self.low: dict[str, int] = {}
        self.open: list[str] = []
        self.is_open: set[str] = set()
        self.components: list[list[str]] = []

    def run(self, start: str) -> None:
        self._enter(start)
        path = [(start, iter(self.graph[start]))]
        while path:
            node, successors = path[-1]
            for target in successors:
                if target not in self.graph:
                    continue
                if target not in self.index:
                    self._enter(target)
                    path.append((target, iter(self.graph[target])))
                    break
                if target in self.is_open:
                    self.low[node] = min(self.low[node], self.index[target])
            else:
                path.pop()
                if path:
                    caller = path[-1][0]
                    self.low[caller] = min(self.low[caller], self.low[node])
                self._close(node)

    def _enter(self, node: str) -> None:
        self.index[node] = self.low[node] = len(self.index)
        self.open.append(node)
        self.is_open.add(node)

    def _close(self, node: str) -> None:
        """A node that reaches nothing older ends a component: all that is open since it."""
        if self.low[node] != self.index[node]:
            return
        component = [self.open.pop()]
        while component[-1] != node:
            component.append(self.open.pop())
        self.is_open.difference_update(component)
        self.components.append(component)
