"""One run: what compiled methods tell while they run, and the values that the input gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, Protocol

from pitviper.base.record import record
from pitviper.engines.explore.model.program import Constraint, Model
from pitviper.engines.explore.model.types import BOOLEAN, INT, OBJECT, Type, is_token
from pitviper.engines.explore.runtime.ending import Ended, Site, Status
from pitviper.engines.explore.runtime.inputs import Assignment, Inputs, is_of
from pitviper.engines.explore.runtime.trial import Trials
from pitviper.engines.explore.runtime.value import (
    Coverage,
    Decision,
    Kind,
    PathLog,
    Sym,
    Value,
    ref,
)
from pitviper.engines.shared.values import Ref
from pitviper.terms import build
from pitviper.terms.sort import INT as INT_SORT
from pitviper.terms.term import TRUE, Literal, Term

if TYPE_CHECKING:
    from pitviper.engines.explore.runtime.heap import Heap

CONTRACT = "%contract"
"""The choice between a run of a method and one that looks at its contract alone."""


@record
class RunLimits:
    """`size` bounds collections of the input, `depth` nested calls.

    Collections of a size from there on, up to `large`, are looked at when nothing else is left.
    """

    steps: int = 20_000
    depth: int = 60
    size: int = 6

    @property
    def large(self) -> int:
        return 3 * self.size


class Callbacks(Protocol):
    """What a compiled method, or another runtime, tells while it runs (section 2.4.5)."""

    def instruction(self, index: int) -> None: ...

    def transition(self, index: int, condition: Value) -> bool: ...

    def constraint(self, index: int, condition: Value) -> None: ...

    def enter(self, method: str) -> None: ...

    def leave(self, method: str) -> None: ...


NO_LIMITS = RunLimits()


class Run:
    """Calls come in from compiled code, and are written into the logs of the run.

    `method` and `index` say where the run is, `frames` are the methods that wait for its return.
    `gained` are heaps as they were when the method began and whenever it got something, the last
    of these; `outputs` are its results when it has come to its end. `notes` are doubts about what
    the run shows.
    """

    def __init__(
        self, model: Model, assignment: Assignment, limits: RunLimits = NO_LIMITS, given: int = 0
    ) -> None:
        self.model = model
        self.limits = limits
        self.path = PathLog(given)
        self.inputs = Inputs(assignment)
        self.coverage = Coverage()
        self.trials = Trials()
        self.notes: dict[str, None] = {}
        self.functions: Mapping[str, Callable[..., tuple[object, ...]]] = {}
        self.gained: list[Heap] = []
        self.outputs: tuple[object, ...] = ()
        self.tick: Callable[[Run], None] | None = None
        self.steps = 0
        self.frames: list[str] = []
        self.method = ""
        self.index = 0

    # ------------------------------------------------------------ callbacks

    @property
    def site(self) -> Site:
        return self.method, self.index

    def instruction(self, index: int) -> None:
        self.steps += 1
        if self.steps > self.limits.steps:
            self.end(Status.STEPS, f"{self.limits.steps} steps")
        if not self.steps & 63 and self.tick is not None:
            self.tick(self)
        self.index = index
        self.coverage.instructions[self.method, index] = None

    def transition(self, index: int, condition: Value) -> bool:
        """Whether the branch at an instruction jumps."""
        jumps = condition if condition.__class__ is bool else self.branch(condition)
        self.coverage.edges[self.method, index, 1 if jumps else 0] = None
        return bool(jumps)

    def went(self, index: int, side: int) -> None:
        """A branch was passed whose condition is known beforehand."""
        self.coverage.edges[self.method, index, side] = None

    def constraint(self, index: int, condition: Value, *, assertion: bool = True) -> None:
        """The end of the run if the condition does not hold."""
        if assertion:
            self.coverage.reached[self.method, index] = None
            if not self.path.decide(condition, Kind.ASSERT, self.site):
                self._fail(index)
        else:
            self.assume(condition)

    def _fail(self, index: int) -> None:
        """Ends the run. But behind a false condition a trial goes on: as if it held."""
        unmet, trial = None, self.trials.current
        if trial is not None:
            unmet = trial.outermost_unmet()
            failed = self.model.methods[self.method].instructions[index]
            assert isinstance(failed, Constraint)
            is_condition = failed.blame is not None and failed.blame.reason == "assertion.false"
            if is_condition and (unmet is not None or trial.puts_off(self.site)):
                return
        raise Ended(Status.FAILED, self.site, trial=unmet)

    def enter(self, method: str) -> None:
        if len(self.frames) >= self.limits.depth:
            self.end(Status.DEPTH, f"{self.limits.depth} nested calls")
        self.frames.append(self.method)
        self.method = method

    def leave(self, method: str) -> None:
        assert method == self.method
        self.method = self.frames.pop()

    # ------------------------------------------------------------ decisions

    def branch(self, condition: Value) -> bool:
        return self.path.decide(condition, Kind.BRANCH, (self.method, self.index))

    def is_size(self, size: Sym, number: int) -> bool:
        """Whether an input above the limit has this size."""
        same = build.equal(size.term, build.integer(number))
        return self.path.decide(Sym(size.value == number, same), Kind.LARGE, self.site)

    def is_at_most(self, size: Sym, number: int) -> bool:
        """Whether an input above the limit has no more elements than this."""
        small = build.at_most(size.term, build.integer(number))
        return self.path.decide(Sym(size.value <= number, small), Kind.LARGE, self.site)

    def assume(self, condition: Value) -> None:
        """Ends the run if the condition does not hold: no error, but another input.

        A trial goes on as if it held (`NOTE(trials)`).
        """
        trial = self.trials.current
        if trial is None:
            self.require(condition)
        elif not self.branch(condition):
            trial.miss(self)

    def require(self, condition: Value) -> None:
        """An assumption that some other way to write the same input meets."""
        if not self.path.decide(condition, Kind.ASSUME, (self.method, self.index)):
            self.end(Status.UNMET)

    def fact(self, term: Term) -> None:
        """Something that is true of every input."""
        self.path.fact(term, (self.method, self.index))

    def tell(self, term: Term) -> None:
        """A condition of the path that may be false of the values here.

        The solver must have seen it before they can be trusted: the run is solved again.
        """
        if isinstance(term, Literal):
            self.assume(term is TRUE)
        elif term not in self.path.known:
            if self.trials.current is not None:
                self.notes["a quantifier about a left-hand state was assumed"] = None
            seen = self.path.is_foreseen
            self.path.add(Decision(term, taken=True, kind=Kind.ASSUME, site=self.site))
            self.path.has_told = True
            if not seen:
                self.end(Status.RETRY)

    @contextmanager
    def binding(self) -> Iterator[None]:
        """Values inside may contain variables of the solver; no decision may depend on them."""
        frames, method, index = len(self.frames), self.method, self.index
        self.path.bound += 1
        try:
            yield
        finally:
            self.path.bound -= 1
            del self.frames[frames:]
            self.method, self.index = method, index

    def choose(self, name: str, options: int | None, default: int, most: int | None = None) -> int:
        """Which of several shapes an input has; without options, any number from 0 on.

        Without options, a result beyond the limit stands for all numbers there, up to `most`.

        The alternatives are offered one by one, so that each is a branch of the path.
        """
        self.choosing(name)
        symbol = build.constant(name, INT_SORT)
        chosen = self.inputs.number(name, default)
        chosen = chosen if options is None else min(chosen, options - 1)
        self.inputs.symbols[name] = (INT, chosen)
        self.fact(build.at_least(symbol, build.integer(0)))
        if options is not None:
            self.fact(build.less(symbol, build.integer(options)))
        if most is not None:
            self.fact(build.at_most(symbol, build.integer(most)))
        limit = self.limits.size if options is None else options
        order = [default, *[n for n in range(limit) if n != default]]
        for option in order if options is None else order[:-1]:
            is_it = build.equal(symbol, build.integer(option))
            if self.branch(Sym(chosen == option, is_it)):
                return chosen
        return max(chosen, limit) if options is None else chosen

    # ------------------------------------------------------------ fresh values

    def choosing(self, what: str) -> None:
        """Called before something is chosen that the run has not met; a hook for subclasses."""

    def fresh(self, kind: Type, hint: str, horizon: int | None = None) -> Value:
        """A value that the solver chooses."""
        trial = self.trials.current
        return self.part(kind, hint if trial is None else trial.prefix + hint, horizon)

    def part(self, kind: Type, hint: str, horizon: int | None = None) -> Value:
        """Returns a value that the solver chooses, of an input with this name."""
        self.choosing(hint)
        made = self.inputs.new(kind, hint, horizon)
        if made.__class__ is Sym and is_token(kind):
            self.fact(is_of(kind, made.term))
        return made

    def option(self, name: str) -> bool:
        """Two ways to go on that no input of the program decides; first without."""
        chosen = self.part(BOOLEAN, name)
        self.inputs.values.popitem()
        return self.branch(chosen)

    def allocate(self) -> Ref:
        """A new object, unlike all that were there before."""
        self.inputs.made += 1
        self.met(-self.inputs.made)
        return ref(-self.inputs.made)

    def met(self, number: int) -> None:
        """An object, for quantifiers about all of them."""
        if self.inputs.has_told_objects:
            self.fact(is_of(OBJECT, build.integer(number)))

    def tell_objects(self) -> None:
        """All objects so far, and from now on each that is met."""
        if not self.inputs.has_told_objects:
            self.inputs.has_told_objects = True
            for number in range(-self.inputs.made, self.inputs.objects + 1):
                self.met(number)

    # ------------------------------------------------------------ endings

    def end(self, status: Status, detail: str = "") -> NoReturn:
        raise Ended(status, (self.method, self.index), detail)


class HeardRun(Run):
    """A run that others listen to: they hear every callback first."""

    listeners: tuple[Callbacks, ...] = ()

    def instruction(self, index: int) -> None:
        for listener in self.listeners:
            listener.instruction(index)
        super().instruction(index)

    def transition(self, index: int, condition: Value) -> bool:
        for listener in self.listeners:
            listener.transition(index, condition)
        return super().transition(index, condition)

    def constraint(self, index: int, condition: Value, *, assertion: bool = True) -> None:
        for listener in self.listeners:
            listener.constraint(index, condition)
        super().constraint(index, condition, assertion=assertion)

    def enter(self, method: str) -> None:
        for listener in self.listeners:
            listener.enter(method)
        super().enter(method)

    def leave(self, method: str) -> None:
        for listener in self.listeners:
            listener.leave(method)
        super().leave(method)
