"""The debug adapter protocol for a recorded run: requests in, responses and events out.

https://microsoft.github.io/debug-adapter-protocol: the requests that an editor needs to show a
run and to walk through it in both directions. `dap_stream.py` has the base protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.results.steps import Breakpoint, Frame, Shown, Walk
from pitviper.views.json.lines import Json, JsonObject

Answer = tuple[JsonObject, list[JsonObject]]
"""The body of a response, and the events behind it."""

Request = Callable[[JsonObject], Answer]


class BadRequest(Exception):
    """A request that cannot be answered; says why."""


class Adapter:
    """One session. `handle` answers a request with messages, the response first."""

    def __init__(self, load: Callable[[JsonObject], Walk]) -> None:
        self._load = load
        self._walk: Walk | None = None
        self._number = 0
        self._base = 1
        self._stops_on_entry = True
        self._points: dict[str, list[Breakpoint]] = {}
        self._known_points = 0
        self._looked_into: list[tuple[Shown, ...]] = []
        self.is_over = False
        self._requests: dict[str, Request] = {
            "initialize": self._initialize, "launch": self._launch,
            "setBreakpoints": self._set_breakpoints,
            "setFunctionBreakpoints": self._set_function_breakpoints,
            "setExceptionBreakpoints": lambda _: ({"breakpoints": []}, []),
            "configurationDone": self._configured, "threads": self._threads,
            "stackTrace": self._stack, "scopes": self._scopes, "variables": self._variables,
            "evaluate": self._evaluate, "exceptionInfo": self._exception, "source": self._source,
            "next": lambda a: self._moved(self._on_way(a).over, "step"),
            "stepIn": self._step_in, "stepInTargets": self._targets,
            "stepOut": lambda a: self._moved(self._on_way(a).out, "step"),
            "stepBack": lambda a: self._moved_back(self._on_way(a).over_back, "step"),
            "continue": self._continue,
            "reverseContinue": lambda a: self._moved_back(
                self._on_way(a).run_back, "breakpoint"
            ),
            "restart": self._restart, "terminate": self._terminate,
            "disconnect": self._disconnect,
        }  # fmt: skip

    def handle(self, request: JsonObject) -> list[JsonObject]:
        command = request.get("command")
        given = request.get("arguments")
        arguments: JsonObject = dict(given) if isinstance(given, dict) else {}
        answer = self._requests.get(command) if isinstance(command, str) else None
        if request.get("type") != "request" or answer is None:
            return [self.refusal(request, f"{command} is not supported")]
        try:
            body, events = answer(arguments)
        except (BadRequest, UsageError) as error:
            return [self.refusal(request, str(error))]
        return [self._response(request, body, success=True), *[self._numbered(e) for e in events]]

    def refusal(self, request: JsonObject, why: str) -> JsonObject:
        """The answer to a request that cannot be carried out."""
        body: JsonObject = {"error": {"id": 1, "format": why, "showUser": True}}
        return {**self._response(request, body, success=False), "message": why}

    @property
    def _run(self) -> Walk:
        if self._walk is None:
            raise BadRequest("nothing was launched")
        return self._walk

    # ------------------------------------------------------------ the session

    def _initialize(self, arguments: JsonObject) -> Answer:
        self._base = 0 if arguments.get("linesStartAt1") is False else 1
        body: JsonObject = {
            "supportsConfigurationDoneRequest": True,
            "supportsStepBack": True,
            "supportsEvaluateForHovers": True,
            "supportsConditionalBreakpoints": True,
            "supportsFunctionBreakpoints": True,
            "supportsExceptionInfoRequest": True,
            "supportsRestartRequest": True,
            "supportsTerminateRequest": True,
            "supportsStepInTargetsRequest": True,
        }
        return body, []

    def _launch(self, arguments: JsonObject) -> Answer:
        """Breakpoints can be set when it is known which run they are for."""
        for name in ("test", "program", "member", "method"):
            if not isinstance(arguments.get(name, ""), str | None):
                raise BadRequest(f'"{name}" is a text')
        walk = self._load(arguments)
        if not walk.steps:
            raise BadRequest(f"the run has no step: {walk.ending.text}")
        self._walk = walk
        self._stops_on_entry = arguments.get("stopOnEntry") is not False
        return {}, [_event("initialized", {})]

    def _configured(self, _: JsonObject) -> Answer:
        if self._stops_on_entry or self._run.hit() is not None:
            return {}, [_stopped("entry", way=self._run.way)]
        return self._moved(self._run.run, "breakpoint")

    def _restart(self, _: JsonObject) -> Answer:
        self._run.at = 0
        self._looked_into.clear()
        return {}, [_stopped("entry", way=self._run.way)]

    def _terminate(self, _: JsonObject) -> Answer:
        return {}, [_event("terminated", {})]

    def _disconnect(self, _: JsonObject) -> Answer:
        self.is_over = True
        return {}, []

    # ------------------------------------------------------------ where to stop

    def _set_breakpoints(self, arguments: JsonObject) -> Answer:
        source = arguments.get("source")
        path = source.get("path") if isinstance(source, dict) else None
        file = self._known_file(path) if isinstance(path, str) else ""
        points = [
            Breakpoint(_number(b, "line") + 1 - self._base, "", _condition(b), file)
            for b in _objects(arguments, "breakpoints")
        ]
        return self._placed(f"file {path}", points)

    def _set_function_breakpoints(self, arguments: JsonObject) -> Answer:
        points = [
            Breakpoint(0, _word(b, "name"), _condition(b))
            for b in _objects(arguments, "breakpoints")
        ]
        return self._placed("methods", points)

    def _placed(self, key: str, points: list[Breakpoint]) -> Answer:
        walk = self._run
        self._points[key] = points
        walk.breakpoints = [p for group in self._points.values() for p in group]
        told: list[Json] = []
        places = walk.places()
        for point in points:
            found = any(_may_be_at(point, frame) for frame in places)
            self._known_points += 1
            one: JsonObject = {"id": self._known_points, "verified": found}
            if point.line:
                one["line"] = point.line - 1 + self._base
            if not found:
                one["message"] = "this run does not come here"
            told.append(one)
        return {"breakpoints": told}, []

    def _known_file(self, path: str) -> str:
        """The name under which the run knows a file; one it never comes to stays as it is."""
        wanted = Path(path).resolve()
        files = {str(f.span.file.path): f.span.file.path for f in self._run.places()}
        return next((name for name, own in files.items() if own.resolve() == wanted), path)

    # ------------------------------------------------------------ looking

    def _threads(self, _: JsonObject) -> Answer:
        ways = self._run.ways()
        return {"threads": [{"id": n, "name": name} for n, name in enumerate(ways, 1)]}, []

    def _on_way(self, arguments: JsonObject) -> Walk:
        """The run, along the way that a request is about: ways are what editors call threads."""
        walk, thread = self._run, arguments.get("threadId")
        if isinstance(thread, int) and 1 <= thread <= len(walk.ways()) and thread != walk.way + 1:
            walk.take(thread - 1)
        return walk

    def _targets(self, arguments: JsonObject) -> Answer:
        """The branches that can be taken from here."""
        found: list[Json] = [{"id": way, "label": text} for way, text in self._run.sides()]
        return {"targets": found}, []

    def _step_in(self, arguments: JsonObject) -> Answer:
        way = arguments.get("targetId")
        walk = self._on_way(arguments)
        if isinstance(way, int) and 0 <= way < len(walk.ways()):
            walk.take(way)
        return self._moved(walk.forward, "step")

    def _stack(self, arguments: JsonObject) -> Answer:
        self._on_way(arguments)
        stack = list(reversed(self._run.now.stack))
        first = arguments.get("startFrame")
        levels = arguments.get("levels")
        start = first if isinstance(first, int) and first > 0 else 0
        end = start + levels if isinstance(levels, int) and levels > 0 else len(stack)
        frames: list[Json] = [
            self._frame(n, frame) for n, frame in list(enumerate(stack, 1))[start:end]
        ]
        return {"stackFrames": frames, "totalFrames": len(stack)}, []

    def _frame(self, number: int, frame: Frame) -> JsonObject:
        (line, column), (end, end_column) = frame.span.start_position, frame.span.end_position
        path = frame.span.file.path.resolve()
        return {
            "id": number,
            "name": frame.method,
            "source": {"name": path.name, "path": str(path)},
            "line": line - 1 + self._base,
            "column": column - 1 + self._base,
            "endLine": end - 1 + self._base,
            "endColumn": end_column - 1 + self._base,
        }

    def _step_of(self, frame: int) -> int:
        """The step at which a method under way was seen last; 1 is the innermost."""
        stack = self._run.now.stack
        if not 1 <= frame <= len(stack):
            raise BadRequest(f"there is no frame {frame}")
        return stack[-frame].step

    def _scopes(self, arguments: JsonObject) -> Answer:
        """References to values hold until the run moves."""
        step = self._step_of(_number(arguments, "frameId"))
        scopes: list[Json] = [
            {
                "name": scope.title,
                "presentationHint": scope.hint,
                "variablesReference": self._reference(scope.values),
                "expensive": False,
            }
            for scope in self._run.scopes(step)
        ]
        return {"scopes": scopes}, []

    def _reference(self, values: tuple[Shown, ...]) -> int:
        self._looked_into.append(values)
        return len(self._looked_into)

    def _variables(self, arguments: JsonObject) -> Answer:
        reference = _number(arguments, "variablesReference")
        if not 1 <= reference <= len(self._looked_into):
            raise BadRequest(f"there is no reference {reference} any more")
        found: list[Json] = [
            {
                "name": shown.name,
                "value": shown.value,
                "variablesReference": self._reference(shown.inner) if shown.inner else 0,
            }
            for shown in self._looked_into[reference - 1]
        ]
        return {"variables": found}, []

    def _evaluate(self, arguments: JsonObject) -> Answer:
        frame = arguments.get("frameId")
        step = self._step_of(frame) if isinstance(frame, int) else None
        text = _word(arguments, "expression")
        typed = arguments.get("context") == "repl" and (step is None or step == self._run.at)
        found = self._run.console(text) if typed else self._run.evaluate(text, step)
        if found.problem:
            raise BadRequest(found.problem)
        return {"result": found.value, "variablesReference": 0}, []

    def _exception(self, _: JsonObject) -> Answer:
        failure = self._run.ending.failure
        if failure is None or not self._run.is_last:
            raise BadRequest("no check fails here")
        details: JsonObject = {"message": failure.message, "typeName": failure.id}
        return {
            "exceptionId": failure.id,
            "description": failure.message,
            "breakMode": "always",
            "details": details,
        }, []

    def _source(self, arguments: JsonObject) -> Answer:
        source = arguments.get("source")
        path = source.get("path") if isinstance(source, dict) else None
        if isinstance(path, str):
            known = self._known_file(path)
            for step in self._run.steps:
                if str(step.span.file.path) == known:
                    return {"content": step.span.file.text}, []
        raise BadRequest("the run does not come to that file")

    # ------------------------------------------------------------ moving

    def _moved(self, move: Callable[[], bool], reason: str) -> Answer:
        """The last step is one to stop at; going on from there ends the session."""
        walk = self._run
        self._looked_into.clear()
        if not move():
            passed = 0 if walk.ending.failure is None else 1
            return {}, [_event("exited", {"exitCode": passed}), _event("terminated", {})]
        if not walk.is_last:
            return {}, [_stopped(reason, way=self._run.way)]
        ending = walk.ending
        said = _event("output", {"category": "console", "output": f"{ending.text}\n"})
        if ending.failure is None:
            return {}, [said, _stopped("pause", f"The end: {ending.text}", walk.way)]
        return {}, [said, _stopped("exception", ending.failure.message, walk.way)]

    def _continue(self, arguments: JsonObject) -> Answer:
        body, events = self._moved(self._on_way(arguments).run, "breakpoint")
        return {**body, "allThreadsContinued": True}, events

    def _moved_back(self, move: Callable[[], bool], reason: str) -> Answer:
        move()
        self._looked_into.clear()
        at_start = self._run.at == 0 and self._run.hit() is None
        return {}, [_stopped("entry" if at_start else reason, way=self._run.way)]

    # ------------------------------------------------------------ messages

    def _numbered(self, message: JsonObject) -> JsonObject:
        self._number += 1
        return {**message, "seq": self._number}

    def _response(self, request: JsonObject, body: JsonObject, *, success: bool) -> JsonObject:
        number, command = request.get("seq"), request.get("command")
        return self._numbered(
            {
                "type": "response",
                "request_seq": number if isinstance(number, int) else 0,
                "command": command if isinstance(command, str) else "",
                "success": success,
                "body": body,
            }
        )


def _event(name: str, body: JsonObject) -> JsonObject:
    return {"type": "event", "event": name, "body": body}


def _stopped(reason: str, description: str = "", way: int = 0) -> JsonObject:
    body: JsonObject = {"reason": reason, "threadId": way + 1, "allThreadsStopped": True}
    if description:
        body |= {"description": description, "text": description}
    return _event("stopped", body)


def _may_be_at(point: Breakpoint, frame: Frame) -> bool:
    if point.method:
        return frame.method == point.method
    return frame.span.line == point.line and point.file in ("", str(frame.span.file.path))


def _objects(arguments: JsonObject, name: str) -> list[JsonObject]:
    found = arguments.get(name, [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise BadRequest(f'"{name}" is a list of objects')
    return [dict(one) for one in found if isinstance(one, dict)]


def _number(arguments: JsonObject, name: str) -> int:
    found = arguments.get(name)
    if not isinstance(found, int):
        raise BadRequest(f'"{name}" is a number')
    return found


def _word(arguments: JsonObject, name: str) -> str:
    found = arguments.get(name)
    if not isinstance(found, str):
        raise BadRequest(f'"{name}" is a text')
    return found


def _condition(arguments: JsonObject) -> str:
    found = arguments.get("condition")
    return found.strip() if isinstance(found, str) else ""
