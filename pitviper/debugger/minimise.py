"""A smallest set of facts that is enough for a goal: no fact of it can be left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pitviper.debugger.obligations.obligation import Fact

Enough = Callable[[list[Fact]], bool]


def minimal(facts: Sequence[Fact], enough: Enough) -> list[Fact]:
    """Leaves out ever smaller pieces while the rest is enough; `enough(facts)` must hold."""
    kept = list(facts)
    size = max(1, len(kept) // 2)
    while True:
        kept, changed = _without_pieces(kept, size, enough)
        if size == 1 and not changed:
            return kept
        size = max(1, size // 2)


def _without_pieces(facts: list[Fact], size: int, enough: Enough) -> tuple[list[Fact], bool]:
    """From the end: late facts often follow from early ones."""
    changed = False
    end = len(facts)
    while end > 0:
        start = max(0, end - size)
        fewer = facts[:start] + facts[end:]
        if enough(fewer):
            facts, changed = fewer, True
        end = start
    return facts, changed
