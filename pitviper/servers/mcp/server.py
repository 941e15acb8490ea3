"""The tools that agents can call, and the shapes of their answers."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from mcp.server.fastmcp import FastMCP
from mcp.types import JSONRPCMessage
from typing_extensions import TypedDict

from pitviper.base.usage_error import UsageError
from pitviper.results.catalogue import CONSTRUCTS, FRONT, REASONS, Entry
from pitviper.results.exit_code import ExitCode
from pitviper.results.object_examples import OBJECT_CONSTRUCTS
from pitviper.servers.ending import Messages, ends_with_signals, standard_streams
from pitviper.servers.work.worker import Line, Nursery

SECONDS = 120.0
"""After which a question is given up."""

LARGEST = 1 << 20
"""Characters of a program that is given as text."""

ABOUT = """Pitviper verifies programs in the Viper language. Give a program as `text`, or as `path`
of a file below the folder where the server runs. `verify` says what is proved: only the verdict
"verified" means that the program keeps all its promises; "undecided" is no success."""


class Problem(TypedDict):
    """Something wrong: `cure` is what may help, `path` the decisions that lead to it."""

    id: str
    line: int
    column: int
    message: str
    member: str | None
    cure: str | None
    path: list[str]


class Checked(TypedDict):
    accepted: bool
    problems: list[Problem]


class Verified(TypedDict):
    """`verdict` is verified, refuted, undecided or rejected; `members` have one each."""

    verdict: str
    members: dict[str, str]
    problems: list[Problem]
    undecided: list[dict[str, Any]]
    inferred: list[dict[str, Any]]


class Explained(TypedDict):
    id: str
    meaning: str
    cure: str
    wrong: str
    mended: str


def make_server(root: Path) -> FastMCP:
    """Returns a server whose tools read files below a folder only."""
    server = FastMCP("pitviper", instructions=ABOUT, log_level="ERROR")
    ask = _Asking(root)

    @server.tool()
    async def check(path: str = "", text: str = "") -> Checked:
        """Checks syntax and types of a Viper program, without proving anything."""
        found: Checked = await ask("check", path, text)
        return found

    @server.tool()
    async def verify(
        path: str = "",
        text: str = "",
        members: list[str] | None = None,
        seconds: int = 60,
        backend: str = "symbolic",
    ) -> Verified:
        """Verifies a program, or some members of it: what is proved, what fails and why."""
        more = {"members": members or [], "seconds": _within(seconds), "backend": backend}
        found: Verified = await ask("verify", path, text, **more)
        return found

    @server.tool()
    async def suggest(path: str = "", text: str = "", members: list[str] | None = None) -> Verified:
        """Searches folds and unfolds that make a failing program verify (`inferred`)."""
        found: Verified = await ask("suggest", path, text, members=members or [])
        return found

    @server.tool()
    async def state(line: int, column: int = 1, path: str = "", text: str = "") -> dict[str, Any]:
        """The symbolic states at a place: variables, permissions, what is known, on every path."""
        found: dict[str, Any] = await ask("state", path, text, line=line, column=column)
        return found

    @server.tool()
    async def counterexample(
        path: str = "", text: str = "", members: list[str] | None = None
    ) -> dict[str, Any]:
        """Small concrete states in which failed checks fail."""
        found: dict[str, Any] = await ask("counterexample", path, text, members=members or [])
        return found

    @server.tool()
    async def explore(
        path: str = "",
        text: str = "",
        members: list[str] | None = None,
        seconds: int = 20,
    ) -> dict[str, Any]:
        """Runs methods of a program on chosen inputs: those on which they fail."""
        found: dict[str, Any] = await ask(
            "explore", path, text, members=members or [], seconds=_within(seconds)
        )
        return found

    @server.tool()
    async def explain(id: str) -> Explained:
        """What the id of a problem means and what helps; a program with it, and one without."""
        return explained(id)

    return server


def _within(seconds: int) -> int:
    return max(1, min(seconds, int(SECONDS) - 10))


def explained(wanted: str) -> Explained:
    """Returns what the catalogue knows; ValueError for an id that there is not."""
    construct, _, reason = wanted.partition(":")
    entry = FRONT.get(wanted) or REASONS.get(reason) or REASONS.get(construct)
    own = OBJECT_CONSTRUCTS.get(construct)
    if own is not None:
        entry = Entry(entry.meaning if entry else "", own.example.cure, own.example.bad,
                      own.example.good)  # fmt: skip
    about = own.meaning if own is not None else CONSTRUCTS.get(construct, "")
    if entry is None and not about:
        raise ValueError(f"there is no id {wanted}")
    meaning = " ".join([part for part in (about, entry.meaning if entry else "") if part])
    return Explained(
        id=wanted,
        meaning=meaning,
        cure=entry.cure if entry else "",
        wrong=entry.bad if entry else "",
        mended=entry.good if entry else "",
    )


class _Asking:
    """Asks a process of its own for each question; ValueError tells an agent what went wrong."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._nursery = Nursery("pitviper.servers.mcp.work")

    async def __call__(self, tool: str, path: str, text: str, **more: object) -> Any:
        request: Line = {"tool": tool, "root": str(self._root), **more}
        if bool(path) == bool(text):
            raise ValueError("give a program as text, or the path of one: exactly one of them")
        if len(text) > LARGEST:
            raise ValueError(f"the text is longer than {LARGEST} characters")
        request["path"] = str(self._allowed(path)) if path else ""
        if text:
            request["text"] = text
        answer = await self._worked(request)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def _allowed(self, path: str) -> Path:
        found = (self._root / path).resolve()
        if not found.is_relative_to(self._root):
            raise ValueError(f"{path} is not below the folder of the server")
        if not found.is_file():
            raise ValueError(f"there is no file {path}")
        return found

    async def _worked(self, request: Line) -> Line:
        worker = await self._nursery.begin(request)
        try:
            async with asyncio.timeout(SECONDS):
                async for answer in worker.said():
                    return answer
        except TimeoutError:
            raise ValueError(f"no answer within {SECONDS:g} seconds: nothing is known") from None
        finally:
            worker.kill()
        raise ValueError("the process of this question ended without an answer: nothing is known")


LONGEST = 16 << 20
"""Bytes of a message."""


class _Lines(Messages):
    """The lines of a stream that are messages; a line that is none is told, and left out.

    The package would tell the agent of it, and end with an error where that has gone meanwhile.
    """

    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    def _next(self) -> bytes:
        while line := self._source.readline(LONGEST):
            if not line.endswith(b"\n"):  # too long, or the last one
                while rest := self._source.readline(LONGEST):
                    if rest.endswith(b"\n"):
                        break
            elif _is_message(line):
                return line
            with suppress(OSError):
                os.write(2, b"pitviper: a line that is no message is left out\n")
        return b""


def _is_message(line: bytes) -> bool:
    try:
        JSONRPCMessage.model_validate_json(line)
    except ValueError:
        return False
    return True


def serve(root: Path) -> None:
    """Serves one agent on standard input and output."""
    if not root.is_dir():
        raise UsageError(f"{root} is no folder")
    source, _ = standard_streams()
    server = make_server(root)
    ends_with_signals(lambda: None)  # processes of questions end when this one does
    sys.stdin = io.TextIOWrapper(io.BufferedReader(_Lines(source)), encoding="utf-8")
    try:
        server.run("stdio")
    except* ConnectionError:  # the agent is gone, and nobody hears what is left to say
        os._exit(0)
    except* OSError as problem:  # a thread may still wait for input
        why = _first_of(problem)
        os.write(2, f"pitviper: error: cannot talk to the agent: {why.strerror}\n".encode())
        os._exit(ExitCode.USAGE)


def _first_of(problem: BaseExceptionGroup[OSError]) -> OSError:
    """One of the errors in a group, which may have groups in it."""
    first = problem.exceptions[0]
    return _first_of(first) if isinstance(first, BaseExceptionGroup) else first
