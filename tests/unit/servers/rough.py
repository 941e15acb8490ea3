"""Servers and clients that treat them badly: what tests and `bench/faults.py` share.

A server of standard input ends when that ends; one that listens goes on, whatever a client does,
and ends with a signal. None of them leaves a process behind, or shows a trace.
"""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import glob
from pathlib import Path
from typing import NamedTuple

PATIENCE = float(os.environ.get("PITVIPER_ROUGH", "300"))
"""Seconds after which a server that gives no sign fails a test."""

HOLES = 14
MEMBERS = 40


def _slow() -> str:
    pigeons = [f"p{n}" for n in range(HOLES + 1)]
    housed = [f"0 < {p} && {p} <= {HOLES}" for p in pigeons]
    apart = [f"{p} != {q}" for n, p in enumerate(pigeons) for q in pigeons[:n]]
    names, typed = ", ".join(pigeons), ", ".join([f"{p}: Int" for p in pigeons])
    methods = [
        f"method slow{number or ''}({typed})\n  requires crowded({names})\n{{ assert false }}\n"
        for number in range(MEMBERS)
    ]
    return f"define crowded({names}) ({' && '.join([*housed, *apart])})\n" + "".join(methods)


SLOW = _slow()
"""More pigeons than holes: a solver does not see that before its limit, which takes it seconds a
member; a quick machine, too, works on all of them for longer than a test needs."""


class Kind(NamedTuple):
    """How a server is started, what it says first if it listens, and its greeting and work."""

    words: tuple[str, ...]
    port: str = ""
    greeting: tuple[bytes, ...] = ()
    work: tuple[bytes, ...] = ()


def frame(message: object) -> bytes:
    data = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


def line(message: object) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _rpc(method: str, params: object, number: int | None = None) -> dict[str, object]:
    asked = {"jsonrpc": "2.0", "method": method, "params": params}
    return asked if number is None else {**asked, "id": number}


def _post(body: bytes) -> bytes:
    head = b"POST /verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n"
    return head % len(body) + body


LSP = (
    frame(_rpc("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)),
    frame(_rpc("initialized", {})),
)
_ABOUT = {"protocolVersion": "2024-11-05", "capabilities": {}}
_AGENT = {**_ABOUT, "clientInfo": {"name": "rough", "version": "0"}}
_OPENED = {"uri": "file:///tmp/slow.vpr", "languageId": "viper", "version": 1, "text": SLOW}

KINDS: Mapping[str, Kind] = {
    "lsp": Kind(
        ("lsp", "--pause", "0"),
        greeting=LSP,
        work=(frame(_rpc("textDocument/didOpen", {"textDocument": _OPENED})),),
    ),
    "lsp --port": Kind(
        ("lsp", "--pause", "0", "--port", "0"),
        port=r"127\.0\.0\.1:(\d+)",
        greeting=LSP,
        work=(*LSP, frame(_rpc("textDocument/didOpen", {"textDocument": _OPENED}))),
    ),
    "dap": Kind(
        ("dap",),
        greeting=(frame({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}),),
        work=(
            frame(
                {
                    "seq": 2,
                    "type": "request",
                    "command": "launch",
                    "arguments": {"program": "slow.vpr", "member": "slow"},
                }
            ),
        ),
    ),
    "mcp": Kind(
        ("mcp", "--root", "."),
        greeting=(
            line(_rpc("initialize", _AGENT, 1)),
            line(_rpc("notifications/initialized", {})),
        ),
        work=(line(_rpc("tools/call", {"name": "verify", "arguments": {"path": "slow.vpr"}}, 2)),),
    ),
    "serve": Kind(
        ("serve", ".", "--port", "0", "--no-browser", "--format", "json"),
        port=r"127\.0\.0\.1:(\d+)",
        greeting=(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",),
        work=(b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",),
    ),
    "server": Kind(
        ("server", "--viper", "--port", "0"),
        port=r"<ViperServerPort:(\d+)>",
        greeting=(b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",),
        work=(_post(json.dumps({"arg": "silicon slow.vpr"}).encode()),),
    ),
    "dap --port": Kind(
        ("dap", "--port", "0"),
        port=r"127\.0\.0\.1:(\d+)",
        greeting=(frame({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}),),
        work=(frame({"seq": 2, "type": "request", "command": "threads", "arguments": {}}),),
    ),
}

DEEP = b"[" * 100_000
BAD: Mapping[str, bytes] = {
    "half a header": b"Content-Le",
    "half a message": b'Content-Length: 1000\r\n\r\n{"jsonrpc": "2.0", ',
    "half a request": b"POST /verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{",
    "half a line": b'{"jsonrpc": "2.0", "id": 1, ',
    "a giant length": b"Content-Length: 99999999999999\r\n\r\n{}",
    "a giant request": b"POST /verify HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n{}",
    "a wrong length": b"Content-Length: -5\r\n\r\n{}",
    "deep JSON": b"Content-Length: %d\r\n\r\n" % len(DEEP) + DEEP + b"\n",
    "no JSON": b"Content-Length: 3\r\n\r\n{{{\n",
    "no object": b"Content-Length: 2\r\n\r\n[]\n",
    "no text": bytes(range(128, 256)) * 40 + b"\r\n\r\n",
    "a long line": b"x" * 3_000_000 + b"\n",
}
"""What a client may say that is no message."""


class Server:
    """A process that serves; `port` is 0 where it listens to its standard input."""

    def __init__(self, process: subprocess.Popen[bytes], kind: Kind, errors: Path) -> None:
        self.process, self.kind, self._errors = process, kind, errors
        self.port = 0

    @property
    def said(self) -> str:
        """What it wrote on standard error."""
        return self._errors.read_text(errors="replace")

    def talk(self, *parts: bytes, seconds: float = PATIENCE) -> socket.socket | None:
        """Sends; who has gone hears nothing. The connection, where there is one.

        What a server that works has not read after so many seconds is not sent.
        """
        if self.port:
            connection = self.connected()
            with suppress(OSError):
                connection.sendall(b"".join(parts))
            return connection
        assert self.process.stdin is not None
        with suppress(OSError):
            _write(self.process.stdin.fileno(), b"".join(parts), seconds)
        return None

    def connected(self) -> socket.socket:
        """A client that says nothing yet."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def greet(self) -> None:
        """Talks as one should, and waits for an answer: it is alive."""
        connection = self.talk(*self.kind.greeting)
        if connection is not None:
            with connection:
                assert connection.recv(1), "no answer"
            return
        assert self.process.stdout is not None
        deadline = time.monotonic() + PATIENCE
        while not select.select([self.process.stdout], [], [], 0.1)[0]:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, "no answer"
        assert os.read(self.process.stdout.fileno(), 1), self.said

    def end(self, number: signal.Signals | None = None) -> int:
        """Its exit code, after a signal or the end of its input."""
        if number is not None:
            self.process.send_signal(number)
        elif self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.close()
        self._drain()
        return self.process.wait(PATIENCE)

    def leave(self) -> int:
        """Its exit code, after its client has died: nobody writes to it, nobody listens."""
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with suppress(OSError):
                stream.close()
        return self.process.wait(PATIENCE)

    def _drain(self) -> None:
        """Reads what it still writes: a full pipe would keep it from ending."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            ready = select.select([self.process.stdout], [], [], 0.1)[0]
            if ready and not os.read(self.process.stdout.fileno(), 1 << 16):
                return


def _write(pipe: int, data: bytes, seconds: float) -> None:
    os.set_blocking(pipe, False)
    while data and select.select([], [pipe], [], seconds)[1]:
        data = data[os.write(pipe, data) :]


@contextmanager
def running(
    name: str, folder: Path, start: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen
) -> Iterator[Server]:
    """A server of a kind; one that listens has told its port."""
    kind = KINDS[name]
    (folder / "slow.vpr").write_text(SLOW)
    errors = folder / "errors"
    with errors.open("wb") as file:
        process = start(
            [sys.executable, "-m", "pitviper", *kind.words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=file,
            cwd=folder,
        )
    server = Server(process, kind, errors)
    try:
        if kind.port:
            assert process.stdout is not None
            told = process.stdout.readline().decode()
            found = re.search(kind.port, told)
            assert found is not None, told + server.said
            server.port = int(found[1])
        yield server
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def children(pid: int) -> list[int]:
    """Those of all its threads: each has a list of its own."""
    found: list[int] = []
    for thread in glob(f"/proc/{pid}/task/*/children"):
        with suppress(OSError):
            found += map(int, Path(thread).read_text().split())
    return found


def descendants(pid: int) -> list[int]:
    found = children(pid)
    for child in found:  # grows while it is gone through
        found += children(child)
    return found


def are_gone(pids: list[int]) -> bool:
    """Whether processes have ended, after some patience."""
    deadline = time.monotonic() + PATIENCE
    while any(map(lives, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
