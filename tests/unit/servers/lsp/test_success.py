"""Nothing is called verified that was not: runs that die, are late, or rest on another text."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

pytest.importorskip("pygls.lsp.client", reason="pygls is not installed")

from tests.unit.servers.lsp.test_server import RIGHT, editor, run
from tests.unit.servers.rough import SLOW

CALLS = """method callee(x: Int) returns (r: Int)
  ensures r > 3
{
  r := 4
}
method caller()
{
  var y: Int
  y := callee(1)
  assert y > 3
}
"""


def test_a_verdict_is_dropped_with_what_it_rests_on(tmp_path: Path) -> None:
    uri = (tmp_path / "calls.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, CALLS)
            verify = "pitviper.verify"
            await known.command(verify, uri)
            told = await known.state(uri, "verified", "refuted")
            assert told["members"] == {"callee": "verified", "caller": "verified"}
            known.replace(uri, CALLS.replace("r := 4", "r := 5"), 2)
            await known.until(lambda: known.diagnostics[uri].version == 2)
            await known.command(verify, uri)
            running = await known.state(uri, "running", "verified", version=2)
            assert "callee" not in running["members"] or running["state"] == "verified"
            await known.state(uri, "verified", version=2)
            known.replace(uri, CALLS.replace("r > 3\n{", "r > 2\n{"), 3)
            await known.until(lambda: known.diagnostics[uri].version == 3)
            await known.command(verify, uri)
            first = await known.state(uri, "running", "refuted", version=3)
            assert first["members"].get("caller") != "verified"
            last = await known.state(uri, "refuted", "verified", version=3)
            assert (last["state"], last["members"]["caller"]) == ("refuted", "refuted")

    run(session)


def test_a_run_that_is_late_is_undecided(tmp_path: Path) -> None:
    uri = (tmp_path / "late.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--timeout", "0.001", "--pause", "0.05") as known:
            known.open(uri, SLOW)
            told = await known.state(uri, "undecided", "verified", "refuted", "crashed")
            assert told["state"] in ("undecided", "crashed")
            assert "verified" not in told["members"].values()

    run(session)


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_a_run_that_is_killed_has_crashed_and_the_server_goes_on(tmp_path: Path) -> None:
    uri = (tmp_path / "killed.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, SLOW)
            await known.command("pitviper.verify", uri)
            await known.state(uri, "running")
            worker = None
            while worker is None:
                worker = next(iter(workers(os.getpid())), None)
                await asyncio.sleep(0.01)
            os.kill(worker, signal.SIGKILL)
            told = await known.state(uri, "crashed", "verified", "refuted", "undecided")
            assert told["state"] == "crashed"
            known.replace(uri, RIGHT, 2)
            await known.command("pitviper.verify", uri)
            assert (await known.state(uri, "verified", "crashed", version=2))["state"] == "verified"

    run(session)


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_a_process_that_dies_while_nobody_needs_it_costs_nothing(tmp_path: Path) -> None:
    uri = (tmp_path / "right.vpr").as_uri()

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, RIGHT)
            await known.command("pitviper.verify", uri)
            await known.state(uri, "verified")
            found = workers(os.getpid())
            [kept] = [worker for worker in found if ancestors(worker)[0] in found]
            os.kill(kept, signal.SIGKILL)
            known.replace(uri, RIGHT + "\n", 2)
            await known.command("pitviper.verify", uri)
            told = await known.state(uri, "verified", "crashed", "undecided", version=2)
            assert told["state"] == "verified"

    run(session)


def test_a_server_that_is_told_to_end_ends_without_a_word(tmp_path: Path) -> None:
    def frame(message: dict[str, object]) -> bytes:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return b"Content-Length: %d\r\n\r\n" % len(body) + body

    said = b"".join(
        [
            frame({"id": 1, "method": "initialize", "params": {"capabilities": {}}}),
            frame({"method": "initialized", "params": {}}),
            frame({"id": 2, "method": "shutdown"}),
            frame({"method": "exit"}),
        ]
    )
    done = subprocess.run(
        [sys.executable, "-m", "pitviper", "lsp"],
        input=said,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def workers(above: int) -> list[int]:
    """The processes that verify, below a process."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        is_worker = b"pitviper.servers.lsp.processes.worker" in words
        if is_worker and above in ancestors(int(entry.name)):
            found.append(int(entry.name))
    return found


def ancestors(process: int) -> list[int]:
    found: list[int] = []
    while process > 1:
        try:
            stat = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            break
        process = int(stat.rpartition(")")[2].split()[1])
        found.append(process)
    return found


def test_a_text_that_is_saved_as_it_was_verified_is_not_verified_again(tmp_path: Path) -> None:
    uri = (tmp_path / "calls.vpr").as_uri()
    save = lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri))

    async def session() -> None:
        async with editor(tmp_path, "--pause", "off") as known:
            known.open(uri, CALLS)
            known.client.text_document_did_save(save)
            await known.state(uri, "verified")
            before = len(known.states)
            known.client.text_document_did_save(save)
            assert await known.command("pitviper.stop", uri) is False
            assert known.states[before:] == []
            await known.command("pitviper.verifyMember", uri, "caller")
            await known.state(uri, "verified")
            known.client.text_document_did_save(save)
            assert await known.command("pitviper.stop", uri) is True
            await known.state(uri, "cancelled")
            known.client.text_document_did_save(save)
            assert (await known.state(uri, "verified"))["state"] == "verified"

    run(session)
