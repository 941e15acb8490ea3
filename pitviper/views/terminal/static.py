"""What is known about methods without running them, as text."""

from __future__ import annotations

from pitviper.results.exploration import StaticBlock, StaticMethod
from pitviper.views.terminal.cells import visible
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.report import counted
from pitviper.views.terminal.style import Style


def static_text(found: StaticMethod, page: Page) -> str:
    """A line with numbers, then the blocks with what is known where they begin."""
    ways = "endless" if found.paths is None else str(found.paths)
    if found.left is not None and found.left != found.paths:
        ways += f" ({found.left} feasible)"
    loops = counted(len(found.loops), "loop")
    lines = [
        f"method {visible(found.method)}: {counted(len(found.blocks), 'block')}, {loops}, "
        f"paths: {ways}; {counted(found.decided, 'condition')} known without a solver"
    ]
    if found.dead_lines:
        dead = ", ".join(map(str, found.dead_lines))
        lines.append(f"  {page.paint(Style.WARNING, 'never reached')}: line {dead}")
    if found.any_value:
        names = ", ".join(map(visible, found.any_value))
        lines.append(f"  {page.paint(Style.WARNING, 'read before it has a value')}: {names}")
    if found.versions:
        versions = ", ".join(f"{visible(name)} {count}" for name, count in found.versions)
        lines.append(f"  values by single assignment: {versions}")
    for block in found.blocks:
        lines += _block(block, found, page)
    return "\n".join(lines) + "\n\n"


def _block(block: StaticBlock, found: StaticMethod, page: Page) -> list[str]:
    loop = ", head of a loop" if block.number in found.loops else ""
    gone = "" if block.reachable else ", never reached"
    lines = [f"  block {block.number}{loop}{gone}"]
    if block.known:
        known = visible("; ".join(block.known))
        lines.append(f"      {page.paint(Style.NOTE, 'known')} {known}")
    lines += [f"      {visible(line)}" for line in block.lines]
    for edge in found.edges:
        if edge.source == block.number:
            condition = f" if {visible(edge.condition)}" if edge.condition else ""
            never = "" if edge.feasible else "  (never)"
            lines.append(f"      -> block {edge.target}{condition}{never}")
    return lines
