"""The search: solve a path, run it, and add the ways on which the run could have gone elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from pitviper.base.record import field, record, replace
from pitviper.engines.explore.notes import UNSURE
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.report.witness import witnessed
from pitviper.engines.explore.runtime.ending import Ended, Site, Status
from pitviper.engines.explore.runtime.inputs import Assignment, Table
from pitviper.engines.explore.runtime.run import HeardRun, Run
from pitviper.engines.explore.runtime.value import Decision, Kind, Scalar
from pitviper.engines.explore.search.compile import Runnable
from pitviper.engines.explore.search.extensions import Extension
from pitviper.engines.explore.search.frontier import FRONTIERS, Entry, Frontier, judges_contract
from pitviper.engines.explore.search.guess import Guesses
from pitviper.engines.explore.search.path_tree import path_name
from pitviper.solver.model import FunctionTable, Model
from pitviper.solver.session import Answer, FactKind, ModelSolver, Path
from pitviper.terms.build import negate
from pitviper.terms.term import FALSE, Quantified

START = Path()

FIRST = Entry(0, -1, START, (), None, 0)
"""Any path: the run with the values that come first to mind."""

SHORT, THOROUGH = 100_000, 500_000
"""Solver resources for a model of the axioms in which a failure happens."""


@record
class Node:
    """One attempt: its place in the search, how it ended, and the run if there was one.

    `entry` and `path` name the path it was made for and the one it took; `sides` are the decisions
    at which it is left by the paths that were added to the search.
    A failure is `confirmed` if axioms are known to have a model in which it happens.
    """

    number: int
    parent: int | None
    flipped: int | None
    status: Status
    site: Site | None = None
    detail: str = ""
    run: Run | None = None
    assignment: Assignment = field(default_factory=Assignment)
    entry: str = ""
    path: str = ""
    sides: tuple[int | None, ...] = ()
    confirmed: bool = False


@record
class Solvers:
    """`finder` looks for values by the ground instances of axioms that it comes across.

    `judge` is asked whether axioms, and quantifiers that a run told about, have a model. `further`
    opens one that knows more of products, for paths of which the finder is not sure.
    """

    finder: ModelSolver
    judge: ModelSolver
    axioms: bool = False
    further: Callable[[], ModelSolver] | None = None

    def examine(self, path: Path, limit: int) -> tuple[Answer, Model | None]:
        """Values for a path; where the judge gives up, those of the finder."""
        if _is_told(path):
            answer, model = self.judge.examine(path, FALSE, min(limit, THOROUGH))
            if answer.unknown is None:
                return answer, model
        found = self.finder.examine(path, FALSE, limit)
        if self.further is None or "arithmetic" not in (found[0].unknown or ""):
            return found
        other = self.further().examine(path, FALSE, limit)
        return other if other[0].unknown is None else found


def _is_told(path: Path) -> bool:
    """Whether a run on the path told about a quantifier."""
    entry: Path | None = path
    while entry is not None:
        if isinstance(entry.fact, Quantified):
            return True
        entry = entry.older
    return False


@record
class Unsolved:
    """A path without values: there are none, or the solver does not say."""

    status: Status
    detail: str = ""


def _why_unsolved(answer: Answer) -> str:
    """In words of ours: those of the solver say how it is built."""
    return "its limit was reached" if answer.exhausted else "it finds no values, and no reason why"


REFUTED = Unsolved(Status.INFEASIBLE)
NOTHING = Assignment()


class Search:
    """The search of one method. `step` makes one attempt; the order is that of the frontier."""

    def __init__(
        self,
        code: Runnable,
        entry: str,
        solvers: Solvers,
        options: SearchOptions,
        extensions: tuple[Extension, ...] = (),
    ) -> None:
        self.code = code
        self.entry = entry
        self.options = options
        self._solvers = solvers
        self._extensions = extensions
        plain = Extension.listener
        self._listening = tuple([e for e in extensions if type(e).listener is not plain])
        self._added: dict[str, None] = {}
        self.frontier: Frontier = FRONTIERS[options.frontier](options.seed)
        self.frontier.add(FIRST)
        self._guesses = Guesses()
        self._entries = 1
        self.pulse: Callable[[], None] | None = None
        self.seconds = options.seconds
        self._until: float | None = None
        self.limit = ""

    def nodes(self) -> Iterator[Node]:
        """All attempts, until the frontier is empty or a limit is reached; `limit` says which."""
        options = self.options
        self._until = None if self.seconds is None else time.monotonic() + self.seconds
        runs = attempts = steps = 0
        while len(self.frontier):
            self.limit = limit_reached(options, runs, attempts, steps, self._until)
            if self.limit:
                return
            entry = self.frontier.next()
            if not self._is_kept(entry):
                continue
            for node in self._attempts(entry):
                attempts += 1
                if node.run is not None:
                    runs += 1
                    steps += node.run.steps
                yield node

    def _attempts(self, entry: Entry) -> Iterator[Node]:
        """The attempt for an entry, and the runs that extensions add because of it.

        Where one of those took the path of the entry before, it is not told a second time.
        """
        node = self.step(entry)
        if node.path not in self._added:
            yield node
        if node.run is None:
            return
        for extension in self._extensions:
            for values in extension.successors(node.run, node.status):
                added = self.again(values, 0)
                self._added[added.path] = None
                yield added

    def grant(self, seconds: float) -> None:
        """So much more time: something else was done meanwhile."""
        if self._until is not None:
            self._until += seconds

    def step(self, entry: Entry) -> Node:
        """Solve and run one entry; what else could have happened goes to the frontier."""
        name, assignment = entry.name, NOTHING
        if entry.bound:
            solved = self._solved(entry)
            if isinstance(solved, Unsolved):
                return _without_run(entry, name, solved.status, solved.detail)
            assignment = solved
        node = self._confirmed(self.run(entry, assignment), entry)
        if node.status in (Status.DIVERGED, Status.LATE) or node.run is None:
            return replace(node, entry=name, path=name)
        successors = list(self.successors(node, entry))
        for successor in successors:
            self.frontier.add(successor)
        sides = tuple([s.flipped for s in successors])
        return replace(node, entry=name, path=path_name(node.run.path.decisions), sides=sides)

    def _solved(self, entry: Entry) -> Assignment | Unsolved:
        """Values for the path of an entry. Where axioms are, only the solver knows them."""
        if not self._solvers.axioms:
            origin = NOTHING if entry.origin is None else entry.origin
            guessed = self._guesses.of(entry.path, origin.values)
            if guessed is not None:
                values = guessed.values
                return REFUTED if values is None else Assignment(values)
        answer, model = self._solvers.examine(entry.path, self.options.solver)
        if answer.proved:
            return REFUTED
        if model is None:
            return Unsolved(Status.UNKNOWN, _why_unsolved(answer))
        return assignment_of(model)

    def again(self, assignment: Assignment, given: int) -> Node:
        """A run that was made before, here or in another process."""
        number = self._entries
        self._entries += 1
        entry = replace(FIRST, number=number)
        node = self._confirmed(self.run(entry, assignment, given), entry, THOROUGH)
        assert node.run is not None
        return replace(node, path=path_name(node.run.path.decisions))

    def sides(self, node: Node, flips: Iterable[int | None]) -> list[Entry]:
        """Some of the paths that leave a run which was made again."""
        wanted = dict.fromkeys(flips)
        found = [e for e in self.successors(node, FIRST) if e.flipped in wanted]
        if len(found) != len(wanted):
            raise RuntimeError("a run that was repeated took another path")
        return found

    def values(self, path: Path, node: Node) -> Model | None:
        """Values under which a path holds; those of a confirmed failure satisfy the axioms."""
        solver = self._solvers.judge if node.confirmed else self._solvers.finder
        answer, model = solver.examine(path, FALSE, self.options.solver)
        is_vague = node.confirmed and answer.unknown is not None
        return None if answer.proved or is_vague else model

    def _confirmed(self, node: Node, entry: Entry, limit: int = SHORT) -> Node:
        """A failure on a path that axioms rule out is none: the values were only a guess."""
        run, solvers = node.run, self._solvers
        if node.status is not Status.FAILED or run is None:
            return node
        told = any(isinstance(d.term, Quantified) for d in run.path.decisions)
        if not told and not (solvers.axioms and run.inputs.rest_on_axioms):
            return node
        path = entry.path
        for decision in run.path.decisions[entry.bound :]:
            path = path.branch(decision.term if decision.taken else negate(decision.term))
        answer, _ = solvers.finder.examine(path, FALSE, self.options.solver)
        if not answer.proved:
            answer, _ = solvers.judge.examine(path, FALSE, limit)
        if answer.proved:
            return replace(node, status=Status.INFEASIBLE)
        if told and answer.unknown is not None:
            run.notes[UNSURE] = None
        return replace(node, confirmed=answer.unknown is None)

    def run(self, entry: Entry, assignment: Assignment, given: int | None = None) -> Node:
        """One concrete and symbolic execution; `given` decisions were known when it was solved."""
        known = entry.bound if given is None else given
        run = self._new_run(assignment, known)
        run.tick = self._tick
        status, site, detail = execute(self.code, self.entry, run)
        if status is not Status.LATE and not _follows(run, entry):
            status, site, detail = Status.DIVERGED, entry.site, ""
        return Node(
            entry.number, entry.parent, entry.flipped, status, site, detail, run, assignment
        )

    def _new_run(self, assignment: Assignment, known: int) -> Run:
        model, limits = self.code.model, self.options.limits
        if not self._listening:
            return Run(model, assignment, limits, known)
        heard = HeardRun(model, assignment, limits, known)
        listeners = [extension.listener(heard) for extension in self._listening]
        heard.listeners = tuple([one for one in listeners if one is not None])
        return heard

    def _tick(self, run: Run) -> None:
        """Every now and then in the middle of a run: it may have to end."""
        if self.pulse is not None:
            self.pulse()
        if self._until is not None and time.monotonic() > self._until:
            run.end(Status.LATE)

    def successors(self, node: Node, entry: Entry) -> Iterator[Entry]:
        """The paths beside the one that was run (Listing 1.2), and what extensions add."""
        assert node.run is not None
        decisions = tuple(node.run.path.decisions)
        path = entry.path
        end = node.run.path.failed_at if node.status is Status.FAILED else len(decisions)
        way = _Way()
        for index, decision in enumerate(decisions):
            if index < entry.bound:
                way.pass_(decision)
                continue
            if index < end and self._is_searched(decisions, index):
                other = negate(decision.term) if decision.taken else decision.term
                yield self._entry(node, path.branch(other), decisions, index, way.beside(decision))
            way.pass_(decision)
            fact = decision.term if decision.taken else negate(decision.term)
            path = Path(path, fact, FactKind.BRANCH, None, path.length + 1)
        if node.status is Status.RETRY:
            yield self._entry(node, path, decisions, None, (way.is_aside, way.is_large))

    def _is_searched(self, decisions: tuple[Decision, ...], index: int) -> bool:
        decision = decisions[index]
        if decision.kind is Kind.FACT or (decision.kind is Kind.ASSUME and decision.taken):
            return False
        return all(e.searches(decisions, index) for e in self._extensions)

    def _is_kept(self, entry: Entry) -> bool:
        """Whether nobody has made an entry needless since it was added."""
        if entry.flipped is None:
            return True
        return all(e.keeps(entry.decisions[entry.flipped]) for e in self._extensions)

    def _entry(
        self,
        node: Node,
        path: Path,
        decisions: tuple[Decision, ...],
        flipped: int | None,
        kind: tuple[bool, bool],
    ) -> Entry:
        bound = len(decisions) if flipped is None else flipped + 1
        number = self._entries
        self._entries += 1
        assert node.run is not None
        given = node.run.path.given
        return Entry(
            number, node.number, path, decisions, flipped, bound, node.assignment, given, *kind
        )


class _Way:
    """What the decisions of a path so far say about where it leads."""

    __slots__ = ("is_aside", "is_large")

    def __init__(self) -> None:
        self.is_aside = self.is_large = False

    def pass_(self, decision: Decision) -> None:
        """One more decision, as it was taken."""
        self.is_large = self.is_large or decision.kind is Kind.LARGE
        self.is_aside = self.is_aside or judges_contract(decision.term, holds=decision.taken)

    def beside(self, decision: Decision) -> tuple[bool, bool]:
        """Whether the other side of a decision is aside, and whether it is large."""
        other = judges_contract(decision.term, holds=not decision.taken)
        return self.is_aside or other, self.is_large or decision.kind is Kind.LARGE


def limit_reached(
    options: SearchOptions, runs: int, attempts: int, steps: int, until: float | None
) -> str:
    """The limit that ends a search, as the option that moves it; empty if there is none."""
    if runs >= options.runs:
        return f"--runs {options.runs}"
    if attempts >= options.nodes:
        return f"--nodes {options.nodes}"
    if steps >= options.work:
        return f"--work {options.work}"
    if until is not None and time.monotonic() > until:
        return f"--seconds {options.seconds:g}"
    return ""


def _without_run(entry: Entry, name: str, status: Status, detail: str) -> Node:
    """The solver says that the path has no inputs, or says nothing."""
    return Node(
        entry.number,
        entry.parent,
        entry.flipped,
        status,
        entry.site,
        detail,
        entry=name,
        path=name,
    )


def execute(code: Runnable, entry: str, run: Run) -> tuple[Status, Site | None, str]:
    """Run a method to its end, whatever that is."""
    try:
        code.run(entry, run)
    except Ended as end:
        last = witnessed(code, run, end) if end.status is Status.FAILED else end
        return last.status, last.site, last.detail
    except RecursionError:
        return Status.DEPTH, run.site, "the stack of the interpreter"
    return Status.PASSED, None, ""


def _follows(run: Run, entry: Entry) -> bool:
    """Whether a run took the path it was made for."""
    if len(run.path.decisions) < entry.bound:
        return False
    for index in range(entry.bound):
        got, wanted = run.path.decisions[index], entry.decisions[index]
        same = got.taken == wanted.taken
        if got.term is not wanted.term or same == (index == entry.flipped):
            return False
    return True


def assignment_of(model: Model | None) -> Assignment:
    """A solver's model as plain data."""
    if model is None:
        return Assignment()
    values = {s.name: v for s, v in model.constants.items() if isinstance(v, int | Fraction)}
    tables = {symbol.name: _table(table) for symbol, table in model.functions.items()}
    return Assignment(values, tables)


def _table(table: FunctionTable) -> Table:
    entries: dict[tuple[Scalar, ...], Scalar] = {}
    for args, value in table.entries.items():
        plain = tuple([a for a in args if isinstance(a, int | Fraction)])
        if len(plain) == len(args) and isinstance(value, int | Fraction):
            entries[plain] = value
    default = table.default if isinstance(table.default, int | Fraction) else 0
    return entries, default
