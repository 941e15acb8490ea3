"""What is said where both advice and a cure are known: the cause by one, the edit by the other."""

from __future__ import annotations

import re

from pitviper.explain.cures.edit import Candidate

STOCK = (
    "`ensures ...`",
    "`axiom { ... }`",
    "add `invariant ...`",
    "`pitviper counterexample` shows",
    "`pitviper debug` shows",
    "the body has to make it true",
    "the body has to leave this permission behind",
    "mend the body",
    "mend that first",
    "promise less",
    "assert less",
    "assert something",
    "promise something",
    "exclude that",
    "weaken",
    "or fold later",
    "are the same",
    "by `unfold`, `fold`, `inhale` or a call",
    "`new` makes it",
    "gives it away: use it before",
    "may be another one",
    "add an `invariant` that holds",
    "if it is true",
    "say more there",
    "a `fold` needs all that the body",
    "if what is inside is held",
    "test it, or ask for it",
    "make sure of it in front",
    "has to be known",
    "read it in front of that line",
    "gives the left side of the wand away",
    "is not true: call it",
)
"""Words of advice that knows a kind of mistake, and not what to do about this one."""

_FIRST = re.compile(r"before the first iteration .*?(?=: |, and )")


def chosen(
    advice: str | None, cure: Candidate, seen: str, *, verified: bool
) -> tuple[str, str | None]:
    """The advice to give, and a cause that is worth a note of its own.

    `seen` says what the cure does. Advice that knows the cause is kept where the cure is weak
    or does not mend all; if it names the same edit, that this was seen to work is added.
    """
    whole = cure.said if cure.assumes else f"{cure.said}; with that, {seen}"
    if advice is None:
        return whole, None
    if cure.weak or not verified:
        code = cure.edits[0].text.strip().rstrip(";")
        if len(cure.edits) == 1 and not code and "leave this" in advice:
            return f"{advice}; with that, {seen}", None
        if len(cure.edits) == 1 and len(code) > SHORTEST and f"`{code}`" in advice:
            return advice if cure.assumes else f"{advice}; with `{code}`, {seen}", None
        if (cure.weak and not verified) or not any(words in advice for words in STOCK):
            return advice, None
    first = _FIRST.match(advice)
    return whole, None if first is None else first[0]


SHORTEST = 4
"""Characters of code from which on it is no accident that advice mentions it."""
