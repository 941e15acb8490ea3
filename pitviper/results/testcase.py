"""A test case: the values that make a run repeatable, as a text that people can keep."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from operator import attrgetter
from typing import TypeAlias

from pitviper.base.json_text import read_json
from pitviper.base.record import field, names_of, record

Scalar: TypeAlias = int | bool | Fraction
TestTable: TypeAlias = tuple[Mapping[tuple[Scalar, ...], Scalar], Scalar]

VERSION = 1


class BadTestCase(Exception):
    """A text that is no test case; says why."""


@record
class TestCase:
    """One run of a method.

    `values` and `tables` are what the solver chose, by the names that runs give to unknowns;
    `inputs` say the same in words. `status` is how the run ends, `finding` and `line` what fails.
    `digest` stands for the text the test was made for; `limits` are those of the run: steps,
    depth, size.
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
    exact_amounts: bool = False
    limits: tuple[int, int, int] | None = None
    digest: str = ""

    def __reduce__(self) -> tuple[type[TestCase], tuple[object, ...]]:
        """Thousands of them come from other processes: the standard way is slow."""
        return TestCase, _all_fields(self)


_all_fields = attrgetter(*names_of(TestCase))


def digest_of(text: str) -> str:
    """Stands for the text of a program."""
    from hashlib import sha256  # it loads a library of cryptography

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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
        "digest": test.digest,
        "method": test.method,
        "loops": test.loops,
        "calls": test.calls,
        "exact-amounts": test.exact_amounts,
        "limits": None if test.limits is None else list(test.limits),
        "expect": {"status": test.status, "finding": test.finding, "line": test.line},
        "inputs": dict(test.inputs),
        "values": {name: _written(value) for name, value in test.values.items()},
        "tables": tables,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def read_test_case(text: str) -> TestCase:
    """The test in a JSON text; BadTestCase where it is none."""
    try:
        document = read_json(text)
    except ValueError as error:
        raise BadTestCase(f"no test case: it is not JSON ({error})") from error
    if not isinstance(document, dict) or document.get("pitviper-test") != VERSION:
        raise BadTestCase(f'no test case: "pitviper-test" is not {VERSION}')
    whole = _Fields(document)
    expect = whole.inner("expect")
    return TestCase(
        whole.text("program"),
        whole.text("method"),
        expect.text("status"),
        expect.text("finding"),
        expect.number("line"),
        whole.text("loops"),
        whole.text("calls"),
        tuple([(name, whole.inner("inputs").text(name)) for name in whole.inner("inputs").all]),
        {name: whole.inner("values").scalar(name) for name in whole.inner("values").all},
        {name: _table(whole.inner("tables").inner(name)) for name in whole.inner("tables").all},
        document.get("exact-amounts") is True,
        _limits(document.get("limits")),
        whole.text("digest") if "digest" in document else "",
    )


class _Fields:
    """An object of the text; a field that is missing or of the wrong kind is told by its name."""

    def __init__(self, fields: dict[str, object], path: str = "") -> None:
        self.all = fields
        self._path = path

    def get(self, name: str) -> object:
        if name not in self.all:
            raise BadTestCase(f'no test case: "{self._path}{name}" is missing')
        return self.all[name]

    def wrong(self, name: str, what: str) -> BadTestCase:
        return BadTestCase(f'no test case: "{self._path}{name}" is no {what}')

    def text(self, name: str) -> str:
        value = self.get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "text")
        return value

    def number(self, name: str) -> int:
        value = self.get(name)
        if not isinstance(value, int):
            raise self.wrong(name, "number")
        return value

    def scalar(self, name: str) -> Scalar:
        value = _scalar(self.get(name))
        if value is None:
            raise self.wrong(name, "number and no truth value")
        return value

    def rows(self, name: str) -> list[list[Scalar]]:
        value = self.get(name)
        rows = value if isinstance(value, list) else [None]
        found = [[_scalar(v) for v in row] if isinstance(row, list) else [] for row in rows]
        known = [[v for v in row if v is not None] for row in found]
        if known != found or not all(known):
            raise self.wrong(name, "list of rows of numbers and truth values")
        return known

    def inner(self, name: str) -> _Fields:
        value = self.get(name)
        if not isinstance(value, dict):
            raise self.wrong(name, "object")
        return _Fields(value, f"{self._path}{name}.")


def _table(fields: _Fields) -> TestTable:
    rows = fields.rows("entries")
    return {tuple(row[:-1]): row[-1] for row in rows}, fields.scalar("default")


def _limits(value: object) -> tuple[int, int, int] | None:
    if value is None:
        return None
    numbers = [n for n in value if isinstance(n, int) and n > 0] if isinstance(value, list) else []
    if len(numbers) != 3:
        raise BadTestCase('no test case: "limits" is no list of three numbers')
    return numbers[0], numbers[1], numbers[2]


def _written(value: Scalar) -> int | bool | str:
    return str(value) if isinstance(value, Fraction) else value


_FRACTION = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")


def _scalar(value: object) -> Scalar | None:
    """Fractions are texts; None for anything else."""
    if isinstance(value, str):
        if _FRACTION.fullmatch(value) is None:  # `1e300000000` would be one, and very large
            return None
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            return None
    return value if isinstance(value, int) else None
