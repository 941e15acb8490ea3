"""Domain functions that axioms make injective, and inverse functions for them.

NOTE(injective). Where an axiom says that `loc(a, i) == loc(a, j)` only if `i == j`, or that some
function gives `i` back, there is one inverse function for all permissions to `loc(a, i).f`: what
their conditions say does not matter. So all of them speak about one function, and the solver does
not go from one inverse to the next. A condition in the axiom, a number in place of a variable or a
variable that occurs twice makes it say less; then each permission has inverse functions of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitviper.base.record import record, replace
from pitviper.encoding.quantify import axiom
from pitviper.encoding.symbols import InverseFunctions, Inverses, Symbols
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.program import types as pt
from pitviper.program.member import Domain
from pitviper.program.walk import descendants
from pitviper.terms import build as tb
from pitviper.terms.sort import BOOL
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function, function
from pitviper.terms.term import App, Term


@record
class _Head:
    """A domain function in one instance of its domain."""

    domain: str
    name: str
    type_args: tuple[pt.Type, ...]


def register_inverses(a: pa.QuantifiedPermission, symbols: Symbols) -> None:
    """Makes inverse functions for the location of a quantified permission, if axioms allow it."""
    match a.resource:
        case pa.Access(pa.FieldLocation(pe.DomainApp() as at)):
            pass
        case pa.Access(pa.PredicateLocation(args=(pe.DomainApp() as at,))):
            pass
        case _:
            return
    names = {v.name for v in a.variables}
    positions = tuple([k for k, arg in enumerate(at.args) if _is_one_of(arg, names)])
    others = [arg for k, arg in enumerate(at.args) if k not in positions]
    used = [arg.name for arg in at.args if isinstance(arg, pe.Var) and arg.name in names]
    if sorted(used) != sorted(names) or any(_mentions(arg, names) for arg in others):
        return
    of = symbols.domain_function(at.domain, at.function, at.type_args)
    if (of, positions) in symbols.inverses:
        return
    head = _Head(at.domain, at.function, at.type_args)
    domains = symbols.program.domains.values()
    if any(set(positions) <= known for d in domains for known in _injective_at(d, head)):
        symbols.inverses[of, positions] = _functions(of, positions)


def _is_one_of(arg: pe.Expr, names: set[str]) -> bool:
    return isinstance(arg, pe.Var) and arg.name in names


def _mentions(arg: pe.Expr, names: set[str]) -> bool:
    return any(isinstance(n, pe.Var) and n.name in names for n in descendants(arg))


def _functions(of: Function, positions: tuple[int, ...]) -> InverseFunctions:
    given = [s for k, s in enumerate(of.domain) if k not in positions]
    sorts = (*given, of.range)
    at = ",".join(map(str, positions))
    image = function(f"image<{of.name}:{at}>", sorts, BOOL)
    back = [function(f"inverse<{of.name}:{at}>.{k}", sorts, of.domain[k]) for k in positions]
    return InverseFunctions(of, positions, image, tuple(back))


def inverse_axioms(known: InverseFunctions) -> tuple[Term, Term]:
    """From arguments to the value and back, and from a value that has some to them and back."""
    of, positions = known.of, known.positions
    args = tuple([tb.variable(f"x{k}", sort) for k, sort in enumerate(of.domain)])
    given = [x for k, x in enumerate(args) if k not in positions]
    value = tb.apply(of, *args)
    same = [
        tb.equal(tb.apply(back, *given, value), args[k])
        for back, k in zip(known.back, positions, strict=True)
    ]
    forth = axiom("inverse", args, tb.conjoin(tb.apply(known.image, *given, value), *same), value)
    r = tb.variable("r", of.range)
    image = tb.apply(known.image, *given, r)
    found = [tb.apply(back, *given, r) for back in known.back]
    values = dict(zip(positions, found, strict=True))
    again = tb.apply(of, *[values.get(k, x) for k, x in enumerate(args)])
    home = axiom("image", (*given, r), tb.implies(image, tb.equal(again, r)), image, *found)
    return forth, home


def known_inverse(
    args: tuple[Term, ...], xs: tuple[Term, ...], inverses: Inverses
) -> tuple[InverseFunctions, tuple[Term, ...]] | None:
    """Inverse functions for a location that is one value of a domain function, whose arguments are
    the `xs`, each once, and others that do not mention them. Also these others."""
    location = args[0] if len(args) == 1 else None
    if not isinstance(location, App) or not isinstance(location.symbol, Function):
        return None
    positions = tuple([k for k, arg in enumerate(location.args) if arg in xs])
    known = inverses.get((location.symbol, positions))
    values = [location.args[k] for k in positions]
    if known is None or len(values) != len(xs) or set(values) != set(xs):
        return None
    given = tuple([arg for k, arg in enumerate(location.args) if k not in positions])
    return (known, given) if set(subterms(*given)).isdisjoint(xs) else None


# ---------------------------------------------------------------- what axioms say


def _injective_at(domain: Domain, head: _Head) -> Iterator[set[int]]:
    """Sets of positions: equal values of the function and equal arguments elsewhere make the
    arguments there equal. Axioms of a generic domain hold of all its instances."""
    if domain.type_params and domain.name == head.domain:
        head = replace(head, type_args=tuple([pt.TypeVar(name) for name in domain.type_params]))
    back: set[int] = set()
    for declared in domain.axioms:
        for variables, claim in _claims(declared.body, ()):
            back |= set(_given_back(claim, variables, head))
            apart = _told_apart(claim, variables, head)
            if apart:
                yield apart
    if back:
        yield back


def _claims(
    e: pe.Expr, variables: tuple[pe.Var, ...]
) -> Iterator[tuple[tuple[pe.Var, ...], pe.Expr]]:
    """The conjuncts of a statement about all values, each with its variables."""
    match e:
        case pe.Forall(bound, _, body):
            outer = [v for v in variables if v.name not in {b.name for b in bound}]
            yield from _claims(body, (*outer, *bound))
        case pe.And(operands):
            for operand in operands:
                yield from _claims(operand, variables)
        case _:
            yield variables, e


def _given_back(claim: pe.Expr, variables: tuple[pe.Var, ...], head: _Head) -> Iterator[int]:
    """`index_of(loc(a, i)) == i`, either way round: the position of `i`."""
    if not isinstance(claim, pe.Equal):
        return
    for one, other in ((claim.left, claim.right), (claim.right, claim.left)):
        match one, other:
            case pe.DomainApp(args=(pe.DomainApp() as value,)), pe.Var(result):
                args = _variables_of(value, variables, head)
                if args is not None and result in args:
                    yield args.index(result)


def _told_apart(claim: pe.Expr, variables: tuple[pe.Var, ...], head: _Head) -> set[int] | None:
    """`loc(a, i) == loc(b, j) ==> i == j`, or that different arguments have different values."""
    match claim:
        case pe.Implies(pe.Equal(left, right), conclusion):
            equal = _pairs(conclusion)
        case pe.Implies(premise, pe.NotEqual(left, right)):
            equal = _different(premise)
        case pe.Equal(pe.Equal(left, right), conclusion):
            equal = _pairs(conclusion)
        case _:
            return None
    one, other = [
        _variables_of(side, variables, head) if isinstance(side, pe.DomainApp) else None
        for side in (left, right)
    ]
    if one is None or other is None or equal is None:
        return None
    if any(one.index(x) != k for k, x in enumerate(other) if x in one):
        return None
    found = {
        k for k, (x, y) in enumerate(zip(one, other, strict=True)) if x != y and {x, y} in equal
    }
    return found or None


def _pairs(e: pe.Expr) -> list[set[str]] | None:
    """The variables that a conjunction says to be equal; it may say more."""
    match e:
        case pe.And(operands):
            return [pair for operand in operands for pair in _pairs(operand) or ()]
        case pe.Equal(pe.Var(x), pe.Var(y)):
            return [{x, y}]
        case _:
            return None


def _different(e: pe.Expr) -> list[set[str]] | None:
    """The variables of which one pair differs; each alone must be enough."""
    match e:
        case pe.NotEqual(pe.Var(x), pe.Var(y)) | pe.Not(pe.Equal(pe.Var(x), pe.Var(y))):
            return [{x, y}]
        case pe.Or(operands):
            parts = [_different(operand) for operand in operands]
            return [pair for part in parts for pair in part or ()]
        case pe.Not(pe.And() as both):
            return _pairs(both)
        case _:
            return None


def _variables_of(e: pe.DomainApp, variables: Sequence[pe.Var], head: _Head) -> list[str] | None:
    """The arguments of an application of the function to different bound variables."""
    bound = {v.name for v in variables}
    if _Head(e.domain, e.function, e.type_args) != head:
        return None
    names = [arg.name for arg in e.args if isinstance(arg, pe.Var) and arg.name in bound]
    return names if len(names) == len(set(names)) == len(e.args) else None
