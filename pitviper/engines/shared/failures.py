"""A failed check in words: the texts of its error and its reason, filled with parts of the program.

All engines say the same about the same failure, since all of them say it here.
"""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.qualified import ARRAY_LENGTH
from pitviper.program import expr as x
from pitviper.program import stmt as ps
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.print.objects import array_of
from pitviper.program.walk import rewrite
from pitviper.results.wording import NULL_RECEIVER, VIPER, error_text, reason_text, wording_of
from pitviper.source.span import Span


def about_fold(s: ps.Fold) -> tuple[str, Node, tuple[Node | str, ...]]:
    """The error, node and parts of a fold that fails.

    Of one that nobody wrote, they are those of the check that asked for it. The fold itself is then
    one of the parts, so that its instance can be named.
    """
    asked = s.asked
    if asked is None:
        return "fold.failed", s, (s.predicate,)
    return asked.error, asked.node, (*asked.parts, s)


def failure_text(
    error: tuple[str, Sequence[Node | str]], reason: tuple[str, Sequence[Node | str]], at: Span
) -> str:
    """`Assert might fail. Assertion x > 0 might not hold.`

    `error` and `reason` are ids, each with what fills the gaps of its text; `at` is the place of
    the error, which tells the language.
    """
    why, parts = reason
    if error[0] == "assert.failed" and len(parts) == 1 and wording_of(at) is not VIPER:
        said_whole = _unwritten(parts[0])
        if said_whole is not None:
            return said_whole
    closed = next((part for part in error[1] if isinstance(part, ps.Fold)), None)
    said = error_text(error[0], *_texts([p for p in error[1] if p is not closed]), at=at)
    if closed is not None:
        return f"{said} {_of_instance(closed, why, parts, at)}"
    if error[0] == "application.precondition" and ARRAY_LENGTH in error[1]:
        said = "The array might not exist."
    if why.startswith("seq.index"):
        parts = [part if isinstance(part, str) else array_of(part) or part for part in parts]
    if why == "assertion.false" and len(parts) == 1 and _is_receiver_check(parts[0], at):
        why = NULL_RECEIVER
    return f"{said} {reason_text(why, *_texts(parts), at=at)}"


def _of_instance(closed: ps.Fold, why: str, parts: Sequence[Node | str], at: Span) -> str:
    """`c.valid() says c.n >= 0, which might not hold.`"""
    formals = closed.asked.formals if closed.asked is not None else ()
    values = dict(zip([p.name for p in formals], closed.predicate.args, strict=False))

    def rule(node: Node) -> Node | None:
        return values.get(node.name) if isinstance(node, x.Var) else None

    texts = _texts([part if isinstance(part, str) else rewrite(part, rule) for part in parts])
    instance = text_of(closed.predicate)
    if why == "assertion.false":
        return f"{instance} says {texts[0]}, which might not hold."
    return f"In {instance}: {reason_text(why, *texts, at=at)}"


def _is_receiver_check(part: Node | str, at: Span) -> bool:
    """Whether a condition, which nobody wrote, says that there is an object to call."""
    if NULL_RECEIVER not in wording_of(at).reasons:
        return False
    match part:
        case x.NotEqual(x.Var("this"), x.NullLit()):
            return "null" not in part.span.text
        case _:
            return False


def _unwritten(part: Node | str) -> str | None:
    """What a statement of an object language needs that nobody wrote as an `assert`.

    A place in an array, a length, a value to choose: both sides of what is compared stand where one
    of them was written.
    """
    match part:
        case x.Compare(x.CompareOp.LE, x.IntLit(0) as zero, index) if zero.span == index.span:
            return f"The element might not exist. Index {text_of(index)} might be negative."
        case x.Compare(x.CompareOp.LT, index, size) if index.span == size.span:
            why = f"Index {text_of(index)} might not be less than {text_of(size)}."
            return f"The element might not exist. {why}"
        case x.Compare(x.CompareOp.GE, length, x.IntLit(0) as zero) if zero.span == length.span:
            return f"The array might not be made. Its length {text_of(length)} might be negative."
        case x.Or((*_, x.Exists() as choice)) | (x.Exists() as choice) if _is_choice(part, choice):
            names = ", ".join([variable.name for variable in choice.variables])
            why = f"There might be no {names} such that {text_of(choice.body)}."
            return f"The choice might fail. {why}"
        case x.Or((*_, x.BoolLit(False) as last)) if _is_choice(part, last):
            target, _, wanted = part.span.text.rstrip(";").partition(":|")
            why = f"No {target.split()[-1]} is at hand such that {' '.join(wanted.split())}."
            return f"The choice might fail. {why}"
        case _:
            return None


def _is_choice(part: Node, last: Node) -> bool:
    """Whether a condition says that there is a value to choose: all of it stands in its place."""
    return ":|" in part.span.text and last.span == part.span


def _texts(parts: Sequence[Node | str]) -> list[str]:
    return [part if isinstance(part, str) else text_of(part) for part in parts]
