"""A question of counterexample search: a recorded state, and the check that failed in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitviper.base.record import field, record, replace
from pitviper.counterexample.bounded.search import Fact
from pitviper.counterexample.passed import Way, way_to
from pitviper.engines.shared.members import Member
from pitviper.engines.symbolic.heap.chunk import Resource
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.verifier import Run
from pitviper.explain.findings import conditions_of
from pitviper.explain.recorded_run import RecordedMember
from pitviper.explain.recorder import MEMBER, Action, Failing
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
    passed: Way = field(default_factory=Way)

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
    way: str = ""
    """The decisions that lead to the state, where others lead to the same place."""

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
        own, names = st, None
    else:
        own, names = st.storing(visitor.store).with_old(visitor.old), st.store
    passed = way_to(st, failing.action, recorded.recorder)
    run, member = recorded.run, recorded.member
    return Sought(run, member, own, goal, origins, names, lacking=lacking, passed=passed)


def states_at(line: int, recorded: RecordedMember, program: Program) -> list[tuple[Question, ...]]:
    """Returns the recorded states in front of what stands in a line, by the decisions on the way.

    That is the first statement that starts there, else a part of a contract, a condition or a part
    of a predicate; in the middle of something longer, the innermost that goes on in the line.
    """
    member, origins = recorded.member, recorded.recorder.origins
    found, types = dict[str, list[Question]](), types_of(member)
    for st, action, around in _standing_at(line, recorded):
        names, node = None, action.node
        passed = way_to(st, action, recorded.recorder)
        if around is not None and around.store is not st.store:
            st, names = st.storing(around.store), st.store
        sought = Sought(recorded.run, member, st, None, origins, names, passed=passed)
        way = " and ".join([c.holds for c in conditions_of(st.path)])
        asked = Question(program, sought, node.span, None, types, way=way)
        found.setdefault(way, []).append(asked)
    if len(found) == 1:
        found = {way: [replace(q, way="") for q in asked] for way, asked in found.items()}
    return [tuple(asked) for asked in found.values()]


def lines_with_states(recorded: RecordedMember) -> frozenset[int]:
    """Returns the lines that `states_at` has an answer for."""
    spans = [one.action.node.span for one in _with_state(recorded)]
    return frozenset([n for s in spans for n in range(s.line, s.end_position[0] + 1)])


@record
class _Seen:
    """An action with a state, and the state in front of the statement that it is part of."""

    action: Action
    before: State
    around: State | None


def _standing_at(
    line: int, recorded: RecordedMember
) -> Iterator[tuple[State, Action, State | None]]:
    """Gives states with what they are in front of, one for each path that comes there."""
    seen = [one for one in _with_state(recorded) if _spans(one.action.node.span, line)]
    spans = [one.action.node.span for one in seen if one.action.node.span.line == line]
    statements = [
        s
        for one in seen
        if one.action.rule == "execute"
        for s in (one.action.node.span,)
        if s.line == line
    ]
    if statements:
        chosen = statements[0]
    elif spans:
        chosen = min(spans, key=lambda s: (s.start, -s.end))
    elif seen:
        chosen = min([one.action.node.span for one in seen], key=lambda s: s.end - s.start)
    else:
        return
    here = [one for one in seen if one.action.node.span == chosen]
    rule = min([one.action.rule for one in here], key=_first_told)
    paths: dict[int, None] = {}
    for one in here:
        if one.action.rule == rule and id(one.before.path) not in paths and len(paths) < MOST_WAYS:
            paths[id(one.before.path)] = None
            yield one.before, one.action, one.around


def _first_told(rule: str) -> int:
    return _RULES.index(rule) if rule in _RULES else len(_RULES)


_RULES = ("execute", "branch", "consume", "produce", "evaluate")
"""What stands in a line is often looked at several times: where it is checked matters most."""
MOST_WAYS = 8
"""Paths through a line that are shown."""


def _with_state(recorded: RecordedMember) -> Iterator[_Seen]:
    file = recorded.member.span.file
    todo: list[tuple[Action, State | None]] = []
    todo += [(root, None) for root in reversed(recorded.recorder.roots)]
    while todo:
        action, around = todo.pop()
        if action.before is not None and action.rule != MEMBER and action.node.span.file is file:
            yield _Seen(action, action.before, around)
        if action.rule == "execute":
            around = action.before
        todo += [(inner, around) for inner in reversed(action.inner)]


def _spans(span: Span, line: int) -> bool:
    return span.line <= line <= span.end_position[0]


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
