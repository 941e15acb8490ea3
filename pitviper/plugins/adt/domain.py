"""The domain that stands for an algebraic data type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pitviper.base.record import record
from pitviper.plugins.build import conjunction, disjunction
from pitviper.plugins.names import Names
from pitviper.program.expr import DomainApp, Equal, Expr, Forall, IntLit, Trigger, Var
from pitviper.program.member import Adt, Axiom, Constructor, Domain, DomainFunction, Program
from pitviper.program.types import INT, AdtType, DomainType, Type, TypeVar, rebuild
from pitviper.source.span import Span


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


AsDomain: TypeAlias = Callable[[Type], Type]


@record
class Symbols:
    """Tags count the constructors of a type in alphabetic order."""

    tag_functions: Mapping[str, str]
    destructors: Mapping[tuple[str, str], str]
    tags: Mapping[str, int]

    def tag_of(self, value: Expr, span: Span) -> DomainApp:
        """`tag(value)` for a value of an encoded type."""
        domain = encoded_type(value.type)
        return DomainApp(
            domain.name, self.tag_functions[domain.name], domain.args, (value,), INT, span=span
        )

    def destruct(self, value: Expr, argument: str, result: Type, span: Span) -> DomainApp:
        """`get(value)` for a value of an encoded type."""
        domain = encoded_type(value.type)
        function = self.destructors[domain.name, argument]
        return DomainApp(domain.name, function, domain.args, (value,), result, span=span)


def symbols_of(program: Program, names: Names) -> Symbols:
    tag_functions: dict[str, str] = {}
    destructors: dict[tuple[str, str], str] = {}
    tags: dict[str, int] = {}
    for adt in program.adts.values():
        tag_functions[adt.name] = names.fresh(f"{adt.name}_tag")
        for constructor in adt.constructors:
            for parameter in constructor.params:
                name = names.fresh(f"get_{adt.name}_{parameter.name}")
                destructors[adt.name, parameter.name] = name
        tags.update(_tags(adt))
    return Symbols(tag_functions, destructors, tags)


def _tags(adt: Adt) -> dict[str, int]:
    return {name: tag for tag, name in enumerate(sorted([c.name for c in adt.constructors]))}


def construct(constructor: str, args: tuple[Expr, ...], result: Type, span: Span) -> DomainApp:
    """`C(args)` of an encoded type."""
    domain = encoded_type(result)
    return DomainApp(domain.name, constructor, domain.args, args, result, span=span)


def encoded_type(type_: Type) -> DomainType:
    if not isinstance(type_, DomainType):
        raise TypeError(f"{type_} does not stand for an algebraic data type")
    return type_


def type_encoder() -> AsDomain:
    """Replaces algebraic data types by the domains of the same name, remembering the answers."""
    known: dict[Type, Type] = {}

    def encode(type_: Type) -> Type:
        found = known.get(type_)
        if found is None:
            found = known[type_] = _domain_for(rebuild(type_, encode))
        return found

    return encode


def _domain_for(type_: Type) -> Type:
    return DomainType(type_.name, type_.args) if isinstance(type_, AdtType) else type_


def own_type(adt: Adt) -> DomainType:
    """The encoded type inside the domain: applied to its own parameters."""
    return DomainType(adt.name, tuple([TypeVar(name) for name in adt.type_params]))
