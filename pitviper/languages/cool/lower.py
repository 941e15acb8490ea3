"""A file of the object language as a typed program, or what is wrong with it."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.checking.check import order_domains
from pitviper.checking.options import CheckOptions
from pitviper.checking.report import Report
from pitviper.languages.cool.classes import Table
from pitviper.languages.cool.comments import about_comments
from pitviper.languages.cool.members import MAIN, Members
from pitviper.languages.cool.opening import Opener
from pitviper.languages.cool.parser import parse
from pitviper.languages.cool.reading import CoolInput, type_words
from pitviper.languages.cool.termination import about_termination
from pitviper.languages.registry import FIELDS, Declarations, Declared, Loaded
from pitviper.program.callgraph import call_graph
from pitviper.program.member import Program
from pitviper.program.stmt import DecreasesTuple, DecreasesWildcard, While
from pitviper.program.walk import descendants
from pitviper.source.diagnostic import Diagnostic, Severity
from pitviper.source.span import SourceFile


def load(source: SourceFile, options: CheckOptions) -> Loaded:
    """Reads and checks a file; nothing is lowered of a file that cannot be parsed."""
    parsed = parse(source)
    declared = tuple(
        [
            Declared(f"{c.name}.{method.name}", method.span)
            for c in parsed.tree.classes
            for method in c.methods
        ]
    )
    main = parsed.tree.main
    if main:
        declared = (*declared, Declared(MAIN, main[0].span.to(main[-1].span)))
    if any(d.severity is Severity.ERROR for d in parsed.diagnostics):
        return Loaded(None, parsed.diagnostics, Declarations(declared))
    unread = about_comments(source, parsed.comments)
    report = Report()
    table = Table(parsed.tree, report)
    members = Members(parsed.tree, table, report)
    program = members.program()
    if report.failed:
        return Loaded(None, _sorted([*report.shown(), *unread]), Declarations(declared))
    opener = Opener(
        program, lambda member, predicate: _seen(table, member, predicate), options.infer_depth
    )
    opened = _with_orders(opener.program())
    problems = [*about_termination(opened), *opener.limited]
    found = _sorted([*report.shown(), *problems, *unread])
    if any(d.severity is Severity.ERROR for d in problems):
        return Loaded(None, found, Declarations(declared))
    opened = _with_ends(opened)
    reader = CoolInput(table, members.types, opened)
    words = {**type_words(members.types), FIELDS: table.field_words()}
    return Loaded(opened, found, Declarations(declared, reader), words)


def _with_ends(program: Program) -> Program:
    """The program in which pure methods say that they end, where the text tells that they do.

    What has a measure may call them then. One that calls something with a measure, which comes back
    to it, has to have a measure itself.
    """
    functions = program.functions
    has_measures = [f.decreases for f in functions.values()]
    has_measures += [method.decreases for method in program.methods.values()]
    if not any(has_measures):
        return program
    told = dict(functions)
    for component in call_graph(program).components:
        if not any(functions[name].decreases for name in component):
            for name in component:
                ends = DecreasesWildcard(None, span=functions[name].span)
                told[name] = replace(functions[name], decreases=(ends,))
    return replace(program, functions=told)


def _with_orders(program: Program) -> Program:
    """The program with what the proofs need that its measures get smaller."""
    clauses = [
        *[c for f in program.functions.values() for c in f.decreases],
        *[c for f in program.methods.values() for c in f.decreases],
        *[
            c
            for f in program.methods.values()
            for node in ([] if f.body is None else descendants(f.body))
            if isinstance(node, While)
            for c in node.decreases
        ],
    ]
    types = [e.type for c in clauses if isinstance(c, DecreasesTuple) for e in c.measures]
    return replace(program, domains=order_domains(types)) if types else program


def _seen(table: Table, member: str, predicate: str) -> bool:
    """Bodies are known in the class that declares them; bodies for an interface in its classes."""
    own, home = member.partition(".")[0], predicate.partition(".")[0]
    if own == home:
        return True
    info = table.classes.get(own)
    return info is not None and home in info.interfaces


def _sorted(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(found, key=lambda d: d.span.start if d.span is not None else -1))
