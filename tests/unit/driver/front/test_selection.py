"""Parts of a program that can be verified without the rest."""

from __future__ import annotations

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.driver.front.frontend import load_text
from pitviper.driver.front.selection import select_members
from pitviper.program.member import Program

PROGRAM = """
field f: Int
domain D { function d(): Int axiom { d() == known() } }
function known(): Int
function deep(n: Int): Int { n }
function get(x: Ref): Int requires cell(x) { unfolding cell(x) in x.f + deep(x.f) }
function unused(): Int
predicate cell(x: Ref) { acc(x.f) && deep(x.f) > 0 }
predicate other(x: Ref)
method callee(x: Ref) requires other(x)
method caller(x: Ref) requires cell(x) { callee(x) }
method alone() { assert true }
"""


def program() -> Program:
    found = load_text(PROGRAM).program
    assert found is not None
    return found


def kept(*names: str) -> list[str]:
    part = select_members(program(), names)
    return [*part.functions, *part.predicates, *part.methods]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("alone", ["known", "alone"]),
        ("deep", ["known", "deep"]),
        ("get", ["known", "deep", "get", "cell"]),
        ("caller", ["known", "deep", "cell", "other", "callee", "caller"]),
    ],
)
def test_a_member_with_all_it_depends_on(name: str, expected: list[str]) -> None:
    assert kept(name) == expected


def test_several_members_in_source_order() -> None:
    assert kept("alone", "unused") == ["known", "unused", "alone"]
    assert list(select_members(program(), ["alone"]).domains) == ["D"]


def test_names_that_are_not_there() -> None:
    with pytest.raises(UsageError, match=r"named nobody, f: there are callee, caller, "):
        select_members(program(), ["alone", "nobody", "f"])
