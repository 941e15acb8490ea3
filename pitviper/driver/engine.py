"""An engine at work on one program, member by member, in this process."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass

from pitviper.driver.grouping import Part
from pitviper.driver.sessions import Sessions
from pitviper.program.member import Program
from pitviper.results.member import Crash, Undecided
from pitviper.solver.session import Solver
from pitviper.symbolic.options import Options
from pitviper.symbolic.verifier import Member, start, verify_member
from pitviper.terms.data import terms_from_text, terms_to_text


@dataclass(frozen=True, slots=True)
class Job:
    """What all members of a run share, wherever they are verified.

    `program` is in the core language; `limit` is what a proof obligation may cost.
    """

    program: Program
    options: Options
    limit: int


class Site:
    """Where members are verified one after the other, functions before what applies them.

    What a function defines is known to later members of this site; others `learn` it as text.
    """

    def __init__(self, job: Job, sessions: Sessions) -> None:
        self._sessions = sessions
        self._run = start(job.program, job.options, self._open)

    def verify(self, name: str, sessions: Sessions | None = None) -> Part:
        """What the engine says about a member, or why it says nothing."""
        if sessions is not None:
            self._sessions = sessions
        began = time.perf_counter()
        member = member_of(self._run.program, name)
        try:
            self._sessions.require_going()
            title = f"{type(member).__name__.lower()} {member.name} ({member.span})"
            self._sessions.note(title)
            result = verify_member(self._run, member)
        except Exception as error:
            lasted = time.perf_counter() - began
            stopped = self._sessions.stopped
            if stopped is not None:  # whatever the solver then says or raises
                return Part(undecided=(Undecided(member.span, stopped),), seconds=lasted)
            return Part(crash=_crash(error), seconds=lasted)
        finally:
            self._sessions.close()
        undecided = tuple([Undecided(u.span, u.message) for u in result.undecided])
        lasted = time.perf_counter() - began
        return Part(
            result.findings, undecided, result.warnings, seconds=lasted, inferred=result.inferred
        )

    def earned(self, name: str) -> str | None:
        """What others may know about a function that was verified here; None for other members."""
        axioms = self._run.axioms.get(name)
        return None if axioms is None else terms_to_text(axioms)

    def learn(self, name: str, earned: str) -> None:
        """Know what was earned elsewhere."""
        if name not in self._run.axioms:
            self._run.axioms[name] = terms_from_text(earned)

    def _open(self) -> Solver:
        return self._sessions.open()


def member_of(program: Program, name: str) -> Member:
    """The member that has a name; KeyError for another."""
    found = program.methods.get(name) or program.functions.get(name)
    return program.predicates[name] if found is None else found


def _crash(error: Exception) -> Crash:
    said = traceback.format_exception_only(error)[-1].strip()
    return Crash(said, "".join(traceback.format_exception(error)))
