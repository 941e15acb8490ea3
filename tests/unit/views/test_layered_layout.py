"""Graphs in layers: nothing overlaps, edges go from node to node, all within the picture."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from pitviper.views.pictures.layout import Placed, placed

Edges = list[tuple[int, int]]


def _overlap(layout: Placed, sizes: list[tuple[float, float]]) -> bool:
    boxes = [(x, y, x + w, y + h) for (x, y), (w, h) in zip(layout.corners, sizes, strict=True)]
    return any(
        a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        for a, b in combinations(boxes, 2)
    )


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 9).flatmap(
        lambda n: st.tuples(
            st.lists(st.tuples(st.floats(20, 300), st.floats(10, 90)), min_size=n, max_size=n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=16),
        )
    )
)
def test_nodes_stand_apart_and_edges_join_them(
    graph: tuple[list[tuple[float, float]], Edges],
) -> None:
    sizes, edges = graph
    layout = placed(sizes, edges)

    assert not _overlap(layout, sizes)
    assert len(layout.routes) == len(edges)
    for (source, target), route in zip(edges, layout.routes, strict=True):
        (x, y), (w, h) = layout.corners[source], sizes[source]
        assert x - 1 <= route[0][0] <= x + w + 1
        assert abs(route[0][1] - (y + h)) < 0.01
        (x, y), (w, _) = layout.corners[target], sizes[target]
        assert x - 1 <= route[-1][0] <= x + w + 1
        assert abs(route[-1][1] - y) < 0.01
    points = [point for route in layout.routes for point in route]
    assert all(0 <= x <= layout.width and y <= layout.height + 0.01 for x, y in points)


def test_edges_lead_downwards_but_for_loops() -> None:
    sizes = [(50.0, 20.0)] * 4
    layout = placed(sizes, [(0, 1), (1, 2), (2, 1), (1, 3)])
    tops = [y for _, y in layout.corners]

    assert tops[0] < tops[1] < tops[2] == tops[3]
    assert layout == placed(sizes, [(0, 1), (1, 2), (2, 1), (1, 3)])
