"""Parts of values that were made by another constructor: nothing is known of them."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, quote
from pitviper.explain.advice.cures import Advice
from pitviper.program import expr as x
from pitviper.program.member import Constructor, Function, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType
from pitviper.program.walk import children, descendants


def of_another_constructor(case: Case) -> Advice | None:
    """A function that the part applies reads `s.r` where `s` is no `Circle`."""
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for app in [n for n in descendants(case.part) if isinstance(n, x.FunctionApp)]:
        function = case.program.functions.get(app.function)
        if function is None or function.body is None:
            continue
        for read, made in _wrong_parts(function.body, {}, case.program):
            return _told(function, read, made, case.program)
    return None


def _told(function: Function, read: x.Destruct, made: str, program: Program) -> Advice:
    place, owner = quote(read), _owner(read, program)
    receiver = text_of(read.receiver)
    own = [
        f"`{receiver}.{param.name}`"
        for constructor in _constructors(read, program)
        if constructor.name == made
        for param in constructor.params
        if param.type == read.type
    ]
    meant = f": is {' or '.join(own)} meant?" if own else ""
    return Advice(
        f"`{function.name}` reads `{place}` in line {read.span.line} where `{receiver}` is a "
        f"`{made}`, and `{read.argument}` belongs to `{owner}`, so nothing is known of it{meant}"
    )


def _wrong_parts(
    node: Node, known: dict[str, frozenset[str]], program: Program
) -> Iterator[tuple[x.Destruct, str]]:
    """Reads of a part with the constructor that the value has there."""
    match node:
        case x.Conditional(x.Discriminate(receiver, constructor) as test, then, otherwise):
            name = text_of(receiver)
            every = frozenset(_names(test, program))
            left = known.get(name, every)
            yield from _wrong_parts(then, known | {name: left & {constructor}}, program)
            yield from _wrong_parts(otherwise, known | {name: left - {constructor}}, program)
        case x.Destruct(receiver) if len(known.get(text_of(receiver), ())) == 1:
            (made,) = known[text_of(receiver)]
            if _owner(node, program) not in (None, made):
                yield node, made
        case _:
            for part in children(node):
                yield from _wrong_parts(part, known, program)


def _names(test: x.Discriminate, program: Program) -> list[str]:
    type_ = test.receiver.type
    adt = program.adts.get(type_.name) if isinstance(type_, AdtType) else None
    return [] if adt is None else [constructor.name for constructor in adt.constructors]


def _constructors(read: x.Destruct, program: Program) -> tuple[Constructor, ...]:
    type_ = read.receiver.type
    adt = program.adts.get(type_.name) if isinstance(type_, AdtType) else None
    return () if adt is None else adt.constructors


def _owner(read: x.Destruct, program: Program) -> str | None:
    for constructor in _constructors(read, program):
        if any(param.name == read.argument for param in constructor.params):
            return constructor.name
    return None
