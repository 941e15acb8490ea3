"""`pitviper serve` and `pitviper report` on the command line."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pitviper.cli.main import main

pytest.importorskip("uvicorn")
pytest.importorskip("lsprotocol")

DEADLINE = 300


def test_the_link_opens_the_program_and_a_signal_ends_the_server(tmp_path: Path) -> None:
    (tmp_path / "a b.vpr").write_text("field f: Int")
    command = [sys.executable, "-m", "pitviper", "serve", str(tmp_path / "a b.vpr")]
    options = ["--port", "0", "--no-browser", "--format", "json"]
    server = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        link = json.loads(server.stdout.readline())["link"]
        parts = urlsplit(link)
        assert parts.hostname == "127.0.0.1"
        assert parts.fragment == "open=a%20b.vpr"
        asked = http.client.HTTPConnection("127.0.0.1", parts.port or 0, timeout=DEADLINE)
        asked.request("GET", f"/?{parts.query}")
        assert asked.getresponse().status == 303
        asked.close()
    finally:
        os.kill(server.pid, signal.SIGTERM)
        server.wait(DEADLINE)
        assert server.stdout is not None
        server.stdout.close()


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["serve", str(tmp_path), "--port", port, "--no-browser"]) == 2
    assert "--port 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [(["serve", "nowhere"], "no folder"), (["serve", ".", "--port", "99999"], "no port")],
)
def test_mistakes_are_told(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--no-browser"]) == 2
    assert said in capsys.readouterr().err


def test_a_report_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    program, out = tmp_path / "a.vpr", tmp_path / "a.html"
    program.write_text("method m(x: Int) { assert x > 0 }")
    assert main(["report", str(program), "--html", str(out)]) == 0
    assert "Wrote" in capsys.readouterr().out
    assert "assert x &gt; 0" not in out.read_text()
    assert '"assert x > 0"' in out.read_text()
