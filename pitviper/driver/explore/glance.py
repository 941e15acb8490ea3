"""Looks for failing inputs along all ways at once, when there are many to run one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import replace
from pitviper.engines.explore.model.program import Model
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.search.compile import Code, compile_model
from pitviper.engines.explore.search.engine import Search, Solvers
from pitviper.engines.explore.search.merged import merged_model
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms.term import Term

AFTER = 48
"""Attempts of a search after which a glance is taken."""

RUNS, NODES = 40, 80
"""What a glance may take: its runs are long, and stand for many."""

SOLVER = 200_000
"""Solver resources for one question."""

SHARE = 0.2
"""Of the seconds of a method."""


class Glance:
    """Searches the merged model of a program, which is made when it is first needed."""

    def __init__(self, model: Model, facts: Sequence[Term], options: SearchOptions) -> None:
        self._model = model
        self._facts = facts
        seconds = None if options.seconds is None else options.seconds * SHARE
        self._options = replace(
            options,
            frontier="mixed",
            runs=min(RUNS, options.runs),
            nodes=min(NODES, options.nodes),
            seconds=seconds,
            solver=min(SOLVER, options.solver),
        )
        self._is_made = False
        self._code: Code | None = None

    def inputs(self, entry: str, pulse: Callable[[], None] | None) -> Iterator[Assignment]:
        """Inputs that should fail; whether they do has to be seen. `pulse` may end the search."""
        code = self._merged()
        if code is None:
            return
        finder, judge = Z3Session(), Z3Session(Z3Options(models=True))
        with finder, judge:
            for session in (finder, judge):
                session.declare(self._facts)
            solvers = Solvers(finder, judge, bool(self._facts))
            search = Search(code, entry, solvers, self._options)
            search.pulse = pulse
            for node in search.nodes():
                if pulse is not None:
                    pulse()
                if node.status is Status.FAILED:
                    yield node.assignment

    def _merged(self) -> Code | None:
        if not self._is_made:
            self._is_made = True
            model = merged_model(self._model)
            self._code = None if model is None else run_deep(lambda: compile_model(model, {}))
        return self._code
