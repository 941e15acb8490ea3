"""The modes in which rules work on expressions and assertions; frozen, so a mode ends where its
scope ends. A mode is entered by a named step, not by setting fields.
"""

from __future__ import annotations

from enum import Enum

from pitviper.base.record import record, replace
from pitviper.terms import build as tb
from pitviper.terms.term import Term


class Judged(Enum):
    """What is proved on the way."""

    EVERYTHING = "that expressions are well-defined, and what assertions claim"
    CLAIMS = "what assertions claim; that they are well-defined is known already"
    NOTHING = "nothing: terms are made, as for triggers"


@record
class Scale:
    """The amount that multiplies others inside a predicate body. A `free` one is a wildcard that
    may still be chosen as small as need be."""

    amount: Term = tb.WRITE
    free: bool = False


@record
class Definition:
    """The function that is being verified.

    Unless `exact`, amounts in its precondition count only as positive or zero. With `in_contract`,
    applications of it tell nothing about their own postconditions.
    """

    function: str
    exact: bool
    in_contract: bool = False


@record
class Modes:
    """With `reading`, amounts count only as positive or zero. With `snapshots`, those of what is
    consumed are of use. `in_wand`: inside the sides of a wand, which are judged where it is used.
    Without `introspective`, nothing is known about what `perm` and `forperm` look at. `of_part`: in
    an instance of which an unknown part is held, so that amounts have no upper bounds.
    `quantified`: below a quantifier. `exhaling`: an assertion is being consumed, pairs `[A, B]`
    mean B. `definition` is the function that is being verified, if one is.
    """

    judged: Judged = Judged.EVERYTHING
    scale: Scale = Scale()
    reading: bool = False
    snapshots: bool = False
    in_wand: bool = False
    introspective: bool = True
    of_part: bool = False
    quantified: bool = False
    exhaling: bool = False
    definition: Definition | None = None

    @property
    def checking(self) -> bool:
        """Whether expressions have to be proved well-defined."""
        return self.judged is Judged.EVERYTHING

    @property
    def claiming(self) -> bool:
        """Whether what assertions claim has to be proved."""
        return self.judged is not Judged.NOTHING

    @property
    def ignores_amounts(self) -> bool:
        """Whether the heap is that of a function, or a part of one, whose amounts are not told."""
        return self.of_part or (self.definition is not None and not self.definition.exact)

    @property
    def reads_a_state(self) -> bool:
        """Whether amounts do not count, but stand in a heap in which they do."""
        return self.reading and not self.ignores_amounts

    def taking(self) -> Modes:
        """Returns the modes in which amounts count."""
        return replace(self, reading=False)

    def for_a_part(self) -> Modes:
        """Returns the modes in which the body of an instance is judged for an unknown part."""
        return replace(self, of_part=True, reading=False, snapshots=False, scale=Scale())

    def judging(self, judged: Judged) -> Modes:
        """Returns these modes with another choice of what is proved."""
        return self if self.judged is judged else replace(self, judged=judged)

    def with_snapshots(self, *, wanted: bool = True) -> Modes:
        """Returns the modes for consuming what will be produced again elsewhere."""
        return self if self.snapshots is wanted else replace(self, snapshots=wanted)

    def without_introspection(self) -> Modes:
        """Returns the modes for assertions of which only a part of the state is known."""
        return replace(self, introspective=False)

    def scaled(self, amount: Term, *, free: bool = False) -> Modes:
        """Returns the modes inside a predicate body of which an amount is held."""
        return replace(self, scale=Scale(amount, free))

    def in_expression(self) -> Modes:
        """Returns the modes inside an expression: it gives nothing away, so that nothing is chosen
        for it. NOTE(free-scale): a free scale may be chosen below what the heap before a fold has,
        but not below amounts that depend on it, as those of an instance that is looked into do.
        """
        return replace(self, scale=Scale(self.scale.amount)) if self.scale.free else self

    def defining(self, function: str, *, exact: bool) -> Modes:
        """Returns the modes in which a function is verified."""
        return replace(self, definition=Definition(function, exact), reading=not exact)

    def at_a_check(self) -> Modes:
        """Returns the modes for another assertion where a check was made: all of it is judged."""
        definition = self.definition and Definition(self.definition.function, self.definition.exact)
        return Modes(reading=self.reading and self.ignores_amounts, definition=definition)

    def applying(self, *, exact: bool) -> Modes:
        """Returns the modes in which the precondition of an applied function is consumed."""
        return replace(self, reading=not exact, scale=Scale(), snapshots=True)
