"""Contradictions made small: the same one in a program with fewer lines."""

from __future__ import annotations

from collections.abc import Callable

ATTEMPTS = 150
"""Programs that are tried at most; a number and no time, so that the result is always the same."""


def shrunk(text: str, holds: Callable[[str], bool], attempts: int = ATTEMPTS) -> str:
    """A shorter text of which `holds` is still true, by leaving out lines, large parts first."""
    lines = [line for line in text.split("\n") if line.strip()]
    size = max(1, len(lines) // 2)
    while size and attempts > 0:
        at, found = 0, False
        while at < len(lines) and attempts > 0:
            part = _whole_blocks(lines, at, size)
            candidate = lines[:at] + lines[at + part :]
            attempts -= 1
            if part and candidate and holds("\n".join([*candidate, ""])):
                lines, found = candidate, True
            else:
                at += 1 if size == 1 else size
        if not (found and size == 1):
            size //= 2
    return "\n".join([*lines, ""])


def _whole_blocks(lines: list[str], start: int, size: int) -> int:
    """How many lines from `start` on have all the ends of the blocks that they begin: at least
    `size`; 0 where they end a block that they do not begin."""
    depth = 0
    for count, line in enumerate(lines[start:], 1):
        for character in line:
            depth += (character == "{") - (character == "}")
            if depth < 0:
                return 0
        if count >= size and depth == 0:
            return count
    return 0
