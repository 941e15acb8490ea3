"""Wrong programs made right: without the lines that a verifier has something against.

A program that both verifiers refute says little about them: what is behind the first mistake was
assumed. Without its wrong lines it becomes one that a verifier verifies, and a failing run of that
would be a mistake of ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pitviper.driver.fuzz.judge import Judge, Judged

TURNS = 7
KEPT = ("method", "function", "predicate", "field", "adt", "}", "label", "domain")


def repaired(judged: Judged, judge: Judge, seen: Callable[[Judged], None]) -> Judged:
    """The last version of a program; `seen` is told of every version on the way."""
    for _ in range(TURNS):
        if not judged.lines:
            break
        text = without_lines(judged.text, judged.lines)
        if text == judged.text:
            break
        judged = judge.verify(text)
        seen(judged)
    return judged


def without_lines(text: str, wrong: frozenset[int]) -> str:
    """The text without what stands in these lines; blocks stay blocks."""
    lines = text.split("\n")
    made = [_repaired(line) if at in wrong else line for at, line in enumerate(lines, 1)]
    return "\n".join([line for line in made if line is not None])


def _repaired(line: str) -> str | None:
    bare = line.strip()
    if bare.startswith("if ("):
        return "if (b) {" if bare.endswith("{") else None
    if bare.startswith("while "):
        return re.sub(r"while \(.*\)", "while (b)", line)
    return line if bare.startswith(KEPT) or bare in ("{", "} else {") else None
