"""Names with versions and labels with lines, as the debugger writes them: `x@2`, `debug@4#l:21`.

No program may contain them; in a text that is typed into the debugger they are names.
"""

from __future__ import annotations

import re

from pitviper.source.file import SourceFile
from pitviper.source.span import Span
from pitviper.syntax.parse.lexer import lex
from pitviper.syntax.token import Tokens

VERSIONED = re.compile(
    r"[A-Za-z_$][A-Za-z0-9_$]*@(?:[A-Za-z_$][A-Za-z0-9_$]*\.)?[0-9]+(?:\#l:[0-9]+)?"
)


def versioned_tokens(file: SourceFile) -> Tokens:
    """The tokens of a text; a name with a version is one of them."""
    masked = VERSIONED.sub(lambda match: re.sub(r"[^A-Za-z0-9_$]", "_", match.group()), file.text)
    tokens, _ = lex(SourceFile(file.path, masked))
    return Tokens(file, tokens.kinds, tokens.starts, tokens.ends, tokens.comments)


def versions_in(file: SourceFile) -> list[tuple[str, Span]]:
    """All names with versions, where they stand."""
    return [(m.group(), Span(file, *m.span())) for m in VERSIONED.finditer(file.text)]
