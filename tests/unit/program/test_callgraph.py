"""Call graphs, their components and heights."""

from __future__ import annotations

import random

import pytest

from pitviper.program.callgraph import call_graph, called_functions, strongly_connected
from pitviper.program.expr import Equal, Expr, FunctionApp, IntLit, Result
from pitviper.program.member import Function, Program
from pitviper.program.stmt import DecreasesTuple
from pitviper.program.types import INT


def app(name: str, *args: Expr) -> FunctionApp:
    return FunctionApp(name, args, INT)


def program(*functions: Function) -> Program:
    return Program({}, {}, {f.name: f for f in functions}, {}, {}, {})


def test_edges_come_from_contracts_measures_and_bodies() -> None:
    pre, post = (Equal(app("a"), IntLit(1)),), (Equal(Result(INT), app("b")),)
    f = Function("f", (), INT, pre, post, (DecreasesTuple((app("c"),), None),), app("d", app("a")))
    others = [Function(name, (), INT, (), (), (), None) for name in "abcd"]
    graph = call_graph(program(f, *others))
    assert graph.calls["f"] == ("a", "b", "c", "d")
    assert graph.components == (("a",), ("b",), ("c",), ("d",), ("f",))
    assert not graph.is_recursive("f")


@pytest.mark.smoke
def test_cycles_are_components_in_source_order_below_their_callers() -> None:
    def f(name: str, *calls: str) -> Function:
        body = app("sum", *[app(call) for call in calls]) if calls else None
        return Function(name, (), INT, (), (), (), body)

    graph = call_graph(
        program(f("top", "z", "y"), f("z", "y"), f("y", "z", "self"), f("self", "self"))
    )
    assert graph.components == (("self",), ("z", "y"), ("top",))
    assert graph.heights == {"self": 0, "z": 1, "y": 1, "top": 2}
    assert [graph.is_recursive(name) for name in ("top", "z", "y", "self")] == [
        False,
        True,
        True,
        True,
    ]
    assert graph.same_component("z", "y")
    assert not graph.same_component("top", "y")


def test_called_functions_keep_the_order_of_their_first_application() -> None:
    assert called_functions([app("b", app("a")), app("c"), app("a")]) == ("b", "a", "c")


def test_a_long_chain_needs_no_deep_stack() -> None:
    size = 30_000
    chain = {str(at): [str(at + 1)] for at in range(size)}
    chain[str(size)] = ["0"]
    assert strongly_connected(chain) == (tuple(map(str, range(size + 1))),)


def reaches(graph: dict[str, list[str]], start: str) -> set[str]:
    seen, todo = {start}, [start]
    while todo:
        for target in graph[todo.pop()]:
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def test_components_agree_with_mutual_reachability_on_random_graphs() -> None:
    source = random.Random(7)
    for _ in range(300):
        names = [str(at) for at in range(source.randint(1, 8))]
        graph = {name: source.choices(names, k=source.randint(0, 3)) for name in names}
        components = strongly_connected(graph)
        reach = {name: reaches(graph, name) for name in names}
        assert sorted(name for c in components for name in c) == sorted(names)
        height = {name: at for at, c in enumerate(components) for name in c}
        for one in names:
            for other in names:
                together = other in reach[one] and one in reach[other]
                assert (height[one] == height[other]) == together
            assert all(height[target] <= height[one] for target in graph[one])
