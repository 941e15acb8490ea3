"""Which method a call means: by the name, the type of the receiver and those of the arguments.

An adapter says which methods a type has (`members`); what a call means is found here, as section
2.2.1 of the paper has it, and can be replaced by a binder of another language. Operators are
methods with names of their own, for which the types of operands are searched from left to right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitviper.base.record import record, replace
from pitviper.engines.explore.model.check import Compatible, fits_in
from pitviper.engines.explore.model.program import (
    Blame,
    Branch,
    Call,
    Constraint,
    ConstraintKind,
    Instruction,
    Method,
)
from pitviper.engines.explore.model.term import Literal, Local, Operation, Term
from pitviper.engines.explore.model.types import BOOLEAN, Hierarchy, Nominal, Type

OPERATOR = "operator "
"""What the name of a method begins with that is an operator."""


@record
class Problem:
    """Why a call means nothing: no method fits, or several fit equally well."""

    message: str


class Binder:
    """Finds methods of types. `members` has the methods of each type by their names there.

    Several methods of one type may have one name, if their parameters differ. The first parameter
    of a method is its receiver, unless it is among the `static` ones.
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        members: Mapping[Nominal, Mapping[str, tuple[Method, ...]]],
        static: frozenset[str] = frozenset(),
        compatible: Compatible | None = None,
    ) -> None:
        self._hierarchy = hierarchy
        self._members = members
        self._static = static
        self._compatible = compatible or fits_in(hierarchy)

    def method(self, owner: Type, name: str, args: tuple[Type, ...]) -> Method | Problem:
        """The method of a type, or of the nearest supertype that has one which fits."""
        for level in self._levels(owner):
            fitting = [m for kind in level for m in self._named(kind, name) if self._fits(m, args)]
            best = [m for m in fitting if all(self._is_closer(m, o) for o in fitting)]
            if len(best) == 1:
                return best[0]
            if fitting:
                return Problem(f"{name} of {owner} is ambiguous: {_names(fitting)}")
        given = ", ".join(map(str, args))
        return Problem(f"{owner} has no {name}({given})")

    def operator(self, symbol: str, args: tuple[Type, ...]) -> Method | Problem:
        """The method of the first operand whose type has one that fits."""
        for operand in args:
            found = self.method(operand, OPERATOR + symbol, args)
            if isinstance(found, Method):
                return found
        given = ", ".join(map(str, args))
        return Problem(f"no type among {given} has the operator {symbol}")

    def overridden(
        self, owner: Type, name: str, args: tuple[Type, ...]
    ) -> dict[Nominal, Method | Problem]:
        """What a call means for each type that the receiver may have at run time."""
        hierarchy = self._hierarchy
        kinds = [hierarchy.named(number) for number in hierarchy.concrete(owner)]
        return {kind: self.method(kind, name, (kind, *args[1:])) for kind in kinds}

    def _levels(self, owner: Type) -> Iterator[tuple[Nominal, ...]]:
        """The type, then its direct supertypes, then theirs."""
        level: tuple[Nominal, ...] = (owner,) if isinstance(owner, Nominal) else ()
        while level:
            yield level
            above = [up for kind in level for up in self._hierarchy.supertypes.get(kind, ())]
            level = tuple(dict.fromkeys(above))

    def _named(self, kind: Nominal, name: str) -> tuple[Method, ...]:
        return self._members.get(kind, {}).get(name, ())

    def _fits(self, method: Method, args: tuple[Type, ...]) -> bool:
        given = args[1:] if method.name in self._static else args
        params = _declared(method)
        if len(params) != len(given):
            return False
        return all(self._compatible(a, p.type) for a, p in zip(given, params, strict=True))

    def _is_closer(self, one: Method, other: Method) -> bool:
        """Whether the parameters of one method are at least as special as those of another."""
        pairs = zip(_declared(one), _declared(other), strict=True)
        return all(self._compatible(mine.type, its.type) for mine, its in pairs)


def _declared(method: Method) -> tuple[Local, ...]:
    """The parameters of the source: heaps are passed along without being written there."""
    return tuple([p for p in method.params if not p.name.startswith("%")])


def _names(methods: list[Method]) -> str:
    return ", ".join([m.name for m in methods])


def virtual_call(
    meant: Mapping[Nominal, Method], call: Call, at: int, nobody: Blame
) -> tuple[Instruction, ...]:
    """A call whose method depends on the type that its receiver has at run time.

    `meant` says which one for each such type, `call` has the arguments and targets, of which the
    first argument that is no heap is the receiver. The instructions begin at the number `at`. That
    there is no receiver fails with `nobody`.
    """
    span = call.span
    receiver = next(a for a in call.args if not _is_hidden(a))
    methods = {method.name: method for method in meant.values()}
    groups: dict[str, list[Nominal]] = {}
    for kind, method in meant.items():
        groups.setdefault(method.name, []).append(kind)
    made: list[Instruction] = []
    jumps: list[int] = []
    for name, kinds in groups.items():
        test = [Operation("is_exactly", (receiver,), BOOLEAN, str(kind)) for kind in kinds]
        one = test[0] if len(test) == 1 else Operation("or", tuple(test), BOOLEAN)
        made.append(Branch(Operation("not", (one,), BOOLEAN), at + len(made) + 3, span))
        own = _declared(methods[name])[0]
        narrowed = Operation("cast", (receiver,), own.type, str(own.type))
        args = tuple([narrowed if a is receiver else a for a in call.args])
        made.append(replace(call, method=name, args=args))
        jumps.append(len(made))
        made.append(Branch(Literal(value=True, type=BOOLEAN), 0, span))
    failed = Literal(value=False, type=BOOLEAN)
    made.append(Constraint(ConstraintKind.ASSERT, failed, nobody, span))
    for jump in jumps:
        made[jump] = Branch(Literal(value=True, type=BOOLEAN), at + len(made), span)
    return tuple(made)


def _is_hidden(term: Term) -> bool:
    return isinstance(term, Local) and term.name.startswith("%")
