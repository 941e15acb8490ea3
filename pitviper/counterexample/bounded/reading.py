"""An instance as a reader sees it: objects with names, values as texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from pitviper.counterexample.bounded.evaluator import Evaluator
from pitviper.counterexample.bounded.search import Holding
from pitviper.counterexample.bounded.values import Bag, Built, Table, Unevaluable, Value, in_order
from pitviper.encoding.theories.maps import Maps
from pitviper.results.counterexample import HeapState, Instance, Location, Shown, Variable
from pitviper.solver.model import Element, Structure, Text
from pitviper.terms.sort import INT, PERM, REF, Sort
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Term, Var

UNKNOWN = "?"
WAND = "magic wand"
"""Wands are known by their shape, which is a long text: the values in it tell them apart."""
MOST_LOCATIONS = 4000


class Reader:
    """Names objects in the order in which it meets them; read what matters first."""

    def __init__(self, evaluator: Evaluator, aliases: Mapping[Sort, str] | None = None) -> None:
        self.evaluator = evaluator
        self._names: dict[Element, str] = {evaluator.interpretation.null: "null"}
        self._counts: dict[Sort, int] = {}
        self._aliases = aliases or {}

    def objects(self) -> tuple[str, ...]:
        """Returns the objects that were met, null apart."""
        met = [name for e, name in self._names.items() if e.sort is REF and name != "null"]
        return tuple(sorted(met, key=lambda name: int(name.removeprefix("Ref"))))

    # ------------------------------------------------------------ values

    def shown(self, term: Term) -> Shown:
        """The value of a term; one that the solver was free to choose is not pinned."""
        try:
            value = self.evaluator.value(term)
        except Unevaluable:
            return Shown(UNKNOWN, pinned=False)
        return self.value(value, term.sort, pinned=self._is_pinned(term))

    def value(self, value: Value, sort: Sort, *, pinned: bool = True) -> Shown:
        text = self.text(value, sort)
        return Shown(text, tuple(self._objects_in(value)), pinned)

    def _is_pinned(self, term: Term) -> bool:
        if not isinstance(term, App) or term.args or not isinstance(term.symbol, Function):
            return True
        return term.symbol in self.evaluator.interpretation.model.constants

    def text(self, value: Value, sort: Sort) -> str:
        match value:
            case bool():
                return "true" if value else "false"
            case Fraction():
                return amount_text(value)
            case int():
                return amount_text(Fraction(value)) if sort is PERM else str(value)
            case Element():
                return self.name(value)
            case _:
                return self._structured(value, sort)

    def _structured(self, value: Value, sort: Sort) -> str:
        theory = self.evaluator.interpretation.theories.by_sort.get(sort)
        element = getattr(theory, "element", INT)
        match value:
            case frozenset():
                return f"Set({self._list(self._ordered(value), element)})"
            case tuple():
                return f"Seq({self._list(value, element)})"
            case Bag(counts):
                counted = dict(counts)
                repeated = [x for x in self._ordered(counted) for _ in range(counted[x])]
                return f"Multiset({self._list(repeated, element)})"
            case Table(entries):
                known = dict(entries)
                assert isinstance(theory, Maps)
                keys, values = theory.keys.element, theory.values.element
                parts = [
                    f"{self.text(k, keys)} := {self.text(known[k], values)}"
                    for k in self._ordered(known)
                ]
                return f"Map({', '.join(parts)})"
            case Built(constructor, args):
                case = self.evaluator.interpretation.theories.adts[sort].case(constructor)
                texts = [self.text(a, s.range) for a, s in zip(args, case.parts, strict=True)]
                return f"{constructor}({', '.join(texts)})"
            case Text(text):
                return text
            case _:
                return "..." if isinstance(value, Structure) else str(value)

    def _list(self, values: Iterable[Value], sort: Sort) -> str:
        return ", ".join([self.text(v, sort) for v in values])

    def _ordered(self, values: Iterable[Value]) -> list[Value]:
        """Objects that have a name come in the order of their names."""
        known = list(self._names)
        return sorted(
            in_order(values),
            key=lambda v: known.index(v) if isinstance(v, Element) and v in self._names else 999,
        )

    def name(self, element: Element) -> str:
        found = self._names.get(element)
        if found is None:
            sort = element.sort
            number = self._counts[sort] = self._counts.get(sort, 0) + 1
            found = self._names[element] = f"{self._aliases.get(sort, str(sort))}{number}"
        return found

    def _objects_in(self, value: Value) -> Iterator[str]:
        match value:
            case Element(sort=sort):
                if sort is REF:
                    yield self.name(value)
            case frozenset():
                for x in self._ordered(value):
                    yield from self._objects_in(x)
            case tuple():
                for x in dict.fromkeys(value):
                    yield from self._objects_in(x)
            case Built(_, args):
                for x in dict.fromkeys(args):
                    yield from self._objects_in(x)
            case Bag(counts):
                for x in self._ordered(dict(counts)):
                    yield from self._objects_in(x)
            case Table(entries):
                for pair in in_order([k for k, _ in entries]):
                    yield from self._objects_in(pair)
            case _:
                return

    # ------------------------------------------------------------ states

    def variables(
        self, store: Sequence[tuple[str, str, Term]], holdings: Sequence[Holding] = ()
    ) -> tuple[Variable, ...]:
        """Objects are named after the order of variables, then along the fields that are held."""
        for _, _, term in store:
            if term.sort is REF:
                self.shown(term)
        self._follow([h for h in holdings if h.kind == "field" and h.value.sort is REF])
        return tuple([Variable(name, kind, self.shown(term)) for name, kind, term in store])

    def _follow(self, holdings: Sequence[Holding]) -> None:
        """Names what the objects that have a name refer to, nearest first."""
        links: dict[Value, list[Value]] = {}
        for holding in holdings:
            for args, _, value in self._places(holding):
                links.setdefault(args[0], []).extend([] if value is None else [value])
        queue = [e for e in self._names if e.sort is REF]
        for element in queue:
            for value in links.get(element, ()):
                if isinstance(value, Element) and value not in self._names:
                    self.name(value)
                    queue.append(value)

    def heap(self, label: str, holdings: Sequence[Holding]) -> HeapState:
        """Returns every location once, with all that is held of it."""
        places: dict[tuple[str, str, tuple[Value, ...]], tuple[Fraction, Value | None, Sort]] = {}
        for holding in holdings:
            for args, amount, value in self._places(holding):
                key = holding.kind, holding.name, args
                before, known, _ = places.get(key, (Fraction(0), None, INT))
                places[key] = before + amount, value if known is None else known, holding.value.sort
        locations, instances = [], []
        for (kind, name, args), (amount, value, sort) in places.items():
            sorts = next(h for h in holdings if h.name == name and h.kind == kind).args
            if kind == "field":
                receiver = self.text(args[0], REF)
                seen = Shown(UNKNOWN) if value is None else self.value(value, sort)
                locations.append(Location(receiver, name, amount_text(amount), seen))
            else:
                shown = [self.value(a, t.sort) for a, t in zip(args, sorts, strict=True)]
                title, shape = ("wand", name) if kind == WAND else (name, "")
                held = amount_text(amount)
                instances.append(Instance(kind, title, tuple(shown), held, shape=shape))
        return HeapState(label, tuple(sorted(locations, key=_by_object)), tuple(instances))

    def _places(
        self, holding: Holding
    ) -> Iterator[tuple[tuple[Value, ...], Fraction, Value | None]]:
        """Where something is held, how much, and the value there."""
        domains = [self.evaluator.elements(v.sort) for v in holding.formals]
        for number, values in enumerate(product(*domains)):
            if number > MOST_LOCATIONS:
                return
            env = dict(zip(holding.formals, values, strict=True))
            try:
                amount = self.evaluator.value(holding.amount, env)
                args = tuple([self.evaluator.value(a, env) for a in holding.args])
            except Unevaluable:
                continue
            if isinstance(amount, Fraction | int) and amount > 0:
                yield args, Fraction(amount), self._try(holding.value, env)

    def _try(self, term: Term, env: Mapping[Var, Value]) -> Value | None:
        try:
            return self.evaluator.value(term, env)
        except Unevaluable:
            return None


def amount_text(amount: Fraction) -> str:
    if amount.denominator == 1 and amount in (0, 1):
        return "write" if amount else "none"
    return f"{amount.numerator}/{amount.denominator}"


def _by_object(location: Location) -> tuple[int, str]:
    number = location.object.removeprefix("Ref")
    return int(number) if number.isdigit() else 0, location.field
