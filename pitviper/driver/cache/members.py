"""Answers about members that earlier runs have found."""

from __future__ import annotations

import json
from collections.abc import Callable

from pitviper.base.record import replace
from pitviper.driver.cache.folder import CacheFolder
from pitviper.driver.cache.key import MemberKey, ProgramKeys
from pitviper.driver.cache.serialise import NotStorable, Unreadable, from_json, to_json
from pitviper.results.finding import Finding
from pitviper.results.verdict import MemberAnswer


class MemberCache:
    """Of one program. Only answers are remembered, never what was left open."""

    def __init__(self, folder: CacheFolder, keys: ProgramKeys) -> None:
        self._folder = folder
        self._keys = keys
        self._known: dict[str, MemberKey] = {}

    def find(self, member: str) -> tuple[MemberAnswer, str | None] | None:
        """The answer, and what others may know about the member; None if there is none."""
        key = self._key(member)
        text = self._folder.read(key.text)
        if text is None:
            return None
        try:
            return _read(text, key)
        except (Unreadable, ValueError):
            self._folder.forget(key.text)
            return None

    def save(self, member: str, answer: MemberAnswer, earned: str | None) -> None:
        if answer.undecided or answer.crash is not None:
            return
        key = self._key(member)
        try:
            written = _with_origins(answer, lambda origin: (str(key.write_origin(origin)),))
            data = [to_json(replace(written, seconds=0.0), key.write_span), earned]
        except NotStorable:
            return
        self._folder.write(key.text, json.dumps(data, separators=(",", ":")))

    def _key(self, member: str) -> MemberKey:
        found = self._known.get(member)
        if found is None:
            found = self._known[member] = self._keys.of(member)
        return found


def _read(text: str, key: MemberKey) -> tuple[MemberAnswer, str | None]:
    match json.loads(text):
        case [dict(data), None | str() as earned]:
            answer = from_json(data, key.read_span)
            if isinstance(answer, MemberAnswer):
                told = _with_origins(answer, lambda o: key.read_origin(int(o[0])))
                return replace(told, remembered=True), earned
    raise Unreadable("no answer")


Renumber = Callable[[tuple[str, ...]], tuple[str, ...]]


def _with_origins(answer: MemberAnswer, renumber: Renumber) -> MemberAnswer:
    def changed(finding: Finding) -> Finding:
        return replace(finding, origin=renumber(finding.origin)) if finding.origin else finding

    return replace(answer, findings=tuple([changed(finding) for finding in answer.findings]))
