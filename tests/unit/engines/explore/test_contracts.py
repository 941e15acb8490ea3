"""Contracts must make sense alone, both sides of pairs included."""

from __future__ import annotations

import pytest

from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines

FIELD = "field f: Int\n"

UNFRAMED = {
    "a body that never ends": "method m(x: Ref)\nensures x.f == 2\n{ assume false }",
    "the exhaled side of a precondition": "method m(x: Ref)\nrequires [true, x.f == 0]\n{ }",
    "the exhaled side of a postcondition": """method m(x: Ref) requires acc(x.f)
ensures [true, x.f == x.f]
{ }""",
    "the inhaled side of a postcondition": "method m(x: Ref)\nensures [x.f == 0, true]\n{ }",
}


@pytest.mark.parametrize("what", UNFRAMED)
def test_a_contract_is_judged_whatever_the_body_does(what: str) -> None:
    done = explored(FIELD + UNFRAMED[what])
    ids = {run.finding.id for run in done.certain_failures if run.finding is not None}

    assert failed_lines(done) == [3]
    assert ids == {"not.wellformed:insufficient.permission"}


def test_pairs_that_make_sense_leave_nothing_open() -> None:
    done = explored(
        FIELD
        + """method m(x: Ref) requires [acc(x.f) && x.f > 0, acc(x.f)]
ensures [acc(x.f), acc(x.f) && x.f > 1]
{ x.f := x.f + 1 }"""
    )

    assert done.claim is Claim.PROVED


def test_a_judged_contract_is_no_run_of_the_body() -> None:
    done = explored(FIELD + "method m(x: Ref) ensures x != null ==> 1 / 1 == 1 { assume false }")

    assert done.claim is Claim.OPEN
    assert "no run came to its end" in done.open


def test_a_callee_that_assumes_false_does_what_its_contract_allows() -> None:
    done = explored(
        FIELD
        + """method stub(x: Ref) returns (y: Int) requires acc(x.f) ensures acc(x.f) && y >= x.f
{ assume false }
method m(x: Ref) requires acc(x.f) && x.f == 2
{ var y: Int
  y := stub(x); assert y >= x.f
  assert x.f == 2
}"""
    )

    assert failed_lines(done) == [7]
    assert done.inlined == ()
