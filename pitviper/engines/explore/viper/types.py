"""Viper's types as types of the model."""

from __future__ import annotations

from pitviper.engines.explore.model.types import (
    ADT,
    BOOLEAN,
    DOMAIN,
    INT,
    MAP,
    MULTISET,
    OBJECT,
    RATIONAL,
    SEQ,
    SET,
    Generic,
    Nominal,
    Type,
)
from pitviper.program import types as pt


def model_type(kind: pt.Type) -> Type:
    match kind:
        case pt.IntType():
            return INT
        case pt.BoolType():
            return BOOLEAN
        case pt.PermType():
            return RATIONAL
        case pt.RefType():
            return OBJECT
        case pt.SeqType(element):
            return Generic(SEQ, (model_type(element),))
        case pt.SetType(element):
            return Generic(SET, (model_type(element),))
        case pt.MultisetType(element):
            return Generic(MULTISET, (model_type(element),))
        case pt.MapType(key, value):
            return Generic(MAP, (model_type(key), model_type(value)))
        case pt.DomainType(name, args):
            return _instance(Nominal(DOMAIN, name), args)
        case pt.AdtType(name, args):
            return _instance(Nominal(ADT, name), args)
        case pt.TypeVar(name):
            return Nominal(DOMAIN, name)


def _instance(definition: Nominal, args: tuple[pt.Type, ...]) -> Type:
    return Generic(definition, tuple([model_type(a) for a in args])) if args else definition


def substituted(kind: pt.Type, names: dict[str, pt.Type]) -> pt.Type:
    """A type with type parameters replaced."""

    def inside(part: pt.Type) -> pt.Type:
        return substituted(part, names)

    match kind:
        case pt.TypeVar(name):
            return names.get(name, kind)
        case pt.SeqType(element):
            return pt.SeqType(inside(element))
        case pt.SetType(element):
            return pt.SetType(inside(element))
        case pt.MultisetType(element):
            return pt.MultisetType(inside(element))
        case pt.MapType(key, value):
            return pt.MapType(inside(key), inside(value))
        case pt.DomainType(name, args):
            return pt.DomainType(name, tuple([inside(a) for a in args]))
        case pt.AdtType(name, args):
            return pt.AdtType(name, tuple([inside(a) for a in args]))
        case _:
            return kind
