"""Judges of a program that do not know each other, and what they say against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from random import Random

from pitviper.base.file import write_file
from pitviper.base.record import record, replace
from pitviper.base.scratch import scratch_folder
from pitviper.driver.counterexample.search import CounterexampleOptions, counterexamples
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import (
    Calls,
    ExploreOptions,
    Loops,
    ModelOptions,
    SearchOptions,
)
from pitviper.driver.front.frontend import load_text, parse_text
from pitviper.driver.verify.certification import RecordedSessions
from pitviper.driver.verify.options import EngineOptions, SymbolicOptions, VcgOptions
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.verify.verification import verify_program
from pitviper.engines.concrete import options as concrete
from pitviper.engines.concrete.interpreter import run_member
from pitviper.engines.concrete.outcome import Failed
from pitviper.program.callgraph import call_graph
from pitviper.program.dependencies import Dependencies
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.results.counterexample import Counterexample, Standing
from pitviper.results.exploration import Claim, MethodExploration
from pitviper.results.finding import Finding
from pitviper.results.fuzzing import Contradiction, Kind
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.solver.cvc5 import Cvc5Error, Cvc5Session
from pitviper.solver.proofs import Proof, Proved, only, prove_again
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.source.span import NO_SPAN
from pitviper.syntax import tree as t
from pitviper.syntax.print.printer import print_file

LIMIT = 20_000_000
"""Solver resources of an obligation: a hard question is no contradiction."""
CVC5_LIMIT = 200_000
ENGINES: dict[str, EngineOptions] = {"symbolic": SymbolicOptions(), "vcg": VcgOptions()}
DISTRUSTFUL: dict[str, EngineOptions] = {
    "symbolic": SymbolicOptions(judge_again=True),
    "vcg": VcgOptions(judge_again=True),
}
RUNS = tuple(
    concrete.Options(loops=loops, calls=calls, steps=3000)
    for loops in concrete.Loops
    for calls in concrete.Calls
)
SEARCH = SearchOptions(runs=25, nodes=120, work=60_000, seconds=5.0)
EXPLORATIONS = (
    ModelOptions(Loops.UNROLL, Calls.INLINE),
    ModelOptions(Loops.INVARIANT, Calls.CONTRACT),
)
EXPLORED = 0.5
"""The share of verified methods that are explored, too: it takes as long as all other judges."""
OTHER_SEED = 7
MOST_REFS = 4
"""Reference parameters whose aliases are enumerated: 15 ways for four."""
UNSUPPORTED = "feature.unsupported"


@record
class Judged:
    """What both engines say about the members of a program; None where it was rejected.

    `lines` are those of diagnostics and findings, `proofs` what the engines proved.
    """

    text: str
    program: Program | None
    outcomes: dict[str, dict[str, MemberOutcome]]
    lines: frozenset[int]
    proofs: dict[str, list[Proof]]

    def verdict(self, engine: str, member: str) -> Verdict:
        outcome = self.outcomes[engine].get(member)
        return Verdict.UNDECIDED if outcome is None else outcome.verdict

    @property
    def verified_by(self) -> tuple[str, ...]:
        """The engines that verify all of the program."""
        return tuple(
            [
                name
                for name, found in self.outcomes.items()
                if found and all(o.verdict is Verdict.VERIFIED for o in found.values())
            ]
        )


class Judge:
    """Asks all judges about programs; counts what was compared."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.oracles: Counter[str] = Counter()
        self.verdicts: Counter[str] = Counter()

    # ------------------------------------------------------------ the verifiers

    def verify(self, text: str) -> Judged:
        """What both verifiers say."""
        front = load_text(text, "fuzz.vpr")
        if front.program is None:
            places = [d.span.line for d in front.diagnostics if d.span is not None]
            self.verdicts["rejected"] += 1
            return Judged(text, None, {}, frozenset(places), {})
        outcomes: dict[str, dict[str, MemberOutcome]] = {}
        proofs: dict[str, list[Proof]] = {}
        lines: set[int] = set()
        for name, options in ENGINES.items():
            proofs[name] = []
            sessions = RecordedSessions(proofs[name], LIMIT)
            with sessions:
                done = verify_program(front.program, options, sessions=sessions)
            outcomes[name] = {member.name: member for member in done.members}
            lines |= {d.span.line for d in done.rejected if d.span is not None}
            lines |= {line for found in done.findings for line in _lines(found)}
            self.verdicts[f"{name} {done.verdict.value}"] += 1
        return Judged(text, front.program, outcomes, frozenset(lines), proofs)

    # ------------------------------------------------------------ contradictions

    def contradictions(self, judged: Judged) -> list[Contradiction]:
        """All that can be said against what was said, worst first."""
        if judged.program is None:
            return []
        found = [*self._crashes(judged), *self._compared(judged)]
        trusted = self._trusted(judged)
        if trusted:
            failing = list(self._failing(judged, trusted))
            found += failing or self._resting_on_trust(judged, trusted)
        return sorted(found, key=lambda c: list(Kind).index(c.kind))

    def _crashes(self, judged: Judged) -> Iterable[Contradiction]:
        for engine, outcomes in judged.outcomes.items():
            for outcome in outcomes.values():
                if outcome.crash is not None:
                    said = f"{engine} crashes: {outcome.crash.said}"
                    yield Contradiction(Kind.CRASH, said, judged.text)

    def _compared(self, judged: Judged) -> Iterable[Contradiction]:
        """The verifiers against each other; a construct that one does not know is no answer.

        Nor is an answer that rests on a function that is not verified: one engine believes it,
        the other does not (docs/soundness.md), and the program is not verified by either.
        """
        self.oracles["symbolic against vcg"] += 1
        one, other = judged.outcomes["symbolic"], judged.outcomes["vcg"]
        for name, outcome in one.items():
            second = other.get(name)
            if second is None or {outcome.verdict, second.verdict} != {
                Verdict.VERIFIED,
                Verdict.REFUTED,
            }:
                continue
            if any(
                judged.verdict(e, f) is not Verdict.VERIFIED for e, f in _rests_on(judged, name)
            ):
                continue
            findings = (*outcome.findings, *second.findings)
            if any(finding.reason == UNSUPPORTED for finding in findings):
                continue
            verifier = "symbolic" if outcome.verdict is Verdict.VERIFIED else "vcg"
            ids = ", ".join(sorted({finding.id for finding in findings}))
            said = f"{verifier} verifies what the other refutes ({ids})"
            yield Contradiction(Kind.DISAGREE, said, judged.text)

    def _trusted(self, judged: Judged) -> dict[str, tuple[str, ...]]:
        """Methods with a body, and the engines that verify them with all that they use."""
        program = judged.program
        assert program is not None
        uses = Dependencies(program, call_graph(program))
        found: dict[str, tuple[str, ...]] = {}
        for name, method in program.methods.items():
            needed = (name, *uses.of(method))
            engines = [
                engine
                for engine, outcomes in judged.outcomes.items()
                if all(
                    judged.verdict(engine, n) is Verdict.VERIFIED for n in needed if n in outcomes
                )
            ]
            if method.body is not None and engines:
                found[name] = tuple(engines)
        return found

    def _failing(
        self, judged: Judged, trusted: dict[str, tuple[str, ...]]
    ) -> Iterable[Contradiction]:
        """Runs that fail although an engine says that none does."""
        program = judged.program
        assert program is not None
        for name, engines in trusted.items():
            failure = self.failing_run(program, name)
            source = "the interpreter"
            if failure is None and self._random.random() < EXPLORED:
                failure, source = self.failing_exploration(program, name), "exploration"
            if failure is not None:
                said = f"{' and '.join(engines)} verify, {source} fails with {failure.id}"
                yield Contradiction(self._kind(judged, name), said, judged.text)

    def _resting_on_trust(
        self, judged: Judged, trusted: dict[str, tuple[str, ...]]
    ) -> Iterable[Contradiction]:
        """Methods that verify only because of what was judged elsewhere: see NOTE(trusted).

        A function that looks into a predicate which makes sense only whole is no such case: parts
        are judged where they are folded. So what a method uses has to verify like this, too.
        """
        program = judged.program
        assert program is not None
        uses = Dependencies(program, call_graph(program))
        for engine, options in DISTRUSTFUL.items():
            if not any(engine in engines for engines in trusted.values()):
                continue
            self.oracles["trusted against judged again"] += 1
            with Sessions(LIMIT) as sessions:
                done = verify_program(program, options, sessions=sessions)
            again = {member.name: member for member in done.members}
            for name, engines in trusted.items():
                used = [again[n] for n in uses.of(program.methods[name]) if n in again]
                proved = all(o.verdict is Verdict.VERIFIED for o in used)
                if engine in engines and again[name].verdict is Verdict.REFUTED and proved:
                    ids = ", ".join(sorted({finding.id for finding in again[name].findings}))
                    said = f"{engine} verifies only what it does not judge again ({ids})"
                    yield Contradiction(Kind.TRUSTED, said, judged.text)

    def _kind(self, judged: Judged, name: str) -> Kind:
        """NOTE(footprints). A package chooses what it takes, so long as that is enough: verifiers
        take more than a run where a name of the left-hand side may mean the same location.
        Programs that then look at amounts see the choice, which is no mistake (docs/soundness.md,
        Packages). Where names are known to mean the same or not there is no such choice: a program
        that is verified and fails with that known, too, is a mistake for sure.
        """
        if not _sees_choice(judged.text):
            return Kind.WRONG
        for text in with_aliases_known(judged.text, name):
            again = self.verify(text)
            if again.program is None or name not in self._trusted(again):
                continue
            failure = self.failing_run(again.program, name)
            if failure is None:
                failure = self.failing_exploration(again.program, name)
            if failure is not None:
                return Kind.WRONG
        return Kind.DISAGREE

    # ------------------------------------------------------------ runs

    def failing_run(self, program: Program, name: str) -> Finding | None:
        """What the interpreter finds in a few runs of a method, with random decisions.

        The caller has a deep stack (`campaign.run_case`).
        """
        self.oracles["verifiers against the interpreter"] += 1
        for number in range(12):
            numbers = tuple([self._random.randrange(6) for _ in range(40)])
            tape = concrete.Tape(numbers if number else (), then=number % 3)
            options = RUNS[number % len(RUNS)]
            outcome = run_member(program, name, concrete.Inputs(), tape, options).outcome
            if isinstance(outcome, Failed) and not outcome.assuming:
                return outcome.finding
        return None

    def failing_exploration(self, program: Program, name: str) -> Finding | None:
        """What a short exploration of a method is sure of."""
        self.oracles["verifiers against exploration"] += 1
        for model in EXPLORATIONS:
            done = explored(program, name, model)
            for run in done.certain_failures:
                if not run.assuming:
                    return run.finding
            if not _has_loops_or_calls(program, name):
                break
        return None

    # ------------------------------------------------------------ counterexamples and queries

    def untrue_counterexamples(self, judged: Judged) -> list[Contradiction]:
        """Confirmed counterexamples in members that vcg verifies or exploration proves."""
        refuted = [
            name
            for name, outcome in judged.outcomes["symbolic"].items()
            if outcome.verdict is Verdict.REFUTED
        ]
        if judged.program is None or not refuted:
            return []
        self.oracles["counterexamples against vcg and exploration"] += 1
        found = []
        for example in _counterexamples(judged.text):
            if example.standing is Standing.CANDIDATE:
                continue
            name = example.member
            if judged.verdict("vcg", name) is Verdict.VERIFIED:
                who = "vcg verifies"
            elif name in judged.program.methods and _is_proved(judged.program, name):
                who = "exploration proves"
            else:
                continue
            standing = example.standing.value
            said = f"{who} a member with a {standing} counterexample to {example.finding}"
            found.append(Contradiction(Kind.UNTRUE, said, judged.text))
        return found

    def denied_queries(self, judged: Judged) -> list[Contradiction]:
        """What was proved and has a counterexample by a fresh Z3 with another seed, or by cvc5."""
        found = []
        proofs = [(engine, proof) for engine, own in judged.proofs.items() for proof in own]
        for engine, proof in proofs:
            self.oracles["proofs against Z3 with another seed"] += 1
            with Z3Session(Z3Options(seed=OTHER_SEED)) as session:
                again = prove_again(proof, session)
            self.oracles["queries asked again"] += again.asked
            self.oracles["queries not proved again by Z3"] += len(again.missed)
            if again.denied:
                said = f"Z3 with another seed denies a query that {engine} proved"
                found.append(Contradiction(Kind.UNTRUE, said, judged.text))
            denied = self._by_cvc5(proof)
            if denied:
                said = f"cvc5 denies a query that {engine} proved"
                found.append(Contradiction(Kind.UNTRUE, said, judged.text))
        return found

    def _by_cvc5(self, proof: Proof) -> bool:
        self.oracles["proofs against cvc5"] += 1
        goals = [step for step in proof if isinstance(step, Proved)]
        some = goals if len(goals) <= 10 else self._random.sample(goals, 10)
        try:
            again = prove_again(only(proof, some), Cvc5Session(CVC5_LIMIT))
        except Cvc5Error:
            self.oracles["queries that cvc5 cannot read"] += 1
            return False
        self.oracles["queries asked of cvc5"] += again.asked
        self.oracles["queries not proved again by cvc5"] += len(again.missed)
        return bool(again.denied)


def _rests_on(judged: Judged, name: str) -> list[tuple[str, str]]:
    """The engines and the functions that a member uses, itself left out."""
    program = judged.program
    assert program is not None
    members: dict[str, Function | Predicate | Method]
    members = {**program.predicates, **program.functions, **program.methods}
    used = Dependencies(program, call_graph(program)).of(members[name])
    return [(e, f) for e in judged.outcomes for f in used if f in program.functions and f != name]


def _sees_choice(text: str) -> bool:
    """Whether a program packages and looks at amounts."""
    return "package" in text and ("perm(" in text or "forperm" in text)


def with_aliases_known(text: str, name: str) -> list[str]:
    """The program once for each way in which reference parameters of a method may mean the same;
    none where there are many of them."""
    file = parse_text(text).tree
    method = next(m for m in file.members if isinstance(m, t.Method) and m.name.name == name)
    refs = [p.name.name for p in method.params if p.type == t.TypeName("Ref", span=NO_SPAN)]
    texts = []
    for groups in _partitions(refs) if len(refs) <= MOST_REFS else ():
        known = [_known(a, b, groups) for a, b in combinations(refs, 2)]
        other = replace(method, specs=(*known, *method.specs))
        members = tuple([other if member is method else member for member in file.members])
        texts.append(print_file(replace(file, members=members)))
    return texts


def _known(a: str, b: str, groups: list[list[str]]) -> t.Clause:
    same = any(a in group and b in group for group in groups)
    left, right = t.Name(a, span=NO_SPAN), t.Name(b, span=NO_SPAN)
    compared = t.Binary("==" if same else "!=", left, right, span=NO_SPAN)
    return t.Clause("requires", compared, span=NO_SPAN)


def _partitions(names: list[str]) -> list[list[list[str]]]:
    """All ways to put names into groups."""
    if not names:
        return [[]]
    found = []
    for groups in _partitions(names[1:]):
        found.append([[names[0]], *groups])
        for at, group in enumerate(groups):
            found.append([*groups[:at], [names[0], *group], *groups[at + 1 :]])
    return found


def explored(program: Program, name: str, model: ModelOptions) -> MethodExploration:
    """What a short exploration says about a method."""
    options = ExploreOptions(methods=(name,), model=model, search=SEARCH)
    explorer = Explorer(program, "fuzz.vpr", options)
    try:
        return explorer.explore(name)
    finally:
        explorer.close()


def _is_proved(program: Program, name: str) -> bool:
    """Whether exploration ran all paths, with loops and calls as verifiers see them.

    There is nothing to run of a method without a body.
    """
    if program.methods[name].body is None:
        return False
    done = explored(program, name, ModelOptions(Loops.INVARIANT, Calls.CONTRACT))
    return done.claim is Claim.PROVED


def _has_loops_or_calls(program: Program, name: str) -> bool:
    uses = Dependencies(program, call_graph(program)).of(program.methods[name])
    text = str(program.methods[name].body)
    return any(n in program.methods for n in uses) or "While" in text or "Goto" in text


def _counterexamples(text: str) -> list[Counterexample]:
    with scratch_folder("fuzz") as folder:
        path = folder / "fuzz.vpr"
        write_file(path, text)
        answered = counterexamples(path, CounterexampleOptions(objects=3))
    return [found for found in answered.results if isinstance(found, Counterexample)]


def _lines(finding: Finding) -> set[int]:
    offending = finding.offending
    return {finding.span.line} | (set() if offending is None else {offending.line})
