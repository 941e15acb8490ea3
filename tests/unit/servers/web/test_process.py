"""Processes that work for a page."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from pitviper.servers.web.process import Worker


def test_a_process_whose_output_has_ended_is_given_no_work() -> None:
    """Somebody has killed it while it waited; how it ended is not known yet."""

    async def alive(ended: bool) -> bool:
        stdout = asyncio.StreamReader()
        if ended:
            stdout.feed_eof()
        process: Any = SimpleNamespace(returncode=None, stdout=stdout)
        return Worker(process).is_alive

    assert asyncio.run(alive(ended=False))
    assert not asyncio.run(alive(ended=True))
