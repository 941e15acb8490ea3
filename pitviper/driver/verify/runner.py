"""Verifies the members of a program where it is best: from the cache, here, or by workers.

NOTE(small programs). Members are first verified in this process. Workers take over when that has
lasted a while and the rest will take so long that two of them gain more than they cost: the rest
takes as long as what is done has taken, a character for a character. Making two costs 60 to 100 ms
of processor time, nearly all of it pages that two processes no longer share (a context of Z3 writes
17 MB), so that programs of 100 to 200 ms took twice as long with them. Where much text is to be
verified, they are worth it, and they are made at once.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pitviper.base.deep_stack import Late, run_deep
from pitviper.base.memory import paused_collector
from pitviper.base.record import record, replace
from pitviper.base.time_box import left_of
from pitviper.driver.cache.folder import CacheFolder
from pitviper.driver.cache.key import MemberCache, ProgramKeys
from pitviper.driver.verify.options import RunOptions, VerifyOptions
from pitviper.driver.verify.plan import Plan
from pitviper.driver.verify.verification import Groups, Settled, Verification, Watch
from pitviper.plugins.pipeline import Encoded, apply_plugins
from pitviper.program.member import Program
from pitviper.results.verdict import MemberAnswer, Undecided

if TYPE_CHECKING:  # nothing of an engine is loaded where all answers are known
    from pitviper.driver.verify.member_verifier import Job, MemberVerifier
    from pitviper.driver.verify.sessions import Sessions, SolverLog
    from pitviper.driver.work.protocol import Arrival, Clock, Workers

INLINE = 0.05
"""Seconds of processor time that members take in this process before workers are made."""

WORTH_WORKERS = 0.15
"""Seconds that the rest of a program takes, by our reckoning, from which on workers are made."""

LARGE = 16_000
"""Characters of members without an answer from which on workers are made at once."""

GRACE = 0.4
"""Seconds that a worker has after the end of the time before it is killed."""


@record
class Prepared:
    """A program after all plugins; without a plan if one of them refused it, keys for a cache."""

    program: Program
    encoded: Encoded
    options: VerifyOptions
    plan: Plan | None = None
    keys: ProgramKeys | None = None

    @property
    def shared(self) -> str | None:
        """The digest of the declarations that all members see, where there are keys."""
        return None if self.keys is None else self.keys.shared


class Runner:
    """Verifies programs one after the other; their time runs from the making of this object."""

    def __init__(
        self, options: VerifyOptions, how: RunOptions, log: SolverLog | None = None
    ) -> None:
        self._options = options
        self._how = how
        self._log = log
        self._time = _Time(options.timeout)
        self._troubles: list[str] = []
        self._cache = None if how.cache is None or log is not None else CacheFolder(how.cache)

    def note(self, title: str) -> None:
        """A title in the solver's log for what comes next."""
        if self._log is not None:
            self._log.note(title)

    def prepare(self, program: Program, options: VerifyOptions | None = None) -> Prepared:
        """What is needed before members can be verified; `options` may differ in the engine."""
        return run_deep(lambda: self._prepare(program, options or self._options))

    def _prepare(self, program: Program, options: VerifyOptions) -> Prepared:
        encoded = apply_plugins(program, options.plugins)
        if any(domain.interpretations is not None for domain in program.domains.values()):
            from pitviper.driver.verify.solver_texts import wrong_texts

            wrong = wrong_texts(program)
            encoded = replace(encoded, diagnostics=(*encoded.diagnostics, *wrong))
        if options.check.strict and any(domain.axioms for domain in program.domains.values()):
            from pitviper.driver.verify.axioms import about_axioms

            told = about_axioms(program)
            encoded = replace(encoded, diagnostics=(*encoded.diagnostics, *told))
        if encoded.diagnostics:
            return Prepared(program, encoded, options)
        plan = Plan(encoded.program)
        cached = self._cache is not None
        keys = ProgramKeys(encoded.program, plan, options) if cached else None
        return Prepared(program, encoded, options, plan, keys)

    def verify(self, prepared: Prepared, watch: Watch, settled: Settled = ()) -> Verification:
        """All members; those that are not finished when the time is over are undecided.

        What is `settled` about further members is told with the rest, in source order.
        """
        plan, keys, encoded = prepared.plan, prepared.keys, prepared.encoded
        if plan is None:
            return Verification((), encoded.diagnostics)
        groups = Groups(prepared.program, encoded, settled)
        state = _State(plan, groups, watch)
        state.tell()
        if self._cache is not None and keys is not None:
            known = MemberCache(self._cache, keys)
            run_deep(lambda: state.remember(known))
        if not plan.is_over:
            self._verify(encoded.program, prepared.options, state)
        return Verification(groups.outcomes(), shared=prepared.shared)

    @property
    def problems(self) -> tuple[str, ...]:
        """What did not work, and did no harm but to the speed."""
        found = None if self._cache is None else self._cache.problem
        return (*dict.fromkeys(self._troubles), *(() if found is None else (found,)))

    def close(self) -> None:
        if self._cache is not None:
            self._cache.close()

    def _verify(self, program: Program, options: VerifyOptions, state: _State) -> None:
        from pitviper.solver.z3.spare import prepare_contexts

        prepare_contexts(several=False)  # while the engine is loaded
        with paused_collector():
            from pitviper.driver.verify.member_verifier import Job

        job = Job(program, options.engine, options.limit)
        if self._how.cluster is not None and self._log is None:
            self._on_cluster(self._how.cluster, job, state)
        verifier = None
        if not state.plan.is_over and not self._uses_workers_at_once:
            verifier = self._inline(job, state)
        if not state.plan.is_over:
            self._elsewhere(job, state, verifier)

    @property
    def _has_workers(self) -> bool:
        return self._how.jobs is not None and self._log is None and hasattr(os, "fork")

    @property
    def _uses_workers_at_once(self) -> bool:
        """Only another process can be stopped for sure, and has memory of its own."""
        limited = self._options.timeout is not None or self._how.memory is not None
        return self._has_workers and limited

    def _on_cluster(self, address: str, job: Job, state: _State) -> None:
        """What the cluster does not verify is left open."""
        from pitviper.driver.work.executor import cluster_workers
        from pitviper.driver.work.protocol import WorkersGone

        try:
            with cluster_workers(address, job) as workers:
                _Dispatch(workers, state, self._time).run()
        except WorkersGone as gone:
            self._troubles.append(f"the cluster {address} is of no use: {gone}; going on here")
            state.plan.take_back()

    def _inline(self, job: Job, state: _State) -> MemberVerifier | None:
        """Here, as long as that is quick; None where time is over, and with it everything."""
        from pitviper.driver.verify.member_verifier import MemberVerifier
        from pitviper.driver.verify.sessions import Sessions

        left, profiler = self._time.left(), self._how.profiler
        with Sessions(
            job.limit, self._time.whole, self._log, left=left, profiler=profiler
        ) as sessions:
            try:
                return run_deep(
                    lambda: self._go_inline(MemberVerifier(job, sessions), sessions, state),
                    stop=lambda: sessions.stop("interrupted"),
                    until=sessions.given_up,
                )
            except Late:  # the solver does not heed the interrupt: nobody waits for it
                sessions.abandon()
                state.close(self._time.over_text)
                return None

    def _go_inline(
        self, verifier: MemberVerifier, sessions: Sessions, state: _State
    ) -> MemberVerifier:
        from pitviper.solver.z3.spare import prepare_contexts

        whole = state.plan.size
        patience = INLINE if whole < LARGE else 0.0
        began = time.thread_time()
        members = state.plan.open
        for at, name in enumerate(members):
            spent = time.thread_time() - began
            late = spent >= patience and are_worth_workers(state.plan.size, whole, spent)
            if late and len(members) - at > 1 and self._has_workers:
                break
            state.start(name)
            known = state.plan.hand_out(name)
            for function, earned in known:
                verifier.learn(function, earned)
            prepare_contexts(several=at + 1 < len(members))
            answer = verifier.verify(name)
            state.settle(name, answer, verifier.earned(name) if self._cache is not None else None)
        sessions.close()
        return verifier

    def _elsewhere(self, job: Job, state: _State, verifier: MemberVerifier | None) -> None:
        from pitviper.driver.work.local import LocalLimits, LocalWorkers

        limits = LocalLimits(self._how.jobs or 1, self._how.memory)
        with ExitStack() as stack:
            workers = LocalWorkers(job, limits, verifier)
            stack.callback(workers.close)
            _Dispatch(workers, state, self._time).run()


def are_worth_workers(left: int, whole: int, spent: float) -> bool:
    """Whether so many characters of the whole take long, given the time that the others took."""
    return spent * left >= WORTH_WORKERS * (whole - left)


class _Time:
    """The time for all programs of a run."""

    def __init__(self, whole: float | None) -> None:
        self.whole = whole
        self._end = None if whole is None else time.monotonic() + left_of(whole)

    def left(self) -> float | None:
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    @property
    def is_over(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end

    @property
    def over_text(self) -> str:
        return f"the time for the run is over ({self.whole or 0:g} s)"

    def clock(self) -> Clock | None:
        from pitviper.driver.work.protocol import Clock

        left = self.left()
        return None if left is None or self.whole is None else Clock(self.whole, left)


class _State:
    """What is known about one program while it is verified."""

    def __init__(self, plan: Plan, groups: Groups, watch: Watch) -> None:
        self.plan = plan
        self._groups = groups
        self._watch = watch
        self._cache: MemberCache | None = None
        self._lock = threading.Lock()
        self._closed = False

    def remember(self, cache: MemberCache) -> None:
        """Take the answers that are known already, and keep those to come."""
        for member in self.plan.open:
            found = cache.find(member)
            if found is not None:
                self.settle(member, *found)
        self._cache = cache

    def tell(self) -> None:
        """What is known at the start."""
        for outcome in self._groups.ready():
            self._watch.finished(outcome)

    def start(self, member: str) -> None:
        groups = self._groups
        groups.begin(member, self._watch)

    def settle(self, member: str, answer: MemberAnswer, earned: str | None) -> None:
        """There is an answer about a member, unless it is too late for one."""
        with self._lock:
            if not self._closed:
                self._settle(member, answer, earned)

    def close(self, why: str) -> None:
        """Nobody waits for those that are open; what is said about them from now on is not heard.

        A thread may still be at work, and say something.
        """
        with self._lock:
            self._closed = True
            for member in self.plan.open:
                self._settle(member, self._unknown(member, why), None)

    def _unknown(self, member: str, why: str) -> MemberAnswer:
        return MemberAnswer(undecided=(Undecided(self.plan.members[member].span, why),))

    def _settle(self, member: str, answer: MemberAnswer, earned: str | None) -> None:
        self.plan.done(member, answer, earned)
        if self._cache is not None and self.plan.is_final(member):
            self._cache.save(member, answer, earned)
        for outcome in self._groups.add(member, answer):
            self._watch.finished(outcome)

    def give_up(self, member: str, why: str) -> None:
        self.settle(member, self._unknown(member, why), None)


class _Dispatch:
    """Hands units to workers until there is an answer about every member."""

    def __init__(self, workers: Workers, state: _State, time: _Time) -> None:
        self._workers = workers
        self._state = state
        self._time = time

    def run(self) -> None:
        plan = self._state.plan
        while not plan.is_over and not self._time.is_over:
            self._hand_out()
            self._check_that_somebody_works()
            for arrival in self._workers.collect(self._time.left()):
                self._take(arrival)
        if not plan.is_over:
            self._end()

    def _hand_out(self) -> None:
        from pitviper.driver.work.protocol import Unit

        plan = self._state.plan
        while self._workers.free > 0 and (name := plan.next_ready()) is not None:
            self._state.start(name)
            self._workers.submit(Unit(name, plan.hand_out(name), self._time.clock()))

    def _check_that_somebody_works(self) -> None:
        """A wait that can have no end is an error: members may wait for each other."""
        from pitviper.driver.work.process import NothingRuns

        plan = self._state.plan
        if not plan.running:
            raise NothingRuns(f"none of these members can start: {', '.join(plan.open)}")

    def _take(self, arrival: Arrival) -> None:
        from pitviper.driver.work.protocol import Lost

        reply = arrival.reply
        if isinstance(reply, Lost):
            self._state.give_up(arrival.member, reply.reason)
        else:
            self._state.settle(arrival.member, reply.answer, reply.earned)

    def _end(self) -> None:
        """The time is over: workers say so by themselves, or are stopped."""
        until = time.monotonic() + GRACE
        running = self._state.plan.running
        while running and time.monotonic() < until:
            for arrival in self._workers.collect(until - time.monotonic()):
                self._take(arrival)
            running = self._state.plan.running
        self._workers.abandon()
        for name in self._state.plan.open:
            self._state.give_up(name, self._time.over_text)
