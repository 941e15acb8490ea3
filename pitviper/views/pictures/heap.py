"""A heap graph as DOT text: the one description that every picture is made from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil

from pitviper.base.record import names_of, record
from pitviper.results.counterexample import MISSING
from pitviper.results.heap_graph import Entry, Frame, HeapGraph, Node, Pointer, Row
from pitviper.views.pictures.graphviz import label_text, rendered

LONGEST = 44
WIDEST_CAPTION = 90
MOST_ENTRIES = 14
MOST_INSIDE = 4
MOST_LINES = 5
WAND = "magic wand"


@record
class Theme:
    background: str
    ink: str
    faint: str
    header: str
    paper: str
    line: str
    pointer: str
    alarm: str
    alarm_paper: str
    frame: str


LIGHT = Theme(
    "#ffffff", "#1b2533", "#6b7787", "#dbe8fb", "#ffffff", "#33415c", "#1f4fd8", "#c01818",
    "#fde3e1", "#7a5cc0",
)  # fmt: skip
DARK = Theme(
    "#12171f", "#e8edf4", "#8d9aab", "#22344f", "#1a2230", "#9fb2cc", "#7fa8ff", "#ff6b61",
    "#4a2426", "#b79cf2",
)  # fmt: skip
THEMES = {"light": LIGHT, "dark": DARK}
_MARKS = Theme(*[f"#0000{number:02x}" for number in range(1, 11)])
_MARK = re.compile(r"#0000(0[1-9a])")


def svg_in_themes(graph: HeapGraph) -> dict[str, str]:
    """Returns the picture in each theme; it is laid out once, which takes longest."""
    drawn = rendered(dot_text(graph, _MARKS), "svg").decode()
    return {name: _coloured(drawn, theme) for name, theme in THEMES.items()}


def _coloured(drawn: str, theme: Theme) -> str:
    colours = [getattr(theme, name) for name in names_of(theme)]
    return _MARK.sub(lambda mark: str(colours[int(mark[1], 16) - 1]), drawn)


def dot_text(graph: HeapGraph, theme: Theme = LIGHT) -> str:
    """Directed from left to right: variables, objects, what they refer to."""
    lines = [
        "digraph state {",
        f'  graph [rankdir=LR, bgcolor="{theme.background}", pad=0.3, nodesep=0.35, ranksep=0.7,',
        f"    fontname=Helvetica, labelloc=t, label={_title(graph, theme)}];",
        f'  node [shape=plain, fontname=Helvetica, fontsize=12, fontcolor="{theme.ink}"];',
        f'  edge [fontname=Helvetica, fontsize=11, color="{theme.line}", fontcolor="{theme.ink}"];',
        *[line for node in _in_drawing_order(graph) for line in _object(node, theme)],
        *[
            line
            for at, p in reversed([*enumerate(graph.pointers)])
            for line in _pointer(at, p, theme)
        ],
        *[
            line
            for number, frame in enumerate(graph.frames)
            for line in _frame(number, frame, theme)
        ],
        *_lists(graph, theme),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _in_drawing_order(graph: HeapGraph) -> list[Node]:
    """Graphviz follows links in the order of nodes, but piles up nodes without links."""
    linked = {node.name for node in graph.nodes for row in node.rows if row.target}
    linked |= {row.target for node in graph.nodes for row in node.rows if row.target}
    chained = [node for node in graph.nodes if node.name in linked]
    return [*chained, *[node for node in reversed(graph.nodes) if node.name not in linked]]


def _title(graph: HeapGraph, theme: Theme) -> str:
    """The caption, which a page may show itself: then there is none."""
    if not graph.caption:
        return '""'
    parts = [
        f'<FONT POINT-SIZE="15" COLOR="{theme.ink}"><B>{label_text(line)}</B></FONT>'
        for line in _wrapped(graph.caption, WIDEST_CAPTION)
    ]
    parts.append(f'<FONT POINT-SIZE="11" COLOR="{theme.faint}">{label_text(graph.note)}</FONT>')
    rows = "".join([f"<TR><TD>{part}</TD></TR>" for part in parts])
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{rows}</TABLE>>'


def _lists(graph: HeapGraph, theme: Theme) -> list[str]:
    lines = []
    for name, title, entries in (
        ("variables", "variables", graph.variables),
        ("functions", graph.functions_title, graph.functions),
    ):
        if entries:
            lines.append(f"  {name} [label={_list(title, entries, theme)}];")
    return lines


def _list(title: str, entries: Sequence[Entry], theme: Theme) -> str:
    rows = [_cells([(f"<B>{title}</B>", "left", theme.ink, 2)], theme.header)]
    for entry in entries[:MOST_ENTRIES]:
        colour = theme.alarm if entry.focus else theme.ink
        value = entry.value if entry.pinned else f"{entry.value} (any)"
        paper = theme.alarm_paper if entry.focus else theme.paper
        cells = [(label_text(_short(entry.name)), "left", colour, 1)]
        cells.append((f"= {label_text(_short(value))}", "left", colour, 1))
        rows.append(_cells(cells, paper))
    if len(entries) > MOST_ENTRIES:
        more = f"and {len(entries) - MOST_ENTRIES} more"
        rows.append(_cells([(more, "left", theme.faint, 2)], theme.paper))
    return _table(rows, theme.line, 1)


def _pointer(number: int, pointer: Pointer, theme: Theme) -> list[str]:
    usual = theme.faint if pointer.computed else theme.pointer
    colour = theme.alarm if pointer.focus else usual
    names = label_text(", ".join(pointer.variables))
    return [
        f'  p{number} [label=<<FONT COLOR="{colour}"><B>{names}</B></FONT>>];',
        f'  p{number} -> {_id(pointer.target)} [color="{colour}", penwidth=1.4, arrowhead=vee];',
    ]


def _object(node: Node, theme: Theme) -> list[str]:
    member = f' <FONT COLOR="{theme.faint}">in {label_text(", ".join(node.sets))}</FONT>'
    title = f"<B>{label_text(node.name)}</B>{member if node.sets else ''}"
    rows = [_cells([(title, "left", theme.ink, 3)], theme.header, port="head")]
    rows += [_row(row, theme) for row in node.rows]
    border, width = (theme.alarm, 3) if node.focus else (theme.line, 1)
    lines = [f"  {_id(node.name)} [label={_table(rows, border, width)}];"]
    for row in node.rows:
        lines += _edges(node, row, theme)
    return lines


def _row(row: Row, theme: Theme) -> str:
    ink = theme.faint if row.ghost else theme.alarm if row.focus else theme.ink
    paper = theme.alarm_paper if row.focus else theme.paper
    value = label_text(_short(row.value))
    if row.ghost:
        value = f"<I>{value}</I>"
    since = f" at {label_text(row.since)}" if row.since else ""
    if row.before is not None:
        value += _was(f"{label_text(_short(row.before))}{since}", theme)
    amount = f"<I>had {label_text(row.amount)}</I>" if row.ghost else label_text(row.amount)
    if row.had is not None:
        amount += _was(f"{label_text(row.had)}{since}", theme)
    cells = [
        (label_text(row.field), "left", ink, 1),
        (value, "left", ink, 1),
        (amount, "right", theme.faint, 1),
    ]
    return _cells(cells, paper, port=f"f_{row.field}")


def _was(text: str, theme: Theme) -> str:
    return f' <FONT COLOR="{theme.faint}"><I>was {text}</I></FONT>'


def _edges(node: Node, row: Row, theme: Theme) -> list[str]:
    lines = []
    if row.target is not None:
        look = f'style=dashed, color="{theme.faint}"' if row.ghost else f'color="{theme.line}"'
        ends = _ends(node, row, row.target)
        lines.append(f"  {ends} [{_label(node, row.field)}{look}];")
    if row.before_target is not None:
        old = f"old[{row.since}]" if row.since else "old"
        label = _label(node, f"{old} {row.field}")
        look = f'style=dashed, color="{theme.faint}", fontcolor="{theme.faint}"'
        lines.append(f"  {_ends(node, row, row.before_target)} [{label}{look}];")
    return lines


def _label(node: Node, text: str) -> str:
    """Links of an object with one to itself have no label: they start at the row with their name,
    and the way round the object would lie on it, and on an object that is near."""
    return "minlen=2, " if _links_to_itself(node) else f"label={_quoted(text)}, "


def _links_to_itself(node: Node) -> bool:
    return any(node.name in (row.target, row.before_target) for row in node.rows)


def _ends(node: Node, row: Row, target: str) -> str:
    """A link to the object itself leaves and comes back on the right: it hides nothing there."""
    start = f"{_id(node.name)}:{_quoted(f'f_{row.field}')}"
    if target == node.name:
        return f"{start}:e -> {_id(target)}:head:e"
    return f"{start} -> {_id(target)}"


def _frame(number: int, frame: Frame, theme: Theme) -> list[str]:
    """A rounded frame; what it owns is inside of it."""
    colour = theme.alarm if frame.focus else theme.faint if frame.ghost else theme.frame
    amount = f"had {frame.amount}" if frame.ghost else frame.amount
    titles = [f"<B>{label_text(line)}</B>" for line in _titles(frame)]
    shown = label_text(amount) + ("" if frame.had is None else _was(label_text(frame.had), theme))
    cells = [(titles[0], "left", colour, 2), (shown, "right", colour, 1)]
    rows = [_cells(cells, theme.background, port="head")]
    for title in titles[1:]:
        rows.append(_cells([(title, "left", colour, 3)], theme.background))
    for row in frame.owns:
        cells = [
            (label_text(row.field), "left", theme.ink, 1),
            (label_text(_short(row.value)), "left", theme.ink, 1),
            (label_text(row.amount), "right", theme.faint, 1),
        ]
        rows.append(_cells(cells, theme.paper, port=f"f_{row.field}"))
    for text in _instances_inside(frame.inside):
        rows.append(_cells([(label_text(text), "left", colour, 3)], theme.paper))
    style = "rounded,dashed" if frame.ghost or frame.amount == MISSING else "rounded"
    label = _table(rows, theme.background, 0)
    lines = [
        f'  i{number} [shape=box, style="{style}", color="{colour}", penwidth=1.4, margin=0.08, '
        f"label={label}];"
    ]
    linked = {row.target for row in frame.owns}
    for row in frame.owns:
        if row.target is not None:
            text = _quoted(row.field.rpartition(".")[2])
            start = f"i{number}:{_quoted(f'f_{row.field}')}"
            lines.append(f"  {start} -> {_id(row.target)} [label={text}];")
    for target in frame.targets:
        if target not in linked:
            lines.append(f'  i{number} -> {_id(target)} [style=dotted, color="{colour}"];')
    return lines


def _titles(frame: Frame) -> list[str]:
    """The name of an instance; a wand is its whole text, in lines."""
    if frame.kind != WAND:
        return [_short(frame.text)]
    lines = _wrapped(frame.text, LONGEST)
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], "..."]
    return [_short(line) for line in lines]


def _instances_inside(texts: Sequence[str]) -> list[str]:
    """Names of instances inside another one; of many, how many there are."""
    if len(texts) <= MOST_INSIDE:
        return [f"inside: {_short(text)}" for text in texts]
    first = [f"inside: {_short(text)}" for text in texts[: MOST_INSIDE - 1]]
    return [*first, f"inside: {len(texts) - len(first)} more instances"]


# ---------------------------------------------------------------- pieces


def _table(rows: Sequence[str], border: str, width: int) -> str:
    inner = "".join(rows)
    return (
        f'<<TABLE BORDER="{width}" CELLBORDER="0" CELLSPACING="0" CELLPADDING="4" '
        f'COLOR="{border}">{inner}</TABLE>>'
    )


def _cells(cells: Sequence[tuple[str, str, str, int]], paper: str, port: str = "") -> str:
    """Texts with alignment, colour and columns; the port is that of the whole row."""
    made = []
    for at, (text, align, colour, span) in enumerate(cells):
        here = f' PORT="{port}"' if port and at == len(cells) - 1 else ""
        made.append(
            f'<TD ALIGN="{align.upper()}" COLSPAN="{span}" BGCOLOR="{paper}"{here}>'
            f'<FONT COLOR="{colour}">{text}</FONT></TD>'
        )
    return f"<TR>{''.join(made)}</TR>"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _wrapped(text: str, widest: int) -> list[str]:
    """Lines of about the same length; a value stays with its name, as in `i = 2`."""
    width = len(text) / max(1, ceil(len(text) / widest))
    lines = [""]
    for part in _PARTS.findall(text):
        longer = f"{lines[-1]} {part}".strip()
        if lines[-1] and (len(longer) > widest or len(lines[-1]) + len(part) / 2 > width):
            lines.append(part)
        else:
            lines[-1] = longer
    return lines


_PARTS = re.compile(r"\S+ = \S+|\S+")


def _id(name: str) -> str:
    return _quoted(f"o_{name}")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
