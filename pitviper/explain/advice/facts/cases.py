"""Constructors without a case: a function treats a `Neg` like an `Add`, whose parts it has not."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, quote, with_values
from pitviper.explain.advice.cures import Advice
from pitviper.program import expr as x
from pitviper.program.member import Constructor, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType
from pitviper.program.walk import children, descendants


def without_case(case: Case) -> Advice | None:
    """A function is applied to a `Neg`, and its last case is about an `Add` by what it reads."""
    part = with_values(case)
    if part is None or case.finding.reason != "assertion.false":
        return None
    made = {n.constructor for n in descendants(part) if isinstance(n, x.Construct)}
    for app in [n for n in descendants(part) if isinstance(n, x.FunctionApp)]:
        function = case.program.functions.get(app.function)
        if function is None or function.body is None:
            continue
        for read, left in _last_parts(function.body, {}, case.program):
            owner = _owner(read, case.program)
            for other in sorted((left & made) - {owner}):
                place, receiver = quote(read), text_of(read.receiver)
                return Advice(
                    f"`{function.name}` has no case for `{other}`: it is treated like `{owner}` in "
                    f"line {read.span.line}, where `{place}` is read, which a `{other}` does not "
                    f"have, so nothing is known of it; ask for it first, `{receiver}.is{other} "
                    "? ... : ...`"
                )
    return None


def _last_parts(
    node: Node, known: dict[str, frozenset[str]], program: Program
) -> Iterator[tuple[x.Destruct, frozenset[str]]]:
    """Reads of a part where the value may be made by one of several constructors."""
    match node:
        case x.Conditional(x.Discriminate(receiver, constructor), then, otherwise):
            name = text_of(receiver)
            left = known.get(name, frozenset([c.name for c in _constructors(receiver, program)]))
            yield from _last_parts(then, known | {name: left & {constructor}}, program)
            yield from _last_parts(otherwise, known | {name: left - {constructor}}, program)
        case x.Destruct(receiver) if len(known.get(text_of(receiver), ())) > 1:
            yield node, known[text_of(receiver)]
        case x.Conditional():
            return  # another condition may tell them apart
        case _:
            for part in children(node):
                yield from _last_parts(part, known, program)


def _constructors(value: x.Expr, program: Program) -> tuple[Constructor, ...]:
    adt = program.adts.get(value.type.name) if isinstance(value.type, AdtType) else None
    return () if adt is None else adt.constructors


def _owner(read: x.Destruct, program: Program) -> str | None:
    for constructor in _constructors(read.receiver, program):
        if any(param.name == read.argument for param in constructor.params):
            return constructor.name
    return None
