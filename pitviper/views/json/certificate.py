"""What speaks for each member, as JSON objects."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.results.certificate import Certification, MemberCertificate
from pitviper.views.json.lines import JsonObject


def certificate_objects(done: Certification) -> Iterator[JsonObject]:
    """An object for each member, then one for the file."""
    for member in done.members:
        yield _member(member, str(done.file))
    yield {
        "kind": "certification",
        "file": str(done.file),
        "certified": done.certified,
        "members": len(done.members),
        "rejected": list(done.rejected),
        "seconds": round(done.seconds, 3),
    }


def _member(member: MemberCertificate, file: str) -> JsonObject:
    queries, runs = member.queries, member.runs
    return {
        "kind": "certificate",
        "file": file,
        "member": member.name,
        "certified": member.certified,
        "symbolic": member.symbolic.value,
        "vcg": member.vcg.value,
        "queries": {"z3": queries.z3, "cvc5": queries.cvc5, "missed": queries.missed},
        "runs": {
            "count": runs.count,
            "failing": list(runs.failing),
            "complete": runs.complete,
            "why_none": runs.why_none,
        },
        "reasons": list(member.reasons),
    }
