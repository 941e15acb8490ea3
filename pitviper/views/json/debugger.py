"""Answers of the debugger as JSON lines."""

from __future__ import annotations

import json
from enum import Enum

from pitviper.base.record import is_record, names_of
from pitviper.results.debugging import Reply
from pitviper.source.span import Span


def reply_json(command: str, reply: Reply) -> str:
    """One object: `kind` is `debug`, `answer` the kind of answer, the rest its parts."""
    body = _plain(reply)
    assert isinstance(body, dict)
    head = {"kind": "debug", "command": command, "answer": type(reply).__name__}
    return json.dumps({**head, **body}, ensure_ascii=False)


def _plain(value: object) -> object:
    if isinstance(value, Span):
        return {
            "file": str(value.file.path),
            "start": list(value.start_position),
            "end": list(value.end_position),
        }
    if isinstance(value, Enum):
        return value.value
    if is_record(value):
        return {name: _plain(getattr(value, name)) for name in names_of(value)}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value
