"""Walking through a run, on a terminal and through the debug adapter protocol."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from pitviper.driver.explore import explore_file
from pitviper.driver.explore_options import ExploreOptions
from pitviper.driver.explore_steps import walk_of
from pitviper.driver.explore_tests import save_tests
from pitviper.views.step_adapter import Adapter, serve
from pitviper.views.terminal.stepper import Stepper

PROGRAM = """field f: Int
method bump(x: Ref) requires acc(x.f) ensures acc(x.f)
{
  x.f := x.f + 1
}
method m(x: Ref)
  requires acc(x.f)
{
  x.f := 3
  bump(x)
  assert x.f == 3
}
"""


@pytest.fixture
def test_file(tmp_path: Path) -> Path:
    program = tmp_path / "p.vpr"
    program.write_text(PROGRAM)
    _, done = explore_file(program, ExploreOptions(methods=("m",)))
    assert done is not None
    (failing,) = [p for p in save_tests(tmp_path / "t", done.methods[0]) if "failed" in p.name]
    return failing


def test_forwards_and_backwards_with_breakpoints_and_watches(test_file: Path) -> None:
    stepper = Stepper(walk_of(test_file))

    assert stepper.place().startswith("m, line 9: x.f := 3")
    assert stepper.command("watch x.f") == "x.f = 0"
    assert stepper.command("next") == "m, line 10: bump(x)\n  x.f = 3"
    assert stepper.command("break 4") == "a breakpoint in line 4"
    assert stepper.command("c") == "bump, line 4: x.f := x.f + 1\n  x.f = 3"
    assert stepper.command("where") == "bump, line 4\nm, line 10"
    assert stepper.command("heap") == "object1.f  1  3"
    end = stepper.command("c")
    assert end is not None and "the end: failed: Assert might fail." in end
    assert stepper.command("vars") == "x = object1"
    assert stepper.command("c") == "There is no step further that way."
    assert stepper.command("r") == "bump, line 4: x.f := x.f + 1\n  x.f = 3"
    assert stepper.command("back") == "m, line 10: bump(x)\n  x.f = 3"
    assert stepper.command("n") == "bump, line 4: x.f := x.f + 1\n  x.f = 3"
    assert stepper.command("quit") is None


def _framed(message: dict[str, object]) -> bytes:
    data = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


def test_an_editor_drives_the_run(test_file: Path) -> None:
    commands: list[tuple[str, dict[str, object]]] = [
        ("initialize", {}),
        ("launch", {"test": str(test_file)}),
        ("setBreakpoints", {"source": {}, "breakpoints": [{"line": 11}]}),
        ("configurationDone", {}),
        ("continue", {"threadId": 1}),
        ("stackTrace", {"threadId": 1}),
        ("variables", {"variablesReference": 2}),
        ("evaluate", {"expression": "x.f"}),
        ("stepBack", {}),
        ("teleport", {}),
        ("disconnect", {}),
    ]
    asked = [
        {"seq": n, "type": "request", "command": c, "arguments": a}
        for n, (c, a) in enumerate(commands, 1)
    ]
    sink = io.BytesIO()
    adapter = Adapter(lambda path: walk_of(Path(path or test_file)))
    serve(adapter, io.BytesIO(b"".join(map(_framed, asked))), sink)

    parts = sink.getvalue().split(b"Content-Length: ")[1:]
    told = [json.loads(part.split(b"\r\n\r\n", 1)[1]) for part in parts]
    answers = {m["command"]: m for m in told if m["type"] == "response"}
    assert len(answers) == len(commands)
    assert answers["stackTrace"]["body"]["stackFrames"][0]["line"] == 11
    assert answers["variables"]["body"]["variables"] == [
        {"name": "object1.f", "value": "1: 4", "variablesReference": 0}
    ]
    assert answers["evaluate"]["body"]["result"] == "4"
    assert answers["teleport"]["success"] is False
    events = [m["event"] for m in told if m["type"] == "event"]
    assert events[:2] == ["initialized", "stopped"]
    assert "output" in events
