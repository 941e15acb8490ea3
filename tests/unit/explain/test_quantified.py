"""Permissions to many locations: in words of the source, and nothing that is untrue."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.debug.cursor import record_member
from pitviper.driver.front.frontend import load_text
from pitviper.driver.verify.options import VerifyOptions

ARRAYS = """field val: Int
domain Arr {
  function loc(a: Arr, i: Int): Ref
  function len(a: Arr): Int
  function cell(a: Arr, r: Int, c: Int): Ref
  function row(r: Ref): Int
  function col(r: Ref): Int
  axiom apart { forall a: Arr, i: Int, j: Int :: { loc(a, i), loc(a, j) }
    loc(a, i) == loc(a, j) ==> i == j }
  axiom cells { forall a: Arr, r: Int, c: Int :: { cell(a, r, c) }
    row(cell(a, r, c)) == r && col(cell(a, r, c)) == c }
}
"""
WHOLE = "requires forall q: Int :: 0 <= q && q < len(a) ==> acc(loc(a, q).val)"
SEQ = """requires |s| > 2
  requires forall q: Int, p: Int :: 0 <= q && q < p && p < |s| ==> s[q] != s[p]
  requires forall q: Int :: 0 <= q && q < |s| ==> acc(s[q].val)"""
SET = "requires x in t && forall q: Ref :: q in t ==> acc(q.val)"
PARAMS = "a: Arr, k: Int, m: Int, s: Seq[Ref], t: Set[Ref], x: Ref, y: Ref"


def method(contract: str, body: str) -> str:
    return f"{ARRAYS}method work({PARAMS})\n  {contract}\n{{\n  {body}\n  y.val := 1\n}}\n"


def told(contract: str, body: str) -> tuple[str, ...]:
    """What the message says to be held."""
    (found,) = pitviper.verify(method(contract, body)).problems
    return found.held


def seen(contract: str, body: str) -> tuple[str, ...]:
    """What the state in front of the last line has for many locations at once."""
    text = method(contract, body)
    record = record_member(load_text(text, "work.vpr"), "work", VerifyOptions())
    assert record is not None
    state = record.at(text.index("y.val := 1")).states[-1]
    return tuple([f"{h.quantifier} {h.location}: {h.amount}" for h in state.heap if h.quantifier])


def test_ranges_of_one_array_are_told_apart() -> None:
    halves = """requires forall q: Int :: 0 <= q && q < k ==> acc(loc(a, q).val)
  requires forall q: Int :: k <= q && q < m ==> acc(loc(a, q).val, 1/2)
  requires forall q: Int :: m <= q && q < len(a) ==> acc(loc(a, q).val, q == m ? 1/2 : 1/3)"""
    assert told(halves, "") == (
        "forall i :: 0 <= i && i < k ==> acc(loc(a, i).val)",
        "forall i :: k <= i && i < m ==> acc(loc(a, i).val, 1/2)",
        "forall i :: m <= i && i < len(a) ==> acc(loc(a, i).val, (i == m ? 1/2 : 1/3))",
    )


def test_several_variables_have_names_that_the_program_does_not_use() -> None:
    square = (
        "requires forall r: Int, c: Int :: 0 <= r && r < i && 0 <= c ==> acc(cell(a, r, c).val)"
    )
    text = f"{ARRAYS}method work(a: Arr, i: Int, y: Ref)\n  {square}\n{{ y.val := 1 }}"
    (found,) = pitviper.verify(text).problems
    assert found.held == ("forall j, k :: 0 <= j && j < i && 0 <= k ==> acc(cell(a, j, k).val)",)


TAKEN = [
    (
        f"requires 0 <= k && k < len(a) {WHOLE}",
        "loc(a, k).val := 1",
        "forall i: Int :: 0 <= i && i < len(a) && i != k ==> loc(a, i).val: write",
    ),
    (
        f"requires 0 <= k && k < len(a) {WHOLE}",
        "exhale forall q: Int :: 0 <= q && q < k ==> acc(loc(a, q).val)",
        "forall i: Int :: 0 <= i && i < len(a) && !(0 <= i && i < k) ==> loc(a, i).val: write",
    ),
    (
        f"requires 0 <= k && k < len(a) {WHOLE}",
        "exhale acc(loc(a, k).val, 1/2)",
        "forall i: Int :: 0 <= i && i < len(a) ==> loc(a, i).val: write - (i == k ? 1 / 2 : none)",
    ),
    (
        WHOLE.replace(".val)", ".val, 1/2)"),
        "",
        "forall i: Int :: 0 <= i && i < len(a) ==> loc(a, i).val: 1/2",
    ),
    (
        WHOLE.replace(".val)", ".val, wildcard)"),
        "",
        "forall i: Int :: 0 <= i && i < len(a) ==> loc(a, i).val: wildcard",
    ),
    (
        SEQ,
        "s[1].val := 1",
        "forall i: Int :: 0 <= i && i < |s| && s[i] != s[1] ==> s[i].val: write",
    ),
    (
        SEQ,
        "exhale forall q: Int :: 0 <= q && q < 2 ==> acc(s[q].val)",
        "forall i: Int :: 0 <= i && i < |s| ==> s[i].val: at most write",
    ),
    (SET, "x.val := 1", "forall r: Ref :: r != x && (r in t) ==> r.val: write"),
    (
        SET,
        "exhale acc(x.val, 1/2)",
        "forall r: Ref :: (r in t) ==> r.val: write - (r == x ? 1 / 2 : none)",
    ),
]


@pytest.mark.parametrize(("contract", "body", "words"), TAKEN)
def test_what_is_left_is_told_in_words_of_the_source(contract: str, body: str, words: str) -> None:
    assert seen(contract, body) == (words,)


@pytest.mark.parametrize("part", ["write", "wildcard"])
def test_the_permission_under_the_cursor_has_no_inverse_functions(part: str) -> None:
    text = method(WHOLE.replace(".val)", f".val, {part})"), "assert loc(a, k).val == 1")
    record = record_member(load_text(text, "work.vpr"), "work", VerifyOptions())
    assert record is not None
    (state,) = record.at(text.index("loc(a, k).val == 1") + len("loc(a, k).")).states
    assert state.asked is not None
    assert state.asked.permission in (
        f"0 <= k && k < len(a) ? {part} : none",
        f"(0 <= k && k < len(a) ? {part} : none)",
    )


def test_an_assignment_neither_brings_nor_takes_permission() -> None:
    text = method(f"requires 0 <= k && k < len(a) {WHOLE}", "loc(a, k).val := 1")
    record = record_member(load_text(text, "work.vpr"), "work", VerifyOptions())
    assert record is not None
    assert record.changes() == ()
