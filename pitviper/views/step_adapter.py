"""The debug adapter protocol for a recorded run: requests in, responses and events out.

https://microsoft.github.io/debug-adapter-protocol: the base protocol and the requests that an
editor needs to show a run and walk through it in both directions.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import BinaryIO

from pitviper.results.steps import Walk
from pitviper.views.json_lines import Json, JsonObject

LOCALS, HEAP = 1, 2
"""References of the two scopes."""


class Adapter:
    """One session. `handle` answers a request with messages, the response first."""

    def __init__(self, load: Callable[[str | None], Walk]) -> None:
        self._load = load
        self._walk: Walk | None = None
        self._number = 0
        self.is_over = False

    def handle(self, request: JsonObject) -> list[JsonObject]:
        command = str(request.get("command", ""))
        given = request.get("arguments")
        arguments: JsonObject = dict(given) if isinstance(given, dict) else {}
        answer = getattr(self, f"_on_{command}", None)
        if answer is None:
            return [self._response(request, {}, error=f"{command} is not supported")]
        body, events = answer(arguments)
        return [self._response(request, body), *events]

    @property
    def _run(self) -> Walk:
        if self._walk is None:
            self._walk = self._load(None)
        return self._walk

    def _on_initialize(self, _: JsonObject) -> _Answer:
        body: JsonObject = {
            "supportsConfigurationDoneRequest": True,
            "supportsStepBack": True,
            "supportsEvaluateForHovers": True,
        }
        return body, [self._event("initialized", {})]

    def _on_launch(self, arguments: JsonObject) -> _Answer:
        test = arguments.get("test")
        self._walk = self._load(test if isinstance(test, str) else None)
        return {}, []

    def _on_setBreakpoints(self, arguments: JsonObject) -> _Answer:
        wanted = arguments.get("breakpoints")
        lines = (
            [b["line"] for b in wanted if isinstance(b, dict)] if isinstance(wanted, list) else []
        )
        self._run.breakpoints = {n for n in lines if isinstance(n, int)}
        return {"breakpoints": [{"verified": True, "line": n} for n in lines]}, []

    def _on_configurationDone(self, _: JsonObject) -> _Answer:
        return {}, [self._stopped("entry")]

    def _on_threads(self, _: JsonObject) -> _Answer:
        return {"threads": [{"id": 1, "name": "run"}]}, []

    def _on_stackTrace(self, _: JsonObject) -> _Answer:
        now = self._run.now
        path = str(now.span.file.path)
        frames: list[Json] = [
            {"id": n, "name": m, "line": line, "column": 1, "source": {"path": path}}
            for n, (m, line) in enumerate(reversed(now.stack), 1)
        ]
        return {"stackFrames": frames, "totalFrames": len(frames)}, []

    def _on_scopes(self, _: JsonObject) -> _Answer:
        scopes: list[Json] = [
            {"name": "Variables", "variablesReference": LOCALS, "expensive": False},
            {"name": "Permissions", "variablesReference": HEAP, "expensive": False},
        ]
        return {"scopes": scopes}, []

    def _on_variables(self, arguments: JsonObject) -> _Answer:
        now = self._run.now
        pairs = list(now.values)
        if arguments.get("variablesReference") == HEAP:
            pairs = [(p, f"{a}: {v}" if v else a) for p, a, v in now.cells]
        found: list[Json] = [{"name": n, "value": v, "variablesReference": 0} for n, v in pairs]
        return {"variables": found}, []

    def _on_evaluate(self, arguments: JsonObject) -> _Answer:
        found = self._run.evaluate(str(arguments.get("expression", "")))
        return {"result": found or "no value here", "variablesReference": 0}, []

    def _on_next(self, _: JsonObject) -> _Answer:
        return self._moved(self._run.over, "step")

    def _on_stepIn(self, _: JsonObject) -> _Answer:
        return self._moved(self._run.forward, "step")

    def _on_stepBack(self, _: JsonObject) -> _Answer:
        return self._moved(self._run.back, "step")

    def _on_continue(self, _: JsonObject) -> _Answer:
        return self._moved(self._run.run, "breakpoint")

    def _on_reverseContinue(self, _: JsonObject) -> _Answer:
        return self._moved(self._run.run_back, "breakpoint")

    def _on_disconnect(self, _: JsonObject) -> _Answer:
        self.is_over = True
        return {}, []

    def _moved(self, move: Callable[[], bool], reason: str) -> _Answer:
        move()
        if self._run.is_last:
            said = self._event("output", {"category": "console", "output": f"{self._run.ending}\n"})
            return {}, [said, self._stopped(reason)]
        return {}, [self._stopped(reason)]

    def _stopped(self, reason: str) -> JsonObject:
        return self._event("stopped", {"reason": reason, "threadId": 1, "allThreadsStopped": True})

    def _event(self, name: str, body: JsonObject) -> JsonObject:
        self._number += 1
        return {"seq": self._number, "type": "event", "event": name, "body": body}

    def _response(self, request: JsonObject, body: JsonObject, error: str = "") -> JsonObject:
        self._number += 1
        response: JsonObject = {
            "seq": self._number,
            "type": "response",
            "request_seq": request.get("seq", 0),
            "command": request.get("command", ""),
            "success": not error,
            "body": body,
        }
        if error:
            response["message"] = error
        return response


_Answer = tuple[JsonObject, list[JsonObject]]


def serve(adapter: Adapter, source: BinaryIO, sink: BinaryIO) -> None:
    """Until the editor disconnects or closes the stream."""
    while not adapter.is_over:
        request = _read(source)
        if request is None:
            return
        for message in adapter.handle(request):
            data = json.dumps(message).encode()
            sink.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            sink.flush()


def _read(source: BinaryIO) -> JsonObject | None:
    """The next message; None at the end of the stream, or where it is no message."""
    length = 0
    while line := source.readline():
        if line in (b"\r\n", b"\n"):
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    if not length:
        return None
    try:
        message = json.loads(source.read(length))
    except ValueError:
        return None
    return message if isinstance(message, dict) else None
