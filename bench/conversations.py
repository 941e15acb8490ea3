"""Servers that are asked about one program after the other, as editors, agents and pages ask.

A server is started with a time limit for each question, and asked all that a client asks about
one text; a new one is started after some hundred. Each answer is judged: an internal error in it,
how long it took, and how much its server has worked after the limit was over. The very first text
is not judged: while it waits for its answers, the server loads what it needs, which is its work.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

from faults import rough

Message = dict[str, Any]
LONGEST = 300.0
"""Seconds after which a question counts as never answered."""

PER_SERVER = 250
"""Texts after which a server has done its work, and a new one is started."""

PATIENCE = 5.0
"""Seconds in which processes whose parent has ended may end, too."""

INTERNAL = -32603
"""What an answer of JSON-RPC says where the server has failed."""


FIRST = "field f: Int method m(x: Ref) requires acc(x.f) ensures x.f == 2 { x.f := 2 }"


class Answer(NamedTuple):
    """Seconds, processor seconds after the limit, and what was wrong with it."""

    seconds: float
    worked_on: float
    wrong: str


class Silent(Exception):
    """A server has gone, or has not answered for very long."""


class Line:
    """Bytes to and from a server; knows how much it had worked when a limit was over."""

    def __init__(self, to: int, source: int, worked: Callable[[], float]) -> None:
        self._to, self._source, self._worked, self._kept = to, source, worked, b""
        self._began, self._limit, self._at_limit = 0.0, 0.0, -1.0

    def begin(self, limit: float) -> None:
        self._began, self._limit, self._at_limit = time.monotonic(), limit, -1.0

    def answer(self, wrong: str) -> Answer:
        after = self._worked() - self._at_limit if self._at_limit >= 0 else 0.0
        return Answer(time.monotonic() - self._began, after, wrong)

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._to, data) :]

    def line(self) -> bytes:
        while b"\n" not in self._kept:
            self._read()
        found, _, self._kept = self._kept.partition(b"\n")
        return found

    def block(self, size: int) -> bytes:
        while len(self._kept) < size:
            self._read()
        found, self._kept = self._kept[:size], self._kept[size:]
        return found

    def rest(self) -> bytes:
        with suppress(Silent):
            while True:
                self._read()
        return self._kept

    def framed(self) -> Message:
        size = 0
        while header := self.line().strip():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        return dict(json.loads(self.block(size)))

    def frame(self, message: Message) -> None:
        data = json.dumps(message).encode()
        self.send(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def _read(self) -> None:
        passed = time.monotonic() - self._began
        if self._at_limit < 0 and not self._ready(self._limit - passed):
            self._at_limit = self._worked()
        if not self._ready(LONGEST):
            raise Silent(f"no answer for {LONGEST:g} s")
        data = os.read(self._source, 1 << 16)
        if not data:
            raise Silent("the server has gone")
        self._kept += data

    def _ready(self, seconds: float) -> bool:
        return bool(select.select([self._source], [], [], max(0.0, seconds))[0])


class Server:
    """A process that serves, and what it says on standard error."""

    def __init__(
        self, kind: Kind, folder: Path, environment: Mapping[str, str],
        limit: float, work: Callable[[int], float],
    ) -> None:  # fmt: skip
        self._kind, self._errors, self.limit = kind, folder / f"errors-{kind.words[0]}", limit
        self.opened = ExitStack()
        self.page: Any = None
        self.asked = 0
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pitviper", *[word.format(limit) for word in kind.words]],
                cwd=folder, env=dict(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors,
            )  # fmt: skip
        self._worked = lambda: work(self.process.pid)
        assert self.process.stdin is not None and self.process.stdout is not None
        to, source = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.line = Line(to, source, self._worked)
        self.first = self.line.line().decode() if kind.tells else ""
        for number, message in enumerate(kind.greeting):
            (self.line.frame if kind.framed else self._plain)(message)
            if number == 0:
                self.line.framed() if kind.framed else self.line.line()

    def _plain(self, message: Message) -> None:
        self.line.send(json.dumps(message).encode() + b"\n")

    def about(self, text: str) -> list[Answer]:
        """Asks all about one text; raises Silent where no answer comes."""
        return list(self._kind.talk(self, text))

    def connect(self) -> tuple[socket.socket, Line]:
        found = re.search(r":(\d+)", self.first.replace("://127.0.0.1", ""))
        assert found is not None, self.first
        opened = socket.create_connection(("127.0.0.1", int(found[1])))
        return opened, Line(opened.fileno(), opened.fileno(), self._worked)

    @property
    def said(self) -> str:
        return self._errors.read_text(errors="replace")

    def end(self) -> None:
        self.opened.close()
        self.process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.process.communicate(timeout=LONGEST)
        self.process.kill()
        self.process.communicate()


def _rpc(method: str, params: object, number: int | None = None) -> Message:
    asked: Message = {"jsonrpc": "2.0", "method": method, "params": params}
    return asked if number is None else {**asked, "id": number}


def _wrong(answer: Message) -> str:
    error = answer.get("error") or {}
    return str(error.get("message")) if error.get("code") == INTERNAL else ""


URI = "file:///tmp/mutant.vpr"
_WHERE = {"textDocument": {"uri": URI}}
_SPAN = {"start": {"line": 0, "character": 0}, "end": {"line": 50, "character": 0}}
LOOKED_UP: tuple[tuple[str, Message], ...] = (
    ("documentSymbol", {}), ("semanticTokens/full", {}), ("foldingRange", {}), ("codeLens", {}),
    ("documentLink", {}), ("inlayHint", {"range": _SPAN}),
    ("formatting", {"options": {"tabSize": 2, "insertSpaces": True}}),
    ("codeAction", {"range": _SPAN, "context": {"diagnostics": []}}),
)  # fmt: skip
AT_PLACES = ("hover", "definition", "completion", "signatureHelp", "documentHighlight")


def edit(server: Server, text: str) -> Iterator[Answer]:
    """What an editor asks: everything that it shows, places in the middle, the verification."""
    item = {"uri": URI, "languageId": "viper", "version": 1, "text": text}
    line, number = server.line, 10
    line.begin(server.limit)
    line.frame(_rpc("textDocument/didOpen", {"textDocument": item}))
    rows = text.split("\n")
    places = [(row, len(rows[row]) // 2) for row in range(0, len(rows), 1 + len(rows) // 3)]
    asked: list[tuple[str, Message]] = list(LOOKED_UP)
    for row, column in places:
        at = {"position": {"line": row, "character": column}}
        asked += [(name, at) for name in AT_PLACES]
    states = [""]
    for name, more in asked:
        number += 1
        line.begin(server.limit)
        line.frame(_rpc(f"textDocument/{name}", {**_WHERE, **more}, number))
        while (heard := line.framed()).get("id") != number or "method" in heard:
            states += _states(heard)
        yield line.answer(_wrong(heard) and f"{name}: {_wrong(heard)}")
    line.begin(server.limit)
    while states[-1] in ("", "running", "stale"):
        states += _states(line.framed())
    yield line.answer("the verifier crashed" if states[-1] == "crashed" else "")
    line.frame(_rpc("textDocument/didClose", _WHERE))


def _states(heard: Message) -> list[str]:
    return [heard["params"]["state"]] if heard.get("method") == "pitviper/state" else []


TOOLS: tuple[tuple[str, Message], ...] = (
    ("check", {}), ("verify", {"seconds": 3}), ("counterexample", {}), ("suggest", {}),
    ("state", {"line": 3}),
)  # fmt: skip


def agent(server: Server, text: str) -> Iterator[Answer]:
    """What an agent asks: another one of its tools about each text."""
    server.asked += 1
    tool, more = TOOLS[server.asked % len(TOOLS)]
    server.line.begin(server.limit if tool == "verify" else LONGEST)
    asked = {"name": tool, "arguments": {"text": text, **more}}
    server.line.send(json.dumps(_rpc("tools/call", asked, 10 + server.asked)).encode() + b"\n")
    while (heard := json.loads(server.line.line())).get("id") != 10 + server.asked:
        pass
    said = json.dumps(heard)
    ended = "ended without an answer" in said or "internal error" in said
    yield server.line.answer(said if ended else _wrong(heard))


STEPS = (
    "configurationDone", "threads", "stackTrace", "scopes", "next", "stepIn", "stackTrace",
    "stepBack", "continue", "exceptionInfo", "reverseContinue", "disconnect",
)  # fmt: skip


def walk(server: Server, text: str) -> Iterator[Answer]:
    """The first method of a program, forwards and backwards."""
    name = re.search(r"\b(?:method|function)\s+(\w+)", text)
    opened, line = server.connect()
    with opened:
        launch = {"program": "mutant.vpr", "member": name[1] if name else "m"}
        asked: list[tuple[str, Message]] = [("initialize", {}), ("launch", launch)]
        asked += [(step, {"threadId": 1, "frameId": 1}) for step in STEPS]
        for number, (command, arguments) in enumerate(asked, 1):
            line.begin(server.limit)
            line.frame(
                {"seq": number, "type": "request", "command": command, "arguments": arguments}
            )
            while line.framed().get("request_seq") != number:
                pass
            yield line.answer("")


def post(server: Server, text: str) -> Iterator[Answer]:
    """What a client of ViperServer does: a request, then the stream of answers."""
    asked = json.dumps({"arg": "silicon mutant.vpr"}).encode()
    head = b"POST /verify HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    said = _http(server, head + b"Content-Length: %d\r\n\r\n" % len(asked) + asked)
    yield said[1]
    found = re.search(rb'"id":\s*(\d+)', said[0])
    if found is None:
        yield Answer(0.0, 0.0, f"no number of a job: {said[0]!r}")
        return
    again = b"GET /verify/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n" % found[1]
    text_of_all, answer = _http(server, again)
    failed = b"exception_report" in text_of_all or b"pprogram" not in text_of_all
    yield answer._replace(wrong=text_of_all.decode()[-300:] if failed else "")


def _http(server: Server, request: bytes) -> tuple[bytes, Answer]:
    opened, line = server.connect()
    with opened:
        line.begin(server.limit)
        line.send(request)
        said = line.rest()
        return said, line.answer("" if b"HTTP/1.1 200" in said else said.decode()[:200])


def page(server: Server, text: str) -> Iterator[Answer]:
    """What a page of the workbench asks: another question about each text."""
    if server.page is None:
        server.page = server.opened.enter_context(_connected(server.first))
    server.asked += 1
    kind = ("check", "verify", "record", "explore")[server.asked % 4]
    asked = {"id": server.asked, "kind": kind, "text": text, "path": "a.vpr"}
    began = time.monotonic()
    server.page.send(json.dumps(asked))
    heard: Message = {}
    while heard.get("id") != server.asked or heard.get("kind") not in ("done", "failed"):
        try:
            heard = json.loads(server.page.recv(timeout=LONGEST))
        except TimeoutError as error:
            raise Silent(f"no answer for {LONGEST:g} s") from error
    said = str(heard.get("message", ""))
    bad = "internal" in said or "ended" in said
    yield Answer(time.monotonic() - began, 0.0, said if bad else "")


def _connected(told: str) -> Any:
    from websockets.sync.client import connect

    link = re.search(r"http://(127[^/]*)/\?token=([\w-]+)", told)
    assert link is not None, told
    here, token = link[1], link[2]
    cookie = f"pitviper_{here.rpartition(':')[2]}={token}"
    headers = {"origin": f"http://{here}", "cookie": cookie}
    return connect(f"ws://{here}/socket", additional_headers=headers, max_size=None)


class Kind(NamedTuple):
    """The words that start a server, what is asked, and whether it tells its place first."""

    words: tuple[str, ...]
    talk: Callable[[Server, str], Iterator[Answer]]
    tells: bool = False
    framed: bool = True
    greeting: tuple[Message, ...] = ()


_WHO: Message = {
    "protocolVersion": "2024-11-05", "capabilities": {},
    "clientInfo": {"name": "bench", "version": "0"},
}  # fmt: skip
KINDS: dict[str, Kind] = {
    "lsp": Kind(
        ("lsp", "--pause", "0", "--timeout", "{}"), edit,
        greeting=(
            _rpc("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1),
            _rpc("initialized", {}),
        ),
    ),
    "dap": Kind(("dap", "--port", "0", "--timeout", "{}"), walk, tells=True),
    "mcp": Kind(
        ("mcp",), agent, framed=False,
        greeting=(_rpc("initialize", _WHO, 1), _rpc("notifications/initialized", {})),
    ),
    "server": Kind(("server", "--viper", "--timeout", "{}"), post, tells=True),
    "serve": Kind(
        ("serve", ".", "--port", "0", "--no-browser", "--format", "json", "--timeout", "{}"),
        page, tells=True,
    ),
}  # fmt: skip


def adopt() -> None:
    """Processes whose parents have gone are children of this one from now on."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def orphans(known: Collection[int]) -> list[int]:
    """Processes that were left to this one and stay, after some patience; they are ended.

    One that was killed with its parent is a child of ours until it is waited for: it is no orphan.
    """
    deadline = time.monotonic() + PATIENCE
    while (left := _alive(known)) and time.monotonic() < deadline:
        time.sleep(0.01)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return left


def _alive(known: Collection[int]) -> list[int]:
    """Children of this process that have not ended, apart from those that are known."""
    return [
        pid
        for pid in rough.children(os.getpid())
        if pid not in known and os.waitpid(pid, os.WNOHANG) == (0, 0)
    ]


def descendants(pid: int) -> Iterator[int]:
    yield pid
    for child in rough.children(pid):
        yield from descendants(child)


def processor_time(pid: int) -> float:
    """Seconds that a process, its descendants and those that they have waited for have used."""
    ticks = 0
    for one in descendants(pid):
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


class Asked:
    """The servers that are asked, each started when it is needed."""

    def __init__(self, folder: Path, limit: float) -> None:
        self._folder, self._limit = folder, limit
        self._known: dict[str, tuple[Server, int]] = {}

    def about(self, name: str, text: str) -> Message:
        """What became of all questions about a text: an exit code, seconds, and what was said."""
        server, asked = self._known.pop(name) if name in self._known else (self._started(name), 0)
        try:
            if not asked:
                server.about(FIRST)
            answers = server.about(text)
        except (Silent, OSError) as error:
            said, gone = f"{error}\n{server.said}", server.process.poll() is not None
            left = self._ended(name, server)
            return _outcome(3 if gone else None, Answer(0.0, 0.0, ""), said, left)
        wrong = [one.wrong for one in answers if one.wrong]
        left, said = [], "\n".join([server.said, *wrong])
        if asked + 1 < PER_SERVER:
            self._known[name] = server, asked + 1
        else:
            left = self._ended(name, server)
            said += server.said
        worked_on = max([one.worked_on for one in answers])
        slowest = Answer(max([one.seconds for one in answers]), worked_on, "")
        return _outcome(3 if wrong else 0, slowest, said, left)

    def _started(self, name: str) -> Server:
        return Server(KINDS[name], self._folder, dict(os.environ), self._limit, processor_time)

    def _ended(self, name: str, server: Server) -> list[int]:
        """Ends a server; the processes that it left behind are now children of this one."""
        server.end()
        return orphans({other.process.pid for other, _ in self._known.values()})

    def end(self) -> None:
        for name in list(self._known):
            server, _ = self._known.pop(name)
            self._ended(name, server)


def _outcome(code: int | None, answer: Answer, said: str, left: list[int]) -> Message:
    times = {"seconds": answer.seconds, "worked_on": answer.worked_on}
    return {"code": code, **times, "said": said, "left": left}


def main() -> None:
    """A line with the name of a server and a text in, a line about what became of it out."""
    adopt()
    asked = Asked(Path(), float(sys.argv[1]))
    try:
        for line in sys.stdin:
            request = json.loads(line)
            sys.stdout.write(json.dumps(asked.about(request["name"], request["text"])) + "\n")
            sys.stdout.flush()
    except BrokenPipeError:  # whoever asked was ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    finally:
        asked.end()


if __name__ == "__main__":
    main()
