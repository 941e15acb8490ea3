"""The kinds of a program: which array and which permission map a location belongs to."""

from __future__ import annotations

from pitviper.encoding.symbols import WAND_SNAPSHOT, Symbols
from pitviper.engines.vcg.heap.entry import Family, Kind
from pitviper.program import assertion as pa
from pitviper.program import expr as pe
from pitviper.terms.snapshot import SNAP
from pitviper.terms.sort import REF


def field_kind(name: str, symbols: Symbols) -> Kind:
    value = symbols.sort(symbols.program.fields[name].type)
    return Kind(Family.FIELD, name, (REF,), value)


def predicate_kind(name: str, symbols: Symbols) -> Kind:
    index = tuple([symbols.sort(p.type) for p in symbols.program.predicates[name].params])
    return Kind(Family.PREDICATE, name, index, SNAP)


def wand_kind(wand: pa.Wand, symbols: Symbols) -> Kind:
    shape = symbols.shape(wand)
    index = tuple([symbols.sort(t) for t in shape.types])
    return Kind(Family.WAND, shape.name, index, WAND_SNAPSHOT)


def located(location: pa.Location, symbols: Symbols) -> tuple[Kind, tuple[pe.Expr, ...]]:
    """The kind of a location and the expressions that make its index: for a wand, its holes."""
    match location:
        case pa.FieldLocation(receiver, field):
            return field_kind(field, symbols), (receiver,)
        case pa.PredicateLocation(predicate, args):
            return predicate_kind(predicate, symbols), args
        case pa.Wand():
            return wand_kind(location, symbols), symbols.shape(location).holes
