"""Engines at work on one program, member by member, in this process."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence

from pitviper.base.record import field, record, replace
from pitviper.base.usage_error import UsageError
from pitviper.driver.verify.options import Both, EngineOptions, SymbolicOptions, VcgOptions
from pitviper.driver.verify.sessions import Sessions
from pitviper.engines.shared.members import Member, MemberResult
from pitviper.engines.symbolic.verifier import start, verify_member
from pitviper.explain import findings
from pitviper.program.member import Program
from pitviper.program.rooms import OUTSIDE, has_rooms, known_from, rooms_of, seen_with
from pitviper.results.verdict import Crash, MemberAnswer, Undecided
from pitviper.results.wording import kind_text
from pitviper.solver.session import Solver
from pitviper.source.span import NO_SPAN
from pitviper.terms.serialise import terms_from_text, terms_to_text
from pitviper.terms.term import Term


@record
class Job:
    """What all members of a run share, wherever they are verified.

    `program` is in the core language; `limit` is what a proof obligation may cost.
    """

    program: Program
    options: EngineOptions
    limit: int


@record
class _Engine:
    """A verifier on a program; `axioms` are what the functions that it has verified define."""

    verify: Callable[[Member], MemberResult]
    axioms: dict[str, tuple[Term, ...]]
    functions_before: Callable[[Member], Iterable[str]]


@record
class _Room:
    """Engines on the program as it is seen from a class.

    `states` has the one that is asked what is held where permission is missing, once it was.
    """

    program: Program
    engines: list[_Engine]
    states: list[_Engine] = field(default_factory=list)


class MemberVerifier:
    """Where members are verified one after the other, functions before what applies them.

    What a function defines is known to later members here; other verifiers `learn` it as text.
    """

    def __init__(self, job: Job, sessions: Sessions) -> None:
        self._sessions = sessions
        self._program = job.program
        self._options = job.options
        self._has_rooms = has_rooms(job.program)
        self._known: dict[str, frozenset[str]] = {}
        """The rooms that a room knows."""
        self._rooms: dict[frozenset[str], _Room] = {}
        """Engines by what they know: rooms that know the same share them."""
        if not self._has_rooms:
            self._room(OUTSIDE)

    def _rooms_of(self, member: str) -> tuple[str, ...]:
        """The classes in which a member is verified; one room in a program without classes."""
        return rooms_of(self._program, member) if self._has_rooms else (OUTSIDE,)

    def _room(self, name: str) -> _Room:
        """The engines that know what a class sees; in a program without classes, that is all."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = known_from(self._program, name)
        found = self._rooms.get(known)
        if found is None:
            program = seen_with(self._program, known) if self._has_rooms else self._program
            found = self._rooms[known] = _Room(program, self._start(program))
        return found

    def _start(self, program: Program) -> list[_Engine]:
        options = self._options
        if isinstance(options, Both):
            return [
                _symbolic(program, options.symbolic, self._open),
                _vcg(program, options.vcg, self._open),
            ]
        if isinstance(options, VcgOptions):
            return [_vcg(program, options, self._open)]
        return [_symbolic(program, options, self._open)]

    def _know_others(self, room: _Room, member: Member, name: str) -> None:
        """What the contracts of other rooms promise: their functions are verified without bodies.

        Whether these contracts make sense is told where they belong.
        """
        for engine in room.engines:
            for function in engine.functions_before(member):
                other = room.program.functions[function]
                foreign = self._rooms_of(function) != (name,)
                if foreign and function not in engine.axioms:
                    self._attempt(engine, other)

    def verify(self, name: str, sessions: Sessions | None = None) -> MemberAnswer:
        """What the engine says about a member, or why it says nothing."""
        if sessions is not None:
            self._sessions = sessions
        return in_all([self._verify_in(room, name) for room in self._rooms_of(name)])

    def _verify_in(self, own: str, name: str) -> MemberAnswer:
        """What the engine says about a member as a class sees it."""
        room = self._room(own)
        member = member_of(room.program, name)
        if self._has_rooms:
            self._know_others(room, member, own)
        parts = [self._attempt(engine, member) for engine in room.engines]
        if len(parts) == 1:
            return self._told(room, member, parts[0])
        from pitviper.driver.verify.disagreement import agreed

        options = self._options
        inferring = isinstance(options, Both) and options.symbolic.infer_ghost
        return agreed(member, *parts, inferring=inferring)

    def _told(self, room: _Room, member: Member, answer: MemberAnswer) -> MemberAnswer:
        """The answer of vcg with what symbolic execution holds where permission is missing."""
        options = self._options
        if not isinstance(options, VcgOptions) or not options.told or not answer.findings:
            return answer
        from pitviper.driver.verify.disagreement import is_silent, told_of_states

        if not any(is_silent(finding) for finding in answer.findings):
            return answer
        if not room.states:
            same = SymbolicOptions(respect_function_amounts=options.respect_function_amounts)
            room.states.append(_symbolic(room.program, same, self._open))
        engine = room.states[0]
        for function in engine.functions_before(member):
            if function not in engine.axioms:
                self._attempt(engine, room.program.functions[function])
        other = self._attempt(engine, member)
        findings = told_of_states(answer.findings, other.findings)
        return replace(answer, findings=findings, seconds=answer.seconds + other.seconds)

    def _attempt(self, engine: _Engine, member: Member) -> MemberAnswer:
        began = time.perf_counter()
        try:
            self._sessions.require_going()
            kind = kind_text(type(member).__name__.lower(), member.span)
            title = f"{kind} {member.name} ({member.span})"
            if member.span == NO_SPAN:
                title = "what the language brings along"
            self._sessions.note(title)
            result = engine.verify(member)
        except UsageError:  # a log that cannot be written: no member can help that
            raise
        except Exception as error:
            lasted = time.perf_counter() - began
            stopped = self._sessions.stopped
            if stopped is not None:  # whatever the solver then says or raises
                return MemberAnswer(undecided=(Undecided(member.span, stopped),), seconds=lasted)
            if isinstance(error, MemoryError):
                why = str(error) or "there is not enough memory"
                return MemberAnswer(undecided=(Undecided(member.span, why),), seconds=lasted)
            return MemberAnswer(crash=Crash.of(error), seconds=lasted)
        finally:
            self._sessions.close()
        lasted = time.perf_counter() - began
        return MemberAnswer(
            result.findings,
            result.undecided,
            result.warnings,
            seconds=lasted,
            inferred=result.inferred,
        )

    def earned(self, name: str) -> str | None:
        """What others may know about a function that was verified here; None for other members."""
        rooms = self._rooms_of(name)
        if len(rooms) > 1:  # each class knows something else of it
            return None
        known = [engine.axioms.get(name) for engine in self._room(rooms[0]).engines]
        if all(axioms is None for axioms in known):
            return None
        return json.dumps([None if axioms is None else terms_to_text(axioms) for axioms in known])

    def learn(self, name: str, earned: str) -> None:
        """Know what was earned elsewhere."""
        (room,) = self._rooms_of(name)
        for engine, text in zip(self._room(room).engines, json.loads(earned), strict=True):
            if text is not None and name not in engine.axioms:
                engine.axioms[name] = terms_from_text(text)

    def _open(self) -> Solver:
        return self._sessions.open()


def _symbolic(program: Program, options: SymbolicOptions, new: Callable[[], Solver]) -> _Engine:
    run = start(program, options, new, findings)
    before = run.dependencies.functions_before
    return _Engine(lambda member: verify_member(run, member), run.axioms, before)


def _vcg(program: Program, options: VcgOptions, new: Callable[[], Solver]) -> _Engine:
    from pitviper.engines.vcg import verifier as vcg

    run = vcg.start(program, options, new)
    before = run.dependencies.functions_before
    return _Engine(lambda member: vcg.verify_member(run, member), run.axioms, before)


def in_all(answers: Sequence[MemberAnswer]) -> MemberAnswer:
    """What is known of a member that several classes define: all that is found in one of them."""
    if len(answers) == 1:
        return answers[0]
    return MemberAnswer(
        tuple(dict.fromkeys([found for each in answers for found in each.findings])),
        tuple(dict.fromkeys([open_ for each in answers for open_ in each.undecided])),
        tuple(dict.fromkeys([told for each in answers for told in each.warnings])),
        next((each.crash for each in answers if each.crash is not None), None),
        sum([each.seconds for each in answers]),
        tuple(dict.fromkeys([step for each in answers for step in each.inferred])),
    )


def member_of(program: Program, name: str) -> Member:
    """The member that has a name; KeyError for another."""
    found = program.methods.get(name) or program.functions.get(name)
    return program.predicates[name] if found is None else found
