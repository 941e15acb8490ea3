"""A recorded proof as a walk: symbolic states step by step, forwards, backwards, on every way.

`launch` says what is walked through: a member, or a failed proof. The same walk as that of a kept
test, so that one debug adapter serves both.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pitviper.base.record import record
from pitviper.base.usage_error import UsageError
from pitviper.driver.debug.cursor import MemberRecord, record_member
from pitviper.driver.front.frontend import load
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import member_at
from pitviper.results.cursor import HeldAt, StateAt, Track
from pitviper.results.debugging import Problem, Reply
from pitviper.results.steps import Ending, Evaluated, Frame, Scope, Shown, Step, Walk

Show = Callable[[Reply], str]
"""An answer of the proof debugger as text."""


@record
class Launch:
    """What is walked through: a member by its name or a line of it.

    `proof` is the number of a failed check of the member, from 0: its way is taken, up to the
    step that fails.
    """

    program: Path
    member: str | None = None
    line: int | None = None
    proof: int | None = None


def walk_through(launch: Launch, options: VerifyOptions, show: Show) -> SymbolicWalk:
    """Records what was launched; UsageError where there is nothing to walk through."""
    front = load(launch.program, options.check)
    if front.program is None:
        raise UsageError(f"{launch.program} has errors: {front.errors[0].message}")
    name = launch.member
    if name is None and launch.line is not None:
        if not 1 <= launch.line <= front.source.line_count:
            raise UsageError(f"{launch.program} has no line {launch.line}")
        text = front.source.line_text(launch.line)
        indent = len(text) - len(text.lstrip())
        name = member_at(front, front.source.offset(launch.line, indent + 1))
    if name is None:
        raise UsageError('no member was named: launch with "member" or "line"')
    record = record_member(front, name, options)
    if record is None:
        raise UsageError(f"there is no member {name} in {launch.program}")
    return SymbolicWalk(record, show, launch.proof)


class SymbolicWalk(Walk):
    """A walk through the states of one member; `take` chooses another way."""

    def __init__(self, record: MemberRecord, show: Show, proof: int | None = None) -> None:
        self._record = record
        self._show = show
        self._tracks = record.tracks()
        if not self._tracks:
            raise UsageError(f"nothing was recorded of {record.name}: {record.trouble}")
        self._way = 0
        super().__init__((), Ending(""), self._value)
        self.take(0)
        if proof is not None:
            self._go_to_proof(proof)

    def _go_to_proof(self, proof: int) -> None:
        failing = [(n, t) for n, t in enumerate(self._tracks) if _problem_at(t) is not None]
        if not 0 <= proof < len(failing):
            known = f"it has {len(failing)}" if failing else "nothing fails there"
            raise UsageError(f"{self._record.name} has no failed check {proof}: {known}")
        way, track = failing[proof]
        self.take(way)
        self.at = _problem_at(track) or 0

    # ------------------------------------------------------------ ways

    def ways(self) -> tuple[str, ...]:
        return tuple([" and ".join(t.conditions) or "the only way" for t in self._tracks])

    @property
    def way(self) -> int:
        return self._way

    def take(self, way: int) -> None:
        before, after = self._tracks[self._way], self._tracks[way]
        common = 0
        for a, b in zip(before.steps, after.steps, strict=False):
            if a.number != b.number:
                break
            common += 1
        self._way = way
        name = self._record.name
        self.steps = tuple(
            [
                Step(name, step.span, (Frame(name, step.span, at),), (), ())
                for at, step in enumerate(after.steps)
            ]
        )
        number = after.steps[-1].number
        whole = self._record.trouble is None
        self.ending = Ending(after.ending, self._record.finding(number), whole)
        self.at = max(0, min(self.at, common - 1))

    def places(self) -> frozenset[Frame]:
        name, steps = self._record.name, [step for t in self._tracks for step in t.steps]
        return frozenset([Frame(name, step.span, 0) for step in steps])

    def sides(self) -> tuple[tuple[int, str], ...]:
        """Ways that share all steps up to this one, one for each place that comes next."""
        here = [s.number for s in self._tracks[self._way].steps[: self.at + 1]]
        found: dict[int, tuple[int, str]] = {}
        for way, track in enumerate(self._tracks):
            numbers = [s.number for s in track.steps]
            if numbers[: len(here)] == here and len(numbers) > len(here):
                following = track.steps[len(here)]
                text = f"line {following.span.line}: {following.text}"
                found.setdefault(following.number, (way, text))
        return tuple(found.values())

    # ------------------------------------------------------------ what there is to see

    def _number(self, step: int) -> int:
        return self._tracks[self._way].steps[step].number

    def state(self, step: int) -> StateAt | None:
        """Returns the state in front of a step of this way."""
        return self._record.view(self._number(step))

    def scopes(self, step: int) -> tuple[Scope, ...]:
        state = self.state(step)
        if state is None:
            return ()
        store = tuple([Shown(name, value) for name, value in state.store])
        olds = tuple([Shown(label, _count(heap), _held(heap)) for label, heap in state.old_heaps])
        known = (*state.conditions, *state.facts)
        facts = tuple([Shown(str(n), text) for n, text in enumerate(known)])
        return (
            Scope("Store", "locals", store),
            Scope("Heap", "heap", _held(state.heap)),
            Scope("Old heaps", "heap", olds),
            Scope("Path conditions", "conditions", facts),
        )

    def _value(self, step: int, text: str) -> Evaluated:
        """The value of an expression in the state of a step; of a claim, whether it is proved."""
        state = self.state(step)
        if state is not None:
            for name, value in state.store:
                if name == text.strip():
                    return Evaluated(value)
        found = self._record.value(self._number(step), text)
        return Evaluated(problem=found.message) if isinstance(found, Problem) else Evaluated(found)

    def console(self, line: str) -> Evaluated:
        """A command of the proof debugger, in the state of this step."""
        replies = self._record.debugger(self._number(self.at)).execute(line)
        return Evaluated("\n".join(self._show(reply) for reply in replies))


def _problem_at(track: Track) -> int | None:
    return next((at for at, step in enumerate(track.steps) if step.problems), None)


def _held(heap: tuple[HeldAt, ...]) -> tuple[Shown, ...]:
    found = []
    for held in heap:
        name = " ".join([part for part in (held.quantifier, held.location) if part])
        value = f"{held.value}  (permission {held.amount})" if held.value else held.amount
        if held.when:
            value = f"{value}  if {held.when}"
        found.append(Shown(name, value, _held(held.contents)))
    return tuple(found)


def _count(heap: tuple[HeldAt, ...]) -> str:
    return f"{len(heap)} held" if heap else "nothing held"
