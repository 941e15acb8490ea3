"""A failed check in words: the texts of its error and its reason, filled with parts of the program.

All engines say the same about the same failure, since all of them say it here.
"""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.program import expr as x
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.results.wording import NULL_RECEIVER, error_text, reason_text, wording_of
from pitviper.source.span import Span


def failure_text(
    error: tuple[str, Sequence[Node | str]], reason: tuple[str, Sequence[Node | str]], at: Span
) -> str:
    """`Assert might fail. Assertion x > 0 might not hold.`

    `error` and `reason` are ids, each with what fills the gaps of its text; `at` is the place of
    the error, which tells the language.
    """
    said = error_text(error[0], *_texts(error[1]), at=at)
    why, parts = reason
    if why == "assertion.false" and len(parts) == 1 and _is_receiver_check(parts[0], at):
        why = NULL_RECEIVER
    return f"{said} {reason_text(why, *_texts(parts), at=at)}"


def _is_receiver_check(part: Node | str, at: Span) -> bool:
    """Whether a condition, which nobody wrote, says that there is an object to call."""
    if NULL_RECEIVER not in wording_of(at).reasons:
        return False
    match part:
        case x.NotEqual(x.Var("this"), x.NullLit()):
            return "null" not in part.span.text
        case _:
            return False


def _texts(parts: Sequence[Node | str]) -> list[str]:
    return [part if isinstance(part, str) else text_of(part) for part in parts]
