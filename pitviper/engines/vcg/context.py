"""The context of a rule: what is being proved, how, and the services that act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from pitviper.base.record import field, record, replace
from pitviper.encoding.symbols import Symbols
from pitviper.engines.shared.failures import failure_text
from pitviper.engines.shared.judgement import is_judged_in_part, is_judged_on_use
from pitviper.engines.vcg.heap.entry import Kind
from pitviper.engines.vcg.ivl.emitter import Emitter
from pitviper.engines.vcg.ivl.language import Assert, Assume, Lazy, Obligation
from pitviper.engines.vcg.ivl.language import Kind as Weight
from pitviper.engines.vcg.options import Options
from pitviper.engines.vcg.quantified.inverse import Families
from pitviper.engines.vcg.state import SOME, State
from pitviper.program.callgraph import CallGraph
from pitviper.program.member import Program
from pitviper.program.node import Node
from pitviper.solver.session import CHECK
from pitviper.source.span import Span
from pitviper.terms import build as tb
from pitviper.terms.sort import Sort
from pitviper.terms.supply import Supply
from pitviper.terms.term import Term

Hints: TypeAlias = Callable[[], Sequence[Term]]
"""Made only where a goal was not proved without them."""


def _none() -> tuple[Term, ...]:
    return ()


@record
class Construct:
    """The construct whose check is going on: gives a finding its error id and its place."""

    error: str
    node: Node
    parts: tuple[Node | str, ...] = ()
    origin: tuple[str, ...] = ()


@record
class Services:
    """What acts: one per member's run. `quantified` and `triggered` are kinds that occur under a
    quantifier or in a trigger; `warnings` are told after the run, `numbers` and
    `memo` belong to their users."""

    program: Program
    symbols: Symbols
    calls: CallGraph
    options: Options
    member: str
    supply: Supply
    emitter: Emitter
    quantified: frozenset[Kind] = frozenset()
    triggered: frozenset[Kind] = frozenset()
    warnings: dict[tuple[Span, str], None] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    memo: dict[object, object] = field(default_factory=dict)
    families: Families = field(default_factory=dict)


@record
class Context:
    """Modes of evaluation; frozen, so a mode ends where its scope ends.

    `scale` multiplies amounts inside a predicate body; with `scaled_freely` it is a wildcard that
    may still be chosen as small as need be. With `reading`, amounts count only as positive or zero,
    and nothing is given up. Without `checking`, expressions are taken to be well-defined; without
    `claiming`, what is claimed about the state is not proved either (triggers). `in_function`: no
    amount has an upper bound. `function` is the function being defined: it and its cycle are
    applied in their limited form. `visiting` are the predicates whose bodies are being inhaled on
    behalf of an expression. With `exhaling`, pairs `[A, B]` mean B. `in_contract`: applications of
    the function being defined tell nothing about their own postconditions. `packaging` is the
    package that is going on. Without `introspective`, nothing is known about what `perm` and
    `forperm` look at. `lenient`: see `unless_lenient`. `alone`: values of
    what is not held are nobody's concern, because the heap is new. `later` are terms of the parts
    of a claim that stand behind the one which is being proved.
    """

    services: Services
    construct: Construct
    scale: Term = tb.WRITE
    scaled_freely: bool = False
    reading: bool = False
    checking: bool = True
    claiming: bool = True
    in_function: bool = False
    function: str | None = None
    visiting: tuple[str, ...] = ()
    exhaling: bool = False
    packaging: object = None
    introspective: bool = True
    lenient: bool = False
    alone: bool = False
    in_contract: bool = False
    later: Hints = _none

    # ------------------------------------------------------------ modes

    def proving(self, error: str, node: Node, *parts: Node | str) -> Context:
        """While checking another construct; failures carry its id and place."""
        return replace(self, construct=Construct(error, node, parts, self.construct.origin))

    @property
    def reads_a_state(self) -> bool:
        """Whether amounts do not count, but stand in a heap in which they do."""
        return self.reading and not self.in_function

    def trusting(self) -> Context:
        """For assertions that were found well-formed already: only what they claim is checked."""
        return self if self.services.options.judge_again else self.claims_only()

    def claims_only(self) -> Context:
        """For assertions that are not judged here, whether or not they make sense."""
        return replace(self, checking=False)

    def trusting_contract(self, *clauses: Node) -> Context:
        """For the clauses of a contract that was found well-formed: see NOTE(judged-once)."""
        return self if is_judged_on_use(*clauses) else self.trusting()

    def trusting_body(self, body: Node, amount: Term) -> Context:
        """For the body of a predicate where so much of an instance is folded."""
        exact = self.services.options.respect_function_amounts
        if amount is tb.WRITE or not is_judged_in_part(body, self.services.program, exact=exact):
            return self.trusting_contract(body)
        return self

    def unless_lenient(self) -> Context:
        """For parts of wands whose values may come from elsewhere when the wand is used."""
        return self.claims_only() if self.lenient else self

    def for_expression(self) -> Context:
        """For assertions inside an expression: they belong to its being well-defined."""
        return replace(self, claiming=self.checking, packaging=None)

    def before(self, later: Hints) -> Context:
        """For a part of a claim: what stands behind it may wake up triggers for it, too."""
        outer = self.later
        return replace(self, later=later if outer is _none else lambda: (*later(), *outer()))

    def on_side(self, *, exhaling: bool) -> Context:
        """While an assertion is exhaled, or inhaled: says which side of a pair is meant."""
        return self if self.exhaling is exhaling else replace(self, exhaling=exhaling)

    # ------------------------------------------------------------ symbols

    def fresh(self, hint: str, sort: Sort) -> Term:
        """A new symbol of which nothing is known."""
        return self.services.supply.constant(hint, sort)

    def some_amount(self, st: State, hint: str) -> tuple[State, Term]:
        """A new positive amount; that it is positive holds whatever the conditions around."""
        amount = self.fresh(f"{SOME}{hint}", tb.WRITE.sort)
        positive = tb.greater(amount, tb.NONE)
        self.services.emitter.emit(Assume(positive))
        return st.knowing(positive), amount

    # ------------------------------------------------------------ facts

    def assume(self, st: State, fact: Term, origin: str = "") -> State:
        """A fact from here on; the state knows it as well."""
        if fact is tb.TRUE:
            return st
        self.services.emitter.emit(Assume(fact, st.guard, origin))
        return st.knowing(fact)

    def learn(self, st: State, fact: Term, origin: str = "") -> None:
        """A fact from here on, for callers that cannot return a state."""
        if fact is not tb.TRUE:
            self.services.emitter.emit(Assume(fact, st.guard, origin))

    def lazily(self, st: State, build: Callable[[], Sequence[Term]], origin: str = "") -> None:
        """Facts that are true here, made only if something cannot be proved without them."""
        self.services.emitter.emit(Lazy(build, st.guard, origin))

    @contextmanager
    def aside(self, st: State) -> Iterator[State]:
        """What is emitted here never reaches what follows; the state has no guard inside."""
        with self.services.emitter.side(st.guard):
            yield replace(st, guard=tb.TRUE)

    # ------------------------------------------------------------ checks

    def check(self, st: State, goal: Term, reason: str, node: Node, *parts: Node | str) -> None:
        """A condition of well-definedness; from here on it is taken to hold."""
        if self.checking:
            self.oblige(st, goal, reason, node, *parts)

    def claim(self, st: State, goal: Term, reason: str, node: Node, *parts: Node | str) -> None:
        """What an assertion claims about the state; from here on it is taken to hold."""
        if self.claiming and goal is not tb.TRUE and goal not in st.known:
            obligation = self.obligation(reason, node, *parts)
            hints = None if self.later is _none else self.later
            self.services.emitter.emit(Assert(goal, obligation, st.guard, hints=hints))

    def oblige(self, st: State, goal: Term, reason: str, node: Node, *parts: Node | str) -> None:
        if goal is not tb.TRUE and goal not in st.known:
            obligation = self.obligation(reason, node, *parts)
            self.services.emitter.emit(Assert(goal, obligation, st.guard))

    def obligation(self, reason: str, node: Node, *parts: Node | str) -> Obligation:
        construct = self.construct

        def message() -> str:
            error = construct.error, construct.parts
            return failure_text(error, (reason, parts), construct.node.span)

        hoped = construct.origin[:1] == ("refute",)
        return Obligation(
            construct.error,
            reason,
            construct.node.span,
            message,
            node.span,
            construct.origin,
            Weight.HOPED if hoped else Weight.FINDING,
        )

    def proves(self, st: State, goal: Term, limit: int = CHECK) -> bool:
        """A bounded question that decides only how to go on."""
        if goal is tb.TRUE or goal in st.known:
            return True
        if goal is tb.FALSE:
            return False
        return self.services.emitter.proves(tb.implies(st.guard, goal), limit)

    def unsupported(self, st: State, node: Node, what: str, why: str = "") -> None:
        """A combination that this verifier does not know: a finding wherever flow gets here."""
        if self.checking or self.claiming:
            said = why or "The other verifier may know it: --backend symbolic."
            self.oblige(st, tb.FALSE, "feature.unsupported", node, what, said)

    def unsupported_value(self, st: State, node: Node, sort: Sort, what: str) -> Term:
        self.unsupported(st, node, what)
        return self.fresh("unsupported", sort)

    def warn(self, node: Node, message: str) -> None:
        self.services.warnings[node.span, message] = None
