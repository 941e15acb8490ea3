"""What the tests of the Viper server share: the server as a process, and clients of both kinds."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LIMIT = 300.0
"""Seconds after which an answer that never comes fails a test."""

Message = dict[str, Any]


class Server:
    """A server that runs; `port` is the one that it told."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def call(self, method: str, path: str, body: str | None = None) -> tuple[int, str, str]:
        """Returns status, content type and body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        try:
            connection.request(method, path, body)
            answer = connection.getresponse()
            text = answer.read().decode()
            return answer.status, answer.getheader("content-type") or "", text
        finally:
            connection.close()

    def verify(self, arg: str) -> int:
        _, _, text = self.call("POST", "/verify", json.dumps({"arg": arg}))
        return int(json.loads(text)["id"])

    def stream(self, path: str) -> list[Message]:
        _, _, text = self.call("GET", path)
        return [json.loads(line) for line in text.splitlines()]


@contextmanager
def running(*words: str) -> Iterator[Server]:
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper", "server", "--viper", *words],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said.startswith("<ViperServerPort:"), said
        yield Server(process, int(said.strip()[len("<ViperServerPort:") : -1]))
    finally:
        process.terminate()
        process.wait(LIMIT)
        assert process.stdout is not None
        process.stdout.close()


class Extension:
    """A language client that writes frames as the Viper extension does."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self._file = self._socket.makefile("rb")
        self.heard: list[Message] = []
        self._number = 1000

    def send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, params: object) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: object = None) -> Any:
        self._number += 1
        number = self._number
        self.send({"id": number, "method": method, "params": params})
        answer = self.until(lambda m: m.get("id") == number and "method" not in m)
        assert "error" not in answer, answer
        return answer["result"]

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        """Reads on until a message is the wanted one; requests of the server get an answer."""
        while True:
            message = self._read()
            self.heard.append(message)
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            if wanted(message):
                return message

    def state(self, number: int) -> Message:
        """Waits for a change of state to a number, and returns its parameters."""
        found = self.until(
            lambda m: m.get("method") == "StateChange" and m["params"]["newState"] == number
        )
        return dict(found["params"])

    def _read(self) -> Message:
        length = 0
        while line := self._file.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server closed the connection"
        return dict(json.loads(self._file.read(length)))

    def open(self, uri: str, text: str) -> None:
        item = {"uri": uri, "languageId": "viper", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def verify(self, uri: str, text: str, options: str = "") -> None:
        params = {
            "uri": uri,
            "content": text,
            "manuallyTriggered": True,
            "workspace": "/",
            "backend": "silicon",
            "customArgs": options,
        }
        self.notify("Verify", params)

    def start(self) -> Message:
        answer = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.notify("initialized", {})
        return dict(answer)

    def close(self) -> None:
        self._file.close()
        self._socket.close()
