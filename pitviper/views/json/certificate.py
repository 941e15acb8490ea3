"""What speaks for each member, as JSON objects."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.results.certificate import Certification, MemberCertificate
from pitviper.views.json.lines import JsonObject, parts_of


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
    judged = parts_of(member, "certified", "symbolic", "vcg", "queries", "runs", "reasons")
    return {"kind": "certificate", "file": file, "member": member.name, **judged}
