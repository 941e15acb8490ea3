"""Who may speak to the workbench: every request passes here before anything looks at it.

A page of another site could make a browser send requests to this machine. So the name by which we
are called must be one of ours (a foreign name may lead here), a WebSocket must come from our own
page, and the browser must know the token of the link that was printed.
"""

from __future__ import annotations

import secrets
import socket
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from pitviper.servers.web.settings import Settings

NOT_ALLOWED = 4403
"""The code with which a WebSocket is refused."""


class Guard:
    """Lets requests through to the application, or answers them with a refusal."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        why = None if scope["type"] == "lifespan" else self.refusal(scope)
        if why is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": NOT_ALLOWED, "reason": why})
        else:
            headers = [(b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": f"pitviper: {why}\n".encode()})

    def refusal(self, scope: Scope) -> str | None:
        """Returns why a request is refused; None if it may pass."""
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        host = headers.get("host", "")
        if not self._is_ours(host):
            return "this name is not one of the workbench"
        origin = headers.get("origin")
        if scope["type"] == "websocket" and origin is None:
            return "only a page of the workbench may connect"
        if origin is not None and origin != f"http://{host}":
            return "another site may not speak to the workbench"
        if not self._knows_token(scope, headers.get("cookie", "")):
            return "open the link that `pitviper serve` has printed: it holds the key"
        return None

    def _is_ours(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        if port != str(self._settings.port):
            return False
        name = name.strip("[]")
        bound = self._settings.host
        if name in (bound, "127.0.0.1", "localhost", "::1"):
            return True
        everywhere = bound in ("0.0.0.0", "::")
        return everywhere and (name == socket.gethostname() or _is_address(name))

    def _knows_token(self, scope: Scope, cookies: str) -> bool:
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        known = cookie_of(cookies, cookie_name(self._settings.port))
        token = self._settings.token.encode()
        return any(secrets.compare_digest(word.encode(), token) for word in (given, known))


def cookie_name(port: int) -> str:
    """Returns the name of the cookie with the token; cookies are shared by all ports."""
    return f"pitviper_{port}"


def cookie_of(header: str, name: str) -> str:
    """Returns the value of a cookie; empty where there is none."""
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
