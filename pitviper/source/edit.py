"""Changes of a text as data: what is to be written, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pitviper.base.record import record
from pitviper.source.span import SourceFile, Span


@record
class Edit:
    """`text` stands in the place of `span`; an empty span is a place between two letters."""

    span: Span
    text: str


LONGEST_ACTION = 60
"""Characters of a title that is not made shorter."""


@record
class Cure:
    """A change that may mend what a message is about; `title` says which, in a few words.

    One that is `harmless` adds to a proof and changes no contract: nobody else can notice it.
    """

    title: str
    edits: tuple[Edit, ...]
    harmless: bool = False

    @property
    def action(self) -> str:
        """What is done, without the reason in front of it: a menu or a button has little room."""
        said = _behind_the_reason(self.title) if len(self.title) > LONGEST_ACTION else self.title
        return f"Write {said}" if said.startswith("`") else said[:1].upper() + said[1:]


def _behind_the_reason(title: str) -> str:
    """What stands behind the last colon; one within code, as in `var t: Int`, is none.

    >>> _behind_the_reason("it is overwritten: keep it, `var t: Int := a`")
    'keep it, `var t: Int := a`'
    """
    pieces = title.split("`")
    for at in reversed(range(0, len(pieces), 2)):
        _, colon, behind = pieces[at].rpartition(": ")
        if colon:
            return "`".join([behind, *pieces[at + 1 :]])
    return title


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Returns a text with changes that do not overlap; those of one place in their order."""
    for edit in sorted(reversed([*edits]), key=lambda e: e.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def statements_at(
    file: SourceFile, offset: int, statements: Sequence[str], *, closing: bool = False
) -> Edit:
    """Returns the edit that writes statements at a place: in front of one, or of a closing brace.

    They stand in lines of their own, if the place begins a line; else in front, with `;`.
    """
    line = file.text[file.text.rfind("\n", 0, offset) + 1 : offset]
    if line.strip():
        gap = "" if line.endswith((" ", "\t", "{")) else " "
        return Edit(
            Span(file, offset, offset), f"{gap}{'; '.join([s.rstrip(';') for s in statements])}; "
        )
    inner = f"{line}{step_of(file.text)}" if closing else line
    start = offset - len(line)
    text = "".join(f"{inner}{statement}\n" for statement in statements)
    return Edit(Span(file, start, start), text)


def step_of(text: str) -> str:
    """By how much a text indents: as its first indented line."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found is not None else "  "
