"""Token kinds and the lexer's result."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.source.span import SourceFile

KEYWORDS = frozenset(
    """
    result Int Perm Bool Ref Rational Seq Set Multiset Map true false null
    import method function predicate domain axiom var returns field define interpretation unique
    requires ensures invariant fold unfold inhale exhale new assert assume package apply
    quasihavoc quasihavocall while if elseif else goto label union intersection setminus subset
    range unfolding in applying asserting old lhs let forall exists forperm acc wildcard write
    none epsilon perm adt derives without decreases refute
    """.split()
)
"""Reserved words of the language and its default plugins (`perm` is treated as reserved)."""

SMOKE_KEYWORDS = frozenset({"unreachable"})
"""Reserved only while smoke detection is on."""

NAME, INT, STRING, END, BAD = "name", "int", "string", "end", "bad"
"""Kinds of tokens that are not keywords or symbols; those have their own text as kind.

The whole of `@key.part` is one token of kind `@`. BAD is text that no token begins with.
"""


@record
class Tokens:
    """The tokens of a file as parallel lists (fastest in CPython); the last one has kind END.

    `comments` are the (start, end) offsets of comments in source order, for the formatter.
    """

    file: SourceFile
    kinds: list[str]
    starts: list[int]
    ends: list[int]
    comments: list[tuple[int, int]]

    def text(self, at: int) -> str:
        return self.file.text[self.starts[at] : self.ends[at]]
