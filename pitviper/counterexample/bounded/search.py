"""The search for an instance: ask for a model, check it, teach the solver what it missed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeAlias

from pitviper.base.record import field, record
from pitviper.counterexample.bounded.adts import finite, tags
from pitviper.counterexample.bounded.evaluator import Evaluator
from pitviper.counterexample.bounded.extension import (
    Extension,
    declared_symbols,
    extension,
    related,
)
from pitviper.counterexample.bounded.ground import GroundTerms, Namer
from pitviper.counterexample.bounded.interpretation import Interpretation
from pitviper.counterexample.bounded.lemmas import Lemma, Teacher
from pitviper.counterexample.bounded.scope import (
    Scope,
    closure,
    objects,
    outline,
    scopes,
    usual_scopes,
)
from pitviper.counterexample.bounded.values import Theories, Unevaluable, Value
from pitviper.solver.model import Model
from pitviper.solver.session import Answer, ModelSolver, Path, Solver
from pitviper.source.span import Span
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.sort import INT, REF
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import Function
from pitviper.terms.term import FALSE, App, Quantified, Term, Var


@record
class Doubt:
    """A fact that our evaluator could not confirm, and why; `untrue` if it is false here."""

    fact: Fact
    why: str
    untrue: bool = False


@record
class Found:
    """An instance. Without `doubts`, all facts hold in it and the goal fails.

    `sampled` are facts about all integers, which were evaluated for those that occur.
    """

    evaluator: Evaluator
    scope: Scope
    doubts: tuple[Doubt, ...] = ()
    sampled: tuple[Fact, ...] = ()

    @property
    def objects(self) -> int:
        return self.scope.objects

    @property
    def checked(self) -> bool:
        return not self.doubts

    @property
    def untrue(self) -> tuple[Fact, ...]:
        """Facts of the path, bodies of functions, or the failure itself, that do not hold here."""
        return tuple([doubt.fact for doubt in self.doubts if doubt.untrue])


@record
class NoneWithin:
    """No instance has at most so many objects."""

    objects: int


@record
class NoneAtAll:
    """There is no instance of any size."""


@record
class GaveUp:
    """The solver reached its limit."""

    objects: int


NEXT_LIMIT = 1_000_000
NEXT_WORK = 40_000
"""What a further instance may cost."""
MOST_DOUBTFUL = 5
"""Scopes with an instance that something speaks against, before no other is sought."""
UNTRUE = 3
"""What one counts for in which facts are untrue: larger ones seldom do better."""
SMALL = (4, 40)
"""Numbers up to these are small, and not so small."""
PATIENT = 4
"""How often as many models again are looked at where there are no numbers to choose."""
TERMS = 2
"""So many terms are as much work as one value of a quantified variable."""
JUDGE_LIMIT = 400_000
MOST_JUDGED = 8
"""Questions about values that do not occur, and what each may cost."""

DEFINITION = "a definition of the verifier"

Outcome: TypeAlias = Found | NoneWithin | NoneAtAll | GaveUp


class Search:
    """Looks for instances of one problem; what was learnt is kept from one to the next."""

    def __init__(
        self, problem: Problem, solver: ModelSolver, bounds: Bounds, judge: Solver
    ) -> None:
        self.problem = problem
        self.judge = judge
        self.by_models = False
        self._judged: dict[frozenset[Term], Answer] = {}
        self.bounds = bounds
        self._limit = bounds.limit
        self.solver = solver
        solver.declare(problem.background)
        facts = [*problem.facts]
        if problem.goal is not None:
            facts.append(Fact(tb.negate(problem.goal.term), f"!({problem.goal.text})"))
        self.facts = tuple(facts)
        self.namer = Namer()
        axioms = [fact.term for fact in problem.axioms]
        self.told = tuple([tuple(self.namer.named(fact.term)) for fact in facts])
        self.asserted = list(dict.fromkeys([term for terms in self.told for term in terms]))
        self.teacher = Teacher([*axioms, *problem.definitions, *self.asserted], self.namer)
        self.ground = GroundTerms()
        self.ground.add([*self.asserted, *problem.roots, *problem.numbers])
        self.ground.add([a for a in axioms if not a.free])
        self._of_all = any(map(_is_of_all_references, [*axioms, *[f.term for f in facts]]))
        self.work = 0
        self.path = Path().assume_all(self.asserted)
        self.lemmas: list[Lemma] = []
        self._taught: set[Term] = set(self.asserted)
        self._by_triggers = frozenset(problem.definitions)

    # ------------------------------------------------------------ scopes

    def another(self, blocked: Sequence[Term], start: int) -> Found | None:
        """Returns an instance in which these facts hold, too, if little effort finds one."""
        limit, work = self.bounds.limit, self.work
        try:
            self._limit = min(limit, NEXT_LIMIT)
            for scope in usual_scopes(start, self.bounds.objects):
                found = self.within(scope, blocked)
                if isinstance(found, Found) and found.checked:
                    return found
                if isinstance(found, GaveUp) or self.work > work + NEXT_WORK:
                    return None
        finally:
            self._limit = limit
        return None

    def smallest(self, extra: Sequence[Term] = (), start: int = 1) -> Outcome:
        """Returns an instance with few objects; one without doubts, if there is any."""
        if not extra and self.impossible():
            return NoneAtAll()
        last: Outcome = NoneWithin(0)
        candidate: Found | None = None
        doubtful = 0
        tried: set[Scope] = set()
        for scope in scopes(start, self.bounds.objects):
            if self._outline(scope) in tried:
                continue
            last = self.within(scope, extra)
            tried.add(self._outline(scope))
            if isinstance(last, Found) and last.untrue:
                last = self._truer(last, extra)
            if isinstance(last, Found) and last.checked:
                return last
            if isinstance(last, Found):
                candidate = candidate or last
                doubtful += UNTRUE if last.untrue else 1
                if not extra and last.sampled and self._is_contradictory():
                    return NoneAtAll()
            elif not extra and self.impossible():
                return NoneAtAll()
            if self._is_exhausted() or doubtful >= MOST_DOUBTFUL:
                break
        return candidate or last

    def _truer(self, found: Found, extra: Sequence[Term]) -> Found:
        """Returns an instance with small numbers instead of one in which a definition is not true:
        functions of small numbers are unrolled to their end. Where there are no numbers to choose,
        functions are unrolled further."""
        numbers = [n for n in self.problem.numbers if n.sort is INT]
        for more in [_up_to(most, numbers) for most in SMALL] if numbers else [[]] * PATIENT:
            nearer = self.within(found.scope, [*extra, *more], NEXT_LIMIT)
            if isinstance(nearer, Found) and nearer.checked:
                return nearer
            if self._is_exhausted():
                break
        return found

    def _outline(self, scope: Scope) -> Scope:
        """Returns what a scope says about the terms there are: two that say the same are one.

        Facts about all references see every object, whether or not a term stands for it.
        """
        return scope if self._of_all else outline(scope, self.ground, self.problem.theories)

    def _is_exhausted(self) -> bool:
        used = self.solver.statistics().resources
        return self.work > self.bounds.work or used > self.bounds.total

    def impossible(self) -> bool:
        """Whether the facts exclude instances of every size."""
        return self.solver.entails(self.path, FALSE, self.bounds.limit).proved

    def _is_contradictory(self) -> bool:
        """Whether a solver that builds models of quantifiers excludes instances of every size."""
        if not self.by_models:
            self.by_models = True
            return self.excludes(self.path)
        return False

    def excludes(self, path: Path) -> bool:
        """Whether nothing of any size fits, as far as the one sees it that may find reasons."""
        if self.by_models:
            path = path.assume_all([fact.term for fact in self.problem.axioms])
            return self.judge.entails(path, FALSE, JUDGE_LIMIT).proved
        return self.solver.entails(path, FALSE, self.bounds.limit).proved

    def within(self, scope: Scope, extra: Sequence[Term] = (), limit: int | None = None) -> Outcome:
        """Returns an instance within a scope, in which the extra facts hold as well."""
        count, limit = scope.objects, min(self._limit, limit or self._limit)
        self._locate(count)
        for _ in range(self.bounds.rounds):
            answer, model = self.solver.examine(self._closed(scope, extra), FALSE, limit)
            if answer.proved:
                return NoneWithin(count)
            if model is None:
                return GaveUp(count)
            evaluator = self._evaluator(model, count)
            failing = self._failing(evaluator)
            self.work += evaluator.steps + len(self.ground.all) // TERMS
            if self._is_exhausted():
                return self._found(evaluator, scope)
            if not (failing or evaluator.strays) or not self._teach(failing, evaluator):
                return self._found(evaluator, scope)
        return self._found(evaluator, scope)

    def reread(self, found: Found, term: Term, value: Value) -> Found | None:
        """Returns the instance with another value of a collection, judged again; None where what
        it means is no value of the model."""
        known = found.evaluator.interpretation
        try:
            raw = known.raw(term)
        except Unevaluable:
            return None
        changed = {**known.given, (term.sort, raw): value}
        atoms = objects(found.objects)
        interpretation = Interpretation(
            known.model, self.ground, self.problem.theories, atoms, changed
        )
        evaluator = Evaluator(interpretation, self._by_triggers, self.namer.stands_for)
        self._failing(evaluator)
        return None if evaluator.strays else self._found(evaluator, found.scope)

    def _locate(self, count: int) -> None:
        """What is held at each object is part of an instance."""
        self.ground.add(self.located(count))

    def located(self, count: int) -> list[Term]:
        """Returns values and amounts at each object, of what is held for many objects at once."""
        return [
            substitute(term, {holding.formals[0]: atom})
            for holding in self.problem.holdings
            if [v.sort for v in holding.formals] == [REF]
            for atom in objects(count)
            for term in (holding.value, holding.amount)
        ]

    def _closed(self, scope: Scope, extra: Sequence[Term]) -> Path:
        adts = self.problem.theories.adts
        self.ground.add(tags(adts, self.ground))
        closed = closure(scope, self.ground, self.problem.roots, self.problem.theories)
        closed += finite(adts, self.ground, scope.longest)
        return self.path.assume_all([*closed, *extra])

    def _evaluator(self, model: Model, count: int) -> Evaluator:
        atoms = objects(count)
        interpretation = Interpretation(model, self.ground, self.problem.theories, atoms)
        return Evaluator(interpretation, self._by_triggers, self.namer.stands_for)

    # ------------------------------------------------------------ checking

    def _failing(self, evaluator: Evaluator) -> list[Term]:
        axioms = [fact.term for fact in self.problem.axioms]
        failing = [f for f in (*self.asserted, *axioms) if _judge(f, evaluator) is False]
        return failing + evaluator.settle(self.problem.definitions)

    def _found(self, evaluator: Evaluator, scope: Scope) -> Found:
        """Judged by the facts as they are, not as the solver was told them."""
        doubts, sampled, of_objects = [], [], []
        generated = [Fact(term, _defined(term)) for term in self.problem.definitions]
        own = [*self.facts, *[fact for fact in generated if fact.text != DEFINITION]]
        for fact in (*self.facts, *self.problem.axioms, *generated):
            try:
                if not evaluator.holds(fact.term):
                    why = "it does not hold in this instance"
                    doubts.append(Doubt(fact, why, untrue=fact in own))
            except Unevaluable as why:
                doubts.append(Doubt(fact, str(why)))
            if any(part in evaluator.sampled for part in subterms(fact.term)):
                sampled.append(fact)
            elif any(part in evaluator.of_objects for part in subterms(fact.term)):
                of_objects.append(fact)
        doubts += self._left_free(evaluator)
        if sampled and not doubts:
            doubts += self._computed_elsewhere(sampled)
        if sampled and not doubts:
            doubts += self._beyond(sampled, of_objects, evaluator)
        return Found(evaluator, scope, tuple(doubts), tuple(sampled))

    def _left_free(self, evaluator: Evaluator) -> Iterator[Doubt]:
        """Gives what the solver chose where the program says what is so."""
        for fact in (*self.problem.closed, *self.problem.many):
            if _judge(fact.term, evaluator) is not True:
                yield Doubt(fact, "not all were, so what they contain is free")
        if any(each.is_broken(evaluator) for each in self.problem.excluded):
            yield Doubt(Fact(tb.TRUE, "new objects are in no older value"), "one is", untrue=True)
        for symbol, name in self.problem.free.items():
            if evaluator.touched.get(symbol):
                fact = Fact(tb.TRUE, f"values of {name} follow from its body")
                yield Doubt(fact, "the verifier has no definition of it here, so they are free")
        for symbol in [each for each in evaluator.unsettled if "%" not in each.name]:
            fact = Fact(tb.TRUE, f"values of {symbol.name} follow from its body")
            yield Doubt(fact, "it was unrolled often, and further values are free")

    def _computed_elsewhere(self, sampled: Sequence[Fact]) -> Iterator[Doubt]:
        """Gives facts that apply functions with a body to values that do not occur: what the body
        makes of those was not computed, and a solver that leaves them free may not say."""
        bodies = [term for term in self.problem.definitions if _defined(term) != DEFINITION]
        computed = declared_symbols(*bodies)
        for fact in sampled:
            if (
                fact in self.facts
                and not _is_mark(fact.term)
                and any(
                    isinstance(part, App) and part.free and part.symbol in computed
                    for part in subterms(fact.term)
                )
            ):
                yield Doubt(fact, "true of the values in this state; others were not computed")

    def _beyond(
        self, sampled: Sequence[Fact], of_objects: Sequence[Fact], evaluator: Evaluator
    ) -> Iterator[Doubt]:
        """Gives facts about values that do not occur which nothing may satisfy.

        Axioms that have nothing to do with the facts are taken to have a model of their own. What
        is said of each object can hold of further ones, of which nothing is held. But axioms may
        say that there are some: then it counts what is said of the functions of axioms.
        """
        mentioned = {s for fact in self.facts for s in declared_symbols(fact.term)}
        known = declared_symbols(*[fact.term for fact in self.problem.axioms])
        told = [*sampled, *[f for f in of_objects if declared_symbols(f.term) <= known]]
        for group in related(told, lambda fact: declared_symbols(fact.term)):
            if not any(fact in sampled for fact in group):
                continue
            terms = [fact.term for fact in group]
            if any(f in self.facts for f in group) or mentioned & declared_symbols(*terms):
                yield from self._not_extended(group, extension(terms, evaluator, self._ask_judge))

    def _not_extended(self, group: Sequence[Fact], found: Extension) -> Iterator[Doubt]:
        if found is not Extension.POSSIBLE:
            why = "true of the values in this state, not checked for all others"
            if found is Extension.IMPOSSIBLE:
                why = "true of the values in this state, but not of all others"
            for fact in group:
                if not _is_mark(fact.term):
                    yield Doubt(fact, why)

    def _ask_judge(self, told: Sequence[Term]) -> Answer:
        """The same question has the same answer, and there are not many of them."""
        key = frozenset(told)
        if key not in self._judged and len(self._judged) >= MOST_JUDGED:
            return Answer(proved=False, unknown="asked often enough")
        if key not in self._judged:
            path = Path().assume_all(told)
            self._judged[key] = self.judge.entails(path, FALSE, JUDGE_LIMIT)
        return self._judged[key]

    def _teach(self, failing: Sequence[Term], evaluator: Evaluator) -> bool:
        """Add what excludes this model; whether there was anything to add."""
        found = [lemma for fact in failing for lemma in self.teacher.instances(fact, evaluator)]
        found += self.teacher.meanings(evaluator)
        new = [lemma.term for lemma in found if self._learn(lemma)]
        self.ground.add(new)
        return self._fetch(evaluator) or bool(new)

    def _learn(self, lemma: Lemma) -> bool:
        if lemma.term in self._taught or lemma.term is tb.TRUE:
            return False
        self._taught.add(lemma.term)
        self.asserted.append(lemma.term)
        self.lemmas.append(lemma)
        self.path = self.path.assume(lemma.term)
        return True

    def _fetch(self, evaluator: Evaluator) -> bool:
        """Bring references that left the scope back into it; whether there were any."""
        before = len(self.ground.all)
        for symbol, args in evaluator.strays:
            found = [
                evaluator.interpretation.term_for(value, sort)
                for value, sort in zip(args, symbol.domain, strict=True)
            ]
            terms = [t for t in found if t is not None]
            if len(terms) == len(found):
                self.ground.add([tb.apply(symbol, *terms)])
        return len(self.ground.all) > before


def _is_mark(term: Term) -> bool:
    """Whether a fact says only that preconditions of functions hold: that can be so everywhere."""
    match term:
        case Quantified():
            return _is_mark(term.body)
        case App(symbol=op.IMPLIES):
            return _is_mark(term.args[1])
        case App(symbol=op.AND):
            return all(_is_mark(part) for part in term.args)
        case App(symbol=Function(name=name)):
            return name.endswith("%precondition")
        case _:
            return False


def _up_to(most: int, numbers: Sequence[Term]) -> list[Term]:
    low, high = tb.integer(-most), tb.integer(most)
    return [tb.conjoin(tb.at_least(n, low), tb.at_most(n, high)) for n in numbers]


def _is_of_all_references(fact: Term) -> bool:
    """Whether a fact speaks about references that no term of it stands for."""
    quantified = [part for part in subterms(fact) if isinstance(part, Quantified)]
    return any(var.sort is REF for part in quantified for var in part.variables)


def _defined(term: Term) -> str:
    """Says what a definition of the verifier is about."""
    name = term.name if isinstance(term, Quantified) else ""
    if name.endswith(".definition"):
        return f"the definition of {name.removesuffix('.definition')}"
    return DEFINITION


def _judge(fact: Term, evaluator: Evaluator) -> bool | None:
    try:
        return evaluator.holds(fact)
    except Unevaluable:
        return None


@record
class Fact:
    """Something that holds, in Viper terms, and where it was written."""

    term: Term
    text: str
    span: Span | None = None


@record
class Holding:
    """`amount` of `name(args)` is held, with this value; for all values of `formals`, if any."""

    kind: str
    name: str
    formals: tuple[Var, ...]
    args: tuple[Term, ...]
    amount: Term
    value: Term


class Excluded(Protocol):
    """Something that is so in no state."""

    def is_broken(self, evaluator: Evaluator) -> bool: ...


@record
class Problem:
    """`facts` are those of the state and the user's; `goal` is None where any instance will do.

    `axioms` are those of domains. `definitions` are what the verifier itself states about its
    symbols, functions among them: they matter for the terms that their triggers match. `background`
    is all that the solver is told, collections included. `roots` are references in the order in
    which a reader meets them, `numbers`, `choices`, `amounts` and `collections` the integers, truth
    values, permission amounts and collections that a reader sees. Where one of `closed` does not
    hold, there is a predicate instance inside others that nobody looked into; where one of `many`,
    there are such that are held for many values at once; `free` are functions without known
    definition. Of all `holdings`, those of the state itself are `present`. What is `excluded` is
    no state, though no fact may say so.
    """

    facts: tuple[Fact, ...]
    goal: Fact | None
    axioms: tuple[Fact, ...]
    definitions: tuple[Term, ...]
    background: tuple[Term, ...]
    theories: Theories
    roots: tuple[Term, ...] = ()
    numbers: tuple[Term, ...] = ()
    holdings: tuple[Holding, ...] = ()
    choices: tuple[Term, ...] = ()
    amounts: tuple[Term, ...] = ()
    closed: tuple[Fact, ...] = ()
    many: tuple[Fact, ...] = ()
    free: Mapping[Function, str] = field(default_factory=dict)
    collections: tuple[Term, ...] = ()
    present: tuple[Holding, ...] = ()
    excluded: tuple[Excluded, ...] = ()


@record
class Bounds:
    """`objects` is the largest number of objects tried, `limit` what one question may cost.

    `rounds` are the models that are looked at in one scope, `work` is the number of values of
    quantified variables that are tried in all, `total` what all questions together may cost.
    """

    objects: int = 6
    limit: int = 4_000_000
    rounds: int = 60
    work: int = 300_000
    total: int = 20_000_000
