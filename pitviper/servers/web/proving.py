"""Verifies a text for a page: an event for each member as soon as it is known."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from pitviper.base.record import record
from pitviper.base.usage_error import UsageError
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.verify import emission
from pitviper.driver.verify.completion import completed
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.profiling import Profiler
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.report import problem_of_diagnostic, problems_of_outcome
from pitviper.results.verdict import MemberOutcome
from pitviper.servers.web.messages import Data
from pitviper.servers.web.plain import Plainly
from pitviper.servers.web.worker import Say, Session
from pitviper.views.terminal.profile import profile_text


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
    with open_verifier(options, watch=_Teller(say, plainly), how=how) as verifier:
        front = verifier.read_text(str(request["text"]), str(path))
        done = verifier.verify(front)
    rejected = [problem_of_diagnostic(d) for d in done.rejected]
    return {
        "verdict": done.verdict.value,
        "seconds": round(time.monotonic() - start, 3),
        "problems": [plainly.problem(problem) for problem in rejected],
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


# ---------------------------------------------------------------- what is behind it


def emit(session: Session, request: Data, _: Say) -> Data:
    """A text in another form: questions to the solver, the second verifier, costs."""
    path, form = session.path_of(request), str(request["form"])
    front = completed(load_text(str(request["text"]), str(path)))
    if front.program is None:
        raise UsageError("the program has errors")
    match form:
        case "smt":
            return {"text": _questions(front)}
        case "profile":
            return {"text": _profile(front)}
        case "ivl" | "boogie":
            emitted = emission.emit(front.program, VerifyOptions())
            if emitted.rejected:
                raise UsageError(emitted.rejected[0].message)
            if form == "ivl":
                return {"text": emission.as_text(emitted.program)}
            return {"text": emission.as_boogie(emitted.program).text}
        case _:
            raise UsageError(f"there is no form {form!r}")


def _questions(front: FrontEnd) -> str:
    """All that the solver is told and asked, as it would read it from a file."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log.smt2")
        with open_verifier(VerifyOptions(solver_log=log)) as verifier:
            verifier.verify(front)
        return log.read_text(encoding="utf-8", errors="replace")


def _profile(front: FrontEnd) -> str:
    profiler = Profiler()
    with open_verifier(VerifyOptions(), how=RunOptions(profiler=profiler)) as verifier:
        verifier.verify(front)
    return profile_text(profiler.members, front.source)
