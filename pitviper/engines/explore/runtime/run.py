"""One run: the decisions on its path, the symbols it met, and the ways in which it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NoReturn, Protocol

from pitviper.base.record import field, record
from pitviper.engines.explore.model.program import Constraint, Model
from pitviper.engines.explore.model.types import BOOLEAN, INT, OBJECT, RATIONAL, Type, is_token
from pitviper.engines.explore.runtime.value import Lazy, Ref, Scalar, Sym, Value, ref
from pitviper.terms import build
from pitviper.terms.operators import NOT
from pitviper.terms.sort import BOOL, REAL, Sort
from pitviper.terms.sort import INT as INT_SORT
from pitviper.terms.term import TRUE, App, Literal, Term

if TYPE_CHECKING:
    from pitviper.engines.explore.runtime.heap import Heap
    from pitviper.engines.explore.runtime.section import Section


class Status(Enum):
    """How a run, or the attempt to have one, ended."""

    PASSED = "passed"
    FAILED = "failed"
    UNMET = "assumption not met"
    RETRY = "solved again with more known"
    STEPS = "too many steps"
    DEPTH = "too deep recursion"
    SIZE = "input too large"
    UNSUPPORTED = "unsupported"
    INFEASIBLE = "infeasible"
    UNKNOWN = "solver gave up"
    DIVERGED = "left the path it was made for"
    CRASHED = "worker died"
    TIMEOUT = "worker was stopped"
    LATE = "out of time"


class Kind(Enum):
    """BRANCH and ASSERT are searched on both sides, ASSUME on the side where it holds.

    LARGE is a branch on the size of an input above the limit: searched last. FACT is true of
    every input.
    """

    BRANCH = "branch"
    LARGE = "large"
    ASSERT = "assert"
    ASSUME = "assume"
    FACT = "fact"


@record
class Decision:
    """A condition on the path, and whether it held; `site` is the instruction that asked."""

    term: Term
    taken: bool
    kind: Kind
    site: Site


CONTRACT = "%contract"
"""The choice between a run of a method and one that looks at its contract alone."""

Site = tuple[str, int]
"""A method and the number of an instruction in it."""

Footprint = tuple[tuple[int, str, int], ...]
"""Places in a heap, and the contents of predicate instances by their identity."""

Packaged = tuple[str, tuple[str, ...]]
"""A package whose way depended on its left-hand side: what was before, and what it took."""

Table = tuple[Mapping[tuple[Scalar, ...], Scalar], Scalar]
"""Values for some arguments, and one for all others."""


@record
class Assignment:
    """What the solver chose: plain data, enough to repeat a run."""

    values: Mapping[str, Scalar] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)


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


class Ended(Exception):
    """Ends a run from any depth; caught where the run was started.

    A failure in a `section` whose made-up state is none ends only that.
    """

    def __init__(
        self, status: Status, site: Site, detail: str = "", section: Section | None = None
    ) -> None:
        super().__init__(status.value)
        self.status = status
        self.site = site
        self.detail = detail
        self.section = section


class Leak(Exception):
    """A run would depend on the value of a variable of the solver, which has none."""


class Callbacks(Protocol):
    """What a compiled method, or another runtime, tells while it runs (section 2.4.5)."""

    def instruction(self, index: int) -> None: ...

    def transition(self, index: int, condition: Value) -> bool: ...

    def constraint(self, index: int, condition: Value) -> None: ...

    def enter(self, method: str) -> None: ...

    def leave(self, method: str) -> None: ...


NO_LIMITS = RunLimits()


class Run:
    """Everything here only grows. `known` are conditions that are decided on this path.

    `given` is the number of decisions that the solver knew of when it chose the assignment.
    """

    def __init__(
        self, model: Model, assignment: Assignment, limits: RunLimits = NO_LIMITS, given: int = 0
    ) -> None:
        self.model = model
        self.assignment = assignment
        self.limits = limits
        self.given = given
        self.decisions: list[Decision] = []
        self.known: dict[Term, bool] = {}
        self.symbols: dict[str, tuple[Type, Scalar]] = {}
        self.inputs: dict[str, Value] = {}
        self.tables: dict[tuple[str, tuple[Scalar, ...]], Scalar] = {}
        self.shaped: dict[tuple[str, Footprint], list[tuple[tuple[Value, ...], Value]]] = {}
        self.kept: list[object] = []
        self.bound = 0
        self.has_told = False
        self._amounts = 0
        self.has_told_objects = False
        self.notes: dict[str, None] = {}
        self.functions: Mapping[str, Callable[..., tuple[object, ...]]] = {}
        self.section: Section | None = None
        self.start: Heap | None = None
        self.failed_at = 1 << 60
        self.fillings: list[Section | None] = []
        self.packages: list[Packaged] = []
        self.is_loose = self.is_short = self.is_vague = False
        self.field_types = model.fields
        self.objects = 0
        self.made = 0
        self.steps = 0
        self.tick: Callable[[Run], None] | None = None
        self.frames: list[str] = []
        self.method = ""
        self.index = 0
        self.covered: dict[Site, None] = {}
        self.edges: dict[tuple[str, int, int], None] = {}
        self.reached: dict[Site, None] = {}

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
        self.covered[self.method, index] = None

    def transition(self, index: int, condition: Value) -> bool:
        """Whether the branch at an instruction jumps."""
        jumps = condition if condition.__class__ is bool else self.branch(condition)
        self.edges[self.method, index, 1 if jumps else 0] = None
        return bool(jumps)

    def went(self, index: int, side: int) -> None:
        """A branch was passed whose condition is known beforehand."""
        self.edges[self.method, index, side] = None

    def constraint(self, index: int, condition: Value, *, assertion: bool = True) -> None:
        """The end of the run if the condition does not hold."""
        if assertion:
            self.reached[self.method, index] = None
            if not self._decide(condition, Kind.ASSERT):
                self._fail(index)
        else:
            self.assume(condition)

    def _fail(self, index: int) -> None:
        """The end. But behind a false condition a section goes on: as if it held."""
        unmet = None
        if self.section is not None:
            unmet = self.section.outermost_unmet()
            failed = self.model.methods[self.method].instructions[index]
            assert isinstance(failed, Constraint)
            is_condition = failed.blame is not None and failed.blame.reason == "assertion.false"
            if is_condition and (unmet is not None or self.section.puts_off(self.site)):
                return
        raise Ended(Status.FAILED, self.site, section=unmet)

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
        return self._decide(condition, Kind.BRANCH)

    def is_size(self, size: Sym, number: int) -> bool:
        """Whether an input above the limit has this size."""
        same = build.equal(size.term, build.integer(number))
        return self._decide(Sym(size.value == number, same), Kind.LARGE)

    def assume(self, condition: Value) -> None:
        """The end of the run if the condition does not hold: no error, but another input.

        A section goes on as if it held (`NOTE(sections)`).
        """
        if self.section is None:
            self.require(condition)
        elif not self._decide(condition, Kind.BRANCH):
            self.section.miss(self)

    def require(self, condition: Value) -> None:
        """An assumption that some other way to write the same input meets."""
        if not self._decide(condition, Kind.ASSUME):
            self.end(Status.UNMET)

    def fact(self, term: Term) -> None:
        """Something that is true of every input."""
        if not isinstance(term, Literal) and term not in self.known:
            self._note(term, taken=True, kind=Kind.FACT)

    def tell(self, term: Term) -> None:
        """A condition of the path that may be false of the values here.

        The solver must have seen it before they can be trusted: the run is solved again.
        """
        if isinstance(term, Literal):
            self.assume(term is TRUE)
        elif term not in self.known:
            if self.section is not None:
                self.notes["a quantifier about a left-hand state was assumed"] = None
            seen = len(self.decisions) < self.given
            self._note(term, taken=True, kind=Kind.ASSUME)
            self.has_told = True
            if not seen:
                self.end(Status.RETRY)

    @contextmanager
    def binding(self) -> Iterator[None]:
        """Values inside may contain variables of the solver; no decision may depend on them."""
        frames, method, index = len(self.frames), self.method, self.index
        self.bound += 1
        try:
            yield
        finally:
            self.bound -= 1
            del self.frames[frames:]
            self.method, self.index = method, index

    def _decide(self, condition: Value, kind: Kind) -> bool:
        if condition.__class__ is bool:
            return bool(condition)
        assert isinstance(condition, Sym)
        taken = bool(condition.value)
        term, positive = condition.term, taken
        while isinstance(term, App) and term.symbol is NOT:
            term, positive = term.args[0], not positive
        if term not in self.known:
            if self.bound and term.free:
                raise Leak
            if term is condition.term:
                self._note(term, taken, kind)
            else:
                self._note(condition.term, taken, kind)
                self.known[term] = positive
        return taken

    def _note(self, term: Term, taken: bool, kind: Kind) -> None:  # noqa: FBT001 - a decision
        self.known[term] = taken
        self.decisions.append(Decision(term, taken, kind, (self.method, self.index)))

    def choose(self, name: str, options: int | None, default: int) -> int:
        """Which of several shapes an input has; without options, any number from 0 on.

        Without options, a result beyond the limit stands for all numbers there.

        The alternatives are offered one by one, so that each is a branch of the path.
        """
        self.choosing(name)
        symbol = build.constant(name, INT_SORT)
        chosen = max(0, int(self.assignment.values.get(name, default)))
        chosen = chosen if options is None else min(chosen, options - 1)
        self.symbols[name] = (INT, chosen)
        self.fact(build.at_least(symbol, build.integer(0)))
        if options is not None:
            self.fact(build.less(symbol, build.integer(options)))
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
        return self.part(
            kind, hint if self.section is None else self.section.prefix + hint, horizon
        )

    def part(self, kind: Type, hint: str, horizon: int | None = None) -> Value:
        """A value that the solver chooses, of an input with this name."""
        self.choosing(hint)
        name = hint if hint not in self.symbols else f"{hint}#{len(self.symbols)}"
        while name in self.symbols:
            name += "'"
        scalar = scalar_of(kind)
        if scalar is None:
            self.symbols[name] = (kind, 0)
            lazy = Lazy(kind, name, self.made if horizon is None else horizon)
            self.inputs[name] = lazy
            return lazy
        value = self.assignment.values.get(name, scalar.default)
        if scalar.sort is REAL:
            value = self._amount(name)
        elif scalar.sort is BOOL:
            value = bool(value)
        self.symbols[name] = (kind, value)
        made = Sym(value, unknown(name, scalar.sort))
        if scalar.is_token:
            self.fact(is_of(kind, made.term))
        self.inputs[name] = made
        return made

    def _amount(self, name: str) -> Fraction:
        """Each smaller than those before it, first: a wildcard must fit into what is held."""
        self._amounts += 1
        chosen = self.assignment.values.get(name)
        return Fraction(1, 4 ** min(self._amounts, 12)) if chosen is None else Fraction(chosen)

    def option(self, name: str) -> bool:
        """Two ways to go on that no input of the program decides; first without."""
        chosen = self.part(BOOLEAN, name)
        self.inputs.popitem()
        return self.branch(chosen)

    def allocate(self) -> Ref:
        """A new object, unlike all that were there before."""
        self.made += 1
        self.met(-self.made)
        return ref(-self.made)

    def met(self, number: int) -> None:
        """An object, for quantifiers about all of them."""
        if self.has_told_objects:
            self.fact(is_of(OBJECT, build.integer(number)))

    def tell_objects(self) -> None:
        """All objects so far, and from now on each that is met."""
        if not self.has_told_objects:
            self.has_told_objects = True
            for number in range(-self.made, self.objects + 1):
                self.met(number)

    # ------------------------------------------------------------ endings

    def end(self, status: Status, detail: str = "") -> NoReturn:
        raise Ended(status, (self.method, self.index), detail)


@record
class ScalarKind:
    """How numbers and truth values of a type are said; `default` is used until a condition
    mentions them: an amount is best a small positive one."""

    sort: Sort
    default: Scalar
    is_token: bool = False


SCALARS: Final = {
    INT: ScalarKind(INT_SORT, 0),
    BOOLEAN: ScalarKind(BOOL, default=False),
    RATIONAL: ScalarKind(REAL, Fraction(1, 4)),
}

TOKEN: Final = ScalarKind(INT_SORT, 0, is_token=True)


@lru_cache(maxsize=1024)
def scalar_of(kind: Type) -> ScalarKind | None:
    """None for types whose values have a shape; tokens are integers."""
    return SCALARS.get(kind) or (TOKEN if is_token(kind) else None)


@lru_cache(maxsize=4096)
def unknown(name: str, sort: Sort) -> Term:
    """The symbol of an input: the same names come with every run."""
    return build.constant(name, sort)


def sort_of(kind: Type) -> Sort:
    """The sort of a number or truth value; references and tokens are integers."""
    scalar = SCALARS.get(kind)
    return INT_SORT if scalar is None else scalar.sort


def is_guarded(kind: Type) -> bool:
    """Whether values of a type are numbers, but numbers need not be values of it."""
    return kind == OBJECT or is_token(kind)


def is_of(kind: Type, term: Term) -> Term:
    """That a number stands for a value of a type: there may be fewer of these than numbers."""
    return build.apply(build.function(f"%is {kind}", (INT_SORT,), BOOL), term)
