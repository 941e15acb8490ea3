"""The control-flow graph of a method as SVG: edges that runs took are green, others red."""

from __future__ import annotations

from html import escape

from pitviper.results.exploration import Picture

WIDTH, LINE, GAP, SIDE = 330, 15, 34, 90
GREEN, RED, GREY = "#1a7f37", "#cf222e", "#57606a"


def picture_svg(picture: Picture) -> str:
    """Blocks from top to bottom; jumps over blocks and back go round at the right."""
    tops: dict[int, tuple[int, int]] = {}
    y = 12
    for number, text, _ in picture.blocks:
        height = LINE * len(text.splitlines()) + 10
        tops[number] = (y, height)
        y += height + GAP
    lanes = sum(1 for edge in picture.edges if not _is_next(edge, picture))
    width = WIDTH + SIDE + 12 * lanes
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" '
        f'viewBox="0 0 {width} {y}" font-family="monospace" font-size="11">',
        "<defs>",
        *[_arrow(name, colour) for name, colour in (("g", GREEN), ("r", RED))],
        "</defs>",
        f"<title>{escape(picture.method)}</title>",
    ]
    parts += [_block(block, tops[block[0]]) for block in picture.blocks]
    lane = 0
    for edge in picture.edges:
        if edge[0] not in tops or edge[1] not in tops:
            continue
        straight = _is_next(edge, picture)
        lane += not straight
        parts.append(_edge(edge, tops, None if straight else lane))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _arrow(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        f'<path d="M0,0 L8,4 L0,8 z" fill="{colour}"/></marker>'
    )


def _is_next(edge: tuple[int, int, str, int], picture: Picture) -> bool:
    numbers = [number for number, _, _ in picture.blocks]
    if edge[0] not in numbers:
        return True
    at = numbers.index(edge[0])
    return at + 1 < len(numbers) and numbers[at + 1] == edge[1]


def _block(block: tuple[int, str, bool], place: tuple[int, int]) -> str:
    _, text, covered = block
    top, height = place
    colour = GREEN if covered else RED
    fill = "#dafbe1" if covered else "#ffebe9"
    lines = [
        f'<text x="18" y="{top + 16 + LINE * i}">{escape(line)}</text>'
        for i, line in enumerate(text.splitlines())
    ]
    box = (
        f'<rect x="10" y="{top}" width="{WIDTH}" height="{height}" rx="4" fill="{fill}" '
        f'stroke="{colour}"/>'
    )
    return box + "".join(lines)


def _edge(
    edge: tuple[int, int, str, int], tops: dict[int, tuple[int, int]], lane: int | None
) -> str:
    source, target, label, runs = edge
    colour, head = (GREEN, "g") if runs else (RED, "r")
    (y1, height), (y2, _) = tops[source], tops[target]
    start = y1 + height
    if lane is None:
        path = f"M{WIDTH // 2},{start} L{WIDTH // 2},{y2}"
        at = (WIDTH // 2 + 6, start + 14)
    else:
        x = WIDTH + 16 + 12 * lane
        path = (
            f"M{WIDTH // 2 + 60},{start} v8 L{x},{start + 8} L{x},{y2 - 9} "
            f"L{WIDTH // 2 + 40},{y2 - 9} v8"
        )
        at = (WIDTH // 2 + 66, start + 22)
    said = f"{_short(label)} ×{runs}" if label else f"×{runs}"
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" marker-end="url(#{head})">'
        f"<title>{escape(label)}</title></path>"
        f'<text x="{at[0]}" y="{at[1]}" fill="{GREY}" font-size="9">{escape(said)}</text>'
    )


def _short(label: str) -> str:
    return label if len(label) <= 32 else label[:31] + "…"
