"""The daemon: same answers, and nothing depends on it being there."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.results.exit_code import ExitCode
from pitviper.servers.daemon import client as daemon_client
from pitviper.servers.daemon import socket as wire
from tests.unit.driver.verify.test_verify import ENDLESS, pigeons
from tests.unit.servers import rough
from tests.unit.servers.rough import PATIENCE

GOOD = "function twice(n: Int): Int { 2 * n }\nmethod good(n: Int) { assert twice(n) == n + n }\n"
BAD = "method bad(n: Int)\n{\n  assert n > 0\n}\n"


PATIENT = f"""
import sys
from pitviper.servers.daemon import client
client.ANSWER = client.STATUS = {PATIENCE}
sys.argv[0] = "pitviper"
from pitviper.cli.start import command
command()
"""
"""A command that does not do without a daemon which is slow because everything is."""


class Place:
    """A folder of programs, and a runtime folder that is used by no other test."""

    def __init__(self, folder: Path, runtime: Path) -> None:
        self.folder = folder
        self.runtime = runtime
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}
        del self.environment["PITVIPER_DAEMON"]

    def command(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", PATIENT, *arguments],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
        process = self.command(*arguments)
        out, errors = process.communicate(stdin, timeout=PATIENCE)
        return process.returncode, re.sub(r"\d+\.\d+ s", "", out), errors

    def requests(self) -> int:
        _, said, _ = self.run("daemon", "status")
        return int(said.split(" requests")[0].split()[-1])

    def pid(self) -> int:
        return int(self.run("daemon", "status")[1].split("pid ")[1].split(",")[0])


def worker_of(daemon: int) -> int | None:
    """The process of a daemon that, with those it starts, uses more of a processor than to start.

    One that waits for the next request is there, too.
    """
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for pid in rough.children(daemon):
            if sum(map(processor_time, [pid, *rough.descendants(pid)])) > 1.0:
                return pid
        time.sleep(0.05)
    return None


def processor_time(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("daemon")
    (folder / "good.vpr").write_text(GOOD)
    (folder / "bad.vpr").write_text(BAD)
    (folder / "hard.vpr").write_text(pigeons())
    runtime = Path(tempfile.mkdtemp(prefix="pv-"))  # names of sockets are short
    place = Place(folder, runtime)
    yield place
    place.run("daemon", "stop")
    shutil.rmtree(runtime)


@pytest.mark.parametrize(
    "arguments",
    [("good.vpr",), ("bad.vpr", "good.vpr"), ("--format", "json", "bad.vpr"), ("missing.vpr",)],
)
def test_the_daemon_says_what_the_command_says(place: Place, arguments: tuple[str, ...]) -> None:
    assert place.run("daemon", "start")[0] == 0
    before = place.requests()
    by_daemon = place.run("verify", *arguments)
    assert place.requests() == before + 1
    place.environment["PITVIPER_DAEMON"] = "off"
    alone = place.run("verify", *arguments)
    del place.environment["PITVIPER_DAEMON"]
    strip = [re.sub(r'"seconds": [\d.]+', "", said[1]) for said in (by_daemon, alone)]
    assert strip[0] == strip[1]
    assert (by_daemon[0], by_daemon[2]) == (alone[0], alone[2])


def test_a_program_through_a_pipe(place: Place) -> None:
    assert place.run("daemon", "start")[0] == 0
    code, out, _ = place.run("verify", "-", stdin=BAD)
    assert code == 1
    assert "<stdin>:3:10" in out


def test_a_warning_that_nobody_hears_changes_no_answer(place: Place) -> None:
    assert place.run("daemon", "start")[0] == 0
    (place.folder / "none.vpr").write_text("// nothing\n")
    asked = place.requests()
    words = ["sh", "-c", 'exec "$@" 2>/dev/full', "sh", sys.executable, "-c", PATIENT]
    done = subprocess.run(
        [*words, "verify", "none.vpr"], cwd=place.folder, env=place.environment, timeout=PATIENCE
    )
    assert done.returncode == 0
    assert place.requests() == asked + 1


def test_nobody_else_can_use_it(place: Place) -> None:
    assert place.run("daemon", "start")[0] == 0
    folder = place.runtime / "pitviper"
    assert folder.stat().st_mode & 0o777 == 0o700
    (path,) = folder.glob("*.sock")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_second_daemon_is_refused(place: Place) -> None:
    assert place.run("daemon", "start")[0] == 0
    code, _, errors = place.run("daemon", "serve")
    assert (code, errors) == (2, "pitviper: error: a daemon of this version is running already\n")


def test_ctrl_c_reaches_the_worker(place: Place) -> None:
    assert place.run("daemon", "start")[0] == 0
    process = place.command("verify", "--assertTimeout", str(ENDLESS), "hard.vpr")
    assert worker_of(place.pid())
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "interrupted" in errors


def test_a_killed_daemon_is_not_missed(place: Place) -> None:
    assert place.run("daemon", "start")[0] == 0
    os.kill(place.pid(), signal.SIGKILL)
    assert place.run("verify", "good.vpr")[0] == 0
    assert place.run("daemon", "status")[0] == 1
    assert place.run("verify", "--daemon", "good.vpr")[0] == 0
    assert place.run("daemon", "status")[0] == 0
    assert "stopped" in place.run("daemon", "stop")[1]


def test_a_socket_that_nobody_listens_at_and_one_of_another_version(place: Place) -> None:
    place.run("daemon", "start")
    (path,) = (place.runtime / "pitviper").glob("*.sock")
    place.run("daemon", "stop")
    other = path.with_name("daemon-0123456789abcdef.sock")
    for name in (path, other):
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(name))
    assert place.run("verify", "bad.vpr")[0] == 1
    assert place.run("daemon", "status")[0] == 1
    assert not path.exists()


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_worker_that_dies_tells_nothing_twice(place: Place, form: str) -> None:
    """It has told the name of a file as text, and nothing as JSON: then it is done here."""
    place.run("daemon", "start")
    file = place.folder / f"{form}.vpr"
    file.write_text(pigeons())
    daemon = place.pid()
    process = place.command("verify", "--assertTimeout", str(ENDLESS), "--format", form, file.name)
    worker = worker_of(daemon)
    assert worker is not None
    if form == "text":
        assert process.stdout is not None
        assert process.stdout.readline() == "text.vpr\n"
    other = file.with_suffix(".new")
    other.write_text(BAD)
    other.replace(file)  # what is done here ends
    os.kill(worker, signal.SIGKILL)
    out, errors = process.communicate(timeout=PATIENCE)
    if form == "text":
        assert process.returncode == 4
        assert "the daemon's worker died in the middle of its answer" in errors
        assert "text.vpr" not in out
    else:
        assert process.returncode == 1
        assert out.count('"kind": "finding"') == 1
        assert "refuted" in out


def standby_of(place: Place) -> int:
    """The process that waits for the next request: it is forked before a daemon says its status."""
    *earlier, youngest = rough.children(place.pid())
    assert rough.are_gone(earlier)
    return youngest


def test_a_worker_is_there_before_its_request(place: Place) -> None:
    """The one that waited has done it, and another one waits: none serves two."""
    place.run("daemon", "start")
    first = standby_of(place)
    assert place.run("verify", "bad.vpr")[0] == 1
    assert rough.are_gone([first])
    assert standby_of(place) != first


def test_a_worker_that_died_while_it_waited_is_not_missed(place: Place) -> None:
    place.run("daemon", "start")
    asked = place.requests()
    waiting = standby_of(place)
    os.kill(waiting, signal.SIGKILL)
    assert rough.are_gone([waiting])
    code, out, _ = place.run("verify", "bad.vpr")
    assert code == 1
    assert out.count("bad.vpr\n") == 1
    assert place.requests() == asked + 1
    assert standby_of(place) != waiting


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_waits_ends_with_its_daemon(place: Place, end: signal.Signals) -> None:
    place.run("daemon", "start")
    daemon, waiting = place.pid(), standby_of(place)
    os.kill(daemon, end)
    assert rough.are_gone([waiting])


def talk(place: Place, *parts: bytes) -> socket.socket:
    (path,) = (place.runtime / "pitviper").glob("*.sock")
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(path))
    for part in parts:
        connection.sendall(part)
    return connection


def test_silent_and_dripping_clients_and_nonsense_do_no_harm(place: Place) -> None:
    place.run("daemon", "start")
    deep = b"[" * 100_000
    handles = Path(f"/proc/{place.pid()}/fd")
    before = len(list(handles.iterdir()))
    length = struct.Struct("!I")
    clients = [
        talk(place),
        talk(place, b"\0"),
        talk(place, length.pack(1000), b"{"),
        talk(place, length.pack(len(deep)), deep),
        talk(place, length.pack(2**32 - 1)),
        talk(place, length.pack(2), b"[]"),
    ]
    with_files = talk(place)
    socket.send_fds(with_files, [length.pack(2)], [0, 1, 2])
    with_files.sendall(b"[]")
    code, out, _ = place.run("verify", "bad.vpr")
    assert code == 1
    assert out.count("bad.vpr\n") == 1
    for client in (*clients, with_files):
        client.close()
    assert place.run("daemon", "status")[0] == 0
    assert len(list(handles.iterdir())) <= before


def test_a_daemon_that_does_not_answer_is_done_without(place: Place, tmp_path: Path) -> None:
    place.run("daemon", "start")
    daemon = place.pid()
    os.kill(daemon, signal.SIGSTOP)
    try:
        command = [sys.executable, "-m", "pitviper", "verify", "bad.vpr"]
        with open(tmp_path / "out", "wb") as out:  # a pipe would stay open in the stopped process
            done = subprocess.run(
                command, cwd=place.folder, env=place.environment, stdout=out, timeout=PATIENCE
            )
        assert done.returncode == 1
    finally:
        os.kill(daemon, signal.SIGCONT)


def test_a_folder_of_others_is_not_used(place: Place, tmp_path: Path) -> None:
    (tmp_path / "pitviper").mkdir(mode=0o755)
    (tmp_path / "pitviper").chmod(0o755)
    elsewhere = Place(place.folder, tmp_path)
    elsewhere.environment["XDG_RUNTIME_DIR"] = str(tmp_path)
    code, _, errors = elsewhere.run("daemon", "start")
    assert code == 2
    assert "others may have access" in errors
    assert elsewhere.run("verify", "good.vpr")[0] == 0


def test_a_daemon_that_is_late_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was told that there is none would not look for it."""
    started: list[subprocess.Popen[bytes]] = []

    class Watched(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **more: Any) -> None:
            super().__init__(*words, **more)
            started.append(self)

    monkeypatch.setattr(daemon_client, "START", 0.0)
    monkeypatch.setattr(subprocess, "Popen", Watched)
    with tempfile.TemporaryDirectory(prefix="pv-") as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
        with pytest.raises(UsageError, match="did not start"):
            daemon_client.start_daemon()
    assert [process.returncode for process in started] == [-signal.SIGKILL]


def test_messages_are_what_the_standard_writer_makes_of_them() -> None:
    message: wire.Message = {
        "argv": ["verify", 'a "b".vpr', "\udcff\n"], "env": {"A": "\u00e4"}, "encoding": None,
        "exit": ExitCode.FINDINGS, "seconds": 0.25, "begun": True, "empty": [],
    }  # fmt: skip
    assert wire._text(message) == json.dumps(message)
    assert all(json.loads(text) == usual for text, usual in wire._USUAL.items())
    with pytest.raises(TypeError):
        wire._text({"argv": ("verify",)})


def test_a_client_loads_little(place: Place) -> None:
    place.run("daemon", "start")
    told = "import os, sys\nend = os._exit\n"
    told += "os._exit = lambda code: (print(*sys.modules, file=sys.stderr), end(code))\n"
    done = subprocess.run(
        [sys.executable, "-c", told + PATIENT, "verify", "good.vpr"], cwd=place.folder,
        env=place.environment, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0
    loaded = {*done.stderr.split()}
    assert "pitviper.servers.daemon.client" in loaded
    assert {"json", "re", "enum", "socket", "pathlib"}.isdisjoint(loaded)
