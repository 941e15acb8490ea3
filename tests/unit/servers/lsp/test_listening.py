"""Several editors on one port: each hears about its own texts, and the last one ends the server."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from tests.unit.servers.rough import BAD

PATIENCE = 300.0
RIGHT = "method m(x: Int) requires x > 2 { assert x > 1 }\n"
WRONG = "method m(x: Int) requires x > 0 { assert x > 1 }\n"


class Client:
    """One editor."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self._stream = self._socket.makefile("rb")
        self._send({"id": 1, "method": "initialize", "params": {"capabilities": {}}})
        self.until(lambda m: m.get("id") == 1)
        self._send({"method": "initialized", "params": {}})

    def _send(self, message: dict[str, object]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            length = 0
            while line := self._stream.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            assert length, "the server has gone"
            message: dict[str, Any] = json.loads(self._stream.read(length))
            if wanted(message):
                return message

    def verdict(self, uri: str, text: str) -> str:
        """What is said of a text in the end."""
        item = {"uri": uri, "languageId": "viper", "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
        return self.end_of(uri)

    def end_of(self, uri: str) -> str:
        told = self.until(
            lambda m: (
                m.get("method") == "pitviper/state"
                and m["params"]["state"] not in ("running", "stale")
            )
        )["params"]
        assert told["uri"] == uri
        return str(told["state"])

    def close(self) -> None:
        self._stream.close()
        self._socket.close()


@contextmanager
def listening(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A server on a port, and that port."""
    words = ["lsp", "--port", "0", "--pause", "0.05", "--cache", "off"]
    with subprocess.Popen(
        [sys.executable, "-m", "pitviper", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
    ) as server:
        assert server.stdout is not None
        told = server.stdout.readline().decode()
        port = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+)\n", told)
        assert port is not None, told
        try:
            yield server, int(port[1])
        finally:
            server.kill()


def test_two_editors_with_the_same_file_hear_each_of_its_own_text(tmp_path: Path) -> None:
    uri, other = (tmp_path / "same.vpr").as_uri(), (tmp_path / "other.vpr").as_uri()
    with listening(tmp_path) as (server, port):
        first, second = Client(port), Client(port)
        assert first.verdict(uri, RIGHT) == "verified"
        assert second.verdict(uri, WRONG) == "refuted"
        second.close()
        assert first.verdict(other, WRONG) == "refuted"
        assert server.poll() is None
        first.close()
        assert server.wait(PATIENCE) == 0


def test_who_talks_nonsense_keeps_no_editor_waiting(tmp_path: Path) -> None:
    with listening(tmp_path) as (server, port):
        for bad in BAD.values():
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
                connection.sendall(bad)
        client = Client(port)
        assert client.verdict((tmp_path / "wrong.vpr").as_uri(), WRONG) == "refuted"
        client.close()
        assert server.wait(PATIENCE) == 0
        assert server.stderr is not None
        assert b"Traceback" not in server.stderr.read()
