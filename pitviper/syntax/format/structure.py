"""What the syntax tree says about tokens: where lines start, and which braces hold what."""

from __future__ import annotations

from enum import IntEnum
from typing import assert_never

from pitviper.base.record import field, struct
from pitviper.syntax import tree
from pitviper.syntax.format.items import Mark, Start
from pitviper.syntax.token import Tokens

_BRACKETS = {
    "(": Mark.OPEN, "[": Mark.OPEN, "{": Mark.OPEN,
    ")": Mark.CLOSE, "]": Mark.CLOSE, "}": Mark.CLOSE,
}  # fmt: skip


class Break(IntEnum):
    """Does a line start at a token? As in the source, always, or never (but for comments)."""

    KEEP = 0
    ALWAYS = 1
    NEVER = 2


@struct
class Structure:
    """For each token: its mark, what starts there, and whether a line does.

    `paths` are the tokens `<` of imports, each with the end offset of its path; `bodies` are the
    first tokens of macro bodies that are expressions.
    """

    marks: list[Mark]
    starts: list[Start]
    breaks: list[Break]
    paths: dict[int, int] = field(default_factory=dict)
    bodies: set[int] = field(default_factory=set)


def find_structure(tokens: Tokens, file: tree.File) -> Structure:
    """The structure of the tokens of a file that has no errors."""
    finder = _Finder(tokens)
    for member in file.members:
        finder.member(member)
    finder.begin(len(tokens.kinds) - 1)
    return finder.found


class _Finder:
    def __init__(self, tokens: Tokens) -> None:
        kinds = tokens.kinds
        self.tokens = tokens
        self.index = {start: at for at, start in enumerate(tokens.starts)}
        self.last = {end: at for at, end in enumerate(tokens.ends[:-1])}
        self.partners = _brace_partners(kinds)
        self.blocks: list[tree.Block] = []
        self.found = Structure(
            [_BRACKETS.get(kind, Mark.PLAIN) for kind in kinds],
            [Start.NOTHING] * len(kinds),
            [Break.NEVER if kind == ";" else Break.KEEP for kind in kinds],
        )

    # ------------------------------------------------------------ elementary findings

    def begin(self, at: int, how: Break = Break.ALWAYS) -> None:
        """A unit, or a part of one that is indented like it, starts at a token."""
        self.found.starts[at] = Start.UNIT
        self.found.breaks[at] = how

    def unit(
        self, node: tree.Stmt | tree.Member | tree.DomainFunction | tree.Axiom | tree.Constructor
    ) -> None:
        """A unit with annotations in front of it."""
        if not node.annotations:
            self.begin(self.index[node.span.start])
            return
        self.begin(self.index[node.annotations[0].span.start])
        for annotation in node.annotations:
            self.begin(self.last[annotation.span.end] + 1, Break.KEEP)

    def clauses(self, specs: tuple[tree.Specification, ...]) -> Break:
        """Clauses on lines of their own; the result is where the brace behind them stands."""
        for spec in specs:
            at = self.index[spec.span.start]
            self.found.starts[at] = Start.CLAUSE
            self.found.breaks[at] = Break.ALWAYS
        return Break.ALWAYS if specs else Break.NEVER

    def braces(self, opened: int, mark: Mark, how: Break) -> None:
        """The braces of a block or body."""
        closed, found = self.partners[opened], self.found
        found.marks[opened], found.marks[closed] = mark, Mark.BLOCK_CLOSE
        if found.starts[opened] is Start.NOTHING:
            found.breaks[opened] = how
        found.breaks[closed] = Break.NEVER if closed == opened + 1 else Break.ALWAYS

    def block(self, block: tree.Block, how: Break) -> None:
        self.braces(self.index[block.span.start], Mark.BLOCK_OPEN, how)
        self.blocks.append(block)

    def body(self, end: int, how: Break) -> None:
        """A body that ends at this offset; on one line if it was."""
        closed = self.last[end]
        opened = self.partners[closed]
        self.braces(opened, Mark.BODY_OPEN, how)
        tokens = self.tokens
        inline = tokens.file.text.find("\n", tokens.starts[opened], end) < 0
        inside = Break.KEEP if inline else Break.ALWAYS
        self.found.breaks[opened + 1] = self.found.breaks[closed] = inside

    # ------------------------------------------------------------ members

    def member(self, m: tree.Member) -> None:
        self.unit(m)
        match m:
            case tree.Method():
                how = self.clauses(m.specs)
                if m.body is not None:
                    self.block(m.body, how)
            case tree.Function():
                how = self.clauses(m.specs)
                if m.body is not None:
                    self.body(m.span.end, how)
            case tree.Predicate():
                if m.body is not None:
                    self.body(m.span.end, Break.NEVER)
            case tree.Domain() | tree.Adt():
                self._members_in_braces(m)
            case tree.Define():
                self._define(m)
            case tree.Import():
                self._import(m)
            case tree.FieldDeclaration():
                pass
            case _:
                assert_never(m)
        self._statements()

    def _members_in_braces(self, m: tree.Domain | tree.Adt) -> None:
        closed = self.last[m.span.end]
        if isinstance(m, tree.Adt) and m.derives is not None:
            opened = self.partners[closed]
            self.braces(opened, Mark.BLOCK_OPEN, Break.NEVER)
            self.begin(opened - 1, Break.NEVER)
            for derivation in m.derives:
                self.begin(self.index[derivation.span.start])
            closed = opened - 2
        self.braces(self.partners[closed], Mark.BLOCK_OPEN, Break.NEVER)
        for inner in m.constructors if isinstance(m, tree.Adt) else m.members:
            self.unit(inner)
            if isinstance(inner, tree.Axiom):
                self.body(inner.span.end, Break.NEVER)

    def _import(self, m: tree.Import) -> None:
        if m.library:
            text = self.tokens.file.text
            start = text.index("<", m.span.start)
            self.found.paths[self.index[start]] = text.index(">", start) + 1

    # ------------------------------------------------------------ statements

    def _statements(self) -> None:
        while self.blocks:
            for statement in self.blocks.pop().statements:
                self.unit(statement)
                self._statement(statement)

    def _statement(self, s: tree.Stmt) -> None:
        match s:
            case tree.Block():
                self.block(s, Break.ALWAYS)
            case tree.If():
                self._if(s)
            case tree.While():
                self.block(s.body, self.clauses(s.specs))
            case tree.Label():
                self.clauses(s.invariants)
            case tree.Package():
                if s.script is not None:
                    self.block(s.script, Break.NEVER)
            case tree.Define():
                self._define(s)
            case _:
                pass

    def _if(self, s: tree.If) -> None:
        arm: tree.If | tree.Block | None = s
        while isinstance(arm, tree.If):
            self.block(arm.then, Break.NEVER)
            arm = arm.otherwise
            if arm is not None:
                at = self.index[arm.span.start]
                self.begin(at if isinstance(arm, tree.If) else at - 1, Break.NEVER)
        if arm is not None:
            self.block(arm, Break.NEVER)

    def _define(self, d: tree.Define) -> None:
        if isinstance(d.body, tree.Block):
            self.block(d.body, Break.NEVER)
            return
        at = self.last[d.name.span.end] + 1
        if d.params is not None:
            at = self.last[d.params[-1].span.end] + 2 if d.params else at + 2
        self.found.bodies.add(at)


def _brace_partners(kinds: list[str]) -> dict[int, int]:
    """Each brace with the one that closes or opens it."""
    partners: dict[int, int] = {}
    opened: list[int] = []
    for at, kind in enumerate(kinds):
        if kind == "{":
            opened.append(at)
        elif kind == "}":
            partners[at] = opened.pop()
            partners[partners[at]] = at
    return partners
