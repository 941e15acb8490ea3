"""What is known about a member or a file after a run."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """UNDECIDED is never shown or counted as VERIFIED."""

    VERIFIED = "verified"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    REJECTED = "rejected"  # the front end did not accept the program
