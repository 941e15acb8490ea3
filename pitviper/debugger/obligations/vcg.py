"""Failed assertions of the verifier by verification conditions, as obligations for the debugger.

That verifier has heaps of another kind, and keeps no record of states: facts about heaps have no
words, and typed-in expressions cannot read locations. Variables, arithmetic, collections and
domains are told as usual.
"""

from __future__ import annotations

from functools import cached_property

from pitviper.base.record import record
from pitviper.checking.typed_input import InputReader
from pitviper.debugger.obligations.obligation import Desk, Goal, Lack
from pitviper.debugger.obligations.readable import ReadableObligation
from pitviper.debugger.obligations.scope import declared_names, program_names
from pitviper.debugger.reading import Reader
from pitviper.debugger.tree import Tree, assumption_tree
from pitviper.encoding.decoding import Meanings
from pitviper.engines.symbolic.context import Context
from pitviper.engines.symbolic.provenance import Origins
from pitviper.engines.symbolic.recorder import Failed
from pitviper.engines.symbolic.state import State
from pitviper.explain.expression import TermExpressions, Vocabulary
from pitviper.explain.final_expression import FinalExpressions
from pitviper.explain.places import NoPlaces
from pitviper.explain.recorder import TraceRecorder
from pitviper.program.assertion import Assertion
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.results.debugging import ErrorView, HeldView, StateDescription
from pitviper.solver.session import Path
from pitviper.terms.term import Term


@record
class Refused:
    """What was known, what was to be proved, and what the solver had been told before.

    `context` evaluates typed-in expressions.
    """

    path: Path
    goal: Term
    axioms: list[Term]
    context: Context


class VcgObligation(ReadableObligation):
    """Implements `Obligation`."""

    def __init__(
        self, error: ErrorView, refused: Refused, source: Program, check: InputReader
    ) -> None:
        self.error = error
        self.axioms = refused.axioms
        self._refused = refused
        self._source = source
        self._check = check

    @cached_property
    def _reader(self) -> Reader:
        refused = self._refused
        st = State({}, path=refused.path)
        failed = Failed(st, refused.context.obligation.node, None, refused.context)
        reader = Reader(failed, st, {}, self._source, self._check)
        reader.axioms = refused.axioms
        services = refused.context.services
        known = program_names(self._source, self._check)
        taken = frozenset([*services.program.functions, *services.program.predicates])
        vocabulary = Vocabulary(Meanings(services.symbols), known, taken)
        reader.words = TermExpressions(vocabulary, NoPlaces(services.program))
        reader.learn(refused.goal, *[entry.fact for entry in refused.path])
        reader.names = self._names(reader.versions)
        return reader

    def _names(self, versions: dict[str, Term]) -> dict[str, Term]:
        """Variables that have one version only need not say it."""
        by_name: dict[str, list[Term]] = {}
        for version, term in versions.items():
            by_name.setdefault(version.partition("@")[0], []).append(term)
        member = self._refused.context.obligation.node
        assert isinstance(member, Function | Predicate | Method)
        declared = declared_names(member)
        return {n: terms[0] for n, terms in by_name.items() if len(terms) == 1 and n in declared}

    @cached_property
    def _tree(self) -> Tree:
        return assumption_tree(self._refused.path, TraceRecorder(), (), self.words)

    @cached_property
    def goal(self) -> Goal:
        span = self.error.offending or self.error.span
        text = " ".join(span.text.split())
        return Goal(text, self.text(self._refused.goal), self._refused.goal, original=True)

    def state(self) -> StateDescription:
        store = tuple([(name, self.text(term)) for name, term in self._reader.names.items()])
        return StateDescription(store, (), self.error.branch)

    def old_heaps(self) -> tuple[tuple[str, tuple[HeldView, ...]], ...]:
        return ()

    def vocabulary(self) -> tuple[str, ...]:
        return (*self._reader.names, *self._reader.versions)

    @property
    def _fallback(self) -> FinalExpressions:
        return FinalExpressions(Origins())

    def failure_of(self, formula: Assertion, desk: Desk) -> str | None:
        return "permissions cannot be looked at with this backend"

    def lack(self) -> Lack | None:
        return None
