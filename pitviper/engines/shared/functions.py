"""The terms that a function is verified with, and the axioms that do not depend on its body.

How a body is evaluated, and how what was found out for constants becomes an axiom for all values,
is a rule of each verifier.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self, TypeVar

from pitviper.base.record import record
from pitviper.encoding.symbols import Symbols
from pitviper.encoding.triggers.sums import is_matchable
from pitviper.program import expr as pe
from pitviper.program.assertion import Access, PredicateLocation
from pitviper.program.callgraph import CallGraph
from pitviper.program.member import Function
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants, free_vars, rewrite
from pitviper.terms import build as tb
from pitviper.terms import symbol
from pitviper.terms.snapshot import SNAP
from pitviper.terms.substitute import subterms
from pitviper.terms.supply import Supply
from pitviper.terms.term import App, Term, Var

N = TypeVar("N", bound=Node)


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

    def unrolled_axioms(self, trigger: symbol.Function, index: Sequence[Term]) -> list[Term]:
        """Returns that an application is of interest where an instance was folded or unfolded.

        Its snapshot tells of many instances: which of them was meant is not looked at, so that the
        trigger need not be found in it. By its weight it is used where nothing else helps: where a
        claim is false, chains of applications would be followed in every order.
        """
        opened = tb.variable("opened", SNAP)
        mark = tb.apply(trigger, opened, *index)
        own = {t for t in subterms(mark) if isinstance(t, App) and not t.args and _is_made(t)}
        if not own <= set(self.args) or not is_matchable((mark,)):
            return []
        limited, full, mark = self.generalised((self.limited, self.full, mark))
        name = f"{self.function.name}.unrolled"
        variables, same = (*self.variables, opened), tb.equal(limited, full)
        return [tb.forall(variables, same, ((limited, mark),), name, weight=12)]

    def total_axioms(self) -> list[Term]:
        """Returns that a function without precondition may be applied to anything."""
        if self.function.preconditions:
            return []
        return [self.axiom(self.holds, [(self.limited,)], "total")]


def _is_made(constant: App) -> bool:
    """Whether it was made for values of one member."""
    return isinstance(constant.symbol, symbol.Function) and "@" in constant.symbol.name


def is_opaque(function: Function) -> bool:
    """Says whether applications of a function tell only what its contract says."""
    return any(annotation.key == "opaque" for annotation in function.annotations)


def predicates_to_unroll(function: Function, calls: CallGraph) -> list[PredicateLocation]:
    """Returns the instances whose folding and unfolding makes the definition of interest: the
    outermost unfoldings around recursive calls; if there are none, those of the precondition.

    An unfolding of an instance that the body names by a variable of its own may open any instance
    of that predicate that the precondition has.
    """
    formals = _formals(function)
    held = [at for at in _instances(function) if free_vars(at) <= formals]
    if not calls.is_recursive(function.name) or function.body is None:
        return held
    opened = _unfoldings(function.body, function, calls, {})
    inner = {at.predicate for at in opened if not free_vars(at) <= formals}
    plain = [at for at in opened if free_vars(at) <= formals]
    return [*plain, *[at for at in held if at.predicate in inner]]


def opened_of_many(function: Function, calls: CallGraph) -> list[PredicateLocation]:
    """Returns the instances around recursive calls that are among many of the precondition."""
    if not calls.is_recursive(function.name) or function.body is None:
        return []
    formals = _formals(function)
    many = {at.predicate for at in _instances(function) if not free_vars(at) <= formals}
    opened = _unfoldings(function.body, function, calls, {})
    return [at for at in opened if at.predicate in many and free_vars(at) <= formals]


def _formals(function: Function) -> frozenset[str]:
    return frozenset([p.name for p in function.params])


def _instances(function: Function) -> list[PredicateLocation]:
    return [
        node.location
        for pre in function.preconditions
        for node in descendants(pre)
        if isinstance(node, Access) and isinstance(node.location, PredicateLocation)
    ]


def _unfoldings(
    e: Node, function: Function, calls: CallGraph, known: Mapping[str, pe.Expr]
) -> list[PredicateLocation]:
    """Instances by their names outside, where the body says what an inner name stands for:
    `forall y :: y == x ==> unfolding P(y) in ...`, `let y == (x) in unfolding P(y) in ...`."""
    if isinstance(e, pe.Unfolding) and any(
        isinstance(n, pe.FunctionApp) and calls.same_component(n.function, function.name)
        for n in descendants(e.body)
    ):
        return [_by_outer_names(e.predicate, known)]
    match e:
        case pe.Let(variable, bound):
            known = {**known, variable.name: _by_outer_names(bound, known)}
        case pe.Implies(left):
            known = {**_equations(left, _formals(function)), **known}
    return [p for child in children(e) for p in _unfoldings(child, function, calls, known)]


def _equations(guard: pe.Expr, formals: frozenset[str]) -> dict[str, pe.Expr]:
    """What a guard says of variables that are no formals, in terms of formals."""
    found: dict[str, pe.Expr] = {}
    parts = guard.operands if isinstance(guard, pe.And) else (guard,)
    for part in [part for part in parts if isinstance(part, pe.Equal)]:
        for name, value in ((part.left, part.right), (part.right, part.left)):
            variable = name.name if isinstance(name, pe.Var) else None
            if variable is not None and variable not in formals and free_vars(value) <= formals:
                found.setdefault(variable, value)
    return found


def _by_outer_names(node: N, known: Mapping[str, pe.Expr]) -> N:
    return rewrite(node, lambda at: known.get(at.name) if isinstance(at, pe.Var) else None)
