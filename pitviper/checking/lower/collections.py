"""Sequences, sets, multisets and maps."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.checking.collect import resolve
from pitviper.checking.context import Context
from pitviper.checking.infer import (
    NOT_CLOSED,
    Alternative,
    Lowered,
    Open,
    Signature,
    combine,
    expect,
    of_type,
    preferred_type,
)
from pitviper.checking.numbers import about_index
from pitviper.checking.types import ERROR, NOTHING, Hole
from pitviper.program import expr as x
from pitviper.program.types import BOOL, INT, MapType, MultisetType, SeqType, SetType, Type
from pitviper.source.span import Span
from pitviper.syntax import tree

_SET_OPS = {op.value: op for op in x.SetOp}


def _pure(e: Lowered) -> x.Expr | None:
    """`e` if its type is known and it is pure."""
    return None if isinstance(e, NOT_CLOSED) else e


def _hole(hint: str, cx: Context) -> Hole:
    return Hole(cx.hole_name(hint))


# ---------------------------------------------------------------- operators


def contains(left: Lowered, right: Lowered, span: Span, cx: Context) -> x.Expr | Open:
    """`left in right`: a multiset counts, everything else says yes or no."""
    known = _pure(right)
    if known is not None:
        match known.type:
            case SetType(element) | SeqType(element) | MultisetType(element) | MapType(element, _):
                return _contains_node(of_type(left, element, cx), known, span)
            case _:
                pass
    e, k = _hole("E", cx), _hole("K", cx)
    signatures = (
        Signature((e, SetType(e)), BOOL, "in"),
        Signature((e, SeqType(e)), BOOL),
        Signature((e, MultisetType(e)), INT),
        Signature((k, MapType(k, e)), BOOL),
    )
    return combine(
        signatures, (left, right), lambda ops, _: _contains_node(ops[0], ops[1], span), span, cx
    )


def _contains_node(element: x.Expr, collection: x.Expr, span: Span) -> x.Expr:
    match collection.type:
        case SetType():
            return x.SetContains(element, collection, span=span)
        case SeqType():
            return x.SeqContains(element, collection, span=span)
        case MultisetType():
            return x.MultisetCount(element, collection, span=span)
        case _:
            return x.MapContains(element, collection, span=span)


def append(e: tree.Binary, cx: Context) -> Lowered:
    """`s ++ t`."""
    seq = SeqType(_hole("E", cx))
    return combine(
        (Signature((seq, seq), seq, "++"),),
        (cx.lower(e.left, cx), cx.lower(e.right, cx)),
        lambda ops, _: x.SeqAppend(ops[0], ops[1], span=e.span),
        e.span,
        cx,
    )


def set_operation(e: tree.Binary, cx: Context) -> Lowered:
    """`union`, `intersection`, `setminus`, `subset` on sets or multisets."""
    hole = _hole("E", cx)
    kinds: tuple[Type, Type] = SetType(hole), MultisetType(hole)
    is_subset = e.op == "subset"

    def build(operands: tuple[x.Expr, ...], _: Type) -> x.Expr:
        if is_subset:
            return x.Subset(operands[0], operands[1], span=e.span)
        return x.SetBinary(_SET_OPS[e.op], operands[0], operands[1], span=e.span)

    return combine(
        [Signature((kind, kind), BOOL if is_subset else kind, e.op) for kind in kinds],
        (cx.lower(e.left, cx), cx.lower(e.right, cx)),
        build,
        e.span,
        cx,
    )


def cardinality(e: tree.Cardinality, cx: Context) -> Lowered:
    """`|e|`."""
    operand = cx.lower(e.operand, cx)
    known = _pure(operand)
    if known is not None and isinstance(known.type, (SeqType, SetType, MultisetType, MapType)):
        return x.Cardinality(known, span=e.span)
    hole, key = _hole("E", cx), _hole("K", cx)
    kinds = (SeqType(hole), SetType(hole), MultisetType(hole), MapType(key, hole))
    return combine(
        [Signature((kind,), INT, "| |") for kind in kinds],
        (operand,),
        lambda ops, _: x.Cardinality(ops[0], span=e.span),
        e.span,
        cx,
    )


# ---------------------------------------------------------------- parts


def index(e: tree.Index, cx: Context) -> Lowered:
    """`s[i]`, `m[k]`."""
    base, at = cx.lower(e.base, cx), cx.lower(e.index, cx)
    known = _pure(base)
    if known is not None:
        match known.type:
            case SeqType(element):
                found = preferred_type(at)
                told = None
                if found is not INT:
                    told = about_index(at.span.text, found, known.span.text, element)
                return x.SeqIndex(known, of_type(at, INT, cx, told=told), element, span=e.span)
            case MapType(key, value):
                return x.MapLookup(known, of_type(at, key, cx), value, span=e.span)
            case _:
                pass
    hole, key_hole = _hole("E", cx), _hole("K", cx)

    def build(operands: tuple[x.Expr, ...], result: Type) -> x.Expr:
        node = x.SeqIndex if isinstance(operands[0].type, SeqType) else x.MapLookup
        return node(operands[0], operands[1], result, span=e.span)

    signatures = (
        Signature((SeqType(hole), INT), hole),
        Signature((MapType(key_hole, hole), key_hole), hole),
    )
    return combine(signatures, (base, at), build, e.span, cx)


def update(e: tree.Update, cx: Context) -> Lowered:
    """`s[i := v]`, `m[k := v]`."""
    base = cx.lower(e.base, cx)
    operands = base, cx.lower(e.key, cx), cx.lower(e.value, cx)
    hole, key = _hole("E", cx), _hole("K", cx)

    def build(operands: tuple[x.Expr, ...], _: Type) -> x.Expr:
        node = x.SeqUpdate if isinstance(operands[0].type, SeqType) else x.MapUpdate
        return node(operands[0], operands[1], operands[2], span=e.span)

    signatures = (
        Signature((SeqType(hole), INT, hole), SeqType(hole)),
        Signature((MapType(key, hole), key, hole), MapType(key, hole)),
    )
    return combine(signatures, operands, build, e.span, cx)


def slice_of(e: tree.Slice, cx: Context) -> Lowered:
    """`s[low..high]` is what is left of `s[..high]` after dropping `low` elements."""
    low = None if e.low is None else expect(e.low, INT, cx)
    high = None if e.high is None else expect(e.high, INT, cx)

    def build(operands: tuple[x.Expr, ...], _: Type) -> x.Expr:
        taken = operands[0] if high is None else x.SeqTake(operands[0], high, span=e.span)
        return taken if low is None else x.SeqDrop(taken, low, span=e.span)

    seq = SeqType(_hole("E", cx))
    return combine((Signature((seq,), seq),), (cx.lower(e.base, cx),), build, e.span, cx)


def domain_or_range(e: tree.MapDomain | tree.MapRange, cx: Context) -> Lowered:
    key, value = _hole("K", cx), _hole("V", cx)
    wants_domain = isinstance(e, tree.MapDomain)

    def build(operands: tuple[x.Expr, ...], result: Type) -> x.Expr:
        assert isinstance(result, SetType)
        node = x.MapDomain if wants_domain else x.MapRange
        return node(operands[0], result, span=e.span)

    operand = cx.lower(e.operand, cx)
    if not wants_domain and isinstance(operand, x.Expr) and operand.type == INT:
        text = e.operand.span.text
        cx.error(
            e.span,
            "`range(...)` gives the values of a map, and this is a number",
            help=f"write `[0..{text})` for the numbers below `{text}`; of one number `i`, "
            f"`0 <= i && i < {text}` says the same",
        )
        return cx.bad(e.span, ERROR)
    signature = Signature((MapType(key, value),), SetType(key if wants_domain else value))
    return combine((signature,), (operand,), build, e.span, cx)


# ---------------------------------------------------------------- literals


def interval(e: tree.Range, cx: Context) -> Lowered:
    """`[low..high)`."""
    return x.SeqRange(expect(e.low, INT, cx), expect(e.high, INT, cx), span=e.span)


def collection(e: tree.CollectionLiteral, cx: Context) -> Lowered:
    """`Seq(...)`, `Set(...)`, `Multiset(...)`."""
    operands = [cx.lower(element, cx) for element in e.elements]
    if e.element_type is not None:
        return _collection_node(e, (), resolve(e.element_type, cx))
    known = _same_type(operands)
    if known is not None:
        return _collection_node(e, known, known[0].type)
    hole = _hole("E", cx)
    kind = _collection_type(e.kind, hole)

    def build(elements: tuple[x.Expr, ...], result: Type) -> x.Expr:
        assert isinstance(result, (SeqType, SetType, MultisetType))
        return _collection_node(e, elements, result.element)

    if not operands:
        alone = Alternative(kind, NOTHING, lambda g: build((), g.type(kind)))
        return Open((alone,), e.span)
    return combine((Signature((hole,) * len(operands), kind),), operands, build, e.span, cx)


def _same_type(operands: Sequence[Lowered]) -> tuple[x.Expr, ...] | None:
    known = [_pure(operand) for operand in operands]
    found = [e for e in known if e is not None]
    if not found or len(found) < len(operands):
        return None
    t = found[0].type
    if t is ERROR or any(e.type is not t and e.type != t for e in found):
        return None
    return tuple(found)


def _collection_type(kind: str, element: Type) -> Type:
    if kind == "Seq":
        return SeqType(element)
    return SetType(element) if kind == "Set" else MultisetType(element)


def _collection_node(
    e: tree.CollectionLiteral, elements: tuple[x.Expr, ...], element: Type
) -> x.Expr:
    match e.kind:
        case "Seq":
            return x.SeqLit(elements, SeqType(element), span=e.span)
        case "Set":
            return x.SetLit(elements, SetType(element), span=e.span)
        case "Multiset":
            return x.MultisetLit(elements, MultisetType(element), span=e.span)


def map_literal(e: tree.MapLiteral, cx: Context) -> Lowered:
    """`Map(k := v, ...)`."""
    if e.types is not None:
        return x.MapLit((), MapType(resolve(e.types[0], cx), resolve(e.types[1], cx)), span=e.span)
    key, value = _hole("K", cx), _hole("V", cx)
    kind = MapType(key, value)

    def build(operands: tuple[x.Expr, ...], result: Type) -> x.Expr:
        assert isinstance(result, MapType)
        return x.MapLit(tuple(zip(operands[::2], operands[1::2], strict=True)), result, span=e.span)

    if not e.entries:
        return Open((Alternative(kind, NOTHING, lambda g: build((), g.type(kind))),), e.span)
    operands = [cx.lower(part, cx) for entry in e.entries for part in entry]
    params: tuple[Type, ...] = (key, value) * len(e.entries)
    return combine((Signature(params, kind),), operands, build, e.span, cx)
