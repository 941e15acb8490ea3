"""A session with the failed obligations of a run: commands in, plain values out."""

from __future__ import annotations

from collections.abc import Sequence

from pitviper.base.record import field, record, replace, struct
from pitviper.debugger.obligations.obligation import Obligation
from pitviper.debugger.obligations.symbolic import SymbolicObligation
from pitviper.debugger.steps import Steps
from pitviper.debugger.tools import SolverSettings, Tools
from pitviper.debugger.workbench import SolverInUse, Workbench
from pitviper.results.debugging import Errors, ErrorView, ObligationReply, Problem, Reply


@record
class PrintConfig:
    """What of the tree of assumptions is shown: `depths` are for single groups."""

    internal: bool = False
    depth: int = 5
    depths: tuple[tuple[int, int], ...] = ()


@struct
class _Opened:
    """An obligation that was looked at: what was tried on it stays."""

    bench: Workbench
    steps: Steps | None = None


class NoObligation(Exception):
    """A command needs an obligation, and none is chosen."""


@struct
class Debugger:
    """Choose an obligation, then work on it; `execute` takes command lines.

    >>> debugger.execute("choose 0")                                        # doctest: +SKIP
    >>> debugger.execute("assert x@1 > 0")                                  # doctest: +SKIP
    """

    obligations: Sequence[Obligation]
    tools: Tools
    config: PrintConfig = field(default_factory=PrintConfig)
    settings: SolverSettings = field(default_factory=SolverSettings)
    _chosen: int | None = None
    _opened: dict[int, _Opened] = field(default_factory=dict)

    # ------------------------------------------------------------ obligations

    def errors(self) -> Errors:
        views = [replace(o.error, chosen=o.error.number == self._chosen) for o in self.obligations]
        return Errors(tuple(views))

    def choose(self, number: int) -> Reply:
        if not 0 <= number < len(self.obligations):
            last = len(self.obligations) - 1
            return Problem(f"there is no error {number}: choose 0 to {last}")
        self._chosen = number
        return self.overview()

    def overview(self) -> ObligationReply:
        """Returns all of the obligation that fits on a few screens."""
        return self.sections(("error", "branch", "store", "heap", "assumptions", "goal"))

    def sections(self, names: tuple[str, ...]) -> ObligationReply:
        bench = self.bench
        obligation, goal = bench.obligation, bench.setup.goal
        shown = set(names)
        return ObligationReply(
            error=obligation.error if "error" in shown else None,
            state=obligation.state() if shown & {"branch", "store", "heap"} else None,
            old_heaps=obligation.old_heaps() if "old" in shown else None,
            assumptions=bench.tree() if "assumptions" in shown else None,
            axioms=self._axioms() if "axioms" in shown else None,
            goal=goal.view() if "goal" in shown else None,
            sections=names,
        )

    def _axioms(self) -> tuple[str, ...]:
        return tuple([self.bench.obligation.text(axiom) for axiom in self.bench.obligation.axioms])

    # ------------------------------------------------------------ the one that is chosen

    @property
    def current(self) -> ErrorView:
        return self.bench.obligation.error

    @property
    def bench(self) -> Workbench:
        return self._open().bench

    @property
    def steps(self) -> Steps | None:
        """The recorded run; None if the obligation has none."""
        opened = self._open()
        obligation = opened.bench.obligation
        if opened.steps is None and isinstance(obligation, SymbolicObligation):
            opened.steps = Steps(obligation)
        return opened.steps

    def _open(self) -> _Opened:
        if self._chosen is None:
            raise NoObligation
        found = self._opened.get(self._chosen)
        if found is None:
            obligation = self.obligations[self._chosen]
            bench = Workbench(obligation, lambda: self.start_solver(obligation))
            found = self._opened[self._chosen] = _Opened(bench)
        return found

    def start_solver(self, obligation: Obligation) -> SolverInUse:
        """Returns a session that knows the axioms; `Unavailable` if there is none."""
        settings = self.settings
        session = self.tools.open_solver(settings)
        session.declare(tuple(obligation.axioms))
        limit = settings.limit or self.tools.default_limit(settings.name)
        return SolverInUse(settings.name, session, limit)

    def use_solver(self, settings: SolverSettings) -> None:
        """Changes the solver for this obligation and those that are opened later."""
        before, self.settings = self.settings, settings
        try:
            bench = self.bench
            bench.solver = self.start_solver(bench.obligation)
        except Exception:
            self.settings = before
            raise

    def interrupt(self) -> None:
        """Ends what is going on, from any thread; the session can be used further."""
        if self._chosen in self._opened:
            self.bench.interrupt()

    # ------------------------------------------------------------ command lines

    def execute(self, line: str) -> tuple[Reply, ...]:
        """Returns the answers to one command; bad input is answered by a `Problem`."""
        from pitviper.debugger.commands.grammar import run_command

        return run_command(self, line)

    def complete(self, line: str) -> tuple[str, ...]:
        """Returns words that may stand at the end of the line."""
        from pitviper.debugger.commands.grammar import completions

        return completions(self, line)


def debugger_for(obligations: Sequence[Obligation], tools: Tools) -> Debugger:
    """Returns a debugger in which the obligation is chosen if there is only one."""
    return Debugger(obligations, tools, _chosen=0 if len(obligations) == 1 else None)
