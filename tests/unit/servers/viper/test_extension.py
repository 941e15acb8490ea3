"""What Viper's extension sends in an editor, and exactly what it hears; recorded shapes kept."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from tests.unit.servers.lsp.test_success import workers
from tests.unit.servers.rough import SLOW
from tests.unit.servers.viper.client import LIMIT, Extension, Message, Server, running
from tests.unit.servers.viper.test_server import (
    CLIENTS,
    RIGHT,
    WRONG,
    program,
    recorded,
)

COMMON = {
    "progress": -1.0,
    "success": 0,
    "verificationCompleted": -1.0,
    "manuallyTriggered": -1.0,
    "time": -1.0,
    "verificationNeeded": -1.0,
}
"""What a change of state says where it has nothing to say."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as found:
        # a client that stays: the server ends with the last one
        stays = Extension(found.port)
        stays.start()
        yield found
        stays.close()


@pytest.fixture
def client(server: Server) -> Iterator[Extension]:
    found = Extension(server.port)
    found.start()
    yield found
    found.close()


def ask(client: Extension, uri: str, **changes: object) -> None:
    """Sends `Verify`; what is `...` is left out."""
    params: Message = {
        "uri": uri,
        "content": RIGHT,
        "manuallyTriggered": True,
        "workspace": "/",
        "backend": "silicon",
        "customArgs": "",
        **changes,
    }
    client.notify("Verify", {key: value for key, value in params.items() if value is not ...})


def told(client: Extension, since: int = 0) -> list[Message]:
    return [m["params"] for m in client.heard[since:] if m.get("method") == "StateChange"]


def shown(client: Extension, uri: str) -> list[Message]:
    """The diagnostics that are shown in the end."""
    published = [
        m["params"]
        for m in client.heard
        if m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri
    ]
    return list(published[-1]["diagnostics"])


@recorded
def test_what_is_offered_is_what_viper_server_offers(server: Server) -> None:
    lines = (CLIENTS / "lsp_transcript.jsonl").read_text().splitlines()
    (theirs,) = [
        message["msg"]["result"]["capabilities"]
        for message in map(json.loads, lines)
        if "capabilities" in (message["msg"].get("result") or {})
    ]
    client = Extension(server.port)
    ours = client.start()["capabilities"]
    client.close()
    assert {name: ours[name] for name in theirs} == theirs
    assert "executeCommandProvider" not in ours, "an extension of ours has these commands"
    assert "diagnosticProvider" not in ours, "what is pulled would be shown twice"


def test_the_version_is_told_in_the_recorded_shape(client: Extension) -> None:
    for params in ({"clientVersion": "5.3.2"}, None):
        assert client.ask("GetVersion", params) == {"serverVersion": "3.1.0"}


def test_a_run_is_told_from_the_first_state_to_the_last(client: Extension, tmp_path: Path) -> None:
    uri = (tmp_path / "with space.vpr").as_uri()
    client.open(uri, RIGHT + WRONG)
    ask(client, uri, content=RIGHT + WRONG)
    client.state(6)
    states = told(client)
    name = {"filename": "with space.vpr"}
    assert states[0] == {**COMMON, **name, "newState": 9}
    assert states[1] == {**COMMON, **name, "newState": 2, "progress": 0.0}
    assert [s["progress"] for s in states[1:-2]] == [0.0, 50.0, 100.0]
    assert states[-2] == {**COMMON, **name, "newState": 5}
    last = {**states[-1], "time": 0.0}
    assert last == {
        **COMMON,
        **name,
        "newState": 6,
        "success": 4,
        "verificationCompleted": 1.0,
        "manuallyTriggered": 1.0,
        "time": 0.0,
        "uri": uri,
        "error": "",
    }


STOPPED = {key: value for key, value in COMMON.items()} | {
    "newState": 6,
    "verificationCompleted": 0.0,
    "verificationNeeded": 0.0,
}


def test_a_run_that_is_stopped_is_told_as_recorded(client: Extension, tmp_path: Path) -> None:
    uri = (tmp_path / "slow.vpr").as_uri()
    ask(client, uri, content=SLOW)
    client.state(2)
    assert client.ask("StopVerification", {"uri": uri}) == {"success": True}
    assert told(client)[-1] == {**STOPPED, "uri": uri}
    assert client.ask("StopVerification", {"uri": "file:///gone.vpr"}) == {"success": True}
    assert told(client)[-1] == {**STOPPED, "uri": "file:///gone.vpr"}


def test_a_text_that_is_verified_twice_has_one_end(client: Extension, tmp_path: Path) -> None:
    uri = (tmp_path / "twice.vpr").as_uri()
    ask(client, uri, content=SLOW)
    client.state(2)
    ask(client, uri, content=RIGHT)
    assert client.state(6)["success"] == 1
    assert [s["newState"] for s in told(client)].count(6) == 1


@pytest.mark.parametrize(
    ("changes", "success"),
    [
        ({"customArgs": '--z3Exe "/a folder/z3" --timeout 60 --disableCaching'}, 1),
        ({"customArgs": "--logLevel ALL --backendSpecificCache --disableCaching"}, 1),
        ({"customArgs": None, "backend": None, "manuallyTriggered": None}, 1),
        ({"backend": "Symbolic Execution (silicon)"}, 1),
        ({"backend": "carbon"}, 1),
        ({"customArgs": "--nonsense"}, 4),
        ({"customArgs": "--select fine"}, 1),
        ({"content": RIGHT + WRONG, "customArgs": "--select fine"}, 5),
        ({"content": RIGHT.replace("\n", "\r\n")}, 1),
        ({"content": "// \U0001d4b3 é\n" + WRONG}, 4),
        ({"content": ""}, 1),
        ({"content": SLOW, "customArgs": "--timeout 0.5"}, 7),
    ],
)
def test_options_and_texts_have_an_end(
    client: Extension, tmp_path: Path, changes: dict[str, object], success: int
) -> None:
    ask(client, (tmp_path / "demo.vpr").as_uri(), **changes)
    assert client.state(6)["success"] == success


def test_what_is_refused_is_said_at_the_start_of_the_text(
    client: Extension, tmp_path: Path
) -> None:
    uri = (tmp_path / "demo.vpr").as_uri()
    client.open(uri, RIGHT)
    ask(client, uri, customArgs="--nonsense")
    client.state(6)
    (found,) = shown(client, uri)
    assert (found["source"], found["severity"]) == ("viper", 1)
    assert "--nonsense" in found["message"]
    assert client.ask("RemoveDiagnostics", {"uri": None}) == {"success": True}
    assert shown(client, uri) == []


def test_a_text_that_is_not_sent_is_that_of_the_file(client: Extension, tmp_path: Path) -> None:
    path = program(tmp_path, WRONG)
    ask(client, path.as_uri(), content=...)
    assert client.state(6)["success"] == 4


@pytest.mark.parametrize("changes", [{"backend": "nosuch"}, {"content": ...}])
def test_what_cannot_be_verified_is_not_started(
    client: Extension, tmp_path: Path, changes: dict[str, object]
) -> None:
    uri = (tmp_path / "gone.vpr").as_uri()
    ask(client, uri, **changes)
    heard = client.until(lambda m: m.get("method") == "VerificationNotStarted")
    assert heard["params"] == {"uri": uri}
    assert told(client) == []


def test_a_mistake_in_an_imported_file_names_its_place(client: Extension, tmp_path: Path) -> None:
    program(tmp_path, WRONG, "wrong.vpr")
    uri = (tmp_path / "main.vpr").as_uri()
    ask(client, uri, content='import "wrong.vpr"\n' + RIGHT)
    assert client.state(6)["success"] == 4
    (found,) = shown(client, uri)
    assert "(wrong.vpr@1.29--1.34)" in found["message"]


def test_texts_that_are_rejected_say_that_there_is_no_program(
    client: Extension, tmp_path: Path
) -> None:
    uri = (tmp_path / "demo.vpr").as_uri()
    ask(client, uri, content="method bad() { assert y }\n")
    assert client.state(6)["success"] == 3
    (found,) = shown(client, uri)
    assert found["message"].startswith("Constructing the AST has failed: undeclared identifier")


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_a_run_that_dies_is_an_error_and_no_success(tmp_path: Path) -> None:
    uri = (tmp_path / "slow.vpr").as_uri()
    with running() as server:
        client = Extension(server.port)
        client.start()
        ask(client, uri, content=SLOW)
        client.state(2)
        os.kill(_worker(server), signal.SIGKILL)
        last = client.state(6)
        assert (last["success"], last["verificationCompleted"]) == (6, 1.0)
        assert last["error"]
        client.close()


def _worker(server: Server) -> int:
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        if found := workers(server.process.pid):
            return found[-1]
        time.sleep(0.01)
    raise AssertionError("nobody works on the verification")


def test_the_server_ends_while_somebody_is_verifying(tmp_path: Path) -> None:
    uri = (tmp_path / "slow.vpr").as_uri()
    with running() as server:
        client = Extension(server.port)
        client.start()
        ask(client, uri, content=SLOW)
        client.state(2)
        client.ask("shutdown")
        client.notify("exit", None)
        assert server.process.wait(LIMIT) == 0
        client.close()


def test_requests_of_an_editor_have_the_shapes_of_the_protocol(
    client: Extension, tmp_path: Path
) -> None:
    uri = (tmp_path / "demo.vpr").as_uri()
    client.open(uri, RIGHT)
    ask(client, uri)
    client.state(6)
    at: Message = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 44}}
    assert "x: Int" in json.dumps(client.ask("textDocument/hover", at))
    assert client.ask("textDocument/definition", at)["uri"] == uri
    assert len(client.ask("textDocument/documentHighlight", at)) == 3
    about = {"textDocument": {"uri": uri}}
    (symbol,) = client.ask("textDocument/documentSymbol", about)
    assert symbol["name"] == "fine"
    data = client.ask("textDocument/semanticTokens/full", about)["data"]
    assert data[:5] == [0, 0, 6, 15, 0], "`method` is a keyword in ViperServer's legend"
    (lens,) = client.ask("textDocument/codeLens", about)
    assert lens["command"] == {"title": "verified", "command": ""}
    nowhere: dict[str, Any] = {"textDocument": {"uri": "file:///gone.vpr"}}
    assert client.ask("textDocument/documentSymbol", nowhere) == []


def test_a_text_that_is_closed_while_it_is_verified_ends_its_run(
    client: Extension, tmp_path: Path
) -> None:
    """The extension verifies one text at a time: it would wait for the end for ever."""
    slow, other = (tmp_path / "slow.vpr").as_uri(), (tmp_path / "other.vpr").as_uri()
    client.open(slow, SLOW)
    ask(client, slow, content=SLOW)
    client.state(2)
    client.notify("textDocument/didClose", {"textDocument": {"uri": slow}})
    last = client.state(6)
    assert (last["success"], last["verificationCompleted"], last["uri"]) == (5, 0.0, slow)
    client.open(other, RIGHT)
    ask(client, other)
    assert client.state(6)["success"] == 1
    assert shown(client, slow) == []


def test_many_requests_and_changes_of_the_verifier_have_one_end(
    client: Extension, tmp_path: Path
) -> None:
    uri = (tmp_path / "demo.vpr").as_uri()
    client.open(uri, RIGHT)
    for verifier in ("Verification Condition Generation (carbon)", "Symbolic Execution (silicon)"):
        for _ in range(5):
            ask(client, uri, backend=verifier)
    assert client.state(6)["success"] == 1
    ask(client, uri, content=SLOW)
    client.state(2)
    assert [s["newState"] for s in told(client)].count(6) == 1
    assert client.ask("StopVerification", {"uri": uri}) == {"success": True}
    ask(client, uri)
    assert client.state(6)["success"] == 1


def test_several_texts_have_an_end_and_problems_each(client: Extension, tmp_path: Path) -> None:
    texts = {"right.vpr": RIGHT, "wrong.sil": WRONG, "lost.vpr": f'import "gone.vpr"\n{RIGHT}'}
    uris = {name: (tmp_path / name).as_uri() for name in texts}
    for name, text in texts.items():
        client.open(uris[name], text)
    for name, text in texts.items():
        ask(client, uris[name], content=text)
    ends = [client.state(6) for _ in texts]
    assert {end["filename"]: end["success"] for end in ends} == {
        "right.vpr": 1,
        "wrong.sil": 4,
        "lost.vpr": 2,
    }
    assert [len(shown(client, uri)) for uri in uris.values()] == [0, 1, 1]


def test_what_an_editor_sends_beside_is_heard_without_a_word(tmp_path: Path) -> None:
    uri = (tmp_path / "demo.vpr").as_uri()
    with running() as server:
        client = Extension(server.port)
        client.start()
        client.open(uri, RIGHT)
        for settings in ({"viper": {"logLevel": 2}}, None):
            client.notify("workspace/didChangeConfiguration", {"settings": settings})
        changes = [{"uri": uri, "type": 2}, {"uri": "file:///gone.vpr", "type": 3}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        for flushed in (str(tmp_path / "demo.vpr"), None):
            asked = {"uri": flushed, "backend": "Symbolic Execution (silicon)"}
            assert client.ask("FlushCache", asked) == {}
        assert told(client) == []
        client.close()


def test_the_editor_is_told_to_ask_again_where_a_run_begins_and_ends(tmp_path: Path) -> None:
    """Above a method it would go on to show the verdict of an earlier text."""
    uri = (tmp_path / "demo.vpr").as_uri()
    again = {"refreshSupport": True}
    able = {"workspace": {"codeLens": again, "inlayHint": again}}
    with running() as server:
        client = Extension(server.port)
        client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": able})
        client.notify("initialized", {})
        client.open(uri, WRONG)
        for text, success in ((WRONG, 4), (RIGHT, 1)):
            since = len(client.heard)
            ask(client, uri, content=text)
            assert client.state(6)["success"] == success
            client.until(lambda m: m.get("method") == "workspace/inlayHint/refresh")
            heard = [m.get("method") for m in client.heard[since:]]
            ended = max(n for n, name in enumerate(heard) if name == "StateChange")
            assert "workspace/codeLens/refresh" in heard[:ended]
            assert "workspace/codeLens/refresh" in heard[ended:]
        (lens,) = client.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
        assert lens["command"]["title"] == "verified"
        client.close()
