"""Formats source text: its tokens and comments stay the same, lines and blanks become regular.

- Two blanks of indentation for each level; no blank at the end of a line; one final newline.
- One statement or declaration on a line; clauses of contracts on lines of their own.
- Line breaks inside expressions stay; lines of more than 100 columns are broken further.
- At most one empty line in a row.
"""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile
from pitviper.syntax.format.items import Before, Items, Mark, Start
from pitviper.syntax.format.layout import lay_out
from pitviper.syntax.format.spacing import find_blanks, find_choices
from pitviper.syntax.format.structure import Break, Structure, find_structure
from pitviper.syntax.parse.lexer import lex
from pitviper.syntax.parse.parser import parse_file
from pitviper.syntax.token import END, NAME, Tokens


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


_BLANKS = " \t\r"
_NO_BLANK_BEFORE = frozenset(") ] , ;".split())


def arrange(tokens: Tokens, structure: Structure) -> Items:
    """The items of a file, ready to be laid out; the last one is empty."""
    row = _Row(tokens, structure)
    at = 0
    while at < len(tokens.kinds):
        at = row.add_token(at)
    return row.items


def annotated_lines(text: str) -> set[int]:
    """The lines (from 1) that test annotations speak about.

    That is the next line that is no comment, even if it is empty (viper-language.md 9.2).
    """
    found: set[int] = set()
    if "//::" not in text:
        return found
    waiting = False
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if bare.startswith("//:: "):
            waiting = True
        elif waiting and not bare.startswith("//"):
            found.add(number)
            waiting = False
    return found


@record
class _Comment:
    """`lines`: how many lines end between it and what stands before it; `column`: where it starts,
    if it has several lines and only blanks stand before it on the first one."""

    text: str
    lines: int
    column: int | None


class _Row:
    def __init__(self, tokens: Tokens, structure: Structure) -> None:
        self.tokens = tokens
        self.text = tokens.file.text
        self.structure = structure
        self.blanks = find_blanks(tokens.kinds, structure)
        self.choices = find_choices(tokens.kinds)
        self.fixed_lines = annotated_lines(self.text)
        self.items = Items()
        self.end = 0  # of the last token or comment
        self.comment = 0  # the next comment

    def add_token(self, at: int) -> int:
        """Adds the comments before a token, and the token; the result is the next token."""
        start = self.tokens.starts[at]
        comments = self._comments_before(start)
        lines = self.text.count("\n", self.end, start)
        fixed = self._fixed(start)
        how = self._break(at, comments, lines, fixed=fixed)
        if comments:
            self._add_comments(at, comments, how, lines)
            before = self._behind_comments(at, comments, how, lines)
        else:
            before = self._before_token(at, how, lines)
        if fixed:
            self.items.fixed.add(len(self.items.texts))
        mark = Mark.CHOICE if at in self.choices else self.structure.marks[at]
        text, following = self._token(at)
        self.items.add(text, mark, before, self.structure.starts[at])
        return following

    # ------------------------------------------------------------ what is there

    def _token(self, at: int) -> tuple[str, int]:
        """The text of a token, and the next one; a path in an import counts as one token."""
        tokens = self.tokens
        self.end = tokens.ends[at]
        if at not in self.structure.paths:
            return tokens.text(at), at + 1
        start, end = tokens.starts[at], self.structure.paths[at]
        while self.comment < len(tokens.comments) and tokens.comments[self.comment][0] < end:
            end = max(end, tokens.comments[self.comment][1])
            self.comment += 1
        while tokens.starts[at] < end and at < len(tokens.kinds) - 1:
            end = max(end, tokens.ends[at])
            at += 1
        self.end = end
        return self.text[start:end].rstrip(_BLANKS), at

    def _comments_before(self, start: int) -> list[_Comment]:
        places, found = self.tokens.comments, []
        while self.comment < len(places) and places[self.comment][0] < start:
            begin, end = places[self.comment]
            found.append(self._comment(begin, end))
            self.end = end
            self.comment += 1
        return found

    def _comment(self, begin: int, end: int) -> _Comment:
        raw = self.text[begin:end]
        text = "\n".join([line.rstrip(_BLANKS) for line in raw.split("\n")])
        lines = self.text.count("\n", self.end, begin)
        return _Comment(text, lines, self._column(begin) if lines and "\n" in raw else None)

    def _column(self, begin: int) -> int | None:
        line_start = self.text.rfind("\n", 0, begin) + 1
        return begin - line_start if not self.text[line_start:begin].strip(" ") else None

    def _fixed(self, start: int) -> bool:
        lines = self.fixed_lines
        return bool(lines) and self.tokens.file.line_column(start)[0] in lines

    # ------------------------------------------------------------ where lines start

    def _break(self, at: int, comments: list[_Comment], lines: int, *, fixed: bool) -> Break:
        """Tokens of a line with an annotation stay together, unless that made a call of them."""
        how = self.structure.breaks[at]
        together = fixed and not lines and not any(c.lines or "\n" in c.text for c in comments)
        kinds = self.tokens.kinds
        if together and how is Break.ALWAYS and kinds[at] != END:
            calls = kinds[at] == "(" and kinds[at - 1] == NAME
            return Break.ALWAYS if calls else Break.KEEP
        return how

    def _before_token(self, at: int, how: Break, lines: int) -> Before:
        """What stands before a token that no comment stands before."""
        if how is Break.ALWAYS:
            empty = lines > 1 and self._may_follow_empty_line(at)
            return Before.EMPTY_LINE if empty else Before.LINE
        if how is Break.KEEP and lines:
            return Before.LINE
        return self.blanks[at]

    def _may_follow_empty_line(self, at: int) -> bool:
        return self.structure.starts[at] is not Start.NOTHING and not self._after_open_brace()

    def _after_open_brace(self) -> bool:
        marks = self.items.marks
        return not marks or marks[-1] in (Mark.BLOCK_OPEN, Mark.BODY_OPEN)

    def _add_comments(self, at: int, comments: list[_Comment], how: Break, lines: int) -> None:
        """Where a line has to start and none did, it starts with the first comment."""
        missing = how is Break.ALWAYS and not lines and not any(c.lines for c in comments)
        moved = missing and self.structure.marks[at] is not Mark.BLOCK_CLOSE
        for number, comment in enumerate(comments):
            before = Before.LINE if moved and number == 0 else self._before_comment(comment)
            if comment.column is not None:
                self.items.columns[len(self.items.texts)] = comment.column
            self.items.add(comment.text, Mark.COMMENT, before)

    def _behind_comments(self, at: int, comments: list[_Comment], how: Break, lines: int) -> Before:
        """What stands between the last comment and the token.

        The empty line behind an annotation is what it speaks about, so it stays everywhere.
        """
        closes = self.structure.marks[at] is Mark.BLOCK_CLOSE and how is Break.ALWAYS
        annotated = any("//::" in c.text for c in comments)
        if lines > 1 and (annotated or not closes):
            return Before.EMPTY_LINE
        if lines or self.tokens.kinds[at] == END or (closes and not annotated):
            return Before.LINE
        return Before.NOTHING if self.tokens.kinds[at] in _NO_BLANK_BEFORE else Before.BLANK

    def _before_comment(self, comment: _Comment) -> Before:
        if comment.lines > 1 and not self._after_open_brace():
            return Before.EMPTY_LINE
        if comment.lines or not self.items.texts:
            return Before.LINE
        glued = self.items.texts[-1] in ("(", "[") and comment.text.startswith("/*")
        return Before.NOTHING if glued else Before.BLANK
