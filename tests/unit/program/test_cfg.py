"""The control-flow graph: order, natural loops, edges out of loops, irreducible flow."""

import random

import pytest

from pitviper.program.cfg import FlowGraph, flow_graph
from pitviper.program.expr import BoolLit, IntLit, Var
from pitviper.program.stmt import Block, Goto, If, Label, LocalAssign, Stmt, While
from pitviper.program.types import BOOL, INT

C = Var("c", BOOL)


def block(*statements: Stmt) -> Block:
    return Block(statements)


def step(n: int) -> Stmt:
    return LocalAssign(Var("x", INT), IntLit(n))


def steps_in_order(graph: FlowGraph) -> list[int]:
    found = []
    for name in graph.order:
        for statement in graph.blocks[name].statements:
            if isinstance(statement, LocalAssign) and isinstance(statement.value, IntLit):
                found.append(statement.value.value)
    return found


@pytest.mark.smoke
def test_blocks_come_in_source_order() -> None:
    graph = flow_graph(block(step(1), If(C, block(step(2)), block(step(3))), step(4)))
    assert steps_in_order(graph) == [1, 2, 3, 4]
    assert graph.loops == {} and graph.irreducible == ()


def test_while_is_a_loop_with_one_back_edge() -> None:
    graph = flow_graph(block(While(C, (BoolLit(True),), (), block(step(1))), step(2)))
    ((head, members),) = graph.loops.items()
    edges = [e for b in graph.order for e in graph.blocks[b].edges]
    assert len(members) == 2 and graph.blocks[head].invariants == (BoolLit(True),)
    assert [e.target for e in edges if e.back] == [head]
    assert [e.target for e in edges if e.enters] == [head]
    assert [e.leaves for e in edges if e.leaves] == [(head,)]


def test_goto_back_to_a_label_makes_a_loop() -> None:
    head = Label("l", (BoolLit(True),))
    graph = flow_graph(block(head, If(C, block(step(1), Goto("l")), block()), step(2)))
    assert len(graph.loops) == 1
    assert [b.head for b in graph.blocks if b.head] == [head]


def test_label_with_invariant_that_heads_no_loop_is_ignored() -> None:
    label = Label("l", (BoolLit(True),))
    graph = flow_graph(block(label, step(1)))
    assert graph.loops == {}
    assert [b.ignored for b in graph.blocks if b.ignored] == [label]


def test_goto_leaves_two_loops_innermost_first() -> None:
    inner = While(C, (), (), block(If(C, block(Goto("out")), block())))
    graph = flow_graph(block(While(C, (), (), block(inner)), Label("out", ())))
    lengths = {head: len(members) for head, members in graph.loops.items()}
    left = [e.leaves for b in graph.order for e in graph.blocks[b].edges if len(e.leaves) == 2]
    assert len(left) == 1
    assert lengths[left[0][0]] < lengths[left[0][1]]


def test_self_loop() -> None:
    graph = flow_graph(block(Label("l", ()), Goto("l")))
    ((head, members),) = graph.loops.items()
    assert members == (head,)


def test_while_that_never_comes_back_still_has_its_invariant() -> None:
    loop = While(C, (BoolLit(False),), (), block(Goto("out")))
    graph = flow_graph(block(loop, Label("out", ())))
    assert [b.head for b in graph.blocks if b.head] == [loop]
    entering = [e for b in graph.order for e in graph.blocks[b].edges if e.enters]
    assert len(entering) == 1


def test_jump_into_a_loop_is_irreducible() -> None:
    loop = While(C, (), (), block(step(1), Label("inside", ()), step(2)))
    graph = flow_graph(block(If(C, block(Goto("inside")), block()), loop))
    assert graph.irreducible == (loop,)


def test_code_behind_a_goto_is_not_reached() -> None:
    graph = flow_graph(block(Goto("end"), step(1), Label("end", ()), step(2)))
    assert steps_in_order(graph) == [2]


def test_irreducible_flow_through_a_join_names_the_label() -> None:
    aside = Label("l", ())
    graph = flow_graph(block(If(C, block(aside), block()), Goto("l")))
    assert graph.irreducible == (aside,)
    assert graph.loops == {}


def test_self_loop_and_unreachable_code() -> None:
    label = Label("l", (BoolLit(True),))
    graph = flow_graph(block(label, Goto("l"), step(1), Label("dead", ()), step(2)))
    ((head, members),) = graph.loops.items()
    assert members == (head,) and graph.blocks[head].head == label
    assert steps_in_order(graph) == [] and graph.exit not in graph.order


def random_body(source: random.Random, depth: int, labels: list[str]) -> Block:
    statements: list[Stmt] = []
    for _ in range(source.randint(0, 4)):
        kind = source.choice(
            ["label", "label", "goto", "if", "while"] if depth else ["label", "goto"]
        )
        if kind == "label":
            labels.append(f"l{len(labels)}")
            statements.append(Label(labels[-1], ()))
        elif kind == "goto":
            statements.append(Goto(f"l{source.randint(0, 4)}"))
        elif kind == "while":
            statements.append(While(C, (), (), random_body(source, depth - 1, labels)))
        else:
            then = random_body(source, depth - 1, labels)
            statements.append(If(C, then, random_body(source, depth - 1, labels)))
    return Block(tuple(statements))


def reachable(edges: set[tuple[int, int]], start: int, without: int | None = None) -> set[int]:
    seen, todo = {start} - {without}, [start]
    while todo and start in seen:
        current = todo.pop()
        for source, target in edges:
            if source == current and target not in seen and target != without:
                seen.add(target)
                todo.append(target)
    return seen


def test_loops_agree_with_their_definition_on_random_bodies() -> None:
    """An edge is a back edge if its target cuts its source off from the entry when removed."""
    source = random.Random(3)
    for _ in range(400):
        graph = flow_graph(random_body(source, 2, []))
        blocks = reachable(
            {(e.source, e.target) for b in graph.blocks for e in b.edges}, graph.entry
        )
        assert set(graph.order) == blocks
        edges = {(e.source, e.target) for n in blocks for e in graph.blocks[n].edges}
        back = {
            (s, t) for s, t in edges if s == t or s not in reachable(edges, graph.entry, without=t)
        }
        found = {(e.source, e.target) for n in blocks for e in graph.blocks[n].edges if e.back}
        assert found == back
        forward = edges - back
        cyclic = any(s in reachable(forward, t) for s, t in forward)
        assert bool(graph.irreducible) == cyclic
        if not cyclic:
            place = {name: at for at, name in enumerate(graph.order)}
            assert all(place[s] < place[t] for s, t in forward)
            for s, t in back:
                assert {s, t} <= set(graph.loops[t])


def test_the_exit_comes_last_where_a_jump_leaves_a_loop() -> None:
    leave = If(C, block(Goto("done")), block())
    graph = flow_graph(block(Label("l", ()), leave, step(1), Goto("l"), Label("done", ()), step(2)))
    assert graph.order[-1] == graph.exit
    assert sorted(steps_in_order(graph)) == [1, 2]
