"""Walking through a run on a terminal: moving, stopping, and looking at values."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pitviper.driver.explore.steps import walk_of, walk_of_method
from pitviper.views.terminal.stepper import Stepper
from pitviper.views.terminal.style import coloured
from tests.unit.engines.explore.kept import CALLS, failing_test

LIST = """field val: Int
field next: Ref
predicate list(x: Ref) {
  acc(x.val) && acc(x.next) && (x.next != null ==> list(x.next))
}
function sum(x: Ref): Int
  requires list(x)
{
  unfolding list(x) in x.val + (x.next == null ? 0 : sum(x.next))
}
domain D { function secret(i: Int): Int }
method m(x: Ref, y: Ref, s: Seq[Int], t: Seq[Int], k: Int) returns (r: Int)
  requires list(x) && acc(y.val, 1/2) && acc(y.next, 1/2) && |s| == 2
  ensures acc(y.val, 1/2) && r > 0
{
  unfold list(x)
  label before
  x.val := s[0] + 5
  if (k > 3) { var i: Int := k
    r := i
  } else { var i: Bool := true
    r := 1 }
  r := r - 1
}
"""


@pytest.fixture
def calls(tmp_path: Path) -> Stepper:
    return Stepper(walk_of(failing_test(tmp_path, CALLS)))


def test_forwards_and_backwards_with_breakpoints_and_watches(calls: Stepper) -> None:
    assert calls.place().startswith("m, line 9: x.f := 3")
    assert calls.command("watch x.f") == "x.f = 0"
    assert calls.command("next") == "m, line 10: bump(x)\n  x.f = 3"
    assert calls.command("break 4") == "a breakpoint in line 4"
    assert calls.command("c") == "bump, line 4: x.f := x.f + 1\n  x.f = 3"
    assert calls.command("where") == "bump, line 4\nm, line 10"
    assert calls.command("heap") == "object1.f  1  3"
    end = calls.command("c")
    assert end is not None and "the end: failed: Assert might fail." in end
    assert calls.command("vars") == "x = object1"
    assert calls.command("c") == "There is no step further that way."
    assert calls.command("r") == "bump, line 4: x.f := x.f + 1\n  x.f = 3"
    assert calls.command("back") == "m, line 10: bump(x)\n  x.f = 3"
    assert calls.command("s") == "bump, line 4: x.f := x.f + 1\n  x.f = 3"
    assert calls.command("watch x.f") == "x.f is no longer watched"
    assert calls.command("out") == end.splitlines()[0] + "\n" + end.splitlines()[-1]
    assert calls.command("start") == "m, line 9: x.f := 3"
    assert calls.command("quit") is None


def test_breakpoints_at_methods_and_with_conditions(calls: Stepper) -> None:
    assert calls.command("break bump") == "a breakpoint where bump begins"
    arrived = calls.command("c")
    assert arrived is not None and arrived.startswith("bump, line 4")
    assert calls.command("break bump") == "no longer a breakpoint where bump begins"
    calls.command("start")
    calls.command("break 4 if x.f == 2")
    assert "the end" in str(calls.command("c"))
    calls.command("start")
    calls.command("break 4 if x.f == 3")
    assert str(calls.command("c")).startswith("bump, line 4")
    calls.command("start")
    calls.command("break 4 if x.g == 3")
    assert "the condition x.g == 3 has no value here" in str(calls.command("c"))
    assert calls.command("breaks") == "a breakpoint in line 4 if x.g == 3"
    assert calls.command("break 1") == "a breakpoint in line 1; this run does not come there"
    assert str(calls.command("break x y")).startswith("break LINE or break METHOD")


@pytest.fixture
def walking(tmp_path: Path) -> Stepper:
    stepper = Stepper(walk_of(failing_test(tmp_path, LIST)))
    stepper.command("break 18")
    stepper.command("c")
    return stepper


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("x.val", " = 0"),
        ("x", " = object2"),
        ("|s| + 1", " = 3"),
        ("perm(x.val)", " = 1"),
        ("perm(y.val)", " = 1/2"),
        ("perm(list(x))", " = 0"),
        ("old(sum(x))", " = 0"),
        ("old[before](x.val)", " = 0"),
        ("old(unfolding list(x) in x.val)", " = 0"),
        ("s ++ Seq(7)", " = Seq(0, 0, 7)"),
        ("forall j: Int :: 0 <= j && j < |s| ==> s[j] == 0", " = true"),
        ("exists j: Int :: j in s && j > 0", " = false"),
        ("let z == (x.val) in z - 3", " = -3"),
        ("acc(x.val) && x.val == 0", " = true"),
        ("acc(y.val)", " = false: There might be insufficient permission to access y.val"),
        ("Set(1, 2) union Set(3)", " = Set(1, 2, 3)"),
        ("sum(x)", ": no value: Precondition of function sum might not hold."),
        ("y.next == null", ": no value: the run never looked at"),
        ("|t|", ": no value: the run never looked at |t|"),
        ("secret(3)", ": no value: the run never looked at secret(3)"),
        ("x.val / 0", ": no value: Divisor 0 might be zero."),
        ("s[2]", ": no value: Index 2 into s might exceed sequence length."),
        ("forall j: Int :: j > 0", ": no value: the run never looked at j"),
        ("x +", ": no value: expected an expression, found the end of the line"),
        ("what", ": no value: undeclared identifier `what`"),
        ("x.val && true", ": no value: found incompatible type"),
        ("old[later](x.val)", ": no value: there is no state `later` here"),
        ("", ": no value: there is no expression"),
    ],
)
def test_expressions_of_the_language_have_their_value_or_a_reason(
    walking: Stepper, expression: str, value: str
) -> None:
    assert str(walking.command(f"p {expression}")).startswith(f"{expression}{value}")


def test_variables_go_by_their_names_in_the_source_and_only_in_scope(walking: Stepper) -> None:
    assert "i = " not in str(walking.command("vars"))
    walking.command("break 22")
    walking.command("c")
    assert walking.command("p i") == "i = true"
    walking.command("n")
    assert "undeclared identifier `i`" in str(walking.command("p i"))


def test_the_failing_promise_is_the_last_step(walking: Stepper) -> None:
    end = str(walking.command("end"))

    assert end.startswith("m, line 14: ")
    assert "the end: failed: Postcondition of m might not hold." in end


def test_what_predicate_instances_contain_is_shown(tmp_path: Path) -> None:
    stepper = Stepper(walk_of(failing_test(tmp_path, LIST)))

    held = str(stepper.command("heap")).splitlines()
    assert held == [
        "object1.next   1/2  ?",
        "object1.val    1/2  0",
        "list(object2)    1  { object2.next = null, object2.val = 0 }",
    ]


def test_helpful_words(calls: Stepper) -> None:
    assert "x.next.val, old(x.f)" in str(calls.command("?"))
    assert calls.command("fly") == "There is no command fly; ? lists them."
    assert calls.command("goto 99") == "goto N, a number from 1 to 5"
    assert "->    9" in str(calls.command("list"))


def test_colours_are_those_of_the_painter(tmp_path: Path) -> None:
    stepper = Stepper(walk_of(failing_test(tmp_path, CALLS)), coloured)

    assert stepper.place().startswith("\x1b[1mm, line 9\x1b[0m")
    assert "\x1b[1;31mthe end\x1b[0m" in str(stepper.command("end"))


def test_commands_come_from_a_pipe(tmp_path: Path) -> None:
    test = failing_test(tmp_path, CALLS)
    done = subprocess.run(
        [sys.executable, "-m", "pitviper", "replay", "--step", str(test)],
        input="n\nwatch old(x.f)\nc\n",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == ["5 steps; ? for help.", "m, line 9: x.f := 3"]
    assert "old(x.f) = 0" in done.stdout
    assert done.stdout.rstrip().endswith("Assertion x.f == 3 might not hold.")


INSIDE = """field val: Int
field next: Ref
predicate list(x: Ref) {
  acc(x.val) && acc(x.next) && (x.next != null ==> list(x.next))
}
function sum(x: Ref): Int
  requires list(x)
{ unfolding list(x) in x.val + (x.next == null ? 0 : sum(x.next)) }
function twice(n: Int): Int
{ n + n }
adt Shape { Box(side: Int) }
method bump(x: Ref, s: Seq[Int])
  requires list(x)
  ensures list(x)
{
  unfold list(x)
  x.val := x.val + twice(|s|)
  fold list(x)
}
method m(x: Ref, s: Seq[Int], t: Set[Int], k: Map[Int, Bool], b: Multiset[Int], d: Shape)
  requires list(x) && |s| == 2 && s[0] == 3 && s[1] == 5 && t == Set(7) && |k| == 1 && |b| == 1
  requires d.side == 9
{
  var y: Ref := new(val, next)
  y.val := 5
  y.next := y
  bump(x, s)
  assert sum(x) != 7 || (unfolding list(x) in x.next == null)
  assert sum(x) != 7
}
"""


@pytest.fixture
def inside(tmp_path: Path) -> Stepper:
    return Stepper(walk_of_method(_written(tmp_path, INSIDE), "m"))


def _written(folder: Path, text: str) -> Path:
    path = folder / "inside.vpr"
    path.write_text(text, encoding="utf-8")
    return path


def test_functions_are_stepped_into_and_over(inside: Stepper) -> None:
    inside.command("break 17")
    inside.command("c")

    assert (inside.command("s") or "").startswith("twice, line 10: n + n")
    assert inside.command("vars") == "n = 2"
    assert inside.command("p n * 3") == "n * 3 = 6"
    assert inside.command("where") == "twice, line 10\nbump, line 17\nm, line 27"
    assert (inside.command("b") or "").startswith("bump, line 17")
    assert (inside.command("n") or "").startswith("bump, line 18")


def test_a_check_that_applies_a_function_fails_where_it_stands(inside: Stepper) -> None:
    last = inside.command("end") or ""

    assert last.startswith("m, line 29: assert sum(x) != 7")
    assert "the end: failed" in last
    assert (inside.command("b") or "").startswith("sum, line 8")
    assert inside.command("break sum") == "a breakpoint where sum begins"


def test_values_are_looked_into(inside: Stepper) -> None:
    inside.command("end")

    assert inside.command("look s") == "s = Seq(3, 5)\n  [0] = 3\n  [1] = 5"
    assert inside.command("look t") == "t = Set(7)\n  0 = 7"
    assert (inside.command("look k") or "").count("\n") == 1
    assert (inside.command("look b") or "").endswith(" times = 1")
    assert inside.command("look d") == "d = Box(9)\n  0 = 9"
    assert inside.command("look y") == "y = new1\n  next = new1\n  val = 5"
    assert inside.command("look x") == (
        "x = object1\n  next (in list(object1)) = null\n  val (in list(object1)) = 7"
    )
    instance = inside.command("look list(object1)") or ""
    assert "\n  object1.val = 7  (permission 1)" in instance
    assert (inside.command("look z") or "").startswith("There is no z here")


def test_statements_are_kept_where_functions_take_many_steps(tmp_path: Path) -> None:
    text = """function f(n: Int): Int { n <= 0 ? 0 : f(n - 1) }
method m(k: Int) {
  var i: Int := 0
  while (i < 125) { i := i + 1 + f(20) }
  assert k > 0
}"""
    walk = walk_of_method(_written(tmp_path, text), "m")

    assert walk.ending.is_whole
    assert walk.steps[-1].line == 5


def test_what_a_precondition_applies_is_no_step(tmp_path: Path) -> None:
    text = """function f(n: Int): Int { n + 1 }
method m(k: Int)
  requires f(k) > 3
{
  var i: Int := f(k)
  assert i > 4
}"""
    walk = walk_of_method(_written(tmp_path, text), "m")

    assert [(s.method, s.line) for s in walk.steps] == [("m", 5), ("f", 1), ("m", 6)]
