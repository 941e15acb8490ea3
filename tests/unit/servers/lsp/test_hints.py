"""Hints about permissions while a verifier is at work."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from pitviper.servers.lsp.requests import _permission_hints
from pitviper.source.span import SourceFile, Span


def test_answers_may_come_while_hints_are_made() -> None:
    """The members that are known grow between two questions; those known at first are told of."""
    file = SourceFile(Path("m.vpr"), "method m() { }\nmethod k() { }\n")
    spans = {"m": Span(file, 0, 14), "k": Span(file, 15, 29)}
    members: dict[str, Any] = {name: SimpleNamespace(line=1, problems=()) for name in spans}
    analysis = SimpleNamespace(member_span=spans.get, source=file)
    document = SimpleNamespace(current=lambda: analysis, problems=SimpleNamespace(members=members))
    asked: list[int] = []

    async def changes(_: object, start: int) -> list[object]:
        asked.append(start)
        members[f"later{start}"] = SimpleNamespace(line=1, problems=())
        return []

    server = SimpleNamespace(recorded=SimpleNamespace(changes=changes))
    hints = _permission_hints(cast(Any, server), cast(Any, document), 0, 30)
    assert asyncio.run(hints) == []
    assert asked == [0, 15]
