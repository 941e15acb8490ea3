"""Effort grows with the program: questions to the solver are counted, no seconds.

One question of each client with a precondition is whether that can be met at all, one of each
client whether its end can be reached.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitviper.results.verdict import Verdict
from tests.unit.engines.vcg.verifying import results_of

CELL = """\
field x: Int
predicate valid(this: Ref) { acc(this.x) }
function getX(this: Ref): Int requires valid(this) { unfolding valid(this) in this.x }
method init(this: Ref) requires acc(this.x) ensures valid(this) && getX(this) == 0
method setX(this: Ref, v: Int) requires valid(this) ensures valid(this) && getX(this) == v
"""

LIST = """\
field v: Int
field next: Ref
predicate list(x: Ref) { acc(x.v) && acc(x.next) && (x.next != null ==> list(x.next)) }
function sum(x: Ref): Int requires list(x)
{ unfolding list(x) in x.v + (x.next == null ? 0 : sum(x.next)) }
"""


def cells(n: int) -> str:
    body = [f"var c{i}: Ref c{i} := new(x) init(c{i}) setX(c{i}, {i})" for i in range(1, n + 1)]
    return _client(CELL, "", [*body, "assert getX(c1) == 1"])


def fields(n: int) -> str:
    head = ", ".join(f"x{i}: Ref" for i in range(n))
    writes = [f"x{i}.f := {i}" for i in range(n)]
    claim = " && ".join(f"x{i}.f == {i}" for i in range(n))
    contract = " ".join(f"requires acc(x{i}.f)" for i in range(n))
    return _client("field f: Int\n", head, [*writes, f"assert {claim}"], contract)


def lists(n: int) -> str:
    body = []
    for i in range(n):
        rest = f"x{i - 1}" if i else "null"
        body.append(f"var x{i}: Ref x{i} := new(v, next) x{i}.v := 1 x{i}.next := {rest}")
        body.append(f"fold list(x{i})")
    body.append(f"assert sum(x{n - 1}) == {n}")
    body += [f"unfold list(x{i}) assert x{i}.v == 1" for i in reversed(range(n))]
    return _client(LIST, "", body)


def diamonds(n: int) -> str:
    touch = "field f: Int field g: Int\nmethod touch(x: Ref) requires acc(x.g) ensures acc(x.g)\n"
    head = "x: Ref, " + ", ".join(f"b{i}: Bool" for i in range(n))
    body = [f"if (b{i}) {{ touch(x) }}" for i in range(n)]
    contract = "requires acc(x.f) && acc(x.g) && x.f == 3"
    return _client(touch, head, [*body, "assert x.f == 3"], contract)


def many(n: int) -> str:
    declared = " ".join(f"field f{i}: Int" for i in range(20))
    call = "\nmethod two(x: Ref) requires acc(x.f0) && acc(x.f1)\n"
    call += "ensures acc(x.f0) && acc(x.f1) && x.f0 == old(x.f0) + 1\n"
    held = " && ".join(f"acc(x.f{i})" for i in range(20))
    body = ["x.f0 := 0 x.f5 := 5", *["two(x)"] * n, f"assert x.f0 == {n} && x.f5 == 5"]
    return _client(declared + call, "x: Ref", body, f"requires {held}")


def wands(n: int) -> str:
    head = ", ".join(f"x{i}: Ref" for i in range(n))
    contract = " ".join(f"requires acc(x{i}.f) && x{i}.f == {i}" for i in range(n))
    wand = [f"true --* acc(x{i}.f) && x{i}.f == {i}" for i in range(n)]
    body = [f"package {w}" for w in wand] + [f"apply {w}" for w in wand] + ["assert x0.f == 0"]
    return _client("field f: Int\n", head, body, contract)


def _client(before: str, head: str, body: list[str], contract: str = "") -> str:
    inner = "\n  ".join(body)
    return f"{before}method client({head})\n{contract}\n{{\n  {inner}\n}}\n"


@pytest.mark.parametrize(
    ("program", "sizes", "questions"),
    [
        (cells, (5, 40), lambda n: 2),
        (fields, (5, 30), lambda n: 2),
        (lists, (3, 8), lambda n: 2),
        (diamonds, (5, 30), lambda n: 2),
        (many, (5, 50), lambda n: 3),
        (wands, (5, 15), lambda n: 3 * n + 2),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_questions(
    program: Callable[[int], str], sizes: tuple[int, ...], questions: Callable[[int], int]
) -> None:
    for size in sizes:
        result = results_of(program(size))["client"]
        assert result.verdict is Verdict.VERIFIED
        assert result.effort is not None
        assert not result.effort.forced
        assert result.effort.queries <= questions(size)
