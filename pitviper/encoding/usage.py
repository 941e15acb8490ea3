"""Which types a program uses: they decide which theories the solver is told about."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import names_of
from pitviper.encoding.quantified_resources import Found
from pitviper.encoding.symbols import DomainInstance, Symbols
from pitviper.program.assertion import Wand
from pitviper.program.expr import DomainApp, SeqRange
from pitviper.program.member import Domain, Program
from pitviper.program.node import Node
from pitviper.program.types import Type
from pitviper.program.walk import descendants


def register_types(symbols: Symbols) -> None:
    """Make the sorts of all types and domain instances that occur outside generic domains."""
    program = symbols.program
    for field in program.fields.values():
        symbols.leaves[symbols.sort(field.type)] = None
    found = Found()
    for node in _roots(program):
        for inner in descendants(node):
            _register(inner, symbols)
            found.collect(inner)
    _register_maps(found, symbols)
    for domain in program.domains.values():
        if not domain.type_params:
            _register_domain(domain, symbols)


def _roots(program: Program) -> Iterator[Node]:
    yield from program.methods.values()
    yield from program.functions.values()
    yield from program.predicates.values()
    for function in program.functions.values():
        yield from function.params


def _register(node: Node, symbols: Symbols) -> None:
    if isinstance(node, DomainApp):
        symbols.domain_function(node.domain, node.function, node.type_args)
    elif isinstance(node, SeqRange):
        symbols.sort(node.type)
    elif isinstance(node, Wand):
        symbols.shape(node)
    for type_ in _types(node):
        symbols.sort(type_)


def _register_maps(found: Found, symbols: Symbols) -> None:
    """Resources that occur under a quantifier or in a trigger have snapshot maps."""
    for wand in found.quantified.wands.values():
        symbols.wand_maps(symbols.shape(wand).name)
    for name in found.quantified.fields:
        symbols.field_maps(name)
    for name in found.quantified.predicates:
        symbols.predicate_maps(name)


def _types(node: Node) -> Iterator[Type]:
    for name in _type_fields(type(node)):
        yield getattr(node, name)


_TYPE_FIELDS: dict[type, tuple[str, ...]] = {}


def _type_fields(cls: type[Node]) -> tuple[str, ...]:
    found = _TYPE_FIELDS.get(cls)
    if found is None:
        found = tuple([name for name in names_of(cls) if name in ("type", "result")])
        _TYPE_FIELDS[cls] = found
    return found


def _register_domain(domain: Domain, symbols: Symbols) -> None:
    """All axioms of a domain without parameters hold, also where it declares no function."""
    symbols.instances.setdefault(DomainInstance(domain.name, ()), None)
    for function in domain.functions:
        symbols.domain_function(domain.name, function.name, ())
