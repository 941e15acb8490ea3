"""Verifies an accepted program: plugins, then an engine, then findings in the user's terms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record
from pitviper.driver.verify.options import EngineOptions
from pitviper.driver.verify.plan import Plan
from pitviper.plugins.options import PluginOptions
from pitviper.plugins.pipeline import Encoded, apply_plugins
from pitviper.program.member import Function, Method, Predicate, Program, is_brought_along
from pitviper.results.finding import Finding
from pitviper.results.verdict import Crash, Disagreement, MemberAnswer, MemberOutcome, Verdict
from pitviper.results.wording import kind_text
from pitviper.source.diagnostic import Diagnostic
from pitviper.source.span import Span

if TYPE_CHECKING:
    from pitviper.driver.verify.sessions import Sessions
    from pitviper.program.dependencies import Dependencies


@record
class Verification:
    """What is known about all members of a program, in source order.

    `rejected` are the diagnostics of a plugin that refused the program: nothing was verified then.
    `shared` is a digest of the declarations that all members see, where a cache is in use.
    """

    members: tuple[MemberOutcome, ...]
    rejected: tuple[Diagnostic, ...] = ()
    shared: str | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for member in self.members for finding in member.findings)

    @property
    def verdict(self) -> Verdict:
        if self.rejected:
            return Verdict.REJECTED
        verdicts = [member.verdict for member in self.members]
        for verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
            if verdict in verdicts:
                return verdict
        return Verdict.VERIFIED


class Watch(Protocol):
    """Is told how a verification goes on, in its thread."""

    def started(self, member: str, done: int, total: int) -> None: ...

    def finished(self, outcome: MemberOutcome) -> None: ...


@runtime_checkable
class WatchesCures(Protocol):
    """A watch that is told, too, when advice for a member begins to be tried: that takes time."""

    def curing(self, member: str) -> None: ...


class Unwatched:
    """Looks away."""

    def started(self, member: str, done: int, total: int) -> None:
        return

    def finished(self, outcome: MemberOutcome) -> None:
        return


def verify_program(
    program: Program,
    options: EngineOptions,
    plugins: PluginOptions | None = None,
    sessions: Sessions | None = None,
    watch: Watch | None = None,
) -> Verification:
    """All members, one after the other, in this process, on a deep stack.

    A bug of ours costs the member it shows in, which is then undecided; the others go on. When
    `sessions` are stopped, the members that are not finished are undecided.
    """
    from pitviper.driver.verify.sessions import Sessions

    used = sessions or Sessions()
    return run_deep(
        lambda: _verify(program, options, plugins or PluginOptions(), used, watch or Unwatched()),
        stop=lambda: used.stop("interrupted"),
    )


def _verify(
    program: Program,
    options: EngineOptions,
    plugins: PluginOptions,
    sessions: Sessions,
    watch: Watch,
) -> Verification:
    from pitviper.driver.verify.member_verifier import Job, MemberVerifier

    encoded = apply_plugins(program, plugins)
    if encoded.diagnostics:
        return Verification((), encoded.diagnostics)
    verifier = MemberVerifier(Job(encoded.program, options, sessions.limit), sessions)
    groups = Groups(program, encoded)
    for member in Plan(encoded.program).open:
        groups.begin(member, watch)
        for outcome in groups.add(member, verifier.verify(member)):
            watch.finished(outcome)
    return Verification(groups.outcomes())


Settled = tuple[tuple[Span, MemberOutcome], ...]
"""What is known about members that are no part of a program, and where they stand."""


class Groups:
    """Collects answers; a source member is finished with the last of its answers."""

    def __init__(self, program: Program, encoded: Encoded, settled: Settled = ()) -> None:
        self._encoded = encoded
        self._program = program
        self._declared = {member.name: member for member in _verified_members(encoded.program)}
        self._declared |= {member.name: member for member in _verified_members(program)}
        self._open: dict[str, int] = {}
        for member in _verified_members(encoded.program):
            owner = self.owner(member.name)
            self._open[owner] = self._open.get(owner, 0) + 1
        self._answers: dict[str, list[MemberAnswer]] = {name: [] for name in self._open}
        self._waiting: list[str] = []
        self._uses: Dependencies | None = None
        self._outcomes = {outcome.name: outcome for _, outcome in settled}
        places = {name: _place(self._declared[name].span) for name in self._open}
        places |= {outcome.name: _place(span) for span, outcome in settled}
        self._order = sorted(places, key=places.__getitem__)
        self._told = 0

    def _fails_its_users(self, name: str) -> bool:
        """Whether a member is not verified, and others rest on that: of a method, on its contract
        making sense."""
        outcome, member = self._outcomes.get(name), self._declared[name]
        if outcome is None or outcome.verdict is Verdict.VERIFIED:
            return False
        if not isinstance(member, Method):
            return True
        clauses = [clause.span for clause in (*member.preconditions, *member.postconditions)]
        return any(
            clause.encloses(finding.span)
            for finding in outcome.findings
            for clause in clauses
            if finding.error != "postcondition.violated"
        )

    def begin(self, member: str, watch: Watch) -> None:
        """Tells that a member is looked at; nobody knows those that a language has added."""
        owner = self.owner(member)
        if not self._is_brought_along(owner):
            watch.started(owner, self._counted(self._outcomes), self._counted(self._order))

    def _counted(self, names: Iterable[str]) -> int:
        return len([name for name in names if not self._is_brought_along(name)])

    def _is_brought_along(self, name: str) -> bool:
        declared = self._declared.get(name)
        return declared is not None and is_brought_along(declared)

    def owner(self, member: str) -> str:
        return self._encoded.owners.get(member, member)

    def add(self, member: str, answer: MemberAnswer) -> list[MemberOutcome]:
        """The outcomes that can now be told: in source order always, however finished."""
        owner = self.owner(member)
        answers = self._answers[owner]
        answers.append(answer)
        if len(answers) == self._open[owner]:
            self._waiting.append(owner)
        self._settle()
        return self.ready()

    def _settle(self, *, at_last: bool = False) -> None:
        """Outcomes of members that are answered. Where verifiers differ, what the member rests on
        is waited for: whether that is a mistake of ours depends on it."""
        needs = {name: self._rests_on(name) for name in self._waiting}
        for name in sorted(needs, key=lambda name: bool(needs[name])):
            answers, rests_on = self._answers[name], needs[name]
            if at_last or all(n in self._outcomes or n in self._waiting for n in rests_on):
                self._waiting.remove(name)
                self._outcomes[name] = self._outcome(name, self._explained(answers, rests_on))

    def _rests_on(self, name: str) -> list[str]:
        """The members that a member uses, if verifiers differ about it."""
        if not any(isinstance(answer.crash, Disagreement) for answer in self._answers[name]):
            return []
        if self._uses is None:
            from pitviper.program.callgraph import call_graph
            from pitviper.program.dependencies import Dependencies

            program = self._encoded.program
            self._uses = Dependencies(program, call_graph(program))
        used = [self.owner(used) for used in self._uses.of(self._declared[name])]
        return [n for n in dict.fromkeys(used) if n != name and n in self._open]

    def _explained(self, answers: list[MemberAnswer], rests_on: list[str]) -> list[MemberAnswer]:
        """The answers, with differences behind what is not verified as open questions."""
        unproved = [n for n in rests_on if self._fails_its_users(n)]
        if not unproved:
            return answers
        from pitviper.driver.verify.disagreement import open_behind

        return [
            open_behind(answer, unproved[0]) if isinstance(answer.crash, Disagreement) else answer
            for answer in answers
        ]

    def ready(self) -> list[MemberOutcome]:
        """Those that can be told and were not yet."""
        ready: list[MemberOutcome] = []
        while self._told < len(self._order) and self._order[self._told] in self._outcomes:
            ready.append(self._outcomes[self._order[self._told]])
            self._told += 1
        return [outcome for outcome in ready if self._is_told(outcome)]

    def _is_told(self, outcome: MemberOutcome) -> bool:
        """Users know nothing of members that a language has added, unless there is trouble."""
        member = self._declared.get(outcome.name)
        is_ours = member is not None and is_brought_along(member)
        return not is_ours or outcome.verdict is not Verdict.VERIFIED

    def outcomes(self) -> tuple[MemberOutcome, ...]:
        """All that are finished, in source order."""
        self._settle(at_last=True)
        finished = [self._outcomes[name] for name in self._order if name in self._outcomes]
        return tuple([outcome for outcome in finished if self._is_told(outcome)])

    def _outcome(self, name: str, answers: list[MemberAnswer]) -> MemberOutcome:
        undecided = [point for answer in answers for point in answer.undecided]
        crashes = [answer.crash for answer in answers if answer.crash is not None]
        found = tuple([finding for answer in answers for finding in answer.findings])
        findings = list(self._encoded.translate(found, frozenset((name,))))
        if findings:
            findings, crash = self._advised(findings)
            crashes += [] if crash is None else [crash]
        warnings = dict.fromkeys([warning for answer in answers for warning in answer.warnings])
        if warnings:
            warnings, crash = self._warned(warnings, name)
            crashes += [] if crash is None else [crash]
        if undecided or crashes:
            findings = [finding for finding in findings if not _by_absence(finding)]
        return MemberOutcome(
            name,
            kind_text(type(self._declared[name]).__name__.lower(), self._declared[name].span),
            tuple(sorted(findings, key=_order)),
            tuple(sorted(dict.fromkeys(undecided), key=lambda point: _place(point.span))),
            tuple(warnings),
            crashes[0] if crashes else None,
            sum(answer.seconds for answer in answers),
            inferred=tuple(dict.fromkeys([step for answer in answers for step in answer.inferred])),
            remembered=all(answer.remembered for answer in answers),
        )

    def _advised(self, findings: list[Finding]) -> tuple[list[Finding], Crash | None]:
        """The findings with advice; a bug of ours in advice costs the advice, and is told."""
        from pitviper.explain.advice.advised import advised_all  # for programs with errors only

        try:
            return advised_all(findings, self._program), None
        except Exception as error:  # what was found counts more than advice about it
            return findings, Crash.of(error)

    def _warned(
        self, warnings: dict[Diagnostic, None], name: str
    ) -> tuple[dict[Diagnostic, None], Crash | None]:
        """The same for warnings."""
        from pitviper.explain.advice.advised import advised_warnings  # for these programs only

        try:
            return dict.fromkeys(advised_warnings(warnings, name, self._program)), None
        except Exception as error:  # a warning without its help is one still
            return warnings, Crash.of(error)


def _by_absence(finding: Finding) -> bool:
    """Whether it says that nothing was found: no reason to believe it if not all was looked at."""
    return finding.error == "refute.failed"


def _verified_members(program: Program) -> list[Function | Predicate | Method]:
    tables = (program.functions, program.predicates, program.methods)
    return [member for table in tables for member in table.values()]


def _order(finding: Finding) -> tuple[tuple[str, int, int], str, tuple[str, int, int], str]:
    offending = finding.offending or finding.span
    return _place(finding.span), finding.id, _place(offending), finding.message


def _place(span: Span) -> tuple[str, int, int]:
    return str(span.file.path), span.start, span.end
