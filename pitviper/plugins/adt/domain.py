"""The domain that stands for an algebraic data type."""

from __future__ import annotations

from pitviper.plugins.adt.symbols import AsDomain, Symbols, construct, own_type
from pitviper.plugins.build import conjunction, disjunction
from pitviper.plugins.names import Names
from pitviper.program.expr import DomainApp, Equal, Expr, Forall, IntLit, Trigger, Var
from pitviper.program.member import Adt, Axiom, Constructor, Domain, DomainFunction
from pitviper.program.types import INT, Type


def domain_of(adt: Adt, symbols: Symbols, encode: AsDomain, names: Names) -> Domain:
    """Constructors, destructors and tag function with the axioms that define them."""
    value = Var(names.fresh("value"), own_type(adt), span=adt.span)
    return Domain(
        adt.name,
        adt.type_params,
        None,
        _functions(adt, symbols, encode, value),
        _axioms(adt, symbols, encode, value),
        annotations=adt.annotations,
        span=adt.span,
    )


def _functions(
    adt: Adt, symbols: Symbols, encode: AsDomain, value: Var
) -> tuple[DomainFunction, ...]:
    functions: list[DomainFunction] = []
    for constructor in adt.constructors:
        functions.append(
            DomainFunction(
                constructor.name,
                parameters(constructor, encode),
                value.type,
                unique=False,
                interpretation=None,
                annotations=constructor.annotations,
                span=constructor.span,
            )
        )
    for constructor in adt.constructors:
        for parameter in parameters(constructor, encode):
            name = symbols.destructors[adt.name, parameter.name]
            functions.append(_unary(name, value, parameter.type))
    functions.append(_unary(symbols.tag_functions[adt.name], value, INT))
    return tuple(functions)


def _unary(name: str, value: Var, result: Type) -> DomainFunction:
    return DomainFunction(
        name, (value,), result, unique=False, interpretation=None, span=value.span
    )


def _axioms(adt: Adt, symbols: Symbols, encode: AsDomain, value: Var) -> tuple[Axiom, ...]:
    axioms = [
        Axiom(None, _inversion(c, symbols, encode, value), span=c.span) for c in adt.constructors
    ]
    axioms.append(Axiom(None, _exhaustion(adt, symbols, encode, value), span=adt.span))
    return tuple(axioms)


def _inversion(c: Constructor, symbols: Symbols, encode: AsDomain, value: Var) -> Expr:
    """Destructors and tag give back what a constructor was applied to, and which one it was."""
    variables = parameters(c, encode)
    built = construct(c.name, variables, value.type, c.span)
    tag = IntLit(symbols.tags[c.name], span=c.span)
    facts: list[Expr] = [Equal(symbols.tag_of(built, c.span), tag, span=c.span)]
    for x in variables:
        facts.append(Equal(symbols.destruct(built, x.name, x.type, x.span), x, span=x.span))
    return for_all_built(variables, built, conjunction(facts, c.span))


def for_all_built(variables: tuple[Var, ...], built: DomainApp, fact: Expr) -> Expr:
    """A fact about all values that a constructor builds, told where one is built."""
    if not variables:
        return fact
    return Forall(variables, (Trigger((built,), span=fact.span),), fact, span=fact.span)


def _exhaustion(adt: Adt, symbols: Symbols, encode: AsDomain, value: Var) -> Expr:
    """Every value is built by a constructor; told where its tag or a part of it is asked for."""
    cases: list[Expr] = []
    asked: list[Expr] = [symbols.tag_of(value, adt.span)]
    for c in adt.constructors:
        parts: list[Expr] = []
        for x in parameters(c, encode):
            parts.append(symbols.destruct(value, x.name, x.type, adt.span))
        asked += parts
        built = construct(c.name, tuple(parts), value.type, adt.span)
        cases.append(Equal(value, built, span=adt.span))
    triggers = tuple([Trigger((term,), span=adt.span) for term in asked])
    return Forall((value,), triggers, disjunction(cases, adt.span), span=adt.span)


def parameters(constructor: Constructor, encode: AsDomain) -> tuple[Var, ...]:
    return tuple([Var(p.name, encode(p.type), span=p.span) for p in constructor.params])
