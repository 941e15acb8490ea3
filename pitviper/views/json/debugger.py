"""Answers of the debugger as JSON lines."""

from __future__ import annotations

import json

from pitviper.base.record import names_of
from pitviper.results.debugging import Reply
from pitviper.views.json.lines import parts_of


def reply_json(command: str, reply: Reply) -> str:
    """One object: `kind` is `debug`, `answer` the kind of answer, the rest its parts."""
    head = {"kind": "debug", "command": command, "answer": type(reply).__name__}
    return json.dumps({**head, **parts_of(reply, *names_of(reply))}, ensure_ascii=False)
