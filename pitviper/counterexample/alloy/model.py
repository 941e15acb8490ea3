"""A state as an Alloy 6 model: references, store, chunks, path conditions, functions, failed query.

The order of the parts is that of chapter 3 of the thesis. Axioms over snapshots and integers have
no finite model, so they are written for the terms that occur. What cannot be expressed is listed as
comments at the end: the model then has instances that the state has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import lcm

from pitviper.counterexample.alloy.terms import AlloyTerms, Inexpressible
from pitviper.counterexample.bounded.ground import GroundTerms
from pitviper.counterexample.bounded.search import Fact, Holding, Problem
from pitviper.terms import build as tb
from pitviper.terms.snapshot import SNAP
from pitviper.terms.sort import BOOL, INT, PERM, REF
from pitviper.terms.substitute import instantiate, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Literal, Quantified, Term, Var

ROUNDS = 2
MOST_INSTANCES = 60
MOST_BITS = 12
"""Alloy makes an atom of every integer: with more it does not come to an end."""
SMALLEST_PART = 4
"""`write` is at least so many parts, for amounts that are symbols."""


def alloy_text(problem: Problem, title: str, objects: int = 4) -> str:
    return _Model(problem, objects).text(title)


class _Model:
    def __init__(self, problem: Problem, objects: int) -> None:
        self._problem = problem
        self._objects = objects
        self._unit = _unit(problem)
        self._terms = AlloyTerms(problem.theories, self._unit)
        self._missing: dict[str, None] = {}
        self._fields: dict[str, str] = {}

    def text(self, title: str) -> str:
        goal = self._problem.goal
        parts = [
            *self._section("path conditions", self._facts(self._problem.facts)),
            *self._section("chunks and permissions", self._chunks()),
            *self._section("fields, for the viewer", self._values()),
            *self._section("functions and axioms", self._axioms()),
        ]
        if goal is not None:
            negated = Fact(tb.negate(goal.term), f"not: {goal.text}")
            parts += self._section("failed query, negated", self._facts([negated]))
        body = [*self._references(), *self._state(), *self._functions()]
        lines = [f"// {title}", "", *body, *parts, *self._end()]
        return "\n".join(lines) + "\n"

    def _section(self, title: str, lines: Iterable[str]) -> list[str]:
        return [f"// ---- {title}", *lines, ""]

    def _facts(self, facts: Iterable[Fact]) -> Iterator[str]:
        for fact in facts:
            written = None if fact.term is tb.TRUE else self._written(fact.term)
            if written is not None:
                yield f"fact {{ {written} }} // {' '.join(fact.text.split())[:80]}"

    def _written(self, term: Term) -> str | None:
        try:
            return self._terms.formula(term)
        except Inexpressible as why:
            self._missing[str(why)] = None
            return None

    def _chunks(self) -> Iterator[str]:
        """What is held at each reference, as far as it can be written: null holds nothing."""
        for holding in self._problem.holdings:
            if [v.sort for v in holding.formals] == [REF]:
                amount = self._amount(holding)
                if amount is not None:
                    name = self._terms.name(holding.formals[0], holding.formals[0].name)
                    yield f"fact {{ all {name}: Ref | {amount} }}"

    def _amount(self, holding: Holding) -> str | None:
        bounds = tb.conjoin(
            tb.at_least(holding.amount, tb.NONE), tb.at_most(holding.amount, tb.WRITE)
        )
        return None if bounds is tb.TRUE else self._written(bounds)

    # ------------------------------------------------------------ fields

    def _values(self) -> Iterator[str]:
        """A relation for each field, so that the viewer draws objects that refer to each other: it
        has a value where permission is held, and none elsewhere."""
        by_field: dict[str, list[Holding]] = {}
        for holding in self._problem.present:
            if holding.kind == "field":
                by_field.setdefault(holding.name, []).append(holding)
        for field, holdings in by_field.items():
            try:
                lines = list(self._relation(field, holdings))
            except Inexpressible as why:
                self._missing[f"the field {field}: {why}"] = None
                self._fields.pop(field, None)
            else:
                yield from lines

    def _relation(self, field: str, holdings: list[Holding]) -> Iterator[str]:
        sort = holdings[0].value.sort
        kind = "Boolean" if sort is BOOL else self._terms.sort(sort)
        several = kind.startswith("set ")
        if "->" in kind:
            raise Inexpressible(str(sort))
        name = self._terms.name(("field", field), f"{field}")
        self._fields[field] = f"{name}: {kind if several else f'lone {kind}'}"
        at, held = self._terms.name(("at", field), "r"), list[str]()
        for holding in holdings:
            formals = holding.formals
            amount = self._terms.formula(tb.greater(holding.amount, tb.NONE))
            value = self._terms.expression(holding.value)
            if formals:
                own = self._terms.name(formals[0], formals[0].name)
                yield f"fact {{ all {own}: Ref | {amount} implies {own}.{name} = {value} }}"
                held.append(f"(some {own}: {at} | {amount})")
            else:
                place = self._terms.expression(holding.args[0])
                yield f"fact {{ {amount} implies {place}.{name} = {value} }}"
                held.append(f"({at} = {place} and {amount})")
        some = " or ".join(held)
        yield f"fact {{ all {at}: Ref | some {at}.{name} implies ({some}) }}"

    # ------------------------------------------------------------ axioms

    def _axioms(self) -> Iterator[str]:
        given = [f.term for f in self._problem.axioms] + list(self._problem.definitions)
        ground = GroundTerms()
        ground.add([f.term for f in self._problem.facts])
        if self._problem.goal is not None:
            ground.add([self._problem.goal.term])
        written: dict[Term, None] = {}
        for _ in range(ROUNDS):
            for axiom in given:
                for instance in _instances(axiom, ground):
                    written.setdefault(instance)
            ground.add(written)
        for term in list(written)[:MOST_INSTANCES]:
            line = self._written(term)
            if line is not None:
                yield f"fact {{ {line} }}"

    # ------------------------------------------------------------ declarations

    def _references(self) -> list[str]:
        return [
            "// ---- truth values, references",
            "abstract sig Boolean {}",
            "one sig True, False extends Boolean {}",
            "sig Ref {" if self._fields else "sig Ref {}",
            *[f"  {declared}," for declared in self._fields.values()],
            *(["}"] if self._fields else []),
            "one sig NULL in Ref {}",
            *[
                f"sig {name} {{}}"
                for sort, name in self._terms.sorts.items()
                if sort not in (REF, INT, PERM)
            ],
            "",
        ]

    def _state(self) -> list[str]:
        lines = []
        for term, name in self._terms.constants.items():
            kind = "Boolean" if term.sort is BOOL else self._terms.sort(term.sort)
            mark = "" if kind.startswith("set ") or "->" in kind else "one "
            lines.append(f"  {name}: {mark}{kind},")
        return ["// ---- store and symbols", "one sig State {", *lines, "}", ""]

    def _functions(self) -> list[str]:
        lines = []
        for symbol, name in self._terms.relations.items():
            columns = [
                "Boolean" if s is BOOL else self._terms.sort(s)
                for s in (*symbol.domain, symbol.range)
            ]
            small = all(s is not INT and s is not PERM and s is not SNAP for s in symbol.domain)
            last = f"{'one' if small else 'lone'} {columns[-1]}"
            lines.append(f"  {name}: {' -> '.join([*columns[:-1], last])},")
        return ["// ---- functions", "one sig Fun {", *lines, "}", *self._applied(), ""]

    def _applied(self) -> Iterator[str]:
        """Applications have one value each; left out where an argument has no words."""
        for term in list(self._terms.applications):
            try:
                yield f"fact {{ one {self._terms.expression(term)} }}"
            except Inexpressible as why:
                self._missing[str(why)] = None

    def _end(self) -> list[str]:
        """No stray references: each is in the store or a collection, or the value of a function."""
        met = ["NULL"]
        for term in self._terms.constants:
            kind = "" if term.sort is BOOL else self._terms.sort(term.sort)
            if kind in ("Ref", "set Ref"):
                met.append(self._terms.expression(term))
        for symbol, name in self._terms.relations.items():
            if symbol.range is REF:
                joined = "".join(
                    [f"[{self._terms.sort(s)}]" for s in symbol.domain if s is not BOOL]
                )
                met.append(f"Fun.{name}{joined}")
        lines = [f"fact {{ Ref = {' + '.join(met)} }}"]
        bits = max(5, (4 * self._unit).bit_length() + 1, _bits(self._problem))
        scopes = [f"{self._objects + 1} Ref", f"{bits} Int"]
        lines += [f"// not expressed: {what}" for what in self._missing]
        return [
            "// ---- reachability, scopes",
            *lines,
            f"run {{}} for {self._objects + 4} but {', '.join(scopes)}",
        ]


def _bits(problem: Problem) -> int:
    """The bits of integers with which no literal of the state overflows, nor do two of them
    together."""
    terms = [f.term for f in problem.facts] + ([problem.goal.term] if problem.goal else [])
    values = [h.value for h in problem.holdings]
    numbers = [t for t in subterms(*terms, *values) if isinstance(t, Literal) and t.sort is INT]
    largest = max([abs(int(t.value)) for t in numbers], default=0)
    return min((2 * largest).bit_length() + 1, MOST_BITS)


def _unit(problem: Problem) -> int:
    """The number of parts of `write` that all amounts which occur can be counted in."""
    terms = [f.term for f in problem.facts] + ([problem.goal.term] if problem.goal else [])
    amounts = [
        Fraction(t.value)
        for t in subterms(*terms, *[h.amount for h in problem.holdings])
        if isinstance(t, Literal) and t.sort is PERM
    ]
    symbolic = any(t.sort is PERM and isinstance(t, App) and not t.args for t in subterms(*terms))
    found = lcm(*[a.denominator for a in amounts], 1)
    return max(found, found * SMALLEST_PART) if symbolic else found


def _instances(axiom: Term, ground: GroundTerms) -> Iterator[Term]:
    """A quantifier at the ground terms that its triggers match, or an application inside of it."""
    if not isinstance(axiom, Quantified):
        yield axiom
        return
    inside = next(_covering(axiom), None)
    groups = [*axiom.triggers, *([] if inside is None else [(inside,)])]
    for group in groups:
        for binding in _matches(list(group), {}, ground):
            if all(v in binding for v in axiom.variables):
                yield instantiate(axiom, [binding[v] for v in axiom.variables])


def _covering(axiom: Quantified) -> Iterator[Term]:
    """Applications that mention all variables of a quantifier."""
    for term in subterms(axiom.body):
        covers = set(axiom.variables) <= set(term.free)
        if covers and isinstance(term, App) and isinstance(term.symbol, Function):
            yield term


def _matches(
    patterns: list[Term], binding: dict[Var, Term], ground: GroundTerms
) -> Iterator[dict[Var, Term]]:
    if not patterns:
        yield binding
        return
    first = patterns[0]
    if isinstance(first, App) and isinstance(first.symbol, Function):
        for term in ground.applications.get(first.symbol, ()):
            found = _matched(first, term, binding)
            if found is not None:
                yield from _matches(patterns[1:], found, ground)


def _matched(pattern: Term, term: Term, binding: dict[Var, Term]) -> dict[Var, Term] | None:
    if isinstance(pattern, Var):
        known = binding.get(pattern)
        return {**binding, pattern: term} if known is None or known is term else None
    if not pattern.free:
        return binding if pattern is term else None
    if (
        not isinstance(pattern, App)
        or not isinstance(term, App)
        or pattern.symbol is not term.symbol
    ):
        return None
    found: dict[Var, Term] | None = binding
    for p, t in zip(pattern.args, term.args, strict=True):
        found = None if found is None else _matched(p, t, found)
    return found
