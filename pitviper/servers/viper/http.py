"""The HTTP interface of ViperServer: jobs that are started, streamed once, stopped, forgotten.

`POST /verify` starts a job and gives its number; `GET /ast/N` and `GET /verify/N` stream what it
says, one JSON object a line, while it goes on. Each job is a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

from pitviper.base.json_text import read_json
from pitviper.base.record import field, record, struct
from pitviper.servers.viper.asked import BACKENDS, Asked, Translate, asked_for, words_of
from pitviper.servers.viper.job import AST, VERIFY
from pitviper.servers.viper.messages import exception_report, message
from pitviper.servers.work.worker import Nursery, Worker
from pitviper.views.json.lines import Json, JsonObject

LARGEST_BODY: Final = 1 << 20
MOST_JOBS: Final = 64
"""Jobs that are kept for readers who have not come yet."""


@struct(eq=False)
class Stream:
    """Messages that one reader takes, in their order, as they come."""

    lines: list[bytes] = field(default_factory=list)
    is_over: bool = False
    is_taken: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, data: JsonObject) -> None:
        self.lines.append(json.dumps(data, separators=(",", ":")).encode())
        self.news.set()

    def close(self) -> None:
        self.is_over = True
        self.news.set()

    async def read(self) -> AsyncIterator[bytes]:
        self.is_taken = True
        at = 0
        while at < len(self.lines) or not self.is_over:
            if at < len(self.lines):
                yield self.lines[at]
                at += 1
                continue
            self.news.clear()
            await self.news.wait()


@struct(eq=False)
class Job:
    """A verification: its two streams, and its process while that goes on."""

    asked: Asked
    ast: Stream = field(default_factory=Stream)
    verify: Stream = field(default_factory=Stream)
    worker: Worker | None = None
    task: asyncio.Task[None] | None = None
    stopped: bool = False

    @property
    def is_over(self) -> bool:
        return self.verify.is_over

    def stop(self) -> None:
        """Ends the process and those that it started; the streams end where they are."""
        self.stopped = True
        self.ast.close()
        self.verify.close()
        if self.worker is not None:
            self.worker.kill()


class Jobs:
    """All jobs of a server; a few work at the same time, the others wait.

    `timeout` is the limit of a job whose client names none.
    """

    def __init__(self, cache: Path, processes: int, timeout: float | None = None) -> None:
        self.cache = cache
        self._timeout = timeout
        self._free = asyncio.Semaphore(max(1, processes))
        self._nursery = Nursery("pitviper.servers.viper.job")
        self._jobs: dict[int, Job] = {}
        self._next = 0

    def start(self, asked: Asked) -> int:
        """Starts a job, and returns its number."""
        number, self._next = self._next, self._next + 1
        job = self._jobs[number] = Job(asked)
        job.task = asyncio.get_running_loop().create_task(self._run(job))
        for old in [n for n, known in self._jobs.items() if known.is_over][:-MOST_JOBS]:
            del self._jobs[old]
        return number

    def get(self, number: int) -> Job | None:
        return self._jobs.get(number)

    def forget(self, number: int) -> None:
        """A job whose stream was read is gone."""
        self._jobs.pop(number, None)

    def stop_all(self) -> list[asyncio.Task[None]]:
        """Ends all processes; what is returned waits for their ends."""
        for job in self._jobs.values():
            job.stop()
        return [job.task for job in self._jobs.values() if job.task is not None]

    def close(self) -> list[asyncio.Task[None]]:
        """Ends all processes: the server ends. What is returned waits for that."""
        under_way = self.stop_all()
        self._nursery.close()
        return under_way

    def flush(self) -> None:
        """Forgets all answers of earlier jobs."""
        shutil.rmtree(self.cache, ignore_errors=True)

    async def _run(self, job: Job) -> None:
        try:
            async with self._free:
                if not job.stopped:
                    await self._follow(job)
        finally:
            job.ast.close()
            job.verify.close()

    async def _follow(self, job: Job) -> None:
        asked = job.asked
        if asked.wrong:
            errors: list[Json] = [
                {"tag": "invalid.argument", "text": f"unknown option {word}", "cached": False}
                for word in asked.wrong
            ]
            body: JsonObject = {"tool": asked.verifier, "errors": errors}
            job.verify.add(message("invalid_args_report", body))
            return
        said_last = False
        try:
            async for stream, data in self._said(job):
                if stream == AST:
                    job.ast.add(data)
                    said_last = said_last or data["msg_type"] == "pprogram"
                else:
                    job.ast.close()
                    job.verify.add(data)
                    said_last = _is_last(data)
        except (OSError, ValueError) as error:
            job.verify.add(exception_report(str(error)))
            return
        if not said_last and not job.stopped:
            job.verify.add(exception_report("the verifier's process ended without an answer"))

    async def _said(self, job: Job) -> AsyncIterator[tuple[str, JsonObject]]:
        """Gives what the process of a job says, until it ends."""
        asked = job.asked
        worker = job.worker = await self._nursery.begin(
            {
                "file": str(asked.file.absolute()),
                "verifier": asked.verifier,
                "backend": BACKENDS[asked.verifier],
                "timeout": asked.timeout or self._timeout,
                "cache": str(self.cache) if asked.remembers else None,
                "select": list(asked.select),
                **asked.choices(),
            }
        )
        if job.stopped:
            job.stop()
        async for data in worker.said():
            yield data["stream"], data["message"]


def _is_last(data: JsonObject) -> bool:
    """Whether a message says how the job ended."""
    body = data["msg_body"]
    overall = isinstance(body, dict) and body.get("kind") == "overall"
    return overall or data["msg_type"] == "exception_report"


# ---------------------------------------------------------------- requests


@record
class Call:
    """A request: its method and path, and its body."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class TooLarge(Exception):
    """A request whose body is larger than any that makes sense."""


async def read_call(first: bytes, reader: asyncio.StreamReader) -> Call | None:
    """Returns the request that begins with a line; None where it is none."""
    words = first.decode("latin-1").split()
    if len(words) != 3 or not words[2].startswith("HTTP/"):
        return None
    headers: dict[str, str] = {}
    while line := (await reader.readline()).decode("latin-1").strip():
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    length = headers.get("content-length", "0")
    size = int(length) if length.isdigit() else 0
    if size > LARGEST_BODY:
        raise TooLarge
    return Call(words[0], words[1].partition("?")[0], headers, await reader.readexactly(size))


def is_from_here(call: Call) -> bool:
    """Whether a request was meant for this machine; a page of another site is sent away."""
    host = call.headers.get("host", "localhost")
    origin = call.headers.get("origin", "")
    return _is_loopback(host) and (not origin or _is_loopback(origin.partition("://")[2]))


def _is_loopback(host: str) -> bool:
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return name in ("localhost", "127.0.0.1", "[::1]")


class Interface:
    """Answers requests about jobs; `leave` ends the server."""

    def __init__(self, jobs: Jobs, translate: Translate, leave: Callable[[], None]) -> None:
        self._jobs = jobs
        self._translate = translate
        self._leave = leave

    async def answer(self, call: Call, writer: asyncio.StreamWriter) -> None:
        """Writes the answer to a request."""
        if not is_from_here(call):
            await _send(writer, 403, "only for clients on this machine")
            return
        match (call.method, call.path.strip("/").split("/")):
            case ("POST", ["verify"]):
                await _send(writer, 200, self._verify(call.body))
            case ("GET", ["verify" | "ast" as which, number]) if _is_number(number):
                await self._stream(which, int(number), writer)
            case ("GET", ["discard", number]) if _is_number(number):
                await _send(writer, 200, self._discard(int(number)))
            case ("GET", ["cache", "flush"]):
                self._jobs.flush()
                await _send(writer, 200, {"msg": "The cache has been flushed successfully."})
            case ("GET", ["exit"]):
                self._jobs.stop_all()
                await _send(writer, 200, {"msg": "shutting down..."})
                self._leave()
            case (_, ["verify"]):
                await _send(writer, 405, _allowed("POST"))
            case (_, ["cache", "flush"] | ["exit"]):
                await _send(writer, 405, _allowed("GET"))
            case (_, ["verify" | "ast" | "discard", number]) if _is_number(number):
                await _send(writer, 405, _allowed("GET"))
            case _:
                await _send(writer, 404, "The requested resource could not be found.")

    def _verify(self, body: bytes) -> JsonObject:
        try:
            data: Any = read_json(body.decode())
            words = words_of(data["arg"])
            verifier, *options, file = words
        except (ValueError, KeyError, TypeError, AttributeError):
            return {"msg": "Invalid arguments for backend."}
        if not Path(file).is_file():
            return {"msg": "File not found"}
        if verifier not in BACKENDS:
            return {"ast_id": -1, "id": -1}
        number = self._jobs.start(asked_for(verifier, options, Path(file), self._translate))
        return {"ast_id": number, "id": number}

    def _discard(self, number: int) -> JsonObject:
        job = self._jobs.get(number)
        if job is None:
            return _missing(number)
        if job.is_over:
            return {"msg": f"ver_id_{number} has already been finalized."}
        job.stop()
        return {"msg": f"ver_id_{number} has been successfully interrupted."}

    async def _stream(self, which: str, number: int, writer: asyncio.StreamWriter) -> None:
        """Both streams behind each other, or the first alone; what was read is not read again."""
        job = self._jobs.get(number)
        streams = [] if job is None else [job.ast] if which == AST else [job.ast, job.verify]
        streams = [stream for stream in streams if not stream.is_taken]
        if job is None or not streams:
            await _send(writer, 200, _missing(number))
            return
        _head(writer, 200, "application/json", "Transfer-Encoding: chunked")
        separator = b""
        for stream in streams:
            async for line in stream.read():
                _chunk(writer, separator + line)
                separator = b"\n"
                await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        if which == VERIFY:
            self._jobs.forget(number)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and text.isascii()


def _missing(number: int) -> JsonObject:
    return {"msg": f"The verification job #{number} does not exist."}


def _allowed(method: str) -> str:
    return f"HTTP method not allowed, supported methods: {method}"


_REASONS: Final = {200: "OK", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed"}


def _head(writer: asyncio.StreamWriter, status: int, kind: str, *more: str) -> None:
    lines = [f"HTTP/1.1 {status} {_REASONS[status]}", "Server: pitviper", f"Content-Type: {kind}"]
    writer.write("\r\n".join([*lines, *more, "", ""]).encode())


async def _send(writer: asyncio.StreamWriter, status: int, body: JsonObject | str) -> None:
    if isinstance(body, str):
        kind, data = "text/plain; charset=UTF-8", body.encode()
    else:
        kind, data = "application/json", json.dumps(body, separators=(",", ":")).encode()
    _head(writer, status, kind, f"Content-Length: {len(data)}")
    writer.write(data)
    await writer.drain()


def _chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
