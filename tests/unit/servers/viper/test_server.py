"""The server for clients of ViperServer, driven through both of its protocols."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from tests.unit.servers.rough import SLOW
from tests.unit.servers.viper.client import LIMIT, Extension, Message, running

CLIENTS = Path(os.environ.get("PITVIPER_CLIENTS", "/work/shared/clients"))
recorded = pytest.mark.skipif(not CLIENTS.is_dir(), reason="no recorded conversations here")

RIGHT = "method fine(x: Int) requires x > 2 { assert x > 1 }\n"
WRONG = "method bad(x: Int) { assert x > 1 }\n"
TIMEOUT = 7
"""How ViperServer says that the time of a verification was over."""


def program(folder: Path, text: str, name: str = "demo.vpr") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def results(messages: list[Message]) -> list[tuple[str, str, str]]:
    """What is said about members and the whole, as (name, kind, status)."""
    found = []
    for message in messages:
        if message["msg_type"] == "verification_result":
            body = message["msg_body"]
            name = body["details"].get("entity", {}).get("name", "")
            found.append((name, body["kind"], body["status"]))
    return found


# ---------------------------------------------------------------- recorded conversations


def same(ours: Any, theirs: Any, folder: Path, key: str = "") -> None:
    """Ours has all that theirs has; times, and who speaks, may differ."""
    if key in ("time", "text") and not isinstance(theirs, dict | list):
        if key == "text" and "vpr@" in theirs:
            assert ours == theirs
        else:
            assert type(ours) is type(theirs)
    elif isinstance(theirs, dict):
        for name, value in theirs.items():
            same(ours[name], value, folder, name)
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for mine, their in zip(ours, theirs, strict=True):
            same(mine, their, folder, key)
    elif isinstance(theirs, str):
        assert ours == theirs.replace("/FOLDER", str(folder))
    else:
        assert ours == theirs


def by_kind(messages: list[Message]) -> dict[str, Message]:
    """The messages that are compared, by what they are about; the order of members is free."""
    found = {}
    for message in messages:
        kind, body = message["msg_type"], message["msg_body"]
        if kind == "verification_result":
            entity = body["details"].get("entity", {}).get("name", "")
            kind = f"{kind} {body['kind']} {entity}"
        found[kind] = message
    return found


@recorded
def test_the_recorded_conversation_over_http(tmp_path: Path) -> None:
    program(tmp_path, (CLIENTS / "demo.vpr").read_text())
    program(tmp_path, "method m() { var x: Int := true\n assert y }\n", "bad.vpr")
    text = (CLIENTS / "http_transcript.txt").read_text()
    with running() as server:
        for exchange in re.split(r"^>>> ", text, flags=re.M)[1:]:
            head, answer = exchange.split("\n<<< ", 1)
            method, path, body = [*head.split(" ", 2), ""][:3]
            status, lines = answer.split("\n", 1)
            if "exception" in status:  # a bug of ViperServer's
                continue
            body = body.replace("/FOLDER", str(tmp_path))
            code, kind, said = server.call(method, path, body or None)
            assert f"({code}, '{kind}'" in status
            if not lines.strip().startswith("{"):
                assert said == lines.strip()
                continue
            ours = [json.loads(line) for line in said.splitlines()]
            theirs = [json.loads(line) for line in lines.strip().splitlines()]
            if "msg_type" in theirs[0]:
                known = by_kind(ours)
                for name, message in by_kind(theirs).items():
                    same(known[name], message, tmp_path)
            else:
                same(ours, theirs, tmp_path)
        assert server.process.wait(LIMIT) == 0


@recorded
def test_the_recorded_conversation_of_the_extension(tmp_path: Path) -> None:
    demo = program(tmp_path, (CLIENTS / "demo.vpr").read_text())
    lines = (CLIENTS / "lsp_transcript.jsonl").read_text().replace("/FOLDER", str(tmp_path))
    conversation = [json.loads(line) for line in lines.splitlines()]
    answers = {
        m["msg"]["id"]: m["msg"] for m in conversation if m["dir"] == "S->C" and "id" in m["msg"]
    }
    with running() as server:
        client = Extension(server.port)
        for entry in conversation:
            message = entry["msg"]
            if entry["dir"] != "C->S" or "method" not in message:
                continue
            before = len(client.heard)
            client.send({k: v for k, v in message.items() if k != "jsonrpc"})
            if "id" in message:
                number = message["id"]
                ours = client.until(lambda m, n=number: m.get("id") == n and "method" not in m)
                _same_answer(message["method"], ours["result"], answers[number]["result"])
            elif message["method"] == "Verify":
                _same_run(client, before, demo)
        assert server.process.wait(LIMIT) == 0
        client.close()


NOT_OFFERED = {"linkedEditingRangeProvider"}


def _same_answer(method: str, ours: Any, theirs: Any) -> None:
    if method == "initialize":
        assert set(theirs["capabilities"]) - NOT_OFFERED <= set(ours["capabilities"])
    elif method == "GetLanguageServerUrl":
        assert re.fullmatch(r"127\.0\.0\.1:\d+", ours["url"])
    elif method in ("GetVersion", "FlushCache", "RemoveDiagnostics", "StopVerification"):
        assert {k: v for k, v in ours.items() if v is not None} == theirs


def _same_run(client: Extension, before: int, demo: Path) -> None:
    last = client.state(6)
    told = [m["params"] for m in client.heard[before:] if m.get("method") == "StateChange"]
    phases = [state["newState"] for state in told]
    assert (phases[0], phases[1], phases[-2:]) == (9, 2, [5, 6])
    assert told[1]["progress"] == 0.0
    assert last["success"] == 4
    assert (last["verificationCompleted"], last["manuallyTriggered"]) == (1.0, 1.0)
    assert (last["filename"], last["uri"], last["error"]) == ("demo.vpr", demo.as_uri(), "")
    published = [
        m["params"]["diagnostics"]
        for m in client.heard[before:]
        if m.get("method") == "textDocument/publishDiagnostics"
    ]
    (found,) = published[-1]
    assert found["source"] == "viper"
    assert found["severity"] == 1
    assert found["range"] == {
        "start": {"line": 5, "character": 44},
        "end": {"line": 5, "character": 80},
    }
    said = "Assertion get(x) == old(get(x)) + 1 might not hold. (demo.vpr@6.45--6.81)"
    assert said in found["message"]


# ---------------------------------------------------------------- HTTP


def test_streams_say_how_members_and_the_whole_fare(tmp_path: Path) -> None:
    path = program(tmp_path, RIGHT + WRONG)
    with running() as server:
        number = server.verify(f'silicon --timeout 60 "{path}"')
        ast = server.stream(f"/ast/{number}")
        assert [m["msg_type"] for m in ast][-2:] == ["program_outline", "program_definitions"]
        said = server.stream(f"/verify/{number}")
        assert sorted(results(said)[:2]) == [
            ("bad", "for_entity", "failure"),
            ("fine", "for_entity", "success"),
        ]
        assert results(said)[-1] == ("", "overall", "failure")
        again = server.stream(f"/verify/{number}")
        assert again == [{"msg": f"The verification job #{number} does not exist."}]
        right = program(tmp_path, RIGHT, "right.vpr")
        for verifier in ("silicon", "carbon"):
            last = server.stream(f"/verify/{server.verify(f'{verifier} {right}')}")[-1]
            assert last["msg_body"]["status"] == "success"
            assert last["msg_body"]["verifier"] == verifier


def test_an_answer_is_remembered_until_the_cache_is_flushed(tmp_path: Path) -> None:
    path = program(tmp_path, WRONG)

    def cached(messages: list[Message]) -> bool:
        bodies = [m["msg_body"] for m in messages if m["msg_type"] == "verification_result"]
        return bool(bodies[0]["details"]["cached"])

    with running() as server:
        assert not cached(server.stream(f"/verify/{server.verify(f'silicon {path}')}"))
        assert cached(server.stream(f"/verify/{server.verify(f'silicon {path}')}"))
        words = f"silicon --disableCaching {path}"
        assert not cached(server.stream(f"/verify/{server.verify(words)}"))
        server.call("GET", "/cache/flush")
        assert not cached(server.stream(f"/verify/{server.verify(f'silicon {path}')}"))


def test_a_discarded_job_has_no_result(tmp_path: Path) -> None:
    path = program(tmp_path, SLOW)
    with running("--jobs", "1") as server:
        first = server.verify(f"silicon --disableCaching {path}")
        waiting = server.verify(f"silicon --disableCaching {path}")
        for number in (waiting, first):
            _, _, text = server.call("GET", f"/discard/{number}")
            assert json.loads(text) == {
                "msg": f"ver_id_{number} has been successfully interrupted."
            }
            assert results(server.stream(f"/verify/{number}")) == []


def test_the_limit_of_the_server_is_that_of_jobs_which_name_none(tmp_path: Path) -> None:
    path = program(tmp_path, SLOW)
    with running("--timeout", "0.5") as server:
        said = server.stream(f"/verify/{server.verify(f'silicon {path}')}")
        assert results(said)[-1] == ("", "overall", "failure")
        assert "the time for the run is over (0.5 s)" in json.dumps(said[-1])
        client = Extension(server.port)
        client.start()
        client.verify(path.as_uri(), SLOW)
        assert client.state(6)["success"] == TIMEOUT
        client.close()


def test_unknown_options_are_reported_and_nothing_is_verified(tmp_path: Path) -> None:
    path = program(tmp_path, RIGHT)
    with running() as server:
        said = server.stream(f"/verify/{server.verify(f'silicon --nonsense {path}')}")
        assert [m["msg_type"] for m in said] == ["invalid_args_report"]


@pytest.mark.parametrize(
    "options",
    [
        '--z3Exe "/a folder/z3" --z3Args "smt.random_seed=3 sat.phase=caching"',
        "--assertTimeout 100 --counterexample variables --ideModeAdvanced",
        "--backendSpecificCache --submitForEvaluation --logLevel ALL",
        "--enableSmokeDetection --respectFunctionPrePermAmounts --disableTerminationPlugin",
        "--proverEnableTimeBounds --useOldAxiomatization --reportPartialResults",
    ],
)
def test_options_of_silicon_are_understood(tmp_path: Path, options: str) -> None:
    path = program(tmp_path, RIGHT, "with space.vpr")
    with running() as server:
        number = server.verify(f'silicon {options} "{path}"')
        said = server.stream(f"/verify/{number}")
        assert results(said)[-1] == ("", "overall", "success")


def test_requests_that_make_no_sense_are_answered(tmp_path: Path) -> None:
    with running() as server:
        assert server.call("POST", "/verify", "{")[0] == 200
        assert server.call("POST", "/verify", '{"arg": 3}')[0] == 200
        assert server.call("GET", "/nothing")[0] == 404
        assert server.call("PUT", "/exit")[0] == 405
        assert server.call("GET", "/verify/-1")[0] == 200
        assert server.call("GET", "/verify/x")[0] == 404
        assert server.call("POST", "/discard/0")[0] == 405
        assert json.loads(server.call("POST", "/verify", '{"arg": "silicon gone.vpr"}')[2]) == {
            "msg": "File not found"
        }


def test_pages_of_other_sites_are_sent_away() -> None:
    with running() as server:
        for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LIMIT)
            connection.request("GET", "/exit", headers=headers)
            assert connection.getresponse().status == 403
            connection.close()
        assert server.process.poll() is None


# ---------------------------------------------------------------- the extension


def test_only_a_verified_text_is_a_success(tmp_path: Path) -> None:
    uri = (tmp_path / "demo.vpr").as_uri()
    with running() as server:
        client = Extension(server.port)
        client.start()
        client.open(uri, RIGHT)
        expected = (
            (RIGHT, 1),
            (WRONG, 4),
            ("method bad(x: Int) { x := }\n", 2),
            ("method bad(x: Int) { assert y }\n", 3),
        )
        for text, success in expected:
            client.verify(uri, text)
            assert client.state(6)["success"] == success, text
        client.close()
        assert server.process.wait(LIMIT) == 0, "it ends when its only client goes"


def test_a_verification_that_is_stopped_or_edited_is_aborted(tmp_path: Path) -> None:
    uri = (tmp_path / "demo.vpr").as_uri()
    with running() as server:
        client = Extension(server.port)
        client.start()
        client.open(uri, SLOW)
        client.verify(uri, SLOW)
        client.state(9)
        assert client.ask("StopVerification", {"uri": uri}) == {"success": True}
        told = [m["params"] for m in client.heard if m.get("method") == "StateChange"]
        assert (told[-1]["newState"], told[-1]["success"]) == (6, 0)
        assert told[-1]["verificationCompleted"] == 0.0
        client.verify(uri, SLOW)
        client.state(9)
        change = {
            "textDocument": {"uri": uri, "version": 2},
            "contentChanges": [{"text": RIGHT}],
        }
        client.notify("textDocument/didChange", change)
        assert client.state(6)["success"] == 5
        client.close()


def test_two_editors_share_a_server_that_ends_with_the_last(tmp_path: Path) -> None:
    with running() as server:
        one, two = Extension(server.port), Extension(server.port)
        one.start()
        two.start()
        one.close()
        assert two.ask("GetVersion", {"clientVersion": "5.3.2"})["serverVersion"] == "3.1.0"
        two.ask("shutdown")
        two.notify("exit", {})
        assert server.process.wait(LIMIT) == 0
        two.close()


def test_the_stand_in_for_java_starts_the_server(tmp_path: Path) -> None:
    stand_in = Path(__file__).parents[4] / "integrations" / "viper-extension" / "java"
    version = subprocess.run([stand_in, "-version"], capture_output=True, text=True, check=True)
    assert "64-Bit" in version.stderr
    tool = program(tmp_path, f'#!/bin/sh\nexec {sys.executable} -m pitviper "$@"\n', "pitviper")
    tool.chmod(0o755)
    words = ["-Xmx2g", "-cp", "a.jar", "-server", "viper.server.ViperServerRunner", "--serverMode"]
    process = subprocess.Popen(
        [stand_in, *words, "LSP", "--singleClient"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PITVIPER": str(tool)},
    )
    assert process.stdout is not None
    port = int(process.stdout.readline().strip()[len("<ViperServerPort:") : -1])
    client = Extension(port)
    client.start()
    client.close()
    assert process.wait(LIMIT) == 0
    process.stdout.close()
