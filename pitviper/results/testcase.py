"""A test case: the values that make a run repeatable, as a text that people can keep."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

Scalar: TypeAlias = int | bool | Fraction
TestTable: TypeAlias = tuple[Mapping[tuple[Scalar, ...], Scalar], Scalar]

VERSION = 1


class BadTestCase(Exception):
    """A text that is no test case; says why."""


@dataclass(frozen=True, slots=True)
class TestCase:
    """One run of a method.

    `values` and `tables` are what the solver chose, by the names that runs give to unknowns;
    `inputs` say the same in words. `status` is how the run ends, `finding` and `line` what fails.
    """

    __test__ = False  # for pytest, which collects classes by their name

    program: str
    method: str
    status: str
    finding: str = ""
    line: int = 0
    loops: str = "unroll"
    calls: str = "inline"
    inputs: tuple[tuple[str, str], ...] = ()
    values: Mapping[str, Scalar] = field(default_factory=dict)
    tables: Mapping[str, TestTable] = field(default_factory=dict)


def write_test_case(test: TestCase) -> str:
    """The test as JSON."""
    tables = {
        name: {
            "entries": [[*map(_written, args), _written(v)] for args, v in table[0].items()],
            "default": _written(table[1]),
        }
        for name, table in test.tables.items()
    }
    document = {
        "pitviper-test": VERSION,
        "program": test.program,
        "method": test.method,
        "loops": test.loops,
        "calls": test.calls,
        "expect": {"status": test.status, "finding": test.finding, "line": test.line},
        "inputs": dict(test.inputs),
        "values": {name: _written(value) for name, value in test.values.items()},
        "tables": tables,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def read_test_case(text: str) -> TestCase:
    """The test in a JSON text; BadTestCase where it is none."""
    try:
        document = json.loads(text)
        if not isinstance(document, dict) or document.get("pitviper-test") != VERSION:
            raise BadTestCase(f'no test case: "pitviper-test" is not {VERSION}')
        expect = document["expect"]
        tables = {
            name: (
                {tuple(map(_read, row[:-1])): _read(row[-1]) for row in table["entries"]},
                _read(table["default"]),
            )
            for name, table in document["tables"].items()
        }
        return TestCase(
            _text(document["program"]),
            _text(document["method"]),
            _text(expect["status"]),
            _text(expect["finding"]),
            int(expect["line"]),
            _text(document["loops"]),
            _text(document["calls"]),
            tuple((name, _text(value)) for name, value in document["inputs"].items()),
            {name: _read(value) for name, value in document["values"].items()},
            tables,
        )
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise BadTestCase(f"no test case: {type(error).__name__}: {error}") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _written(value: Scalar) -> int | bool | str:
    return str(value) if isinstance(value, Fraction) else value


def _read(value: object) -> Scalar:
    """Fractions are texts."""
    if isinstance(value, str):
        return Fraction(value)
    if isinstance(value, int):
        return value
    raise TypeError(f"{value!r} is no number and no truth value")
