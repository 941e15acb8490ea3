"""Final expressions: a term as a typed expression that evaluates to just this term.

Variables are shown with the version that they had, `x@2`; values of locations are read in a state
with a label, `old[debug@3](y@1.val)`. What the program has no words for (snapshots, inverse
functions, triggers) has no final expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from pitviper.base.record import field, record
from pitviper.encoding.decoding import Meanings
from pitviper.encoding.operators import NULL
from pitviper.engines.symbolic.heap.chunk import Kind
from pitviper.explain.collection_expression import collection_expression
from pitviper.explain.places import NoPlaces, Place
from pitviper.program import expr as pe
from pitviper.program.print.expressions import text_of
from pitviper.program.types import Type
from pitviper.terms import operators as op
from pitviper.terms.sort import INT, REF, Sort
from pitviper.terms.symbol import Function, FunctionKind, Operator
from pitviper.terms.term import App, Binder, Literal, Quantified, Term, Var

LARGEST = 400
"""Nodes of an expression that is still worth reading; terms are graphs, and may stand for more."""

VERSIONED = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*@(?:[A-Za-z_$][A-Za-z0-9_$]*\.)*[0-9]+")

Names = Mapping[Var, pe.Var]


class NoWords(Exception):
    """A term that no expression stands for."""


@record
class ProgramNames:
    """The functions that the source has; operations of algebraic data types by their encoding.

    `destructors` are by the function that stands for them, `tags` have the constructor of each
    number that a tag function gives.
    """

    functions: frozenset[str]
    destructors: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


@record
class Vocabulary:
    """What symbols mean, what the source calls them, and names that bound variables cannot have.

    `special` terms have an expression of their own: the result of a function that is verified.
    """

    meanings: Meanings
    names: ProgramNames
    taken: frozenset[str]
    special: Mapping[Term, pe.Expr] = field(default_factory=dict)


class TermExpressions:
    """Expressions for the terms around one failed check."""

    def __init__(self, vocabulary: Vocabulary, places: NoPlaces) -> None:
        self._meanings = vocabulary.meanings
        self._program = vocabulary.names
        self._places = places
        self._taken = vocabulary.taken
        self._special = vocabulary.special
        self._known: dict[Term, tuple[pe.Expr, int] | None] = {}

    def of(self, term: Term) -> pe.Expr | None:
        try:
            return self._sized(term, {})[0]
        except NoWords:
            return None

    def under(
        self, variables: tuple[Var, ...], terms: tuple[Term, ...]
    ) -> tuple[str, list[str]] | None:
        """Texts of terms over variables, after the list of these variables."""
        names: dict[Var, pe.Var] = {}
        used = set(self._taken)
        try:
            for at, variable in enumerate(variables):
                letter = "r" if variable.sort is REF else "i"
                name = _short("ijk"[at] if letter == "i" and at < 3 else letter, used)
                names[variable] = pe.Var(name, self._type(variable.sort))
                used.add(name)
            texts = [text_of(self._sized(term, names)[0]) for term in terms]
        except NoWords:
            return None
        return ", ".join([f"{v.name}: {v.type}" for v in names.values()]), texts

    # ------------------------------------------------------------ tables

    def _sized(self, term: Term, names: Names) -> tuple[pe.Expr, int]:
        """The expression and its size, remembered where no bound variable is in it."""
        if term.free:
            return self._make(term, names)
        if term not in self._known:
            self._known[term] = None
            self._known[term] = self._make(term, names)
        found = self._known[term]
        if found is None:
            raise NoWords
        return found

    def _make(self, term: Term, names: Names) -> tuple[pe.Expr, int]:
        size = 1

        def inner(part: Term) -> pe.Expr:
            nonlocal size
            made, more = self._sized(part, names)
            size += more
            if size > LARGEST:
                raise NoWords
            return made

        return self._expression(term, names, inner), size

    def _expression(self, term: Term, names: Names, inner: Inner) -> pe.Expr:
        if term in self._special:
            return self._special[term]
        match term:
            case Literal():
                return literal_expression(term)
            case Var():
                return names[term] if term in names else _no_words()
            case Quantified():
                return self._quantified(term, names, inner)
            case App(symbol=Operator() as symbol):
                test = self._discriminated(term, inner) if symbol is op.EQUAL else None
                return test or operator_expression(symbol, term.args, inner)
            case App():
                place = self._places.value(term)
                if place is not None:
                    return self._read(place, inner)
                return self._application(term, inner)

    # ------------------------------------------------------------ symbols

    def _read(self, place: Place, inner: Inner) -> pe.Expr:
        field, value = place.resource.name, place.resource.kind
        assert value is Kind.FIELD
        return self._in_state(place.label.text, inner(place.args[0]), field)

    def _in_state(self, label: str, receiver: pe.Expr, field: str) -> pe.Expr:
        type_ = self._places.field_type(field)
        return self._labelled(label, pe.FieldRead(receiver, field, type_))

    def _labelled(self, label: str, operand: pe.Expr) -> pe.Expr:
        """An expression in the state with a label."""
        return pe.Old(label, operand)

    def _application(self, term: App, inner: Inner) -> pe.Expr:
        symbol, args = term.symbol, term.args
        assert isinstance(symbol, Function)
        if term is NULL:
            return pe.NullLit()
        collection = self._meanings.collection(symbol)
        if collection is not None:
            return collection_expression(collection, term, self._type, inner) or _no_words()
        domain = self._meanings.domain_function(symbol)
        if domain is not None:
            return self._domain_function(domain, term, inner)
        name = self._meanings.function(symbol)
        if name is not None:
            return self._function(name, term, inner)
        field = self._meanings.look(symbol)
        label = None if field is None else self._places.values_in(args[0])
        if field is not None and label is not None:
            return self._in_state(label.text, inner(args[1]), field)
        return self._variable(term)

    def _domain_function(
        self, symbol: tuple[str, str, tuple[Type, ...]], term: App, inner: Inner
    ) -> pe.Expr:
        name, type_ = symbol[1], self._type(term.sort)
        operands = tuple([inner(a) for a in term.args])
        if name in self._program.destructors:
            return pe.Destruct(operands[0], self._program.destructors[name], type_)
        if name not in self._program.functions:
            raise NoWords
        return pe.DomainApp(*symbol, operands, type_)

    def _discriminated(self, term: App, inner: Inner) -> pe.Expr | None:
        """`x.isCons` for the number of a constructor."""
        for number, tag in (term.args, term.args[::-1]):
            if not isinstance(number, Literal) or not isinstance(tag, App):
                continue
            symbol = tag.symbol
            found = self._meanings.domain_function(symbol) if isinstance(symbol, Function) else None
            constructors = {} if found is None else self._program.tags.get(found[1], {})
            if number.value in constructors:
                return pe.Discriminate(inner(tag.args[0]), constructors[int(number.value)])
        return None

    def _variable(self, term: App) -> pe.Expr:
        """A constant with a version, whatever it was made for."""
        symbol = term.symbol
        made = not term.args and symbol.kind is FunctionKind.DECLARED  # type: ignore[union-attr]
        if not made or VERSIONED.fullmatch(symbol.name) is None:
            raise NoWords
        return pe.Var(symbol.name, self._type(term.sort))

    def _function(self, name: str, term: App, inner: Inner) -> pe.Expr:
        if name not in self._program.functions:
            raise NoWords
        snapshot, *args = term.args
        app = pe.FunctionApp(name, tuple([inner(a) for a in args]), self._type(term.sort))
        if not self._places.needs_heap(name):
            return app
        label = self._places.applied(term.symbol, snapshot)
        return _no_words() if label is None else self._labelled(label.text, app)

    def _type(self, sort: Sort) -> Type:
        found = self._meanings.type_of(sort)
        if found is None:
            raise NoWords
        return found

    # ------------------------------------------------------------ quantifiers

    def _quantified(self, term: Quantified, names: Names, inner: Inner) -> pe.Expr:
        used = {v.name for v in names.values()} | self._taken
        bound = dict(names)
        for variable in term.variables:
            bound[variable] = pe.Var(_short(variable.name, used), self._type(variable.sort))
            used.add(bound[variable].name)
        body, size = self._sized(term.body, bound)
        if size > LARGEST:
            raise NoWords
        variables = tuple([bound[v] for v in term.variables])
        groups = term.triggers if len(term.triggers) == 1 else ()  # several were inferred
        triggers = tuple([t for g in groups for t in self._trigger(g, bound)])
        kind = pe.Forall if term.binder is Binder.FORALL else pe.Exists
        return kind(variables, triggers, body, term.weight)

    def _trigger(self, group: tuple[Term, ...], names: Names) -> list[pe.Trigger]:
        try:
            return [pe.Trigger(tuple([self._sized(t, names)[0] for t in group]))]
        except NoWords:
            return []


Inner = Callable[[Term], pe.Expr]


def _no_words() -> pe.Expr:
    raise NoWords


def _short(name: str, used: set[str]) -> str:
    """The name of a bound variable without its version, unlike everything else."""
    hint = short = name.partition("@")[0]
    number = 0
    while short in used:
        number += 1
        short = f"{hint}_{number}"
    return short


def literal_expression(term: Literal) -> pe.Expr:
    value = term.value
    if isinstance(value, bool):
        return pe.BoolLit(value)
    if isinstance(value, Fraction):
        if value.denominator == 1 and value in (0, 1):
            return pe.PermLit(pe.PermConstant.WRITE if value else pe.PermConstant.NONE)
        parts = (_integer(value.numerator), _integer(value.denominator))
        return pe.PermArith(pe.PermOp.FRACTION, *parts)
    return _integer(value)


def _integer(value: int) -> pe.Expr:
    return pe.IntLit(value) if value >= 0 else pe.Negate(pe.IntLit(-value))


# ---------------------------------------------------------------- operators


def operator_expression(symbol: Operator, args: tuple[Term, ...], inner: Inner) -> pe.Expr:
    if symbol in (op.AND, op.OR):
        operands = tuple([inner(a) for a in args])
        return pe.And(operands) if symbol is op.AND else pe.Or(operands)
    if symbol is op.NOT:
        return _negation(args[0], inner)
    if symbol is op.ITE:
        return pe.Conditional(inner(args[0]), inner(args[1]), inner(args[2]))
    if symbol is op.TO_REAL:
        return pe.PermArith(pe.PermOp.FRACTION, inner(args[0]), pe.IntLit(1))
    if symbol is op.DISTINCT:
        pairs = [(a, b) for i, a in enumerate(args) for b in args[i + 1 :]]
        return pe.And(tuple([pe.NotEqual(inner(a), inner(b)) for a, b in pairs]))
    if symbol in _COMPARISONS:
        return pe.Compare(_COMPARISONS[symbol], inner(args[0]), inner(args[1]))
    if symbol is op.IMPLIES:
        return pe.Implies(inner(args[0]), inner(args[1]))
    if symbol is op.EQUAL:
        return pe.Equal(inner(args[0]), inner(args[1]))
    return _arithmetic(symbol, args, inner)


_COMPARISONS = {op.LESS: pe.CompareOp.LT, op.AT_MOST: pe.CompareOp.LE}
_INT = {
    op.PLUS: pe.IntOp.ADD,
    op.MINUS: pe.IntOp.SUB,
    op.TIMES: pe.IntOp.MUL,
    op.DIV: pe.IntOp.DIV,
    op.MOD: pe.IntOp.MOD,
}
_PERM = {
    op.PLUS: pe.PermOp.ADD,
    op.MINUS: pe.PermOp.SUB,
    op.TIMES: pe.PermOp.MUL,
    op.DIVIDE: pe.PermOp.DIV,
}


def _negation(term: Term, inner: Inner) -> pe.Expr:
    if isinstance(term, App) and term.symbol is op.EQUAL:
        return pe.NotEqual(inner(term.args[0]), inner(term.args[1]))
    return pe.Not(inner(term))


def _arithmetic(symbol: Operator, args: tuple[Term, ...], inner: Inner) -> pe.Expr:
    if symbol not in _INT and symbol not in _PERM:
        raise NoWords
    left, right = args
    if symbol is op.MINUS and isinstance(left, Literal) and left.value == 0:
        return pe.Negate(inner(right))
    if left.sort is INT:
        return pe.IntArith(_INT[symbol], inner(left), inner(right))
    if symbol is op.TIMES and _whole(left) is not None:
        return pe.PermArith(pe.PermOp.INT_MUL, inner(_need(_whole(left))), inner(right))
    if symbol is op.DIVIDE and _whole(right) is not None:
        below = inner(_need(_whole(right)))
        above = _whole(left)
        if above is not None:
            return pe.PermArith(pe.PermOp.FRACTION, inner(above), below)
        return pe.PermArith(pe.PermOp.INT_DIV, inner(left), below)
    return pe.PermArith(_PERM[symbol], inner(left), inner(right))


def _whole(term: Term) -> Term | None:
    """The integer that was turned into an amount."""
    return term.args[0] if isinstance(term, App) and term.symbol is op.TO_REAL else None


def _need(term: Term | None) -> Term:
    assert term is not None
    return term
