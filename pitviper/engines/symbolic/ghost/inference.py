"""Inference of ghost statements (the paper's section 4.1): folds and unfolds that were left out.

NOTE(ghost-before). An inferred statement is executed before the statement, clause or condition that
needs it, by the same rules as one that is written there; so nothing is assumed that the user could
not have proved, and what is suggested can be written down. Attempts run with a log of their own:
those that fail leave nothing behind, because states are never changed.

Limits: no more than `infer_depth` statements in a row for one place, an option, which is named
where more may help; they are found with no more than `MAX_RUNS` attempts for each. Nothing is
inferred inside packages, for the conditions of loops (there is no place for a statement), or for
statements that a plugin made. What is missing and has no name in the source is not looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from pitviper.base.record import field, record, replace
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.ghost.candidates import Candidates, Ghost
from pitviper.engines.symbolic.ghost.hooks import Clauses, Place
from pitviper.engines.symbolic.provenance import Step
from pitviper.engines.symbolic.rules import execute as execute_rules
from pitviper.engines.symbolic.services import Failure, Log, Services
from pitviper.engines.symbolic.state import State
from pitviper.program import stmt as ps
from pitviper.program.expr import Var
from pitviper.program.print.expressions import text_of
from pitviper.program.print.printer import stmt_text
from pitviper.program.walk import rewrite
from pitviper.results.ghost import GhostStep
from pitviper.results.wording import spoken

MAX_RUNS = 16

T = TypeVar("T")
S = TypeVar("S")
Work: TypeAlias = Callable[[State, Context], Iterable[T]]


def with_ghosts(
    st: State, work: Work[T], place: Place, cx: Context, wanted: Clauses | None = None
) -> Iterable[T]:
    """What the work yields; where a permission is missing, after ghost statements that bring it.

    `wanted` are the clauses that the work takes out of the heap, where that is known.

    Where none do, the findings are those of the attempt that came furthest: see `_remember`.
    """
    if not cx.services.options.infer_ghost or st.outers:
        return work(st, cx)
    search = _Search(place, cx)
    done = search.run(_Task(st, work, cx.services), wanted)
    told = [*search.lacking.values()]
    if search.is_limited:
        told.append(_limit(cx))
    if told and not done.fine:
        _note(done.services.log, told, cx)
    _absorb(cx.services, done.services)
    log = cx.services.log
    log.visits[place.span, place.position] = log.visits.get((place.span, place.position), 0) + 1
    steps = {
        GhostStep(text, place.span, place.position, node=search.nodes.get(text)): on
        for text, on in done.steps.items()
    }
    known = dict(log.inferred)
    log.inferred.clear()
    for step in _in_order([list(known), list(steps)]):
        log.inferred[step] = known.get(step, 0) + (1 if steps.get(step, False) else 0)
    return done.results


def _limit(cx: Context) -> str:
    depth = cx.services.options.infer_depth
    told = f"inference unfolded and folded no more than {depth} predicates in a row"
    return f"{told}: --infer-depth N"


def _note(log: Log, told: Sequence[str], cx: Context) -> None:
    """Findings of permission that is missing say how inference has looked for it."""
    for key, finding in log.findings.items():
        if key not in cx.services.log.findings and finding.reason == "insufficient.permission":
            notes = (*finding.notes, *[spoken(note, finding.span) for note in told])
            log.findings[key] = replace(finding, notes=notes)


def inferred_steps(log: Log) -> tuple[GhostStep, ...]:
    """All that were inferred in a member, in the order of execution."""
    return tuple(
        [
            replace(step, sometimes=count < log.visits[step.span, step.position])
            for step, count in log.inferred.items()
        ]
    )


@record
class _Task(Generic[T]):
    """Work to be done in a state; `services` have the log of what was done before."""

    st: State
    work: Work[T]
    services: Services


@record
class _Done(Generic[T]):
    """How an attempt ended: `services` have its log; `steps` say which were taken on all paths."""

    results: Sequence[T]
    services: Services
    failure: Failure | None = None
    fine: bool = True
    steps: Mapping[str, bool] = field(default_factory=dict)


class _Search:
    """For the shortest sequence of statements after which some work succeeds."""

    def __init__(self, place: Place, cx: Context) -> None:
        self._cx = cx
        self._candidates = Candidates(place, cx)
        self._depth = cx.services.options.infer_depth
        self._runs = MAX_RUNS * max(self._depth, 3)
        self.is_limited = False
        self._cut = False
        self._closest: _Done[Any] | None = None
        self._work: Work[Any] | None = None
        self._failed: Failure | None = None
        """What failed without any help."""
        self.nodes: dict[str, Ghost] = {}
        """The statements that were tried, by their text."""
        self.lacking: dict[str, str] = {}
        """What folds that would have helped lack themselves, by their text."""

    def run(self, task: _Task[T], wanted: Clauses | None) -> _Done[T]:
        """NOTE(fold-first): an instance that is surely not held as it is asked for is folded before
        anything else is tried. That no other one is the same costs more to find out than to fold.
        """
        self._work = task.work
        for fold in self._candidates.again(task.st):
            done = self._closed(fold, task)
            if done is not None:
                return done
        first = None if wanted is None else self._candidates.absent(task.st, wanted)
        if first is not None:
            quiet = replace(task, services=replace(task.services, recorder=None))
            done = self._after(first, quiet, self._depth - 1)
            if done is not None:
                return done
        plain = self._attempt(task)
        self._failed = plain.failure
        for depth in range(1, self._depth + 1):
            self._cut = False
            found = self._helped(task, plain, depth)
            if found is not None:
                return found
            if not self._cut:
                break
        closest = self._closest
        self.is_limited = self._cut and (closest is None or _lacks_permission(closest))
        return plain if closest is None else closest

    def _closed(self, fold: ps.Fold, task: _Task[T]) -> _Done[T] | None:
        """The work after a fold that fails where it has nothing to fold, which nobody is told."""
        known, nodes, lacking = self._closest, dict(self.nodes), dict(self.lacking)
        quiet = replace(task, services=replace(task.services, recorder=None))
        done = self._after(fold, quiet, self._depth - 1, alone=True)
        if done is None:
            self._closest, self.nodes, self.lacking = known, nodes, lacking
        return done

    def _attempt(self, task: _Task[T]) -> _Done[T]:
        """The work alone."""
        self._runs -= 1
        services = _trial(task.services)
        before, log = task.services.log, services.log
        results = list(task.work(task.st, replace(self._cx, services=services)))
        failures = log.failures[len(before.failures) :]
        fine = not failures and len(log.undecided) == len(before.undecided)
        return _Done(results, services, failures[0] if failures else None, fine)

    def _helped(self, task: _Task[T], plain: _Done[T], depth: int) -> _Done[T] | None:
        """The work, after at most so many statements in a row where it has failed alone."""
        if plain.fine:
            return plain
        if plain.failure is None or plain.failure.lacking is None:
            return None
        if depth == 0 or self._runs <= 0:
            self._cut = self._runs > 0
            return None
        quiet = replace(task, services=replace(task.services, recorder=None))
        for ghost in self._candidates.of(task.st, plain.failure):
            done = self._after(ghost, quiet, depth - 1)
            if done is not None:
                return done
        return None

    def _after(
        self, ghost: Ghost, task: _Task[T], depth: int, *, alone: bool = False
    ) -> _Done[T] | None:
        """The statement, and then the work in each state after it; both may need more of them.

        A statement that is to be `alone` gets no help itself.
        """

        def execute(st: State, cx: Context) -> Iterator[State]:
            for after in execute_rules.execute(st, ghost, cx):
                cx.services.log.steps.append(Step(ghost, st.heap, after))
                yield after

        first = _Task(task.st, execute, task.services)
        before, tried = self._closest, self._attempt(first)
        opened = self._helped(first, tried, 0 if alone else depth)
        if opened is None:
            if "." in ghost.predicate.predicate:  # of a language whose users write no such thing
                self._remember(replace(tried, results=()))  # states, which the work may not yield
            self._belongs(ghost, before)
            if isinstance(ghost, ps.Fold) and task.work is self._work:
                self._lacks(ghost, tried)
            return None
        services, parts = opened.services, list[_Done[T]]()
        for st in opened.results:
            rest = _Task(st, task.work, services)
            plain, known = self._attempt(rest), self._closest
            done = self._helped(rest, plain, depth)
            if done is None:
                if task.work is self._work:
                    self._remember(plain)
                if self._closest is not None and self._closest is not known:
                    self.nodes[stmt_text(ghost)] = ghost
                    steps = {**opened.steps, stmt_text(ghost): True, **self._closest.steps}
                    self._closest = replace(self._closest, steps=steps)
                return None
            services = done.services
            parts.append(done)
        self.nodes[stmt_text(ghost)] = ghost
        steps = {**opened.steps, stmt_text(ghost): True, **_steps_of(parts)}
        return _Done([r for part in parts for r in part.results], services, steps=steps)

    def _lacks(self, ghost: ps.Fold, tried: _Done[Any]) -> None:
        """Notes the first location that a fold lacks which would have brought what is missing."""
        failure = tried.failure
        if failure is None or failure.lacking is None:
            return
        params = self._cx.services.program.predicates[ghost.predicate.predicate].params
        values = {p.name: arg for p, arg in zip(params, ghost.predicate.args, strict=True)}
        named = rewrite(failure.node, lambda n: values.get(n.name) if isinstance(n, Var) else None)
        text = stmt_text(ghost)
        needed = f"`{text}` fails as well: it needs `{text_of(named)}`"
        self.lacking.setdefault(text, f"{needed}, which might not be held")

    def _belongs(self, ghost: Ghost, before: _Done[Any] | None) -> None:
        """Notes a statement that fails itself as the last step of the attempt that is kept.

        Engines that do not infer then fail there, too, and for the same reason.
        """
        if self._closest is not None and self._closest is not before:
            self.nodes[stmt_text(ghost)] = ghost
            steps = {**self._closest.steps, stmt_text(ghost): True}
            self._closest = replace(self._closest, steps=steps)

    def _remember(self, done: _Done[T]) -> None:
        """Keeps the attempt that came furthest, which is what the user wants to know about.

        That is the first one that has all permissions, and fails for another reason: what the ghost
        statements bring is no problem. Where none has, it is the one whose check failed last.
        """
        if self._closest is not None and not _lacks_permission(self._closest):
            return
        if done.failure is not None and self._further(done.failure):
            self._closest = done

    def _further(self, failure: Failure) -> bool:
        """Whether a check stands behind that of the attempt that came furthest up to now."""
        known = self._failed if self._closest is None else self._closest.failure
        if failure.lacking is None or known is None:
            return failure.lacking is None
        return self._order(failure) > self._order(known)

    def _order(self, failure: Failure) -> tuple[bool, int]:
        """When a check is made: what is written at the place comes before the clauses of others.

        What is written earlier is checked earlier, and a part before the whole that it is a part
        of: both end earlier.
        """
        here, there = self._candidates.place.span, failure.node.span
        inside = here.file is there.file and here.start <= there.start and there.end <= here.end
        return not inside, there.end


def _lacks_permission(done: _Done[Any]) -> bool:
    return done.failure is not None and done.failure.lacking is not None


def _steps_of(parts: Sequence[_Done[T]]) -> dict[str, bool]:
    """The steps of several paths; those that some path did without are not taken on all."""
    found = _in_order([list(part.steps) for part in parts])
    return {text: all(part.steps.get(text, False) for part in parts) for text in found}


def _in_order(sequences: Iterable[Sequence[S]]) -> list[S]:
    """The elements of all sequences; one that is new stands before those that come after it."""
    found: list[S] = []
    for sequence in sequences:
        at = len(found)
        for element in reversed(sequence):
            if element in found:
                at = found.index(element)
            else:
                found.insert(at, element)
    return found


def _trial(services: Services) -> Services:
    """With copies of what an attempt must not leave behind."""
    log = services.log
    copied = Log(
        dict(log.findings),
        dict(log.undecided),
        dict(log.warnings),
        {key: dict(paths) for key, paths in log.paths.items()},
        list(log.steps),
        list(log.failures),
    )
    return replace(services, log=copied, checked=dict(services.checked))


def _absorb(services: Services, done: Services) -> None:
    """Keep the log of the attempt that counts: it has all that was there before it."""
    log, new = services.log, done.log
    log.findings.update(new.findings)
    log.undecided.update(new.undecided)
    log.warnings.update(new.warnings)
    log.paths.update(new.paths)
    log.steps.extend(new.steps[len(log.steps) :])
    log.failures.extend(new.failures[len(log.failures) :])
    services.checked.update(done.checked)
