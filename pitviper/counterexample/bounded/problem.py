"""What an instance is sought for: a state and a goal that does not hold in it."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.counterexample.bounded.theory import Theories
from pitviper.source.span import Span
from pitviper.terms.term import Term, Var


@record
class Fact:
    """Something that holds, in Viper terms, and where it was written."""

    term: Term
    text: str
    span: Span | None = None


@record
class Holding:
    """`amount` of `name(args)` is held, with this value; for all values of `formals`, if any."""

    kind: str
    name: str
    formals: tuple[Var, ...]
    args: tuple[Term, ...]
    amount: Term
    value: Term


@record
class Problem:
    """`facts` are those of the state and the user's; `goal` is None where any instance will do.

    `axioms` are those of domains. `definitions` are what the verifier itself states about its
    symbols, functions among them: they matter for the terms that their triggers match. `background`
    is all that the solver is told, collections included. `roots` are references in the order in
    which a reader meets them, `numbers`, `choices` and `amounts` the integers, truth
    values and permission amounts that a reader sees.
    """

    facts: tuple[Fact, ...]
    goal: Fact | None
    axioms: tuple[Fact, ...]
    definitions: tuple[Term, ...]
    background: tuple[Term, ...]
    theories: Theories
    roots: tuple[Term, ...] = ()
    numbers: tuple[Term, ...] = ()
    holdings: tuple[Holding, ...] = ()
    choices: tuple[Term, ...] = ()
    amounts: tuple[Term, ...] = ()


@record
class Bounds:
    """`objects` is the largest number of objects tried, `limit` what one question may cost.

    `rounds` are the models that are looked at in one scope, `work` is the number of values of
    quantified variables that are tried in all, `total` what all questions together may cost.
    """

    objects: int = 6
    limit: int = 4_000_000
    rounds: int = 60
    work: int = 300_000
    total: int = 20_000_000
