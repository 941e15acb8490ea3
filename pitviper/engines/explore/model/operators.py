"""What each operator accepts and gives: the signatures that the type checker uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pitviper.engines.explore.model.types import (
    BOOLEAN,
    HEAP,
    INT,
    INVALID,
    MAP,
    MULTISET,
    NULL,
    OBJECT,
    RATIONAL,
    SEQ,
    SET,
    Generic,
    Nominal,
    Type,
    name_of,
)

Types: TypeAlias = tuple[Type, ...]
Rule: TypeAlias = Callable[[Types, Type], Type]
"""From the types of the arguments, and the one that the term claims, to the type it has."""

NUMBERS = (INT, RATIONAL)
COLLECTIONS = (SEQ, SET, MULTISET, MAP)
ANY = Nominal("", "any")


def _arithmetic(args: Types, claimed: Type) -> Type:
    if not all(a in NUMBERS for a in args):
        return INVALID
    return RATIONAL if RATIONAL in args else INT


def _integers(args: Types, claimed: Type) -> Type:
    return INT if all(a == INT for a in args) else INVALID


def _rational(args: Types, claimed: Type) -> Type:
    return RATIONAL if all(a in NUMBERS for a in args) else INVALID


def _comparison(args: Types, claimed: Type) -> Type:
    return BOOLEAN if len(args) == 2 and all(a in NUMBERS for a in args) else INVALID


def _logic(args: Types, claimed: Type) -> Type:
    return BOOLEAN if all(a == BOOLEAN for a in args) else INVALID


def _equality(args: Types, claimed: Type) -> Type:
    return BOOLEAN if len(args) == 2 and same(args[0], args[1]) else INVALID


def _choice(args: Types, claimed: Type) -> Type:
    fits = len(args) == 3 and args[0] == BOOLEAN and same(args[1], args[2])
    return args[1] if fits else INVALID


def _literal(definition: Nominal, stride: int = 1) -> Rule:
    def rule(args: Types, claimed: Type) -> Type:
        if claimed == ANY or not isinstance(claimed, Generic) or claimed.definition != definition:
            return claimed if claimed == ANY else INVALID
        fits = all(same(a, claimed.args[i % stride]) for i, a in enumerate(args))
        return claimed if fits else INVALID

    return rule


def _same_kind(args: Types, claimed: Type) -> Type:
    """Two collections of one type."""
    return args[0] if len(args) == 2 and same(args[0], args[1]) else INVALID


def _sequence_and_number(args: Types, claimed: Type) -> Type:
    return args[0] if name_of(args[0]) == SEQ and args[1] == INT else INVALID


def _element(args: Types, claimed: Type) -> Type:
    match args:
        case (Generic(definition, (element,)), kind) if definition == SEQ and kind == INT:
            return element
        case _:
            return INVALID


def _membership(args: Types, claimed: Type) -> Type:
    match args:
        case (element, Generic(definition, (inner, *_))) if definition in COLLECTIONS:
            return BOOLEAN if same(element, inner) else INVALID
        case _:
            return INVALID


def _number_of(args: Types, claimed: Type) -> Type:
    return INT if name_of(args[-1]) in COLLECTIONS else INVALID


def _lookup(args: Types, claimed: Type) -> Type:
    match args:
        case (Generic(definition, (key, value)), given, *_) if definition == MAP:
            return value if same(key, given) else INVALID
        case _:
            return INVALID


def _on_heap(result: Type | None) -> Rule:
    """Reads of a heap; the type of a value is that of its field, as the term claims."""

    def rule(args: Types, claimed: Type) -> Type:
        if not args or args[0] != HEAP:
            return INVALID
        return claimed if result is None else result

    return rule


def _claimed(args: Types, claimed: Type) -> Type:
    return INVALID if INVALID in args else claimed


def same(one: Type, other: Type) -> bool:
    """Equal, or one of them the null reference, or of unknown elements."""
    if one == other or ANY in (one, other):
        return True
    if {one, other} == {NULL, OBJECT}:
        return True
    if isinstance(one, Generic) and isinstance(other, Generic):
        return one.definition == other.definition and all(
            same(a, b) for a, b in zip(one.args, other.args, strict=True)
        )
    return False


RULES: dict[str, Rule] = {
    **dict.fromkeys(("add", "sub", "mul", "neg"), _arithmetic),
    **dict.fromkeys(("div", "mod"), _integers),
    **dict.fromkeys(("fraction", "rational"), _rational),
    **dict.fromkeys(("less", "at_most"), _comparison),
    **dict.fromkeys(("not", "and", "or", "implies"), _logic),
    **dict.fromkeys(("equal", "differ"), _equality),
    "choice": _choice,
    "seq": _literal(SEQ),
    "set": _literal(SET),
    "multiset": _literal(MULTISET),
    "map": _literal(MAP, 2),
    "range": lambda args, claimed: Generic(SEQ, (INT,)) if args == (INT, INT) else INVALID,
    **dict.fromkeys(("append", "union", "intersection", "difference"), _same_kind),
    "subset": _equality,
    **dict.fromkeys(("take", "drop"), _sequence_and_number),
    "index": _element,
    "update": lambda args, claimed: args[0] if name_of(args[0]) == SEQ else INVALID,
    **dict.fromkeys(("seq_contains", "contains", "has_key"), _membership),
    **dict.fromkeys(("count", "size"), _number_of),
    "lookup": _lookup,
    "map_update": lambda args, claimed: args[0] if name_of(args[0]) == MAP else INVALID,
    "held": _on_heap(RATIONAL),
    "held_instance": _on_heap(RATIONAL),
    "held_wand": _on_heap(RATIONAL),
    "wand_arguments": _on_heap(None),
    "read": _on_heap(None),
    "receivers": _on_heap(None),
    "arguments": _on_heap(None),
    "is": lambda args, claimed: BOOLEAN,
    "is_null": lambda args, claimed: BOOLEAN if args == (OBJECT,) else INVALID,
    "symbolic": lambda args, claimed: BOOLEAN,
    **dict.fromkeys(
        ("keys", "values", "candidates", "construct", "part", "table", "for_all"), _claimed
    ),
}
"""By operator."""

_ANY_NUMBER = (
    "add", "mul", "and", "or", "seq", "set", "multiset", "map", "construct", "table", "for_all",
    "candidates",
    "held", "held_instance", "held_wand", "wand_arguments", "read", "receivers", "arguments",
    "symbolic", "append", "union",
)  # fmt: skip
_ONE = (
    "neg", "not", "rational", "size", "is", "is_null", "keys", "values", "part",
)  # fmt: skip
_THREE = ("choice", "update", "map_update")


def arity(operator: str) -> int | None:
    """How many arguments an operator has; None for any number."""
    if operator in _ANY_NUMBER:
        return None
    return 1 if operator in _ONE else 3 if operator in _THREE else 2
