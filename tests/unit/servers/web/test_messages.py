"""Messages of a page are read by their kinds; everything else is refused with a word."""

from __future__ import annotations

import json

import pytest

from pitviper.servers.web.messages import KINDS, Refused, Request, Room, read_message
from pitviper.servers.web.settings import LARGEST_TEXT
from pitviper.servers.web.worker import ANSWERED_IN


def test_a_request_has_the_fields_of_its_kind() -> None:
    found = read_message('{"id": 3, "kind": "check", "text": "field f: Int", "path": "a.vpr"}')
    assert found == Request(3, "check", {"text": "field f: Int", "path": "a.vpr"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[1]", "no object"),
        ('{"kind": "hello"}', "no id"),
        ('{"id": true, "kind": "hello"}', "no id"),
        ('{"id": 1, "kind": "rm"}', "no request"),
        ('{"id": 1, "kind": "hello", "more": 1}', "no field"),
        ('{"id": 1, "kind": "check", "text": 5, "path": ""}', "`text` is no text"),
        ('{"id": 1, "kind": "steps"}', "`member` is no text"),
        ('{"id": 1, "kind": "state", "member": "m", "step": -1}', "`step` is no number"),
        ('{"id": 1, "kind": "state", "member": "m", "step": 1e99}', "`step` is no number"),
    ],
)
def test_what_is_no_request_is_refused(text: str, said: str) -> None:
    found = read_message(text)
    assert isinstance(found, Refused)
    assert said in found.message


def test_texts_and_lists_have_a_largest_size() -> None:
    large = {"id": 1, "kind": "check", "text": "x" * (LARGEST_TEXT + 1), "path": ""}
    assert isinstance(read_message(json.dumps(large)), Refused)
    many = {
        "id": 1,
        "kind": "instance",
        "member": "m",
        "number": 0,
        "objects": 6,
        "where": ["true"] * 50,
        "folded": [],
    }
    assert isinstance(read_message(json.dumps(many)), Refused)


def test_every_kind_has_somebody_who_answers_it() -> None:
    at_workers = {kind for kind, how in KINDS.items() if how.room is not Room.DESK}
    assert at_workers == set(ANSWERED_IN)
