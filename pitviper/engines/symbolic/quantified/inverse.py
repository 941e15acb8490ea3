"""Inverse functions: from a location back to the values of the variables that denote it."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.encoding.quantify import Patterns, are_formals, for_all
from pitviper.encoding.triggers.sums import is_matchable
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Resource
from pitviper.engines.symbolic.wands.hypothetical import Chosen
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import Term, Var


@record
class Denoted:
    """`condition(xs) ==> amount of the location args(xs)`, over symbols `xs` for any values.

    `variables` are bound variables for the same `xs`; `patterns` are terms over them. `some` says
    that the amount is positive wherever the condition holds.
    """

    xs: tuple[Term, ...]
    variables: tuple[Var, ...]
    condition: Term
    args: tuple[Term, ...]
    amount: Term
    patterns: Patterns
    some: bool = False

    @property
    def meant(self) -> Term:
        """The values that denote a location with some permission."""
        if self.some:
            return self.condition
        return tb.conjoin(self.condition, tb.greater(self.amount, tb.NONE))

    def generalised(self, body: Term, name: str, *patterns: Term) -> Term:
        """The body, a term over `xs`, for all values; it also fires for the given patterns."""
        binding: dict[Term, Term] = dict(zip(self.xs, self.variables, strict=True))
        bound = [substitute(p, binding) for p in patterns]
        extra = tuple([(p,) for p in bound if self._is_useful(p)])
        return for_all(self.variables, substitute(body, binding), (*self.patterns, *extra), name)

    def _is_useful(self, pattern: Term) -> bool:
        """Whether it covers the variables, and no part of it does so already."""
        parts = set(subterms(pattern))
        return (
            is_matchable((pattern,))
            and set(self.variables) <= set(pattern.free)
            and not any(len(known) == 1 and known[0] in parts for known in self.patterns)
        )


@record
class Inverse:
    """`back` maps `xs` to terms over the formals; `image` says that a location is denoted at all.

    `facts` define them; `terms` wake the definitions up. `choice` is what would hold even if
    several values denoted one location: some of them are found.
    """

    back: dict[Term, Term]
    image: Term
    facts: tuple[Term, ...]
    terms: tuple[Term, ...]
    choice: Chosen | None = None

    def at_formals(self, term: Term) -> Term:
        return substitute(term, self.back)


def inverse_of(
    denoted: Denoted, formals: tuple[Var, ...], resource: Resource, cx: Context
) -> Inverse:
    """The arguments themselves where each variable is one of them; else functions.

    The same locations have the same inverse functions on every use. So permissions to them are the
    same terms, and functions that need these permissions have the same footprint.
    """
    direct = _direct(denoted, formals)
    if direct is not None:
        return direct
    name = resource.name
    outer = _mentioned_binders(denoted, cx)
    image_symbol, *symbols = _symbols(denoted, formals, resource, outer, cx)
    there = [tb.apply(s, *outer, *denoted.args) for s in symbols]
    back = [tb.apply(s, *outer, *formals) for s in symbols]
    binding: dict[Term, Term] = dict(zip(denoted.xs, back, strict=True))
    image = tb.apply(image_symbol, *outer, *formals)
    denoted_at_all = tb.apply(image_symbol, *outer, *denoted.args)
    found = tb.conjoin(
        denoted_at_all,
        *[tb.equal(t, x) for t, x in zip(there, denoted.xs, strict=True)],
    )
    forth = denoted.generalised(tb.implies(denoted.meant, found), f"inverse.{name}", *there)
    meant = tb.conjoin(image, substitute(denoted.meant, binding))
    home: Term = tb.implies(meant, are_formals(denoted.args, denoted.xs, binding, formals))
    triggers = tuple([(t,) for t in (*back, image)])
    if formals:
        home = tb.forall(formals, home, triggers, f"image.{name}")
    values: dict[Term, Term] = dict(zip(denoted.xs, there, strict=True))
    some = tb.conjoin(denoted_at_all, substitute(denoted.meant, values))
    weaker = denoted.generalised(tb.implies(denoted.meant, some), f"image.{name}", *there)
    choice = Chosen((image_symbol, *symbols), (weaker, home))
    return Inverse(binding, image, (forth, home), tuple(back), choice)


def _mentioned_binders(denoted: Denoted, cx: Context) -> tuple[Term, ...]:
    mentioned = set(subterms(denoted.meant, *denoted.args)) if cx.binders else set()
    return tuple([b for b in cx.binders if b in mentioned])


def _symbols(
    denoted: Denoted,
    formals: tuple[Var, ...],
    resource: Resource,
    outer: tuple[Term, ...],
    cx: Context,
) -> tuple[Function, ...]:
    """The symbol of the image, then one for each variable; functions of the binders that occur.

    An amount that is the same for all locations does not matter: if it is none, nothing is said.
    """
    places: dict[Term, Term] = {x: tb.variable(f"x@{i}", x.sort) for i, x in enumerate(denoted.xs)}
    amounts = set(subterms(denoted.amount))
    domain = denoted.condition if amounts.isdisjoint(denoted.xs) else denoted.meant
    shape = tuple([substitute(t, places) for t in (domain, *denoted.args)])
    key = (resource, tuple(places.values()), shape, outer)
    found = cx.services.inverses.get(key)
    if found is None:
        supply = cx.services.supply
        sorts = tuple([t.sort for t in (*outer, *formals)])
        found = cx.services.inverses[key] = (
            supply.function(f"image_{resource.name}", sorts, BOOL),
            *[supply.function(f"inverse_{resource.name}", sorts, x.sort) for x in denoted.xs],
        )
    return found


def _direct(denoted: Denoted, formals: tuple[Var, ...]) -> Inverse | None:
    """If every variable is an argument, it can be read off; other arguments become conditions."""
    if not set(denoted.xs) <= set(denoted.args):
        return None
    back: dict[Term, Term] = {}
    for arg, formal in zip(denoted.args, formals, strict=True):
        if arg in denoted.xs:
            back.setdefault(arg, formal)
    fits = [
        tb.equal(formal, substitute(arg, back))
        for arg, formal in zip(denoted.args, formals, strict=True)
    ]
    return Inverse(back, tb.conjoin(*fits), (), ())


def injectivity(denoted: Denoted, learnt: Term, cx: Context) -> Term:
    """Different values denote different locations: stated for the symbols and a second copy, with
    what is known about the values of either."""
    if set(denoted.xs) <= set(denoted.args):
        return tb.TRUE
    others = [cx.services.supply.constant("other", x.sort) for x in denoted.xs]
    binding: dict[Term, Term] = dict(zip(denoted.xs, others, strict=True))
    same_place = tb.conjoin(*[tb.equal(a, substitute(a, binding)) for a in denoted.args])
    same_values = tb.conjoin(*[tb.equal(x, y) for x, y in zip(denoted.xs, others, strict=True)])
    meant = tb.conjoin(denoted.meant, learnt)
    both = tb.conjoin(meant, substitute(meant, binding), same_place)
    return tb.implies(both, same_values)
