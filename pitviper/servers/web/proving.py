"""Verifies a text for a page: an event for each member as soon as it is known."""

from __future__ import annotations

import os
import time

from pitviper.base.record import record, replace
from pitviper.base.usage_error import UsageError
from pitviper.driver.verify.curing import cured_later
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.report import problem_of_diagnostic, problems_of_outcome
from pitviper.results.verdict import MemberOutcome
from pitviper.servers.web.messages import Data
from pitviper.servers.web.plain import Plainly
from pitviper.servers.web.worker import Say, Session
from pitviper.servers.work.imports import stamps_as_read


def verify(session: Session, request: Data, say: Say) -> Data:
    """The verdict about a text; only `verified` is success."""
    path, seconds = session.path_of(request), request.get("seconds")
    plainly = Plainly(path)
    options = VerifyOptions(
        backend=str(request.get("backend") or "symbolic"),
        timeout=seconds - 1 if isinstance(seconds, int | float) and seconds > 2 else None,
    )
    how = RunOptions(jobs=os.cpu_count() or 1)
    start = time.monotonic()
    teller = _Teller(say, plainly)
    with open_verifier(options, watch=teller, how=how) as verifier:
        front = verifier.read_text(str(request["text"]), str(path))
        done = verifier.verify(front)
    passed = time.monotonic() - start
    if seconds is None or (isinstance(seconds, int | float) and passed < seconds / 2):
        for outcome in cured_later(front, replace(options, timeout=None), done.members.values()):
            teller.finished(outcome)
    stamps = stamps_as_read(front.imports)
    if stamps is None:
        raise UsageError("not verified: an imported file has changed meanwhile")
    rejected = [problem_of_diagnostic(d) for d in done.rejected]
    return {
        "verdict": done.verdict.value,
        "seconds": round(passed, 3),
        "problems": [plainly.problem(problem) for problem in rejected],
        "imports": [[str(path), stamp] for path, stamp in stamps.items()],
    }


@record
class _Teller:
    say: Say
    plainly: Plainly

    def started(self, member: str, done: int, total: int) -> None:
        self.say({"kind": "started", "member": member, "of": [done, total]})

    def finished(self, outcome: MemberOutcome) -> None:
        plainly = self.plainly
        self.say(
            {
                "kind": "member",
                "member": outcome.name,
                "declared": outcome.kind,
                "verdict": outcome.verdict.value,
                "seconds": round(outcome.seconds, 3),
                "problems": [plainly.problem(p) for p in problems_of_outcome(outcome)],
                "undecided": [
                    {"place": plainly.place(point.span), "text": point.message}
                    for point in outcome.undecided
                ],
                "crash": None if outcome.crash is None else outcome.crash.said,
            }
        )
