"""Servers under faults: nonsense, half messages, killed workers, signals, closed files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.unit.servers.rough import (
    BAD,
    KINDS,
    PATIENCE,
    SLOW,
    are_gone,
    children,
    descendants,
    running,
)

pytest.importorskip("pygls")
pytest.importorskip("mcp")
pytest.importorskip("uvicorn")
pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="looks into /proc")

LISTENING = [name for name, kind in KINDS.items() if kind.port and name != "lsp --port"]
"""Those that stay when their last client goes; for the other one see `lsp/test_listening.py`."""
READING = [name for name, kind in KINDS.items() if not kind.port]
WORKING = ["lsp", "mcp", "server"]
"""Those with a process for each question."""


def worker_of(pid: int) -> int:
    """The first process that a server starts for a question."""
    deadline = time.monotonic() + PATIENCE
    while not (found := children(pid)):
        assert time.monotonic() < deadline, "no process was started"
        time.sleep(0.02)
    return found[0]


@pytest.mark.parametrize("bad", ["no JSON", "all"])
@pytest.mark.parametrize("name", READING)
def test_nonsense_is_left_out_or_ends_a_session_in_order(
    name: str, bad: str, tmp_path: Path
) -> None:
    with running(name, tmp_path) as server:
        server.greet()
        server.talk(*(BAD.values() if bad == "all" else [BAD[bad]]))
        assert server.end() == 0
        assert "Traceback" not in server.said
        assert "internal error" not in server.said


@pytest.mark.parametrize("bad", ["no JSON", "deep JSON", "no object"])
def test_a_session_goes_on_after_a_message_that_is_none(bad: str, tmp_path: Path) -> None:
    with running("lsp", tmp_path) as server:
        server.talk(BAD[bad])
        server.greet()
        assert server.end() == 0


@pytest.mark.parametrize("name", LISTENING)
def test_clients_that_talk_nonsense_or_nothing_keep_nobody_waiting(
    name: str, tmp_path: Path
) -> None:
    with running(name, tmp_path) as server:
        clients = [server.talk()]
        clients += [server.talk(bad) for bad in BAD.values()]
        server.greet()
        for client in clients:
            assert client is not None
            client.close()
        server.greet()
        assert server.process.poll() is None
        assert server.end(signal.SIGTERM) in (0, 128 + signal.SIGTERM)
        assert "Traceback" not in server.said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", KINDS)
def test_a_signal_ends_a_server_and_all_that_it_started(
    name: str, number: signal.Signals, tmp_path: Path
) -> None:
    with running(name, tmp_path) as server, ExitStack() as clients:
        if server.port:  # one that ends with its last client stays while this one is there
            clients.enter_context(server.connected())
        server.greet()
        connection = server.talk(*server.kind.work)
        if connection is not None:
            clients.enter_context(connection)
        if name in WORKING:
            worker_of(server.process.pid)
        started = descendants(server.process.pid)
        assert server.end(number) in (0, 128 + number)
        assert are_gone(started)
        assert "Traceback" not in server.said


@pytest.mark.parametrize("name", ["lsp", "mcp"])
def test_the_end_of_the_input_ends_a_server_and_all_that_it_started(
    name: str, tmp_path: Path
) -> None:
    with running(name, tmp_path) as server:
        server.greet()
        server.talk(*server.kind.work)
        worker_of(server.process.pid)
        started = descendants(server.process.pid)
        assert server.end() == 0
        assert are_gone(started)


def test_a_language_server_hears_nothing_before_it_knows_its_client(tmp_path: Path) -> None:
    with running("lsp", tmp_path) as server:
        server.talk(*server.kind.work)
        server.greet()
        assert "a message before `initialize` is left out" in server.said
        assert server.end() == 0
        assert "Traceback" not in server.said


def test_an_agent_that_is_gone_before_its_answer_is_no_bug_of_ours(tmp_path: Path) -> None:
    with running("mcp", tmp_path) as server:
        server.greet()
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.talk(*server.kind.greeting)
        assert server.leave() == 0
        assert "internal error" not in server.said


def test_a_language_server_whose_editor_is_gone_shows_no_trace(tmp_path: Path) -> None:
    """It finds out when it answers, and its input is open still."""
    with running("lsp", tmp_path) as server:
        server.greet()
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.talk(*server.kind.greeting, *server.kind.work)
        assert server.process.wait(PATIENCE) == 0
        assert "Traceback" not in server.said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_middle_of_a_line_ends_a_debug_adapter(
    number: signal.Signals, tmp_path: Path
) -> None:
    """What has read a part of a line reads on, and does not look whether a signal has come."""
    with running("dap", tmp_path) as server:
        server.greet()
        server.talk(b"Content", b"Cont", b"P")
        assert server.end(number) == 128 + number
        assert "Traceback" not in server.said


def test_a_debug_adapter_whose_editor_is_gone_works_no_more(tmp_path: Path) -> None:
    """Its launch takes for ever, and nobody would hear of it."""
    with running("dap", tmp_path) as server:
        server.greet()
        server.talk(*server.kind.work)
        assert server.leave() == 0


@pytest.mark.parametrize("name", WORKING)
def test_a_killed_process_costs_a_question_and_no_server(name: str, tmp_path: Path) -> None:
    with running(name, tmp_path) as server:
        server.greet()
        connection = server.talk(*server.kind.work)
        os.kill(worker_of(server.process.pid), signal.SIGKILL)
        if connection is not None:
            server.greet()
            connection.close()
        assert server.process.poll() is None
        assert server.end(signal.SIGTERM) in (0, 128 + signal.SIGTERM)
        assert "Traceback" not in server.said


@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_server_without_input_says_so(name: str, closed: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "pitviper", *KINDS[name].words]
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *words]
    done = subprocess.run(
        shell, capture_output=True, text=True, cwd=tmp_path, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert "standard input or output is closed" in done.stderr


def test_the_slow_program_is_a_program(tmp_path: Path) -> None:
    from pitviper import check

    assert check(SLOW).problems == ()
