"""Each protection of the workbench: the test fails when the protection is taken away."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pitviper.servers.web.settings import LARGEST_MESSAGE, MOST_PAGES, Settings


def test_the_link_leads_to_the_page_and_the_token_leaves_the_address(server: Any) -> None:
    status, headers, _ = server.get("/?token=secret")
    assert (status, headers["location"]) == (303, "/")
    cookie = headers["set-cookie"].lower()
    assert cookie.startswith(f"{server.cookie};")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert server.get("/", cookie=server.cookie)[0] == 200


@pytest.mark.parametrize("path", ["/", "/?token=wrong", "/assets/page.js"])
def test_nothing_is_handed_out_without_the_token(server: Any, path: str) -> None:
    assert server.get(path)[0] == 403
    assert server.get(path, cookie=server.cookie.replace("secret", "guess"))[0] == 403


@pytest.mark.parametrize("host", ["evil.example:{}", "127.0.0.1:1", "127.0.0.1", "x"])
def test_another_name_that_leads_here_is_refused(server: Any, host: str) -> None:
    name = host.format(server.settings.port)
    assert server.get("/", host=name, cookie=server.cookie)[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_a_page_of_another_site_is_refused(server: Any, origin: str) -> None:
    from websockets.exceptions import InvalidStatus

    assert server.get("/", origin=origin, cookie=server.cookie)[0] == 403
    with pytest.raises(InvalidStatus), server.page(origin=origin):
        pass


@pytest.mark.parametrize("missing", ["origin", "cookie"])
def test_a_socket_needs_an_origin_and_the_token(server: Any, missing: str) -> None:
    from websockets.exceptions import InvalidStatus

    with pytest.raises(InvalidStatus), server.page(**{missing: None}):
        pass


def test_a_page_of_ours_may_connect(server: Any) -> None:
    with server.page() as page:
        assert page.ask("hello")["kind"] == "done"


def test_one_page_too_many_is_refused(server: Any) -> None:
    from websockets.exceptions import InvalidStatus

    with ExitStack() as stack:
        for _ in range(MOST_PAGES):
            assert stack.enter_context(server.page()).ask("hello")["kind"] == "done"
        with pytest.raises(InvalidStatus), server.page():
            pass


def test_a_message_that_is_too_large_ends_the_connection(server: Any) -> None:
    from websockets.exceptions import ConnectionClosed

    with pytest.raises(ConnectionClosed), server.page() as page:
        page.send_text(" " * (LARGEST_MESSAGE + 10))
        page.hear()


def test_the_policy_lets_no_script_in_that_is_not_a_file_of_ours(server: Any) -> None:
    _, headers, text = server.get("/", cookie=server.cookie)
    policy = headers["content-security-policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert rules["base-uri"] == "'none'"
    assert "unsafe" not in policy
    assert re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL) == [""]
    assert not re.search(r"\son\w+=", text)


def test_every_page_gets_a_nonce_of_its_own(server: Any) -> None:
    texts = [server.get("/", cookie=server.cookie)[2] for _ in range(2)]
    found = {match for text in texts for match in re.findall(r'name="nonce" content="(.+?)"', text)}
    assert len(found) == 2
    assert "{{nonce}}" not in found


@pytest.mark.parametrize(
    "name", ["index.html", "../app.py", "..%2fapp.py", "sources.sha256", "%2e%2e/settings.py"]
)
def test_only_the_parts_of_the_page_are_handed_out(server: Any, name: str) -> None:
    assert server.get(f"/assets/{name}", cookie=server.cookie)[0] == 404
    assert server.get("/assets/page.js", cookie=server.cookie)[0] == 200


def test_other_machines_reach_it_only_if_that_is_asked_for() -> None:
    assert Settings(Path(), "t").host == "127.0.0.1"
