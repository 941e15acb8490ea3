"""Permission that left through another name of a location is gone, and so is its value.

An entry of a permission map speaks for its index only where no negative entry may have the same
index: these programs were accepted by a prototype that forgot this.
"""

from __future__ import annotations

import pytest

from tests.unit.engines.vcg.verifying import findings_of

FIELD = """\
field f: Int
method m(x: Ref, y: Ref, s: Set[Ref]) {
  var b: Bool
  inhale acc(x.f) && x.f == 1
  inhale y in s && |s| == 1 && (forall z: Ref :: z in s ==> z == y)
  assume x == y
  GIVE
  LAST
}
"""

PREDICATE = """\
field f: Int
predicate P(x: Ref) { acc(x.f) }
function get(x: Ref): Int requires P(x) { unfolding P(x) in x.f }
method m(x: Ref, y: Ref, b: Bool) {
  inhale P(x) && get(x) == 1
  assume x == y
  GIVE
  LAST
}
"""

GIVEN = {
    "directly": "exhale acc(y.f)",
    "in a branch": "if (b) { exhale acc(y.f) } else { exhale acc(x.f) }",
    "under a condition": "exhale (b ==> acc(y.f)) && (!b ==> acc(x.f))",
    "in a loop": "while (b) invariant acc(y.f) { b := false } exhale acc(y.f)",
    "by a call": "take(y)",
    "half and half": "exhale acc(y.f, 1/2) && acc(x.f, 1/2)",
    "as a set": "exhale forall z: Ref :: z in s ==> acc(z.f)",
    "an unknown part": "exhale acc(y.f, b ? 1/2 : 1/1) exhale acc(x.f, b ? 1/2 : none)",
}

LAST = {
    "given twice": ("exhale acc(x.f)", "exhale.failed:insufficient.permission"),
    "written": ("x.f := 2", "assignment.failed:insufficient.permission"),
    "read": ("assert x.f > 0", "assert.failed:insufficient.permission"),
    "remembered": ("inhale acc(x.f) assert x.f == 1", "assert.failed:assertion.false"),
    "still counted": ("assert perm(x.f) > none", "assert.failed:assertion.false"),
    "remembered under the other name": (
        "inhale acc(y.f) assert y.f == 1",
        "assert.failed:assertion.false",
    ),
}

TAKE = "method take(z: Ref) requires acc(z.f)\n"


@pytest.mark.parametrize("last", LAST)
@pytest.mark.parametrize("given", GIVEN)
def test_what_was_given_away_under_another_name(given: str, last: str) -> None:
    text, expected = LAST[last]
    program = FIELD.replace("GIVE", GIVEN[given]).replace("LAST", text)
    assert findings_of(program + TAKE) == [f"{expected}@8"]


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("exhale P(x)", "exhale.failed:insufficient.permission"),
        ("unfold P(x)", "unfold.failed:insufficient.permission"),
        ("inhale P(x) assert get(x) == 1", "assert.failed:assertion.false"),
        ("assert perm(P(x)) > none", "assert.failed:assertion.false"),
    ],
)
@pytest.mark.parametrize(
    "given",
    [
        "exhale P(y)",
        "if (b) { exhale P(y) } else { exhale P(x) }",
        "exhale acc(P(y), 1/2) && acc(P(x), 1/2)",
        "unfold P(y) exhale acc(x.f)",
    ],
)
def test_instances_likewise(given: str, last: str, expected: str) -> None:
    program = PREDICATE.replace("GIVE", given).replace("LAST", last)
    assert findings_of(program) == [f"{expected}@8"]


KEPT = {
    "fractions spread over three names": """
  inhale acc(x.f, 1/3) && acc(y.f, 1/3) && acc(z.f, 1/3)
  assume x == y && y == z
  x.f := 4
  assert z.f == 4
  exhale acc(y.f)
""",
    "a value that an alias keeps": """
  inhale acc(x.f, 1/2) && acc(y.f, 1/2) && x.f == 3
  assume x == y
  exhale acc(x.f, 1/2)
  assert y.f == 3
""",
    "full permission twice is one object too many": """
  inhale acc(x.f) && acc(y.f)
  assert x != y
""",
    "no object holds more than all": """
  inhale acc(x.f, 2/3) && acc(y.f, 2/3) && acc(z.f, 1/2)
  assert x != y
  inhale acc(x.f, 1/2)
  assert false
""",
    "conditional amounts": """
  inhale (b ==> acc(x.f)) && (!b ==> acc(y.f))
  if (b) { x.f := 1 } else { y.f := 1 }
  assert b ? x.f == 1 : y.f == 1
  exhale b ? acc(x.f) : acc(y.f)
""",
    "a part of a part": """
  inhale none < p && acc(x.f, p) && x.f == 1
  exhale acc(x.f, p / 2)
  assert x.f == 1
  exhale acc(x.f, p / 2)
  assert perm(x.f) == none
""",
}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_known_all_the_same(name: str) -> None:
    head = "field f: Int\nmethod m(x: Ref, y: Ref, z: Ref, b: Bool, p: Perm) {"
    assert findings_of(f"{head}{KEPT[name]}}}") == []


def test_a_sign_that_is_not_known() -> None:
    """`(b ? 1 : 0) - 1` is negative where b does not hold: nothing may be concluded from it."""
    program = """\
field f: Int
method m(x: Ref, y: Ref, b: Bool) {
  inhale b ==> acc(x.f)
  inhale acc(y.f)
  assume x == y
  exhale acc(x.f)
  assert b
}"""
    assert findings_of(program) == ["assert.failed:assertion.false@7"]
