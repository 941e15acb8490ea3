"""A question of counterexample search: a recorded state, and the check that failed in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitviper.base.record import record
from pitviper.counterexample.bounded.search import Fact
from pitviper.engines.shared.members import Member
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.verifier import Run
from pitviper.explain.recorded_run import RecordedMember
from pitviper.explain.recorder import Action, Failing
from pitviper.program.member import Function, Method, Program
from pitviper.program.stmt import Declare
from pitviper.program.walk import descendants
from pitviper.results.finding import Finding
from pitviper.solver.session import Path
from pitviper.source.span import Span
from pitviper.terms.term import Term


@record
class Sought:
    """A state of a member, and what is to fail in it; a goal of None: any instance will do.

    `around` are the variables of the statement in which it fails, where the state has those of a
    contract or of the body of a predicate instead.
    """

    run: Run
    member: Member
    state: State
    goal: Term | None
    origins: Origins
    around: Mapping[str, Term] | None = None

    @property
    def variables(self) -> Mapping[str, Term]:
        """The variables that the user knows."""
        return self.state.store if self.around is None else self.around

    @property
    def known(self) -> list[Term]:
        """The values of all variables: those of the user, then those of a contract."""
        return list(dict.fromkeys([*self.variables.values(), *self.state.store.values()]))


def variables_around(failing: Failing) -> Mapping[str, Term] | None:
    """Returns those of the innermost statement that was being executed; None if there is none."""
    for action in reversed(failing.during):
        if action.rule == "execute" and action.before is not None:
            return action.before.store
    return None


@record
class Earlier:
    """A check that failed before, after which the verifier went on as if it had held."""

    text: str
    span: Span
    goal: Term | None = None

    def assumed(self) -> frozenset[Term]:
        """Returns the facts that the verifier went on with."""
        if self.goal is None:
            return frozenset()
        return frozenset([entry.fact for entry in Path().assume(self.goal)])


@record
class Question:
    """A state to show: `finding` is the failed check, None for an example of the state at `span`.

    `program` is the one that the user wrote, before plugins; `earlier` what failed before. `types`
    are those of the variables to show.
    """

    program: Program
    sought: Sought
    span: Span
    finding: Finding | None
    types: dict[str, str]
    constraints: tuple[Fact, ...] = ()
    earlier: tuple[Earlier, ...] = ()

    @property
    def member(self) -> str:
        return self.sought.member.name if self.finding is None else self.finding.member


def questions_of(recorded: RecordedMember, program: Program) -> Iterator[Question]:
    """Gives one for each check of the member that failed; `program` is that of the user."""
    member, seen, earlier = recorded.member, set[object](), list[Earlier]()
    for failing in recorded.recorder.failures:
        failed, goal = failing.failed, failing.failed.context.goal
        if failed.finding is None:
            continue
        told = recorded.told(failed.finding)
        key = (failed.finding.id, failed.finding.span, failed.finding.offending)
        if key not in seen and told is not None:
            seen.add(key)
            around, origins = variables_around(failing), recorded.recorder.origins
            sought = Sought(recorded.run, member, failed.state, goal, origins, around)
            yield Question(program, sought, told.span, told, types_of(member), (), tuple(earlier))
        earlier.append(Earlier(failed.finding.message, failed.finding.span, goal))


def states_at(line: int, recorded: RecordedMember, program: Program) -> Iterator[Question]:
    """Gives the first recorded state before a statement that starts in a line."""
    member, origins = recorded.member, recorded.recorder.origins
    for action in _actions(recorded.recorder.roots):
        if action.rule == "execute" and action.node.span.line == line and action.before is not None:
            sought = Sought(recorded.run, member, action.before, None, origins)
            yield Question(program, sought, action.node.span, None, types_of(member))
            return


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
