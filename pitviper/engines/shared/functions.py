"""The terms that a function is verified with, and the axioms that do not depend on its body.

How a body is evaluated, and how what was found out for constants becomes an axiom for all values,
is a rule of each verifier.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

from pitviper.base.record import record
from pitviper.encoding.symbols import Symbols
from pitviper.program import expr as pe
from pitviper.program.assertion import Access, PredicateLocation
from pitviper.program.callgraph import CallGraph
from pitviper.program.member import Function
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants, free_vars
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.supply import Supply
from pitviper.terms.term import App, Term, Var


@record
class FunctionSetting(ABC):
    """Constants for the snapshot and the arguments of a function, and its symbols applied to them.

    See `FunctionSymbols` for `holds`, `full`, `limited`, `anywhere` and `called`. A verifier
    extends this by what it needs to generalise over the constants.
    """

    function: Function
    snap: App
    args: tuple[App, ...]
    holds: Term
    full: Term
    limited: Term
    anywhere: Term
    called: Term

    @classmethod
    def of(cls, function: Function, symbols: Symbols, supply: Supply, **own: Any) -> Self:
        """Returns the setting with new constants; `own` are the fields of the verifier's class."""
        snap = supply.constant("s", SNAP)
        args = tuple([supply.constant(p.name, symbols.sort(p.type)) for p in function.params])
        known = symbols.function(function.name)
        return cls(
            function,
            snap,
            args,
            tb.apply(known.holds, snap, *args),
            tb.apply(known.full, snap, *args),
            tb.apply(known.limited, snap, *args),
            tb.apply(known.anywhere, *args),
            tb.apply(known.called, snap, *args),
            **own,
        )

    @property
    def constants(self) -> tuple[App, ...]:
        return (self.snap, *self.args)

    @property
    def variables(self) -> tuple[Var, ...]:
        """The bound variables that the constants become in axioms."""
        return tuple([tb.variable(c.symbol.name, c.sort) for c in self.constants])

    @abstractmethod
    def generalised(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """Returns the terms with variables for the constants: each verifier has a rule for it."""

    def axiom(self, body: Term, patterns: Sequence[tuple[Term, ...]], name: str) -> Term:
        """Returns the body for all snapshots and arguments."""
        triggers = tuple([self.generalised(pattern) for pattern in patterns])
        (general,) = self.generalised((body,))
        return tb.forall(self.variables, general, triggers, f"{self.function.name}.{name}")

    def basic_axioms(self) -> list[Term]:
        """Returns what is known of every application."""
        return [
            self.axiom(tb.equal(self.limited, self.full), [(self.full,)], "limited"),
            self.axiom(self.anywhere, [(self.limited,)], "anywhere")
            if self.args
            else self.anywhere,
        ]

    def total_axioms(self) -> list[Term]:
        """Returns that a function without precondition may be applied to anything."""
        if self.function.preconditions:
            return []
        return [self.axiom(self.holds, [(self.limited,)], "total")]


def is_opaque(function: Function) -> bool:
    """Says whether applications of a function tell only what its contract says."""
    return any(annotation.key == "opaque" for annotation in function.annotations)


def predicates_to_unroll(function: Function, calls: CallGraph) -> list[PredicateLocation]:
    """Returns the instances whose folding and unfolding makes the definition of interest: the
    outermost unfoldings around recursive calls; if there are none, those of the precondition.

    An unfolding of an instance that the body names by a variable of its own (`forall y :: y == x
    ==> unfolding P(y) in ...`) may open any instance of that predicate that the precondition has.
    """
    formals = frozenset([p.name for p in function.params])
    held = [at for at in _instances(function) if free_vars(at) <= formals]
    if not calls.is_recursive(function.name) or function.body is None:
        return held
    opened = _unfoldings(function.body, function, calls)
    inner = {at.predicate for at in opened if not free_vars(at) <= formals}
    plain = [at for at in opened if free_vars(at) <= formals]
    return [*plain, *[at for at in held if at.predicate in inner]]


def _instances(function: Function) -> list[PredicateLocation]:
    return [
        node.location
        for pre in function.preconditions
        for node in descendants(pre)
        if isinstance(node, Access) and isinstance(node.location, PredicateLocation)
    ]


def _unfoldings(e: Node, function: Function, calls: CallGraph) -> list[PredicateLocation]:
    if isinstance(e, pe.Unfolding) and any(
        isinstance(n, pe.FunctionApp) and calls.same_component(n.function, function.name)
        for n in descendants(e.body)
    ):
        return [e.predicate]
    return [p for child in children(e) for p in _unfoldings(child, function, calls)]
