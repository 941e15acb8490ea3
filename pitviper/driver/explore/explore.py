"""The whole way of an exploration: a typed program in, what its methods do out."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import replace
from pitviper.base.similar import nearest, there_are
from pitviper.base.usage_error import UsageError
from pitviper.driver.explore.glance import AFTER, Glance
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import FrontEnd, load
from pitviper.driver.verify.completion import runnable
from pitviper.driver.work.process import can_fork
from pitviper.driver.work.stop import Stop, Stopped
from pitviper.engines.explore.analysis.instantiation import endless_symbols
from pitviper.engines.explore.notes import INVARIANT
from pitviper.engines.explore.options import Calls, Loops
from pitviper.engines.explore.report.attempts import Attempt, Repeatable, attempt_of, trace_of
from pitviper.engines.explore.report.inputs import Recorder
from pitviper.engines.explore.report.summary import Summary
from pitviper.engines.explore.runtime.ending import Site, Status
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.search.compile import Code, compile_model
from pitviper.engines.explore.search.engine import SHORT, START, Node, Search, Solvers
from pitviper.engines.explore.search.extensions import Trust, Trusted
from pitviper.engines.explore.search.minimise import minimised
from pitviper.engines.explore.viper.axioms import all_axioms, axioms_of, speak_of_references
from pitviper.engines.explore.viper.calls import entry_name
from pitviper.engines.explore.viper.program import model_of
from pitviper.plugins.verified_under import rests_on, used_members
from pitviper.program import expr as pe
from pitviper.program import stmt as ps
from pitviper.program.classes import class_note, classes_at_start
from pitviper.program.member import Function, Method, Program, is_brought_along
from pitviper.program.print.objects import arrays_of
from pitviper.results.exploration import (
    INTERRUPTED,
    Claim,
    Exploration,
    ExploredRun,
    MethodExploration,
)
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms.term import FALSE, Term

CONTRADICTION = "the axioms contradict each other"
ABOUT_REFERENCES = "an axiom says something about all references"

Pulse = Callable[[], None]
"""May end a search by an exception of its own."""

Hints = Callable[[], Sequence[Assignment]]
"""Inputs that somebody thinks fail, as soon as they are known; each is given once."""

Tell = Callable[[str, ExploredRun], None]
"""Hears of a method and a failing run of it, as soon as that is found and its inputs are small."""

Seconds = Callable[[str], float | None]
"""How long the search of a method may take; None where nobody has said."""


def _unheard() -> None:
    return


def _no_hints() -> tuple[Assignment, ...]:
    return ()


def unheard_of(method: str, run: ExploredRun) -> None:
    return


class Explorer:
    """The methods of one program, ready to be explored; used from one thread, then closed."""

    def __init__(self, program: Program, file: str, options: ExploreOptions) -> None:
        self.program = program
        self.options = options
        self.methods, self.skipped = chosen_methods(program, options.methods)
        self._file = file
        model, translation = run_deep(lambda: model_of(program, self.methods, options.model))
        self._axioms = axioms_of(translation)
        self._endless = endless_symbols(self._axioms.facts)
        self.code: Code = run_deep(lambda: compile_model(model))
        self.trusted = Trusted(model, options.trusted)
        self._glance = Glance(model, self._axioms.facts, options.search)
        self._sessions: list[Z3Session] = []
        self._products: Z3Session | None = None
        self._contradictory: bool | None = None
        self._doubts: tuple[str, ...] | None = None

    def search(self, method: str) -> Search:
        """A search that has not begun, in a solver session that nothing was said to before."""
        self.close()
        finder, judge = Z3Session(), Z3Session(Z3Options(models=True))
        self._sessions = [finder, judge]
        return self._search(method, finder, judge)

    def _search(self, method: str, finder: Z3Session, judge: Z3Session) -> Search:
        for session in (finder, judge):
            session.declare(self._axioms.facts)
        solvers = Solvers(finder, judge, bool(self._axioms.facts), self._of_products)
        options = self.options.search
        return Search(self.code, entry_name(method), solvers, options, (self.trusted,))

    def _of_products(self) -> Z3Session:
        """A session with the other arithmetic, which is opened where the usual one is not sure."""
        if self._products is None:
            self._products = Z3Session(Z3Options(arith_solver=6))
            self._products.declare(self._axioms.facts)
            self._sessions.append(self._products)
        return self._products

    def recorder(self, method: str) -> Recorder:
        made = Recorder(
            self.code.model, method, self._file, self.options.model, self._axioms.assumed
        )
        made.doubts = (CONTRADICTION,) if self._contradicts() else ()
        made.of_failures = self._doubts_of_failures
        made.endless = self._endless
        made.arrays = arrays_of(self.program, method)
        return made

    def _doubts_of_failures(self) -> tuple[str, ...]:
        """Why no failure of the program is certain: axioms that no run has to do with."""
        if self._doubts is None:
            doubts = [ABOUT_REFERENCES] if speak_of_references(self.program) else []
            if _has_contradiction(all_axioms(self.program, self.options.model)):
                doubts.append(CONTRADICTION)
            self._doubts = tuple(doubts)
        return self._doubts

    def _contradicts(self) -> bool:
        """Whether no model of the axioms exists, so that there is no input at all."""
        if self._contradictory is None:
            self._contradictory = _has_contradiction(self._axioms.facts)
        return self._contradictory

    def explore(
        self,
        method: str,
        pulse: Pulse | None = None,
        tell: Tell | None = None,
        hints: Hints | None = None,
        seconds: float | None = None,
    ) -> MethodExploration:
        """All that the search finds within its limits; `pulse` is called after every attempt.

        `seconds` is what this search has of the time of its method, all of it if that is not said.
        """
        time_for = self.options.search.seconds if seconds is None else seconds
        heard = (pulse or _unheard, tell or unheard_of, hints or _no_hints)
        return run_deep(lambda: self._explore(method, time_for, *heard))

    def _explore(
        self, method: str, seconds: float | None, pulse: Pulse, tell: Tell, hints: Hints
    ) -> MethodExploration:
        start = time.perf_counter()
        search, recorder = self.search(method), self.recorder(method)
        search.seconds = seconds
        summary = Summary(self.code.model, method)
        early = EarlyFailures(self, method, pulse)
        search.pulse = pulse
        try:
            for node in self._nodes(search, hints, method):
                attempt = attempt_of(node, recorder)
                summary.add(attempt, trace_of(node.run))
                failure = early.next(attempt)
                if failure is not None:
                    tell(method, failure)
                pulse()
            summary.left_open(len(search.frontier), search.limit)
            summary.show(early.all(summary.first_failures()))
        except Stopped as stopped:
            summary.show(early.shown)
            summary.cut_short(len(search.frontier), str(stopped) or INTERRUPTED)
        except MemoryError:  # a limit, not a bug: what was found before is kept
            summary.show(early.shown)
            summary.cut_short(len(search.frontier), self.options.out_of_memory)
        return summary.result(time.perf_counter() - start)

    def _nodes(self, search: Search, hints: Hints, method: str) -> Iterator[Node]:
        """All attempts of a search, and in between the hints and glances that really fail."""
        known: dict[str, None] = {}
        for number, node in enumerate(chain((None,), search.nodes())):
            if node is not None and node.path not in known:
                if node.status is Status.FAILED:
                    known[node.path] = None
                yield node
            glanced = self.glanced(search, method) if number == AFTER else ()
            for hinted in chain(glanced, self._hinted(search, hints)):
                if hinted.path not in known:
                    known[hinted.path] = None
                    yield hinted

    def glanced(self, search: Search, method: str) -> Iterator[Node]:
        """Failing runs that a look along all ways at once has led to."""
        for values in self._glance.inputs(entry_name(method), search.pulse):
            node = search.again(values, 0)
            if node.status is Status.FAILED:
                yield node

    def _hinted(self, search: Search, hints: Hints) -> Iterator[Node]:
        """Runs hints; those that do not fail leave no trace, so that nothing is proved by them."""
        begun = time.monotonic()
        for hint in hints():
            node = search.again(hint, 0)
            if node.status is Status.FAILED:
                yield node
        search.grant(time.monotonic() - begun)

    def smaller(
        self, method: str, failure: Repeatable, until: float | None, pulse: Pulse = _unheard
    ) -> ExploredRun | None:
        """The same failure with smaller inputs.

        The solver is a new one, so that the inputs do not depend on what was asked before.
        """
        finder, judge = Z3Session(), Z3Session(Z3Options(models=True))
        with finder, judge:
            search, recorder = self._search(method, finder, judge), self.recorder(method)
            search.pulse = pulse
            node = search.again(failure.values, failure.given)
            run = recorder.record(minimised(search, node, until))
        return run if run.finding is not None else None

    def close(self) -> None:
        self._products = None
        while self._sessions:
            self._sessions.pop().close()


def _has_contradiction(facts: tuple[Term, ...]) -> bool:
    if not facts:
        return False
    with Z3Session(Z3Options(models=True)) as judge:
        judge.declare(facts)
        return judge.entails(START, FALSE, SHORT).proved


class EarlyFailures:
    """Makes the inputs of failures small when they are found, the first certain one at each place.

    `shown` has them by path. At most a quarter of the time of a method is for this.
    """

    def __init__(self, explorer: Explorer, method: str, pulse: Pulse = _unheard) -> None:
        self._explorer, self._method, self._pulse = explorer, method, pulse
        seconds = explorer.options.search.seconds
        self._left = None if seconds is None else seconds / 4
        self._places: dict[Site | None, None] = {}
        self.shown: dict[str, ExploredRun] = {}

    def next(self, attempt: Attempt) -> ExploredRun | None:
        """The failure with small inputs, if there was none at its place."""
        run = attempt.run
        if run.finding is None or run.doubts or attempt.site in self._places:
            return None
        self._places[attempt.site] = None
        return self._smaller(attempt.repeatable()) or run

    def all(self, failures: Sequence[Repeatable]) -> dict[str, ExploredRun]:
        """These with small inputs, by path; those that were told are as they were then."""
        for failure in failures:
            if failure.path not in self.shown:
                self._smaller(failure)
                self._pulse()
        return self.shown

    def _smaller(self, failure: Repeatable) -> ExploredRun | None:
        begun = time.monotonic()
        until = None if self._left is None else begun + self._left
        run = self._explorer.smaller(self._method, failure, until, self._pulse)
        if self._left is not None:
            self._left = max(0.0, self._left - (time.monotonic() - begun))
        if run is not None:
            self.shown[failure.path] = run
        return run


class FullExplorer:
    """Explores methods as chosen and, where that leaves a question, unrolled or by contracts."""

    def __init__(self, program: Program, file: str, options: ExploreOptions) -> None:
        self._program = program
        self._file = file
        self._options = options
        self._trusts: dict[str, Trust] = {}
        self.chosen = Explorer(program, file, options)
        self._contracts: Explorer | None = None
        self._unrolled: Explorer | None = None

    def explore(
        self,
        method: str,
        pulse: Pulse | None = None,
        tell: Tell | None = None,
        hints: Hints | None = None,
    ) -> MethodExploration:
        """What both searches say; `tell` hears of failures that the program really has."""
        options, program = self._options, self._program
        share = first_share(method, program, options)
        first = self.chosen.explore(method, pulse, tell, hints, share)
        if asks_unrolled(first, options):
            if self._unrolled is None:
                self._unrolled = self._other(unrolled(options))
            left = time_left(first, options)
            first = settled(first, self._unrolled.explore(method, pulse, tell, seconds=left))
        if not asks_contracts(first, program, options):
            return first
        if self._contracts is None:
            self._contracts = self._other(by_contracts(options))
        left = time_left(first, options)
        return combined(first, self._contracts.explore(method, pulse, seconds=left), program)

    def _other(self, options: ExploreOptions) -> Explorer:
        made = Explorer(self._program, self._file, options)
        for trust in self._trusts.values():
            made.trusted.add(trust)
        return made

    def trust(self, trust: Trust) -> None:
        """Somebody has proved checks of a member: they are not attacked from now on."""
        self._trusts[trust.member] = trust
        for explorer in self._all():
            explorer.trusted.add(trust)

    def close(self) -> None:
        for explorer in self._all():
            explorer.close()

    def _all(self) -> list[Explorer]:
        further = (self._contracts, self._unrolled)
        return [self.chosen, *[explorer for explorer in further if explorer is not None]]


def chosen_methods(
    program: Program, names: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The methods to explore, and those that cannot be, with a reason."""
    for name in names:
        if name in program.predicates:
            raise UsageError(f"{name} is a predicate: only methods and functions are explored")
        if name in program.functions and name not in program.methods:
            raise UsageError(f"function {name} has no body")
        if name not in program.methods:
            close = nearest(name, [*program.methods, *program.functions])
            own = [m.name for m in program.methods.values() if not is_brought_along(m)]
            hint = f": did you mean {close}?" if close else there_are(own)
            raise UsageError(f"there is no method or function {name}{hint}")
    wanted = [m for m in program.methods.values() if not names or m.name in names]
    skipped = [(m.name, "it has no body") for m in wanted if m.body is None]
    return tuple([m.name for m in wanted if m.body is not None]), tuple(skipped)


def with_functions(front: FrontEnd, names: tuple[str, ...] = ()) -> FrontEnd:
    """Returns the program with a method for each function that is named, under its name.

    It applies the function once, to any arguments: checked are its body and its promises, where
    its precondition holds. Without names, functions that promise something are taken. Those
    without body have nothing to run.
    """
    program = front.program
    assert program is not None
    wanted = [
        f
        for f in program.functions.values()
        if f.body is not None and (f.name in names if names else f.postconditions)
    ]
    methods = {**program.methods, **{f.name: _method(f) for f in wanted}}
    return replace(front, program=replace(program, methods=methods))


def _method(function: Function) -> Method:
    span = function.span
    args = function.params
    applied = pe.FunctionApp(function.name, args, function.result, reveal=True, span=span)
    value = pe.Var("result", function.result, span=span)
    computed = pe.Let(value, applied, pe.BoolLit(value=True, span=span), span=span)
    body = ps.Block((ps.Assert(computed, span=span),), span=span)
    method = Method(function.name, args, (), function.preconditions, (), (), body, span=span)
    return replace(method, annotations=class_note(classes_at_start(function)))


def explore_program(
    front: FrontEnd, options: ExploreOptions, stop: Stop | None = None
) -> Iterator[MethodExploration]:
    """Each method as soon as it is done; none after `stop`."""
    assert front.program is not None
    stop = stop or Stop()
    if options.workers and can_fork():
        yield from _in_workers(front, options, stop)
        return
    explorer = FullExplorer(front.program, str(front.source.path), options)
    try:
        for method in explorer.chosen.methods:
            if not stop.asked():
                stop.begins(method, len(explorer.chosen.methods))
                yield explorer.explore(method, stop, stop.told)
    finally:
        explorer.close()


def _in_workers(
    front: FrontEnd, options: ExploreOptions, stop: Stop
) -> Iterator[MethodExploration]:
    """Methods that need a second search come last: the workers then know other models."""
    from pitviper.driver.explore.host import explore_in_workers

    assert front.program is not None
    asked: dict[str, MethodExploration] = {}
    doubtful: dict[str, MethodExploration] = {}
    program = front.program

    def at_first(method: str) -> float | None:
        return first_share(method, program, options)

    for done in explore_in_workers(front, options, stop, stop.told, at_first):
        if not stop.asked() and asks_unrolled(done, options):
            doubtful[done.method] = done
        elif not stop.asked() and asks_contracts(done, front.program, options):
            asked[done.method] = done
        else:
            yield done
    if doubtful:
        again = replace(unrolled(options), methods=tuple(doubtful))
        left = _what_is_left(doubtful, options)
        for second in explore_in_workers(front, again, stop, stop.told, left):
            done = settled(doubtful.pop(second.method), second)
            if not stop.asked() and asks_contracts(done, front.program, options):
                asked[done.method] = done
            else:
                yield done
        yield from doubtful.values()
    if asked:
        again = replace(by_contracts(options), methods=tuple(asked))
        left = _what_is_left(asked, options)
        for second in explore_in_workers(front, again, stop, share=left):
            yield combined(asked.pop(second.method), second, front.program)
    yield from asked.values()


def _what_is_left(known: Mapping[str, MethodExploration], options: ExploreOptions) -> Seconds:
    return lambda method: time_left(known[method], options)


def explore_file(
    path: Path, options: ExploreOptions, stop: Stop | None = None, kept: Kept | None = None
) -> tuple[FrontEnd, Exploration | None]:
    """What exploration says about a file; None where the front end rejected the program.

    Methods that were not begun before `stop` are skipped; those that `kept` knows are not explored.
    """
    return explore_loaded(load(path, options.check, options.library), options, stop, kept)


class Kept:
    """What was found out about methods that are still the same, where they were before.

    A method is the same if its text, and that of all members it uses, stands where it stood, and
    no field or type has changed.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[Hashable, MethodExploration]] = {}

    def among(self, program: Program, methods: Sequence[str]) -> Iterator[MethodExploration]:
        """What is known of methods that have not changed."""
        for method in methods:
            if method in self._known and self._known[method][0] == _identity(program, method):
                yield self._known[method][1]

    def keep(self, program: Program, done: MethodExploration, why: str) -> None:
        """A search that somebody ended is not kept."""
        if why not in done.open:
            self._known[done.method] = (_identity(program, done.method), done)


def _identity(program: Program, method: str) -> Hashable:
    members = (program.methods, program.functions, program.predicates)
    names = used_members(program, method)
    spans = [table[name].span for name in names for table in members if name in table]
    places = [(s.file.path, s.start_position, s.file.text[s.start : s.end]) for s in spans]
    return rests_on(program, method), tuple(places)


def explore_loaded(
    front: FrontEnd,
    options: ExploreOptions,
    stop: Stop | None = None,
    kept: Kept | None = None,
) -> tuple[FrontEnd, Exploration | None]:
    """The same for a program that was read."""
    start = time.perf_counter()
    front = runnable(front)
    if front.program is None:
        return front, None
    front = with_functions(front, options.methods)
    assert front.program is not None
    functions = front.program.functions
    stop = stop or Stop()
    done: dict[str, MethodExploration] = {}
    chosen, skipped = chosen_methods(front.program, options.methods)
    for known in () if kept is None else kept.among(front.program, chosen):
        done[known.method] = known
        stop.explored(known)
    new = tuple([name for name in chosen if name not in done])
    for one in explore_program(front, replace(options, methods=new), stop) if new else ():
        done[one.method] = replace(one, is_function=one.method in functions)
        if kept is not None:
            kept.keep(front.program, done[one.method], stop.why)
        stop.explored(done[one.method])
    methods = tuple([done[name] for name in chosen if name in done])
    skipped += tuple([(name, stop.why) for name in chosen if name not in done])
    seconds = time.perf_counter() - start
    return front, Exploration(str(front.source.path), methods, skipped, seconds)


FIRST_SHARE = 0.75
"""Of the time of a method, where a second search by contracts may follow the first one."""


def first_share(method: str, program: Program, options: ExploreOptions) -> float | None:
    """Returns the seconds of the first search of a method."""
    seconds = options.search.seconds
    if seconds is None or options.model.calls is not Calls.INLINE:
        return seconds
    others = [name for name in used_members(program, method) if name != method]
    is_calling = any(name in program.methods for name in others)
    return FIRST_SHARE * seconds if is_calling else seconds


def time_left(done: MethodExploration, options: ExploreOptions) -> float | None:
    """Returns the seconds of a method that earlier searches have left to the next one."""
    seconds = options.search.seconds
    return None if seconds is None else max(0.0, seconds - done.seconds)


def asks_contracts(done: MethodExploration, program: Program, options: ExploreOptions) -> bool:
    """Whether a second search may say more: bodies of methods were run, and none of its own checks
    failed.
    """
    is_inline = options.model.calls is Calls.INLINE
    return is_inline and done.claim in (Claim.HOLDS, Claim.OPEN) and bool(_callees(done, program))


def asks_unrolled(done: MethodExploration, options: ExploreOptions) -> bool:
    """Whether loops as they are may say more: a failure is doubtful for an invariant."""
    is_replaced = options.model.loops is not Loops.UNROLL
    doubtful = any(INVARIANT in run.doubts for run in done.failures)
    return is_replaced and doubtful and not done.certain_failures


def unrolled(options: ExploreOptions) -> ExploreOptions:
    return replace(options, model=replace(options.model, loops=Loops.UNROLL))


def settled(first: MethodExploration, second: MethodExploration) -> MethodExploration:
    """What loops as they are say, if that is an answer; else the doubtful failures stay."""
    seconds = first.seconds + second.seconds
    if second.claim is Claim.OPEN:
        return replace(first, seconds=seconds)
    return replace(second, seconds=seconds)


def by_contracts(options: ExploreOptions) -> ExploreOptions:
    return replace(options, model=replace(options.model, calls=Calls.CONTRACT))


def combined(
    first: MethodExploration, second: MethodExploration, program: Program
) -> MethodExploration:
    """What a search with bodies and one with contracts say together."""
    seconds = first.seconds + second.seconds
    passes = second.is_complete and not second.failures
    if passes and first.claim is Claim.HOLDS:
        return replace(first, inlined=second.inlined, seconds=seconds)
    if passes:
        return replace(second, called=first.certain_failures, seconds=seconds)
    names = ", ".join(_callees(first, program))
    doubt = f"it fails for what the contract of {names} allows, not for what the body does"
    if first.certain_failures:
        doubt = f"it fails for what the contract of {names} allows; the body fails before"
    beyond: dict[tuple[str, int], ExploredRun] = {}
    for run in second.own_failures:
        assert run.finding is not None
        key = (run.finding.id, run.finding.span.start)
        beyond.setdefault(key, replace(run, doubts=(doubt,)))
    return replace(first, beyond=tuple(beyond.values()), seconds=seconds)


def _callees(done: MethodExploration, program: Program) -> list[str]:
    methods = [name for name in done.inlined if name in program.methods]
    return [name for name in methods if name not in program.functions]
