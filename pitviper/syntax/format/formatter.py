"""Formats source text: its tokens and comments stay the same, lines and blanks become regular.

- Two blanks of indentation for each level; no blank at the end of a line; one final newline.
- One statement or declaration on a line; clauses of contracts on lines of their own.
- Line breaks inside expressions stay; lines of more than 100 columns are broken further.
- At most one empty line in a row.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.file import SourceFile
from pitviper.syntax.format.comments import arrange
from pitviper.syntax.format.layout import lay_out
from pitviper.syntax.format.structure import find_structure
from pitviper.syntax.parse.lexer import lex
from pitviper.syntax.parse.parser import parse_file
from pitviper.syntax.token import Tokens


class FormatterError(Exception):
    """The formatter would have changed a program: a bug of ours."""


@record
class Formatted:
    """`text` is None if the file has errors; these are in `diagnostics`, and so are warnings."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


def format_source(file: SourceFile) -> Formatted:
    """The text of a file in regular form, or why it cannot be formatted."""
    parsed = parse_file(file)
    if any(d.severity is Severity.ERROR for d in parsed.diagnostics):
        return Formatted(None, parsed.diagnostics)
    tokens, _ = lex(file)
    items = arrange(tokens, find_structure(tokens, parsed.tree))
    text = lay_out(items).rstrip("\n")
    if text:
        text += "\n"
    _check_unchanged(tokens, text)
    return Formatted(text, parsed.diagnostics)


def _check_unchanged(old: Tokens, text: str) -> None:
    new, _ = lex(SourceFile(old.file.path, text))
    before, after = _texts(old), _texts(new)
    if before != after:
        pairs = zip(before, after, strict=False)
        changed = next((a for a, b in pairs if a != b), "the end")
        raise FormatterError(f"formatting {old.file.name} changes {changed!r}")
    if len(old.comments) != len(new.comments):
        raise FormatterError(f"formatting {old.file.name} changes the number of comments")


def _texts(tokens: Tokens) -> list[str]:
    text = tokens.file.text
    return [text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
