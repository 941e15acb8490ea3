"""Values that nobody gives: opaque functions, parts of data that are not there, unknown insides."""

from __future__ import annotations

import pytest

from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines, inputs_at

OPAQUE = """field f: Int
@opaque() function big(n: Int): Bool ensures n > 60 ==> result { n > 1 }
@opaque() function twice(n: Int): Int { n <= 0 ? 0 : twice(n - 1) + 2 }
@opaque() function at(x: Ref): Int requires acc(x.f) { x.f }
"""


@pytest.mark.parametrize(
    ("body", "claim"),
    [
        ("assume big(n)  assert n > 1", Claim.FAILS),
        ("assert n > 60 ==> big(n)", Claim.PROVED),
        ("assume big(n)  assert @reveal() big(n)  assert n > 1", Claim.PROVED),
        ("assume @reveal() big(n)  assert big(n) && n > 1", Claim.PROVED),
        ("assert twice(1) == 2", Claim.FAILS),
        ("assert @reveal() twice(1) == twice(0) + 2", Claim.PROVED),
        ("assert twice(n) == twice(n)", Claim.PROVED),
        ("inhale acc(x.f)  assert at(x) == x.f", Claim.FAILS),
        ("inhale acc(x.f)  assert @reveal() at(x) == x.f  assert at(x) == x.f", Claim.PROVED),
    ],
)
def test_an_opaque_function_is_what_it_promises(body: str, claim: Claim) -> None:
    done = explored(f"{OPAQUE}method m(n: Int, x: Ref) {{ {body} }}")

    found = Claim.PROVED if done.claim is Claim.HOLDS else done.claim
    assert found is claim, (done.claim, done.open)


ADT = """adt List { Nil() Cons(head: Int, tail: List) }
"""


def test_a_part_that_is_not_there_may_be_anything_but_is_one() -> None:
    done = explored(ADT + "method m() {\nassert Nil().head == Nil().head\nassert Nil().head == 1 }")

    assert failed_lines(done) == [4]


INSIDE = """field f: Int
predicate P(x: Ref) { acc(x.f) }
function get(x: Ref): Int requires P(x)
"""


@pytest.mark.parametrize(
    ("body", "claim"),
    [
        ("inhale P(x)  assert get(x) > 0", Claim.FAILS),
        ("inhale P(x)  var a: Int := get(x)  unfold P(x)  fold P(x)  assert a == get(x)",
         Claim.PROVED),
        ("inhale P(x)  var a: Int := get(x)  unfold P(x)  x.f := x.f + 1  fold P(x)"
         "  assert a == get(x)", Claim.FAILS),
        ("inhale P(x)  unfold P(x)  fold P(x)  var a: Int := get(x)  unfold P(x)  var v: Int := x.f"
         "  x.f := n  fold P(x)  assert v == n ==> a == get(x)", Claim.PROVED),
    ],
)  # fmt: skip
def test_a_function_of_an_instance_depends_on_the_values_inside(body: str, claim: Claim) -> None:
    done = explored(f"{INSIDE}method m(n: Int, x: Ref) {{ {body} }}")

    assert done.claim is claim, done.open


def test_a_new_value_is_shown_though_it_was_met_before() -> None:
    """What the run depends on is an input; parts of one permission have one value."""
    again = explored("""field f: Int
method m(x: Ref) requires acc(x.f) && x.f == 0
{ x.f := 1  exhale acc(x.f)  inhale acc(x.f)
  assert x.f == 1 }""")
    assert inputs_at(again, 4) == {"x": "object1", "object1.f": "0", "object1.f (value 2)": "0"}

    parts = explored("""field f: Int
method m(x: Ref) requires acc(x.f, 1/2) && acc(x.f, 1/2)
{ assert x.f != 5 }""")
    assert inputs_at(parts, 3) == {"x": "object1", "object1.f": "5"}
