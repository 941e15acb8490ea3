"""The process beside the editor that knows symbolic states: places in, the states there out.

It reads one request a line and answers each with a line, in their order. What it has recorded of a
member is kept as long as the text is the same, for the members that were asked for last.
"""

from __future__ import annotations

import json
import sys
from collections import OrderedDict
from typing import TextIO

from pitviper.driver.cache.outline import read_now, states_of
from pitviper.driver.debug.cursor import MemberRecord, record_member
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import member_at
from pitviper.servers.work.choices import open_imports
from pitviper.source.reading import unsaved
from pitviper.views.json.cursor import change_object, states_object
from pitviper.views.json.lines import JsonObject

MOST_RECORDS = 12

WARM_UP = """field value: Int
predicate cell(x: Ref) { acc(x.value) }
method set(x: Ref)
  requires cell(x)
{
  unfold cell(x)
  x.value := 1
}
"""
"""A program that is recorded before the first request: what is done first takes longer."""


class Recordings:
    """Answers requests; `text` is the last program that was asked about."""

    def __init__(self) -> None:
        self._front: FrontEnd | None = None
        self._records: OrderedDict[str, MemberRecord | None] = OrderedDict()

    def answer(self, request: dict[str, object]) -> JsonObject:
        """Returns the states at an offset of a text, or why there are none.

        With `changes`, what statements of the member there bring and take.
        """
        with unsaved(open_imports(request)):
            front = self._read(str(request["text"]), str(request["path"]))
        given = request["offset"]
        offset = given if isinstance(given, int) else 0
        name = member_at(front, offset)
        if front.program is None or name is None:
            why = "the program has errors" if front.program is None else "no member stands here"
            return {"member": name, "reason": why, "omitted": 0, "states": []}
        timeout = request.get("timeout")
        seconds = float(timeout) if isinstance(timeout, int | float) else None
        record = self._record(front, name, VerifyOptions(timeout=seconds))
        if record is None:
            return {
                "member": name,
                "reason": "nothing is verified here",
                "omitted": 0,
                "states": [],
            }
        if request.get("changes"):
            return {"changes": [change_object(change) for change in record.changes()]}
        return states_object(record.at(offset))

    def _read(self, text: str, path: str) -> FrontEnd:
        known = self._front
        if (
            known is None
            or known.source.text != text
            or str(known.source.path) != path
            or states_of(known.imports) != states_of(read_now(known.imports))
        ):
            self._records.clear()
            known = self._front = load_text(text, path)
        return known

    def _record(self, front: FrontEnd, name: str, options: VerifyOptions) -> MemberRecord | None:
        if name not in self._records:
            self._records[name] = record_member(front, name, options)
        self._records.move_to_end(name)
        while len(self._records) > MOST_RECORDS:
            self._records.popitem(last=False)
        return self._records[name]


def main(requests: TextIO = sys.stdin, answers: TextIO = sys.stdout) -> None:
    """Answers until there is no further request."""
    Recordings().answer({"text": WARM_UP, "path": "warm_up.vpr", "offset": WARM_UP.index(":=")})
    recordings = Recordings()
    for line in requests:
        request = json.loads(line)
        found = recordings.answer(request)
        answers.write(json.dumps({"id": request["id"], "result": found}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
