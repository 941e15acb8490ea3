"""One open page: its requests are answered here, from the folder or by processes of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

from pitviper.base.record import field, struct
from pitviper.base.usage_error import UsageError
from pitviper.servers.web.folder import Folder, Opened
from pitviper.servers.web.gallery import example_text, examples
from pitviper.servers.web.messages import Data, Refused, Request, Room, read_message
from pitviper.servers.web.process import Gone, Spare, Worker
from pitviper.servers.web.settings import LOADING, MOST_REQUESTS, MOST_WAITING, Settings
from pitviper.servers.work.imports import LOOK, stamp_of
from pitviper.version import VERSION

Send = Callable[[Data], Awaitable[None]]

CANCELLED = "cancelled"


@struct
class _Place:
    """The process of a room; `request` is what it works on, `why` the reason it was killed for.

    NOTE(idle). A process that is idle is asked about the next text, too: a new one costs half a
    second of work in the background at every change of a text, and its first answers come later. It
    is `spent` when it says so (something went wrong in it, goes on there, or is open there). Its
    memory grows with what it has seen, so it is let go after some requests.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    worker: Worker | None = None
    requests: int = 0
    is_spent: bool = False
    request: int | None = None
    why: str = ""
    generation: int = 0

    def renew(self) -> None:
        """Makes way for a request about another text."""
        if self.request is None and not self.is_spent and self.requests < MOST_REQUESTS:
            self.generation += 1
        else:
            self.end(CANCELLED)

    def end(self, why: str) -> None:
        """Kills what is under way, also if its process is only being started (`_worker`).

        Requests that wait are about a text that is gone.
        """
        self.generation += 1
        self.why = why
        if self.worker is not None:
            self.worker.kill()
            self.worker = None


class Desk:
    """Hears the messages of one page and sends answers."""

    def __init__(self, send: Send, folder: Folder, spare: Spare, settings: Settings) -> None:
        self._send = send
        self._folder = folder
        self._spare = spare
        self._settings = settings
        self._places: dict[Room, _Place] = {room: _Place() for room in Room}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._watches: dict[str, asyncio.Task[None]] = {}
        """Look at the files that the verified text imports, and the explored one."""
        self._unwanted: set[int] = set()
        """Requests that were cancelled before somebody worked on them."""

    async def hear(self, text: str) -> None:
        """Answers a message, or begins to: work goes on beside the next message."""
        message = read_message(text)
        if isinstance(message, Refused):
            await self._fail(message.id, message.message)
        elif message.how.room is Room.DESK:
            await self._answer(message)
        elif message.id in self._tasks or len(self._tasks) >= MOST_WAITING:
            await self._fail(message.id, "too many requests are waiting")
        else:
            if message.how.fresh:
                self._places[message.how.room].renew()
            self._end_watch(message.kind)
            task = asyncio.get_running_loop().create_task(self._work(message))
            self._tasks[message.id] = task
            task.add_done_callback(lambda _: self._forget(message.id))

    def _forget(self, id_: int) -> None:
        self._tasks.pop(id_, None)
        self._unwanted.discard(id_)

    async def close(self) -> None:
        """Ends all that is under way: the page is gone."""
        for kind in list(self._watches):
            self._end_watch(kind)
        for place in self._places.values():
            place.end(CANCELLED)
        for task in [*self._tasks.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    # ------------------------------------------------------------ the server itself

    async def _answer(self, request: Request) -> None:
        try:
            data = self._own(request)
        except UsageError as error:
            await self._fail(request.id, str(error))
        else:
            await self._send({"id": request.id, "kind": "done", **data})

    def _own(self, request: Request) -> Data:
        data = request.data
        match request.kind:
            case "hello":
                return {
                    "version": VERSION,
                    "folder": self._folder.root.name,
                    "files": self._folder.names(),
                    "writable": self._folder.writable,
                    "examples": examples(),
                    "seconds": self._settings.seconds,
                }
            case "open":
                return _opened(self._folder.read(str(data["path"])))
            case "save":
                known = data.get("known")
                known = None if known is None else str(known)
                return _opened(self._folder.write(str(data["path"]), str(data["text"]), known))
            case "example":
                return {"text": example_text(str(data["name"])), "name": data["name"]}
            case _:
                return {"ended": self._cancel(request.data["of"])}

    def _cancel(self, of: object) -> bool:
        for place in self._places.values():
            if place.request == of:
                place.end(CANCELLED)
                return True
        if isinstance(of, int) and of in self._tasks:
            self._unwanted.add(of)  # it has not begun
            return True
        return False

    # ------------------------------------------------------------ processes

    async def _work(self, request: Request) -> None:
        place = self._places[request.how.room]
        generation = place.generation
        async with place.lock:
            if place.generation != generation or request.id in self._unwanted:
                await self._fail(request.id, CANCELLED)
                return
            place.request = request.id
            try:
                await self._ask(request, place)
            finally:
                place.request = None

    async def _ask(self, request: Request, place: _Place) -> None:
        seconds, place.why, began = self._settings.seconds, "", False
        worker = await self._worker(place)
        place.requests += 1
        data = {**request.data, "id": request.id, "kind": request.kind, "seconds": seconds}
        try:
            async with asyncio.timeout(LOADING) as limit, aclosing(worker.ask(data)) as answers:
                async for answer in answers:
                    if answer["kind"] == "begun":
                        limit.reschedule(asyncio.get_running_loop().time() + seconds)
                        began = True
                        continue
                    place.is_spent = bool(answer.pop("spent", False))
                    stamps = answer.pop("imports", None)
                    await self._send(answer)
                    if isinstance(stamps, list) and stamps:
                        looking = asyncio.create_task(self._keep_looking(request.id, stamps))
                        self._watches[request.kind] = looking
        except TimeoutError:
            if place.worker is worker:
                place.end("")
            late = f"took longer than {seconds:g}" if began else f"was not begun in {LOADING:g}"
            await self._fail(request.id, f"stopped: it {late} seconds")
        except Gone:
            if place.worker is worker:
                place.worker = None
            ended = "the process that worked on it has ended: it may have needed too much memory"
            await self._fail(request.id, place.why or ended)

    async def _keep_looking(self, of: int, stamps: list[tuple[str, list[int] | None]]) -> None:
        """Says that a verdict is none any more once an imported file has changed."""
        known = {Path(name): None if s is None else tuple(s) for name, s in stamps}
        while all(stamp_of(path) == stamp for path, stamp in known.items()):
            await asyncio.sleep(LOOK)
        await self._send({"id": of, "kind": "stale"})

    def _end_watch(self, kind: str) -> None:
        watch = self._watches.pop(kind, None)
        if watch is not None:
            watch.cancel()

    async def _worker(self, place: _Place) -> Worker:
        if place.worker is None or not place.worker.is_alive:
            generation = place.generation
            taken = await self._spare.take()
            if place.generation != generation:
                taken.kill()  # ended while it was being started: the question finds it gone
                return taken
            place.worker, place.requests, place.is_spent = taken, 0, False
        return place.worker

    async def _fail(self, id_: int, why: str) -> None:
        await self._send({"id": id_, "kind": "failed", "message": why})


def _opened(opened: Opened) -> Data:
    return {"path": opened.name, "text": opened.text, "version": opened.version}
