"""The debug adapter on recorded proofs: members, failed proofs, every way through them."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

TEXT = """field val: Int
predicate cell(x: Ref) { acc(x.val) }
method work(x: Ref, b: Bool) returns (r: Int)
  requires cell(x)
  ensures cell(x) && r > 3
{
  var y: Int := 3
  unfold cell(x)
  if (b) {
    y := 4
  }
  x.val := y
  fold cell(x)
  r := y
}
"""

Message = dict[str, Any]


class Editor:
    """Asks as an editor does; the first messages are those of VS Code."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._to: IO[bytes] = process.stdin
        self._from: IO[bytes] = process.stdout
        self._number = 0
        self.events: list[Message] = []

    def ask(self, command: str, **arguments: object) -> Message:
        self._number += 1
        data = json.dumps(
            {"seq": self._number, "type": "request", "command": command, "arguments": arguments}
        ).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._to.flush()
        while (message := self._read())["type"] == "event":
            self.events.append(message)
        return message

    def body(self, command: str, **arguments: object) -> Message:
        answer = self.ask(command, **arguments)
        assert answer["success"], answer
        return dict(answer["body"])

    def go(self, command: str, **arguments: object) -> int:
        """Moves, and returns the number of the way that it stops on."""
        self.body(command, **arguments)
        while (event := self._read())["event"] != "stopped":
            self.events.append(event)
        return int(event["body"]["threadId"])

    def _read(self) -> Message:
        header = self._from.readline()
        assert header, "the adapter ended"
        self._from.readline()
        return dict(json.loads(self._from.read(int(header.split(b":")[1]))))

    def launch(self, **arguments: object) -> None:
        self.body(
            "initialize",
            clientID="vscode",
            clientName="Visual Studio Code",
            adapterID="pitviper",
            pathFormat="path",
            linesStartAt1=True,
            columnsStartAt1=True,
            supportsVariableType=True,
            supportsRunInTerminalRequest=True,
            locale="en",
        )
        self.body("launch", name="states", type="pitviper", request="launch", **arguments)

    def line(self, thread: int = 1) -> int:
        return int(self.body("stackTrace", threadId=thread)["stackFrames"][0]["line"])

    def scope(self, title: str) -> dict[str, Message]:
        scopes = self.body("scopes", frameId=1)["scopes"]
        reference = next(s["variablesReference"] for s in scopes if s["name"] == title)
        return self.inner(reference)

    def inner(self, reference: int) -> dict[str, Message]:
        found = self.body("variables", variablesReference=reference)["variables"]
        return {one["name"]: one for one in found}


@contextmanager
def editor() -> Iterator[Editor]:
    process = subprocess.Popen(
        [sys.executable, "-m", "pitviper", "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    patience = threading.Timer(300, process.kill)
    patience.start()
    try:
        known = Editor(process)
        yield known
        known.ask("disconnect")
        assert process.wait(300) == 0
    finally:
        patience.cancel()
        process.kill()
        process.wait()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.close()
        process.stdout.close()


def program(folder: Path) -> str:
    path = folder / "cell.vpr"
    path.write_text(TEXT)
    return str(path)


def test_a_member_is_walked_through_in_both_directions(tmp_path: Path) -> None:
    with editor() as known:
        known.launch(program=program(tmp_path), member="work")
        way = known.go("configurationDone")
        assert known.line(way) == 7
        known.go("next", threadId=way)
        assert known.line(way) == 8
        assert known.scope("Store")["y"]["value"] == "3"
        (instance,) = known.scope("Heap").values()
        assert instance["name"] == "cell(x)"
        assert "x.val" in known.inner(instance["variablesReference"])
        known.go("next", threadId=way)
        assert set(known.scope("Heap")) == {"x.val"}
        assert set(known.scope("Old heaps")) == {"old"}
        known.go("stepBack", threadId=way)
        assert known.line(way) == 8
        known.go("reverseContinue", threadId=way)
        assert known.line(way) == 7


def test_the_branch_is_chosen(tmp_path: Path) -> None:
    with editor() as known:
        known.launch(program=program(tmp_path), line=12)
        way = known.go("configurationDone")
        threads = known.body("threads")["threads"]
        assert {thread["name"] for thread in threads} == {"b", "!b"}
        while known.line(way) != 9:
            way = known.go("next", threadId=way)
        targets = known.body("stepInTargets", frameId=1)["targets"]
        lines = {target["label"].split(":")[0]: target["id"] for target in targets}
        assert set(lines) == {"line 10", "line 12"}
        for line in ("line 12", "line 10"):
            way = known.go("stepIn", threadId=way, targetId=lines[line])
            assert f"line {known.line(way)}" == line
            way = known.go("stepBack", threadId=way)


def test_a_breakpoint_on_another_way_is_one_and_stops_there(tmp_path: Path) -> None:
    path = program(tmp_path)
    with editor() as known:
        known.launch(program=path, member="work")
        points = [{"line": 10}, {"line": 1}]
        placed = known.body("setBreakpoints", source={"path": path}, breakpoints=points)
        assert [one["verified"] for one in placed["breakpoints"]] == [True, False]
        known.go("configurationDone")
        ends = {}
        for thread in known.body("threads")["threads"]:
            way = known.go("continue", threadId=thread["id"])
            ends[thread["name"]] = known.line(way)
        assert ends["b"] == 10
        assert ends["!b"] != 10


def test_a_failed_proof_is_opened_where_it_fails(tmp_path: Path) -> None:
    with editor() as known:
        known.launch(program=program(tmp_path), member="work", proof=0)
        way = known.go("configurationDone")
        assert known.line(way) == 5
        conditions = [one["value"] for one in known.scope("Path conditions").values()]
        assert "!b" in conditions
        said = known.body("evaluate", expression="prove", context="repl", frameId=1)["result"]
        assert "not proved" in said
        said = known.body("evaluate", expression="assume b", context="repl", frameId=1)["result"]
        assert said
        assert known.body("evaluate", expression="r + 1", context="hover", frameId=1)["result"]


def test_a_breakpoint_stops_where_its_condition_is_proved(tmp_path: Path) -> None:
    path = program(tmp_path)
    with editor() as known:
        known.launch(program=path, member="work", stopOnEntry=False)
        points = [{"line": 8, "condition": "y == 7"}, {"line": 12, "condition": "y >= 3"}]
        placed = known.body("setBreakpoints", source={"path": path}, breakpoints=points)
        assert [one["verified"] for one in placed["breakpoints"]] == [True, True]
        way = known.go("configurationDone")
        assert known.line(way) == 12
        held = known.body("evaluate", expression="acc(x.val)", context="watch", frameId=1)
        assert held["result"] == "true"
        assert known.body("evaluate", expression="y", context="hover", frameId=1)["result"] in "34"
        wrong = known.ask("evaluate", expression="nothing + 1", context="hover", frameId=1)
        assert not wrong["success"]


def test_what_cannot_be_launched_says_why(tmp_path: Path) -> None:
    path = program(tmp_path)
    with editor() as known:
        known.body("initialize")
        for arguments, why in (
            ({"program": path, "member": "none"}, "no member"),
            ({"program": path, "member": "work", "proof": 9}, "no failed check 9"),
            ({"program": path}, "no member was named"),
            ({"program": str(tmp_path / "gone.vpr"), "member": "m"}, "gone.vpr"),
            ({}, "launch with"),
        ):
            answer = known.ask("launch", **arguments)
            assert not answer["success"]
            assert why in answer["message"]
