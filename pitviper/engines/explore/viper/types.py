"""Viper's types as types of the model."""

from __future__ import annotations

from pitviper.engines.explore.model import types as mt
from pitviper.program import types as pt


def model_type(kind: pt.Type) -> mt.Type:
    match kind:
        case pt.IntType():
            return mt.INT
        case pt.BoolType():
            return mt.BOOLEAN
        case pt.PermType():
            return mt.RATIONAL
        case pt.RefType():
            return mt.OBJECT
        case pt.SeqType(element):
            return mt.Generic(mt.SEQ, (model_type(element),))
        case pt.SetType(element):
            return mt.Generic(mt.SET, (model_type(element),))
        case pt.MultisetType(element):
            return mt.Generic(mt.MULTISET, (model_type(element),))
        case pt.MapType(key, value):
            return mt.Generic(mt.MAP, (model_type(key), model_type(value)))
        case pt.DomainType(name, args):
            return _instance(mt.Nominal(mt.DOMAIN, name), args)
        case pt.AdtType(name, args):
            return _instance(mt.Nominal(mt.ADT, name), args)
        case pt.TypeVar(name):
            return mt.Nominal(mt.DOMAIN, name)


def _instance(definition: mt.Nominal, args: tuple[pt.Type, ...]) -> mt.Type:
    return mt.Generic(definition, tuple([model_type(a) for a in args])) if args else definition


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
