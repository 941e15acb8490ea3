"""What a run went through: its decisions in order, and the parts of the program it covered."""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import record
from pitviper.engines.explore.runtime.ending import Leak, Site
from pitviper.engines.explore.runtime.value import Sym, Value
from pitviper.terms.operators import NOT
from pitviper.terms.term import App, Literal, Term


class Kind(Enum):
    """BRANCH and ASSERT are searched on both sides, ASSUME on the side where it holds.

    LARGE is a branch on the size of an input above the limit: searched last. FACT is true of
    every input.
    """

    BRANCH = "branch"
    LARGE = "large"
    ASSERT = "assert"
    ASSUME = "assume"
    FACT = "fact"


@record
class Decision:
    """A condition on the path, and whether it held; `site` is the instruction that asked."""

    term: Term
    taken: bool
    kind: Kind
    site: Site


class PathLog:
    """The path condition, as it grows: `known` are the conditions that are decided on this path.

    The first `given` decisions are those that the solver knew when it chose the inputs.
    `failed_at` is the number of decisions before a failure. `bound` counts the quantifiers around
    here: values may contain variables of the solver. `has_told` says that a quantifier is among
    the decisions.
    """

    __slots__ = ("bound", "decisions", "failed_at", "given", "has_told", "known")

    def __init__(self, given: int) -> None:
        self.given = given
        self.decisions: list[Decision] = []
        self.known: dict[Term, bool] = {}
        self.failed_at = 1 << 60
        self.bound = 0
        self.has_told = False

    @property
    def is_foreseen(self) -> bool:
        """Whether the solver knew the decision that comes next."""
        return len(self.decisions) < self.given

    def decide(self, condition: Value, kind: Kind, site: Site) -> bool:
        """Returns whether a condition holds, which is part of the path from here on."""
        if condition.__class__ is bool:
            return bool(condition)
        assert isinstance(condition, Sym)
        taken = bool(condition.value)
        term, positive = condition.term, taken
        while isinstance(term, App) and term.symbol is NOT:
            term, positive = term.args[0], not positive
        if term not in self.known:
            if self.bound and term.free:
                raise Leak
            self.add(Decision(condition.term, taken, kind, site))
            self.known[term] = positive
        return taken

    def fact(self, term: Term, site: Site) -> None:
        """Adds what is true of every input."""
        if not isinstance(term, Literal) and term not in self.known:
            self.add(Decision(term, taken=True, kind=Kind.FACT, site=site))

    def add(self, decision: Decision) -> None:
        self.known[decision.term] = decision.taken
        self.decisions.append(decision)


class Coverage:
    """The instructions, the sides of branches and the assertions that a run came to, in order."""

    __slots__ = ("edges", "instructions", "reached")

    def __init__(self) -> None:
        self.instructions: dict[Site, None] = {}
        self.edges: dict[tuple[str, int, int], None] = {}
        self.reached: dict[Site, None] = {}
