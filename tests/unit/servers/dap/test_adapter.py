"""The debug adapter protocol, spoken with a real process."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from tests.unit.engines.explore.kept import CALLS, failing_test

Message = dict[str, Any]


class Editor:
    """Asks, and reads answers and events, as an editor does."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "pitviper", "replay", "--dap", *arguments]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._to: IO[bytes] = self._process.stdin
        self._from: IO[bytes] = self._process.stdout
        self._number = 0
        self._patience = threading.Timer(300, self._process.kill)
        self._patience.daemon = True
        self._patience.start()
        self.events: list[Message] = []

    def send(self, data: bytes) -> None:
        self._to.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._to.flush()

    def read(self) -> Message:
        header = self._from.readline()
        assert self._from.readline() == b"\r\n"
        found = json.loads(self._from.read(int(header.split(b":")[1])))
        assert isinstance(found, dict)
        return found

    def ask(self, command: str, **arguments: object) -> Message:
        """The response; events before it are kept."""
        self._number += 1
        asked = {"seq": self._number, "type": "request", "command": command}
        self.send(json.dumps({**asked, "arguments": arguments}).encode())
        while (message := self.read())["type"] == "event":
            self.events.append(message)
        assert message["request_seq"] == self._number
        assert message["command"] == command
        return message

    def body(self, command: str, **arguments: object) -> Message:
        response = self.ask(command, **arguments)
        assert response["success"] is True, response
        found = response["body"]
        assert isinstance(found, dict)
        return found

    def event(self, name: str) -> Message:
        """The next event of this name."""
        while True:
            message = self.events.pop(0) if self.events else self.read()
            assert message["type"] == "event"
            if message["event"] == name:
                return message

    def close(self) -> int:
        self._to.close()
        code = self._process.wait(300)
        self._patience.cancel()
        self._from.close()
        return code


@pytest.fixture
def kept_test(tmp_path: Path) -> Path:
    return failing_test(tmp_path, CALLS)


@pytest.fixture
def editor(kept_test: Path) -> Iterator[Editor]:
    made = Editor(str(kept_test))
    assert made.body("initialize", adapterID="pitviper")["supportsStepBack"] is True
    made.body("launch")
    made.event("initialized")
    yield made
    made.close()


def _top(editor: Editor) -> tuple[str, int]:
    frame = editor.body("stackTrace", threadId=1)["stackFrames"][0]
    return frame["name"], frame["line"]


def test_a_whole_session(editor: Editor, tmp_path: Path) -> None:
    source = {"path": str(tmp_path / "p.vpr")}
    lines = [{"line": 4, "condition": "x.f == 3"}, {"line": 1}]
    told = editor.body("setBreakpoints", source=source, breakpoints=lines)["breakpoints"]
    assert [point["verified"] for point in told] == [True, False]
    editor.body("configurationDone")
    assert editor.event("stopped")["body"]["reason"] == "entry"
    assert editor.body("threads")["threads"] == [{"id": 1, "name": "run"}]

    editor.body("continue", threadId=1)
    assert editor.event("stopped")["body"]["reason"] == "breakpoint"
    frames = editor.body("stackTrace", threadId=1)["stackFrames"]
    assert [(f["name"], f["line"]) for f in frames] == [("bump", 4), ("m", 10)]
    assert frames[0]["source"]["path"] == str((tmp_path / "p.vpr").resolve())
    scopes = editor.body("scopes", frameId=2)["scopes"]
    assert [scope["name"] for scope in scopes] == ["Variables", "Permissions"]
    held = editor.body("variables", variablesReference=scopes[1]["variablesReference"])
    assert held["variables"] == [
        {"name": "object1.f", "value": "3  (permission 1)", "variablesReference": 0}
    ]
    assert editor.body("evaluate", expression="x.f + 1", frameId=1)["result"] == "4"

    editor.body("stepOut", threadId=1)
    stopped = editor.event("stopped")["body"]
    assert stopped["reason"] == "exception"
    assert "Assertion x.f == 3 might not hold." in stopped["description"]
    failure = editor.body("exceptionInfo", threadId=1)
    assert failure["exceptionId"] == "assert.failed:assertion.false"
    assert failure["breakMode"] == "always"
    editor.body("stepBack", threadId=1)
    assert _top(editor) == ("bump", 4)
    editor.body("stepBack", threadId=1)
    assert _top(editor) == ("m", 10)
    editor.body("reverseContinue", threadId=1)
    assert _top(editor) == ("m", 9)
    editor.body("next", threadId=1)
    editor.body("stepIn", threadId=1)
    assert _top(editor) == ("bump", 4)
    editor.body("restart")
    assert _top(editor) == ("m", 9)
    assert editor.body("disconnect") == {}
    assert editor.close() == 0


def test_breakpoints_at_methods_and_the_end_of_the_session(editor: Editor) -> None:
    points = [{"name": "bump"}, {"name": "nobody"}]
    told = editor.body("setFunctionBreakpoints", breakpoints=points)["breakpoints"]
    assert [point["verified"] for point in told] == [True, False]
    editor.body("configurationDone")
    editor.body("continue", threadId=1)
    assert _top(editor) == ("bump", 4)
    editor.body("continue", threadId=1)
    assert _top(editor) == ("m", 11)
    editor.body("continue", threadId=1)
    assert editor.event("exited")["body"] == {"exitCode": 1}
    editor.event("terminated")


def test_bad_requests_get_an_error_response(editor: Editor) -> None:
    for command, arguments in (
        ("teleport", {}),
        ("scopes", {"frameId": 7}),
        ("scopes", {"frameId": "one"}),
        ("variables", {"variablesReference": 99}),
        ("setBreakpoints", {"breakpoints": [{"line": "four"}]}),
        ("setBreakpoints", {"breakpoints": 3}),
        ("evaluate", {"expression": "x.nowhere"}),
        ("evaluate", {}),
        ("exceptionInfo", {"threadId": 1}),
        ("launch", {"test": "/nowhere.json"}),
        ("launch", {"test": 3}),
    ):
        response = editor.ask(command, **arguments)
        assert response["success"] is False
        assert response["message"]
        assert response["body"]["error"]["format"] == response["message"]
    editor.send(b"{ no JSON")
    assert editor.read()["message"] == "a message is not JSON"
    editor.send(b"[]")
    assert editor.read()["message"] == "a message is no object"
    editor.body("threads")


def test_nothing_works_before_the_launch(kept_test: Path) -> None:
    editor = Editor()
    assert editor.ask("stackTrace", threadId=1)["message"] == "nothing was launched"
    assert editor.ask("launch")["message"] == 'no test was named: launch with "test"'
    editor.body("launch", test=str(kept_test), stopOnEntry=False)
    editor.body("configurationDone")
    assert editor.event("stopped")["body"]["reason"] == "exception"
    assert editor.close() == 0
