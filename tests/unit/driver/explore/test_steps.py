"""Walking through a run on a terminal: moving, stopping, and looking at values."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pitviper.driver.explore.steps import walk_of
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
    assert "unfolding list(x) in x.val" in str(calls.command("?"))
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
