"""What a session holds of Z3 while it is open: a context, one solver in it, the path it is on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Event, Lock
from typing import Final, TypeAlias

from pitviper.solver.dormant import Dormant
from pitviper.solver.limits import SPLIT
from pitviper.solver.model import Model
from pitviper.solver.recording import Scopes
from pitviper.solver.session import PROVED, Answer, Path, Statistics
from pitviper.solver.z3.library import OutOfMemory, Z3Context, is_memory_used_up
from pitviper.solver.z3.model import ModelReader
from pitviper.solver.z3.options import Way, Z3Options, solver_settings
from pitviper.solver.z3.solver import DEEP, UNKNOWN, UNSAT, Z3Solver
from pitviper.solver.z3.spare import take_context
from pitviper.solver.z3.symbols import Z3Symbols
from pitviper.solver.z3.terms import Z3Terms
from pitviper.terms import operators as op
from pitviper.terms.build import negate
from pitviper.terms.substitute import subterms
from pitviper.terms.symbol import Function, FunctionKind
from pitviper.terms.term import FALSE, App, Literal, Term

LONG: Final = 2_000_000
"""What a search may cost before it is begun anew: see NOTE(anew)."""
DEEP_QUESTION: Final = 1_500_000
DEEP_SESSION: Final = 3_000_000
"""What questions of NOTE(deep) may cost, one and all."""
OTHER_QUESTION: Final = 300_000
OTHER_SESSION: Final = 1_000_000
"""What questions of NOTE(otherwise) may cost, one, and all that did not help."""
ARITHMETIC_QUESTION: Final = 1_000_000
LINEAR_QUESTION: Final = 200_000
ARITHMETIC_SESSION: Final = 40_000_000
"""What questions of NOTE(arithmetic) may cost: one, one without products, and all that did not
help."""
PORTIONS: Final = 4
CHANCE: Final = 10_000_000
CHANCE_SESSION: Final = 200_000_000
"""The part of its limit that a search has before others are tried, see NOTE(chance); the limit from
which on they are; and what they may cost, all that did not help."""
SOON: Final = 200_000
"""What a search may cost before the other arithmetic is tried where it has helped before."""

Reply: TypeAlias = tuple[Answer, Model | None]

DISPROVED: Final = Answer(proved=False)
_TOO_NESTED: Final = Answer(
    proved=False, unknown="terms are nested too deeply for quantifiers to follow", exhausted=True
)
INTERRUPTED: Final = Answer(proved=False, unknown="interrupted", exhausted=True)


class Z3Engine:
    """Asks; whoever holds it decides whether asking makes sense.

    NOTE(anew). Most searches are short, but how long a hard one takes is a matter of luck: of what
    the solver has learnt and instantiated for earlier questions, and in which order. A search that
    has become long is begun anew, in a solver that knows nothing but the axioms and the path.

    NOTE(deep). An instance of a quantifier may give rise to others; chains of more than 20 are cut,
    which ends most searches that would have no end, but also a sum over a list of 20 cells. Where a
    goal is not proved, chains were cut, and it matters, it is asked once more without such a bound
    but with a small limit, in a solver that instantiates at once and so need not search again and
    again. All such questions of a session have a limit together. That solver cuts chains, too, at a
    length that a term may exceed by itself: a literal of 2,000 pairs. Such a question is undecided
    where it is not proved.

    NOTE(otherwise). A search also ends where the solver happens not to split on what would have
    woken up a trigger: whether `i` is `n` for `i < n + 1`, and then `a[n]` is `a[i]`. So a goal
    that is not proved though the search came to its end is asked once more, with a small limit, in
    a solver that chooses its splits by activity instead of by relevance. It has a context of its
    own: so the searches that follow are those that would have followed anyway. Questions that only
    decide how to go on are not worth a context: a method with 27 of them spent half its time there.

    NOTE(arithmetic). Z3 has two solvers for arithmetic. The older one is quicker on most questions,
    but products and `%` by a variable let it search without end where the newer one needs a
    moment. A search that has become long is therefore made once more with the other one, in a
    context of its own as well, before it is begun anew. Where nobody multiplies or divides by a
    variable it still proves some questions, as any other search might, but soon or never. A
    question that comes again at once, with a greater limit, is not put to it once more: there it
    would search in the same way. Where it has helped once, the questions that follow are of the
    same kind: it is tried after a short search of the usual kind, and nothing is left out where
    neither of the two succeeds.

    NOTE(chance). What a search of many millions of steps does not find, one that begins otherwise
    often finds in a tenth of them: with the other arithmetic, or with splits by activity. Both are
    tried when a quarter of the limit is spent, before a member is called undecided.
    """

    def __init__(self, options: Z3Options, statistics: Statistics, stopped: Event) -> None:
        self._options = options
        self._stopped = stopped
        self._asked = Path()
        self._gate = Lock()
        self._missed = False
        self._deep_left = DEEP_SESSION
        self._other_left = OTHER_SESSION
        self._arithmetic_left = ARITHMETIC_SESSION
        self._arithmetic_failed: tuple[Path, Term, int] | None = None
        self._arithmetic_helped = False
        self._chance_left = CHANCE_SESSION
        self._elsewhere = 0
        self._checking: Z3Context | None = None
        self._statistics = statistics
        self.z3: Final = Z3Context({"type_check": "true"}) if options.type_check else take_context()
        self._symbols = Z3Symbols(self.z3)
        self._terms = self._translation(self.z3, self._symbols)
        self._start()

    def declare(self, axioms: Sequence[Term]) -> None:
        """Axioms that cannot fire are not told to the solver yet: NOTE(dormant).

        A model must satisfy them all, so none sleeps where models are wanted.
        """
        self._scopes.leave()
        self._wake()
        for axiom in axioms:
            if self._options.models or not self._dormant.puts_to_sleep(axiom):
                self._assert_axiom(axiom)
                self._wake()

    def ask(self, path: Path, goal: Term, limit: int, *, read: bool) -> Reply:
        """Whether the path with the negated goal is unsatisfiable; `false` needs no scope."""
        self._asked = path
        fresh = self._scopes.ahead(path)
        if any(entry.fact is goal for entry in fresh):  # the solver need not hear of it yet
            self._statistics.without_solver += 1
            return PROVED, None
        self._announce(fresh, goal)
        self._scopes.move_to(path)
        if self._scopes.holds(goal):
            self._statistics.without_solver += 1
            return PROVED, None
        if self._arithmetic_helped and limit > LONG and not read:
            soon = self._soon(path, goal, limit)
            if soon.proved or self._stopped.is_set():
                return soon, None
        reply = self._search(goal, min(limit, LONG), read=read)
        if limit <= LONG or self._stopped.is_set():
            return reply
        if self._missed and not read and self._proves_deeply(path, goal):
            return PROVED, None
        if self._missed and _nesting((*[entry.fact for entry in path], goal)) > int(DEEP):
            return _TOO_NESTED, None
        matters = limit != SPLIT and goal is not FALSE and not read
        if reply[0].exhausted and not self._stopped.is_set():
            if not read and self._proves_with_other_arithmetic(path, goal, limit):
                return PROVED, None
            self._begin_anew()
            self._scopes.move_to(path)
            if matters and limit >= CHANCE:
                reply = self._search(goal, limit // PORTIONS, read=read)
                if reply[0].exhausted and self._proves_by_chance(path, goal, limit // PORTIONS):
                    return PROVED, None
            if reply[0].exhausted and not self._stopped.is_set():
                reply = self._search(goal, limit, read=read)
        if matters and _ended(reply[0]) and not self._stopped.is_set():
            return (PROVED, None) if self._proves_otherwise(path, goal) else reply
        return reply

    def _soon(self, path: Path, goal: Term, limit: int) -> Answer:
        """NOTE(arithmetic), where the other one has helped before."""
        answer, _ = self._search(goal, SOON, read=False)
        if answer.proved or not answer.exhausted or self._stopped.is_set():
            return answer
        return PROVED if self._proves_with_other_arithmetic(path, goal, limit) else answer

    def _search(self, goal: Term, limit: int, *, read: bool) -> Reply:
        if goal is FALSE:
            return self._check(limit, read=read)
        self._solver.push()
        try:
            self._solver.add(negate(goal))
            return self._check(limit, read=read)
        finally:
            # no call but a check bears an interrupt, and none at all a lack of memory
            if not self._stopped.is_set() and not self.z3.starved:
                self._solver.pop(1)
                self._terms.trim()

    @property
    def nodes(self) -> int:
        return self._terms.nodes

    def resources(self) -> int:
        """What was spent so far, in contexts of its own as well."""
        return self._solver.resources() + self._elsewhere

    def restart(self) -> None:
        """Without axioms and paths, in the same context."""
        self._terms.clear()
        self._solver.close()
        self._start()

    def interrupt(self) -> None:
        """Ends the check under way, from any thread; the event of the session ends later ones.

        Only checks are interrupted: other calls of the library do not bear it.
        """
        with self._gate:
            if self._checking is not None:
                self._checking.lib.interrupt(self._checking.pointer)

    def close(self) -> None:
        """Everything is given back first: deleting a context that still holds terms is slow.

        An interrupted context is left as it is, since parts of it may be half made.
        """
        if self._stopped.is_set():
            self.z3.pointer = None
        if self.z3.pointer is not None:
            self._terms.clear()
            self._solver.close()
            self._symbols.close()
            self.z3.close()

    def _start(self) -> None:
        self._axioms: list[Term] = []
        self._new_solver()
        self._dormant = Dormant()
        self._dormant.wake(self._symbols.known())

    def _new_solver(self) -> None:
        self._solver = self._made()
        self._scopes = Scopes(self._solver)

    def _made(self, *, deep: bool = False) -> Z3Solver:
        return Z3Solver(self.z3, self._terms, self._statistics, self._settings(), deep=deep)

    def _translation(self, context: Z3Context, symbols: Z3Symbols) -> Z3Terms:
        return Z3Terms(context, symbols, names_wanted=self._options.counts_instances)

    def _settings(self, way: Way = Way.USUAL) -> dict[str, str]:
        return solver_settings(self._options, way)

    def _begin_anew(self) -> None:
        """A new solver with the axioms that are awake."""
        self._solver.close()
        self._new_solver()
        for axiom in self._axioms:
            self._solver.add(axiom)

    def _assert_axiom(self, axiom: Term) -> None:
        self._axioms.append(axiom)
        self._terms.know_axiom(axiom)
        self._solver.add(axiom)

    def _announce(self, fresh: list[Path], goal: Term) -> None:
        """Wake the axioms that what comes next may need, outside of all paths."""
        if not self._dormant:
            return
        handle = self._terms.handle
        for entry in fresh:
            handle(entry.fact)
        handle(goal)
        self._wake()

    def _wake(self) -> None:
        """Axioms with symbols that are in use by now, and what they bring into use."""
        new = self._symbols.take_new()
        while new and (woken := self._dormant.wake(new)):
            self._scopes.leave()
            for axiom in woken:
                self._assert_axiom(axiom)
            new = self._symbols.take_new()

    def _check(self, limit: int, *, read: bool) -> Reply:
        answer = self._answer_within(self._solver, limit)
        self._missed = not answer.proved and limit >= LONG and self._solver.missed()
        if read and not answer.proved and not answer.exhausted:
            return answer, self._read_model()
        return answer, None

    def _proves_deeply(self, path: Path, goal: Term) -> bool:
        """NOTE(deep)."""
        limit = min(DEEP_QUESTION, self._deep_left)
        if limit <= 0:
            return False
        proved, cost = self._proves_apart(self._made(deep=True), path, goal, limit)
        self._deep_left -= cost
        return proved

    def _proves_otherwise(self, path: Path, goal: Term) -> bool:
        """NOTE(otherwise)."""
        limit = min(OTHER_QUESTION, self._other_left)
        proved, cost = self._proves_elsewhere(Way.OTHER_SPLITS, path, goal, limit)
        self._other_left -= 0 if proved else cost
        return proved

    def _proves_with_other_arithmetic(self, path: Path, goal: Term, limit: int) -> bool:
        """NOTE(arithmetic)."""
        known = (*self._axioms, *[entry.fact for entry in path], goal)
        most = ARITHMETIC_QUESTION if _multiplies(known) else LINEAR_QUESTION
        limit = min(limit, most, self._arithmetic_left)
        failed = self._arithmetic_failed
        if failed is not None and failed[0] is path and failed[1] is goal and failed[2] >= limit:
            return False
        proved, cost = self._proves_elsewhere(Way.OTHER_ARITHMETIC, path, goal, limit)
        if proved:
            self._arithmetic_helped = True
        else:
            self._arithmetic_left -= cost
            self._arithmetic_failed = (path, goal, limit)
        return proved

    def _proves_by_chance(self, path: Path, goal: Term, limit: int) -> bool:
        """NOTE(chance)."""
        for way, most in ((Way.OTHER_ARITHMETIC, limit // PORTIONS), (Way.OTHER_SPLITS, limit)):
            if self._stopped.is_set():
                return False
            proved, cost = self._proves_elsewhere(way, path, goal, min(most, self._chance_left))
            if proved:
                return True
            self._chance_left -= cost
        return False

    def _proves_elsewhere(self, way: Way, path: Path, goal: Term, limit: int) -> tuple[bool, int]:
        """In a context of its own, which is then thrown away; and what that did cost."""
        if limit <= 0:
            return False, 0
        context = take_context()
        symbols = Z3Symbols(context)
        terms = self._translation(context, symbols)
        solver = Z3Solver(context, terms, self._statistics, self._settings(way))
        proved, cost = self._proves_apart(solver, path, goal, limit)
        self._elsewhere += cost
        if not self._stopped.is_set():
            terms.clear()
            symbols.close()
            context.close()
        return proved, cost

    def _proves_apart(
        self, solver: Z3Solver, path: Path, goal: Term, limit: int
    ) -> tuple[bool, int]:
        """In a solver of its own, which is then thrown away; and what that did cost."""
        before = solver.resources()
        for fact in (*self._axioms, *[entry.fact for entry in path], negate(goal)):
            solver.add(fact)
        answer = self._answer_within(solver, limit)
        if self._stopped.is_set():
            return answer.proved, 0
        cost = solver.resources() - before
        solver.close()
        return answer.proved, cost

    def _answer_within(self, solver: Z3Solver, limit: int) -> Answer:
        with self._gate:
            if self._stopped.is_set():
                return INTERRUPTED
            self._checking = solver.context
        try:
            return self._answer(solver, solver.check(limit))
        finally:
            with self._gate:
                self._checking = None

    def _answer(self, solver: Z3Solver, result: int) -> Answer:
        """Only "incomplete" means that the search came to an end; other reasons cut it short."""
        if result == UNSAT:
            return PROVED
        if result != UNKNOWN:
            return DISPROVED
        reason = solver.reason()
        if "incomplete" not in reason and is_memory_used_up():
            raise OutOfMemory
        return Answer(proved=False, unknown=reason, exhausted="incomplete" not in reason)

    def _read_model(self) -> Model | None:
        handle = self._solver.take_model()
        if handle is None:
            return None
        try:
            reader = ModelReader(self.z3, self._symbols, handle)
            model = reader.read()
            if self._options.models:
                model = reader.with_values(model, self._terms, _applications(self._asked))
            return model
        finally:
            self.z3.lib.model_dec_ref(self.z3.pointer, handle)


def _ended(answer: Answer) -> bool:
    """Whether a search came to its end without a proof, and only triggers could have helped it."""
    return not answer.proved and not answer.exhausted and answer.unknown is not None


def _applications(path: Path) -> list[App]:
    """Applications of declared functions on a path, without those that depend on variables."""
    found: dict[Term, None] = {}
    todo: list[Term] = [entry.fact for entry in path]
    while todo:
        term = todo.pop()
        if term not in found:
            found[term] = None
            todo.extend(term.args)
    apps = [t for t in found if isinstance(t, App) and t.args and not t.free]
    return [
        app
        for app in apps
        if isinstance(app.symbol, Function) and app.symbol.kind is FunctionKind.DECLARED
    ]


def _multiplies(terms: Iterable[Term]) -> bool:
    """Whether there is a product of two unknown numbers, or a division by one."""
    return any(
        isinstance(term, App)
        and (
            (term.symbol is op.TIMES and sum(_is_unknown(arg) for arg in term.args) > 1)
            or (term.symbol in _DIVISIONS and _is_unknown(term.args[1]))
        )
        for term in subterms(*terms)
    )


_DIVISIONS: Final = (op.DIVIDE, op.DIV, op.MOD)


def _is_unknown(term: Term) -> bool:
    return not isinstance(term, Literal)


def _nesting(terms: Iterable[Term]) -> int:
    """Returns the depth of the deepest term, without recursion since it may be large."""
    depths: dict[Term, int] = {}
    todo = list(terms)
    while todo:
        term = todo[-1]
        below = [arg for arg in term.args if arg not in depths]
        if term in depths or not below:
            todo.pop()
            depths[term] = 1 + max((depths[arg] for arg in term.args), default=0)
        else:
            todo.extend(below)
    return max(depths.values(), default=0)
