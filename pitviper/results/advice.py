"""What to say beside a finding: what is wrong with the offending part, and what to do about it."""

from __future__ import annotations

from pitviper.results.finding import Finding

LONGEST_QUOTE = 60
"""Characters of the program that a piece of advice quotes; longer parts are only pointed at."""

_LABELS = {
    "assertion.false": "this might not hold",
    "insufficient.permission": "permission might be missing",
    "division.by.zero": "this might be zero",
    "negative.permission": "this might be negative",
    "permission.not.positive": "this might not be positive",
    "seq.index.negative": "this might be negative",
    "seq.index.length": "this might be too large",
    "map.key.contains": "this key might be absent",
    "wand.not.found": "this instance might not be held",
    "qp.not.injective": "two instances might be about one location",
    "labelled.state.not.reached": "the state might not exist here",
    "termination.condition.false": "this promise might not cover the call",
    "tuple.condition.false": "this measure might not apply",
    "tuple.false": "this measure",
}

_GIVEN_BACK = {
    "postcondition.violated": "the body has to leave this permission behind: is a `fold` missing, "
    "or was it used up by a call or an `exhale`?",
    "invariant.not.preserved": "each iteration has to leave this permission behind: is a `fold` "
    "missing, or was it used up by a call or an `exhale`?",
    "invariant.not.established": "the loop takes this permission along: it has to be there before "
    "the first iteration",
    "fold.failed": "a `fold` needs all that the body of the predicate holds",
    "unfold.failed": "the instance has to be held: is a `fold` missing, or was it unfolded before?",
}
"""Advice where permission is missing, by the construct that needs it."""

_CONTRACTS = ("not.wellformed", "function.not.wellformed", "predicate.not.wellformed")


def label_of(finding: Finding) -> str:
    """A few words for the place of the offending part."""
    return _LABELS.get(finding.reason, "this part")


def advice_for(finding: Finding) -> str | None:
    """What the user can do, where that is obvious."""
    part = _quote(finding)
    match finding.reason:
        case "insufficient.permission":
            return _permission_advice(finding.error, part)
        case "division.by.zero":
            return f"make sure that {part or 'the divisor'} is not 0, or test it before"
        case "seq.index.negative":
            return f"make sure that {part or 'the index'} is at least 0"
        case "seq.index.length":
            return f"make sure that {part or 'the index'} is less than the length of the sequence"
        case "map.key.contains":
            return f"make sure that {part or 'the key'} is in the domain of the map"
        case "qp.not.injective":
            return "say that different instances of the quantifier have different receivers"
        case "tuple.false":
            return "the measure has to get smaller with each call or iteration, and not below 0"
        case "assertion.false" if finding.error == "invariant.not.preserved":
            return "at the start of an iteration only the invariants are known: is one missing?"
        case _:
            return None


def _permission_advice(error: str, part: str | None) -> str | None:
    if error in _CONTRACTS:
        return f"the permission has to come first: put one to {part or 'the location'} before this"
    if error in _GIVEN_BACK:
        return _GIVEN_BACK[error]
    if error == "assignment.failed":
        return f"get permission to {part or 'the location'} before: full permission to write it"
    return None


def _quote(finding: Finding) -> str | None:
    """The text of the offending part in quotes; None where it is the whole, long or broken."""
    part = finding.offending
    if part is None or part == finding.span or "\n" in part.text:
        return None
    return f"`{part.text}`" if 0 < len(part.text) <= LONGEST_QUOTE else None
