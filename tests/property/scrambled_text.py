"""Programs with other white space and comments between the same tokens."""

from __future__ import annotations

from pathlib import Path
from random import Random

from pitviper.source.span import SourceFile
from pitviper.syntax.parse.lexer import lex
from pitviper.syntax.token import NAME, Tokens

_GAPS = [
    *[""] * 6, *[" "] * 6, "\n", "\n", "\n\n\n", "\t", "\r\n", " // line\n", "/* block */",
    " /* two\n   lines */ ", "\n  /* two\n * lines */\n", "\n  // own line\n",
    "\n//:: ExpectedOutput(k)\n", "\n  //:: ExpectedOutput(k)\n\n",
]  # fmt: skip


def tokens_of(text: str) -> Tokens:
    return lex(SourceFile(Path("p.vpr"), text))[0]


def scramble(text: str, random: Random) -> str:
    """The tokens of the text, with random gaps that do not change how they are parsed."""
    tokens = tokens_of(text)
    parts: list[str] = []
    in_path = False
    for at in range(len(tokens.kinds) - 1):
        start = tokens.ends[at - 1] if at else 0
        gap = text[start : tokens.starts[at]]
        if not in_path:
            gap = random.choice([g for g in _GAPS if _fits(tokens, at, gap, g)])
        parts += [gap, tokens.text(at)]
        in_path = tokens.kinds[at] != ">" and (
            in_path or (tokens.kinds[at] == "<" and tokens.kinds[at - 1] == "import")
        )
    return "".join(parts) + random.choice(["", "\n", "\n\n// end", "\n//:: ExpectedOutput(k)\n\n"])


def _fits(tokens: Tokens, at: int, old: str, new: str) -> bool:
    if at == 0:
        return True
    before, behind = tokens.text(at - 1), tokens.text(at)
    if tokens.kinds[at] == "(" and tokens.kinds[at - 1] == NAME:
        return (old.strip(" \t") == "") == (new.strip(" \t") == "")
    if new.startswith("/"):
        return before != "/"
    return new != "" or tokens_of(before + behind).kinds[:-1] == tokens.kinds[at - 1 : at + 1]


def annotation_targets(text: str) -> list[tuple[str, list[str]]]:
    """Each test annotation with the tokens of the line that it speaks about."""
    words = _words_by_line(text)
    found: list[tuple[str, list[str]]] = []
    waiting: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith("//:: "):
            waiting.append(bare)
        elif not bare.startswith("//"):
            found += [(annotation, words.get(number, [])) for annotation in waiting]
            waiting = []
    return found


def _words_by_line(text: str) -> dict[int, list[str]]:
    tokens = tokens_of(text)
    words: dict[int, list[str]] = {}
    for at in range(len(tokens.kinds) - 1):
        line, _ = tokens.file.line_column(tokens.starts[at])
        words.setdefault(line, []).append(tokens.text(at))
    return words


def comments_of(text: str) -> list[str]:
    """The comments, without regard to white space in them."""
    return [" ".join(text[start:end].split()) for start, end in tokens_of(text).comments]
