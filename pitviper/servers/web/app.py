"""The workbench as a web application: the page, what it is made of, and the socket it asks on."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from pitviper.servers.web.desk import Desk
from pitviper.servers.web.folder import Folder
from pitviper.servers.web.guard import Guard, cookie_name
from pitviper.servers.web.messages import Data
from pitviper.servers.web.process import Spare
from pitviper.servers.web.settings import LARGEST_MESSAGE, MOST_PAGES, Settings

ASSETS = {
    "page.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""What the page is made of: nothing else is handed out."""

TOO_MANY = 4429
"""The code with which one page too many is refused."""


def make_app(settings: Settings) -> ASGIApp:
    """Returns the application behind its guard."""
    return Guard(_Application(settings).app, settings)


class _Application:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._folder = Folder(settings.folder, read_only=settings.read_only)
        self._spare = Spare(self._folder.root)
        self._open = 0
        self.app = Starlette(
            routes=[
                Route("/", self._page),
                Route("/assets/{name}", self._asset),
                WebSocketRoute("/socket", self._socket),
            ],
            lifespan=self._life,
        )

    @asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncIterator[None]:
        self._spare.prepare()
        try:
            yield
        finally:
            await self._spare.close()

    async def _page(self, request: Request) -> Response:
        """The token leaves the address at once: addresses are remembered and copied."""
        if "token" in request.query_params:
            answer: Response = RedirectResponse("/", 303, _headers("", ""))
            name = cookie_name(self._settings.port)
            answer.set_cookie(name, self._settings.token, httponly=True, samesite="strict")
            return answer
        nonce = secrets.token_urlsafe(16)
        text = asset("index.html").decode().replace("{{nonce}}", nonce)
        host = request.headers["host"]
        return Response(text, 200, _headers(nonce, host), "text/html; charset=utf-8")

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return Response("there is no such file\n", 404, _headers("", ""), "text/plain")
        return Response(asset(name), 200, _headers("", ""), ASSETS[name])

    async def _socket(self, socket: WebSocket) -> None:
        if self._open >= MOST_PAGES:
            await socket.close(TOO_MANY, f"{MOST_PAGES} pages are open already")
            return
        await socket.accept()
        self._open += 1
        lock = asyncio.Lock()

        async def send(data: Data) -> None:
            async with lock:
                if socket.client_state is WebSocketState.CONNECTED:
                    await socket.send_text(json.dumps(data))

        desk = Desk(send, self._folder, self._spare, self._settings)
        try:
            while True:
                await desk.hear(await socket.receive_text())
        except WebSocketDisconnect:
            return
        finally:
            self._open -= 1
            await desk.close()


def asset(name: str) -> bytes:
    """Returns a part of the page as it was built."""
    return (files("pitviper.servers.web") / "assets" / name).read_bytes()


def policy(nonce: str, host: str) -> str:
    """Returns what a browser may do for our page: our own scripts, our own styles, our socket."""
    style = f"'self' 'nonce-{nonce}'" if nonce else "'self'"
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            f"style-src {style}",
            "img-src 'self' data: blob:",
            f"connect-src 'self' ws://{host}" if host else "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )


def _headers(nonce: str, host: str) -> dict[str, str]:
    return {
        "Content-Security-Policy": policy(nonce, host),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cache-Control": "no-store",
    }


def server_for(settings: Settings) -> uvicorn.Server:
    """Returns a server that is not started yet."""
    return uvicorn.Server(
        uvicorn.Config(
            make_app(settings),
            host=settings.host,
            port=settings.port,
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=LARGEST_MESSAGE,
            server_header=False,
            access_log=False,
            timeout_graceful_shutdown=2,
        )
    )
