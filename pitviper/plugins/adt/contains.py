"""`derives { contains }`: the arguments of a constructor lie in what it builds."""

from __future__ import annotations

from dataclasses import dataclass

from pitviper.plugins.adt.domain import for_all_built, parameters
from pitviper.plugins.adt.symbols import AsDomain, construct, own_type
from pitviper.plugins.build import conjunction
from pitviper.program.expr import DomainApp, Expr, Var
from pitviper.program.member import Adt, Axiom, Derivation, Program
from pitviper.program.types import BOOL

CONTAINS = "contains"


@dataclass(frozen=True, slots=True)
class Contains:
    """The relation that a library file declares."""

    domain: str

    def of(self, part: Expr, whole: Expr) -> DomainApp:
        types = (part.type, whole.type)
        return DomainApp(self.domain, CONTAINS, types, (part, whole), BOOL, span=part.span)


def contains_relation(program: Program) -> Contains | None:
    """None if the program does not import the relation: then nothing is derived."""
    for domain in program.domains.values():
        if len(domain.type_params) == 2 and any(f.name == CONTAINS for f in domain.functions):
            return Contains(domain.name)
    return None


def contains_axioms(adt: Adt, contains: Contains, encode: AsDomain) -> list[Axiom]:
    """One axiom for each constructor with an argument that is not left out."""
    axioms: list[Axiom] = []
    for derivation in adt.derivations:
        if derivation.name != CONTAINS:
            continue
        for constructor in adt.constructors:
            variables = parameters(constructor, encode)
            parts = [x for x in variables if _is_part(x, derivation, encode)]
            if parts:
                built = construct(constructor.name, variables, own_type(adt), constructor.span)
                fact = conjunction([contains.of(x, built) for x in parts], derivation.span)
                axiom = for_all_built(variables, built, fact)
                axioms.append(Axiom(None, axiom, span=derivation.span))
    return axioms


def _is_part(argument: Var, derivation: Derivation, encode: AsDomain) -> bool:
    """`contains[T]` speaks of the arguments of type T only."""
    wanted = derivation.type_arg
    fits = wanted is None or encode(wanted) == argument.type
    return fits and argument.name not in derivation.without
