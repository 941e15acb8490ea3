"""Processes that work for a server: what they say, and what is left when they are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from pitviper.servers.work.worker import MOST_REQUESTS, Nursery, Worker

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


def test_a_worker_that_is_done_is_kept_one_that_was_killed_or_died_is_not(tmp_path: Path) -> None:
    nursery = Nursery("tests.unit.servers.work.echo", kept=True)

    async def asked(request: dict[str, object], folder: Path | None = None) -> list[str]:
        worker = await nursery.begin(request, folder)
        return [f"{line['process']} {line['folder']}" async for line in worker.said()]

    async def session() -> None:
        [first] = await asked({"say": ["a"]})
        [second] = await asked({"say": ["b"]}, tmp_path)
        assert second == f"{first.split()[0]} {tmp_path}"
        assert await asked({"say": ["c"]}) == [first]
        assert await asked({"say": ["d"], "then": "die"}) == [first]
        [third] = await asked({"say": ["e"]})
        assert third != first
        worker = await nursery.begin({"say": ["f"], "then": "stay"})
        async for _ in worker.said():
            worker.kill()
        [fourth] = await asked({"say": ["g"]})
        assert fourth not in (first, third)
        nursery.close()

    run(session)


def test_a_worker_is_let_go_after_many_requests() -> None:
    nursery = Nursery("tests.unit.servers.work.echo", kept=True)

    async def session() -> None:
        seen = []
        for _ in range(MOST_REQUESTS + 1):
            worker = await nursery.begin({"say": ["a"]})
            seen += [line["process"] async for line in worker.said()]
        assert len(set(seen[:-1])) == 1
        assert seen[-1] != seen[0]
        nursery.close()

    run(session)
