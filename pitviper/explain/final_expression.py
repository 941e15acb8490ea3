"""A term as a Viper expression, made from the term alone when somebody asks.

A symbol shows the variable and version it stands for, `x@2`, or the location and the state whose
value it is, `old[debug@3](y@1.val)`. Where a variable or location of a given state has just this
value, its name is shown instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from pitviper.base.qualified import call_words, is_qualified, short_name, wand_words
from pitviper.engines.symbolic.heap.chunk import Heap, Kind, Resource
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.state import State
from pitviper.program.print.precedence import AND, COMPARISON, EQUALITY, IMPLIES, OR, PRODUCT, SUM
from pitviper.terms import operators as op
from pitviper.terms.snapshot import SNAP, UNIT
from pitviper.terms.sort import PERM
from pitviper.terms.symbol import Function, Operator
from pitviper.terms.term import App, Literal, Quantified, Term, Var

TIGHT: Final = 1000
"""Binds more tightly than every operator."""
MAX_DEPTH: Final = 40
LONGEST: Final = 2000
"""Terms are graphs: as texts they could grow without bound."""
ELISION: Final = "..."

_BINARY: Final[Mapping[Operator, tuple[str, int]]] = {
    op.IMPLIES: ("==>", IMPLIES),
    op.EQUAL: ("==", EQUALITY),
    op.LESS: ("<", COMPARISON),
    op.AT_MOST: ("<=", COMPARISON),
    op.PLUS: ("+", SUM),
    op.MINUS: ("-", SUM),
    op.TIMES: ("*", PRODUCT),
    op.DIVIDE: ("/", PRODUCT),
    op.DIV: ("\\", PRODUCT),
    op.MOD: ("%", PRODUCT),
}
_CONNECTIVES: Final = {op.AND: ("&&", AND), op.OR: ("||", OR)}

_COLLECTIONS: Final[Mapping[str, tuple[str, int]]] = {
    "length": ("|{0}|", TIGHT),
    "size": ("|{0}|", TIGHT),
    "index": ("{0}[{1}]", TIGHT),
    "lookup": ("{0}[{1}]", TIGHT),
    "take": ("{0}[..{1}]", TIGHT),
    "drop": ("{0}[{1}..]", TIGHT),
    "update": ("{0}[{1} := {2}]", TIGHT),
    "append": ("{0} ++ {1}", SUM),
    "union": ("{0} union {1}", SUM),
    "intersection": ("{0} intersection {1}", SUM),
    "difference": ("{0} setminus {1}", SUM),
    "subset": ("{0} subset {1}", COMPARISON),
    "equals": ("{0} == {1}", EQUALITY),
    "domain": ("domain({0})", TIGHT),
    "range": ("range({0})", TIGHT),
}
"""By the last part of a symbol of a theory of collections."""


class FinalExpressions:
    """Shows the terms of one member; `names` are what values are called in a state, if any."""

    def __init__(self, origins: Origins, names: Mapping[Term, str] | None = None) -> None:
        self._origins = origins
        self._names = names or {}
        self._known: dict[Term, tuple[str, int]] = {}

    def text(self, term: Term) -> str:
        return self._shown(term, 0)[0]

    def location(self, resource: Resource, args: tuple[Term, ...]) -> str:
        """`x.f`, `P(x, 1)`, or `acc(x.f) --* P(x)`."""
        return self._location(resource, args, 0)

    def _shown(self, term: Term, depth: int) -> tuple[str, int]:
        """The text of a term and how tightly it binds."""
        found = self._known.get(term)
        if found is None:
            text, level = (ELISION, TIGHT) if depth > MAX_DEPTH else self._make(term, depth + 1)
            found = (text, level) if len(text) <= LONGEST else (ELISION, TIGHT)
            if text is not ELISION:
                self._known[term] = found
        return found

    def _make(self, term: Term, depth: int) -> tuple[str, int]:
        name = self._names.get(term)
        if name is not None:
            return name, TIGHT
        origin = self._origins.values.get(term)
        if origin is not None:
            place = self._location(origin.resource, origin.args, depth)
            return f"old[{origin.label}]({place})", TIGHT
        match term:
            case Literal():
                return literal_text(term), TIGHT
            case Var():
                return _written(term), TIGHT
            case Quantified():
                bound = ", ".join([f"{_written(v)}: {v.sort}" for v in term.variables])
                return f"({term.binder.value} {bound} :: {self._shown(term.body, depth)[0]})", TIGHT
            case App():
                return self._application(term, depth)

    def _application(self, term: App, depth: int) -> tuple[str, int]:
        symbol = term.symbol
        if isinstance(symbol, Operator):
            return self._operator(symbol, term, depth)
        if term is UNIT:
            return "unit", TIGHT
        collection, _, label = symbol.name.rpartition(".")
        if collection.startswith(("Seq<", "Set<", "Multiset<", "Map<")):
            return self._collection(collection.partition("<")[0], label, term, depth)
        return self._call(symbol, term, depth), TIGHT

    def _operator(self, symbol: Operator, term: App, depth: int) -> tuple[str, int]:
        args = term.args
        if symbol in _CONNECTIVES:
            sign, level = _CONNECTIVES[symbol]
            return f" {sign} ".join([self._at(level + 1, a, depth) for a in args]), level
        if symbol in _BINARY:
            sign, level = _BINARY[symbol]
            left, right = self._at(level, args[0], depth), self._at(level + 1, args[1], depth)
            return f"{left} {sign} {right}", level
        if symbol is op.NOT:
            return self._negation(args[0], depth)
        if symbol is op.ITE:
            condition, then, other = [self._shown(a, depth)[0] for a in args]
            return f"({condition} ? {then} : {other})", TIGHT
        if symbol is op.TO_REAL:
            return self._shown(args[0], depth)
        return f"{symbol.name}({self._list(args, depth)})", TIGHT

    def _negation(self, term: Term, depth: int) -> tuple[str, int]:
        if isinstance(term, App) and term.symbol is op.EQUAL and term not in self._names:
            left, right = [self._at(EQUALITY + 1, a, depth) for a in term.args]
            return f"{left} != {right}", EQUALITY
        return f"!{self._at(TIGHT, term, depth)}", TIGHT

    def _collection(self, kind: str, label: str, term: App, depth: int) -> tuple[str, int]:
        args = term.args
        match label:
            case "empty" | "singleton":
                return f"{kind}({self._list(args, depth)})", TIGHT
            case "insert":
                whole, element = self._at(SUM, args[0], depth), self._shown(args[1], depth)[0]
                return f"{whole} union {kind}({element})", SUM
            case "range" if kind == "Seq":
                low, high = [self._shown(a, depth)[0] for a in args]
                return f"[{low}..{high})", TIGHT
            case "contains" | "marks" | "count":
                part, all_of = args if kind != "Seq" else args[::-1]
                left, right = (
                    self._at(COMPARISON + 1, part, depth),
                    self._at(TIGHT, all_of, depth),
                )
                return f"({left} in {right})", TIGHT
        form, level = _COLLECTIONS.get(label, (None, TIGHT))
        if form is None:
            return f"{label}({self._list(args, depth)})", TIGHT
        inner = level + 1 if level is not TIGHT else TIGHT
        return form.format(*[self._at(inner, a, depth) for a in args]), level

    def _call(self, symbol: Function, term: App, depth: int) -> str:
        """The snapshot of a heap-dependent function is left out, as in the source."""
        name = symbol.name.removesuffix("%limited")
        args = term.args
        if args and args[0].sort is SNAP and not name.startswith(("out<", "Snap.", "in<")):
            args = args[1:]
        if is_qualified(name) and args:
            return call_words(name, [self._at(TIGHT, arg, depth) for arg in args])
        return f"{name}({self._list(args, depth)})" if term.args else name

    def _location(self, resource: Resource, args: tuple[Term, ...], depth: int) -> str:
        if resource.kind is Kind.FIELD:
            return f"{self._at(TIGHT, args[0], depth)}.{short_name(resource.name)}"
        if resource.kind is Kind.WAND:
            return wand_words(resource.name, [self._at(TIGHT, arg, depth) for arg in args])
        name = resource.name
        if is_qualified(name) and args:
            return call_words(name, [self._at(TIGHT, arg, depth) for arg in args])
        return f"{name}({self._list(args, depth)})"

    def _at(self, level: int, term: Term, depth: int) -> str:
        text, own = self._shown(term, depth)
        return text if own >= level else f"({text})"

    def _list(self, args: tuple[Term, ...], depth: int) -> str:
        return ", ".join([self._shown(a, depth)[0] for a in args])


def _written(variable: Var) -> str:
    """Returns the name of a bound variable without the number that tells it from others."""
    return variable.name.partition("@")[0]


def literal_text(term: Literal) -> str:
    value = term.value
    if isinstance(value, bool):
        return "true" if value else "false"
    if term.sort is PERM:
        amount = Fraction(value)
        if amount.denominator == 1 and amount in (0, 1):
            return "write" if amount else "none"
        if amount.denominator == 1:
            return f"{amount.numerator} * write"
        return f"{amount.numerator}/{amount.denominator}"
    return str(value)


def names_in(st: State, origins: Origins, heap: Heap | None = None) -> dict[Term, str]:
    """What the variables and then the fields of a state are called, by their values."""
    names: dict[Term, str] = {}
    for variable, value in st.store.items():
        if not isinstance(value, Literal):
            names.setdefault(value, variable)
    shown = FinalExpressions(origins, names)
    for chunk in st.heap if heap is None else heap:
        if chunk.resource.kind is Kind.FIELD and chunk.args[0] in names:
            names.setdefault(chunk.value, shown.location(chunk.resource, chunk.args))
    return names


_STATE = re.compile(r"old\[debug@[0-9]+(?:#l:[0-9]+)?\]\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")


def without_states(text: str) -> str:
    """A text without labels of ours: `old[debug@1](x.f)` is `x.f`, for readers of one state."""
    return _STATE.sub(r"\1", text)
