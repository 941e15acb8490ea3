"""Remarks of a run that several layers know: what makes a failure doubtful, what a proof lacks."""

from __future__ import annotations

GUESSED = "a quantifier over infinitely many values was decided by one of them"
"""What follows may have no input: other values may decide otherwise."""

UNSURE = "the solver could not say whether quantifiers have a model with these values"

INVARIANT = "a loop was replaced by its invariant"

UNFIT = "the left-hand state of a package does not fit what is held outside of it"
UNMET = "a package was left without a left-hand state"
LOOKED = "perm was looked at after a package that depends on its left-hand side"
VAGUE = "perm was looked at after a package without a left-hand state"

OLDER = "a new object was the value of a function that was looked at before"
"""Nothing says that it is not; but who has run the program may know better."""

FAILS_WHERE_USED = "fails where it is used, and nobody knows what comes after that"
"""Behind the name of a callee, function or predicate: a run that fails in it ends there."""

IMPOSSIBLE = "a check fails for predicate instances or sets that cannot exist"
UNFILLED = "not all predicate instances and sets of the input could be filled in"

PACKED = "more of a location is held than there is beside what a package took"
"""What a package takes is the choice of whoever runs it; a verifier may take less."""

DOUBTS = (
    INVARIANT,
    GUESSED,
    UNSURE,
    "depends on the contents",
    "was left out",
    "without its invariant",
    "were not compared",
    UNFIT,
    UNMET,
    LOOKED,
    UNFILLED,
    VAGUE,
    OLDER,
    PACKED,
)
"""Notes of a run that make a failure doubtful."""

HARMLESS = (INVARIANT, GUESSED, UNSURE, UNFIT, UNMET, LOOKED, UNFILLED, OLDER, PACKED)
"""Notes of runs that did more than the program can: if they pass, nothing is left open."""
