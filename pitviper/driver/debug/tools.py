"""What the debugger needs of the driver: solvers, and further runs of the verifier."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TextIO

from pitviper.base.record import replace
from pitviper.counterexample.instance import instances
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.counterexample.question import Question
from pitviper.debugger.tools import SolverSettings, Unavailable
from pitviper.driver.debug.reducing import reduced
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verification import verify_program
from pitviper.program.member import Program
from pitviper.program.print.printer import program_text
from pitviper.results.counterexample import Result
from pitviper.results.debugging import ErrorView
from pitviper.solver.recording import Log
from pitviper.solver.session import Path, Solver
from pitviper.solver.z3.library import SolverError
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms.term import Term

Z3_LIMIT = 4_000_000
"""What a question may cost by default: a second or two, because somebody waits for the answer."""

CVC5_LIMIT = 2_000_000
"""What a question may cost by default; cvc5 counts other steps than Z3 does."""


class DriverTools:
    """Implements `Tools` for one program."""

    def __init__(
        self,
        program: Program,
        options: VerifyOptions,
        questions: Callable[[int], Question] | None = None,
    ) -> None:
        self._program = program
        self._options = options
        self._questions = questions

    def open_solver(self, settings: SolverSettings) -> Solver:
        if settings.name == "cvc5":
            return self._open_cvc5(settings)
        try:
            return Z3Session(Z3Options(further=settings.options))
        except SolverError as error:
            raise Unavailable(str(error)) from error

    def _open_cvc5(self, settings: SolverSettings) -> Solver:
        try:
            from pitviper.solver.cvc5 import Cvc5Error, Cvc5Session
        except ImportError:
            raise Unavailable("cvc5 is not installed: pip install pitviper[cvc5]") from None
        try:
            return Cvc5Session(settings.limit or CVC5_LIMIT, dict(settings.options))
        except Cvc5Error as error:
            raise Unavailable(str(error)) from error

    def default_limit(self, solver: str) -> int:
        return CVC5_LIMIT if solver == "cvc5" else min(Z3_LIMIT, self._options.limit)

    def open_log(self, out: TextIO) -> Log:
        return Log(out, Z3Options().settings())

    def ghost_statements(self, error: ErrorView) -> Sequence[str]:
        """Verifies the member once more, with inference; none if the error stays."""
        engine = replace(self._options.symbolic, infer_ghost=True)
        if error.member not in _members(self._program):
            return ()
        program = select_members(self._program, (error.member,))
        done = verify_program(program, engine, self._options.plugins)
        for outcome in done.members:
            if outcome.name == error.member:
                stays = any(f.id == error.id and f.span == error.span for f in outcome.findings)
                return () if stays else tuple([str(step) for step in outcome.inferred])
        return ()

    def reduced_program(self, error: ErrorView) -> str:
        """Returns only what the failure needs, as text that can be verified on its own."""
        if error.member not in _members(self._program):
            raise Unavailable(f"{error.member} is generated: it is not in the program")
        program = select_members(self._program, (error.member,))

        def shows(smaller: Program) -> bool:
            part = select_members(smaller, (error.member,))
            done = verify_program(part, self._options.engine, self._options.plugins)
            return any(f.id == error.id and f.span == error.span for f in done.findings)

        small = reduced(program, error.member, shows)
        return f"// {error.id}: {error.message}\n{program_text(small)}"

    def counterexample(self, error: ErrorView, path: Path, goal: Term | None) -> tuple[Result, ...]:
        """Searches from the recorded state; no replay: the user may have changed what is known."""
        if self._questions is None:
            raise Unavailable(
                "counterexamples are made from recorded states: use --backend symbolic"
            )
        question = self._questions(error.number)
        sought = replace(question.sought, state=question.sought.state.on(path), goal=goal)
        options = CounterexampleOptions(replay=False)
        same = goal is question.sought.goal
        finding = question.finding if same else None
        return tuple(instances(replace(question, sought=sought, finding=finding), options))


def _members(program: Program) -> list[str]:
    return [*program.methods, *program.functions, *program.predicates]
