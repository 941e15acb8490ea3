"""What a path says about numbers decides further questions about them."""

from __future__ import annotations

import pytest

from pitviper.engines.explore.runtime.known_range import KnownRanges
from pitviper.results.exploration import Claim
from pitviper.terms import build
from pitviper.terms.sort import INT
from pitviper.terms.term import Term
from tests.unit.engines.explore.exploring import explored, failed_lines, inputs_at

N = build.constant("n", INT)


def number(value: int) -> Term:
    return build.integer(value)


AT_LEAST_3 = build.at_least(N, number(3))
BELOW_7 = build.less(N, number(7))
IS_5 = build.equal(N, number(5))


@pytest.mark.parametrize(
    ("term", "holds"),
    [
        (build.at_least(N, number(3)), True),
        (build.greater(N, number(2)), True),
        (build.less(N, number(3)), False),
        (build.at_most(N, number(6)), True),
        (build.greater(N, number(6)), False),
        (build.equal(N, number(2)), False),
        (build.equal(N, number(7)), False),
        (build.at_least(build.plus(N, number(10)), number(13)), True),
        (build.equal(build.plus(N, number(10)), number(12)), False),
        (build.at_least(N, number(4)), None),
        (build.less(N, number(6)), None),
        (build.equal(N, number(3)), None),
        (build.less(build.constant("m", INT), number(6)), None),
        (build.less(N, build.constant("m", INT)), None),
    ],
)
def test_between_two_numbers(term: Term, holds: bool | None) -> None:
    ranges = KnownRanges()
    ranges.learn(build.conjoin(AT_LEAST_3, BELOW_7), holds=True)

    assert ranges.decided(term) is holds


def test_what_does_not_hold_says_something_as_well() -> None:
    ranges = KnownRanges()
    ranges.learn(BELOW_7, holds=False)
    assert ranges.decided(build.at_least(N, number(7))) is True
    assert ranges.decided(build.equal(N, number(7))) is None

    ranges.learn(build.equal(N, number(7)), holds=False)
    assert ranges.decided(build.at_least(N, number(8))) is True


def test_a_number_that_is_not_at_the_edge_narrows_nothing() -> None:
    ranges = KnownRanges()
    ranges.learn(build.conjoin(AT_LEAST_3, BELOW_7), holds=True)
    ranges.learn(IS_5, holds=False)

    assert ranges.decided(build.at_least(N, number(6))) is None
    assert ranges.decided(build.at_least(N, number(3))) is True


def test_one_side_of_a_disjunction_is_not_known() -> None:
    ranges = KnownRanges()
    ranges.learn(build.disjoin(BELOW_7, build.equal(N, number(20))), holds=True)

    assert ranges.decided(BELOW_7) is None


LOOP = """field f: Int
method m(n: Int) returns (x: Ref)
  requires {0}
{{
  var i: Int := 0
  while (i < n)
    invariant i > 0 ==> acc(x.f) && x.f == i - 1
  {{
    x := new(f)
    x.f := i
    i := i + 1
  }}
  assert {1}
}}
"""


def test_turns_of_a_loop_up_to_a_known_number_are_no_decisions() -> None:
    done = explored(LOOP.format("n == 300", "x.f == n - 1"))

    assert done.claim is Claim.PROVED
    assert sum(done.counts.values()) <= 3


def test_the_last_turns_are_decisions_where_the_number_is_not_known() -> None:
    done = explored(LOOP.format("298 <= n && n <= 300", "x.f != 299"))

    assert failed_lines(done) == [13]
    assert inputs_at(done, 13)["n"] == "300"
    assert sum(done.counts.values()) <= 8


def test_objects_of_a_set_are_told_apart_by_what_they_are() -> None:
    text = """field f: Int
method m(a: Ref, b: Ref)
  requires acc(a.f) && acc(b.f, 1/2) && a != b
{
  var s: Set[Ref] := Set(a)
  var c: Ref
  c := new(f)
  s := s union Set(c)
  assert c in s && a in s
  assert !(b in s)
  assert Seq(a, c) != Seq(b, c)
  assert |s| == 2
  assert null in s
}
"""
    done = explored(text)

    assert failed_lines(done) == [13]
