"""What a search for mistakes of ours has found, for programs."""

from __future__ import annotations

from pitviper.results.fuzzing import Contradiction, Fuzzed
from pitviper.views.json.lines import JsonObject


def contradiction_object(found: Contradiction) -> JsonObject:
    return {
        "kind": "contradiction",
        "contradiction": found.kind.value,
        "said": found.said,
        "case": found.case,
        "origin": found.origin,
        "program": found.text,
    }


def fuzzed_object(done: Fuzzed) -> JsonObject:
    return {
        "kind": "fuzzed",
        "seed": done.seed,
        "cases": done.cases,
        "programs": dict(done.programs),
        "oracles": dict(done.oracles),
        "verdicts": dict(done.verdicts),
        "contradictions": len(done.contradictions),
        "certain": len(done.certain),
        "late": list(done.late),
        "seconds": round(done.seconds, 3),
    }
