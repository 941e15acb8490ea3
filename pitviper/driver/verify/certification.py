"""Certifies members: both engines, all their questions asked again, and runs that do not fail.

NOTE(certificate). "Verified" by one engine rests on its rules, on our translation and on one search
of one solver. A certificate rests on more: rules written twice, every question of both proofs
proved again by a fresh Z3 with another seed or else by cvc5, and runs that know neither. It still
rests on what all share: the front end, the axioms of `encoding/`, and contracts without bodies.
Axioms of the program that contradict each other prove everything: nothing is certified then.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.base.record import record, replace
from pitviper.driver.explore.explore import Explorer, with_functions
from pitviper.driver.explore.options import (
    Calls,
    ExploreOptions,
    Loops,
    ModelOptions,
    SearchOptions,
)
from pitviper.driver.front.frontend import FrontEnd, load
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.axioms import contradiction, contradictory
from pitviper.driver.verify.completion import completed
from pitviper.driver.verify.member_verifier import Job, MemberVerifier
from pitviper.driver.verify.options import EngineOptions, VcgOptions, VerifyOptions
from pitviper.driver.verify.plan import Plan
from pitviper.driver.verify.sessions import Sessions
from pitviper.driver.verify.verification import Groups
from pitviper.plugins.pipeline import Encoded, apply_plugins
from pitviper.program.member import Program
from pitviper.results.certificate import Certification, MemberCertificate, Queries, Runs
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.solver.cvc5 import Cvc5Error, Cvc5Session
from pitviper.solver.proofs import Proof, ProofRecording, Proved, only, prove_again
from pitviper.solver.session import ASSERT, Solver
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session

SEED = 20261116
"""Of the Z3 that proves again; that of the engines is 0."""
MORE = 20
"""How many times as much a question may cost the second time: it is asked in another order."""
CVC5_LIMIT = 2_000_000
LEAST_SECONDS = 1.0
"""Exploration has the time that both proofs took, and at least this."""
VIEWS = (
    ModelOptions(Loops.UNROLL, Calls.INLINE),
    ModelOptions(Loops.INVARIANT, Calls.CONTRACT),
)
"""The program as it runs, and as verifiers see it."""
ASSUMED = "assertion.assumed"


class RecordedSessions(Sessions):
    """Sessions of which all that is proved is kept, a proof for each."""

    def __init__(self, proofs: list[Proof], limit: int, timeout: float | None = None) -> None:
        super().__init__(limit, timeout)
        self._proofs = proofs

    def open(self) -> Solver:
        self._proofs.append([])
        return ProofRecording(super().open(), self._proofs[-1])


def certify_file(
    path: Path,
    options: VerifyOptions,
    library: tuple[Path, ...] = (),
    tell: Callable[[MemberCertificate], None] | None = None,
) -> Certification:
    """What speaks for and against each member of a file; `tell` is told of each when it is done."""
    start = time.perf_counter()
    front = completed(load(path, options.check, library), options)
    program = front.program
    if program is None:
        return Certification(path, rejected=tuple([d.message for d in front.diagnostics]))
    if options.select:
        program = select_members(program, options.select)
    encoded = apply_plugins(program, options.plugins)
    if encoded.diagnostics:
        return Certification(path, rejected=tuple([d.message for d in encoded.diagnostics]))
    found = run_deep(lambda: _certify(program, front, encoded, options, tell or _unheard))
    return Certification(path, found, seconds=time.perf_counter() - start)


def _unheard(_: MemberCertificate) -> None:
    return


def _certify(
    program: Program,
    front: FrontEnd,
    encoded: Encoded,
    options: VerifyOptions,
    tell: Callable[[MemberCertificate], None],
) -> tuple[MemberCertificate, ...]:
    symbolic = _proofs(program, encoded, options.symbolic, options)
    amounts = options.check.respect_function_perm_amounts
    vcg = _proofs(program, encoded, VcgOptions(respect_function_amounts=amounts), options)
    made = None if front.language is None else front.language.runnable
    explored = replace(front, program=program if made is None else made(program))
    axioms = contradictory(program)
    members = []
    for name, outcome in symbolic.outcomes.items():
        done = _member(outcome, vcg.outcomes.get(name), symbolic, vcg)
        why_none = "its certificate fails anyway" if done.certified else "not verified by all"
        if axioms:
            done = replace(done, reasons=(*done.reasons, contradiction(axioms)))
        if _assumes(explored, name):
            done = replace(done, reasons=(*done.reasons, "an assertion in it is assumed"))
        seconds = outcome.seconds + (done.queries.asked and vcg.outcomes[name].seconds)
        if done.certified:
            runs = _runs(explored, name, max(LEAST_SECONDS, seconds))
            done = replace(done, runs=runs)
        else:
            done = replace(done, runs=Runs(why_none=why_none))
        members.append(done)
        tell(done)
    return tuple(members)


@record
class _Proofs:
    """What an engine said about members, and what became of the questions of its proofs."""

    outcomes: dict[str, MemberOutcome]
    queries: dict[str, Queries]


def _proofs(
    program: Program, encoded: Encoded, engine: EngineOptions, options: VerifyOptions
) -> _Proofs:
    proofs: list[Proof] = []
    queries: dict[str, Queries] = {}
    groups = Groups(program, encoded)
    with RecordedSessions(proofs, options.limit, options.timeout) as sessions:
        verifier = MemberVerifier(Job(encoded.program, engine, options.limit), sessions)
        for name in Plan(encoded.program).open:
            answer = verifier.verify(name)
            groups.add(name, answer)
            owner = groups.owner(name)
            known = queries.get(owner, Queries())
            if not (answer.findings or answer.undecided or answer.crash):
                known = sum([asked_again(proof) for proof in proofs], start=known)
            queries[owner] = known
            proofs.clear()
    return _Proofs({outcome.name: outcome for outcome in groups.outcomes()}, queries)


def asked_again(proof: Proof) -> Queries:
    """How many questions of a proof are proved again: by a fresh Z3, and the rest by cvc5."""
    proof = _with_more(proof)
    with Z3Session(Z3Options(seed=SEED)) as session:
        again = prove_again(proof, session)
    if not again.missed:
        return Queries(z3=again.asked)
    missed = len(again.missed)
    try:
        second = prove_again(only(proof, again.missed), Cvc5Session(CVC5_LIMIT))
    except Cvc5Error:  # a construct that only Z3 knows: nobody else has proved it
        return Queries(z3=again.asked - missed, missed=missed)
    proved = second.asked - len(second.missed)
    return Queries(again.asked - missed, proved, missed - proved)


def _with_more(proof: Proof) -> Proof:
    return [
        replace(step, limit=min(ASSERT, MORE * step.limit)) if isinstance(step, Proved) else step
        for step in proof
    ]


def _member(
    outcome: MemberOutcome, other: MemberOutcome | None, symbolic: _Proofs, vcg: _Proofs
) -> MemberCertificate:
    name = outcome.name
    reasons = [f"symbolic: {said}" for said in _against(outcome)]
    reasons += [f"vcg: {said}" for said in (_against(other) if other is not None else ["nothing"])]
    queries = symbolic.queries.get(name, Queries()) + vcg.queries.get(name, Queries())
    if queries.missed:
        reasons.append(f"{queries.missed} of {queries.asked} questions were not proved again")
    verdict = Verdict.UNDECIDED if other is None else other.verdict
    return MemberCertificate(
        name, outcome.kind, outcome.verdict, verdict, queries, Runs(), tuple(reasons)
    )


def _against(outcome: MemberOutcome) -> list[str]:
    """Why an engine does not vouch for a member."""
    said = [f"{finding.id} in line {finding.span.line}" for finding in outcome.findings]
    said += [f"{point.message} in line {point.span.line}" for point in outcome.undecided]
    said += [] if outcome.crash is None else [f"internal error: {outcome.crash.said}"]
    return said


def _assumes(front: FrontEnd, name: str) -> bool:
    """Whether a method has an assertion that is assumed because of an annotation."""
    assert front.program is not None
    method = front.program.methods.get(name)
    told = [d for d in front.diagnostics if d.code == ASSUMED and d.span is not None]
    spans = [span for d in told for span in (d.span, *[related.span for related in d.related])]
    around = None if method is None else method.span
    return around is not None and any(
        span is not None and span.file is around.file and around.start <= span.start < around.end
        for span in spans
    )


def _runs(front: FrontEnd, name: str, seconds: float) -> Runs:
    """Runs of a method or a function as it is, and as verifiers see it."""
    assert front.program is not None
    if name in front.program.predicates:
        return Runs(why_none="a predicate has no runs")
    if name in front.program.functions and front.program.functions[name].body is None:
        return Runs(why_none="it has no body")
    program = with_functions(front, (name,)).program
    assert program is not None
    if program.methods[name].body is None:
        return Runs(why_none="it has no body")
    count, failing, complete = 0, dict[str, None](), False
    for view in VIEWS:
        search = SearchOptions(seconds=seconds / len(VIEWS))
        explorer = Explorer(
            program,
            str(front.source.path),
            ExploreOptions(methods=(name,), model=view, search=search),
        )
        try:
            done = explorer.explore(name)
        finally:
            explorer.close()
        count += sum(done.counts.values())
        complete = done.is_complete
        for run in done.certain_failures:
            if run.finding is not None:
                failing[f"{run.finding.id} in line {run.finding.span.line}"] = None
    return Runs(count, tuple(failing), complete)
