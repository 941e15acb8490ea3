"""Terms for the strict operators: those whose operands are all evaluated, from left to right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar, cast

from pitviper.encoding.symbols import Symbols
from pitviper.encoding.theories.maps import Maps
from pitviper.encoding.theories.multisets import Multisets
from pitviper.encoding.theories.sequences import Sequences
from pitviper.encoding.theories.sets import Sets, Unordered
from pitviper.program import expr as pe
from pitviper.program.types import MapType, MultisetType, SeqType, SetType, Type
from pitviper.program.walk import children
from pitviper.terms import build as tb
from pitviper.terms.sort import INT, REF
from pitviper.terms.symbol import Function
from pitviper.terms.term import Term

Operands: TypeAlias = tuple[Term, ...]
T = TypeVar("T", Sequences, Sets, Multisets, Unordered, Maps)

NULL = tb.constant("null", REF)


def literal_term(e: pe.Expr) -> Term | None:
    """The value of a literal; None for all other expressions."""
    match e:
        case pe.IntLit(value):
            return tb.integer(value)
        case pe.BoolLit(value):
            return tb.truth(holds=value)
        case pe.NullLit():
            return NULL
        case pe.PermLit(pe.PermConstant.WRITE):
            return tb.WRITE
        case pe.PermLit(pe.PermConstant.NONE):
            return tb.NONE
        case _:
            return None


_STRICT = frozenset(
    [
        pe.Not, pe.Negate, pe.Equal, pe.NotEqual, pe.IntArith, pe.PermArith, pe.Compare,
        pe.DomainApp, pe.SeqLit, pe.SetLit, pe.MultisetLit, pe.MapLit, pe.SeqRange, pe.SeqAppend,
        pe.SeqIndex, pe.SeqTake, pe.SeqDrop, pe.SeqUpdate, pe.SeqContains, pe.SetBinary, pe.Subset,
        pe.SetContains, pe.MultisetCount, pe.Cardinality, pe.MapLookup, pe.MapUpdate,
        pe.MapContains, pe.MapDomain, pe.MapRange,
    ]
)  # fmt: skip


def operands(e: pe.Expr) -> tuple[pe.Expr, ...] | None:
    """The operands of a strict operator; None for all other expressions."""
    return cast("tuple[pe.Expr, ...]", tuple(children(e))) if type(e) in _STRICT else None


def operator_term(e: pe.Expr, args: Operands, symbols: Symbols) -> Term:
    """The value of a strict operator, given those of its operands."""
    match e:
        case pe.Not():
            return tb.negate(args[0])
        case pe.Negate():
            return tb.opposite(args[0])
        case pe.Equal():
            return equality(args[0], args[1], e.left.type, symbols)
        case pe.NotEqual():
            return tb.negate(equality(args[0], args[1], e.left.type, symbols))
        case pe.IntArith():
            return _INT[e.op](args[0], args[1])
        case pe.PermArith():
            return _PERM[e.op](args[0], args[1])
        case pe.Compare():
            return _COMPARE[e.op](args[0], args[1])
        case pe.DomainApp():
            return tb.apply(symbols.domain_function(e.domain, e.function, e.type_args), *args)
        case _:
            return _collection_term(e, args, symbols)


def equality(left: Term, right: Term, type_: Type, symbols: Symbols) -> Term:
    """`==`: collections are compared by their extensional predicate, all else by identity."""
    if left is right:
        return tb.TRUE
    theory = collection_theory(type_, symbols)
    return tb.equal(left, right) if theory is None else tb.apply(theory.equals, left, right)


def alike(left: Term, right: Term, symbols: Symbols) -> Term:
    """`==` of two terms of the same sort, whatever their type is."""
    if left is right:
        return tb.TRUE
    tables = (symbols.sequences, symbols.sets, symbols.multisets, symbols.maps)
    for table in tables:
        for theory in table.values():
            if theory.sort is left.sort:
                return tb.apply(theory.equals, left, right)
    return tb.equal(left, right)


def collection_theory(type_: Type, symbols: Symbols) -> Sequences | Sets | Multisets | Maps | None:
    match type_:
        case SeqType(element):
            return symbols.seq(symbols.sort(element))
        case SetType(element):
            return symbols.set(symbols.sort(element))
        case MultisetType(element):
            return symbols.multiset(symbols.sort(element))
        case MapType(key, value):
            return symbols.map(symbols.sort(key), symbols.sort(value))
        case _:
            return None


def _collection_term(e: pe.Expr, args: Operands, symbols: Symbols) -> Term:
    match e:
        case pe.SeqLit() | pe.SetLit() | pe.MultisetLit() | pe.MapLit():
            return _literal(e, args, symbols)
        case pe.Cardinality(collection):
            return tb.apply(_size(collection.type, symbols), args[0])
        case pe.SeqContains(_, sequence):
            return tb.apply(_of(sequence, symbols, Sequences).contains, args[1], args[0])
        case pe.SetContains(_, set_):
            return tb.apply(_of(set_, symbols, Sets).contains, *args)
        case pe.MultisetCount(_, multiset):
            return tb.apply(_of(multiset, symbols, Multisets).count, *args)
        case pe.MapContains(_, map_):
            theory = _of(map_, symbols, Maps)
            return tb.apply(theory.keys.contains, args[0], tb.apply(theory.domain, args[1]))
        case _:
            return tb.apply(_collection_symbol(e, symbols), *args)


def _collection_symbol(e: pe.Expr, symbols: Symbols) -> Function:
    """Operators whose symbol takes the operands just as they are."""
    match e:
        case pe.SeqRange():
            range_ = symbols.seq(INT).range
            assert range_ is not None
            return range_
        case pe.SeqAppend(left):
            return _of(left, symbols, Sequences).append
        case pe.SeqIndex(sequence):
            return _of(sequence, symbols, Sequences).index
        case pe.SeqTake(sequence):
            return _of(sequence, symbols, Sequences).take
        case pe.SeqDrop(sequence):
            return _of(sequence, symbols, Sequences).drop
        case pe.SeqUpdate(sequence):
            return _of(sequence, symbols, Sequences).update
        case pe.SetBinary():
            return _set_operation(e, symbols)
        case pe.Subset(left):
            return _of(left, symbols, Unordered).subset
        case pe.MapLookup(map_):
            return _of(map_, symbols, Maps).lookup
        case pe.MapUpdate(map_):
            return _of(map_, symbols, Maps).update
        case pe.MapDomain(map_):
            return _of(map_, symbols, Maps).domain
        case pe.MapRange(map_):
            return _of(map_, symbols, Maps).range
        case _:
            raise ValueError(f"{type(e).__name__} is not a strict operator")


def _literal(
    e: pe.SeqLit | pe.SetLit | pe.MultisetLit | pe.MapLit, args: Operands, symbols: Symbols
) -> Term:
    match e:
        case pe.SeqLit():
            return symbols.seq(symbols.sort(e.type.element)).literal(args)
        case pe.SetLit():
            return symbols.set(symbols.sort(e.type.element)).literal(args)
        case pe.MultisetLit():
            return symbols.multiset(symbols.sort(e.type.element)).literal(args)
        case pe.MapLit():
            theory = symbols.map(symbols.sort(e.type.key), symbols.sort(e.type.value))
            return theory.literal(tuple(zip(args[::2], args[1::2], strict=True)))


def _set_operation(e: pe.SetBinary, symbols: Symbols) -> Function:
    theory = _of(e, symbols, Unordered)
    match e.op:
        case pe.SetOp.UNION:
            return theory.union
        case pe.SetOp.INTERSECTION:
            return theory.intersection
        case pe.SetOp.DIFFERENCE:
            return theory.difference


def _size(type_: Type, symbols: Symbols) -> Function:
    theory = collection_theory(type_, symbols)
    assert theory is not None
    return theory.length if isinstance(theory, Sequences) else theory.size


def _of(e: pe.Expr, symbols: Symbols, kind: type[T]) -> T:
    """The theory of a collection, which is of this kind."""
    theory = collection_theory(e.type, symbols)
    assert isinstance(theory, kind)
    return theory


_INT: dict[pe.IntOp, Callable[[Term, Term], Term]] = {
    pe.IntOp.ADD: tb.plus,
    pe.IntOp.SUB: tb.minus,
    pe.IntOp.MUL: tb.times,
    pe.IntOp.DIV: tb.div,
    pe.IntOp.MOD: tb.mod,
}
_PERM: dict[pe.PermOp, Callable[[Term, Term], Term]] = {
    pe.PermOp.ADD: tb.plus,
    pe.PermOp.SUB: tb.minus,
    pe.PermOp.MUL: tb.times,
    pe.PermOp.INT_MUL: lambda a, b: tb.times(tb.to_real(a), b),
    pe.PermOp.DIV: tb.divide,
    pe.PermOp.INT_DIV: lambda a, b: tb.divide(a, tb.to_real(b)),
    pe.PermOp.FRACTION: lambda a, b: tb.divide(tb.to_real(a), tb.to_real(b)),
}
_COMPARE: dict[pe.CompareOp, Callable[[Term, Term], Term]] = {
    pe.CompareOp.LT: tb.less,
    pe.CompareOp.LE: tb.at_most,
    pe.CompareOp.GT: tb.greater,
    pe.CompareOp.GE: tb.at_least,
}
