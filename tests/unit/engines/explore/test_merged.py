"""Both sides of branches are run at once to find inputs, and say nothing by themselves."""

from __future__ import annotations

from itertools import product

import pytest

from pitviper.driver.explore.explore import Explorer, explore_program
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load_text
from pitviper.engines.explore.model.program import Branch, Constraint
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.runtime.inputs import Assignment
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.search.compile import Code, compile_model
from pitviper.engines.explore.search.engine import execute
from pitviper.engines.explore.search.merged import merged_model
from pitviper.engines.explore.viper.calls import entry_name
from pitviper.results.exploration import Claim
from tests.unit.engines.explore.exploring import explored, failed_lines, inputs_at


def branches(number: int, last: str, *, field: bool = False) -> str:
    names = [f"x{i}" for i in range(number)]
    target = "o.f" if field else "r"
    params = ", ".join([f"{n}: Int" for n in names])
    lines = ["field f: Int", f"method m(o: Ref, {params})", "  requires acc(o.f) && o.f == 0", "{"]
    lines.append("  var r: Int := 0")
    for index, name in enumerate(names):
        lines.append(f"  if ({name} > {index}) {{ {target} := {target} + {index} }}")
    return "\n".join([*lines, f"  assert {target} != {last}", "}"])


@pytest.mark.parametrize("field", [False, True])
def test_the_one_way_of_many_that_fails_is_found_at_once(field: bool) -> None:
    done = explored(branches(20, "190", field=field), frontier="mixed", runs=60)

    assert failed_lines(done) == [26]
    assert all(int(inputs_at(done, 26)[f"x{i}"]) > i for i in range(1, 20))


def test_nothing_is_found_where_nothing_fails() -> None:
    done = explored(branches(20, "191"), frontier="mixed", runs=60)

    assert done.claim is Claim.OPEN
    assert sum(done.counts.values()) == 60


def test_a_search_that_ends_says_what_it_said_without() -> None:
    fine = explored(branches(7, "22"), frontier="mixed", runs=500)
    wrong = explored(branches(7, "21"), frontier="mixed", runs=500)

    assert fine.claim is Claim.PROVED
    assert fine.counts["passed"] == 128
    assert wrong.counts["passed"] == 126
    assert wrong.counts["failed"] == 2


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_do_the_same(workers: int) -> None:
    front = load_text(branches(20, "190"), "test.vpr")
    options = ExploreOptions(workers=workers, search=SearchOptions(runs=200))
    (done,) = explore_program(front, options)

    assert failed_lines(done) == [26]


LOOP = """method m(a: Int, b: Int, c: Int, d: Int) {
  var i: Int := 0
  var r: Int := 0
  while (i < 8) {
    if (i % 2 == 0 && a > i) { r := r + 1 }
    else { if (b > i) { r := r + 2 } else { r := r - 1 } }
    if (c > i) { if (d < i) { r := r + 1 } }
    i := i + 1
  }
  assert r != 16
}"""


def test_branches_in_loops_are_merged() -> None:
    assert failed_lines(explored(LOOP, frontier="mixed", runs=60)) == [10]


DIVIDES = """field f: Int
method m(x: Ref, y: Ref, a: Int, b: Int)
  requires acc(x.f) && (y != null ==> acc(y.f))
{
  var r: Int := 0
  if (a != 0) { r := b \\ a } else { r := b }
  if (b > 0) {
    var s: Int := r * 2
    assert s != 4
    r := s
  } elseif (b == -2) { x.f := r } else { r := r % 3 }
  if (y != null) { if (y.f > a) { y.f := y.f + 1  x.f := 1 } }
  if (x.f > 0) { x.f := x.f + r }
  assert x.f != 3
}"""


CALLS = """function inc(x: Int, k: Int): Int ensures result == x + k { x + k }
function pick(x: Int): Int { x > 2 ? x : 0 - x }
method up(x: Int) returns (y: Int) { y := x + 1 }
method m(a: Int, b: Int, c: Int, d: Int) {
  var r: Int := 0
  if (a > 1) { r := inc(r, a) }
  if (b > 1) { r := inc(r, pick(b)) } else { r := pick(r) }
  if (c > 0) { r := up(r) }
  if (d > 0) { r := inc(inc(r, d), 1) }
  assert r != 9
}"""


def test_functions_on_a_side_are_merged() -> None:
    lines = [f"  if (x{i} > {i}) {{ r := inc(r, {i}) }}" for i in range(18)]
    params = ", ".join([f"x{i}: Int" for i in range(18)])
    head = ["function inc(x: Int, k: Int): Int { x + k }", f"method m({params}) {{"]
    text = "\n".join([*head, "  var r: Int := 0", *lines, "  assert r != 153 }"])

    assert failed_lines(explored(text, frontier="mixed", runs=60)) == [22]


def codes(text: str) -> tuple[Code, Code]:
    front = load_text(text, "test.vpr")
    assert front.program is not None, front.errors
    plain = Explorer(front.program, "test.vpr", ExploreOptions()).code
    merged = merged_model(plain.model)
    assert merged is not None
    return plain, compile_model(merged, {})


def outcome(code: Code, values: dict[str, int]) -> tuple[str, str]:
    """How a run ends, and the check at which."""
    status, site, _ = execute(code, entry_name("m"), Run(code.model, Assignment(values)))
    where = None if site is None else code.model.methods[site[0]].instructions[site[1]]
    blame = where.blame if isinstance(where, Constraint) else None
    return status.value, "" if blame is None else f"{blame.span.start} {blame.error}"


@pytest.mark.parametrize("text", [LOOP, DIVIDES, CALLS], ids=["loop", "heap", "calls"])
def test_a_merged_run_ends_as_the_run_of_the_model_does(text: str) -> None:
    plain, merged = codes(text)
    names: tuple[str, ...] = ("a", "b", "c", "d")
    if text == DIVIDES:
        names = ("a", "b", "object1.f", "y", "object2.f")
    seen = set()
    for numbers in product((-2, 0, 1, 3), repeat=len(names)):
        values = dict(zip(names, numbers, strict=True))
        expected = outcome(plain, values)
        assert outcome(merged, values) == expected, values
        seen.add(expected)

    assert len(seen) >= {LOOP: 1, DIVIDES: 3, CALLS: 2}[text]


def test_jumps_into_a_part_keep_it_as_it_is() -> None:
    text = """method m(a: Int, b: Int) {
  if (a > 0) { goto inside }
  if (b > 0) {
    label inside
    assert a != 5
  }
}"""
    front = load_text(text, "test.vpr")
    assert front.program is not None
    model = Explorer(front.program, "test.vpr", ExploreOptions()).code.model
    merged = merged_model(model) or model
    count = [
        sum(isinstance(i, Branch) for i in one.methods["m"].instructions) for one in (model, merged)
    ]

    assert failed_lines(explored(text)) == [5]
    assert count[0] <= count[1]


def test_a_failure_before_does_not_hide_one_that_is_deep() -> None:
    text = branches(20, "190").replace("  var r: Int := 0", "  var r: Int := 0\n  assert x3 != 7")
    done = explored(text, frontier="mixed", runs=60)

    assert failed_lines(done) == [6, 27]
    assert len({run.number for run in done.runs}) == len(done.runs)


def test_somebody_may_end_it() -> None:
    from pitviper.driver.work.stop import Stopped

    front = load_text(branches(20, "190"), "test.vpr")
    assert front.program is not None
    explorer = Explorer(front.program, "test.vpr", ExploreOptions(methods=("m",)))
    calls = 0

    def pulse() -> None:
        nonlocal calls
        calls += 1
        if calls > 49:
            raise Stopped("enough")

    done = explorer.explore("m", pulse)
    explorer.close()

    assert done.claim is Claim.OPEN
    assert done.open == ("enough",)


def test_a_label_that_only_one_side_has_passed_ends_a_run_of_both_sides() -> None:
    """Once it was an exception: there is no state to look into."""
    text = """
field f: Int
method m(x: Ref, n: Int) requires acc(x.f)
{ var i: Int := 0
  while (i < n) invariant acc(x.f)
  { label a
    x.f := i
    i := i + 1 }
  assert n > 0 ==> old[a](x.f) == n - 2 }"""
    done = explored(text, frontier="mixed", runs=150)

    assert failed_lines(done) == [9]
