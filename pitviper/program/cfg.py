"""The control-flow graph of a body: blocks of simple statements, edges, natural loops.

`if`, `while`, `goto` and `label` become edges. A loop head is a `while`, or a label that dominates
the source of an edge back to it. A graph in which some loop can be entered past its head
(irreducible flow) has no natural loops: it is reported with the labels at fault.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.program import stmt as ps
from pitviper.program.assertion import Assertion
from pitviper.program.expr import Expr, Var
from pitviper.program.stmt import Block, Goto, If, Label, Stmt, While
from pitviper.program.walk import descendants

BlockId = int


@record
class Edge:
    """From `source` to `target`; taken if `condition` has the value `when` (None: always).

    `leaves` are the heads of the loops that the edge leaves, innermost first. `enters` says that
    the target is a loop head reached from outside its loop, `back` that it is reached from inside.
    """

    source: BlockId
    target: BlockId
    condition: Expr | None = None
    when: bool = True
    leaves: tuple[BlockId, ...] = ()
    enters: bool = False
    back: bool = False


@record
class BasicBlock:
    """Statements without control flow. `head` is the statement whose invariants hold here, if the
    block is a loop head; `ignored` is a label that declares invariants without heading a loop."""

    id: BlockId
    statements: tuple[Stmt, ...]
    edges: tuple[Edge, ...]
    head: While | Label | None = None
    ignored: Label | None = None

    @property
    def invariants(self) -> tuple[Assertion, ...]:
        return () if self.head is None else self.head.invariants


@record
class FlowGraph:
    """`order` lists the reachable blocks so that every edge but back edges goes forward.

    `loops` maps a loop head to the blocks of its loop, in order. `irreducible` holds the labels and
    loops that flow enters past their head; engines must refuse such a body.
    """

    blocks: tuple[BasicBlock, ...]
    entry: BlockId
    exit: BlockId
    order: tuple[BlockId, ...]
    loops: dict[BlockId, tuple[BlockId, ...]]
    irreducible: tuple[While | Label, ...]


def flow_graph(body: Block) -> FlowGraph:
    """The graph of a body. Code that no path reaches has no block in `order`."""
    builder = _Builder()
    entry = builder.open_block()
    last = builder.add(body.statements, entry)
    exit_block = builder.open_block()
    builder.link(last, exit_block)
    builder.resolve_gotos(exit_block)
    return _analyse(builder, entry, exit_block)


class _Builder:
    """Mutable while the graph grows; frozen blocks are made from it at the end."""

    def __init__(self) -> None:
        self.statements: list[list[Stmt]] = []
        self.edges: list[list[Edge]] = []
        self.heads: dict[BlockId, While | Label] = {}
        self.labels: dict[str, BlockId] = {}
        self.gotos: list[tuple[BlockId, str]] = []

    def open_block(self) -> BlockId:
        self.statements.append([])
        self.edges.append([])
        return len(self.statements) - 1

    def link(
        self, source: BlockId, target: BlockId, condition: Expr | None = None, *, when: bool = True
    ) -> None:
        self.edges[source].append(Edge(source, target, condition, when))

    def add(self, statements: tuple[Stmt, ...], current: BlockId) -> BlockId:
        """Add statements behind block `current`; the result is the block where flow goes on."""
        for statement in statements:
            match statement:
                case Block():
                    current = self.add(statement.statements, current)
                case If():
                    current = self.add_if(statement, current)
                case While():
                    current = self.add_while(statement, current)
                case Label():
                    current = self.add_label(statement, current)
                case Goto():
                    self.gotos.append((current, statement.target))
                    current = self.open_block()
                case _:
                    self.statements[current].append(statement)
        return current

    def add_if(self, statement: If, current: BlockId) -> BlockId:
        then, otherwise = self.open_block(), self.open_block()
        self.link(current, then, statement.condition, when=True)
        self.link(current, otherwise, statement.condition, when=False)
        then_end = self.add(statement.then.statements, then)
        otherwise_end = self.add(statement.otherwise.statements, otherwise)
        after = self.open_block()
        self.link(then_end, after)
        self.link(otherwise_end, after)
        return after

    def add_while(self, statement: While, current: BlockId) -> BlockId:
        head = self.open_block()
        self.heads[head] = statement
        self.link(current, head)
        body, after = self.open_block(), self.open_block()
        self.link(head, body, statement.condition, when=True)
        self.link(head, after, statement.condition, when=False)
        self.link(self.add(statement.body.statements, body), head)
        return after

    def add_label(self, statement: Label, current: BlockId) -> BlockId:
        block = self.open_block()
        self.heads[block] = statement
        self.labels[statement.name] = block
        self.statements[block].append(statement)
        self.link(current, block)
        return block

    def resolve_gotos(self, exit_block: BlockId) -> None:
        """Link gotos; a goto to a label that the checker did not find leaves the body."""
        for source, target in self.gotos:
            self.link(source, self.labels.get(target, exit_block))


def _analyse(builder: _Builder, entry: BlockId, exit_block: BlockId) -> FlowGraph:
    order, retreating = _depth_first(builder.edges, entry)
    dominator = _immediate_dominators(builder.edges, order)
    back = {pair for pair in retreating if _dominates(dominator, pair[1], pair[0])}
    wrong = _entered_aside(builder, order, retreating - back)
    loops = _natural_loops(builder, order, back)
    members = {head: frozenset(inside) for head, inside in loops.items()}
    count = len(builder.statements)
    blocks = tuple([_freeze(builder, block, members, back) for block in range(count)])
    return FlowGraph(blocks, entry, exit_block, _exit_last(order, exit_block), loops, wrong)


def _exit_last(order: tuple[BlockId, ...], exit_block: BlockId) -> tuple[BlockId, ...]:
    """Nothing comes behind the exit, so whoever gets there has been everywhere else.

    Where a jump leads out of a loop, the depth-first order has the rest of the loop behind it.
    """
    return (*[b for b in order if b != exit_block], *[b for b in order if b == exit_block])


def _entered_aside(
    builder: _Builder, order: tuple[BlockId, ...], retreating: set[tuple[BlockId, BlockId]]
) -> tuple[While | Label, ...]:
    """The heads of cycles that flow enters elsewhere; all heads of a cycle that starts at none."""
    forward = {block: [edge.target for edge in builder.edges[block]] for block in order}
    backward = _predecessors(builder.edges, order)
    at_fault: set[BlockId] = set()
    for source, target in retreating:
        is_head = target in builder.heads
        cycle = _reached(forward, target) & _reached(backward, source)
        at_fault |= {target} if is_head else cycle
    return tuple([builder.heads[b] for b in order if b in at_fault and b in builder.heads])


def _predecessors(
    edges: list[list[Edge]], order: tuple[BlockId, ...]
) -> dict[BlockId, list[BlockId]]:
    found: dict[BlockId, list[BlockId]] = {block: [] for block in order}
    for block in order:
        for edge in edges[block]:
            found[edge.target].append(block)
    return found


def _reached(successors: dict[BlockId, list[BlockId]], start: BlockId) -> set[BlockId]:
    seen, todo = {start}, [start]
    while todo:
        for block in successors[todo.pop()]:
            if block not in seen:
                seen.add(block)
                todo.append(block)
    return seen


def _freeze(
    builder: _Builder,
    block: BlockId,
    loops: dict[BlockId, frozenset[BlockId]],
    back: set[tuple[BlockId, BlockId]],
) -> BasicBlock:
    statement = builder.heads.get(block)
    is_head = block in loops
    label = statement if isinstance(statement, Label) and statement.invariants else None
    return BasicBlock(
        block,
        tuple(builder.statements[block]),
        tuple([_placed(edge, loops, back) for edge in builder.edges[block]]),
        head=statement if is_head else None,
        ignored=None if is_head else label,
    )


def _placed(
    edge: Edge, loops: dict[BlockId, frozenset[BlockId]], back: set[tuple[BlockId, BlockId]]
) -> Edge:
    left = [
        h for h, members in loops.items() if edge.source in members and edge.target not in members
    ]
    left.sort(key=lambda head: len(loops[head]))
    is_back = (edge.source, edge.target) in back
    enters = edge.target in loops and not is_back
    return Edge(edge.source, edge.target, edge.condition, edge.when, tuple(left), enters, is_back)


def _depth_first(
    edges: list[list[Edge]], entry: BlockId
) -> tuple[tuple[BlockId, ...], set[tuple[BlockId, BlockId]]]:
    """Reverse post-order of the reachable blocks, and the edges that go back on the way."""
    post: list[BlockId] = []
    retreating: set[tuple[BlockId, BlockId]] = set()
    active, seen = {entry}, {entry}
    # Successors last to first: then blocks come in source order, then-branches before else.
    stack = [(entry, iter(reversed(edges[entry])))]
    while stack:
        block, successors = stack[-1]
        edge = next(successors, None)
        if edge is None:
            stack.pop()
            active.discard(block)
            post.append(block)
        elif edge.target in active:
            retreating.add((block, edge.target))
        elif edge.target not in seen:
            seen.add(edge.target)
            active.add(edge.target)
            stack.append((edge.target, iter(reversed(edges[edge.target]))))
    return tuple(reversed(post)), retreating


def _immediate_dominators(
    edges: list[list[Edge]], order: tuple[BlockId, ...]
) -> dict[BlockId, BlockId]:
    """Cooper, Harvey and Kennedy: iterate intersections in reverse post-order."""
    position = {block: i for i, block in enumerate(order)}
    predecessors = _predecessors(edges, order)
    dominator = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            known = [p for p in predecessors[block] if p in dominator]
            new = known[0]
            for other in known[1:]:
                new = _meet(dominator, position, new, other)
            if dominator.get(block) != new:
                dominator[block] = new
                changed = True
    return dominator


def _meet(
    dominator: dict[BlockId, BlockId], position: dict[BlockId, int], a: BlockId, b: BlockId
) -> BlockId:
    while a != b:
        if position[a] > position[b]:
            a = dominator[a]
        else:
            b = dominator[b]
    return a


def _dominates(dominator: dict[BlockId, BlockId], upper: BlockId, lower: BlockId) -> bool:
    while lower != upper:
        above = dominator[lower]
        if above == lower:
            return False
        lower = above
    return True


def _natural_loops(
    builder: _Builder, order: tuple[BlockId, ...], back: set[tuple[BlockId, BlockId]]
) -> dict[BlockId, tuple[BlockId, ...]]:
    """Per head: the blocks that reach one of its back edges without passing the head.

    A `while` whose body never comes back is a loop of its head alone: its invariant still counts.
    """
    predecessors = _predecessors(builder.edges, order)
    members = {block: {block} for block in order if isinstance(builder.heads.get(block), While)}
    for source, head in sorted(back):
        inside = members.setdefault(head, {head})
        todo = [source]
        while todo:
            block = todo.pop()
            if block not in inside:
                inside.add(block)
                todo.extend(predecessors[block])
    return {h: tuple(b for b in order if b in members[h]) for h in order if h in members}


def jumped_over(body: Block) -> tuple[Var, ...]:
    """The variables whose declarations a jump may pass by: they are there, with any value."""
    nodes = list(descendants(body))
    if not any(isinstance(node, Goto) for node in nodes):
        return ()
    return tuple([node.variable for node in nodes if isinstance(node, ps.Declare)])


def loop_targets(graph: FlowGraph, head: BlockId) -> dict[str, Var]:
    """All variables that some statement of the loop assigns or declares, by name."""
    assigned: dict[str, Var] = {}
    for name in graph.loops[head]:
        for statement in graph.blocks[name].statements:
            for target in _targets(statement):
                assigned[target.name] = target
    return assigned


def _targets(statement: ps.Stmt) -> tuple[Var, ...]:
    match statement:
        case ps.LocalAssign(target) | ps.New(target) | ps.Declare(target):
            return (target,)
        case ps.MethodCall():
            return statement.targets
        case _:
            return ()
