"""The control-flow graph of a method as SVG: edges that runs took are green, others red.

Before a method is explored, everything is black. Colours are attributes, for any program that
shows SVG; where a style sheet is understood, a dark page gets other ones.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from pitviper.results.exploration import Picture, PictureBlock, PictureEdge
from pitviper.views.pictures.layout import placed

LETTER, LINE, PAD = 6.7, 15.0, 9.0
GREEN, RED, BLACK, GREY = "#1a7f37", "#cf222e", "#1f2328", "#57606a"
FILLS = {GREEN: "#e6f7ea", RED: "#fdeceb", BLACK: "#f6f8fa"}

STYLE = """
.pv-flow text { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #1f2328 }
.pv-flow .pv-small { font-size: 10px; fill: #57606a }
.pv-flow .pv-tag { stroke: #fff; stroke-width: 5px; paint-order: stroke; stroke-linejoin: round }
.pv-flow .pv-fails { font-weight: bold; fill: #cf222e }
.pv-flow a:hover text, .pv-flow a:focus text { text-decoration: underline }
@media (prefers-color-scheme: dark) {
.pv-flow text { fill: #e6edf3 } .pv-flow .pv-small { fill: #9da7b3 }
.pv-flow .pv-tag { stroke: #0d1117 } .pv-flow .pv-fails { fill: #ff8078 }
.pv-flow { background: #0d1117 } .pv-flow .pv-b { stroke: #9da7b3 }
.pv-flow .pv-g { stroke: #3fb950 } .pv-flow .pv-r { stroke: #f85149 }
.pv-flow polygon.pv-g { fill: #3fb950 } .pv-flow polygon.pv-r { fill: #f85149 }
.pv-flow polygon.pv-b { fill: #9da7b3 }
.pv-flow rect.pv-g { fill: #0f2a17 } .pv-flow rect.pv-r { fill: #331416 }
.pv-flow rect.pv-b { fill: #161b22 } .pv-flow rect.pv-failing { stroke: #f85149 }
}
"""
CLASSES = {GREEN: "pv-g", RED: "pv-r", BLACK: "pv-b"}

Link = Callable[[int], str]
"""Where a line of the source is found."""


def picture_svg(picture: Picture, link: Link | None = None) -> str:
    """The picture; with `link`, lines lead to the source, and the style sheet is that of a page."""
    numbers = {block.number: n for n, block in enumerate(picture.blocks)}
    sizes = [_size(block) for block in picture.blocks]
    edges = [(numbers[e.source], numbers[e.target]) for e in picture.edges]
    layout = placed(sizes, edges)
    title = escape(f"Control-flow graph of method {picture.method}")
    width, height = round(layout.width), round(layout.height)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pv-flow" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" role="group" aria-label="{title}" '
        'font-family="monospace" font-size="11">',
        f"<title>{title}</title>",
        "" if link is not None else f"<style>{STYLE}</style>",
    ]
    parts += [
        _edge(edge, route, _colour(picture, edge.runs))
        for edge, route in zip(picture.edges, layout.routes, strict=True)
    ]
    for block, corner, size in zip(picture.blocks, layout.corners, sizes, strict=True):
        parts.append(_block(block, (*corner, *size), _colour(picture, block.runs), link))
    parts += [
        _tag(edge, route, picture) for edge, route in zip(picture.edges, layout.routes, strict=True)
    ]
    return "\n".join([part for part in parts if part] + ["</svg>"]) + "\n"


def _colour(picture: Picture, runs: int) -> str:
    if not picture.is_explored:
        return BLACK
    return GREEN if runs else RED


def _size(block: PictureBlock) -> tuple[float, float]:
    texts = [*block.lines, *_facts(block)]
    letters = max(map(len, texts), default=1)
    return max(90.0, letters * LETTER + 2 * PAD), len(texts) * LINE + 8


def _facts(block: PictureBlock) -> list[str]:
    """What is known when the block is entered, on one line; all of it is in the title."""
    if not block.facts:
        return []
    said = f"known: {', '.join(block.facts)}"
    widest = max(34, *map(len, block.lines))
    return [said if len(said) <= widest else f"{said[: widest - 1]}…"]


def _block(
    block: PictureBlock,
    place: tuple[float, float, float, float],
    colour: str,
    link: Link | None,
) -> str:
    x, y, width, height = place
    border, stroke = (RED, 2) if block.fails else (colour, 1)
    kind = f"{CLASSES[colour]} pv-failing" if block.fails else CLASSES[colour]
    known = f"known here: {', '.join(block.facts)}" if block.facts else "nothing is known here"
    parts = [
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" rx="5" fill="{FILLS[colour]}" stroke="{border}" '
        f'stroke-width="{stroke}"><title>{escape(known)}</title></rect>'
    ]
    at = y + 15
    for line in block.lines:
        shown = f'<text x="{x + PAD:.1f}" y="{at:.1f}">{escape(line)}</text>'
        number = line.partition(":")[0]
        if link is not None and number.isdecimal():
            shown = f'<a href="{escape(link(int(number)))}">{shown}</a>'
        parts.append(shown)
        at += LINE
    for fact in _facts(block):
        parts.append(
            f'<text class="pv-small" x="{x + PAD:.1f}" y="{at:.1f}" fill="{GREY}" '
            f'font-style="italic">{escape(fact)}</text>'
        )
        at += LINE
    if block.fails:
        parts.append(
            f'<text class="pv-fails" x="{x + width - 6:.1f}" y="{y - 4:.1f}" fill="{RED}" '
            f'text-anchor="end">fails</text>'
        )
    return "".join(parts)


def _edge(edge: PictureEdge, route: tuple[tuple[float, float], ...], colour: str) -> str:
    (x, y), kind = route[-1], CLASSES[colour]
    path = _curve(route) if route[-1][1] > route[0][1] else _corners(route)
    said = f"{edge.label}, " if edge.label else ""
    return (
        f'<g><title>{said}{edge.runs} runs</title><path class="{kind}" d="{path}" fill="none" '
        f'stroke="{colour}" stroke-width="1.4"/>'
        f'<polygon class="{kind}" points="{x:.1f},{y:.1f} {x - 4:.1f},{y - 8:.1f} '
        f'{x + 4:.1f},{y - 8:.1f}" fill="{colour}" stroke="{colour}" stroke-width="0.5"/></g>'
    )


def _curve(route: tuple[tuple[float, float], ...]) -> str:
    """From point to point, always leaving and arriving downwards."""
    x, y = route[0]
    parts = [f"M{x:.1f},{y:.1f}"]
    for nx, ny in route[1:]:
        if abs(nx - x) < 0.5:
            parts.append(f"L{nx:.1f},{ny:.1f}")
        else:
            bend = (ny - y) / 2
            parts.append(f"C{x:.1f},{y + bend:.1f} {nx:.1f},{ny - bend:.1f} {nx:.1f},{ny:.1f}")
        x, y = nx, ny
    return " ".join(parts)


def _corners(route: tuple[tuple[float, float], ...], radius: float = 7.0) -> str:
    """Straight lines with round corners."""
    parts = [f"M{route[0][0]:.1f},{route[0][1]:.1f}"]
    for before, here, after in zip(route, route[1:], route[2:], strict=False):
        start, end = _near(here, before, radius), _near(here, after, radius)
        parts.append(
            f"L{start[0]:.1f},{start[1]:.1f} Q{here[0]:.1f},{here[1]:.1f} {end[0]:.1f},{end[1]:.1f}"
        )
    return " ".join([*parts, f"L{route[-1][0]:.1f},{route[-1][1]:.1f}"])


def _near(
    corner: tuple[float, float], other: tuple[float, float], radius: float
) -> tuple[float, float]:
    """The point so far before a corner, on the line to another point."""
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    length = abs(dx) + abs(dy)
    share = min(radius, length / 2) / length if length else 0.0
    return corner[0] + dx * share, corner[1] + dy * share


def _tag(edge: PictureEdge, route: tuple[tuple[float, float], ...], picture: Picture) -> str:
    """The value of the condition and the number of runs, where the edge leaves."""
    parts = [edge.label] if edge.label else []
    parts += [f"×{edge.runs}"] if picture.is_explored else []
    if not parts:
        return ""
    (x, y), (nx, ny) = route[0], route[1]
    if len(route) > 2 and abs(nx - x) < 0.5 and route[-1][1] > route[0][1]:
        (x, y), (nx, ny) = route[1], route[2]
    share = 0.3
    at = (x + (nx - x) * share * 0.45, y + (ny - y) * share + 5)
    left = (route[2][0] if route[-1][1] <= route[0][1] else nx) < x - 1
    anchor, dx = ("end", -5) if left else ("start", 5)
    return (
        f'<text class="pv-small pv-tag" x="{at[0] + dx:.1f}" y="{at[1]:.1f}" fill="{GREY}" '
        f'text-anchor="{anchor}">{" ".join(parts)}</text>'
    )
