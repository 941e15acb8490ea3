"""The context of a rule: what is being proved, how, and the services that act."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import field, record, replace, struct
from pitviper.encoding.symbols import Symbols
from pitviper.engines.symbolic.heap.chunk import Instance, Resource
from pitviper.engines.symbolic.options import Options
from pitviper.engines.symbolic.provenance import Location, Origins, Provenance, Step
from pitviper.engines.symbolic.recorder import Explainer, Failed, Recorder
from pitviper.engines.symbolic.rules.conditions import Merges
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.ongoing import Packaging
from pitviper.program.callgraph import CallGraph
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.results.finding import Condition, Finding
from pitviper.results.ghost import GhostStep, Position
from pitviper.solver.session import ASSERT, CHECK, Answer, FactKind, Solver
from pitviper.source.span import Span
from pitviper.terms import build as tb
from pitviper.terms.snapshot import is_path
from pitviper.terms.sort import Sort
from pitviper.terms.supply import Supply
from pitviper.terms.symbol import Function
from pitviper.terms.term import Term


@record
class Obligation:
    """The construct whose check is going on: gives a finding its error id and its place."""

    error: str
    node: Node
    parts: tuple[Node | str, ...] = ()
    origin: tuple[str, ...] = ()


@record
class Undecided:
    """An obligation that the solver gave up on, or a construct the engine does not know."""

    span: Span
    message: str


@record
class Failure:
    """A check that failed, at a node; `lacking` is the location that permission is missing for."""

    lacking: Location | None
    node: Node


INTERNAL = "internal"
"""The error id of a member as a whole: what fails in it has an id of its own."""

FindingKey: TypeAlias = tuple[str, str, Span, Span | None, tuple[str, ...]]


@struct
class Log:
    """What a member's run has found so far; no two different failures are merged.

    `paths` are the decisions on the paths where each was found, `steps` the statements that moved
    permissions, `failures` all failed checks in order. `inferred` are ghost statements, each with
    the number of times that all paths through its place took it, out of its `visits`. `at` is the
    statement or condition that execution has come to.
    """

    findings: dict[FindingKey, Finding] = field(default_factory=dict)
    undecided: dict[tuple[Span, str], Undecided] = field(default_factory=dict)
    warnings: dict[tuple[Span, str], str] = field(default_factory=dict)
    paths: dict[FindingKey, dict[tuple[Condition, ...], None]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    inferred: dict[GhostStep, int] = field(default_factory=dict)
    visits: dict[tuple[Span, Position], int] = field(default_factory=dict)
    at: Node | None = None

    def left_undecided(self) -> tuple[Undecided, ...]:
        """Without checks that failed on another path: they are decided."""
        failed = {(f.offending, _exceeded(f.reason)) for f in self.findings.values()}
        return tuple([u for key, u in self.undecided.items() if key not in failed])


@record
class Services:
    """What acts: one per member's run."""

    program: Program
    symbols: Symbols
    solver: Solver
    calls: CallGraph
    options: Options
    member: str
    supply: Supply
    log: Log
    explainer: Explainer
    quantified: frozenset[Resource] = frozenset()
    triggered: frozenset[Resource] = frozenset()
    checked: dict[str, None] = field(default_factory=dict)
    summaries: dict[object, tuple[Term, tuple[Term, ...]]] = field(default_factory=dict)
    origins: Origins = field(default_factory=Origins)
    recorder: Recorder | None = None
    merges: Merges = field(default_factory=dict)
    inverses: dict[object, tuple[Function, ...]] = field(default_factory=dict)


@record
class Context:
    """Modes of evaluation; frozen, so a mode ends where its scope ends.

    `binders` are the symbols that stand for variables bound around the current node (and, in a
    function, for its snapshot and arguments): every new symbol is a function of them. `scale`
    multiplies amounts inside a predicate body; with `scaled_freely` it is a wildcard that may still
    be chosen as small as need be. With `reading`, amounts count only as positive or zero. Without
    `checking`, expressions are taken to be well-defined; without `claiming`, what is claimed about
    the state is not proved either (triggers). `visiting` are the predicates whose bodies are being
    produced on behalf of an expression. With `valued`, snapshots of what is consumed are of use.
    `around` are the instances whose contents are being produced. `lacking` is the location that a
    check was about, `goal` what it had to prove, for its report. `packages` are those going on,
    nearest first, one for each of the state's heaps around. Without `introspective`, nothing is
    known about what `perm` and `forperm` look at. `quantified` says that some of the binders are
    variables of quantifiers, `exhaling` that an assertion is being consumed: pairs `[A, B]` then
    mean B. `in_contract`: applications of the function being defined tell nothing about their own
    postconditions.
    """

    services: Services
    obligation: Obligation
    binders: tuple[Term, ...] = ()
    scale: Term = tb.WRITE
    scaled_freely: bool = False
    reading: bool = False
    checking: bool = True
    claiming: bool = True
    in_function: bool = False
    function: str | None = None
    visiting: tuple[str, ...] = ()
    group: str = ""
    valued: bool = False
    lenient: bool = False
    around: tuple[Instance, ...] = ()
    lacking: Location | None = None
    goal: Term | None = None
    packages: tuple[Packaging, ...] = ()
    introspective: bool = True
    quantified: bool = False
    exhaling: bool = False
    in_contract: bool = False

    # ------------------------------------------------------------ modes

    def proving(self, error: str, node: Node, *parts: Node | str) -> Context:
        """While checking another construct; failures carry its id and place."""
        return replace(self, obligation=Obligation(error, node, parts, self.obligation.origin))

    def trusting(self) -> Context:
        """For assertions that were found well-formed already: only what they claim is checked."""
        return replace(self, checking=False)

    def for_expression(self) -> Context:
        """For assertions inside an expression: they belong to its being well-defined."""
        return replace(self, claiming=self.checking)

    def for_claim(self) -> Context:
        """For a side condition of an assertion that is claimed on every use."""
        return replace(self, checking=self.claiming)

    def unless_lenient(self) -> Context:
        """For parts that are judged only where a wand is used."""
        return self.trusting() if self.lenient else self

    def lacks(self, resource: Resource, args: tuple[Term, ...]) -> Context:
        """To report that permission to a location is missing."""
        return replace(self, lacking=Location(resource, args))

    def about(self, goal: Term) -> Context:
        """To report that a goal was not proved."""
        return replace(self, goal=goal)

    def on_side(self, *, exhaling: bool) -> Context:
        """While an assertion is consumed, or produced: says which side of a pair is meant."""
        return self if self.exhaling is exhaling else replace(self, exhaling=exhaling)

    def under(self, *binders: Term) -> Context:
        """Inside a quantifier."""
        return replace(self, binders=(*self.binders, *binders), quantified=True)

    def depending_on(self, *parameters: Term) -> Context:
        """While a function is verified: everything new depends on what it is applied to."""
        return replace(self, binders=(*self.binders, *parameters))

    # ------------------------------------------------------------ symbols

    def fresh(self, hint: str, sort: Sort) -> Term:
        """A new symbol, a function of the enclosing binders."""
        if not self.binders:
            return self.services.supply.constant(hint, sort)
        sorts = tuple([b.sort for b in self.binders])
        return tb.apply(self.services.supply.function(hint, sorts, sort), *self.binders)

    def named(self, st: State, hint: str, value: Term) -> tuple[State, Term]:
        """A short name for a value, as a definition: keeps terms small.

        What is read from a snapshot keeps its term, by which locations are recognised.
        """
        if is_path(value):
            return st, value
        name = self.fresh(hint, value.sort)
        return st.assume(tb.equal(name, value), FactKind.DEFINITION), name

    # ------------------------------------------------------------ questions

    def ask(self, st: State, goal: Term, limit: int = ASSERT) -> Answer:
        name = str(self._place.span)
        answer = self.services.solver.entails(st.path, goal, limit, name)
        if self.services.recorder is not None:
            self.services.recorder.asked(name, goal, limit, answer)
        return answer

    @property
    def _place(self) -> Node:
        """Where a question comes from: a statement, where no obligation in it is known."""
        at = self.services.log.at
        return self.obligation.node if self.obligation.error != INTERNAL or at is None else at

    def proves(self, st: State, goal: Term) -> bool:
        """Unknown: not proved."""
        return goal is tb.TRUE or self.ask(st, goal).proved

    def may_prove(self, st: State, goal: Term, limit: int = CHECK) -> bool:
        """A bounded question that decides only how to go on."""
        if goal is tb.TRUE:
            return True
        if goal is tb.FALSE:
            return False
        return self.ask(st, goal, limit).proved

    def refutes(self, st: State, fact: Term) -> bool:
        """Whether the path contradicts a fact; unknown: the path stays."""
        return self.may_prove(st, tb.negate(fact))

    def is_dead(self, st: State) -> bool:
        """Whether no execution takes this path: then it has no errors."""
        return self.ask(st, tb.FALSE).proved

    # ------------------------------------------------------------ results

    def check(self, st: State, goal: Term, reason: str, node: Node, *parts: Node | str) -> State:
        """Prove a goal; go on as if it had held."""
        if not self.checking or goal is tb.TRUE:
            return st
        answer = self.ask(st, goal)
        if not answer.proved:
            self.about(goal).report(answer, st, reason, node, *parts)
        return st.assume(goal, provenance=Provenance(self.group, node))

    def granted(self, st: State, goal: Term) -> State:
        """Go on as if a failed goal had held; one that nobody judged is not assumed either."""
        return st.assume(goal) if self.checking or self.claiming else st

    def report(
        self, answer: Answer, st: State, reason: str, node: Node, *parts: Node | str
    ) -> None:
        """A check failed, or could not be decided within its limit."""
        if not self.checking and not self.claiming:
            return
        if answer.exhausted:
            if self.services.recorder is not None:
                self.services.recorder.left_open(Failed(st, node, None, self))
            self.give_up(node, _exceeded(reason))
        else:
            self.fail(st, reason, node, *parts)

    @property
    def reported(self) -> int:
        """How much was reported so far, to tell whether an evaluation went wrong."""
        return len(self.services.log.failures) + len(self.services.log.undecided)

    def found(self, error: str, node: Node) -> bool:
        """Whether this error was reported for a construct."""
        return any(
            finding.error == error and finding.span == node.span
            for finding in self.services.log.findings.values()
        )

    def has_failed(self, reason: str, node: Node) -> bool:
        """Whether this check of the construct at hand failed before, on another path."""
        return self._key(reason, node) in self.services.log.findings

    def _key(self, reason: str, node: Node) -> FindingKey:
        ob = self.obligation
        return ob.error, reason, ob.node.span, node.span, ob.origin

    def fail(self, st: State, reason: str, node: Node, *parts: Node | str) -> None:
        """Record a finding, unless the path is dead."""
        if not (self.checking or self.claiming) or self.is_dead(st):
            return
        log, explainer = self.services.log, self.services.explainer
        log.failures.append(Failure(self.lacking, node))
        key = self._key(reason, node)
        paths = log.paths.setdefault(key, {})
        paths[explainer.conditions_of(st.path)] = None
        known = log.findings.get(key)
        if known is None:
            log.findings[key] = explainer.finding_of(st, reason, node, parts, self)
        else:
            log.findings[key] = replace(known, other_paths=len(paths) - 1)
        if self.services.recorder is not None:
            self.services.recorder.failed(Failed(st, node, log.findings[key], self))

    def give_up(self, node: Node, message: str) -> None:
        """Something here is neither proved nor refuted."""
        if self.services.recorder is not None:
            self.services.recorder.gave_up(node, message)
        self.services.log.undecided.setdefault((node.span, message), Undecided(node.span, message))

    def warn(self, node: Node, message: str) -> None:
        self.services.log.warnings.setdefault((node.span, message), message)


def _exceeded(reason: str) -> str:
    return f"the solver reached its limit while checking {reason}"
