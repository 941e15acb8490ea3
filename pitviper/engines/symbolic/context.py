"""The context of a rule: what is being proved, in which modes and scopes, by which services."""

from __future__ import annotations

from pitviper.base.record import record, replace
from pitviper.engines.shared.judgement import is_judged_in_part, is_judged_on_use
from pitviper.engines.symbolic.heap.chunk import Instance
from pitviper.engines.symbolic.modes import Judged, Modes
from pitviper.engines.symbolic.reporting import Reporting
from pitviper.engines.symbolic.services import Obligation
from pitviper.engines.symbolic.state import State
from pitviper.engines.symbolic.wands.hypothetical import Packaging
from pitviper.program.node import Node
from pitviper.solver.session import FactKind
from pitviper.terms import build as tb
from pitviper.terms.snapshot import is_path
from pitviper.terms.sort import Sort
from pitviper.terms.term import Term


@record
class Context(Reporting):
    """Asks (`questions.py`), reports (`reporting.py`), and knows what it is inside of.

    `binders` are the symbols that stand for variables bound around the current node (and, in a
    function, for its snapshot and arguments): every new symbol is a function of them. `visiting`
    are the predicates whose bodies are being produced on behalf of an expression, `around` the
    instances whose contents are being produced; `folding` says that what is consumed goes into an
    instance. `packages` are those going on, nearest first, one
    for each of the state's heaps around.
    """

    binders: tuple[Term, ...] = ()
    visiting: tuple[str, ...] = ()
    around: tuple[Instance, ...] = ()
    folding: bool = False
    packages: tuple[Packaging, ...] = ()

    # ------------------------------------------------------------ modes

    def in_modes(self, modes: Modes) -> Context:
        """Returns this context in other modes."""
        return self if modes is self.modes else replace(self, modes=modes)

    def proving(self, error: str, node: Node, *parts: Node | str) -> Context:
        """While checking another construct; failures carry its id and place."""
        return replace(self, obligation=Obligation(error, node, parts, self.obligation.origin))

    def assuming_from(self, group: str) -> Context:
        """While facts are assumed that belong to a group, such as "precondition of m"."""
        return replace(self, group=group)

    def trusting(self) -> Context:
        """For assertions that were found well-formed already: only what they claim is checked."""
        return self if self.services.options.judge_again else self.claims_only()

    def claims_only(self) -> Context:
        """For assertions that are not judged here, whether or not they make sense."""
        return self.in_modes(self.modes.judging(Judged.CLAIMS)) if self.modes.checking else self

    def trusting_contract(self, *clauses: Node) -> Context:
        """For the clauses of a contract that was found well-formed: see NOTE(judged-once)."""
        return self if is_judged_on_use(*clauses) else self.trusting()

    def trusting_body(self, body: Node, amount: Term) -> Context:
        """For the body of a predicate where so much of an instance is folded."""
        exact = self.services.options.respect_function_amounts
        if amount is tb.WRITE or not is_judged_in_part(body, self.services.program, exact=exact):
            return self.trusting_contract(body)
        return self

    def unjudged(self) -> Context:
        """For terms of which nothing is claimed, such as triggers."""
        return self.in_modes(self.modes.judging(Judged.NOTHING))

    def for_expression(self) -> Context:
        """For assertions inside an expression: they belong to its being well-defined."""
        return self if self.modes.checking else self.unjudged()

    def for_claim(self) -> Context:
        """For a side condition of an assertion that is claimed on every use."""
        modes = self.modes
        return self.in_modes(modes.judging(Judged.EVERYTHING)) if modes.claiming else self

    def trusting_in_wand(self) -> Context:
        """For parts that are judged only where a wand is used."""
        return self.claims_only() if self.modes.in_wand else self

    def with_snapshots(self) -> Context:
        """While something is consumed whose snapshot is of use."""
        return self.in_modes(self.modes.with_snapshots())

    def without_introspection(self) -> Context:
        """For assertions of which only a part of the state is known."""
        return self.in_modes(self.modes.without_introspection())

    def on_side(self, *, exhaling: bool) -> Context:
        """While an assertion is consumed, or produced: says which side of a pair is meant."""
        if self.modes.exhaling is exhaling:
            return self
        return replace(self, modes=replace(self.modes, exhaling=exhaling))

    # ------------------------------------------------------------ scopes

    def under(self, *binders: Term) -> Context:
        """Inside a quantifier."""
        modes = self.modes if self.modes.quantified else replace(self.modes, quantified=True)
        return replace(self, binders=(*self.binders, *binders), modes=modes)

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
