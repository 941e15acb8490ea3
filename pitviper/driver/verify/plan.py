"""Which members of a program are still to be verified, and which of them can start."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from pitviper.program.callgraph import call_graph
from pitviper.program.dependencies import Dependencies
from pitviper.program.member import Function, Method, Predicate, Program
from pitviper.results.verdict import MemberAnswer


class Plan:
    """Members in the order functions (callees first), predicates, methods.

    A member waits for the functions whose definitions it is told. `earned` are the definitions
    that are known, as text; `decided` the members that left no question open.
    """

    def __init__(self, program: Program) -> None:
        calls = call_graph(program)
        self.dependencies = Dependencies(program, calls)
        functions = [program.functions[name] for name in self.dependencies.functions]
        members: list[Function | Predicate | Method] = [
            *functions,
            *program.predicates.values(),
            *program.methods.values(),
        ]
        self.members = {member.name: member for member in members}
        self.earned: dict[str, str] = {}
        self.decided: set[str] = set()
        self._needs = {m.name: self.dependencies.functions_before(m) for m in members}
        self._open = dict.fromkeys(self.members)
        self._handed_out: dict[str, None] = {}
        self._waits = {name: len(needs) for name, needs in self._needs.items()}
        self._users: dict[str, list[str]] = {}
        for name, needs in self._needs.items():
            for needed in needs:
                self._users.setdefault(needed, []).append(name)
        self._ready = [self._entry(name) for name, waits in self._waits.items() if not waits]
        heapify(self._ready)

    @property
    def is_over(self) -> bool:
        """Whether there is an answer about every member."""
        return not self._open

    @property
    def open(self) -> tuple[str, ...]:
        """Members without an answer, in order."""
        return tuple(self._open)

    @property
    def size(self) -> int:
        """Characters of all members without an answer."""
        spans = [self.members[name].span for name in self._open]
        return sum(span.end - span.start for span in spans)

    @property
    def running(self) -> tuple[str, ...]:
        """Members that somebody works on."""
        return tuple(self._handed_out)

    def needs(self, member: str) -> tuple[str, ...]:
        """The functions that a member is told the definitions of."""
        return self._needs[member]

    def next_ready(self) -> str | None:
        """A member that can start now, since all that it waits for has an answer; the longest one.

        When long members start first, all workers are done at about the same time.
        """
        while self._ready:
            _, name = heappop(self._ready)
            if name in self._open and name not in self._handed_out:
                return name
        return None

    def _entry(self, member: str) -> tuple[int, str]:
        span = self.members[member].span
        return span.start - span.end, member

    def hand_out(self, member: str) -> tuple[tuple[str, str], ...]:
        """Somebody verifies the member; the result is what he has to know."""
        self._handed_out[member] = None
        needs = self._needs[member]
        return tuple([(name, self.earned[name]) for name in needs if name in self.earned])

    def take_back(self) -> None:
        """Nobody works on members any more: they can be handed out again."""
        for member in self._handed_out:
            heappush(self._ready, self._entry(member))
        self._handed_out.clear()

    def done(self, member: str, answer: MemberAnswer, earned: str | None) -> None:
        """There is an answer. Nothing can be built on what was left open: see `is_final`."""
        del self._open[member]
        self._handed_out.pop(member, None)
        for user in self._users.get(member, ()):
            self._waits[user] -= 1
            if not self._waits[user]:
                heappush(self._ready, self._entry(user))
        if earned is not None:
            self.earned[member] = earned
        if not answer.undecided and answer.crash is None:
            self.decided.add(member)

    def is_final(self, member: str) -> bool:
        """Whether the answer is one that any other run would give, too.

        With more time or luck, a function that is open may earn a definition, which changes what
        can be proved about members that depend on it.
        """
        return all([name in self.decided for name in (member, *self._needs[member])])
