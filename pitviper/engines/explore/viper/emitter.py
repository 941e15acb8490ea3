"""Collects the instructions of one method: places to jump to, variables, constraints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pitviper.base.record import record, replace
from pitviper.engines.explore.model import program as model
from pitviper.engines.explore.model.term import Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, HEAP, INT, NULL, RATIONAL, Nominal, Type
from pitviper.engines.shared.failures import failure_text
from pitviper.program.expr import Expr
from pitviper.program.node import Node
from pitviper.source.span import NO_SPAN, Span

TRUE = Literal(value=True, type=BOOLEAN)
FALSE = Literal(value=False, type=BOOLEAN)
NOTHING = Literal(None, NULL)
TEXT = Nominal("", "text")
CONTENTS = Nominal("", "contents")
CLOSURE = Nominal("", "closure")
HEAPS = Nominal("", "heaps")
ANY = Nominal("", "any")
HEAP_NAME = "%heap"
"""No name of a program begins like this one and all that an emitter makes."""


def text(value: str) -> Literal:
    return Literal(value, TEXT)


def number(value: int) -> Literal:
    return Literal(value, INT)


def boolean(operator: str, *args: Term, tag: str = "") -> Operation:
    return Operation(operator, args, BOOLEAN, tag)


def negated(term: Term) -> Term:
    return boolean("not", term)


@record
class Obligation:
    """The first half of a failure: what is checked, where, and for whom."""

    error: str
    span: Span
    member: str
    parts: tuple[str | Node, ...] = ()

    def blame(self, reason: str, node: Node, *parts: str | Node) -> model.Blame:
        message = failure_text((self.error, self.parts), (reason, parts), self.span)
        return model.Blame(self.error, reason, self.member, message, self.span, node.span)


@record
class Scope:
    """What names mean, and which heaps expressions look at.

    `heap` is where fields are read, `held` what `perm` is about. With `binary` only zero or not
    counts of an amount, as in functions. `opened` are the `unfolding`s around. `assuming` says
    which side of `[A, B]` counts; `swapped` is for a look at the other one. `outer` are the heaps
    around a package: what is missing comes from there. Where the scope is `lenient`, `old[lhs]` is
    not judged. Where it `shrinks`, `scale` is as small as needed.
    """

    names: Mapping[str, Term]
    heap: Local
    held: Local
    old: Mapping[str | None, Local]
    obligation: Obligation
    result: Term | None = None
    binary: bool = False
    assuming: bool = True
    scale: Term | None = None
    opened: tuple[tuple[Span, Node], ...] = ()
    outer: Local | None = None
    lenient: bool = False
    swapped: bool = False
    shrinks: bool = False

    def binding(self, names: Mapping[str, Term]) -> Scope:
        return replace(self, names={**self.names, **names})

    def proving(self, obligation: Obligation) -> Scope:
        return replace(self, obligation=obligation)

    def on(self, heap: Local) -> Scope:
        return replace(self, heap=heap, held=heap)


class Place:
    """Somewhere to jump to; known once it is put."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = -1


class Emitter:
    """Mutable while a method grows."""

    def __init__(self, member: str) -> None:
        self.member = member
        self.span = NO_SPAN
        self.tells_parts = False
        self._instructions: list[model.Instruction | tuple[Term, Place, Span]] = []
        self._names = 0
        self._trusting = ""

    @contextmanager
    def trusting(self, what: str) -> Iterator[None]:
        """Checks inside are none: where one fails, what follows is not supported."""
        before, self._trusting = self._trusting, what
        yield
        self._trusting = before

    def local(self, kind: Type, hint: str = "") -> Local:
        self._names += 1
        return Local(f"%{hint}{self._names}", kind)

    def assign(self, target: Local, value: Term) -> None:
        self._instructions.append(model.Assign(target, value, self.span))

    def at_part(self, e: Expr) -> None:
        """What follows belongs to a part of an expression, where parts are told apart."""
        if self.tells_parts:
            self.span = e.span

    def keep(self, value: Term, hint: str = "") -> Local:
        """A variable with the value, which is computed once."""
        if isinstance(value, Local):
            return value
        target = self.local(value.type, hint)
        self.assign(target, value)
        return target

    def branch(self, condition: Term, place: Place) -> None:
        if condition == FALSE:
            return
        self._instructions.append((condition, place, self.span))

    def jump(self, place: Place) -> None:
        self.branch(TRUE, place)

    def put(self, place: Place) -> None:
        place.at = len(self._instructions)

    def call(self, method: str, args: tuple[Term, ...], targets: tuple[Local, ...]) -> None:
        self._instructions.append(model.Call(method, args, targets, self.span))

    def native(self, method: str, *args: Term, to: tuple[Local, ...] = ()) -> None:
        self._instructions.append(model.Call(method, args, to, self.span, native=True))

    def new_heap(self, method: str, *args: Term) -> Local:
        target = self.local(HEAP, "heap")
        self.native(method, *args, to=(target,))
        return target

    def unsupported(self, what: str) -> None:
        self.native("unsupported", text(what))

    def refuse(self, condition: Term, what: str) -> None:
        """Where the condition holds a run goes no further. Of a pair `[A, B]`, for instance, what
        went in by one side is not what comes out by the other."""
        fine = Place()
        self.branch(negated(condition), fine)
        self.unsupported(what)
        self.put(fine)

    def check(self, condition: Term, blame: model.Blame) -> None:
        if self._trusting and condition != TRUE:
            fine = Place()
            self.branch(condition, fine)
            self.unsupported(self._trusting)
            self.put(fine)
        elif condition != TRUE:
            self._instructions.append(
                model.Constraint(model.ConstraintKind.ASSERT, condition, blame, self.span)
            )

    def assume(self, condition: Term) -> None:
        if condition != TRUE:
            self._instructions.append(
                model.Constraint(model.ConstraintKind.ASSUME, condition, None, self.span)
            )

    def leave(self) -> None:
        self._instructions.append(model.Return(self.span))

    def method(
        self, name: str, params: tuple[Local, ...], results: tuple[Local, ...]
    ) -> model.Method:
        """The method; a return at its end makes every place one that exists."""
        self.leave()
        made = [_placed(instruction) for instruction in self._instructions]
        return model.Method(name, self.member, params, results, tuple(made))


def _placed(instruction: model.Instruction | tuple[Term, Place, Span]) -> model.Instruction:
    if isinstance(instruction, tuple):
        condition, place, span = instruction
        assert place.at >= 0
        return model.Branch(condition, place.at, span)
    return instruction


def amount(value: Term) -> Term:
    """A term as a rational number."""
    return value if value.type == RATIONAL else Operation("rational", (value,), RATIONAL)
