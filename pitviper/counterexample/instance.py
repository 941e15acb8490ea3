"""From a problem to what a reader sees: instances one after the other, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

from pitviper.base.record import replace
from pitviper.counterexample.absence import absence_of, excluded_by_constraint, only_untrue
from pitviper.counterexample.bounded.minimise import made_small
from pitviper.counterexample.bounded.reading import Reader
from pitviper.counterexample.bounded.search import (
    Bounds,
    Doubt,
    Fact,
    Found,
    NoneAtAll,
    Outcome,
    Problem,
    Search,
)
from pitviper.counterexample.bounded.shapes import excluding, shape_of
from pitviper.counterexample.caption import caption_of
from pitviper.counterexample.focus import applications, focus_of, owning, shown_heap
from pitviper.counterexample.names import named_as_written
from pitviper.counterexample.options import MOST, OBJECTS, CounterexampleOptions
from pitviper.counterexample.problem import heap_holdings, problem_of
from pitviper.counterexample.question import Question
from pitviper.counterexample.replay import replay
from pitviper.engines.symbolic.state import PRE_STATE, State
from pitviper.results.counterexample import (
    NOW,
    Absence,
    Counterexample,
    Moment,
    NoCounterexample,
    Result,
    Standing,
    Variable,
)
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms.sort import REF
from pitviper.terms.term import Term

DEEPEST = 6
"""Levels of predicate instances inside each other that are looked into."""
MOST_MODELS = 40
"""Instances that are looked at for one of another shape."""


Heed = Callable[[Z3Session], Z3Session]
"""Is told of every session that is opened, so that it can be interrupted."""


def unheeded(session: Z3Session) -> Z3Session:
    return session


def instances_on_any(
    questions: Sequence[Question], options: CounterexampleOptions, heed: Heed = unheeded
) -> Iterator[Result]:
    """Gives instances for any of the paths on which a check fails; or why there is none on any."""
    absent, candidates, number = list[NoCounterexample](), list[Counterexample](), 0
    for question in questions[:MOST_PATHS]:
        for result in instances(question, options, heed):
            if isinstance(result, NoCounterexample):
                absent.append(result)
            elif result.standing is Standing.CANDIDATE:
                candidates.append(result)
            elif number < options.instances:
                number += 1
                yield replace(result, number=number)
        if number >= options.instances:
            return
    for result in candidates[: options.instances - number]:
        number += 1
        yield replace(result, number=number)
    if not number:
        yield weakest(absent)


def weakest(absent: Sequence[NoCounterexample]) -> NoCounterexample:
    """Returns what is true of all paths together: the weakest claim about one of them."""
    return min(absent, key=lambda result: _FIRST_TOLD.index(result.absence))


MOST_PATHS = 8
"""Paths of one check that are looked at."""
_FIRST_TOLD = (
    Absence.WITHIN_BOUNDS,
    Absence.UNDECIDED,
    Absence.SPURIOUS,
    Absence.AFTER_FAILURE,
    Absence.EXCLUDED,
    Absence.UNREACHABLE,
)


def instances(
    question: Question, options: CounterexampleOptions, heed: Heed = unheeded
) -> Iterator[Result]:
    """Gives counterexamples of different shapes, smallest first; or why there is none."""
    with ExitStack() as open_sessions:
        found = _Deepening(question, options, open_sessions, heed).found()
        if isinstance(found.outcome, NoneAtAll) and question.constraints:
            free = replace(question, constraints=())
            without = _Deepening(free, options, open_sessions, heed).found()
            if not isinstance(without.outcome, NoneAtAll):
                yield found.excluded()
                return
            found = without  # the program is to blame, not what the user asked for
        yield from found.following()


class _Deepening:
    """Looks into predicate instances one level deep first, and seeks a state in which no others are
    inside of them; then deeper, until there is one or nothing is left to look into."""

    def __init__(
        self, question: Question, options: CounterexampleOptions, sessions: ExitStack, heed: Heed
    ) -> None:
        self._question = question
        self._options = options
        self._sessions = sessions
        self._heed = heed

    def found(self) -> _Instances:
        candidate: _Instances | None = None
        for depth in range(1, DEEPEST + 1):
            question = self._question
            problem = problem_of(question.program, question.sought, question.constraints, depth)
            inside = (*problem.closed, *problem.many)
            last = self._searched(problem, inside, depth)
            if last.is_checked or not inside:
                return last
            if isinstance(last.outcome, Found):
                candidate = candidate or last
            if self._search(problem, ()).impossible():
                return self._searched(problem, (), depth)
            if not problem.closed:
                break
        if candidate is None and problem.many:
            return self._searched(problem, problem.closed, depth)
        return candidate or last

    def _searched(self, problem: Problem, empty: tuple[Fact, ...], depth: int) -> _Instances:
        search = self._search(problem, empty)
        return _Instances(self._question, self._options, search, search.smallest(), depth)

    def _search(self, problem: Problem, empty: tuple[Fact, ...]) -> Search:
        solver, judge = Z3Session(), Z3Session(Z3Options(models=True))
        for session in (solver, judge):
            self._sessions.enter_context(self._heed(session))
        bounds = Bounds(objects=self._options.objects or _enough(problem))
        return Search(replace(problem, facts=(*empty, *problem.facts)), solver, bounds, judge)


def _enough(problem: Problem) -> int:
    """Returns a number of objects with which each variable can have one of its own."""
    references = sum(root.sort is REF for root in problem.roots)
    return max(OBJECTS, min(references, MOST))


class _Instances:
    def __init__(
        self,
        question: Question,
        options: CounterexampleOptions,
        search: Search,
        outcome: Outcome,
        depth: int,
    ) -> None:
        self._question = question
        self._options = options
        self._search = search
        self.outcome = outcome
        self._depth = depth

    @property
    def is_checked(self) -> bool:
        return isinstance(self.outcome, Found) and self.outcome.checked

    def excluded(self) -> NoCounterexample:
        """Returns that there are states, and none of them is as the user wants it."""
        return excluded_by_constraint(self._question, self._search)

    def following(self) -> Iterator[Result]:
        """Gives the result of a search, and instances of other shapes behind it."""
        outcome = self.outcome
        if not isinstance(outcome, Found):
            yield absence_of(outcome, self._question, self._search)
            return
        shapes: set[object] = set()
        blocked: list[Term] = []
        for _ in range(MOST_MODELS):
            smaller = made_small(outcome, self._search, blocked)
            shown = self._shown(smaller, len(shapes) + 1)
            if smaller.untrue and shown.standing is Standing.CANDIDATE:
                if not shapes:
                    yield only_untrue(smaller, self._question, self._search)
                return
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

    def _shown(self, found: Found, number: int) -> Counterexample:
        question, evaluator = self._question, found.evaluator
        st, symbols = question.sought.state, question.sought.run.symbols
        reader = Reader(evaluator)
        store = [
            (name, question.types[name], term)
            for name, term in question.sought.variables.items()
            if name in question.types
        ]
        present = shown_heap(question.sought, question.finding)
        holdings = heap_holdings(present, symbols)
        variables = reader.variables(store, holdings)
        heaps = [owning(question.sought, present, reader.heap(NOW, holdings), reader, self._depth)]
        for label, heap in st.old.items():
            if heap is not present:
                name = "old" if label == PRE_STATE else label
                heaps.append(reader.heap(name, heap_holdings(heap, symbols)))
        focus = focus_of(question, reader, present)
        standing, confirmed = self._standing(found)
        shown = Counterexample(
            question.member,
            question.failing_id,
            question.span,
            caption_of(question, focus, reader),
            standing,
            reader.objects(),
            variables,
            tuple(heaps),
            applications(reader, question, present),
            focus,
            confirmed,
            _doubts(found),
            number,
            tuple(self._trail(reader, variables)),
        )
        return named_as_written(shown, question)

    def _trail(self, reader: Reader, variables: tuple[Variable, ...]) -> Iterator[Moment]:
        """Gives what statements on the way have changed, in the values of this instance."""
        names = {v.value.text: v.name for v in reversed(variables) if v.type == "Ref"}
        for span, before, after in self._question.trail:
            then, now = self._values(before, reader, names), self._values(after, reader, names)
            given = {n for n, value in after.store.items() if before.store.get(n) is not value}
            changed = tuple(
                [(n, text) for n, text in now.items() if then.get(n) != text or n in given]
            )
            if changed:
                yield Moment(span, changed)

    def _values(self, st: State, reader: Reader, names: dict[str, str]) -> dict[str, str]:
        """The values of variables and of held fields, by their names."""
        types, symbols = self._question.types, self._question.sought.run.symbols
        store = [(name, types[name], term) for name, term in st.store.items() if name in types]
        holdings = heap_holdings(st.heap, symbols)
        found = {v.name: v.value.text for v in reader.variables(store, holdings)}
        for at in reader.heap(NOW, holdings).locations:
            found[f"{names.get(at.object, at.object)}.{at.field}"] = at.value.text
        return found

    def _standing(self, found: Found) -> tuple[Standing, tuple[str, ...]]:
        """What was confirmed about an instance, and how."""
        question, confirmed = self._question, list[str]()
        if found.checked:
            confirmed.append(_evaluated(found, len(self._search.facts)))
        finding = question.finding
        if finding is not None and self._options.replay:
            run = replay(
                question.program,
                question.sought,
                found.evaluator,
                finding,
                with_domains=found.checked,
            )
            if run is not None:
                confirmed.append(
                    f"replayed from the start of {finding.member}: fails at line {run.line}"
                )
                return Standing.REPLAYED, tuple(confirmed)
        return (Standing.CHECKED if found.checked else Standing.CANDIDATE), tuple(confirmed)


def _doubts(found: Found) -> tuple[str, ...]:
    """What could not be confirmed, a formula once and no part of it; also beside a run, which says
    nothing of values that do not occur."""
    left = found.doubts
    whole = [d for d in left if not any(_is_part(d, other) for other in left)]
    return tuple(dict.fromkeys([f"{doubt.fact.text}: {doubt.why}" for doubt in whole]))


def _is_part(doubt: Doubt, other: Doubt) -> bool:
    """Whether a doubt is about a part of what the other one is about, in the same respect."""
    part, whole = doubt.fact.span, other.fact.span
    if part is None or whole is None or part == whole or part.file is not whole.file:
        return False
    return doubt.why == other.why and whole.start <= part.start and part.end <= whole.end


def _evaluated(found: Found, facts: int) -> str:
    text = f"evaluated: all {facts} facts hold in it" if facts > 1 else "evaluated"
    if not found.sampled:
        return text
    if len(found.sampled) == 1:
        return f"{text}; one is about all values: true of those here, possible for all others"
    several = f"{len(found.sampled)} are about all values"
    return f"{text}; {several}: true of those here, possible for all others"
