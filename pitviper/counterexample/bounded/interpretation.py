"""A model of the solver, read as values: every ground term has one, collections are decoded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import floor

from pitviper.counterexample.bounded import evaluator
from pitviper.counterexample.bounded.adts import values_of
from pitviper.counterexample.bounded.ground import GroundTerms
from pitviper.counterexample.bounded.values import (
    Adt,
    Built,
    Case,
    Theories,
    Unevaluable,
    Value,
    bag,
    in_order,
    table,
)
from pitviper.encoding.operators import NULL
from pitviper.encoding.theories.maps import Maps
from pitviper.encoding.theories.multisets import Multisets
from pitviper.encoding.theories.sequences import Sequences
from pitviper.encoding.theories.sets import Sets
from pitviper.solver.model import Element, FunctionTable, Model, Structure
from pitviper.solver.model import Value as Raw
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.sort import BOOL, INT, REAL, REF, Sort, SortKind
from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import App, Literal, Term

LONGEST = 200
"""A longer sequence of a model is not looked at."""
_NO_TABLE = FunctionTable({})
_EMPTY: dict[type, Value] = {Sequences: (), Sets: frozenset(), Multisets: bag({}), Maps: table(())}


def _of_the_solver(symbol: Function, args: tuple[Raw, ...]) -> Raw:
    """The value of a function that is given as SMT-LIB text: of the few whose meaning is plain."""
    match symbol.name, args:
        case ("to_int", (int() | Fraction() as number,)) if symbol.range is INT:
            return floor(number)
        case ("to_real", (int() | Fraction() as number,)) if symbol.range is REAL:
            return Fraction(number)
        case ("abs", (int() as number,)) if symbol.range is INT:
            return abs(number)
        case _:
            raise Unevaluable(f"{symbol.name} of the solver")


class Interpretation:
    """`raw` values are those of the solver; `decode` and `encode` lead to ours and back.

    `given` are the values of collections that are not read from the model.
    """

    def __init__(
        self,
        model: Model,
        ground: GroundTerms,
        theories: Theories,
        atoms: Sequence[Term] = (),
        given: Mapping[tuple[Sort, Raw], Value] | None = None,
    ) -> None:
        self.model = model
        self.ground = ground
        self.theories = theories
        self._raw: dict[Term, Raw] = {}
        self.given = given or {}
        self._decoded: dict[tuple[Sort, Raw], Value] = {**self.given}
        self._encoded: dict[Sort, dict[Value, Raw]] = {}
        self._pools: dict[Sort, list[Raw]] = {}
        self._open: set[tuple[Sort, Raw]] = set()
        self.objects = tuple([v for v in map(self.raw, atoms) if isinstance(v, Element)])
        self._pools[REF] = [self.null, *self.objects]
        names: dict[Value, Term] = {self.null: NULL, **dict(zip(self.objects, atoms, strict=False))}
        self._first = {REF: names}

    # ------------------------------------------------------------ what the solver says

    def raw(self, term: Term) -> Raw:
        """The value of a ground term in the model as it is; arguments are never far away."""
        found = self._raw.get(term)
        if found is None:
            found = self._raw[term] = self._evaluate(term)
        return found

    def _evaluate(self, term: Term) -> Raw:
        if isinstance(term, Literal):
            return term.value
        if not isinstance(term, App):
            raise Unevaluable("a quantifier has no value in a model")
        symbol = term.symbol
        if not isinstance(symbol, Function):
            return evaluator.apply(symbol, [partial(self.raw, a) for a in term.args])
        args = tuple([self.raw(arg) for arg in term.args])
        return self.apply(symbol, args)

    def apply(self, symbol: Function, args: tuple[Raw, ...]) -> Raw:
        """An application in the model; what the model leaves open has a value all the same."""
        match symbol.kind:
            case FunctionKind.CONSTRUCTOR:
                return Structure(symbol.name, args)
            case FunctionKind.SELECTOR:
                return select(symbol, args[0])
            case FunctionKind.TEXT:
                return _of_the_solver(symbol, args)
            case FunctionKind.DECLARED:
                return self._look_up(symbol, args)

    def _look_up(self, symbol: Function, args: tuple[Raw, ...]) -> Raw:
        if not args:
            found = self.model.constants.get(symbol)
        else:
            found = self.model.functions.get(symbol, _NO_TABLE)(*args)
        return default(symbol.range, self) if found is None else found

    def pool(self, sort: Sort) -> list[Raw]:
        """Returns all values of a sort that occur, of terms or as arguments in the model.

        References are null and the objects of the scope, whatever else the solver thought of.
        """
        found = self._pools.get(sort)
        if found is None:
            values = dict.fromkeys(
                [v for t in self.ground.by_sort.get(sort, ()) for v in self._try(t)]
            )
            for symbol, entries in self.model.functions.items():
                values.update(dict.fromkeys(_column_values(symbol, entries, sort)))
            found = self._pools[sort] = list(values)
        return found

    def _try(self, term: Term) -> list[Raw]:
        try:
            return [self.raw(term)]
        except Unevaluable:
            return []

    @cached_property
    def null(self) -> Element:
        found = self.model.constants.get(_NULL_SYMBOL)
        return found if isinstance(found, Element) else Element(REF, "null")

    # ------------------------------------------------------------ collections

    def decode(self, raw: Raw, sort: Sort) -> Value:
        if not self.theories.is_read(sort):
            return raw
        found = self._decoded.get((sort, raw))
        if found is None:
            adt = self.theories.adts.get(sort)
            found = self._collection(raw, sort) if adt is None else self._tree(raw, adt)
            self._decoded[sort, raw] = found
        return found

    def _collection(self, raw: Raw, sort: Sort) -> Value:
        theory = self.theories.by_sort[sort]
        match theory:
            case Sets():
                members = [
                    x
                    for x in self.pool(theory.element)
                    if self.apply(theory.contains, (x, raw)) is True
                ]
                return frozenset([self.decode(x, theory.element) for x in members])
            case Multisets():
                counts = {}
                for x in self.pool(theory.element):
                    counts[self.decode(x, theory.element)] = _int(
                        self.apply(theory.count, (x, raw))
                    )
                return bag(counts)
            case Sequences():
                return self._sequence(raw, theory)
            case Maps():
                keys = self.apply(theory.domain, (raw,))
                found = [
                    (self.decode(k, theory.keys.element), self._entry(theory, raw, k))
                    for k in self.pool(theory.keys.element)
                    if self.apply(theory.keys.contains, (k, keys)) is True
                ]
                return table(found)

    def _entry(self, theory: Maps, raw: Raw, key: Raw) -> Value:
        return self.decode(self.apply(theory.lookup, (raw, key)), theory.values.element)

    def _sequence(self, raw: Raw, theory: Sequences) -> Value:
        length = _int(self.apply(theory.length, (raw,)))
        if length > LONGEST:
            raise Unevaluable(f"a sequence of {length} elements")
        return tuple(
            [
                self.decode(self.apply(theory.index, (raw, i)), theory.element)
                for i in range(max(length, 0))
            ]
        )

    # ------------------------------------------------------------ data types

    def _tree(self, raw: Raw, adt: Adt) -> Value:
        """Reads an element as a value of a data type. Parts that no term asks for are chosen."""
        if (adt.sort, raw) in self._open:
            raise Unevaluable(f"a value of {adt.sort} that contains itself")
        self._open.add((adt.sort, raw))
        try:
            return self._apart(adt, self._parts(raw, adt))
        finally:
            self._open.discard((adt.sort, raw))

    def _parts(self, raw: Raw, adt: Adt) -> tuple[Case, list[Value | None]] | None:
        """Returns how an element is built, as far as terms say it; None where nothing says it."""
        for case in adt.cases:
            for term in self.ground.applications.get(case.build, ()):
                if raw in self._try(term):
                    return case, [self.decode(self.raw(arg), arg.sort) for arg in term.args]
        if not self._is_asked(adt.tag, raw):
            return None
        number = self.apply(adt.tag, (raw,))
        made = [case for case in adt.cases if case.number == number]
        if not made:
            raise Unevaluable(f"a value of {adt.sort} that no constructor makes")
        return made[0], [
            self.decode(self.apply(part, (raw,)), part.range) if self._is_asked(part, raw) else None
            for part in made[0].parts
        ]

    def _is_asked(self, symbol: Function, raw: Raw) -> bool:
        terms = self.ground.applications.get(symbol, ())
        return any(raw in self._try(term.args[0]) for term in terms)

    def _apart(self, adt: Adt, known: tuple[Case, list[Value | None]] | None) -> Value:
        """Returns a value that no other element has, if something in it can be chosen."""
        taken = {value for (sort, _), value in self._decoded.items() if sort is adt.sort}
        found = None
        for found in self._choices(adt, known):
            if found not in taken:
                return found
        if found is None:
            raise Unevaluable(f"a value of {adt.sort}")
        return found

    def _choices(self, adt: Adt, known: tuple[Case, list[Value | None]] | None) -> Iterator[Value]:
        adts, plain = self.theories.adts, self._plain()
        if known is None:
            yield from values_of(adt.sort, adts, plain)
            return
        case, parts = known
        free = [at for at, part in enumerate(parts) if part is None]
        least = [
            next(values_of(symbol.range, adts, plain), None) if part is None else part
            for symbol, part in zip(case.parts, parts, strict=True)
        ]
        base = [value for value in least if value is not None]
        if len(base) < len(least):
            return
        yield Built(case.name, tuple(base))
        for at in free:
            for value in values_of(case.parts[at].range, adts, plain):
                yield Built(case.name, (*base[:at], value, *base[at + 1 :]))

    def _plain(self) -> dict[Sort, Value]:
        """Returns a value for each sort that has no constructors."""
        found: dict[Sort, Value] = {}
        for adt in self.theories.adts.values():
            for sort in [part.range for case in adt.cases for part in case.parts]:
                theory = self.theories.by_sort.get(sort)
                if sort in self.theories.adts:
                    continue
                found[sort] = default(sort, self) if theory is None else _EMPTY[type(theory)]
        return found

    def encode(self, value: Value, sort: Sort) -> Raw | None:
        """Returns the raw value that means this one; None if the model has none."""
        if not self.theories.is_read(sort):
            assert not isinstance(value, frozenset | tuple)
            return value  # type: ignore[return-value]  # of these sorts both are alike
        known = self._encoded.get(sort)
        if known is None:
            known = self._encoded[sort] = {}
            for raw in self.pool(sort):
                known.setdefault(self.decode(raw, sort), raw)
        return known.get(value)

    # ------------------------------------------------------------ terms for values

    def term_for(self, value: Value, sort: Sort) -> Term | None:
        """Returns a ground term with this value; None if there is none."""
        if isinstance(value, bool | int | Fraction):
            return evaluator.literal_of(value, sort)
        return self._terms(sort).get(value) or self._built(value, sort)

    def _terms(self, sort: Sort) -> dict[Value, Term]:
        known = self._named.get(sort)
        if known is None:
            known = self._named[sort] = dict(self._first.get(sort, {}))
            for term in self.ground.by_sort.get(sort, ()):
                for raw in self._try(term):
                    known.setdefault(self.decode(raw, sort), term)
        return known

    @cached_property
    def _named(self) -> dict[Sort, dict[Value, Term]]:
        return {}

    def _built(self, value: Value, sort: Sort) -> Term | None:
        if isinstance(value, Built):
            case = self.theories.adts[sort].case(value.constructor)
            parts = [self.term_for(a, p.range) for a, p in zip(value.args, case.parts, strict=True)]
            built = [part for part in parts if part is not None]
            return tb.apply(case.build, *built) if len(built) == len(parts) else None
        if sort is not SNAP or not isinstance(value, Structure):
            return None
        args = [self.term_for(arg, SNAP) for arg in value.args]
        return evaluator.structure(value.constructor, [a for a in args if a is not None], len(args))

    def elements(self, sort: Sort) -> list[Value]:
        """All values of a sort that occur, in an order that is the same in every run."""
        return in_order(dict.fromkeys([self.decode(raw, sort) for raw in self.pool(sort)]))


def default(sort: Sort, interpretation: Interpretation) -> Raw:
    """Returns the value of what the model leaves open."""
    if sort is REF:
        return interpretation.null
    simple: dict[Sort, Raw] = {INT: 0, BOOL: False, REAL: Fraction(0), SNAP: Structure("Snap.unit")}
    if sort in simple:
        return simple[sort]
    if sort.kind is SortKind.FREE:
        return Element(sort, f"{sort}!other")
    raise Unevaluable(f"a value of {sort}")


def select(symbol: Function, value: Raw) -> Raw:
    """Returns the part of a snapshot; of one that has no parts, the empty one."""
    if isinstance(value, Structure) and len(value.args) == 2:
        return value.args[0 if symbol.name == "Snap.first" else 1]
    return Structure("Snap.unit")


def _column_values(symbol: Function, entries: FunctionTable, sort: Sort) -> list[Raw]:
    at = [i for i, s in enumerate(symbol.domain) if s is sort]
    return [args[i] for args in entries.entries for i in at] if at else []


def _int(value: Raw) -> int:
    assert isinstance(value, int)
    return value


assert isinstance(NULL, App)
assert isinstance(NULL.symbol, Function)
_NULL_SYMBOL = NULL.symbol
