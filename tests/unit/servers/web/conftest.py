"""A server of the workbench in a thread, and a browser that can say whatever it likes."""

from __future__ import annotations

import http.client
import json
import shutil
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real Chromium; tests that need one are skipped where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no chromium to look at the page with")
    with sync_api.sync_playwright() as play:
        opened = play.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"], timeout=DEADLINE * 1000
        )
        yield opened
        opened.close()


@pytest.fixture
def opened(browser: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Opens an example in a fresh page; a message on its console is a failure."""
    from tests.unit.servers.web.browsing import PATIENCE

    contexts, complaints = [], list[str]()

    def open_example(name: str, width: int = 1280, height: int = 860, *, dark: bool = False) -> Any:
        scheme = "dark" if dark else "light"
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{server.settings.link}#example={name}")
        page.wait_for_selector(".verdict:is(.refuted, .verified)")
        return page

    yield open_example
    for context in contexts:
        context.close()
    assert complaints == []
