"""The process behind a page: requests on standard input, answers on standard output, line by line.

The first answer to a request says that it has begun, so that loading takes no time of the request,
the last one whether the process is `spent`: fit for no other one. It is killed when the page wants
something else while it is at work. What it has not said then was not found out.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TextIO

from pitviper.base.deep_stack import is_work_left_behind
from pitviper.base.memory import limit_memory
from pitviper.base.record import struct
from pitviper.base.usage_error import UsageError
from pitviper.checking.imports import LIBRARY
from pitviper.servers.web.messages import Data
from pitviper.servers.web.settings import MEMORY
from pitviper.source.reading import confine_imports

Say = Callable[[Data], None]

ANSWERED_IN = {
    "check": "editing",
    "hover": "editing",
    "complete": "editing",
    "format": "editing",
    "verify": "proving",
    "emit": "raw",
    "record": "looking",
    "steps": "looking",
    "state": "looking",
    "path": "looking",
    "instance": "looking",
    "alloy": "looking",
    "command": "looking",
    "explore": "exploring",
    "replay": "exploring",
    "watch": "exploring",
}
"""The module with a function of the request's name: session, request, voice in, last answer out."""

OPENING = ("emit", "instance", "alloy", "command")
"""Requests that may leave a solver open."""

WARM = ("editing", "proving", "looking")
"""Loaded before the first request comes."""


@struct
class Session:
    """What a process remembers between requests; each module keeps its own things in `kept`."""

    folder: Path
    kept: dict[str, object]
    has_opened: bool = False
    """Whether solvers may be open that nobody closes before the process ends."""

    def path_of(self, request: Data) -> Path:
        """Returns where the text of a request stands, for its imports and messages."""
        return self.folder / (str(request.get("path") or "") or "untitled.vpr")


def main() -> None:
    """Answers requests until standard input ends."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print is no answer
    folder = Path(sys.argv[1]).resolve()
    limit_memory(MEMORY)
    confine_imports((folder, LIBRARY))
    for name in WARM:
        import_module(f"pitviper.servers.web.{name}")
    session = Session(folder, {})
    for line in sys.stdin:
        _serve(session, json.loads(line), out)


def _serve(session: Session, request: Data, out: TextIO) -> None:
    """Answers one request; what went wrong is an answer, too."""

    def say(data: Data) -> None:
        out.write(json.dumps({"id": request["id"], **data}) + "\n")
        out.flush()

    try:
        kind = str(request["kind"])
        module = import_module(f"pitviper.servers.web.{ANSWERED_IN[kind]}")
        say({"kind": "begun"})
        session.has_opened |= kind in OPENING
        done = getattr(module, kind)(session, request, say)
        say({**done, "kind": "done", "spent": _is_spent(session)})
    except UsageError as error:
        say({"kind": "failed", "message": str(error), "spent": _is_spent(session)})
    except Exception as error:  # a bug of ours costs one answer, not the session
        said = f"internal error of Pitviper: {type(error).__name__}: {error}"
        trace = traceback.format_exc()
        say({"kind": "failed", "message": said, "trace": trace, "spent": True})


def _is_spent(session: Session) -> bool:
    return session.has_opened or is_work_left_behind()


if __name__ == "__main__":
    main()
