"""What speaks for a verified member, from judges that do not know each other: plain data."""

from __future__ import annotations

from pathlib import Path

from pitviper.base.record import record
from pitviper.results.verdict import Verdict


@record
class Queries:
    """Questions that a proof rests on: those that Z3 with another seed proved again, those that
    only cvc5 did, and those that nobody did."""

    z3: int = 0
    cvc5: int = 0
    missed: int = 0

    @property
    def asked(self) -> int:
        return self.z3 + self.cvc5 + self.missed

    def __add__(self, other: Queries) -> Queries:
        return Queries(self.z3 + other.z3, self.cvc5 + other.cvc5, self.missed + other.missed)


@record
class Runs:
    """What exploration did with a member; `why_none` says why nothing was run, where it was not.

    `failing` says how runs fail, `complete` that every path was run.
    """

    count: int = 0
    failing: tuple[str, ...] = ()
    complete: bool = False
    why_none: str = ""


@record
class MemberCertificate:
    """A member is certified if all of it holds: both engines verify it, every question of both
    proofs was proved again, and no run fails. `reasons` say what does not hold."""

    name: str
    kind: str
    symbolic: Verdict
    vcg: Verdict
    queries: Queries
    runs: Runs
    reasons: tuple[str, ...] = ()

    @property
    def certified(self) -> bool:
        verified = self.symbolic is Verdict.VERIFIED and self.vcg is Verdict.VERIFIED
        return verified and not self.queries.missed and not self.runs.failing and not self.reasons


@record
class Certification:
    """What is known about a file; `rejected` are the messages of a front end that refused it."""

    file: Path
    members: tuple[MemberCertificate, ...] = ()
    rejected: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def certified(self) -> int:
        return sum(member.certified for member in self.members)

    @property
    def refuted(self) -> bool:
        """Whether somebody speaks against a member."""
        return bool(self.rejected) or any(
            Verdict.REFUTED in (member.symbolic, member.vcg) or member.runs.failing
            for member in self.members
        )
