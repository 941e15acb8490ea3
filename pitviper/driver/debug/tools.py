"""What the debugger needs of the driver: solvers, and further runs of the verifier."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

from pitviper.base.qualified import is_qualified
from pitviper.base.record import replace
from pitviper.counterexample.instance import instances
from pitviper.counterexample.options import CounterexampleOptions
from pitviper.counterexample.question import Question
from pitviper.debugger.tools import SolverSettings, Unavailable
from pitviper.driver.counterexample.retelling import Types, retold
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verification import verify_program
from pitviper.program import stmt as ps
from pitviper.program.member import Method, Program
from pitviper.program.node import Node
from pitviper.program.print.printer import program_text
from pitviper.program.walk import descendants, rewrite
from pitviper.results.counterexample import Result
from pitviper.results.debugging import ErrorView
from pitviper.solver.recording import Log
from pitviper.solver.session import Path, Solver
from pitviper.solver.z3.library import SolverError
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.source.span import Span
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
        types: Types | None = None,
    ) -> None:
        self._types = types
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
            raise Unavailable("cvc5 is not installed: pip install 'pitviper[cvc5]'") from None
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

        def failing(part: Program) -> set[tuple[str, Span, Span | None]]:
            done = verify_program(part, self._options.engine, self._options.plugins)
            return {(f.id, f.span, f.offending) for f in done.findings}

        before, wanted = failing(program), (error.id, error.span, error.offending)

        def shows(smaller: Program) -> bool:
            """The same part of the same check fails, and nothing that did not fail before."""
            now = failing(select_members(smaller, (error.member,)))
            return wanted in now and now <= before

        small = reduced(program, error.member, shows)
        if any(map(is_qualified, (*small.methods, *small.fields, *small.functions))):
            from pitviper.driver.verify.viper_text import viper_text

            return f"// {error.id}: {error.message}\n{viper_text(small, error.span.file.name)}"
        return f"// {error.id}: {error.message}\n{program_text(small)}"

    def counterexample(
        self, error: ErrorView, path: Path, goal: Term | None, text: str
    ) -> tuple[Result, ...]:
        """Searches from the recorded state; no replay: the user may have changed what is known."""
        if self._questions is None:
            raise Unavailable(
                "counterexamples are made from recorded states: use --backend symbolic"
            )
        question = self._questions(error.number)
        same = goal is question.sought.goal
        here = question.sought.state.on(path)
        sought = replace(question.sought, state=here, goal=goal, typed=None if same else text)
        options = CounterexampleOptions(replay=False)
        finding = question.finding if same else None
        found = instances(replace(question, sought=sought, finding=finding), options)
        return tuple([retold(one, self._types) if self._types else one for one in found])


def _members(program: Program) -> list[str]:
    return [*program.methods, *program.functions, *program.predicates]


MOST_RUNS = 150
"""Verifications that a reduction may cost."""

Shows = Callable[[Program], bool]


def reduced(program: Program, member: str, shows: Shows) -> Program:
    """Returns a program with fewer statements, clauses, bodies and members that still fails."""
    search = _Search(shows)
    changed = True
    while changed and search.runs < MOST_RUNS:
        changed = False
        for smaller in _smaller(program, member):
            if search.shows(smaller):
                program, changed = smaller, True
                break
    return _only_needed(program, member)


class _Search:
    def __init__(self, shows: Shows) -> None:
        self._shows = shows
        self.runs = 0

    def shows(self, program: Program) -> bool:
        self.runs += 1
        return self.runs <= MOST_RUNS and self._shows(program)


def _smaller(program: Program, member: str) -> Iterator[Program]:
    """Programs with one part less, large parts first."""
    for name in program.methods:
        method = program.methods[name]
        if name != member:
            if method.body is not None:
                yield _with(program, replace(method, body=None))
            for fewer in _fewer_clauses(method):
                yield _with(program, fewer)
    if member in program.methods:
        yield from _smaller_bodies(program, program.methods[member])


def _smaller_bodies(program: Program, method: Method) -> Iterator[Program]:
    if method.body is None:
        return
    for statement in _by_size(method.body):
        yield _with(program, replace(method, body=_without(method.body, statement)))
    for fewer in _fewer_clauses(method):
        yield _with(program, fewer)


def _with(program: Program, method: Method) -> Program:
    return replace(program, methods={**program.methods, method.name: method})


def _fewer_clauses(method: Method) -> Iterator[Method]:
    for at in range(len(method.postconditions)):
        kept = method.postconditions[:at] + method.postconditions[at + 1 :]
        yield replace(method, postconditions=kept)
    for at in range(len(method.preconditions)):
        kept = method.preconditions[:at] + method.preconditions[at + 1 :]
        yield replace(method, preconditions=kept)


def _by_size(body: ps.Block) -> list[ps.Stmt]:
    """All statements, those with most inside first; declarations stay, they cost nothing."""
    found = [n for n in descendants(body) if isinstance(n, ps.Stmt) and n is not body]
    found = [s for s in found if not isinstance(s, ps.Declare | ps.Block)]
    return sorted(found, key=lambda s: -sum(1 for _ in descendants(s)))


def _without(body: ps.Block, gone: ps.Stmt) -> ps.Block:
    def rule(node: Node) -> Node | None:
        if isinstance(node, ps.Block) and any(s is gone for s in node.statements):
            kept = tuple([s for s in node.statements if s is not gone])
            return ps.Block(kept, span=node.span)
        return None

    return rewrite(body, rule)


def _only_needed(program: Program, member: str) -> Program:
    """Without members, fields and types that the rest does not mention."""
    program = select_members(program, (member,))
    words = {
        value
        for table in (program.methods, program.functions, program.predicates, program.domains)
        for declared in table.values()
        for node in descendants(declared)
        for value in [getattr(node, "field", None), *getattr(node, "fields", ())]
        if isinstance(value, str)
    }
    fields = {name: field for name, field in program.fields.items() if name in words}
    return replace(program, fields=fields)
