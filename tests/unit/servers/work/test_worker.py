"""Processes that work for a server: what they say, and what is left when they are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from pitviper.servers.work.worker import Nursery, Worker

LIMIT = 300.0


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    found = Nursery("tests.unit.servers.work.echo")
    yield found
    found.close()


def run(session: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(session(), LIMIT)

    asyncio.run(limited())


async def words(worker: Worker) -> list[str]:
    return [str(line["word"]) async for line in worker.said()]


def test_workers_say_their_lines_at_the_same_time(nursery: Nursery, tmp_path: Path) -> None:
    async def session() -> None:
        long = "x" * 200_000
        one = await nursery.begin({"say": ["a", long]}, tmp_path)
        two = await nursery.begin({"say": [long, "b"]})
        first, second = await asyncio.gather(words(one), words(two))
        assert first == ["a", long]
        assert second == [long, "b"]
        third = await nursery.begin({"say": ["c"]}, tmp_path)
        assert [line["folder"] async for line in third.said()] == [str(tmp_path)]

    run(session)


def test_a_worker_that_dies_has_no_last_word(nursery: Nursery) -> None:
    async def session() -> None:
        assert await words(await nursery.begin({"say": ["a"], "then": "die"})) == ["a"]

    run(session)


def test_a_killed_worker_is_gone_and_says_nothing_more(nursery: Nursery) -> None:
    async def session() -> None:
        worker = await nursery.begin({"say": ["a"], "then": "stay"})
        heard = []
        async for line in worker.said():
            heard.append(line["word"])
            worker.kill()
        assert heard == ["a"]
        early = await nursery.begin({"say": ["a"], "then": "stay"})
        early.kill()
        assert await words(early) == []

    run(session)


def test_a_dead_nursery_is_replaced(nursery: Nursery) -> None:
    async def session() -> None:
        await words(await nursery.begin({"say": []}))
        assert nursery._process is not None
        before = nursery._process.pid
        nursery._process.kill()
        nursery._process.wait()
        assert await words(await nursery.begin({"say": ["again"]})) == ["again"]
        assert nursery._process.pid != before

    run(session)


def test_no_worker_outlives_its_server() -> None:
    async def session() -> None:
        nursery = Nursery("tests.unit.servers.work.echo")
        worker = await nursery.begin({"say": ["a"], "then": "stay"})
        said = worker.said()
        assert (await anext(said))["word"] == "a"
        assert nursery._asking is not None
        nursery._asking.close()  # as if the server had been killed
        assert [line async for line in said] == []  # its end of the pipe is gone with it
        nursery.close()

    run(session)
