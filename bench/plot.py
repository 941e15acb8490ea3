"""A plot of both verifiers' times, as hand-written SVG: each program is a point."""

from __future__ import annotations

import math
from pathlib import Path

from rows import Result, compared

SIZE, LEFT, BOTTOM, TOP = 460, 70, 60, 40
LOW, HIGH = 0.001, 100.0
COLOURS = {"silver": "#1f77b4", "wild": "#9467bd", "frontends": "#d62728", "own": "#2ca02c"}
TITLES = {
    "silver": "suite (sample)",
    "wild": "wild programs (sample)",
    "frontends": "programs of front ends",
    "own": "own examples",
}


def write_plot(path: Path, results: list[Result], theirs: str, ours: str) -> None:
    """Below the diagonal we are faster; dashed lines are 10 and 100 times."""
    warm = compared([r for r in results if r.mode == "warm"], theirs, ours)
    parts = [*_frame(theirs), *[_line(times) for times in (1, 10, 100)]]
    for result in warm:
        x, y = result.timings[theirs].seconds, result.timings[ours].seconds
        name = f"{result.name}: {theirs} {x:.2f} s, Pitviper {y:.3f} s"
        parts.append(
            f'<circle cx="{_x(x):.1f}" cy="{_y(y):.1f}" r="3.5" fill="{COLOURS[result.set]}"'
            f' fill-opacity="0.65"><title>{_escaped(name)}</title></circle>'
        )
    parts += _legend(warm)
    width, height = LEFT + SIZE + 40, TOP + SIZE + BOTTOM
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="sans-serif" font-size="12" fill="#222">'
    )
    background = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    path.write_text("\n".join([head, background, *parts, "</svg>", ""]))


def _frame(theirs: str) -> list[str]:
    parts = [
        f'<rect x="{LEFT}" y="{TOP}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#888"/>'
    ]
    tick = LOW
    while tick <= HIGH * 1.001:
        x, y, text = _x(tick), _y(tick), f"{tick:g} s"
        end, right = TOP + SIZE, LEFT + SIZE
        parts += [
            f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{end}" stroke="#eee"/>',
            f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#eee"/>',
            f'<text x="{x:.1f}" y="{end + 18}" text-anchor="middle">{text}</text>',
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{text}</text>',
        ]
        tick *= 10
    middle = LEFT + SIZE / 2
    parts += [
        f'<text x="{middle}" y="{TOP + SIZE + 42}" text-anchor="middle">{theirs}, warm</text>',
        f'<text transform="translate(16 {TOP + SIZE / 2}) rotate(-90)" text-anchor="middle">'
        "Pitviper, warm</text>",
        f'<text x="{middle}" y="22" text-anchor="middle" font-size="14">'
        "Time for one program: below the line Pitviper is faster</text>",
    ]
    return parts


def _line(times: int) -> str:
    """Where we are so many times faster."""
    style = "" if times == 1 else ' stroke-dasharray="5 4"'
    low, high = LOW * times, HIGH
    label = "equal" if times == 1 else f"{times} times"
    x, y = _x(high), _y(high / times)
    return (
        f'<line x1="{_x(low):.1f}" y1="{_y(LOW):.1f}" x2="{x:.1f}" y2="{y:.1f}"'
        f' stroke="#666"{style}/>'
        f'<text x="{x + 4:.1f}" y="{y + 4:.1f}" font-size="10">{label}</text>'
    )


def _legend(results: list[Result]) -> list[str]:
    parts = []
    for at, (name, colour) in enumerate(COLOURS.items()):
        count = sum(r.set == name for r in results)
        y = TOP + 18 + 18 * at
        parts.append(f'<circle cx="{LEFT + 14}" cy="{y}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{LEFT + 24}" y="{y + 4}">{TITLES[name]}: {count}</text>')
    return parts


def _x(seconds: float) -> float:
    return LEFT + SIZE * _share(seconds)


def _y(seconds: float) -> float:
    return TOP + SIZE * (1 - _share(seconds))


def _share(seconds: float) -> float:
    inside = min(max(seconds, LOW), HIGH)
    return math.log(inside / LOW) / math.log(HIGH / LOW)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
