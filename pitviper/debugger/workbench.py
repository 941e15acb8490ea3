"""Trying things on one obligation: assumptions come and go, goals are asked for.

A `Setup` is what the user has made of the obligation so far; setups are values, so undo and redo
are lists of them. The path that the solver is asked about is made from the setup, and shares its
beginning with the one before: only what is new is told to the solver.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from pitviper.base.record import record, replace, struct
from pitviper.debugger.obligations.obligation import Assumption, Desk, Fact, Goal, Obligation, Read
from pitviper.debugger.tools import Interruptible
from pitviper.debugger.tree import term_words
from pitviper.results.debugging import DebugNode, Outcome, Problem, ProofView
from pitviper.solver.session import Answer, Path, Solver
from pitviper.terms.term import FALSE, Term


@record
class Setup:
    """Assumptions that were removed and added, and the goal."""

    goal: Goal
    removed: frozenset[int] = frozenset()
    added: tuple[Assumption, ...] = ()


@struct
class SolverInUse:
    """A session that knows the axioms; `name` and `limit` are shown to the user."""

    name: str
    session: Solver
    limit: int


class Workbench:
    """One obligation with what the user tries on it."""

    def __init__(self, obligation: Obligation, start: Callable[[], SolverInUse]) -> None:
        self.obligation = obligation
        self._start = start
        self._solver: SolverInUse | None = None
        self.setup = Setup(obligation.goal)
        self._past: list[Setup] = []
        self._future: list[Setup] = []
        self._built: list[tuple[Fact, Path]] = []
        self._next = 1 + max([n.id for n in self.nodes()], default=-1)

    @property
    def solver(self) -> SolverInUse:
        """Started by the first question: whoever only looks needs none."""
        if self._solver is None:
            self._solver = self._start()
        return self._solver

    @solver.setter
    def solver(self, solver: SolverInUse) -> None:
        self._solver = solver

    def interrupt(self) -> None:
        """Ends the question under way; the next one starts another session."""
        solver, self._solver = self._solver, None
        if solver is not None and isinstance(solver.session, Interruptible):
            solver.session.interrupt()

    # ------------------------------------------------------------ looking

    def nodes(self) -> Iterator[Assumption]:
        """Gives all assumptions, parents first, whether removed or not."""
        todo = [*self.obligation.assumptions, *self.setup.added][::-1]
        while todo:
            node = todo.pop()
            yield node
            todo += node.children[::-1]

    def tree(self) -> tuple[DebugNode, ...]:
        roots = (*self.obligation.assumptions, *self.setup.added)
        return tuple([self._view(root, self.setup.removed) for root in roots])

    def views(self) -> Iterator[DebugNode]:
        """Gives the nodes of the tree, parents first."""
        todo = [*self.tree()][::-1]
        while todo:
            node = todo.pop()
            yield node
            todo += node.children[::-1]

    def _view(self, node: Assumption, removed: frozenset[int]) -> DebugNode:
        gone = node.id in removed
        return DebugNode(
            node.id,
            node.description,
            node.original,
            node.final,
            node.span,
            tuple([self._view(child, removed) for child in node.children]),
            internal=node.internal,
            removed=gone,
            added=node.added,
        )

    def active(self) -> list[Fact]:
        """Returns what the solver is told now, in order."""
        removed = self.setup.removed
        facts = [fact for fact in self.obligation.facts if fact.id not in removed]
        for root in self.setup.added:
            facts += [fact for fact in leaves(root) if fact.id not in removed]
        return facts

    def path(self, facts: list[Fact] | None = None) -> Path:
        """Returns the active facts as a path, sharing all that stayed since the last time."""
        wanted = self.active() if facts is None else facts
        same = 0
        while same < min(len(wanted), len(self._built)) and self._built[same][0] == wanted[same]:
            same += 1
        del self._built[same:]
        path = self._built[-1][1] if self._built else Path()
        for fact in wanted[same:]:
            path = path.assume(fact.term)
            self._built.append((fact, path))
        return path

    def goal_path(self, facts: list[Fact] | None = None) -> Path:
        """Returns what a proof of the goal starts from: the facts, and what was learnt when the
        goal was typed in."""
        return self.path(facts).assume_all(self.setup.goal.learnt)

    def desk(self) -> Desk:
        return Desk(self.solver.session, self.path(), self.solver.limit)

    # ------------------------------------------------------------ asking

    def ask(self, goal: Term, path: Path | None = None) -> Answer:
        used = self.path() if path is None else path
        return self.solver.session.entails(used, goal, self.solver.limit, "debugger")

    def prove(self, other: Goal | None = None) -> ProofView:
        """Tries the current goal, or another one, from the current assumptions."""
        goal = other or self.setup.goal
        began = time.perf_counter()
        if goal.term is not None:
            outcome, why = outcome_of(self.ask(goal.term, self.path().assume_all(goal.learnt)))
        else:
            outcome, why = self._prove_formula(goal)
        lasted = time.perf_counter() - began
        return ProofView(goal.final or goal.text, outcome, self.solver.name, lasted, why)

    def _prove_formula(self, goal: Goal) -> tuple[Outcome, str | None]:
        if goal.formula is None:
            return Outcome.FAILED, goal.text
        why = self.obligation.failure_of(goal.formula, self.desk())
        return (Outcome.PROVED, None) if why is None else (Outcome.FAILED, why)

    def is_inconsistent(self, *more: Term) -> bool:
        """Whether everything follows from what is known, with further facts."""
        return self.ask(FALSE, self.path().assume_all(more)).proved

    # ------------------------------------------------------------ changing

    def change(self, setup: Setup) -> None:
        self._past.append(self.setup)
        self._future.clear()
        self.setup = setup

    def set_goal(self, goal: Goal) -> None:
        self.change(replace(self.setup, goal=goal))

    def add(self, read: Read, description: str) -> Assumption:
        """Adds an assumption at the end of the tree; facts that came with it are its children."""
        assert read.term is not None
        own = self._next
        text = self.obligation.text
        learnt = tuple(
            [
                Assumption(
                    own + at, None, None, _said(text(f), f), f, None, internal=True, added=True
                )
                for at, f in enumerate(read.learnt, 1)
            ]
        )
        self._next += 1 + len(learnt)
        final = read.final or read.text
        node = Assumption(own, description, read.text, final, read.term, None, learnt, added=True)
        self.change(replace(self.setup, added=(*self.setup.added, node)))
        return node

    def remove(self, ids: frozenset[int]) -> None:
        self.change(replace(self.setup, removed=self.setup.removed | self.below(ids)))

    def restore(self, ids: frozenset[int]) -> None:
        self.change(replace(self.setup, removed=self.setup.removed - self.below(ids)))

    def reset(self) -> None:
        self.change(Setup(self.obligation.goal))

    def undo(self) -> bool:
        if not self._past:
            return False
        self._future.append(self.setup)
        self.setup = self._past.pop()
        return True

    def redo(self) -> bool:
        if not self._future:
            return False
        self._past.append(self.setup)
        self.setup = self._future.pop()
        return True

    def below(self, ids: frozenset[int]) -> frozenset[int]:
        """Returns the assumptions with all their children."""
        found: set[int] = set()
        for node in self.nodes():
            if node.id in ids or node.id in found:
                found.add(node.id)
                found.update([child.id for child in node.children])
        return frozenset(found)

    def find(self, id_: int) -> Assumption | None:
        return next((node for node in self.nodes() if node.id == id_), None)

    def read(self, text: str) -> Read | Problem:
        return self.obligation.read(text, self.desk())


def leaves(root: Assumption) -> list[Fact]:
    """Returns the facts of an added assumption: those it rests on come first."""
    found = [fact for child in root.children for fact in leaves(child)]
    return found if root.term is None else [*found, Fact(root.id, root.term)]


def outcome_of(answer: Answer) -> tuple[Outcome, str | None]:
    if answer.proved:
        return Outcome.PROVED, None
    if answer.exhausted:
        return Outcome.UNDECIDED, f"the solver gave up: {answer.unknown or 'limit reached'}"
    return Outcome.FAILED, None


def _said(text: str, fact: Term) -> str:
    """The text of a fact; a few words for one that only the engine has a name for."""
    return term_words(fact) if "%" in text else text
