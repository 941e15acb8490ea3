"""Draws the pictures of docs/counterexamples.md again.

python bench/counterexample_pictures.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

from pitviper.counterexample.options import CounterexampleOptions
from pitviper.driver.counterexample.search import counterexamples
from pitviper.results.counterexample import Counterexample
from pitviper.results.heap_graph import graph_of
from pitviper.views.pictures.graphviz import rendered
from pitviper.views.pictures.heap import DARK, LIGHT, dot_text

ROOT = Path(__file__).parent.parent
PROGRAMS = "tests/programs/counterexamples"
LEAVES = "exists n: Ref :: n in ns && n.next != null && !(n.next in ns)"

PICTURES = (
    ("swap", "examples/broken/swap.vpr", CounterexampleOptions()),
    ("list", "examples/broken/list.vpr", CounterexampleOptions()),
    ("given_away", f"{PROGRAMS}/given_away.vpr", CounterexampleOptions()),
    ("open_graph", f"{PROGRAMS}/open_graph.vpr", CounterexampleOptions(at=9, where=(LEAVES,))),
    ("no_ring", f"{PROGRAMS}/no_ring.vpr", CounterexampleOptions()),
    ("own_successor", f"{PROGRAMS}/own_successor.vpr", CounterexampleOptions()),
    ("learnt_unfolding", f"{PROGRAMS}/learnt_unfolding.vpr", CounterexampleOptions()),
    ("array_swap", f"{PROGRAMS}/array_swap.vpr", CounterexampleOptions()),
    ("in_portions", f"{PROGRAMS}/in_portions.vpr", CounterexampleOptions(at=14)),
    ("twins", f"{PROGRAMS}/twins.vpr", CounterexampleOptions(at=9)),
)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    for name, program, options in PICTURES:
        found = counterexamples(ROOT / program, options).results[0]
        assert isinstance(found, Counterexample), program
        graph = graph_of(found)
        (folder / f"{name}.svg").write_bytes(rendered(dot_text(graph, LIGHT), "svg"))
        if name == "no_ring":
            (folder / f"{name}-dark.svg").write_bytes(rendered(dot_text(graph, DARK), "svg"))


if __name__ == "__main__":
    main()
