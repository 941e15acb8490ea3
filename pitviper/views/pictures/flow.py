"""The control-flow graph of a method as SVG: edges that runs took are green, others red.

Before a method is explored, everything is black. Colours are attributes, for any program that
shows SVG; where a style sheet is understood, a dark page gets other ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from pathlib import Path

from pitviper.results.exploration import Picture, PictureBlock, PictureEdge, Unreached
from pitviper.views.pictures.graphviz import label_text, svg_element

LETTER = 6.7
GREEN, RED, BLACK, GREY = "#1a7f37", "#cf222e", "#1f2328", "#57606a"
FILLS = {GREEN: "#e6f7ea", RED: "#fdeceb", BLACK: "#f6f8fa"}
CLASSES = {GREEN: "pv-g", RED: "pv-r", BLACK: "pv-b"}
STYLE_FILE = Path(__file__).with_suffix(".css")

Link = Callable[[int], str]
"""Where a line of the source is found."""


def picture_svg(picture: Picture, link: Link | None = None) -> str:
    """The picture; with `link`, lines lead to the source, and the style sheet is that of a page."""
    titles = {f"b{block.number}": _block_title(block) for block in picture.blocks}
    titles |= {f"e{n}": _edge_title(edge) for n, edge in enumerate(picture.edges)}
    drawn = svg_element(dot_text(picture, link), titles)
    title = escape(f"Control-flow graph of method {picture.method}")
    head = f'<svg class="pv-flow" role="group" aria-label="{title}" '
    style = "" if link is not None else f"<style>{STYLE_FILE.read_text(encoding='utf-8')}</style>\n"
    drawn = re.sub(r'(width|height)="([0-9.]+)pt"', r'\1="\2"', drawn, count=2)
    return drawn.replace("<svg ", head, 1).replace(">\n", f">\n<title>{title}</title>\n{style}", 1)


def dot_text(picture: Picture, link: Link | None = None) -> str:
    """Returns the graph from the top down, for Graphviz to lay out."""
    lines = [
        "digraph flow {",
        "  graph [bgcolor=transparent, pad=0.15, nodesep=0.3, ranksep=0.4];",
        '  node [shape=box, style="rounded,filled", margin="0.08,0.03", height=0.2,',
        "    fontname=monospace, fontsize=11];",
        f'  edge [fontname=monospace, fontsize=10, fontcolor="{GREY}", arrowsize=0.7,',
        "    penwidth=1.4];",
        *[_block(block, _colour(picture, block.runs), link) for block in picture.blocks],
        *[_edge(n, edge, picture) for n, edge in enumerate(picture.edges)],
        "}",
    ]
    return "\n".join(lines) + "\n"


def _colour(picture: Picture, runs: int) -> str:
    if not picture.is_explored:
        return BLACK
    return GREEN if runs else RED


def _block(block: PictureBlock, colour: str, link: Link | None) -> str:
    rows = [_row(label_text(line), len(line), _reference(line, link)) for line in block.lines]
    for fact in _facts(block):
        said = f'<FONT POINT-SIZE="10" COLOR="{GREY}"><I>{label_text(fact)}</I></FONT>'
        rows.append(_row(said, len(fact)))
    if block.why is not None:
        said = f'<FONT POINT-SIZE="10" COLOR="{RED}">{block.why.value}</FONT>'
        rows.append(f'<TR><TD ALIGN="RIGHT">{said}</TD></TR>')
    if block.fails:
        said = f'<FONT COLOR="{RED}"><B>fails</B></FONT>'
        rows.append(f'<TR><TD ALIGN="RIGHT">{said}</TD></TR>')
    label = f'<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="1">{"".join(rows)}</TABLE>'
    border, width = (RED, 2) if block.fails else (colour, 1)
    kind = f"{CLASSES[colour]} pv-failing" if block.fails else CLASSES[colour]
    return (
        f'  b{block.number} [id="b{block.number}", class="{kind}", color="{border}", '
        f'fillcolor="{FILLS[colour]}", penwidth={width}, label=<{label}>];'
    )


def _row(said: str, letters: int, reference: str = "") -> str:
    """A line of a block, wide enough for browsers whose letters are wider than Graphviz thinks."""
    width = round(max(letters * LETTER, 40))
    return f'<TR><TD ALIGN="LEFT" WIDTH="{width}"{reference}>{said}</TD></TR>'


def _reference(line: str, link: Link | None) -> str:
    number = line.partition(":")[0]
    if link is None or not number.isdecimal():
        return ""
    return f' HREF="{escape(link(int(number)))}" TITLE="line {number}"'


def _facts(block: PictureBlock) -> list[str]:
    """What is known when the block is entered, on one line; all of it is in the title."""
    if not block.facts:
        return []
    said = f"known: {', '.join(block.facts)}"
    widest = max(34, *map(len, block.lines))
    return [said if len(said) <= widest else f"{said[: widest - 1]}…"]


REASONS = {
    Unreached.DEAD: "dead: no way leads here, whatever the inputs are",
    Unreached.EXCLUDED: "excluded: no input that the precondition admits leads here",
    Unreached.OPEN: "not reached: no run came here yet",
}


def _block_title(block: PictureBlock) -> str:
    known = f"known here: {', '.join(block.facts)}" if block.facts else "nothing is known here"
    return known if block.why is None else f"{REASONS[block.why]}; {known}"


def _edge(number: int, edge: PictureEdge, picture: Picture) -> str:
    """With the value of the condition and the number of runs."""
    said = [edge.label] if edge.label else []
    said += [f"×{edge.runs}"] if picture.is_explored else []
    label = f", label=<{label_text(' '.join(['', *said, '']))}>" if said else ""
    colour = _colour(picture, edge.runs)
    return (
        f'  b{edge.source} -> b{edge.target} [id="e{number}", class="{CLASSES[colour]}", '
        f'color="{colour}"{label}];'
    )


def _edge_title(edge: PictureEdge) -> str:
    said = f"{edge.label}, {edge.runs} runs" if edge.label else f"{edge.runs} runs"
    return said if edge.why is None else f"{said}; {REASONS[edge.why]}"
