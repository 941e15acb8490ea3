"""A server of the workbench in a thread, and a browser that can say whatever it likes."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pitviper.servers.web.settings import Settings

DEADLINE = 300.0


class Server:
    """The workbench on a free port."""

    def __init__(self, folder: Path, port: int = 0, **chosen: Any) -> None:
        from pitviper.servers.web.app import server_for

        self._bound = socket.socket()
        self._bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._bound.bind(("127.0.0.1", port))
        port = self._bound.getsockname()[1]
        self.settings = Settings(folder, "secret", port=port, **chosen)
        self.here = f"http://127.0.0.1:{port}"
        self._server = server_for(self.settings)
        run = lambda: self._server.run(sockets=[self._bound])  # noqa: E731
        self._thread = threading.Thread(target=run)
        self._bound.listen()
        self._thread.start()

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
        """Status, headers and text of an answer; headers that are empty are not sent."""
        asked = http.client.HTTPConnection("127.0.0.1", self.settings.port, timeout=DEADLINE)
        asked.putrequest("GET", path, skip_host=True)
        for name, value in {"host": self.here[7:], **headers}.items():
            asked.putheader(name, value)
        asked.endheaders()
        answer = asked.getresponse()
        text = answer.read().decode()
        asked.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, text

    @property
    def cookie(self) -> str:
        return f"pitviper_{self.settings.port}=secret"

    @contextmanager
    def page(self, **headers: str | None) -> Iterator[Page]:
        """A page that is connected; headers that are None are not sent."""
        from websockets.sync.client import connect

        given = {"origin": self.here, "cookie": self.cookie, **headers}
        sent = {k: v for k, v in given.items() if v is not None}
        address = f"ws{self.here[4:]}/socket"
        with connect(
            address, additional_headers=sent, open_timeout=DEADLINE, max_size=None
        ) as opened:
            yield Page(opened)

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(DEADLINE)


class Page:
    def __init__(self, opened: Any) -> None:
        self._socket = opened
        self._next = 0

    def send(self, kind: str, **data: Any) -> int:
        self._next += 1
        self._socket.send(json.dumps({"id": self._next, "kind": kind, **data}))
        return self._next

    def send_text(self, text: str) -> None:
        self._socket.send(text)

    def hear(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._socket.recv(timeout=DEADLINE))
        return found

    def answer_to(self, number: int) -> dict[str, Any]:
        """The last answer to a request; events before it and other answers are passed over."""
        while True:
            heard = self.hear()
            if heard["id"] == number and heard["kind"] in ("done", "failed"):
                return heard

    def ask(self, kind: str, **data: Any) -> dict[str, Any]:
        return self.answer_to(self.send(kind, **data))


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    pytest.importorskip("uvicorn")
    started: list[Server] = []

    def start(folder: Path = tmp_path, **chosen: Any) -> Server:
        started.append(Server(folder, **chosen))
        return started[-1]

    yield start
    for server in started:
        server.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest.importorskip("uvicorn")
    started = Server(tmp_path_factory.mktemp("programs"))
    yield started
    started.close()
