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
