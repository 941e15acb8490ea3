"""From a problem to what a reader sees: instances one after the other, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.counterexample.bounded.lemmas import Lemma
from pitviper.counterexample.bounded.minimise import with_small_numbers
from pitviper.counterexample.bounded.problem import Bounds
from pitviper.counterexample.bounded.reading import Reader
from pitviper.counterexample.bounded.reasons import Contradiction, contradiction
from pitviper.counterexample.bounded.search import Found, GaveUp, NoneAtAll, Search
from pitviper.counterexample.bounded.shapes import excluding, shape_of
from pitviper.counterexample.focus import applications, caption_of, focus_of, owning, shown_heap
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.counterexample.problem import Earlier, Question, Sought, heap_holdings, problem_of
from pitviper.counterexample.replay import replay
from pitviper.engines.symbolic.state import PRE_STATE
from pitviper.explain.final_expression import FinalExpressions, names_in
from pitviper.results.counterexample import (
    NOW,
    Absence,
    Counterexample,
    NoCounterexample,
    Reason,
    Result,
    Standing,
)
from pitviper.solver.z3.session import Z3Session
from pitviper.source.span import Span
from pitviper.terms.substitute import substitute
from pitviper.terms.term import Quantified, Term

MOST_MODELS = 40
"""Instances that are looked at for one of another shape."""


def instances(question: Question, options: CounterexampleOptions) -> Iterator[Result]:
    """Counterexamples of different shapes, smallest first; or one reason why there is none."""
    with Z3Session() as solver:
        problem = problem_of(question.sought, question.constraints)
        search = Search(problem, solver, Bounds(objects=options.objects))
        yield from _Instances(question, options, search).all()


class _Instances:
    def __init__(self, question: Question, options: CounterexampleOptions, search: Search) -> None:
        self._question = question
        self._options = options
        self._search = search

    def all(self) -> Iterator[Result]:
        outcome = self._search.smallest()
        if not isinstance(outcome, Found):
            yield self._none(outcome)
            return
        shapes: set[object] = set()
        blocked: list[Term] = []
        for _ in range(MOST_MODELS):
            smaller = with_small_numbers(outcome, self._search, blocked)
            shown = self._shown(smaller, len(shapes) + 1)
            shape = shape_of(shown)
            if shape not in shapes:
                shapes.add(shape)
                yield shown
            if len(shapes) >= self._options.instances:
                return
            blocked.append(excluding(outcome, self._search))
            following = self._search.another(blocked, outcome.objects)
            if following is None:
                return
            outcome = following

    # ------------------------------------------------------------ an instance

    def _shown(self, found: Found, number: int) -> Counterexample:
        question, evaluator = self._question, found.evaluator
        st, symbols = question.sought.state, question.sought.run.symbols
        reader = Reader(evaluator)
        store = [
            (name, question.types[name], term)
            for name, term in st.store.items()
            if name in question.types
        ]
        present = shown_heap(question.sought, question.finding)
        holdings = heap_holdings(present, symbols)
        variables = reader.variables(store, holdings)
        heaps = [owning(question.sought, present, reader.heap(NOW, holdings), reader)]
        for label, heap in st.old.items():
            if heap is not present:
                name = "old" if label == PRE_STATE else label
                heaps.append(reader.heap(name, heap_holdings(heap, symbols)))
        focus = focus_of(question, reader, present)
        standing, confirmed = self._standing(found)
        finding = question.finding
        return Counterexample(
            question.member,
            None if finding is None else finding.id,
            question.span,
            caption_of(question, focus, reader),
            standing,
            reader.objects(),
            variables,
            tuple(heaps),
            applications(reader, question.sought),
            focus,
            confirmed,
            tuple([f"{doubt.fact.text}: {doubt.why}" for doubt in found.doubts]),
            number,
        )

    def _standing(self, found: Found) -> tuple[Standing, tuple[str, ...]]:
        """What was confirmed about an instance, and how."""
        question, confirmed = self._question, list[str]()
        if found.checked:
            confirmed.append(_evaluated(found, len(self._search.facts)))
        finding = question.finding
        if finding is not None and self._options.replay:
            run = replay(question.program, question.sought, found.evaluator, finding)
            if run is not None:
                confirmed.append(
                    f"replayed from the start of {finding.member}: fails at line {run.line}"
                )
                return Standing.REPLAYED, tuple(confirmed)
        return (Standing.CHECKED if found.checked else Standing.CANDIDATE), tuple(confirmed)

    # ------------------------------------------------------------ none

    def _none(self, outcome: object) -> NoCounterexample:
        question = self._question
        finding = None if question.finding is None else question.finding.id
        if isinstance(outcome, NoneAtAll):
            return absence_at_all(self._search, question.sought, question.earlier, (
                question.member, finding, question.span,
            ))  # fmt: skip
        most = self._options.objects
        if isinstance(outcome, GaveUp):
            text = f"the solver reached its limit while looking for up to {_objects(most)}"
            absence = Absence.UNDECIDED
        else:
            text = (
                f"none with up to {_objects(most)}; a larger one may exist (--objects {most + 2})"
            )
            absence = Absence.WITHIN_BOUNDS
        return NoCounterexample(question.member, finding, question.span, absence, text, most)


def _objects(count: int) -> str:
    return "one object" if count == 1 else f"{count} objects"


def _evaluated(found: Found, facts: int) -> str:
    text = f"evaluated: all {facts} facts hold in it" if facts > 1 else "evaluated"
    if not found.sampled:
        return text
    several = "one of them speaks" if len(found.sampled) == 1 else f"{len(found.sampled)} speak"
    return f"{text}; {several} about all integers, and was evaluated for those that occur"


MOST_ADVICE = 3


def absence_at_all(
    search: Search,
    sought: Sought,
    earlier: tuple[Earlier, ...],
    about: tuple[str, str | None, Span],
) -> NoCounterexample:
    found = contradiction(search)
    reasons = [Reason(fact.text, fact.span) for fact in found.facts]
    because = tuple(dict.fromkeys([*reasons, *_axioms(found, search)]))
    absence, message = _verdict(found, earlier, stated=about[1] is not None)
    advice = _advice(found, sought, search) if absence is Absence.SPURIOUS else ()
    if absence is Absence.AFTER_FAILURE:
        advice = tuple([f"first mend line {e.span.line}: {e.text}" for e in earlier[-1:]])
    return NoCounterexample(*about, absence, message, 0, because, advice)


def _verdict(
    found: Contradiction, earlier: tuple[Earlier, ...], *, stated: bool
) -> tuple[Absence, str]:
    assumed = {fact for each in earlier for fact in each.assumed()}
    relies = any(
        fact.term in assumed or any(_overlap(fact.span, each.span) for each in earlier)
        for fact in found.facts
    )
    if found.needs_goal and not relies:
        text = "none at all: the error is spurious, the assumptions below imply what failed"
        return Absence.SPURIOUS, text
    if earlier:
        text = "none after the failure before it: what was assumed there excludes every state"
        return Absence.AFTER_FAILURE, text
    said = "none at all: the assumptions below contradict each other"
    return Absence.UNREACHABLE, f"{said}, so no execution comes here" if stated else said


def _overlap(fact: Span | None, failed: Span) -> bool:
    """A fact from the place of a failure may be what failed, said in another form."""
    if fact is None or fact.file is not failed.file:
        return False
    return fact.start < failed.end and failed.start < fact.end


def _axioms(found: Contradiction, search: Search) -> list[Reason]:
    """The axioms among what the proof needs."""
    sources = {lemma.source for lemma in found.lemmas}
    return [Reason(a.text, a.span) for a in search.problem.axioms if a.term in sources]


def _advice(found: Contradiction, sought: Sought, search: Search) -> tuple[str, ...]:
    """Quantifiers that the solver did not instantiate, and how to make it."""
    shown = FinalExpressions(sought.origins, names_in(sought.state, sought.origins))
    said: dict[str, None] = {}
    own = frozenset(search.problem.definitions)
    for lemma in found.lemmas:
        if lemma.quantifier is not None and lemma.quantifier not in own:
            said[_missed(lemma, lemma.quantifier, shown, search)] = None
    if not said and found.lemmas:
        text = "the solver did not compare the collections: assert that they are equal before"
        said[text] = None
    return tuple(said)[:MOST_ADVICE]


def _missed(lemma: Lemma, term: Quantified, shown: FinalExpressions, search: Search) -> str:
    values = [
        f"{v.name.partition('@')[0]} := {shown.text(value)}"
        for v, value in zip(term.variables, lemma.values, strict=True)
    ]
    text = f"the solver did not use `{_name(term, shown, search)}` for {', '.join(values)}"
    if not term.triggers:
        return f"{text}: it has no trigger; assert the instance where it is needed"
    trigger = ", ".join([_instance(t, lemma, shown) for t in term.triggers[0]])
    return (
        f"{text}: nothing matches its trigger; mention {trigger} before, or give it another trigger"
    )


def _name(term: Quantified, shown: FinalExpressions, search: Search) -> str:
    for fact in search.problem.axioms:
        if fact.term is term:
            return fact.text
    return shown.text(term)


def _instance(trigger: Term, lemma: Lemma, shown: FinalExpressions) -> str:
    assert lemma.quantifier is not None
    pairs: dict[Term, Term] = dict(zip(lemma.quantifier.variables, lemma.values, strict=True))
    return shown.text(substitute(trigger, pairs))
