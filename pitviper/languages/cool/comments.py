"""Contracts in comments, `//@ requires x > 0;`, as other tools for objects read them.

Here a comment is a comment: who writes a contract into one believes in a proof of something else.
"""

from __future__ import annotations

import re

from pitviper.languages.cool.lexer import Token
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile, Span

_OTHER_WORDS = {
    "loop_invariant": "invariant",
    "maintaining": "invariant",
    "pre": "requires",
    "post": "ensures",
    "unfold": "open",
    "fold": "close",
}
"""What other languages write, with the word for it here."""

_OWN = "requires ensures invariant decreases assert assume open close use join pure predicate"
_CONTRACT = re.compile(
    rf"(?P<sign>//@|/\*@)[\s@]*(?P<word>{'|'.join([*_OWN.split(), *_OTHER_WORDS])})\b(?P<rest>.*)"
)


def about_comments(file: SourceFile, comments: tuple[Token, ...]) -> list[Diagnostic]:
    """A warning for each comment that holds a contract or a ghost statement."""
    found = []
    for comment in comments:
        contract = _CONTRACT.match(comment.text)
        if contract is None:
            continue
        word = _OTHER_WORDS.get(contract["word"], contract["word"])
        rest = contract["rest"].partition("*/")[0].rstrip(" \t\r@")
        message = f"this `{contract['word']}` stands in a comment, so it is not checked"
        cure = f"write it without `{contract['sign']}`: `{word}{rest}`"
        span = Span(file, comment.start, comment.end)
        found.append(Diagnostic("typechecker.warning", Severity.WARNING, span, message, help=cure))
    return found
