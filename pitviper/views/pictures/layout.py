"""Places the nodes of a directed graph in layers, and says where its edges run.

The method of Sugiyama: layers by the longest way, places in a layer by the mean place of the
neighbours, edges over several layers through points that take part in all of this. Edges that go
back run in lanes beside the nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from pitviper.base.record import record

GAP_X, GAP_Y, LANE, SWEEPS = 26.0, 46.0, 16.0, 12


@record
class Placed:
    """Left upper corners of nodes; for each edge the points it runs through, in its direction."""

    corners: tuple[tuple[float, float], ...]
    routes: tuple[tuple[tuple[float, float], ...], ...]
    width: float
    height: float


@record
class _Graph:
    """Nodes first, then the points of long edges; `chains` are the nodes of each forward edge."""

    widths: tuple[float, ...]
    heights: tuple[float, ...]
    layers: tuple[tuple[int, ...], ...]
    chains: Mapping[int, tuple[int, ...]]


def placed(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]]) -> Placed:
    """Node 0 is the first one; edges are pairs of nodes."""
    back = _back_edges(len(sizes), edges)
    forward = {n: edge for n, edge in enumerate(edges) if n not in back}
    graph = _with_points(sizes, forward)
    graph = _ordered(graph)
    centres = _centres(graph)
    rows = _rows(graph)
    tops = rows.tops
    lanes = _lanes(graph, centres, {n: edges[n] for n in back})
    sides = [lane.x for lane in lanes.values()]
    shift = LANE - min([0.0, *sides, *_lefts(graph, centres)])
    corners = [(centres[n] - graph.widths[n] / 2 + shift, tops[n]) for n in range(len(sizes))]
    ports = _ports(edges, (centres, lanes), graph)
    routes = []
    for number in range(len(edges)):
        if number in graph.chains:
            route = _forward_route(graph.chains[number], graph, (centres, rows), ports[number])
        else:
            route = _back_route(edges[number], graph, (lanes[number], rows), ports[number])
        routes.append(tuple([(x + shift, y) for x, y in route]))
    right = max([*sides, *[c + graph.widths[n] / 2 for n, c in enumerate(centres)]], default=0.0)
    bottom = max([tops[n] + graph.heights[n] for n in range(len(sizes))], default=0.0)
    return Placed(tuple(corners), tuple(routes), right + shift + LANE, bottom + GAP_Y / 2)


# ---------------------------------------------------------------- layers


def _back_edges(count: int, edges: Sequence[tuple[int, int]]) -> dict[int, None]:
    """Edges to a node that is still being visited, depth first."""
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for number, (source, target) in enumerate(edges):
        leaving[source].append((number, target))
    found: dict[int, None] = {}
    seen: set[int] = set()
    for root in range(count):
        if root in seen:
            continue
        seen.add(root)
        active = {root}
        stack = [(root, iter(leaving[root]))]
        while stack:
            node, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                stack.pop()
                active.discard(node)
            elif step[1] in active:
                found[step[0]] = None
            elif step[1] not in seen:
                seen.add(step[1])
                active.add(step[1])
                stack.append((step[1], iter(leaving[step[1]])))
    return found


def _ranks(count: int, edges: Mapping[int, tuple[int, int]]) -> list[int]:
    ranks = [0] * count
    changed = True
    while changed:
        changed = False
        for source, target in edges.values():
            if ranks[target] < ranks[source] + 1:
                ranks[target] = ranks[source] + 1
                changed = True
    return ranks


def _with_points(
    sizes: Sequence[tuple[float, float]], edges: Mapping[int, tuple[int, int]]
) -> _Graph:
    ranks = _ranks(len(sizes), edges)
    widths, heights = [w for w, _ in sizes], [h for _, h in sizes]
    chains = {}
    for number, (source, target) in edges.items():
        chain = [source]
        for rank in range(ranks[source] + 1, ranks[target]):
            chain.append(len(ranks))
            ranks.append(rank)
            widths.append(8.0)
            heights.append(0.0)
        chains[number] = (*chain, target)
    layers: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    for node, rank in enumerate(ranks):
        layers[rank].append(node)
    return _Graph(tuple(widths), tuple(heights), tuple(map(tuple, layers)), chains)


# ---------------------------------------------------------------- places


def _neighbours(graph: _Graph) -> tuple[list[list[int]], list[list[int]]]:
    above: list[list[int]] = [[] for _ in graph.widths]
    below: list[list[int]] = [[] for _ in graph.widths]
    for chain in graph.chains.values():
        for one, other in pairwise(chain):
            below[one].append(other)
            above[other].append(one)
    return above, below


def _ordered(graph: _Graph) -> _Graph:
    """Sweeps down and up; of all orders met, the first with the fewest crossings."""
    above, below = _neighbours(graph)
    layers = [list(layer) for layer in graph.layers]
    best, fewest = [list(layer) for layer in layers], _crossings(layers, below)
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        order = range(1, len(layers)) if downwards else range(len(layers) - 2, -1, -1)
        for rank in order:
            fixed = layers[rank - 1] if downwards else layers[rank + 1]
            place = {node: n for n, node in enumerate(fixed)}
            near = above if downwards else below
            wanted = {
                node: _mean([place[other] for other in near[node]], n)
                for n, node in enumerate(layers[rank])
            }
            layers[rank].sort(key=wanted.__getitem__)
        crossings = _crossings(layers, below)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    return _Graph(graph.widths, graph.heights, tuple(map(tuple, best)), graph.chains)


def _mean(numbers: Sequence[float], otherwise: float) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise


def _crossings(layers: list[list[int]], below: list[list[int]]) -> int:
    count = 0
    for upper, lower in pairwise(layers):
        place = {node: n for n, node in enumerate(lower)}
        ends = [p for node in upper for p in sorted(place[other] for other in below[node])]
        count += sum(1 for i, a in enumerate(ends) for b in ends[i + 1 :] if a > b)
    return count


def _centres(graph: _Graph) -> list[float]:
    """Each node as near to the mean of its neighbours as the others in its layer allow."""
    centres = [0.0] * len(graph.widths)
    for layer in graph.layers:
        x = 0.0
        for node in layer:
            centres[node] = x + graph.widths[node] / 2
            x += graph.widths[node] + GAP_X
        for node in layer:
            centres[node] -= (x - GAP_X) / 2
    above, below = _neighbours(graph)
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        for layer in graph.layers if downwards else reversed(graph.layers):
            wanted = []
            for node in layer:
                near = above[node] if downwards else below[node]
                near = near or (below[node] if downwards else above[node])
                wanted.append(_mean([centres[other] for other in near], centres[node]))
            for node, x in zip(layer, _apart(layer, wanted, graph), strict=True):
                centres[node] = x
    return centres


def _apart(layer: tuple[int, ...], wanted: list[float], graph: _Graph) -> list[float]:
    """The places nearest to the wanted ones (by least squares) that do not overlap."""
    offsets = [0.0]
    for one, other in pairwise(layer):
        offsets.append(offsets[-1] + (graph.widths[one] + graph.widths[other]) / 2 + GAP_X)
    pools: list[tuple[float, int]] = []
    for x, offset in zip(wanted, offsets, strict=True):
        pools.append((x - offset, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, n), (b, m) = pools[-2:]
            pools[-2:] = [((a * n + b * m) / (n + m), n + m)]
    levels = [level for level, count in pools for _ in range(count)]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]


@record
class _Rows:
    """For each node, where its layer begins and ends."""

    tops: tuple[float, ...]
    bottoms: tuple[float, ...]


def _rows(graph: _Graph) -> _Rows:
    tops, bottoms = [0.0] * len(graph.widths), [0.0] * len(graph.widths)
    y = GAP_Y / 2
    for layer in graph.layers:
        height = max([graph.heights[node] for node in layer], default=0.0)
        for node in layer:
            tops[node], bottoms[node] = y, y + height
        y += height + GAP_Y
    return _Rows(tuple(tops), tuple(bottoms))


def _lefts(graph: _Graph, centres: list[float]) -> list[float]:
    return [centre - graph.widths[node] / 2 for node, centre in enumerate(centres)]


# ---------------------------------------------------------------- edges


@record
class _Lane:
    """Where an edge that goes back runs upwards; `turn` is how far from the nodes it bends."""

    x: float
    turn: float


def _lanes(
    graph: _Graph, centres: list[float], back: Mapping[int, tuple[int, int]]
) -> dict[int, _Lane]:
    """Beside all that stands between its ends, on the side that is nearer; short edges first."""
    rank = {node: n for n, layer in enumerate(graph.layers) for node in layer}
    found: dict[int, _Lane] = {}
    taken: list[tuple[int, int, float]] = []
    for number in sorted(back, key=lambda n: (rank[back[n][0]] - rank[back[n][1]], n)):
        source, target = back[number]
        low, high = rank[target], rank[source]
        nodes = [node for layer in graph.layers[low : high + 1] for node in layer]
        others = [x for a, b, x in taken if a <= high and low <= b]
        left = min([*[centres[n] - graph.widths[n] / 2 for n in nodes], *others]) - LANE
        right = max([*[centres[n] + graph.widths[n] / 2 for n in nodes], *others]) + LANE
        middle = (centres[source] + centres[target]) / 2
        x = left if middle - left <= right - middle else right
        close = sum(1 for a, b, _ in taken if a == low or b == high)
        found[number] = _Lane(x, min(GAP_Y / 4 + 6.0 * close, GAP_Y / 2))
        taken.append((low, high, x))
    return found


def _ports(
    edges: Sequence[tuple[int, int]],
    places: tuple[list[float], dict[int, _Lane]],
    graph: _Graph,
) -> list[tuple[float, float]]:
    """Where each edge leaves and arrives, side by side, in the order of the other ends."""

    centres, lanes = places

    def towards(number: int, *, end: int) -> float:
        chain = graph.chains.get(number)
        if chain is None:
            return lanes[number].x
        return centres[chain[1] if end == 0 else chain[-2]]

    found = [[0.0, 0.0] for _ in edges]
    for end in (0, 1):
        groups: dict[int, list[int]] = {}
        for number, edge in enumerate(edges):
            groups.setdefault(edge[end], []).append(number)
        for node, numbers in groups.items():
            numbers.sort(key=lambda n: (towards(n, end=end), n))
            step = min(60.0, graph.widths[node] / (len(numbers) + 1))
            first = centres[node] - step * (len(numbers) - 1) / 2
            for position, number in enumerate(numbers):
                found[number][end] = first + step * position
    return [(leaves, arrives) for leaves, arrives in found]


def _forward_route(
    chain: tuple[int, ...],
    graph: _Graph,
    places: tuple[list[float], _Rows],
    ports: tuple[float, float],
) -> list[tuple[float, float]]:
    """Down; through a layer in between it runs straight."""
    centres, rows = places
    tops, bottoms = rows.tops, rows.bottoms
    route = [(ports[0], tops[chain[0]] + graph.heights[chain[0]])]
    if bottoms[chain[0]] > route[0][1]:
        route.append((ports[0], bottoms[chain[0]]))
    for point in chain[1:-1]:
        route += [(centres[point], tops[point]), (centres[point], bottoms[point])]
    return [*route, (ports[1], tops[chain[-1]])]


def _back_route(
    edge: tuple[int, int],
    graph: _Graph,
    places: tuple[_Lane, _Rows],
    ports: tuple[float, float],
) -> list[tuple[float, float]]:
    """Out below, to the lane, up, and in from above."""
    lane, rows = places
    tops = rows.tops
    source, target = edge
    low = rows.bottoms[source] + lane.turn
    high = tops[target] - lane.turn - 6.0
    return [
        (ports[0], tops[source] + graph.heights[source]),
        (ports[0], low),
        (lane.x, low),
        (lane.x, high),
        (ports[1], high),
        (ports[1], tops[target]),
    ]
