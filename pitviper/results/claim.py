"""What exploration claims about a method: one word, the same in every view."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Claim(Enum):
    """FAILS: inputs make a check fail. PROVED: all inputs were run, whatever callees may do.

    HOLDS: all inputs were run with the bodies of callees or of recursive functions, so that it need
    not follow from their contracts; it is no proof in the sense of a verifier. OPEN: neither.
    """

    FAILS = "fails"
    PROVED = "proved"
    HOLDS = "holds"
    OPEN = "open"


WORST_FIRST = (Claim.FAILS, Claim.OPEN, Claim.HOLDS, Claim.PROVED)


def claim_of_all(claims: Iterable[Claim]) -> Claim:
    """The weakest of several; of none, nothing is known."""
    found = list(claims)
    return next((claim for claim in WORST_FIRST if claim in found), Claim.OPEN)
