"""Parts of values that may be made by another constructor: nothing is known of them there."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, quote
from pitviper.explain.advice.cures import Advice, Said, in_general
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.member import Constructor, Function, Method, Program
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.types import AdtType
from pitviper.program.walk import children, descendants, free_vars

IF_TRUE = "if it is true"
"""How advice begins that is right only of a claim that is true."""


def of_a_part(case: Case) -> Said:
    """A claim about a part that only values of one constructor have."""
    if case.part is None or case.finding.reason != "assertion.false":
        return None
    for node in descendants(case.part):
        if not isinstance(node, x.Destruct):
            continue
        owner = owner_of(node, case.program)
        if owner is not None and _is_made_by(case, node, text_of(node.receiver), owner):
            return None  # what is not known is its value
        if isinstance(node.receiver, x.Construct):
            return None if node.receiver.constructor == owner else _no_part(node, owner)
        if owner is not None and _names_beside(node, owner, case.program):
            return _of_recursion(case, node) or _of_its_constructor(case, node, owner)
    return None


def _of_recursion(case: Case, node: x.Destruct) -> Advice | None:
    """A part of the same type, of which a recursive function of the precondition may tell."""
    receiver = quote(node.receiver)
    deeper = _application_of(case, receiver)
    if deeper is None or node.type != node.receiver.type:
        return None
    inner = f"{deeper}({receiver}.{node.argument})"
    return in_general(
        f"{IF_TRUE}: the definition of `{deeper}` is used once for each application that is "
        f"mentioned: `assert` first what `{inner}` is"
    )


def _of_its_constructor(case: Case, node: x.Destruct, owner: str) -> Said:
    """Which other constructors a value may be made by, and what to say about that."""
    assert case.part is not None
    lead, test = where_unknown(node, case.program), f"{quote(node.receiver)}.is{owner}"
    whole, member = quote(case.part), case.member
    if not quote(node.receiver) or not whole or not isinstance(member, Method | Function):
        return f"{lead}: say first which one it is"
    known = {param.name for param in member.params}
    place = text_of(node)
    is_said = any(place in text_of(clause) for clause in member.preconditions)
    if free_vars(case.part) <= known and not is_said:
        return (
            f"{lead}, or have another `{place}`: ask callers for both, `requires {test} && {whole}`"
        )
    ask = f", or ask for it, `requires {test}`" if free_vars(node.receiver) <= known else ""
    if case.finding.error == "postcondition.violated":
        return in_general(f"{lead}: promise it for that case, `{test} ==> {whole}`{ask}")
    if ask and is_said:
        return in_general(f"{lead}: ask for it, `requires {test}`")
    return f"{lead}: say first that it is not, by `{test}`, and what `{place}` is"


def where_unknown(node: x.Destruct, program: Program) -> str:
    """``o` may be `None()`, where `o.value` is not known`: of a part that few constructors have."""
    own = owner_of(node, program)
    others = [
        f"`{constructor.name}({'...' if constructor.params else ''})`"
        for constructor in _constructors(node, program)
        if constructor.name != own
    ]
    receiver = quote(node.receiver) or "the value"
    return f"`{receiver}` may be {' or '.join(others)}, where `{text_of(node)}` is not known"


def _is_made_by(case: Case, read: x.Destruct, receiver: str, constructor: str) -> bool:
    """Whether the path or a text in front of a part's name says which constructor made it."""
    decided = {one for c in case.finding.conditions for one in c.holds.split(" && ")}
    other = _names_beside(read, constructor, case.program)
    if f"{receiver}.is{constructor}" in decided:
        return True
    if other and {f"!{receiver}.is{name}" for name in other} <= decided:
        return True
    return case.member is not None and any(
        isinstance(node, x.Discriminate)
        and node.constructor == constructor
        and text_of(node.receiver) == receiver
        and node.span.start < max(read.span.start, case.finding.span.start)
        for node in _said_at(case.member, read)
    )


def _said_at(node: Node, read: x.Destruct) -> Iterator[Node]:
    """All below a node, without what other implications suppose."""
    yield node
    for part in children(node):
        is_supposed = isinstance(node, x.Implies | a.Guarded) and part is children(node)[0]
        if not is_supposed or node.span.encloses(read.span):
            yield from _said_at(part, read)


def _no_part(node: x.Destruct, owner: str | None) -> str:
    made = node.receiver.constructor if isinstance(node.receiver, x.Construct) else ""
    return (
        f"`{node.argument}` belongs to `{owner}`, and `{made}` has none: what it is there is not "
        "known"
    )


def _application_of(case: Case, receiver: str) -> str | None:
    """A recursive function of one argument that the precondition applies to a value."""
    if not isinstance(case.member, Method):
        return None
    for clause in case.member.preconditions:
        for node in descendants(clause):
            if not isinstance(node, x.FunctionApp) or [text_of(e) for e in node.args] != [receiver]:
                continue
            function = case.program.functions.get(node.function)
            if function is not None and function.body is not None and calls_itself(function):
                return function.name
    return None


def calls_itself(function: Function) -> bool:
    assert function.body is not None
    return any(
        isinstance(node, x.FunctionApp) and node.function == function.name
        for node in descendants(function.body)
    )


def _names_beside(read: x.Destruct, constructor: str, program: Program) -> set[str]:
    return {c.name for c in _constructors(read, program)} - {constructor}


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
    place, owner = quote(read), owner_of(read, program)
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
            if owner_of(node, program) not in (None, made):
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


def owner_of(read: x.Destruct, program: Program) -> str | None:
    for constructor in _constructors(read, program):
        if any(param.name == read.argument for param in constructor.params):
            return constructor.name
    return None
