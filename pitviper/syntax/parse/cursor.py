"""A place in the tokens with the elementary moves that all parsing rules share."""

from __future__ import annotations

from collections.abc import Callable
from sys import intern
from typing import TypeVar

from pitviper.base.record import replace
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.span import Span
from pitviper.syntax.parse.complaints import advise, describe, is_foreign
from pitviper.syntax.parse.lexer import bad_token
from pitviper.syntax.token import BAD, END, NAME, Tokens
from pitviper.syntax.tree import Identifier

MAX_NESTING = 1000
"""How deep source text may nest, counting parentheses, operators, blocks and types."""

FRAMES_PER_LEVEL = 8
"""An upper bound of the Python frames that the parser uses for one level of nesting."""

_PARTNERS = {"{": "}", "(": ")", "[": "]", "|": "|"}

_T = TypeVar("_T")


class ParseFailure(Exception):
    """Ends the parsing of one member; the loop over members catches it and goes on."""

    def __init__(self, diagnostic: Diagnostic, at: int) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.at = at
        self.blames = False
        """Whether the diagnostic is about a word of another language, in front of `at`."""


_STEPS = ("if", "var", "assert", "assume", "while")
"""Words of statements, which a body of a function has none of."""


class Cursor:
    """`at` is the index of the next token.

    `depth` is the present nesting, `peak` its largest value and `chain` the length of the longest
    left-nested operator or suffix chain since `enter_member`.
    """

    __slots__ = (
        "ascribable",
        "at",
        "chain",
        "depth",
        "ends",
        "errors",
        "file",
        "kinds",
        "peak",
        "starts",
        "text",
        "tokens",
        "warnings",
    )

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.file = tokens.file
        self.text = tokens.file.text
        self.kinds = tokens.kinds
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.at = 0
        self.depth = self.peak = self.chain = 0
        self.ascribable = -1
        self.warnings: list[Diagnostic] = []
        self.errors: list[Diagnostic] = []
        """Of the present member, in statements behind which parsing went on."""

    def enter_member(self) -> None:
        self.depth = self.peak = self.chain = 0
        self.errors = []

    # ------------------------------------------------------------ spans and names

    def span_from(self, start: int) -> Span:
        """From an offset to the end of the last token that was consumed."""
        return Span(self.file, start, self.ends[self.at - 1])

    def identifier(self) -> Identifier:
        at = self.at
        if self.kinds[at] != NAME:
            raise self.unexpected("a name")
        self.at = at + 1
        start, end = self.starts[at], self.ends[at]
        return Identifier(intern(self.text[start:end]), span=Span(self.file, start, end))

    # ------------------------------------------------------------ moves

    def accept(self, kind: str) -> bool:
        """Consume the next token if it is of this kind."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def expect(self, kind: str, help_: str | None = None) -> int:
        """Consume a token of this kind; the result is the index of that token."""
        at = self.at
        if self.kinds[at] != kind:
            raise self.unexpected(f"`{kind}`", help_)
        self.at = at + 1
        return at

    def close(self, kind: str, opened: int) -> None:
        """Consume the closing partner of the token with index `opened`."""
        if self.kinds[self.at] != kind:
            raise self.unclosed(f"`{kind}`", opened)
        self.at += 1

    def comma_list(self, item: Callable[[], _T], closing: str, opened: int) -> tuple[_T, ...]:
        """Items up to and including the closing token; there may be none."""
        if self.accept(closing):
            return ()
        items = [item()]
        while self.accept(","):
            items.append(item())
        if self.kinds[self.at] != closing:
            raise self.unclosed(f"`,` or `{closing}`", opened)
        self.at += 1
        return tuple(items)

    def comma_items(self, item: Callable[[], _T]) -> tuple[_T, ...]:
        """At least one item."""
        items = [item()]
        while self.accept(","):
            items.append(item())
        return tuple(items)

    # ------------------------------------------------------------ nesting

    def deeper(self) -> None:
        """To be called when `depth` exceeds `peak`."""
        self.peak = self.depth
        if self.depth > MAX_NESTING:
            raise self.too_deep()

    def longer(self, chain: int) -> None:
        """To be called when a left-nested chain exceeds `chain`."""
        self.chain = chain
        if chain > MAX_NESTING:
            raise self.too_deep()

    def too_deep(self) -> ParseFailure:
        return self.failure(
            f"this is nested too deeply (more than {MAX_NESTING} levels)",
            "name parts of it with variables, functions, predicates or macros",
        )

    # ------------------------------------------------------------ diagnostics

    def unexpected(self, expected: str, help_: str | None = None) -> ParseFailure:
        """The next token is none of what is expected here."""
        if self.kinds[self.at] == BAD:
            bad = bad_token(self.tokens, self.at)
            own = self.slip(expected)
            if own is None and self.text[self.starts[self.at]] == "=":
                own = help_
            told = bad if own is None else replace(bad, help=own)
            return self.blamed(ParseFailure(told, self.at), self.at, expected)
        message = f"expected {expected}, found {describe(self.tokens, self.at)}"
        advice = self.slip(expected) or help_ or advise(self.tokens, self.at, expected)
        return self.blamed(self.failure(message, advice), self.at, expected)

    def blamed(self, failure: ParseFailure, at: int, expected: str) -> ParseFailure:
        """The failure with the word of another language that is the reason, where there is one."""
        from pitviper.syntax.parse.mistakes.culprits import culprit  # for wrong programs only

        found = None if failure.blames else culprit(self.tokens, at, expected)
        if found is not None:
            span = Span(self.file, self.starts[found.first], self.ends[found.last])
            help_ = found.help or failure.diagnostic.help
            failure.diagnostic = Diagnostic(
                "parser.error", Severity.ERROR, span, found.message, help=help_
            )
            failure.blames = True
        return failure

    def slip(self, expected: str) -> str | None:
        """What to write instead of what people of other languages write."""
        from pitviper.syntax.parse.mistakes.slips import slip  # for wrong programs only

        return slip(self.tokens, self.at, expected)

    def no_operand(self) -> ParseFailure:
        """An expression has to stand here; where a line ends in front of it, that is shown, too."""
        before = self.at - 1
        new_line = before >= 0 and "\n" in self.text[self.ends[before] : self.starts[self.at]]
        body = before >= 0 and self.kinds[before] == "{"
        if not new_line or self.kinds[self.at] == BAD or (body and self.kinds[self.at] in _STEPS):
            return self.unexpected("an expression")
        span = Span(self.file, self.starts[before], self.ends[before])
        found = describe(self.tokens, self.at)
        last = describe(self.tokens, before)
        message = f"expected an expression after {last}, found {found}"
        failure = self.failure(message, f"write an expression after {last}")
        related = Related(span, "this line is not complete")
        failure.diagnostic = replace(failure.diagnostic, related=(related,))
        return self.blamed(failure, self.at, "an expression")

    def missing_type(self, name: Identifier, help_: str) -> ParseFailure:
        """A name without its type: the place is the name, if the line ends behind it."""
        if "\n" not in self.text[name.span.end : self.starts[self.at]]:
            return self.unexpected("`:`", help_)
        return self.failure(f"expected `:` and a type after `{name.name}`", help_, name.span)

    def unclosed(self, expected: str, opened: int) -> ParseFailure:
        """Like `unexpected`, and points to what should be closed here."""
        from pitviper.syntax.parse.mistakes.look import is_closed  # for wrong programs only
        from pitviper.syntax.parse.mistakes.operands import closed_text

        failure = self.unexpected(expected)
        if failure.blames or is_foreign(self.tokens, self.at):
            return failure
        if is_closed(self.tokens, opened):
            told = failure.diagnostic.help or "is an operator or a comma missing before it?"
            failure.diagnostic = replace(failure.diagnostic, help=told)
            return failure
        opened = _unclosed_by_indentation(self.tokens, opened, self.at)
        opening = Span(self.file, self.starts[opened], self.ends[opened])
        related = Related(opening, f"this {describe(self.tokens, opened)} is not closed")
        old = failure.diagnostic
        closing = _PARTNERS.get(self.kinds[opened])
        if old.help is None and closing is not None:
            written = closed_text(self.tokens, opened, self.at)
            help_ = f"write `{written or closing}`" + ("" if written else " where it ends")
            old = replace(old, help=help_)
        failure.diagnostic = replace(old, related=(*old.related, related))
        return failure

    def _place(self) -> Span:
        """The next token; a file ends where its last line does, not behind that."""
        start, end = self.starts[self.at], self.ends[self.at]
        if self.kinds[self.at] == END and self.text.endswith("\n"):
            start = end = len(self.text) - (2 if self.text.endswith("\r\n") else 1)
        return Span(self.file, start, end)

    def failure(
        self, message: str, help_: str | None = None, span: Span | None = None
    ) -> ParseFailure:
        """An error at the next token, or at a span that was consumed already."""
        if span is None:
            span = self._place()
        diagnostic = Diagnostic("parser.error", Severity.ERROR, span, message, help=help_)
        return ParseFailure(diagnostic, self.at)

    def warn(self, message: str, span: Span, help_: str | None = None) -> None:
        warning = Diagnostic("parser.warning", Severity.WARNING, span, message, help=help_)
        self.warnings.append(warning)

    def at_end(self) -> bool:
        return self.kinds[self.at] == END


def _unclosed_by_indentation(tokens: Tokens, opened: int, end: int) -> int:
    """The brace that was forgotten to close, as far as indentation tells; else `opened`.

    A `}` closes the innermost open brace, whatever its author meant: where it stands further to the
    left than the line of that brace, it was meant for one further out.
    """
    if tokens.kinds[opened] != "{":
        return opened
    stack: list[int] = []
    for at in range(opened, end):
        if tokens.kinds[at] == "{":
            stack.append(at)
        elif tokens.kinds[at] == "}" and stack:
            inner = stack.pop()
            if _begins_line(tokens, at) and _indent(tokens, at) < _indent(tokens, inner):
                return inner
    return opened


def _begins_line(tokens: Tokens, at: int) -> bool:
    line = tokens.file.text.rfind("\n", 0, tokens.starts[at]) + 1
    return not tokens.file.text[line : tokens.starts[at]].strip()


def _indent(tokens: Tokens, at: int) -> int:
    """Blanks at the beginning of the line in which a token stands."""
    line = tokens.file.text.rfind("\n", 0, tokens.starts[at]) + 1
    text = tokens.file.text[line : tokens.ends[at]]
    return len(text) - len(text.lstrip())
