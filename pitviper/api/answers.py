"""What the functions of the API return: results that print themselves, and know all problems.

Each extends the plain result of the driver. `problems` is everything that a loop should print:
rejected programs, warnings, failed checks, what is undecided, and failures of our own. `print`
gives the report of the command line, a notebook shows `_repr_html_` and `_repr_svg_`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pitviper.base.record import record
from pitviper.driver.counterexample.search import Answered
from pitviper.driver.debug.debugging import DebugSession
from pitviper.driver.explore.report import exploration_report
from pitviper.driver.front.frontend import FrontEnd
from pitviper.driver.verify.verify import ProgramOutcome, diagnosed
from pitviper.results.counterexample import Counterexample
from pitviper.results.debugging import ErrorView, Reply
from pitviper.results.exploration import Claim, Exploration, ExploredRun, MethodExploration
from pitviper.results.heap_graph import graph_of
from pitviper.results.report import Problem, problems_of_outcome
from pitviper.results.verdict import MemberOutcome, Undecided, Verdict
from pitviper.source.diagnostic import Severity
from pitviper.views.html.painted import painted_html, painter
from pitviper.views.pictures.flow import picture_svg
from pitviper.views.pictures.graphviz import rendered
from pitviper.views.pictures.heap import THEMES, dot_text
from pitviper.views.terminal.counterexample import result_lines
from pitviper.views.terminal.debugger import DebuggerView, Shown
from pitviper.views.terminal.excerpt import Page
from pitviper.views.terminal.exploration import method_text
from pitviper.views.terminal.problem import problem_text
from pitviper.views.terminal.report import counted
from pitviper.views.terminal.style import plain
from pitviper.views.terminal.verification import member_line

PLAIN = Page(plain)
COLOURED = Page(painter)


@record
class CheckResult(FrontEnd):
    """A program that was read and checked; `program` is None where it was not accepted."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Errors and warnings, in source order."""
        return diagnosed(self, self.diagnostics)

    def __str__(self) -> str:
        return _report(self.problems, (), self._headline, PLAIN)

    def __repr__(self) -> str:
        return f"<CheckResult {self.source.name}: {self._headline}>"

    def _repr_html_(self) -> str:
        return painted_html(_report(self.problems, (), self._headline, COLOURED))

    @property
    def _headline(self) -> str:
        return _counted("accepted" if self.accepted else "rejected", self.problems)


@record
class VerifyResult(ProgramOutcome):
    """What is known about a program: a verdict for it, and one for each member."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the front end says, then for each member warnings, findings and open questions."""
        told = [p for outcome in self.members.values() for p in _of_outcome(outcome)]
        return (*diagnosed(self.front, self.diagnostics), *told)

    def __bool__(self) -> bool:
        """Says whether everything is verified."""
        return self.verdict is Verdict.VERIFIED

    def __str__(self) -> str:
        return self._text(PLAIN)

    def __repr__(self) -> str:
        return f"<VerifyResult {self.front.source.name}: {self._headline}>"

    def _repr_html_(self) -> str:
        return painted_html(self._text(COLOURED))

    def _text(self, page: Page) -> str:
        members = [member_line(outcome, page) for outcome in self.members.values()]
        return _report(self.problems, members, self._headline, page)

    @property
    def _headline(self) -> str:
        members = counted(len(self.members), "member")
        return _counted(f"{self.verdict.value}, {members}", self.problems)


@record
class ExploreResult:
    """What runs of the methods of a program showed; `exploration` is None if it was rejected."""

    front: FrontEnd
    exploration: Exploration | None

    @property
    def claim(self) -> Claim | None:
        """FAILS, PROVED, HOLDS or OPEN; None for a program that was rejected."""
        return None if self.exploration is None else self.exploration.claim

    @property
    def methods(self) -> Mapping[str, MethodExploration]:
        """What is known about each method that was explored."""
        done = () if self.exploration is None else self.exploration.methods
        return {method.method: method for method in done}

    @property
    def failures(self) -> tuple[ExploredRun, ...]:
        """Runs that certainly fail; `run.test.inputs` are the values they were given."""
        methods = self.methods.values()
        return tuple([run for method in methods for run in method.certain_failures])

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the front end says, or the failures and the open questions of each method."""
        if self.exploration is None:
            return diagnosed(self.front, self.front.diagnostics)
        report = exploration_report(self.front, self.exploration)
        told = [p for outcome in report.outcomes for p in _of_outcome(outcome)]
        return (*diagnosed(self.front, self.front.diagnostics), *told)

    def __str__(self) -> str:
        return self._text(PLAIN)

    def __repr__(self) -> str:
        return f"<ExploreResult {self.front.source.name}: {self._headline}>"

    def _repr_html_(self) -> str:
        return painted_html(self._text(COLOURED))

    def _repr_svg_(self) -> str | None:
        """The flow of the first method, with how many runs came where."""
        pictures = [m.picture for m in self.methods.values() if m.picture is not None]
        return picture_svg(pictures[0]) if pictures else None

    def _text(self, page: Page) -> str:
        if self.exploration is None:
            return _report(self.problems, (), self._headline, page)
        methods = [method_text(method, page).strip("\n") for method in self.methods.values()]
        return "\n\n".join([*methods, self._headline])

    @property
    def _headline(self) -> str:
        if self.claim is None:
            return _counted("rejected", self.problems)
        explored = counted(len(self.methods), "method")
        failing = counted(len(self.failures), "failing run")
        return f"{self.claim.value}, {explored}, {failing}"


@record
class CounterexampleResult(Answered):
    """Small states in which failed checks fail; iterating gives those that were found.

    `results` has all answers in order, also why there is none for a check.
    """

    @property
    def counterexamples(self) -> tuple[Counterexample, ...]:
        return tuple([found for found in self.results if isinstance(found, Counterexample)])

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why the program was rejected, or a problem for each answer."""
        told = [
            Problem(
                found.finding or "state",
                Severity.ERROR if found.finding else Severity.WARNING,
                found.span,
                found.caption if isinstance(found, Counterexample) else found.message,
                found.member,
            )
            for found in self.results
        ]
        stopped = [] if self.stopped is None else [_undecided_run(self.stopped)]
        diagnostics = (*self.front.diagnostics, *self.rejected)
        return (*diagnosed(self.front, diagnostics), *told, *stopped)

    def __iter__(self) -> Iterator[Counterexample]:
        return iter(self.counterexamples)

    def __len__(self) -> int:
        return len(self.counterexamples)

    def __bool__(self) -> bool:
        """Says whether there is a counterexample."""
        return bool(self.counterexamples)

    def svg(self, number: int = 0, theme: str = "light") -> str:
        """Returns the picture of a counterexample; `theme` is light or dark."""
        dot = dot_text(graph_of(self.counterexamples[number]), THEMES[theme])
        return rendered(dot, "svg").decode()

    def __str__(self) -> str:
        return self._text(PLAIN)

    def __repr__(self) -> str:
        return f"<CounterexampleResult {self.front.source.name}: {self._headline}>"

    def _repr_html_(self) -> str:
        pictures = [
            svg[svg.index("<svg") :] for svg in map(self.svg, range(len(self.counterexamples)))
        ]
        return "\n".join([*pictures, painted_html(self._text(COLOURED))])

    def _repr_svg_(self) -> str | None:
        """The picture of the first one."""
        return self.svg() if self.counterexamples else None

    def _text(self, page: Page) -> str:
        if not self.front.accepted:
            return _report(self.problems, (), self._headline, page)
        told = ["\n".join(result_lines(found, page)) for found in self.results]
        return "\n\n".join([*told, self._headline])

    @property
    def _headline(self) -> str:
        if not self.front.accepted:
            return _counted("rejected", self.problems)
        if self.stopped is not None:
            return f"stopped: {self.stopped}"
        if not self.failed and not self.results:
            return "nothing failed"
        return counted(len(self.counterexamples), "counterexample")


@record
class DebugResult(DebugSession):
    """A session inside the checks of a program that failed.

    `execute` gives plain values, `ask` the text that the command line shows.
    """

    @property
    def errors(self) -> tuple[ErrorView, ...]:
        """The failed checks; `ask("choose 1")` goes to the second."""
        return () if self.debugger is None else self.debugger.errors().errors

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the front end says, failed checks, and members that were not finished."""
        failed = [
            Problem(e.id, Severity.ERROR, e.span, e.message, e.member, (), None)
            for e in self.errors
        ]
        ours = [Problem("internal.error", Severity.ERROR, None, said) for said in self.crashed]
        late = [_undecided_run(said) for said in self.late]
        diagnostics = (*self.front.diagnostics, *self.rejected)
        return (*diagnosed(self.front, diagnostics), *failed, *ours, *late)

    def ask(self, command: str) -> str:
        """Returns what the debugger answers to a command, as text."""
        return self._shown(self.execute(command), PLAIN)

    def __str__(self) -> str:
        return self._text(PLAIN)

    def __repr__(self) -> str:
        return f"<DebugResult {self.front.source.name}: {self._headline}>"

    def _repr_html_(self) -> str:
        return painted_html(self._text(COLOURED))

    def _text(self, page: Page) -> str:
        if self.debugger is None or not self.errors:
            return _report(self.problems, (), self._headline, page)
        return f"{self._shown((self.debugger.errors(),), page)}\n{self._headline}"

    def _shown(self, replies: Iterable[Reply], page: Page) -> str:
        view = DebuggerView(page)
        if self.debugger is not None:
            config = self.debugger.config
            view = DebuggerView(page, Shown(config.internal, config.depth, config.depths))
        return "".join([view.text(reply) for reply in replies]).rstrip("\n")

    @property
    def _headline(self) -> str:
        if self.debugger is None:
            return _counted("rejected", self.problems)
        return counted(len(self.errors), "failed check")


# ---------------------------------------------------------------- parts


def _of_outcome(outcome: MemberOutcome) -> tuple[Problem, ...]:
    """Also what is undecided, and where we failed ourselves."""
    open_questions = [_undecided(point, outcome.name) for point in outcome.undecided]
    found = (*problems_of_outcome(outcome), *open_questions)
    if outcome.crash is None:
        return found
    said = f"Pitviper failed on {outcome.name}: {outcome.crash.said}"
    return (*found, Problem("internal.error", Severity.ERROR, None, said, outcome.name))


def _undecided(point: Undecided, member: str) -> Problem:
    return Problem("undecided", Severity.WARNING, point.span, point.message, member)


def _undecided_run(why: str) -> Problem:
    return Problem("undecided", Severity.WARNING, None, why)


def _report(problems: Iterable[Problem], members: Iterable[str], headline: str, page: Page) -> str:
    parts = [problem_text(problem, page) for problem in problems]
    lines = "\n".join(members)
    return "\n\n".join([*parts, *([lines] if lines else []), headline])


def _counted(word: str, problems: tuple[Problem, ...]) -> str:
    """`refuted, 2 members, 1 error`."""
    errors = sum(problem.severity is Severity.ERROR for problem in problems)
    warnings = len(problems) - errors
    told = [counted(errors, "error")] if errors else []
    told += [counted(warnings, "warning")] if warnings else []
    return ", ".join([word, *told])
