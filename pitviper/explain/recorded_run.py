"""Verifies members with a recorder: the one loop for all who look at what happened in a proof."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from pitviper.base.record import record
from pitviper.engines.shared.members import Member, in_dependency_order
from pitviper.engines.symbolic.options import Options
from pitviper.engines.symbolic.verifier import Run, start, verify_member
from pitviper.explain import findings
from pitviper.explain.recorder import TraceRecorder
from pitviper.plugins.pipeline import Encoded
from pitviper.program.rooms import views
from pitviper.results.finding import Finding
from pitviper.solver.recording import Declared
from pitviper.solver.session import Solver
from pitviper.terms.term import Term


@record
class RecordedMember:
    """A member that was verified with a recorder of its own.

    `axioms` are those that the solver was told; `crash` is what ended the verification early.
    """

    run: Run
    encoded: Encoded
    member: Member
    recorder: TraceRecorder
    axioms: list[Term]
    crash: Exception | None

    def told(self, finding: Finding) -> Finding | None:
        """Returns a finding as the user is told it; None for one that a plugin expects."""
        return next(iter(self.encoded.translate((finding,), frozenset())), None)


def recorded_members(
    encoded: Encoded,
    options: Options,
    new_solver: Callable[[], Solver],
    left_out: Collection[str] = (),
) -> Iterator[RecordedMember]:
    """Gives every member that is not left out, functions first, when it has been verified.

    An exception costs the member it shows in; what was recorded before can be looked at. Of a
    program with classes, each member is verified as its class sees the program.
    """
    opened: list[Declared] = []

    def open_session() -> Declared:
        opened[:] = [Declared(new_solver())]
        return opened[0]

    for program, inside in views(encoded.program):
        run = start(program, options, open_session, findings)
        for member in in_dependency_order(run):
            if member.name in left_out or member.name not in inside:
                continue
            recorder, crash = TraceRecorder(), None
            try:
                _know_others(run, member, inside)
                run.recorder = recorder
                verify_member(run, member)
            except Exception as error:
                crash = error
            axioms = opened[0].axioms if opened else []
            yield RecordedMember(run, encoded, member, recorder, axioms, crash)


def _know_others(run: Run, member: Member, inside: frozenset[str]) -> None:
    """What the contracts of other classes promise: their functions are verified without bodies."""
    run.recorder = None
    for function in run.dependencies.functions_before(member):
        if function not in inside and function not in run.axioms:
            verify_member(run, run.program.functions[function])
