"""Tests as Viper methods: the inputs as assumptions, then a call of the method."""

from __future__ import annotations

import re

from pitviper.program.member import Program
from pitviper.program.print_expr import variable_list
from pitviper.results.testcase import TestCase

_OBJECT = re.compile(r"object[1-9][0-9]*")
_CELL = re.compile(r"(object[1-9][0-9]*)\.(\w+)")


def viper_tests(program: Program, tests: list[TestCase]) -> str:
    """One method a test; each says in a comment what the run did."""
    return "\n".join([_method(program, test, n) for n, test in enumerate(tests, 1)])


def _method(program: Program, test: TestCase, number: int) -> str:
    method = program.methods[test.method]
    names = [p.name for p in method.params]
    given = dict(test.inputs)
    objects = sorted({o for value in given.values() for o in _OBJECT.findall(value)})
    cells = [(m, v) for n, v in test.inputs if (m := _CELL.fullmatch(n)) and v != "?"]
    objects = sorted({*objects, *[m.group(1) for m, _ in cells]})
    lines = [f"// {test.status} {test.finding}".rstrip()]
    lines.append(f"method test_{test.method}_{number}()\n{{")
    lines += [f"  var {o}: Ref" for o in objects]
    lines += [f"  {o} := new({', '.join(_fields(o, cells))})" for o in objects]
    lines += [f"  {m.group(0)} := {v}" for m, v in cells]
    declared = [variable_list([p]) for p in method.params]
    lines += [f"  var {text}" for text in declared]
    for name in names:
        if given.get(name, "?") != "?":
            lines.append(f"  inhale {name} == {given[name]}")
    results = [r.name for r in method.returns]
    lines += [f"  var {variable_list([r])}" for r in method.returns]
    to = f"{', '.join(results)} := " if results else ""
    lines.append(f"  {to}{test.method}({', '.join(names)})\n}}\n")
    return "\n".join(lines)


def _fields(name: str, cells: list[tuple[re.Match[str], str]]) -> list[str]:
    return list(dict.fromkeys([m.group(2) for m, _ in cells if m.group(1) == name]))
