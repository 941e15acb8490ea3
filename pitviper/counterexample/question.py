"""A question of counterexample search: a recorded state, and the check that failed in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitviper.base.record import field, record
from pitviper.counterexample.bounded.search import Fact
from pitviper.engines.shared.members import Member
from pitviper.engines.symbolic.heap.chunk import Resource
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.verifier import Run
from pitviper.explain.recorded_run import RecordedMember
from pitviper.explain.recorder import Action, Failing
from pitviper.program.member import Function, Method, Program
from pitviper.program.stmt import Declare
from pitviper.program.walk import descendants
from pitviper.results.finding import Finding
from pitviper.solver.session import FactKind, Path
from pitviper.source.span import Span
from pitviper.terms import build as tb
from pitviper.terms.term import Term

TYPED_GOAL = "assert.failed:assertion.false"


@record
class Sought:
    """A state of a member, and what is to fail in it; a goal of None: any instance will do.

    `names` are those of the contract or body in which the check stands, if it is not the member's.
    Where permission is missing, `lacking` says to which field or predicate.
    """

    run: Run
    member: Member
    state: State
    goal: Term | None
    origins: Origins
    names: Mapping[str, Term] | None = None
    typed: str | None = None
    """The goal as it was typed in: it may mention functions that the member does not use."""
    lacking: Resource | None = None

    @property
    def variables(self) -> Mapping[str, Term]:
        """The variables that the user knows."""
        return self.state.store

    @property
    def known(self) -> list[Term]:
        """The values of all variables: those of the user, then those of a contract."""
        others = {} if self.names is None else self.names
        return list(dict.fromkeys([*self.state.store.values(), *others.values()]))


@record
class Earlier:
    """A check that failed before, after which the verifier went on as if it had held."""

    text: str
    span: Span
    goal: Term | None = None
    path: Path = field(default_factory=Path)

    def assumed(self) -> frozenset[Term]:
        """Returns the facts that the verifier went on with."""
        if self.goal is None:
            return frozenset()
        return frozenset([entry.fact for entry in Path().assume(self.goal)])


@record
class Question:
    """A state to show: `finding` is the failed check, None for an example of the state at `span`,
    or for a state in which a goal fails that was typed in.

    `program` is the one that the user wrote, before plugins; `earlier` what failed before. `types`
    are those of the variables to show. `trail` are the states before and after statements on the
    way, for those who want to see how values came about.
    """

    program: Program
    sought: Sought
    span: Span
    finding: Finding | None
    types: dict[str, str]
    constraints: tuple[Fact, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    trail: tuple[tuple[Span, State, State], ...] = ()

    @property
    def failing_id(self) -> str | None:
        """Returns the id of what fails, as if a typed goal stood in the program as an assertion."""
        if self.finding is not None:
            return self.finding.id
        return TYPED_GOAL if self.sought.typed is not None else None

    @property
    def member(self) -> str:
        return self.sought.member.name if self.finding is None else self.finding.member


def questions_of(recorded: RecordedMember, program: Program) -> list[tuple[Question, ...]]:
    """Returns those about each check of the member that failed, one for each path on which it did;
    `program` is that of the user."""
    found, earlier = dict[object, list[Question]](), list[Earlier]()
    types = types_of(recorded.member)
    for failing in recorded.recorder.failures:
        failed, goal = failing.failed, failing.failed.context.goal
        if failed.finding is None:
            continue
        told = recorded.told(failed.finding)
        key = (failed.finding.id, failed.finding.span, failed.finding.offending)
        if told is not None:
            before = tuple([e for e in earlier if _is_on(e.path, failed.state.path)])
            sought = sought_of(failing, recorded)
            asked = Question(program, sought, told.span, told, types, (), before)
            found.setdefault(key, []).append(asked)
        path = failed.state.path
        earlier.append(Earlier(failed.finding.message, failed.finding.span, goal, path))
    return [tuple(paths) for paths in found.values()]


def _is_on(earlier: Path, later: Path) -> bool:
    """Whether no decision tells two paths apart: one goes on where the other was."""
    decided = {e.fact for e in later if e.kind is FactKind.BRANCH}
    return not any(tb.negate(e.fact) in decided for e in earlier if e.kind is FactKind.BRANCH)


def sought_of(failing: Failing, recorded: RecordedMember) -> Sought:
    """Returns the failed check in the state of the member: of a fold, a call or an application of
    a function, it is looked at where another body or contract has a store of its own."""
    failed, origins = failing.failed, recorded.recorder.origins
    goal, visitor, st = failed.context.goal, failed.context.visitor, failed.state
    missed = failed.context.lacking
    lacking = None if missed is None else missed.resource
    if visitor is None:
        return Sought(recorded.run, recorded.member, st, goal, origins, lacking=lacking)
    own = st.storing(visitor.store).with_old(visitor.old)
    return Sought(recorded.run, recorded.member, own, goal, origins, st.store, lacking=lacking)


def states_at(line: int, recorded: RecordedMember, program: Program) -> list[tuple[Question, ...]]:
    """Returns the recorded states before the first statement that starts in a line, one for each
    path that comes there."""
    member, origins = recorded.member, recorded.recorder.origins
    found, types = dict[Span, list[Question]](), types_of(member)
    for action in _actions(recorded.recorder.roots):
        if action.rule == "execute" and action.node.span.line == line and action.before is not None:
            sought = Sought(recorded.run, member, action.before, None, origins)
            asked = Question(program, sought, action.node.span, None, types)
            found.setdefault(action.node.span, []).append(asked)
    return [tuple(paths) for paths in list(found.values())[:1]]


def _actions(roots: list[Action]) -> Iterator[Action]:
    stack = list(reversed(roots))
    while stack:
        action = stack.pop()
        yield action
        stack.extend(reversed(action.inner))


def types_of(member: Member) -> dict[str, str]:
    """Returns the types of the variables a reader knows: parameters, results and locals."""
    found = {p.name: str(p.type) for p in member.params}
    if isinstance(member, Function):
        found["result"] = str(member.result)
    if isinstance(member, Method):
        found.update({r.name: str(r.type) for r in member.returns})
        for node in descendants(member.body) if member.body is not None else ():
            if isinstance(node, Declare):
                found[node.variable.name] = str(node.variable.type)
    return found
