"""Smoke detection: `refute false` wherever a contradiction would go unnoticed."""

from __future__ import annotations

from enum import IntEnum

from pitviper.base.record import field, replace, struct
from pitviper.plugins.refute import SMOKE
from pitviper.plugins.step import PluginContext, Step
from pitviper.program import stmt as ps
from pitviper.program.expr import BoolLit
from pitviper.program.member import Method, Program
from pitviper.source.span import Span


def detect_smoke(program: Program, _: PluginContext) -> Step:
    """At the end of every method body, loop body and branch, behind assumptions, before jumps."""
    methods = {name: _check_method(method) for name, method in program.methods.items()}
    return Step(replace(program, methods=methods))


def _check_method(method: Method) -> Method:
    """What a label is reached by may stand behind it, so the body is gone through until no label
    is reached in a better way than the time before.
    """
    if method.body is None:
        return method
    jumps: dict[str, _Place] = {}
    while True:
        flow = _Flow(dict(jumps))
        body = flow.checked(method.body, method.span)
        if flow.jumps == jumps:
            return replace(method, body=body)
        jumps = flow.jumps


class _Place(IntEnum):
    """How a place can be reached from the start of the method."""

    DETACHED = 0  # not at all: behind a jump
    DECLARED = 1  # only past a statement `unreachable`
    OPEN = 2


@struct
class _Flow:
    """Follows one method body. Only where the program declares it, nothing is checked; the end of
    a branch behind a jump is checked, and reported, since nothing declares it to be unreachable.
    """

    jumps: dict[str, _Place]
    place: _Place = _Place.OPEN
    out: list[ps.Stmt] = field(default_factory=list)

    def checked(self, block: ps.Block, end: Span | None) -> ps.Block:
        outer, self.out = self.out, []
        for statement in block.statements:
            self._add(statement)
        if end is not None:
            self._check(end)
        inner, self.out = self.out, outer
        return replace(block, statements=tuple(inner))

    def _add(self, statement: ps.Stmt) -> None:
        match statement:
            case ps.Unreachable():
                self.place = min(self.place, _Place.DECLARED)
            case ps.Goto(target):
                self._check(statement.span)
                self.out.append(statement)
                self.jumps[target] = max(self.place, self.jumps.get(target, _Place.DETACHED))
                self.place = _Place.DETACHED
            case ps.Label(name):
                self.place = max(self.place, self.jumps.get(name, _Place.DETACHED))
                self.out.append(statement)
            case ps.Inhale():
                self.out.append(statement)
                self._check(statement.span)
            case ps.If() | ps.While() | ps.Block() | ps.Package():
                self.out.append(self._with_inner(statement))
            case _:
                self.out.append(statement)

    def _with_inner(self, statement: ps.If | ps.While | ps.Block | ps.Package) -> ps.Stmt:
        before = self.place
        match statement:
            case ps.Block():
                return self.checked(statement, None)
            case ps.Package():
                script = self.checked(statement.script, None)
                self.place = before
                return replace(statement, script=script)
            case ps.While():
                body = self.checked(statement.body, statement.body.span)
                self.place = before
                return replace(statement, body=body)
            case ps.If():
                then = self._branch(statement.then)
                after_then, self.place = self.place, before
                otherwise = self._branch(statement.otherwise)
                self.place = max(self.place, after_then)
                return replace(statement, then=then, otherwise=otherwise)

    def _branch(self, block: ps.Block) -> ps.Block:
        return self.checked(block, block.span) if block.statements else block

    def _check(self, place: Span) -> None:
        if self.place is not _Place.DECLARED:
            false = BoolLit(value=False, span=place)
            self.out.append(ps.Refute(false, annotations=(SMOKE,), span=place))
