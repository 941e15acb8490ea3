"""A server that stays open keeps nothing of what is done."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from pitviper.servers.lsp.server import PitviperServer, ServerOptions


def test_nothing_is_kept_of_a_notification() -> None:
    """The library kept two futures of each edit, for as long as the server was open."""
    protocol = PitviperServer(ServerOptions()).protocol
    execute: Any = protocol._execute_handler
    heard: list[Any] = []

    def by_parts() -> Generator[Any, Any, Any]:
        one = yield (lambda: 1), (), {}
        two = yield more, (one,), {}
        return one + two

    def more(before: int) -> Generator[Any, Any, Any]:
        again = yield (lambda: before), (), {}
        return again + 1

    for number in range(3):
        execute(f"edit {number}", by_parts, heard.append)

    assert [future.result() for future in heard] == [3, 3, 3]
    assert protocol._request_futures == {}
