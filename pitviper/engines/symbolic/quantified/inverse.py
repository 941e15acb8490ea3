"""Inverse functions: from a location back to the values of the variables that denote it."""

from __future__ import annotations

from pitviper.base.record import record, replace
from pitviper.encoding.injective import known_inverse
from pitviper.encoding.quantify import Patterns, are_formals, for_all
from pitviper.encoding.symbols import InverseFunctions
from pitviper.encoding.triggers.sums import is_matchable, obstacles
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.heap.chunk import Resource
from pitviper.engines.symbolic.services import Met
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
    direct = _direct(denoted, formals) or _declared(denoted, formals, resource, cx)
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
    """The symbol of the image, then one for each variable; functions of the binders that occur."""
    met = replace(_met(denoted, resource), binders=outer)
    found = cx.services.inverses.get(met)
    if found is None:
        supply = cx.services.supply
        sorts = tuple([t.sort for t in (*outer, *formals)])
        found = cx.services.inverses[met] = (
            supply.function(f"image_{resource.name}", sorts, BOOL),
            *[supply.function(f"inverse_{resource.name}", sorts, x.sort) for x in denoted.xs],
        )
    return found


def _met(denoted: Denoted, resource: Resource) -> Met:
    """An amount that is the same for all locations does not matter: if it is none, nothing is
    said."""
    variables = tuple([tb.variable(f"x@{i}", x.sort) for i, x in enumerate(denoted.xs)])
    places: dict[Term, Term] = dict(zip(denoted.xs, variables, strict=True))
    amounts = set(subterms(denoted.amount))
    domain = denoted.condition if amounts.isdisjoint(denoted.xs) else denoted.meant
    args = tuple([substitute(arg, places) for arg in denoted.args])
    return Met(resource, variables, substitute(domain, places), args)


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


def _declared(
    denoted: Denoted, formals: tuple[Var, ...], resource: Resource, cx: Context
) -> Inverse | None:
    """The inverse functions that a domain function has by itself: see NOTE(injective)."""
    found = _known(denoted, cx)
    if found is None:
        return None
    known, given = found
    (location,) = denoted.args
    at = {location.args[k]: symbol for k, symbol in zip(known.positions, known.back, strict=True)}
    symbols = [at[x] for x in denoted.xs]
    met = replace(_met(denoted, resource), given=given, is_shared=True)
    cx.services.inverses[met] = (known.image, *symbols)
    back: dict[Term, Term] = {x: tb.apply(at[x], *given, *formals) for x in denoted.xs}
    image = tb.apply(known.image, *given, *formals)
    return Inverse(back, image, (), tuple(back.values()))


def _known(denoted: Denoted, cx: Context) -> tuple[InverseFunctions, tuple[Term, ...]] | None:
    """Not where a trigger could not mention the other arguments."""
    found = known_inverse(denoted.args, denoted.xs, cx.services.symbols.inverses)
    return None if found is None or any(obstacles(arg) for arg in found[1]) else found


def injectivity(denoted: Denoted, learnt: Term, cx: Context) -> Term:
    """Different values denote different locations: stated for the symbols and a second copy, with
    what is known about the values of either."""
    if set(denoted.xs) <= set(denoted.args) or _known(denoted, cx) is not None:
        return tb.TRUE
    others = [cx.services.supply.constant("other", x.sort) for x in denoted.xs]
    binding: dict[Term, Term] = dict(zip(denoted.xs, others, strict=True))
    same_place = tb.conjoin(*[tb.equal(a, substitute(a, binding)) for a in denoted.args])
    same_values = tb.conjoin(*[tb.equal(x, y) for x, y in zip(denoted.xs, others, strict=True)])
    meant = tb.conjoin(denoted.meant, learnt)
    both = tb.conjoin(meant, substitute(meant, binding), same_place)
    return tb.implies(both, same_values)
