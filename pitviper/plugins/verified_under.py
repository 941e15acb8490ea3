"""`@verified_under("true", "digest") assert e`: proved elsewhere, so the verifier assumes it.

The annotation is what exploration leaves behind an assertion that held on every path. Only pure
assertions are assumed: of permissions, an `inhale` would make more than an `assert` has seen.
The digest is one of all that the proof rests on. If that has changed, nothing is assumed. Who
writes a mark without a digest answers for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial

from pitviper.base.digest import blake2b
from pitviper.base.record import replace
from pitviper.plugins.build import replace_statements, statements_in
from pitviper.plugins.step import PluginContext, Step
from pitviper.program.assertion import (
    Access,
    Binding,
    Choice,
    Guarded,
    InhaleExhale,
    PredicateLocation,
    QuantifiedPermission,
    Star,
    Wand,
)
from pitviper.program.expr import FunctionApp
from pitviper.program.member import Adt, Domain, Field, Function, Method, Predicate, Program
from pitviper.program.node import Annotation
from pitviper.program.print.printer import member_text
from pitviper.program.stmt import Assert, Inhale, MethodCall, Stmt
from pitviper.program.walk import descendants
from pitviper.source.diagnostic import Diagnostic, Related, Severity
from pitviper.source.span import Span

KEY = "verified_under"
CONDITION = "true"

_IMPURE = (Access, Binding, Choice, Guarded, InhaleExhale, QuantifiedPermission, Star, Wand)


def is_marked(statement: Stmt) -> bool:
    return isinstance(statement, Assert) and any(
        note.key == KEY and note.values[:1] == (CONDITION,) and len(note.values) <= 2
        for note in statement.annotations
    )


def rests_on(program: Program, method: str) -> str:
    """Returns the digest of what runs of a method depend on, marks apart.

    That are the method, the methods, functions and predicates it uses, those they use, and all
    fields and types.
    """
    names = used_members(program, method)
    types: list[Field | Domain | Adt] = [*program.fields.values(), *program.domains.values()]
    types += program.adts.values()
    digest = blake2b(digest_size=6)
    for name in sorted(names):
        digest.update(member_text(_member(program, name)).encode())
    for declared in sorted(types, key=lambda d: d.name):
        digest.update(member_text(declared).encode())
    return digest.hexdigest()


def used_members(program: Program, method: str) -> list[str]:
    """Returns a method, and the methods, functions and predicates that it needs to be run."""
    names = [method]
    for name in names:  # grows while it is gone through
        for node in descendants(_member(program, name)):
            match node:
                case MethodCall(method=used) | FunctionApp(used) | PredicateLocation(used):
                    names += [] if used in names else [used]
                case _:
                    pass
    return names


def _member(program: Program, name: str) -> Method | Function | Predicate:
    if name in program.functions:
        return program.functions[name]
    if name in program.predicates:
        return program.predicates[name]
    method = program.methods[name]
    if method.body is None:
        return method
    return replace(method, body=replace_statements(method.body, partial(_marked, ())))


def _is_stale(statement: Stmt, digest: str) -> bool:
    """Whether a mark was made for something else."""
    return any(n.key == KEY and n.values[1:] not in ((), (digest,)) for n in statement.annotations)


def can_be_assumed(statement: Stmt) -> bool:
    return isinstance(statement, Assert) and not isinstance(statement.assertion, _IMPURE)


def assume_verified(program: Program, context: PluginContext) -> Step:
    methods = dict(program.methods)
    for name, method in program.methods.items():
        if method.body is not None and any(map(is_marked, statements_in(method.body))):
            rule = partial(_assumed, rests_on(program, name))
            methods[name] = replace(method, body=replace_statements(method.body, rule))
    return Step(program if methods == program.methods else replace(program, methods=methods))


def marking(program: Program, places: Collection[tuple[str, Span]]) -> Program:
    """The program with the assertions at these places of methods marked, and no others."""
    methods = {}
    for name, method in program.methods.items():
        here = {span for member, span in places if member == name}
        rule = partial(_marked, here)
        body = None if method.body is None else replace_statements(method.body, rule)
        methods[name] = method if body is method.body else replace(method, body=body)
    return replace(program, methods=methods)


def _marked(places: Collection[Span], statement: Stmt) -> Sequence[Stmt]:
    if not isinstance(statement, Assert):
        return (statement,)
    notes = tuple([note for note in statement.annotations if note.key != KEY])
    if statement.assertion.span in places:
        notes = (*notes, Annotation(KEY, (CONDITION,)))
    if notes == statement.annotations:
        return (statement,)
    return (replace(statement, annotations=notes),)


def about_marks(program: Program) -> tuple[Diagnostic, ...]:
    """Errors for marks that mean nothing here, and a warning that says what marks let pass."""
    found: list[Diagnostic] = []
    assumed: list[Stmt] = []
    stale: list[Stmt] = []
    marked = [(name, s) for name, s in _all_statements(program) if any(_notes(s))]
    digests = {name: rests_on(program, name) for name, _ in marked}
    for name, statement in marked:
        values = _notes(statement)
        if not isinstance(statement, Assert):
            found.append(_wrong(statement, f"`@{KEY}` stands before `assert` only"))
        elif not is_marked(statement):
            told = ", ".join(f'"{value}"' for value in values[0])
            problem = f'`@{KEY}({told})`: the only condition that is known is "{CONDITION}"'
            found.append(_wrong(statement, problem))
        elif can_be_assumed(statement):
            (stale if _is_stale(statement, digests[name]) else assumed).append(statement)
    return (*found, *_told_stale(stale), *_told(assumed))


def _all_statements(program: Program) -> Iterator[tuple[str, Stmt]]:
    for name, method in program.methods.items():
        for statement in () if method.body is None else statements_in(method.body):
            yield name, statement


def _notes(statement: Stmt) -> list[tuple[str, ...]]:
    return [note.values for note in statement.annotations if note.key == KEY]


def _told_stale(stale: list[Stmt]) -> tuple[Diagnostic, ...]:
    message = "out of date: what the proof rests on has changed, so nothing is assumed"
    cure = "`pitviper wizard --mark` proves and marks again; `--unmark` takes marks away"
    return _one_warning(stale, "mark.stale", "mark", message, cure)


def _wrong(statement: Stmt, message: str) -> Diagnostic:
    helps = "`pitviper wizard --mark` writes such annotations, `--unmark` removes them"
    return Diagnostic("consistency.error", Severity.ERROR, statement.span, message, help=helps)


def _told(assumed: list[Stmt]) -> tuple[Diagnostic, ...]:
    message = f'assumed, not verified, because of `@{KEY}("{CONDITION}")`'
    cure = "`pitviper wizard` proves them again; `--unmark` takes the marks away"
    return _one_warning(assumed, "assertion.assumed", "assertion", message, cure)


def _one_warning(
    statements: list[Stmt], key: str, noun: str, message: str, cure: str
) -> tuple[Diagnostic, ...]:
    """One warning for all these statements: nothing is assumed or dropped without a word."""
    spans = list(dict.fromkeys(statement.span for statement in statements))
    if not spans:
        return ()
    number = f"1 {noun} is" if len(spans) == 1 else f"{len(spans)} {noun}s are"
    related = tuple([Related(span, "this one, too") for span in spans[1:]])
    text = f"{number} {message}"
    return (Diagnostic(key, Severity.WARNING, spans[0], text, related, help=cure),)


def _assumed(digest: str, statement: Stmt) -> Sequence[Stmt]:
    if not isinstance(statement, Assert) or not is_marked(statement):
        return (statement,)
    if not can_be_assumed(statement) or _is_stale(statement, digest):
        return (statement,)
    notes = statement.annotations
    return (Inhale(statement.assertion, span=statement.span, annotations=notes),)
