"""The tree of assumptions as lines."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import record
from pitviper.results.debugging import DebugNode
from pitviper.views.terminal.cells import visible
from pitviper.views.terminal.style import Painter, Style


@record
class Shown:
    """What of a tree is shown; `depths` are for single nodes."""

    internal: bool = False
    depth: int = 5
    depths: tuple[tuple[int, int], ...] = ()


def tree_lines(nodes: tuple[DebugNode, ...], shown: Shown, paint: Painter) -> list[str]:
    lines = [line for node in nodes for line in _lines(node, shown.depth, shown, paint)]
    return lines or [paint(Style.DIM, "none")]


def _lines(node: DebugNode, depth: int, shown: Shown, paint: Painter) -> Iterator[str]:
    if node.internal and not shown.internal and not node.added:
        return
    left = dict(shown.depths).get(node.id, depth)
    inside = [line for child in node.children for line in _lines(child, left - 1, shown, paint)]
    number = paint(Style.NOTE, f"[{node.id}]")
    yield f"{number} {_text(node, paint)}{_place(node, paint)}"
    if left > 1:
        yield from [f"  {line}" for line in inside]
    elif inside:
        yield f"  {paint(Style.DIM, f'({len(inside)} more: config depth {node.id} N)')}"


def _text(node: DebugNode, paint: Painter) -> str:
    text = visible(node.text)
    if node.removed:
        return paint(Style.REMOVED, f"{text}  (removed)")
    if node.added:
        origin = f"  ({node.description})" if node.description else ""
        return paint(Style.ADDED, f"{text}{origin}")
    if node.internal:
        return paint(Style.DIM, text)
    return paint(Style.TITLE, text) if node.children else text


def _place(node: DebugNode, paint: Painter) -> str:
    if node.span is None or not node.span.file.text:
        return ""
    return paint(Style.DIM, f"  (line {node.span.line})")
