"""How a verifier starts on a program, in which order its members come, and what it says of each.

Nothing here decides what holds: a verifier adds the rules that do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, Self, TypeAlias, TypeVar

from pitviper.base.record import record, struct
from pitviper.encoding.background import background, register_types
from pitviper.encoding.quantified_resources import ResourceIndex
from pitviper.encoding.symbols import Symbols
from pitviper.program.callgraph import CallGraph, call_graph
from pitviper.program.dependencies import Dependencies
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.results.finding import Finding
from pitviper.results.ghost import GhostStep
from pitviper.results.verdict import Undecided, Verdict
from pitviper.solver.session import Solver
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import Span
from pitviper.terms.supply import Supply
from pitviper.terms.term import Term

Member: TypeAlias = Function | Predicate | Method
Options = TypeVar("Options")


@record
class MemberResult:
    """What is known about one member; `undecided` says what was not decided, and why.

    `inferred` are the ghost statements with which that is known.
    """

    member: str
    findings: tuple[Finding, ...]
    undecided: tuple[Undecided, ...]
    warnings: tuple[Diagnostic, ...]
    inferred: tuple[GhostStep, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """A finding refutes the member, whatever else was not decided."""
        if self.findings:
            return Verdict.REFUTED
        return Verdict.UNDECIDED if self.undecided else Verdict.VERIFIED


@struct
class ProgramRun(Generic[Options]):
    """One verification of a program. `axioms` grows as functions are verified, here or elsewhere:
    a member is told those of the functions that it depends on, and no others."""

    program: Program
    options: Options
    new_solver: Callable[[], Solver]
    symbols: Symbols
    calls: CallGraph
    axioms: dict[str, tuple[Term, ...]]
    background: tuple[Term, ...]
    resources: ResourceIndex
    dependencies: Dependencies

    @classmethod
    def on(
        cls, program: Program, options: Options, new_solver: Callable[[], Solver], **own: Any
    ) -> Self:
        """Returns a run that has verified nothing; `own` are the fields of the verifier's class."""
        symbols = Symbols(program)
        register_types(symbols)
        calls = call_graph(program)
        return cls(
            program,
            options,
            new_solver,
            symbols,
            calls,
            {},
            background(symbols),
            ResourceIndex(program),
            Dependencies(program, calls),
            **own,
        )

    def solver_for(self, member: Member) -> Solver:
        """Returns a new solver that knows the axioms which the member may use."""
        solver = self.new_solver()
        solver.declare(self.background)
        for name in self.dependencies.functions_before(member):
            solver.declare(self.axioms.get(name, ()))
        return solver


def in_dependency_order(run: ProgramRun[Options]) -> list[Member]:
    """Returns functions, callees before callers, then predicates, then methods."""
    functions = [run.program.functions[name] for name in run.dependencies.functions]
    return [*functions, *run.program.predicates.values(), *run.program.methods.values()]


def supply_for(member: Member) -> Supply:
    """Returns a supply of names; those of a function carry its name, as others see its axioms."""
    return Supply(member.name if isinstance(member, Function) else "")


def warnings_of(told: Iterable[tuple[Span, str]]) -> tuple[Diagnostic, ...]:
    """Returns what a user is told about places that are no errors."""
    return tuple([Diagnostic("verifier.warning", Severity.WARNING, *each) for each in told])
