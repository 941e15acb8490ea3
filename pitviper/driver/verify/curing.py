"""Tries cures of findings: an edit is applied to the text, and what it concerns is verified again.

NOTE(seen). A cure is told only where it was seen to work, by the engine of the run and from the
edited text on. Trials are counted and have a small limit of solver resources each, so that what is
told depends on the program and not on the machine; large programs are left alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pitviper.base.record import record, replace
from pitviper.driver.front.frontend import FrontEnd, load_text
from pitviper.driver.front.selection import select_members
from pitviper.driver.verify.completion import completed
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verification import Verification, verify_program
from pitviper.explain.advice.advised import ONE_OF, body_place, case_of
from pitviper.explain.advice.case import Case
from pitviper.explain.advice.facts.parts import IF_TRUE
from pitviper.explain.advice.objects.hidden import BY_CONTRACT
from pitviper.explain.advice.objects.objects import bodies_of
from pitviper.explain.advice.runs.trial import false_for
from pitviper.explain.cures.candidates import candidates
from pitviper.explain.cures.choice import chosen
from pitviper.explain.cures.contracts import promised_otherwise
from pitviper.explain.cures.edit import Candidate, Pool
from pitviper.explain.cures.sense import (
    cases_of,
    endless_loops,
    is_emptied,
    probing,
    same_branches,
)
from pitviper.explain.writing import Edits, adds_to_proof, invariants
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.expr import FunctionApp
from pitviper.program.member import Axiom, Function, Method, Program
from pitviper.program.print.expressions import text_of
from pitviper.program.rooms import with_all_bodies
from pitviper.program.walk import descendants
from pitviper.results.finding import Finding
from pitviper.results.verdict import MemberOutcome, Verdict
from pitviper.results.wording import spoken
from pitviper.source.edit import Cure, edited
from pitviper.source.span import Span

MOST_TEXT = 6_000
"""Characters of a program that is edited."""

MOST_FINDINGS = 4
"""Findings of a program for which cures are tried."""

MOST_TRIALS = 60
"""Trials for one finding."""

MORE_TRIALS = 12
"""Trials for a better cure, once a weak one was seen to work."""

LIMIT = 400_000
"""What a proof obligation of a trial may cost."""

MOST_RESOURCES = 2_000_000
"""What all trials for a program may cost: no more than a second or two."""


@record
class _Seen:
    """What a trial showed: whether the member is verified, and which findings are left."""

    verified: bool
    left: Counter[tuple[str, str, str]]
    callers: tuple[str, ...] = ()
    """Members whose calls do not meet what the cure asks for."""


def cured_later(
    front: FrontEnd, options: VerifyOptions, outcomes: Iterable[MemberOutcome]
) -> Iterator[MemberOutcome]:
    """The outcomes for which a cure was seen to work, with that cure.

    For those who have told the outcomes already, since verdicts come before advice.
    """
    if front.language is not None and not front.language.tries_cures:
        return
    curing = Curing(front, options, ())
    for outcome in outcomes:
        found = curing.cured(outcome) if outcome.findings else outcome
        if found != outcome:
            yield found


class Curing:
    """Tries cures for the findings of one program."""

    def __init__(self, front: FrontEnd, options: VerifyOptions, library: tuple[Path, ...]) -> None:
        self._front = front
        options = options.for_language(front.language)
        self._options = replace(options, timeout=None, solver_log=None, select=(), errors=None)
        self._library = library
        self._findings = MOST_FINDINGS
        self._trials = 0
        self._resources = MOST_RESOURCES
        self._refuted: set[str] = set()
        self._others: Verification | None = None
        self._axioms: tuple[Axiom, ...] | None = None
        self._whole: Candidate | None = None
        """The cure with which the member of the last findings was seen to verify."""
        self._contracts: dict[str, Candidate] = {}
        """Cures of members that change what they ask for: their callers may be cured as well."""
        self._unmet: dict[str, tuple[int, frozenset[int]]] = {}
        """Cases of members that no run comes to, as they are written."""
        self._known: dict[str, Verification | None] = {}
        self.problem: str | None = None
        """What went wrong with trials, and did no harm but to advice."""

    def cured(self, outcome: MemberOutcome) -> MemberOutcome:
        """The outcome with cures that were seen to work in place of advice."""
        if outcome.verdict is not Verdict.REFUTED or not self._is_small:
            return outcome
        self._refuted.add(outcome.name)
        self._whole = None
        try:
            found = [self._cured(finding, outcome) for finding in outcome.findings]
            found = [self._with_whole(told, outcome) for told in found]
        except Exception as error:  # what was found counts more than advice about it
            self.problem = f"no cure could be tried ({type(error).__name__}: {error})"
            return outcome
        return replace(outcome, findings=tuple(found))

    @property
    def _goes_on(self) -> bool:
        return self._trials > 0 and self._resources > 0

    @property
    def _is_small(self) -> bool:
        return len(self._front.source.text) <= MOST_TEXT and self._front.program is not None

    def _cured(self, finding: Finding, outcome: MemberOutcome) -> Finding:
        if finding.span.file is not self._front.source:
            return finding
        if self._findings == 0 or self._resources <= 0:
            return self._as_before(finding, outcome)
        program = self._front.program
        assert program is not None
        finding = self._with_hidden(self._with_bodies(finding))
        case = case_of(finding, program)
        known = self._known_before(case, outcome)
        if known is not None:
            return known
        best: tuple[Candidate, _Seen] | None = None
        weak: Candidate | None = None
        asking: tuple[Candidate, _Seen] | None = None
        for candidate in candidates(case):
            if not self._goes_on:
                break
            cure = (
                self._of_pool(candidate, finding, outcome)
                if isinstance(candidate, Pool)
                else candidate
            )
            if cure is None or not cure.edits:
                continue
            seen = self._seen(cure, finding, outcome)
            if seen is None:
                continue
            if seen.callers:
                asking = asking or (cure, seen)
                continue
            if seen.verified and cure.weak and weak is None:
                weak = cure
                self._trials = min(self._trials, MORE_TRIALS)
                told = _with(case, cure, f"`{outcome.name}` verifies", verified=True)
                if told.advice != finding.advice and _begins(told, finding):
                    return told
            elif seen.verified and not cure.weak:
                cure = self._believed(cure, outcome)
                return _with(case, cure, f"`{outcome.name}` verifies", verified=True)
            elif not seen.verified and best is None:
                best = cure, seen
        if weak is not None:
            self._whole = self._whole or (None if weak.assumes else weak)
            told = _with(case, weak, f"`{outcome.name}` verifies", verified=True)
            return self._with_promise(told, case, outcome)
        if self._whole is not None:
            return self._as_before(finding, outcome)
        told = _in_part(case, best, asking, outcome.name)
        return told if best or asking else self._with_promise(told, case, outcome)

    def _known_before(self, case: Case, outcome: MemberOutcome) -> Finding | None:
        """What is told without a search: another error comes first, or a cure is known."""
        broken = self._broken(case) or self._contradicted(case)
        if broken is not None:
            return replace(case.finding, advice=broken)
        if self._whole is not None and not self._whole.weak:
            return self._as_before(case.finding, outcome)
        self._findings -= 1
        self._trials = MOST_TRIALS
        return self._of_callee(case, outcome)

    def _believed(self, cure: Candidate, outcome: MemberOutcome) -> Candidate:
        """A cure with which a member verifies, for its other findings and for its callers.

        The same edit is told in the same words, if it was a weak one for another finding.
        """
        if self._whole is not None and self._whole.edits == cure.edits:
            cure = replace(cure, said=self._whole.said)
        self._whole = cure
        if not cure.within:
            self._contracts[outcome.name] = cure
        return cure

    def _of_callee(self, case: Case, outcome: MemberOutcome) -> Finding | None:
        """The cure of a callee that asks for too much, where it mends its caller as well."""
        callee = _callee(case)
        cure = None if callee is None else self._contracts.get(callee)
        seen = None if cure is None else self._seen(cure, case.finding, outcome)
        if cure is None or seen is None or not seen.verified:
            return None
        self._whole = cure
        return _with(case, cure, f"`{outcome.name}` verifies", verified=True)

    def _with_promise(self, told: Finding, case: Case, outcome: MemberOutcome) -> Finding:
        """Another promise with which all verifies, too: the reader knows which one is wrong."""
        if told.advice == case.finding.advice and not case.finding.general:
            return told  # the cause is known
        self._trials = MORE_TRIALS
        alone = told.advice == case.finding.advice
        for candidate in promised_otherwise(case, alone=alone):
            seen = self._seen(candidate, case.finding, outcome) if self._goes_on else None
            if seen is not None and seen.verified and not seen.callers:
                if (told.advice or IF_TRUE).startswith(IF_TRUE):
                    return _with(case, candidate, f"`{outcome.name}` verifies", verified=True)
                joined = "; or, " if told.advice else ""
                return replace(told, advice=f"{told.advice or ''}{joined}{candidate.said}")
        return told

    def _with_whole(self, told: Finding, outcome: MemberOutcome) -> Finding:
        """A finding that was looked at before the cure was known with which all go away."""
        cure = self._whole
        if cure is None or cure.weak or any(known.edits == cure.edits for known in told.cures):
            return told
        if "verifies" in (told.advice or ""):
            return told
        before = next((f for f in outcome.findings if _place_of(f) == _place_of(told)), told)
        return self._as_before(before, outcome)

    def _as_before(self, finding: Finding, outcome: MemberOutcome) -> Finding:
        """The cure of an earlier finding of the member, which makes all of them go away."""
        program, cure = self._front.program, self._whole
        if cure is None or program is None:
            return finding
        return _with(case_of(finding, program), cure, f"`{outcome.name}` verifies", verified=True)

    def _with_bodies(self, finding: Finding) -> Finding:
        """Which bodies of a pure method of an interface fail: each is tried for its class alone."""
        program = self._front.program
        function = None if program is None else program.functions.get(finding.member)
        noted = [note for note in finding.notes if note.startswith(ONE_OF)]
        if program is None or function is None or not noted:
            return finding
        bodies, told = bodies_of(function.body), list[str]()
        for condition, body in bodies:
            others = [c for c, _ in bodies if c is not None and c is not condition]
            wanted = [condition] if condition is not None else []
            wanted += [x.Not(c, span=c.span) for c in others] if condition is None else []
            alone = replace(function, preconditions=(*function.preconditions, *wanted))
            tried = replace(program, functions={**program.functions, function.name: alone})
            done = self._done(_alone(tried, function.name))
            found = next((m for m in done.members if m.name == function.name), None)
            if found is not None and found.findings:
                told.append(body_place(body, function.name))
        if not told or len(told) == len(bodies):
            return finding
        note = f"this fails for {' and '.join(told)}"
        return replace(finding, notes=tuple([note if n in noted else n for n in finding.notes]))

    def _with_hidden(self, finding: Finding) -> Finding:
        """A note about bodies of other classes stays where the claim would follow from them."""
        program = self._front.program
        noted = [note for note in finding.notes if BY_CONTRACT in note]
        if program is None or not noted or finding.member not in program.methods:
            return finding
        tried = with_all_bodies(_alone(program, finding.member), finding.member)
        done = self._done(tried)
        found = next((m for m in done.members if m.name == finding.member), None)
        left = () if found is None else found.findings
        if not any(other.span == finding.span and other.error == finding.error for other in left):
            return finding
        return replace(finding, notes=tuple([n for n in finding.notes if n not in noted]))

    def _broken(self, case: Case) -> str | None:
        """Where a formula applies a function that has errors of its own: these come first."""
        program, part = self._front.program, case.part
        if part is None or program is None or case.finding.reason != "assertion.false":
            return None
        for node in descendants(part):
            if isinstance(node, FunctionApp) and self._has_errors(node.function, case):
                line = program.functions[node.function].span.line
                return (
                    f"nothing is known of `{text_of(node)}`, as `{node.function}` (line {line}) "
                    "has an error of its own: mend that first"
                )
        return None

    def _has_errors(self, name: str, case: Case) -> bool:
        """Whether a function is refuted; one that stands further down is looked at now."""
        program, member = self._front.program, case.member
        if name in self._refuted or program is None or member is None or name == member.name:
            return name in self._refuted
        if program.functions[name].span.start < member.span.start:
            return False
        after = self._verified((), name)
        found = [] if after is None else [m for m in after.members if m.name == name]
        return any(m.verdict is Verdict.REFUTED for m in found)

    def _contradicted(self, case: Case) -> str | None:
        """Where a formula applies a function of a domain whose axioms contradict each other."""
        program, part = self._front.program, case.part
        if part is None or program is None or case.finding.reason != "assertion.false":
            return None
        used = {node.domain for node in descendants(part) if isinstance(node, x.DomainApp)}
        if not used or not any(program.domains[name].axioms for name in used):
            return None
        from pitviper.driver.verify import axioms  # for these programs only

        if self._axioms is None:
            self._axioms = axioms.contradictory(program)
        own = [d.name for d in program.domains.values() if set(d.axioms) & set(self._axioms)]
        if not used & set(own):
            return None
        told = axioms.contradiction(self._axioms)
        return f"{told}, so that anything may follow from them: mend them first"

    def _seen(self, cure: Candidate, finding: Finding, outcome: MemberOutcome) -> _Seen | None:
        """What a cure does, None where it does not help or does harm."""
        after = self._verified(cure.edits, None if not cure.within else outcome.name)
        if after is None:
            return None
        callers = () if cure.within else self._callers_that_fail(after, outcome.name)
        if callers is None:
            return None
        found = next((m for m in after.members if m.name == outcome.name), None)
        if found is None or found.undecided or found.crash is not None:
            return None
        if len(found.warnings) > len(outcome.warnings):
            return None
        before, left = _keys(outcome.findings), _keys(found.findings)
        if left[_key(finding)] >= before[_key(finding)]:
            return None
        new = left - before
        if new and not (cure.further and left.total() <= before.total()):
            return None
        if any(key[0] == finding.id for key in new):  # the same one, in other words
            return None
        if cure.never and self._is_never(cure, outcome.name):
            return None
        if not cure.narrows and self._makes_no_sense(cure, outcome.name):
            return None
        verified = found.verdict is Verdict.VERIFIED
        if callers and not verified:
            return None
        return _Seen(verified, left, callers)

    def _is_never(self, cure: Candidate, name: str) -> bool:
        """Whether no run comes to the place, or to the test, that a cure makes."""
        after = self._verified(cure.never, name)
        found = [] if after is None else [m for m in after.members if m.name == name]
        asserted = cure.never[-1].text.strip().rstrip(";").removeprefix("assert ")
        reached = [
            finding
            for member in found
            for finding in member.findings
            if finding.error == "assert.failed" and finding.span.text == asserted
        ]
        places = [edit for edit in cure.never if edit.text.strip().startswith("assert ")]
        return len(reached) < max(len(places), 1)

    def _makes_no_sense(self, cure: Candidate, name: str) -> bool:
        """Whether a cure takes a case away that the member tells apart, or its result."""
        program, after = self._front.program, self._read(cure.edits).program
        before, now = _member(program, name), _member(after, name)
        if program is None or after is None or before is None or now is None:
            return False
        if before.body == now.body and before.preconditions == now.preconditions:
            return False
        if endless_loops(now) and before.body != now.body:
            return True
        if same_branches(now) > same_branches(before) or is_emptied((program, name), after):
            return True
        if cases_of(before) == cases_of(now):
            return False
        if self._unmet.get(name) is None:
            self._unmet[name] = self._cases_not_met(program, name)
        (all_before, old), (all_now, new) = self._unmet[name], self._cases_not_met(after, name)
        return len(new) > len(old) if all_now != all_before else bool(new - old)

    def _cases_not_met(self, program: Program, name: str) -> tuple[int, frozenset[int]]:
        """How many cases a member has, and which of them no run comes to, by their order."""
        probe = probing(program, name)
        if probe is None:
            return 0, frozenset()
        probed, method, places = probe
        self._trials -= 1
        done = self._done(_alone(probed, method))
        found = [f for m in done.members if m.name == method for f in m.findings]
        never = {f.span for f in found if f.error == "refute.failed"}
        return len(places), frozenset([at for at, span in enumerate(places) if span in never])

    def _callers_that_fail(self, after: Verification, name: str) -> tuple[str, ...] | None:
        """Members whose calls of the edited one fail by what it asks for now.

        None where another one has a finding, question or warning of another kind that it has not
        without.
        """
        if self._others is None:
            self._others = self._verified((), None)
        if self._others is None:
            return None
        known = {m.name: m for m in self._others.members if m.name != name}
        callers = list[str]()
        for member in after.members:
            before = known.get(member.name)
            if member.name == name:
                continue
            if before is None or member.undecided or len(member.warnings) > len(before.warnings):
                return None
            more = _keys(member.findings) - _keys(before.findings)
            new = [finding for finding in member.findings if _key(finding) in more]
            if not all(_is_of_call(finding, name) for finding in new):
                return None
            callers += [member.name] if new else []
        return tuple(callers)

    def _of_pool(self, pool: Pool, finding: Finding, outcome: MemberOutcome) -> Candidate | None:
        """The fewest clauses of a pool that help, once those that do not hold are dropped."""
        clauses = list(pool.clauses)
        while clauses and self._goes_on:
            bad = self._not_holding(pool, clauses, outcome)
            if bad is None:
                return None
            if not bad:
                break
            clauses = [clause for at, clause in enumerate(clauses) if at not in bad]
        if not clauses or self._seen(_with_clauses(pool, clauses), finding, outcome) is None:
            return None
        for clause in reversed(clauses.copy()):
            fewer = [one for one in clauses if one is not clause]
            if not fewer or not self._goes_on:
                break
            seen = self._seen(_with_clauses(pool, fewer), finding, outcome)
            whole = self._seen(_with_clauses(pool, clauses), finding, outcome)
            if seen is not None and whole is not None and seen.left <= whole.left:
                clauses = fewer
        return _with_clauses(pool, clauses)

    def _not_holding(
        self, pool: Pool, clauses: list[str], outcome: MemberOutcome
    ) -> set[int] | None:
        """Which clauses are not established, not kept or make no sense; None where all is lost."""
        cure = _with_clauses(pool, clauses)
        after = self._verified(cure.edits, outcome.name)
        if after is None:
            return self._unreadable(pool, clauses, outcome)
        found = next((m for m in after.members if m.name == outcome.name), None)
        if found is None or found.crash is not None:
            return None
        starts = list[tuple[int, int]]()
        for edit in cure.edits:
            at = starts[-1][1] if starts else edit.span.start
            starts.append((at, at + len(edit.text)))
        return {
            number
            for number, (start, end) in enumerate(starts)
            for one in (*found.findings, *found.undecided)
            if start <= (_place(one)) < end
        }

    def _unreadable(
        self, pool: Pool, clauses: list[str], outcome: MemberOutcome
    ) -> set[int] | None:
        """Which clauses the front end refuses: names that are not known there, or types."""
        bad = {
            number
            for number, clause in enumerate(clauses)
            if self._read(_with_clauses(pool, [clause]).edits).program is None
        }
        return bad or None

    def _read(self, edits: Edits) -> FrontEnd:
        source = self._front.source
        text = edited(source.text, edits)
        return load_text(text, str(source.path), self._options.check, self._library)

    def _verified(self, edits: Edits, only: str | None) -> Verification | None:
        """The verification of the edited text; None where that is no program."""
        text = edited(self._front.source.text, edits)
        key = f"{only} {text}"
        if key not in self._known:
            self._trials -= 1
            self._known[key] = self._verify(edits, only)
        return self._known[key]

    def _verify(self, edits: Edits, only: str | None) -> Verification | None:
        front = self._read(edits)
        if front.language is not None and self._options.backend != "symbolic":
            front = completed(front, self._options)
        if front.program is None or self._warns_of_more(front):
            return None
        return self._done(front.program if only is None else _alone(front.program, only))

    def _warns_of_more(self, front: FrontEnd) -> bool:
        """Whether an edit brings what the front end warns of: a function that never ends promises
        whatever one likes."""
        before, after = [
            Counter([d.code for d in each.diagnostics]) for each in (self._front, front)
        ]
        return bool(after - before)

    def _done(self, program: Program) -> Verification:
        from pitviper.driver.verify.sessions import Sessions

        limit = min(self._options.limit, LIMIT)
        engine, plugins = self._options.engine, self._options.plugins
        with Sessions(limit) as sessions:
            done = verify_program(program, engine, plugins, sessions)
        self._resources -= sessions.resources
        return done


def _member(program: Program | None, name: str) -> Method | Function | None:
    if program is None:
        return None
    return program.methods.get(name) or program.functions.get(name)


def _alone(program: Program, name: str) -> Program:
    """A member with what it depends on; of other methods that is the contract."""
    chosen = select_members(program, [name])
    methods = {
        method.name: method if method.name == name else replace(method, body=None)
        for method in chosen.methods.values()
    }
    return select_members(replace(chosen, methods=methods), [name])


def _place(one: object) -> int:
    span = getattr(one, "span", None)
    return -1 if span is None else span.start


def _with_clauses(pool: Pool, clauses: Iterable[str]) -> Candidate:
    chosen = list(clauses)
    said = " and ".join([f"`invariant {clause}`" for clause in chosen])
    return Candidate(invariants(pool.loop, chosen), f"{pool.lead}: add {said}")


def _with(case: Case, cure: Candidate, seen: str, *, verified: bool) -> Finding:
    """The finding with what was seen, and for which values it fails, where that is known."""
    finding = case.finding
    cure = replace(cure, said=spoken(cure.said, finding.span))
    advice, cause = chosen(finding, cure, seen, verified=verified)
    if "\\" not in finding.span.file.text:
        advice = advice.replace("\\", "/")
    told = advice != finding.advice and cure.said in advice and cure.values
    notes = [cause, false_for(case) if told else None]
    harmless = cure.within and adds_to_proof(cure.edits, case.member)
    seen_to_work = Cure(cure.said, cure.edits, harmless=harmless)
    others = [each for each in finding.cures if each.edits != cure.edits]
    is_open = "`...`" in cure.said  # a value is left to the reader
    return replace(
        finding,
        notes=(*finding.notes, *[note for note in notes if note]),
        advice=advice,
        cures=tuple(others) if is_open else (seen_to_work, *others),
    )


def _in_part(
    case: Case,
    best: tuple[Candidate, _Seen] | None,
    asking: tuple[Candidate, _Seen] | None,
    name: str,
) -> Finding:
    """The finding with a cure that does not mend all: callers or other findings are left."""
    finding = case.finding
    if asking is not None and (best is None or finding.general):
        return _asking_callers(case, *asking, name)
    if best is None:
        return finding
    left = best[1].left.total()
    others = "another one stays" if left == 1 else f"{left} others stay"
    return _with(case, best[0], f"this error is gone ({others})", verified=False)


def _asking_callers(case: Case, cure: Candidate, seen: _Seen, name: str) -> Finding:
    """The finding with a cure that makes its member right, and asks more of those who call it."""
    finding = case.finding
    *some, last = [f"`{caller}`" for caller in seen.callers]
    callers = f"{', '.join(some)} and {last}" if some else last
    told = (
        f"`{name}` verifies, and {callers}, which {'do' if some else 'does'} not give that yet, "
        f"{'have' if some else 'has'} to be changed as well"
    )
    cure = replace(cure, said=spoken(cure.said, finding.span), assumes=False)
    advice, _ = chosen(finding, cure, told, verified=True)
    if advice == finding.advice:
        advice = f"{cure.said}; with that, {told}"
    return replace(finding, advice=advice)


def _callee(case: Case) -> str | None:
    """The member whose precondition fails, if one does."""
    match case.finding.error, case.construct:
        case "call.precondition", s.MethodCall(method):
            return method
        case "application.precondition", FunctionApp(function):
            return function
        case _:
            return None


def _is_of_call(finding: Finding, name: str) -> bool:
    """Whether a call or application of a member lacks what that asks for."""
    errors = ("call.precondition", "application.precondition")
    is_call = re.search(rf"(?<![\w$]){re.escape(name)}\s*\(", finding.span.text) is not None
    return finding.error in errors and is_call


def _begins(told: Finding, finding: Finding) -> bool:
    """Whether the advice says what it said, and that it was seen to work."""
    return (told.advice or "").startswith(finding.advice or " ")


def _place_of(finding: Finding) -> tuple[str, Span, Span | None]:
    return finding.id, finding.span, finding.offending


def _key(finding: Finding) -> tuple[str, str, str]:
    offending = finding.offending or finding.span
    return finding.id, finding.span.text, offending.text


def _keys(findings: Iterable[Finding]) -> Counter[tuple[str, str, str]]:
    return Counter([_key(finding) for finding in findings])
