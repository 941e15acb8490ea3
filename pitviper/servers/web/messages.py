"""What a page may ask: each kind of request with its fields, and who answers it.

A message is one JSON object with `id`, `kind` and the fields of its kind. Answers carry the `id`;
the last one is `done` or `failed`, those before it have other kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from pitviper.base.json_text import read_json
from pitviper.base.record import record
from pitviper.servers.web.settings import LARGEST_TEXT

Data: TypeAlias = "dict[str, object]"
"""A JSON object."""

MOST_CONSTRAINTS = 20
LONGEST_LINE = 10_000
NUMBERS = 2**31


class Room(Enum):
    """Who answers: the server itself, or a process; each room works on one request at a time."""

    DESK = "desk"
    EDIT = "edit"
    VERIFY = "verify"
    LOOK = "look"
    EXPLORE = "explore"


@record
class Kind:
    """A `fresh` request ends what its room is doing: it is about another text."""

    room: Room
    fields: Mapping[str, str]
    fresh: bool = False


_TEXT = {"text": "text", "path": "line"}
_PLACE = {"line": "number", "character": "number"}
_STEP = {"member": "line", "step": "number"}

KINDS: Mapping[str, Kind] = {
    "hello": Kind(Room.DESK, {}),
    "open": Kind(Room.DESK, {"path": "line"}),
    "save": Kind(Room.DESK, {"path": "line", "text": "text", "known": "line?"}),
    "example": Kind(Room.DESK, {"name": "line"}),
    "cancel": Kind(Room.DESK, {"of": "number"}),
    "check": Kind(Room.EDIT, _TEXT),
    "hover": Kind(Room.EDIT, {**_TEXT, **_PLACE}),
    "complete": Kind(Room.EDIT, {**_TEXT, **_PLACE}),
    "format": Kind(Room.EDIT, _TEXT),
    "verify": Kind(Room.VERIFY, {**_TEXT, "backend": "line?"}, fresh=True),
    "record": Kind(Room.LOOK, _TEXT, fresh=True),
    "steps": Kind(Room.LOOK, {"member": "line"}),
    "state": Kind(Room.LOOK, _STEP),
    "path": Kind(Room.LOOK, {"member": "line", "failure": "number"}),
    "instance": Kind(
        Room.LOOK,
        {
            "member": "line",
            "step": "number?",
            "failure": "number?",
            "number": "number",
            "objects": "number",
            "where": "lines",
            "folded": "lines",
        },
    ),
    "alloy": Kind(Room.LOOK, {"member": "line", "step": "number?", "failure": "number?"}),
    "command": Kind(Room.LOOK, {"line": "line"}),
    "emit": Kind(Room.LOOK, {"form": "line"}),
    "explore": Kind(Room.EXPLORE, _TEXT, fresh=True),
    "replay": Kind(Room.EXPLORE, {"test": "number"}),
    "watch": Kind(Room.EXPLORE, {"step": "number", "expression": "line"}),
}


@record
class Request:
    id: int
    kind: str
    data: Data

    @property
    def how(self) -> Kind:
        return KINDS[self.kind]


@record
class Refused:
    """A message that is none of ours; `id` is -1 where it has none."""

    id: int
    message: str


def read_message(text: str) -> Request | Refused:
    """Returns the request that a message stands for; fields that no kind has are refused."""
    try:
        value = read_json(text)
    except ValueError:
        return Refused(-1, "the message is no JSON")
    if not isinstance(value, dict):
        return Refused(-1, "the message is no object")
    number, kind = value.pop("id", None), value.pop("kind", None)
    if not _is_number(number):
        return Refused(-1, "the message has no id")
    if not isinstance(kind, str) or kind not in KINDS:
        return Refused(number, f"there is no request {str(kind)[:40]!r}")
    fields = KINDS[kind].fields
    for name in value.keys() - fields.keys():
        return Refused(number, f"{kind} has no field {name[:40]!r}")
    for name, form in fields.items():
        wrong = _wrong(value.get(name), form)
        if wrong is not None:
            return Refused(number, f"{kind}: `{name}` {wrong}")
    return Request(number, kind, value)


def _wrong(value: object, form: str) -> str | None:
    """Returns what is wrong with the value of a field."""
    if form.endswith("?"):
        return None if value is None else _wrong(value, form[:-1])
    if form == "number":
        return None if _is_number(value) else "is no number"
    if form == "lines":
        if not isinstance(value, list) or len(value) > MOST_CONSTRAINTS:
            return f"is no list of at most {MOST_CONSTRAINTS} lines"
        return next((why for item in value if (why := _wrong(item, "line"))), None)
    if not isinstance(value, str):
        return "is no text"
    if len(value) > (LARGEST_TEXT if form == "text" else LONGEST_LINE):
        return "is too long"
    return None


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < NUMBERS
