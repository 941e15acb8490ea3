"""Tries the changes that advice names on a program, and keeps those with which more is verified.

Only changes that add to proofs are tried: an invariant, a `fold`, an `unfold`. What a contract says
is for people to decide.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.driver.verify.verify import ProgramOutcome, Verifier
from pitviper.results.report import Problem, problems_of_outcome
from pitviper.results.verdict import Verdict
from pitviper.source.edit import Cure, edited
from pitviper.source.reading import Decoded, decode

MOST = 12
"""Changes of a member that are tried: each costs a verification."""


@record
class Mended:
    """The text with the changes that helped, and the members that are verified with them."""

    text: str
    written: tuple[str, ...] = ()
    members: tuple[str, ...] = ()


@record
class _Version:
    """A text with changes, what is known about it, and what is advised."""

    text: str
    done: ProgramOutcome
    advised: ProgramOutcome
    written: tuple[str, ...] = ()


def mended(decoded: Decoded, verifier: Verifier, advisor: Verifier | None = None) -> Mended:
    """Returns the text with changes with which members are verified that were not, and no other.

    What is advised comes from another verifier where one is given: one that tries cures itself,
    as that of a report does.
    """
    advisor = advisor or verifier
    first = advisor.verify(advisor.read(decoded))
    version = _Version(decoded.source.text, first, first)
    members = []
    for name in first.members:
        if name not in _verified(first):
            better = _mended_member(name, version, verifier, advisor)
            if better is not None:
                version = better
                members.append(name)
    return Mended(version.text, version.written, tuple(members))


def _mended_member(
    name: str, version: _Version, verifier: Verifier, advisor: Verifier
) -> _Version | None:
    """A version in which a member is verified; each change takes the problem away it is for."""
    refused: set[str] = set()
    for _ in range(MOST):
        offered = [(p, c) for p, c in _harmless(name, version.advised) if c.title not in refused]
        if not offered:
            return None
        problem, cure = offered[0]
        text = edited(version.text, cure.edits)
        source = decode(version.done.front.source.path, text.encode(errors="surrogatepass"))
        done = verifier.verify(verifier.read(source))
        if _verified(version.done) <= _verified(done) and not _has(done, name, problem):
            advised = done if advisor is verifier else advisor.verify(advisor.read(source))
            version, refused = _Version(text, done, advised, (*version.written, cure.title)), set()
        else:
            refused.add(cure.title)
        if name in _verified(version.done):
            return version
    return None


def _harmless(name: str, done: ProgramOutcome) -> list[tuple[Problem, Cure]]:
    """The changes that the advice about a member names, if they change no contract of the file."""
    path = done.front.source.path
    return [
        (problem, cure)
        for problem in problems_of_outcome(done.members[name])
        for cure in problem.cures
        if cure.harmless and all(edit.span.file.path == path for edit in cure.edits)
    ]


def _has(done: ProgramOutcome, name: str, problem: Problem) -> bool:
    """Whether a problem is still there, or the program is none any more."""
    if name not in done.members:
        return True
    return _key(problem) in [_key(p) for p in problems_of_outcome(done.members[name])]


def _key(problem: Problem) -> tuple[str, str, str]:
    """A problem without its line, which changes."""
    return problem.id, problem.message, "" if problem.span is None else problem.span.text


def _verified(done: ProgramOutcome) -> set[str]:
    return {name for name, o in done.members.items() if o.verdict is Verdict.VERIFIED}
