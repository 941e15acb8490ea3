"""How quick the language server is, measured through its protocol.

Usage: python bench/editor.py [--lines 500 5000] [--edits 20] [--many 1000]

A row for each question: the median and the worst of the answers, the processor time of one, and
what was asked for (issue 20). On a machine with other work to do, only processor time says much.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]

METHOD = """method set{n}(x: Ref, v: Int)
  requires cell(x)
  ensures cell(x) && get(x) == v
{{
  unfold cell(x)
  x.value := v
  fold cell(x)
  assert get(x) == v
}}

"""
HEAD = """field value: Int
predicate cell(x: Ref) { acc(x.value) }
function get(x: Ref): Int requires cell(x) { unfolding cell(x) in x.value }

"""


def program(lines: int) -> str:
    """A program of about so many lines."""
    return HEAD + "".join(METHOD.format(n=n) for n in range(max(1, (lines - 4) // 10)))


class Server:
    """`pitviper lsp` as a process, asked one question after the other."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pitviper", "lsp", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._number = 0
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.tell("initialized", {})

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: object) -> Any:
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params})
        return self.until(lambda m: m.get("id") == number and "method" not in m)["result"]

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        assert self.process.stdout is not None
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                raise SystemExit("the server ended")
            message = json.loads(self.process.stdout.read(length))
            if wanted(message):
                return dict(message)

    def state(self, version: int, *states: str) -> None:
        self.until(
            lambda m: (
                m.get("method") == "pitviper/state"
                and m["params"]["version"] == version
                and m["params"]["state"] in states
            )
        )

    def memory(self) -> float:
        """Megabytes that the process holds."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    def work(self) -> float:
        """Seconds that processors worked for the server, and for what it started."""
        return sum(_work(pid) for pid in _family(self.process.pid))

    def close(self) -> None:
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.wait(60)


def _work(pid: int) -> float:
    """Seconds of a process, and of children that it has waited for."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    fields = text.rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> list[int]:
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += _family(int(child))
    return found


def open_text(server: Server, uri: str, text: str) -> None:
    item = {"uri": uri, "languageId": "viper", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": item})


def edit(server: Server, uri: str, version: int, line: int) -> None:
    """Writes one character into a line that is a comment's place."""
    place = {"line": line, "character": 0}
    server.tell(
        "textDocument/didChange",
        {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"range": {"start": place, "end": place}, "text": " "}],
        },
    )


def is_published(version: int) -> Callable[[Message], bool]:
    return lambda m: (
        m.get("method") == "textDocument/publishDiagnostics"
        and m["params"].get("version") == version
    )


class Times:
    """Seconds of answers, and seconds that processors worked for them."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.seconds: list[float] = []
        self.work = 0.0

    def of(self, act: Callable[[], object]) -> None:
        before, start = self._server.work(), time.perf_counter()
        act()
        self.seconds.append(time.perf_counter() - start)
        self.work += self._server.work() - before

    def row(self, what: str, asked: str) -> None:
        median, worst = statistics.median(self.seconds) * 1000, max(self.seconds) * 1000
        work = self.work / len(self.seconds) * 1000
        print(f"{what:<46} {median:8.1f} ms {worst:8.1f} ms {work:8.1f} ms   {asked}")


def typing(folder: Path, lines: int, edits: int, most: str) -> None:
    """From a keystroke to what the front end says; hover and completion on the way."""
    server, uri = Server("--pause", "off"), (folder / f"typing{lines}.vpr").as_uri()
    open_text(server, uri, program(lines))
    server.until(is_published(1))
    keys, hovers, completions = Times(server), Times(server), Times(server)
    for version in range(2, edits + 2):

        def keystroke(version: int = version) -> None:
            edit(server, uri, version, lines // 2)
            server.until(is_published(version))

        keys.of(keystroke)
        place = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 12}}
        hovers.of(lambda p=place: server.ask("textDocument/hover", p))
        completions.of(lambda p=place: server.ask("textDocument/completion", p))
    keys.row(f"keystroke to diagnostics, {lines} lines", f"at most {most}")
    hovers.row(f"hover, {lines} lines", "at most 30 ms")
    completions.row(f"completion, {lines} lines", "at most 30 ms")
    server.close()


def proving(folder: Path) -> None:
    """Forty methods: a full run, an edit in one, and the state at the cursor."""
    cache = str(folder / "cache")
    server, uri = Server("--pause", "off", "--cache", cache), (folder / "forty.vpr").as_uri()
    text = program(404)
    open_text(server, uri, text)

    def verify(version: int, uri: str = uri) -> None:
        server.ask("workspace/executeCommand", {"command": "pitviper.verify", "arguments": [uri]})
        server.state(version, "verified", "refuted", "undecided", "crashed")

    cold, whole, again, first, later = (Times(server) for _ in range(5))
    cold.of(lambda: verify(1))
    for other in ("amount", "weight", "size"):
        warm = (folder / f"{other}.vpr").as_uri()
        open_text(server, warm, text.replace("value", other))
        server.until(is_published(1))
        whole.of(lambda warm=warm: verify(1, warm))
    line = text[: text.index("x.value := v")].count("\n")
    place = {"line": line, "character": 2}
    for version in range(2, 7):
        change = {"range": {"start": place, "end": place}, "text": "assert true\n  "}
        server.tell(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
        )
        again.of(lambda version=version: verify(version))
    cold.row("forty methods, first run", "")
    whole.row("forty other methods, all new", "")
    quicker = statistics.median(whole.seconds) / statistics.median(again.seconds)
    less = (whole.work / len(whole.seconds)) / (again.work / len(again.seconds))
    again.row(
        "one of them edited",
        f"a tenth of it: {quicker:.1f} times as quick, {less:.1f} times less work",
    )
    where = {"textDocument": {"uri": uri}, "position": {"line": line + 5, "character": 4}}
    first.of(lambda: server.ask("pitviper/stateAt", where))
    first.row("state at the cursor, first", "")
    for character in range(2, 8):
        where["position"] = {"line": line + 5, "character": character}
        later.of(lambda: server.ask("pitviper/stateAt", where))
    later.row("state at the cursor, later", "at most 100 ms")
    server.close()


def lasting(folder: Path, edits: int) -> None:
    """Memory after many edits against that after ten."""
    server, uri = Server("--pause", "off"), (folder / "lasting.vpr").as_uri()
    open_text(server, uri, program(500))
    early = 0.0
    for version in range(2, edits + 2):
        edit(server, uri, version, 250)
        server.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        if version == 11:
            early = server.memory()
    late = server.memory()
    print(f"memory after 10 and {edits} edits: {early:.0f} MB, {late:.0f} MB: {late / early:.2f}"
          " times, at most 1.2")  # fmt: skip
    server.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lines", type=int, nargs="+", default=[500, 5000])
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--many", type=int, default=1000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{'':<46} {'median':>11} {'worst':>11} {'work':>11}   asked for")
        for lines in chosen.lines:
            typing(folder, lines, chosen.edits, "100 ms" if lines <= 500 else "250 ms")
        proving(folder)
        lasting(folder, chosen.many)


if __name__ == "__main__":
    main()
