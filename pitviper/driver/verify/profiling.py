"""Notes what every question to the solver costs, for `--profile`.

NOTE(instances). Z3 tells how often it instantiated a quantifier only by writing that to standard
error, where the quantifier is dropped. So standard error is read while a session is open; nothing
else writes there in that time, for profiles are made in one process and without a progress bar.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from pitviper.base.record import field, struct
from pitviper.base.scratch import scratch_file
from pitviper.results.profile import MemberProfile, PlaceCost, QuantifierCost
from pitviper.solver.session import ASSERT, Answer, Path
from pitviper.solver.z3.options import Z3Options
from pitviper.solver.z3.session import Z3Session
from pitviper.terms.term import Term

_INSTANCES = re.compile(
    r"^\[quantifier_instances\]\s+(?P<name>.+?)\s*:\s*(?P<count>\d+)\s*:", re.MULTILINE
)
_PLACE = re.compile(r"(?P<file>.*)@(?P<line>\d+)\.\d+(--.*)?")

NEARLY_ALL = 0.9
"""A proof that needs more than this part of its limit is told: it may be lost by little."""


@struct
class _Cost:
    questions: int = 0
    proved: int = 0
    exhausted: int = 0
    barely: int = 0
    resources: int = 0
    seconds: float = 0.0


@struct
class _Notes:
    """What one session cost."""

    places: dict[str, _Cost] = field(default_factory=dict)
    axioms: float = 0.0
    instances: dict[str, int] = field(default_factory=dict)


class Profiler:
    """Opens sessions that take notes; `members` are the profiles so far."""

    def __init__(self) -> None:
        self.members: list[MemberProfile] = []
        self._title = ""
        self._began = time.perf_counter()

    def started(self, title: str) -> None:
        """What comes next is about a member."""
        self._title = title
        self._began = time.perf_counter()

    def session(self) -> Z3Session:
        return _ProfiledSession(self)

    def finished(self, notes: _Notes) -> None:
        """The session of the member is closed."""
        lasted = time.perf_counter() - self._began
        costs = notes.places.values()
        self.members.append(
            MemberProfile(
                self._title,
                lasted,
                sum(cost.seconds for cost in costs),
                notes.axioms,
                sum(cost.questions for cost in costs),
                sum(cost.resources for cost in costs),
                _by_line(notes.places),
                _by_instances(notes.instances),
            )
        )


class _ProfiledSession(Z3Session):
    """A session that notes the cost of everything it is asked."""

    def __init__(self, profiler: Profiler) -> None:
        self._profiler = profiler
        self._notes = _Notes()
        self._told = False
        self._errors = _StandardError()
        super().__init__(Z3Options(profile=True))

    def entails(self, path: Path, goal: Term, limit: int = ASSERT, name: str = "") -> Answer:
        before, start = self.statistics().resources, time.perf_counter()
        answer = super().entails(path, goal, limit, name)
        cost = self._notes.places.setdefault(name, _Cost())
        used = self.statistics().resources - before
        cost.seconds += time.perf_counter() - start
        cost.resources += used
        cost.questions += 1
        cost.proved += answer.proved
        cost.exhausted += answer.exhausted
        cost.barely += answer.proved and used > NEARLY_ALL * limit
        return answer

    def declare(self, axioms: Sequence[Term]) -> None:
        start = time.perf_counter()
        super().declare(axioms)
        self._notes.axioms += time.perf_counter() - start

    def close(self) -> None:
        super().close()
        if not self._told:
            self._told = True
            for found in _INSTANCES.finditer(self._errors.taken()):
                name, count = found["name"], int(found["count"])
                self._notes.instances[name] = self._notes.instances.get(name, 0) + count
            self._profiler.finished(self._notes)


class _StandardError:
    """Standard error of the process, read from now on until it is taken."""

    def __init__(self) -> None:
        with suppress(OSError, ValueError):  # a standard error that is full or gone
            sys.stderr.flush()
        self._file = scratch_file()  # `taken` closes it
        self._kept = os.dup(2)
        os.dup2(self._file.fileno(), 2)

    def taken(self) -> str:
        """What was written; whatever is not about quantifiers is passed on, if that can be."""
        os.dup2(self._kept, 2)
        os.close(self._kept)
        with self._file as file:
            file.seek(0)
            text = file.read().decode(errors="replace")
        others = [line for line in text.splitlines() if not line.startswith("[quantifier")]
        with suppress(OSError, ValueError):  # nobody hears it, and that changes no answer
            sys.stderr.write("".join(f"{line}\n" for line in others))
        return text


def _by_line(places: dict[str, _Cost]) -> tuple[PlaceCost, ...]:
    lines: dict[tuple[str, int], _Cost] = {}
    for name, cost in places.items():
        found = _PLACE.fullmatch(name)
        place = (found["file"], int(found["line"])) if found else (name, 0)
        total = lines.setdefault(place, _Cost())
        total.questions += cost.questions
        total.proved += cost.proved
        total.exhausted += cost.exhausted
        total.barely += cost.barely
        total.resources += cost.resources
        total.seconds += cost.seconds
    costs = [
        PlaceCost(file, line, c.questions, c.proved, c.exhausted, c.barely, c.resources, c.seconds)
        for (file, line), c in lines.items()
    ]
    return tuple(sorted(costs, key=lambda c: (-c.resources, c.file, c.line)))


def _by_instances(instances: dict[str, int]) -> tuple[QuantifierCost, ...]:
    found = [QuantifierCost(name, count) for name, count in instances.items() if count]
    return tuple(sorted(found, key=lambda q: (-q.instances, q.name)))
