"""The process of one job: a request on standard input, the messages of its streams on output.

Lines say which stream they belong to. What a process has not said when it ends was not found out:
only the message `overall` says how a program fares, and it is the last one.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from pitviper.base.usage_error import UsageError
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.verify import diagnosed, open_verifier
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.servers.viper import messages
from pitviper.servers.work.choices import chosen_options
from pitviper.source.diagnostic import Severity
from pitviper.version import VERSION
from pitviper.views.json.lines import Json, JsonObject

AST, VERIFY = "ast", "verify"


def main() -> None:
    """Reads one request and answers it."""
    request = json.loads(sys.stdin.readline())
    try:
        _verify(request)
    except UsageError as error:
        _say(VERIFY, messages.exception_report(str(error)))


def _verify(request: dict[str, object]) -> None:
    options, how = _options(request)
    verifier_name = str(request["verifier"])
    started = time.monotonic()
    teller = _Teller(verifier_name)
    with open_verifier(options, watch=teller, how=how) as verifier:
        front = verifier.read(Path(str(request["file"])))
        for message in messages.construction(front, _since(started)):
            _say(AST, message)
        if front.program is None:
            return
        teller.entities = messages.entities(front)
        _say(VERIFY, messages.message("copyright_report", {"text": f"Pitviper {VERSION}"}))
        solver: JsonObject = {"text": "Using Z3 as a library"}
        _say(VERIFY, messages.message("configuration_confirmation", solver))
        _say(VERIFY, messages.statistics(front.program))
        done = verifier.verify(front)
    errors = [error for outcome in done.members.values() for error in teller.errors(outcome)]
    for problem in diagnosed(front, done.rejected):
        if problem.severity is Severity.ERROR:
            errors.append(messages.front_error(problem))
    if done.verdict is not Verdict.VERIFIED and not errors:
        errors.append({"tag": "undecided", "text": "not verified", "position": "<no position>"})
    end = "verification_termination_message"
    _say(VERIFY, messages.message(end, {"msg": end}))
    _say(VERIFY, messages.overall(verifier_name, _since(started), errors))


def _options(request: dict[str, object]) -> tuple[VerifyOptions, RunOptions]:
    cache, jobs = request.get("cache"), request.get("jobs")
    folder = Path(str(cache)) if cache else None
    return chosen_options(request), RunOptions(
        jobs=jobs if isinstance(jobs, int) else 1, cache=folder
    )


class _Teller:
    """Says what is known of each member as soon as it is."""

    def __init__(self, verifier: str) -> None:
        self._verifier = verifier
        self.entities: dict[str, JsonObject] = {}

    def started(self, member: str, done: int, total: int) -> None:
        """Nothing is said about members that are not done."""

    def finished(self, outcome: MemberOutcome) -> None:
        missing: JsonObject = {
            "type": outcome.kind,
            "name": outcome.name,
            "position": messages.position(None),
        }
        entity = self.entities.get(outcome.name, missing)
        _say(VERIFY, messages.for_entity(self._verifier, entity, outcome))

    def errors(self, outcome: MemberOutcome) -> list[Json]:
        return messages.outcome_errors(outcome)


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


def _say(stream: str, message: JsonObject) -> None:
    sys.stdout.write(json.dumps({"stream": stream, "message": message}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
