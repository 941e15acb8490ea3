"""Inverse functions: from an index back to the values of the bound variables that denote it.

NOTE(families). `forall xs :: c ==> acc(e.f, p)` denotes the same indices wherever its terms are the
same. Parts that do not mention the variables are parameters; permissions that differ only in the
values of parameters are one family, with one set of function symbols that take the parameters.
So permissions to the same indices are the same terms, which is how given and taken ones cancel, and
how functions that need these permissions have the same footprint in all members.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from pitviper.base.record import record
from pitviper.encoding.injective import known_inverse
from pitviper.encoding.quantify import Patterns, are_formals, for_all
from pitviper.encoding.symbols import Inverses
from pitviper.encoding.triggers.sums import obstacles
from pitviper.engines.vcg.heap.entry import Kind
from pitviper.terms import build as tb
from pitviper.terms.serialise import terms_to_text
from pitviper.terms.sort import BOOL, Sort
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import App, Term, Var

Formals = tuple[Var, ...]
Naming = Callable[[Term], Term]


def formals_of(sorts: tuple[Sort, ...]) -> Formals:
    """The variables that stand for any index of these sorts."""
    return tuple([tb.variable(f"r{i}", sort) for i, sort in enumerate(sorts)])


@record
class Denoted:
    """`condition ==> amount at the index args`, over constants `xs` that stand for any values.

    `patterns` are terms over `variables`, bound variables for the same `xs`. `some` says that the
    amount is positive wherever the condition holds.
    """

    xs: tuple[Term, ...]
    variables: tuple[Var, ...]
    condition: Term
    args: tuple[Term, ...]
    amount: Term
    patterns: Patterns
    some: bool = False

    @property
    def positive(self) -> Term:
        return tb.TRUE if self.some else tb.greater(self.amount, tb.NONE)

    @property
    def meant(self) -> Term:
        """The values that denote an index with some permission."""
        return tb.conjoin(self.condition, self.positive)

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
            isinstance(pattern, App)
            and not obstacles(pattern)
            and set(self.variables) <= set(pattern.free)
            and not any(len(known) == 1 and known[0] in parts for known in self.patterns)
        )


# ---------------------------------------------------------------- families


@record
class Skeleton:
    """Terms over bound variables `places` in which all else is abstracted to `parameters`."""

    terms: tuple[Term, ...]
    places: tuple[Var, ...]
    parameters: tuple[Var, ...]


def skeleton(terms: tuple[Term, ...], xs: tuple[Term, ...]) -> tuple[Skeleton, tuple[Term, ...]]:
    """Largest parts that mention none of the variables become parameters, numbers as well: a bound
    may be a number here and a variable there. Also the values that the parameters stand for."""
    dependent: set[Term] = set()
    for term in subterms(*terms):
        if term in xs or any(arg in dependent for arg in term.args):
            dependent.add(term)
    found: dict[Term, Term] = {}
    todo = list(reversed(terms))
    done: set[Term] = set()
    while todo:
        term = todo.pop()
        if term in done or term is tb.TRUE or term is tb.FALSE:
            continue
        done.add(term)
        if term not in dependent and not term.free:
            found[term] = tb.variable(f"z{len(found)}", term.sort)
        elif term not in xs:
            todo.extend(reversed(term.args))
    places = tuple([tb.variable(f"x{i}", x.sort) for i, x in enumerate(xs)])
    replacements: dict[Term, Term] = {**found, **dict(zip(xs, places, strict=True))}
    parameters = tuple([v for v in found.values() if isinstance(v, Var)])
    general = tuple([substitute(t, replacements) for t in terms])
    return Skeleton(general, places, parameters), tuple(found)


@record
class Family:
    """Terms over the parameters and the formals: `back` are the values of the bound variables,
    `image` says that an index is denoted at all; `symbols` are the functions in them, if any.
    The digest tells families apart."""

    digest: str
    name: str
    shape: Skeleton
    formals: Formals
    symbols: tuple[Function, ...]
    image: Term
    back: tuple[Term, ...]

    @property
    def domain(self) -> Term:
        """Whether an index is denoted with a positive amount, as far as that depends on it."""
        values: dict[Term, Term] = dict(zip(self.shape.places, self.back, strict=True))
        condition, positive = [substitute(t, values) for t in self.shape.terms[:2]]
        return tb.conjoin(self.image, condition, positive)


Families = dict[object, Family]
"""Those that were met in a member: making one again would give the same."""


def family_of(
    name: str, shape: Skeleton, index: tuple[Sort, ...], families: Families, inverses: Inverses
) -> Family:
    key = (name, shape, index)
    found = families.get(key)
    if found is None:
        found = families[key] = _family(name, shape, formals_of(index), inverses)
    return found


def _family(name: str, shape: Skeleton, formals: Formals, inverses: Inverses) -> Family:
    """The index itself tells the values where each variable is a part of it; else functions do,
    those that a domain function has by itself (NOTE(injective)) or new ones."""
    digest = _digest((*shape.terms, *shape.places, *shape.parameters, *formals))
    args = shape.terms[2:]
    if set(shape.places) <= set(args):
        back: dict[Term, Term] = {}
        for arg, formal in zip(args, formals, strict=True):
            if arg in shape.places:
                back.setdefault(arg, formal)
        fits = [tb.equal(r, substitute(a, back)) for a, r in zip(args, formals, strict=True)]
        values = tuple([back[x] for x in shape.places])
        return Family(digest, name, shape, formals, (), tb.conjoin(*fits), values)
    declared = known_inverse(args, shape.places, inverses)
    if declared is not None:
        known, others = declared
        at = dict(zip(known.positions, known.back, strict=True))
        found = {args[0].args[k]: tb.apply(s, *others, *formals) for k, s in at.items()}
        image = tb.apply(known.image, *others, *formals)
        return Family(
            digest, name, shape, formals, (), image, tuple([found[x] for x in shape.places])
        )
    given = (*shape.parameters, *formals)
    sorts = tuple([v.sort for v in given])
    symbols = (
        function(f"image<{name}>#{digest}", sorts, BOOL),
        *[
            function(f"inverse<{name}>#{digest}.{i}", sorts, x.sort)
            for i, x in enumerate(shape.places)
        ],
    )
    image, *values_ = [tb.apply(symbol, *given) for symbol in symbols]
    return Family(digest, name, shape, formals, symbols, image, tuple(values_))


def _digest(terms: tuple[Term, ...]) -> str:
    """The same in all processes, because axioms travel between them."""
    return sha256(terms_to_text(terms).encode()).hexdigest()[:16]


def image_in(amount: Term) -> Term | None:
    """The term that says that an index is denoted, in the amounts of a quantified permission."""
    for term in subterms(amount):
        if isinstance(term, App) and term.symbol.name.startswith("image<"):
            return term
    return None


# ---------------------------------------------------------------- one member of a family


@record
class Inverse:
    """A family for given values of its parameters: terms over the formals.

    `facts` define its functions; they hold because different values denote different indices.
    """

    family: Family
    parameters: tuple[Term, ...]
    back: dict[Term, Term]
    image: Term
    facts: tuple[Term, ...]

    def amount(self, denoted: Denoted) -> Term:
        """How much is denoted at an index."""
        condition = tb.conjoin(self.image, substitute(denoted.condition, self.back))
        return tb.ite(condition, substitute(denoted.amount, self.back), tb.NONE)


def inverse_of(
    denoted: Denoted, kind: Kind, families: Families, inverses: Inverses, name_of: Naming
) -> Inverse:
    """An amount that is the same for all values does not matter: if it is none, nothing is said.

    `name_of` gives names to values that no trigger may mention.
    """
    name, index = kind.name, kind.index
    varies = not set(subterms(denoted.amount)).isdisjoint(denoted.xs)
    positive = denoted.positive if varies else tb.TRUE
    shape, values = skeleton((denoted.condition, positive, *denoted.args), denoted.xs)
    values = tuple([name_of(value) for value in values])
    family = family_of(name, shape, index, families, inverses)
    ground: dict[Term, Term] = dict(zip(shape.parameters, values, strict=True))
    back: dict[Term, Term] = {
        x: substitute(b, ground) for x, b in zip(denoted.xs, family.back, strict=True)
    }
    image = substitute(family.image, ground)
    facts = _definition(denoted, family, values, back, image) if family.symbols else ()
    return Inverse(family, values, back, image, facts)


def _definition(
    denoted: Denoted,
    family: Family,
    values: tuple[Term, ...],
    back: dict[Term, Term],
    image: Term,
) -> tuple[Term, ...]:
    name, formals = family.name, family.formals
    denoted_at_all, *there = [tb.apply(s, *values, *denoted.args) for s in family.symbols]
    found = tb.conjoin(
        denoted_at_all, *[tb.equal(t, x) for t, x in zip(there, denoted.xs, strict=True)]
    )
    forth = denoted.generalised(tb.implies(denoted.meant, found), f"inverse.{name}", *there)
    meant = tb.conjoin(image, substitute(denoted.meant, back))
    home: Term = tb.implies(meant, are_formals(denoted.args, denoted.xs, back, formals))
    if formals:
        triggers = tuple([(t,) for t in (*back.values(), image)])
        home = tb.forall(formals, home, triggers, f"image.{name}")
    return forth, home


def injectivity(
    denoted: Denoted, learnt: Term, inverses: Inverses, supply: Supply
) -> tuple[Term, tuple[Term, ...]]:
    """Different values denote different indices: stated for the constants and a second copy, with
    what is known about the values of either. Also the copy."""
    if set(denoted.xs) <= set(denoted.args) or known_inverse(denoted.args, denoted.xs, inverses):
        return tb.TRUE, ()
    others = tuple([supply.constant("other", x.sort) for x in denoted.xs])
    binding: dict[Term, Term] = dict(zip(denoted.xs, others, strict=True))
    same_place = tb.conjoin(*[tb.equal(a, substitute(a, binding)) for a in denoted.args])
    same_values = tb.conjoin(*[tb.equal(x, y) for x, y in zip(denoted.xs, others, strict=True)])
    meant = tb.conjoin(denoted.meant, learnt)
    both = tb.conjoin(meant, substitute(meant, binding), same_place)
    return tb.implies(both, same_values), others
