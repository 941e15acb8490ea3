"""Plays an instance again: a concrete run of the member from its start, with its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random

from pitviper.base.record import record
from pitviper.counterexample.bounded.evaluator import Evaluator
from pitviper.counterexample.bounded.search import Holding
from pitviper.counterexample.bounded.values import Bag, Built, Table, Unevaluable, Value
from pitviper.counterexample.problem import heap_holdings
from pitviper.counterexample.question import Sought
from pitviper.encoding.symbols import Symbols
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.options import (
    Inputs,
    Interpretation,
    Loops,
    Meaning,
    Options,
    Tape,
    meaning_of,
)
from pitviper.engines.concrete.outcome import Failed
from pitviper.engines.shared import values as concrete
from pitviper.engines.symbolic.state import PRE_STATE
from pitviper.program import types as pt
from pitviper.program.member import Adt, Program
from pitviper.results.finding import Finding
from pitviper.solver.model import Element
from pitviper.terms.term import Term

TRIES = 24
"""Runs with other decisions about what the instance leaves open."""
RUN = Options(loops=Loops.ARBITRARY, steps=4000)


@record
class Replayed:
    """A run that failed like the check did; `line` is where."""

    line: int


def replay(
    program: Program,
    sought: Sought,
    evaluator: Evaluator,
    finding: Finding,
    *,
    with_domains: bool = True,
) -> Replayed | None:
    """Returns the first run that fails as the verifier said; None if none of the tries does.

    `with_domains` if axioms are known to hold in the instance: the run then believes its values.
    """
    name = finding.member
    for inputs in _inputs(program, sought, evaluator, name):
        if program.domains and inputs.interpretation.functions and not with_domains:
            continue
        for tape in _tapes():
            result = run_member(program, name, inputs, tape, RUN)
            if isinstance(result.outcome, Failed) and _is_alike(result.outcome.finding, finding):
                return Replayed(finding.span.line)
    return None


def _inputs(program: Program, sought: Sought, evaluator: Evaluator, name: str) -> Iterator[Inputs]:
    member = (
        program.methods.get(name) or program.functions.get(name) or program.predicates.get(name)
    )
    if member is None:
        return
    translation, st = Translation(evaluator, program), sought.state
    arguments = {}
    for parameter in member.params:
        term = sought.variables.get(parameter.name)
        value = None if term is None else translation.of(term, parameter.type)
        if value is not None:
            arguments[parameter.name] = value
    first = st.old.get(PRE_STATE, st.heap)
    fields = translation.fields(heap_holdings(first, sought.run.symbols), program)
    interpretation = translation.interpretation(program, sought.run.symbols)
    inputs = Inputs(arguments, fields, interpretation)
    yield inputs
    if program.domains:
        yield without_domains(inputs)


def _tapes() -> Iterator[Tape]:
    for number in range(4):
        yield Tape(then=number)
    random = Random(0)
    for _ in range(TRIES - 4):
        yield Tape(tuple([random.randrange(6) for _ in range(12)]), then=0)


def _is_alike(run: Finding, found: Finding) -> bool:
    return run.id == found.id and run.span == found.span


class Untranslatable(Exception):
    """A value that the interpreter has no counterpart for; caught where inputs are made."""


class Translation:
    """Numbers the objects of one instance; null is 0 in every run."""

    def __init__(self, evaluator: Evaluator, program: Program) -> None:
        self._evaluator = evaluator
        self._program = program
        null = evaluator.interpretation.null
        self._numbers: dict[Element, int] = {null: 0}
        for number, element in enumerate(evaluator.objects, 1):
            self._numbers.setdefault(element, number)
        self._tokens: dict[Element, int] = {}

    def value(self, value: Value, kind: pt.Type) -> concrete.Value:
        match kind, value:
            case pt.IntType() | pt.BoolType(), int():
                return value
            case pt.PermType(), int() | Fraction():
                return Fraction(value)
            case pt.RefType(), Element():
                return concrete.Ref(self._numbers.setdefault(value, len(self._numbers)))
            case pt.DomainType(), Element():
                number = self._tokens.setdefault(value, len(self._tokens))
                return concrete.Token(kind, number)
            case pt.AdtType(name, types), Built(constructor, args):
                return self._built(constructor, args, self._program.adts[name], types)
            case pt.SetType(element), frozenset():
                return frozenset([self.value(x, element) for x in value])
            case pt.SeqType(element), tuple():
                return tuple([self.value(x, element) for x in value])
            case pt.MultisetType(element), Bag(counts):
                return concrete.multiset({self.value(x, element): n for x, n in counts})
            case pt.MapType(key, result), Table(entries):
                found = {self.value(k, key): self.value(v, result) for k, v in entries}
                return concrete.finite_map(found)
            case _:
                raise Untranslatable(str(kind))

    def _built(
        self, constructor: str, args: tuple[Value, ...], adt: Adt, types: tuple[pt.Type, ...]
    ) -> concrete.Value:
        bound = dict(zip(adt.type_params, types, strict=True))
        params = next(c.params for c in adt.constructors if c.name == constructor)
        parts = [
            self.value(a, pt.instantiate(p.type, bound)) for a, p in zip(args, params, strict=True)
        ]
        return concrete.Constructed(constructor, tuple(parts))

    def of(self, term: Term, kind: pt.Type) -> concrete.Value | None:
        try:
            return self.value(self._evaluator.value(term), kind)
        except (Unevaluable, Untranslatable):
            return None

    def fields(
        self, holdings: Sequence[Holding], program: Program
    ) -> dict[tuple[concrete.Ref, str], concrete.Value]:
        found: dict[tuple[concrete.Ref, str], concrete.Value] = {}
        for holding in holdings:
            if holding.kind == "field":
                kind = program.fields[holding.name].type
                for element in [self._evaluator.interpretation.null, *self._evaluator.objects]:
                    self._field(holding, element, kind, found)
        return found

    def _field(
        self,
        holding: Holding,
        element: Element,
        kind: pt.Type,
        found: dict[tuple[concrete.Ref, str], concrete.Value],
    ) -> None:
        env = {v: element for v in holding.formals}
        try:
            if self._evaluator.value(holding.args[0], env) != element:
                return
            amount = self._evaluator.value(holding.amount, env)
            if isinstance(amount, int | Fraction) and amount > 0:
                receiver = concrete.Ref(self._numbers[element])
                value = self.value(self._evaluator.value(holding.value, env), kind)
                found.setdefault((receiver, holding.name), value)
        except (Unevaluable, Untranslatable):
            return

    def interpretation(self, program: Program, symbols: Symbols) -> Interpretation:
        """Returns domain functions as far as the instance has values; axioms were checked there."""
        functions: dict[str, Meaning] = {}
        domains = [d for d in program.domains.values() if not d.type_params]
        for domain in domains:
            for declared in domain.functions:
                symbol = symbols.domain_function(domain.name, declared.name, ())
                kinds = [p.type for p in declared.params]
                table = self._table(self._evaluator.touched.get(symbol, {}), kinds, declared.result)
                functions[declared.name] = meaning_of(table)
        return Interpretation(functions, frozenset([d.name for d in domains]))

    def _table(
        self, entries: Mapping[tuple[Value, ...], Value], kinds: Sequence[pt.Type], result: pt.Type
    ) -> dict[tuple[concrete.Value, ...], concrete.Value]:
        table: dict[tuple[concrete.Value, ...], concrete.Value] = {}
        for args, value in entries.items():
            try:
                key = tuple([self.value(a, k) for a, k in zip(args, kinds, strict=True)])
                table[key] = self.value(value, result)
            except Untranslatable:
                continue
        return table


def without_domains(inputs: Inputs) -> Inputs:
    """Returns the same inputs, with domain functions left to the interpreter."""
    return Inputs(inputs.arguments, inputs.fields)
