"""Tests as Viper methods: a copy of the method whose precondition pins the inputs.

A verifier that looks at the copy sees the state in which the run began and nothing else, so it
fails where the run failed. Objects of the input are parameters beside those of the method.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from pitviper.base.deep_stack import run_deep
from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.pins import Pins
from pitviper.driver.explore.steps import start_of
from pitviper.driver.front.frontend import FrontEnd
from pitviper.program.member import Program
from pitviper.results.testcase import TestCase
from pitviper.source.file import SourceFile
from pitviper.source.span import NO_SPAN
from pitviper.syntax import tree
from pitviper.syntax.parse.parser import parse_expression
from pitviper.syntax.print.printer import print_member

_WORD = re.compile(r"[A-Za-z_$][\w$]*")


def viper_tests(front: FrontEnd, tests: list[TestCase], explorer: Explorer) -> str:
    """One method a test; each says in a comment what the run did."""
    methods = {m.name.name: m for m in front.members if isinstance(m, tree.Method)}
    taken = set(_WORD.findall("\n".join(_texts(front))))
    parts = []
    wanted = [test for test in tests if test.method in methods]
    pinned = run_deep(lambda: [_pinned(test, explorer, taken) for test in wanted])
    for number, (test, pins) in enumerate(zip(wanted, pinned, strict=True), 1):
        named = _free(f"test_{test.method}_{number}", taken)
        parts.append(f"{_comment(test)}\n{_method(methods[test.method], named, pins)}")
    return "\n".join(parts)


def _texts(front: FrontEnd) -> list[str]:
    imported = [file.text for _, file in front.imports if isinstance(file, SourceFile)]
    return [front.source.text, *imported]


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _comment(test: TestCase) -> str:
    where = f" with {test.finding} in line {test.line}" if test.finding else ""
    return f"// {test.status}{where}"


def _pinned(test: TestCase, explorer: Explorer, taken: set[str]) -> Pins:
    """What is known of the state in which the run of a test begins."""
    program: Program = explorer.program
    state, run = start_of(test, explorer)
    pins = Pins(program, lambda number: _free(f"object{number}", taken))
    if state is not None:
        pins.add_start(program.methods[test.method], state)
        pins.add_tables(run)
    return pins


def _method(method: tree.Method, name: str, pins: Pins) -> str:
    objects = [_parameter(o) for o in pins.objects]
    clauses = [_clause(text) for text in pins.clauses()]
    first_promise = next(
        (n for n, s in enumerate(method.specs) if not _is_precondition(s)), len(method.specs)
    )
    before, behind = method.specs[:first_promise], method.specs[first_promise:]
    late = [s for s in behind if _is_precondition(s)]
    others = [s for s in behind if not _is_precondition(s)]
    copy = replace(
        method,
        name=tree.Identifier(name, span=NO_SPAN),
        params=(*method.params, *objects),
        specs=(*before, *late, *clauses, *others),
    )
    return print_member(copy)


def _is_precondition(spec: tree.Specification) -> bool:
    return isinstance(spec, tree.Clause) and spec.kind == "requires"


def _parameter(name: str) -> tree.VarBinding:
    kind = tree.TypeName("Ref", span=NO_SPAN)
    return tree.VarBinding(tree.Identifier(name, span=NO_SPAN), kind, span=NO_SPAN)


def _clause(text: str) -> tree.Clause:
    condition, problems = parse_expression(SourceFile(Path("<test>"), text))
    assert condition is not None, (text, problems)
    return tree.Clause("requires", condition, span=NO_SPAN)
