"""From facts about arbitrary constants to facts about all values.

NOTE(lifting). The body of a quantifier or of a function is translated once, for constants that
stand for any values. Symbols made on the way may have another value for each choice of these
constants: in the general fact each of them is a function of the bound variables. A symbol was made
on the way if the member's supply made it after the mark that was set before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pitviper.base.record import record
from pitviper.engines.vcg.ivl.language import Assert, Assign, Assume, Block, Command, Lazy, Side
from pitviper.terms import build as tb
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function, FunctionKind, function
from pitviper.terms.term import App, Term, Var

Mark = dict[str, int]


@record
class Lifting:
    """`constants` become `variables`; symbols made since the mark become functions of them."""

    constants: tuple[Term, ...]
    variables: tuple[Var, ...]
    mark: Mark

    def term(self, term: Term) -> Term:
        return self.terms((term,))[0]

    def terms(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """Several terms at once."""
        done: dict[Term, Term] = dict(zip(self.constants, self.variables, strict=True))
        return tuple([self._lifted(term, done) for term in terms])

    def _lifted(self, root: Term, done: dict[Term, Term]) -> Term:
        for term in subterms(root):
            if term in done:
                continue
            args = tuple([done[arg] for arg in term.args])
            if self._is_new(term):
                done[term] = self._applied(term, args)
            else:
                done[term] = term if args == term.args else tb.rebuild(term, args)
        return done[root]

    def _is_new(self, term: Term) -> bool:
        return (
            isinstance(term, App)
            and isinstance(term.symbol, Function)
            and term.symbol.kind is FunctionKind.DECLARED
            and is_since(term.symbol.name, self.mark)
            and not set(self.constants) <= set(term.args)
        )

    def _applied(self, term: Term, args: tuple[Term, ...]) -> Term:
        assert isinstance(term, App) and isinstance(term.symbol, Function)
        old = term.symbol
        sorts = (*[v.sort for v in self.variables], *old.domain)
        return tb.apply(function(f"{old.name}^", sorts, old.range), *self.variables, *args)


def lifting(constants: Sequence[App], mark: Mark) -> Lifting:
    """Bound variables named after the constants."""
    variables = tuple([tb.variable(c.symbol.name, c.sort) for c in constants])
    return Lifting(tuple(constants), variables, mark)


def is_since(name: str, mark: Mark) -> bool:
    """Whether the supply made a name after the mark, or the name of the heap it belongs to."""
    head, at, tail = name.rstrip("^").rpartition("@")
    number = tail.rpartition(".")[2]
    hint = head.rpartition("@")[2]
    return bool(at) and number.isdigit() and int(number) >= mark.get(hint, 0)


# ---------------------------------------------------------------- facts


@record
class Learnt:
    """A fact that was emitted, with the guard that it was emitted under."""

    fact: Term
    guard: Term

    @property
    def closed(self) -> Term:
        return tb.implies(self.guard, self.fact)


def learnt(blocks: Sequence[Block], *, lazy: bool = True) -> list[Learnt]:
    """The facts of straight-line commands, those that are withheld included on demand.

    Goals are no facts here: whoever uses them proves them.
    """
    facts: list[Learnt] = []
    for block in blocks:
        for command in block.commands:
            facts += _facts(command, lazy=lazy)
    return facts


def _facts(command: Command, *, lazy: bool) -> list[Learnt]:
    match command:
        case Assume(fact, guard):
            return [Learnt(fact, guard)]
        case Assign(variable, term):
            return [Learnt(tb.equal(variable, term), tb.TRUE)]
        case Lazy(build, guard):
            return [Learnt(fact, guard) for fact in build()] if lazy else []
        case _:
            return []


def has_goals(blocks: Iterable[Block]) -> bool:
    """Whether anything is to be proved in the blocks, or on sides of them."""
    return any(
        isinstance(command, Assert) or (isinstance(command, Side) and has_goals(command.blocks))
        for block in blocks
        for command in block.commands
    )
