"""The process beside the editor that verifies one text: a request in, a line for each event out.

It is killed when the text changes. What it has not said when it ends was not found out.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.driver.cache.edits import EditCache
from pitviper.driver.cache.folder import CacheFolder
from pitviper.driver.cache.outline import states_of
from pitviper.driver.front.frontend import FrontEnd, load
from pitviper.driver.verify.curing import cured_later
from pitviper.driver.verify.options import RunOptions
from pitviper.driver.verify.verify import (
    ProgramOutcome,
    Verifier,
    open_verifier,
    verification_report,
)
from pitviper.results.report import problems_of_outcome
from pitviper.results.verdict import MemberOutcome
from pitviper.servers.lsp.protocol.problems import Data, place_data, problem_data
from pitviper.servers.work.choices import chosen_options, open_imports
from pitviper.source.reading import Decoded, decode, unsaved


def main() -> None:
    """Reads one request from standard input and answers it on standard output."""
    request = json.loads(sys.stdin.readline())
    try:
        with unsaved(open_imports(request)):
            _verify(request)
    except UsageError as error:
        _say({"kind": "failed", "message": str(error)})


def _verify(request: dict[str, object]) -> None:
    cache = request.get("cache")
    options = chosen_options(request)
    how = RunOptions(jobs=os.cpu_count() or 1, cache=Path(str(cache)) if cache else None)
    path, text = Path(str(request["path"])), str(request["text"])
    decoded = decode(path, text.encode("utf-8", errors="surrogatepass"))
    teller = _Teller()
    with open_verifier(options, watch=teller, how=how) as verifier:
        if how.cache is None or options.select or options.infer_ghost:
            done = verifier.verify(_told(verifier.read(decoded)))
        else:
            edits = EditCache(CacheFolder(how.cache), options, ())
            done = _verify_edited(decoded, verifier, edits)
    if request.get("cures") and any(outcome.findings for outcome in done.members.values()):
        for outcome in cured_later(load(decoded), options, done.members.values()):
            teller.finished(outcome)
    _say({"kind": "done", "verdict": done.verdict.value})


def _verify_edited(decoded: Decoded, verifier: Verifier, edits: EditCache) -> ProgramOutcome:
    """Where the text is known but for an edit, only what this concerns is read and verified."""
    edit = edits.find(decoded)
    front = None if edit is None else verifier.read_edit(edit)
    done = None
    if edit is not None and front is not None:
        done = verifier.verify_edit(_told(front), edit, lambda: None)
    if done is None:
        edit, done = None, verifier.verify(_told(verifier.read(decoded)))
    edits.save(done, verification_report(decoded.source.path, done, 0.0), edit)
    return done


def _told(front: FrontEnd) -> FrontEnd:
    """Says which imported files were read: another process may have changed them meanwhile."""
    _say({"kind": "read", "imports": states_of(front.imports)})
    return front


class _Teller:
    """Says what is known of each member as soon as it is."""

    def started(self, member: str, done: int, total: int) -> None:
        _say({"kind": "started", "member": member, "done": done, "total": total})

    def finished(self, outcome: MemberOutcome) -> None:
        _say(
            {
                "kind": "member",
                "member": outcome.name,
                "verdict": outcome.verdict.value,
                "seconds": round(outcome.seconds, 3),
                "remembered": outcome.remembered,
                "problems": [problem_data(problem) for problem in problems_of_outcome(outcome)],
                "undecided": [
                    {"place": place_data(point.span), "message": point.message}
                    for point in outcome.undecided
                ],
                "crash": None if outcome.crash is None else outcome.crash.said,
                "inferred": [
                    {"text": step.written, "where": step.where, "place": place_data(step.span)}
                    for step in outcome.inferred
                ],
            }
        )


def _say(data: Data) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
