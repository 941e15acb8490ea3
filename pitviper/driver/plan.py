"""Which members of a program are still to be verified, and which of them can start."""

from __future__ import annotations

from pitviper.driver.part import Part
from pitviper.program.callgraph import call_graph
from pitviper.program.dependencies import Dependencies
from pitviper.program.member import Function, Method, Predicate, Program


class Plan:
    """Members in the order functions (callees first), predicates, methods.

    A member waits for the functions whose definitions it is told. `earned` are the definitions
    that are known, as text; `decided` the members that left no question open.
    """

    def __init__(self, program: Program) -> None:
        calls = call_graph(program)
        self.dependencies = Dependencies(program, calls)
        functions = [program.functions[name] for cycle in calls.components for name in cycle]
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
        self._handed_out: set[str] = set()

    @property
    def open(self) -> tuple[str, ...]:
        """Members without an answer, in order."""
        return tuple(self._open)

    @property
    def running(self) -> tuple[str, ...]:
        """Members that somebody works on."""
        return tuple([name for name in self._open if name in self._handed_out])

    def needs(self, member: str) -> tuple[str, ...]:
        """The functions that a member is told the definitions of."""
        return self._needs[member]

    def ready(self) -> tuple[str, ...]:
        """Members that can start now: all that they wait for has an answer."""
        return tuple(
            [
                name
                for name in self._open
                if name not in self._handed_out
                and not any([needed in self._open for needed in self._needs[name]])
            ]
        )

    def hand_out(self, member: str) -> tuple[tuple[str, str], ...]:
        """Somebody verifies the member; the result is what he has to know."""
        self._handed_out.add(member)
        needs = self._needs[member]
        return tuple([(name, self.earned[name]) for name in needs if name in self.earned])

    def take_back(self) -> None:
        """Nobody works on members any more: they can be handed out again."""
        self._handed_out.clear()

    def done(self, member: str, part: Part, earned: str | None) -> None:
        """There is an answer. Nothing can be built on what was left open: see `is_final`."""
        del self._open[member]
        if earned is not None:
            self.earned[member] = earned
        if not part.undecided and part.crash is None:
            self.decided.add(member)

    def is_final(self, member: str) -> bool:
        """Whether the answer is one that any other run would give, too.

        With more time or luck, a function that is open may earn a definition, which changes what
        can be proved about members that depend on it.
        """
        return all([name in self.decided for name in (member, *self._needs[member])])
