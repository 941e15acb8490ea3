"""Results through JSON and back; nothing else is stored or read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.driver.cache.edits import EditCache
from pitviper.driver.cache.files import FileCache
from pitviper.driver.cache.folder import CacheFolder
from pitviper.driver.cache.serialise import Json, NotStorable, Unreadable, from_json, to_json
from pitviper.driver.verify.options import VerifyOptions
from pitviper.results.finding import Condition, Event, Finding
from pitviper.results.ghost import GhostStep, Position
from pitviper.results.verdict import MemberAnswer, Verdict
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.reading import decode
from pitviper.source.span import SourceFile, Span

FILE = SourceFile(Path("a.vpr"), "method m() { assert false }")
SPAN = Span(FILE, 20, 25)


def write(span: Span) -> Json:
    return [span.start, span.end]


def read(data: Json) -> Span:
    match data:
        case [int(start), int(end)]:
            return Span(FILE, start, end)
    raise Unreadable("no place")


def test_everything_that_a_part_can_hold() -> None:
    finding = Finding(
        "assert.failed", "assertion.false", SPAN, "m", "Assert might fail. ü", SPAN, ("p", "3"),
        (Condition("x > 0", SPAN, True, None),), 2, (Event("exhaled", SPAN),), ("acc(x.f)",),
    )  # fmt: skip
    warning = Diagnostic("w", Severity.WARNING, SPAN, "?", (Related(SPAN, "here"),), "help")
    step = GhostStep("fold p(x)", SPAN, Position.END_OF_LOOP, sometimes=True)
    part = MemberAnswer((finding,), (), (warning,), None, 0.25, (step,))
    data = json.loads(json.dumps(to_json(part, write)))
    assert from_json(data, read) == part


@pytest.mark.parametrize("value", [None, True, 3, 0.5, "x", (), ((1,), "a"), Verdict.REFUTED])
def test_plain_values(value: object) -> None:
    assert from_json(json.loads(json.dumps(to_json(value, write))), read) == value


def test_paths_and_tables() -> None:
    value = {"a": Verdict.VERIFIED, "b": Path("x/y.vpr")}
    assert from_json(to_json(value, write), read) == value


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", FILE, [1]])
def test_what_is_no_result_is_not_stored(value: object) -> None:
    with pytest.raises(NotStorable):
        to_json(value, write)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "Popen", "args": ["rm"]}',
        '{"a": "Finding"}',
        '{"a": "Event", "text": "x", "span": {"at": [1, 2]}, "more": 1}',
        '{"of": "Verdict", "name": "PERHAPS"}',
        '{"of": "SortKind", "name": "INT"}',
        '{"map": [3]}',
        '{"at": "here"}',
        "{}",
    ],
)
def test_other_data_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        from_json(json.loads(text), read)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "[1, 2, 3, 4]",
        '["", [], [], {"a": "FileReport"}]',
        '["", [], [], {"a": "FileReport", "file": 1, "verdict": 2, "problems": 3}]',
        '["", [], [], {"a": "Problem"}]',
        "{}",
        "null",
    ],
)
def test_crafted_entries_are_absence(text: str, tmp_path: Path) -> None:
    folder = CacheFolder(tmp_path)
    cache = FileCache(folder, VerifyOptions(), ())
    edits = EditCache(folder, VerifyOptions(), ())
    decoded = decode(Path("a.vpr"), b"method m() {}")
    folder.write(cache._key(decoded.source), text)
    folder.write(edits._key(decoded.source.path), text)
    assert cache.find(decoded) is None
    assert edits.find(decoded) is None
