"""The debug adapter launches a program and a method, over standard input and over a port."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

TEXT = """method m(n: Int) returns (r: Int) {
  r := n
  if (n > 17) {
    r := r + 1
  }
  assert r == n
}
"""


class Talk:
    """Requests and their answers; events in between are passed over."""

    def __init__(self, sink: IO[bytes], source: IO[bytes]) -> None:
        self._to, self._from, self._number = sink, source, 0

    def ask(self, command: str, **arguments: object) -> dict[str, Any]:
        self._number += 1
        request = {"seq": self._number, "type": "request", "command": command}
        data = json.dumps({**request, "arguments": arguments}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._to.flush()
        while True:
            header = self._from.readline()
            assert self._from.readline() == b"\r\n"
            message: dict[str, Any] = json.loads(self._from.read(int(header.split(b":")[1])))
            if message.get("request_seq") == self._number:
                return message


@pytest.fixture
def process(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "pitviper", "dap", *request.param]
    made = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    patience = threading.Timer(300, made.kill)
    patience.start()
    yield made
    patience.cancel()
    made.kill()
    made.communicate()


def step_to_the_end(talk: Talk, program: Path) -> str:
    """The value of r where the failing run ends."""
    talk.ask("initialize", adapterID="pitviper")
    launched = talk.ask("launch", program=str(program), method="m")
    assert launched["success"], launched
    talk.ask("configurationDone")
    talk.ask("continue", threadId=1)
    told = talk.ask("evaluate", expression="r == 19 && n == 18", frameId=1)
    return str(told["body"]["result"])


@pytest.mark.parametrize("process", [()], indirect=True)
def test_a_method_is_launched(process: subprocess.Popen[bytes], tmp_path: Path) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(TEXT, encoding="utf-8")
    assert process.stdin is not None and process.stdout is not None

    assert step_to_the_end(Talk(process.stdin, process.stdout), program) == "true"


@pytest.mark.parametrize("process", [("--port", "0")], indirect=True)
def test_sessions_follow_each_other_on_a_port(
    process: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    program = tmp_path / "p.vpr"
    program.write_text(TEXT, encoding="utf-8")
    assert process.stdout is not None
    port = int(process.stdout.readline().rpartition(b":")[2])
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", port), timeout=300) as connection:
            sink, source = connection.makefile("wb"), connection.makefile("rb")
            with sink, source:
                talk = Talk(sink, source)
                refused = talk.ask("launch", program=str(program), method="missing")
                assert refused["success"] is False
                assert step_to_the_end(talk, program) == "true"
                talk.ask("disconnect")


OBJECTS = """field f: Ref
field n: Int
predicate p(x: Ref) { acc(x.n) }
function half(i: Int): Int { i \\ 2 }
method m(x: Ref, s: Seq[Int])
  requires acc(x.f) && acc(x.n) && x.f == x && |s| == 2 && x.n == 8
{
  var y: Ref := new(n)
  fold p(y)
  x.n := half(x.n)
  assert x.n != 4
}
"""


@pytest.mark.parametrize("process", [()], indirect=True)
def test_objects_sequences_and_instances_expand(
    process: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    program = tmp_path / "o.vpr"
    program.write_text(OBJECTS, encoding="utf-8")
    assert process.stdin is not None and process.stdout is not None
    talk = Talk(process.stdin, process.stdout)
    talk.ask("initialize", adapterID="pitviper")
    talk.ask("launch", program=str(program), method="m")
    talk.ask("configurationDone")
    for _ in range(3):
        talk.ask("stepIn", threadId=1)
    frames = talk.ask("stackTrace", threadId=1)["body"]["stackFrames"]
    assert [(f["name"], f["line"]) for f in frames] == [("half", 4), ("m", 10)]

    def inside(reference: int) -> dict[str, dict[str, Any]]:
        told = talk.ask("variables", variablesReference=reference)
        return {v["name"]: v for v in told["body"]["variables"]}

    scopes = talk.ask("scopes", frameId=2)["body"]["scopes"]
    variables, held = [inside(s["variablesReference"]) for s in scopes]
    fields = inside(variables["x"]["variablesReference"])
    assert {name: f["value"] for name, f in fields.items()} == {"f": "object1", "n": "8"}
    assert fields["f"]["variablesReference"] == 0  # the object itself, which is open
    assert list(inside(variables["s"]["variablesReference"])) == ["[0]", "[1]"]
    assert list(inside(held["p(new1)"]["variablesReference"])) == ["new1.n"]
