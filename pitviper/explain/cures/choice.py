"""What is said where both advice and a cure are known: the cause by one, the edit by the other."""

from __future__ import annotations

from pitviper.explain.cures.edit import Candidate
from pitviper.results.finding import Finding


def chosen(
    finding: Finding, cure: Candidate, seen: str, *, verified: bool
) -> tuple[str, str | None]:
    """The advice to give, and a cause that is worth a note of its own.

    `seen` says what the cure does. Advice that knows the cause is kept where the cure is weak
    or does not mend all; if it names the same edit, that this was seen to work is added.
    """
    advice = finding.advice
    whole = cure.said if cure.assumes else f"{cure.said}; with that, {seen}"
    if advice is None:
        return whole, None
    if cure.weak or not verified:
        code = cure.edits[0].text.strip().rstrip(";")
        if not code and any(known.edits == cure.edits for known in finding.cures):
            return f"{advice}; with that, {seen}", None
        named = len(cure.edits) == 1 and len(code) > SHORTEST and f"`{code}`" in advice
        if named and not _takes_some_away(cure):
            return advice if cure.assumes else f"{advice}; with `{code}`, {seen}", None
        if (cure.weak and not verified) or not finding.general:
            return advice, None
    return whole, finding.cause


def _takes_some_away(cure: Candidate) -> bool:
    """Whether an edit writes a part of what it replaces: advice names that by accident."""
    edit = cure.edits[0]
    return edit.text.strip() in edit.span.text


SHORTEST = 4
"""Characters of code from which on it is no accident that advice mentions it."""
