"""Proves a procedure by a walk: one question for each assertion, in the order of the blocks.

NOTE(tiers). The lazy facts join when a question is not answered without them, and stay. They are
true facts, so an answer never depends on when they come.

NOTE(answers). A goal is a finding if the solver ended with a counterexample or with a candidate
that only its incomplete quantifiers keep from being one; it is undecided if a limit ended the
search. It counts as proved only if the solver said so.

NOTE(hints). A goal whose search came to an end may lack a term that would wake up a trigger. Where
the assertion names such terms, it is asked once more with them; they are made only then, and later
goals do not see them.
"""

from __future__ import annotations

from pitviper.engines.shared.reach import is_by_assumption
from pitviper.engines.vcg.ivl.language import Assert, Block, Command, Kind, Procedure, Side
from pitviper.engines.vcg.ivl.outcome import (
    Log,
    Outcome,
    Position,
    ProverOptions,
    Strategy,
    decisions,
    is_forced,
    named_edges,
)
from pitviper.engines.vcg.ivl.walk import Walk, walk_from
from pitviper.engines.vcg.ivl.whole import prove_whole
from pitviper.results.finding import Condition
from pitviper.solver.session import CHECK, END, PROVED, Answer, Path, Solver
from pitviper.terms import build as tb
from pitviper.terms.operators import AND, IMPLIES
from pitviper.terms.term import App, Term


def prove(procedure: Procedure, solver: Solver, options: ProverOptions) -> Outcome:
    """The solver must know the axioms.

    There is no second solver with other settings for what this one gives up on: a long search is
    begun anew anyway (`solver/z3/engine.py`), and programs that exceed their limit then exceed it
    with other seeds and another arithmetic as well.
    """
    if options.strategy is Strategy.WHOLE:
        outcome = prove_whole(procedure, solver, options)
        if outcome is not None:
            return outcome
    prover = _Prover(procedure.name, solver, options)
    prover.run(procedure.blocks, walk_from(Path()), ())
    return prover.log.outcome()


class _Prover:
    def __init__(self, name: str, solver: Solver, options: ProverOptions) -> None:
        self._solver = solver
        self._options = options
        self.log = Log(name)

    def run(self, blocks: tuple[Block, ...], walk: Walk, outer: tuple[Position, ...]) -> list[Term]:
        """Returns the goals that were not proved, which the walk takes to hold."""
        failed: list[Term] = []
        for count, block in enumerate(blocks, 1):
            walk.enter(block.label, block.edges)
            where = (*outer, Position(blocks[:count], block.label))
            if self._is_dead(block, walk):
                self._at_dead_end(block, walk)
                walk.assume(tb.FALSE)
                continue
            failed += self._block(block, walk, where)
        return failed

    def _is_dead(self, block: Block, walk: Walk) -> bool:
        """A cheap question that saves many, if there are many."""
        if not walk.way or sum(isinstance(c, Assert | Side) for c in block.commands) < 2:
            return False
        return self._ask(walk.here, tb.FALSE, CHECK).proved

    def _at_dead_end(self, block: Block, walk: Walk) -> None:
        for command in block.commands:
            if isinstance(command, Assert) and command.obligation.kind is Kind.END:
                self._end(command, walk)

    def _block(self, block: Block, walk: Walk, where: tuple[Position, ...]) -> list[Term]:
        failed: list[Term] = []
        for command in block.commands:
            if walk.ended and not _is_warning(command):
                continue
            match command:
                case Assert():
                    failed += self._assertion(command, walk, where)
                case Side():
                    failed += self._side(command, walk, where)
                case _:
                    walk.follow(command)
        return failed

    def _side(self, command: Side, walk: Walk, where: tuple[Position, ...]) -> list[Term]:
        """Returns what is taken to hold behind the side, because it was not proved there."""
        failed = self.run(command.blocks, walk.aside(command.guard), where)
        walk.resume()
        if command.granted is None:
            return []
        granted = [command.granted(goal) for goal in failed]
        for fact in granted:
            walk.assume(fact, command.guard)
        return [tb.implies(command.guard, fact) for fact in granted]

    def _assertion(self, command: Assert, walk: Walk, where: tuple[Position, ...]) -> list[Term]:
        """Returns the goal, unless it is proved or has something else in its place."""
        obligation = command.obligation
        self.log.effort.asserts += 1
        if obligation.kind.warns:
            (self._end if obligation.kind is Kind.END else self._warning)(command, walk)
            return []
        failed = self.log.knows(obligation) or not self._is_proved(command, walk, where)
        if failed:
            walk.assume(command.granted, command.guard)
        walk.follow(command)
        return [_guarded(command)] if failed and command.kept is None else []

    def _is_proved(self, command: Assert, walk: Walk, where: tuple[Position, ...]) -> bool:
        """Whether it is; otherwise the log knows about it."""
        goal, obligation = _guarded(command), command.obligation
        answer = self._decide(goal, walk, str(obligation.span))
        if answer.proved or self._proves_with_hints(command, walk, answer):
            return True
        if answer.exhausted and obligation.kind is not Kind.HOPED:
            self.log.give_up(obligation)
        else:
            self.log.fail(obligation, self._conditions(goal, walk, where))
        return False

    def _warning(self, command: Assert, walk: Walk) -> None:
        """What is proved is worth one, unless nobody gets there anyway."""
        walk.force()
        if not walk.ended and not self._ask(walk.here, _guarded(command), CHECK).proved:
            return
        outer = walk.outer
        if outer is None or not self._ask(outer.here, tb.FALSE, CHECK).proved:
            self.log.warn(command.obligation)

    def _end(self, command: Assert, walk: Walk) -> None:
        """NOTE(end) in `engines/shared/reach.py`. Lazy facts are not needed: less is told then."""
        if self._is_over(walk.here) and is_by_assumption(walk.here, self._is_over):
            self.log.warn(command.obligation)

    def _is_over(self, path: Path) -> bool:
        return self._ask(path, tb.FALSE, END).proved

    # ------------------------------------------------------------ answers

    def _decide(self, goal: Term, walk: Walk, name: str) -> Answer:
        """Without the lazy facts, with them, in parts."""
        answer = Answer(proved=False, unknown="not asked", exhausted=True)
        if not walk.forced:
            answer = self._ask(walk.here, goal, self._options.first, name)
            if answer.proved:
                return answer
            if walk.force():
                self.log.effort.forced = True
            elif not answer.exhausted:
                return answer
        answer = self._ask(walk.here, goal, self._options.last, name)
        return self._in_parts(goal, walk, name) if answer.exhausted else answer

    def _proves_with_hints(self, command: Assert, walk: Walk, answer: Answer) -> bool:
        """NOTE(hints)."""
        hints = () if command.hints is None or answer.exhausted else command.hints()
        if not hints:
            return False
        path = walk.here.assume_all(hints)
        return self._ask(path, _guarded(command), self._options.first).proved

    def _in_parts(self, goal: Term, walk: Walk, name: str) -> Answer:
        """Each conjunct, given those before it; the first that is not proved decides."""
        parts = _conjuncts(goal)
        if len(parts) < 2:
            return Answer(proved=False, unknown="limit", exhausted=True)
        self.log.effort.splits += 1
        path = walk.here
        for part in parts:
            answer = self._ask(path, part, self._options.last, name)
            if not answer.proved:
                return answer
            path = path.assume(part)
        return PROVED

    def _ask(self, path: Path, goal: Term, limit: int, name: str = "") -> Answer:
        if goal is tb.TRUE:
            return PROVED
        self.log.effort.queries += 1
        return self._solver.entails(path, goal, limit, name)

    def _conditions(
        self, goal: Term, walk: Walk, where: tuple[Position, ...]
    ) -> tuple[Condition, ...]:
        if all(is_forced(position) for position in where):
            return decisions(where, None)
        named = named_edges(walk.here, where)
        return decisions(where, self._solver.model(named, goal, self._options.first))


def _is_warning(command: Command) -> bool:
    return isinstance(command, Assert) and command.obligation.kind.warns


def _guarded(command: Assert) -> Term:
    return tb.implies(command.guard, command.goal)


def _conjuncts(goal: Term) -> list[Term]:
    """Parts that together are the goal."""
    if isinstance(goal, App) and goal.symbol is AND:
        return [part for arg in goal.args for part in _conjuncts(arg)]
    if isinstance(goal, App) and goal.symbol is IMPLIES:
        return [tb.implies(goal.args[0], part) for part in _conjuncts(goal.args[1])]
    return [goal]
