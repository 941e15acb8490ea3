"""quasihavoc and quasihavocall."""

from __future__ import annotations

from tests.unit.engines.concrete.running import FALSE, PASSED, check, tape

START = "inhale acc(x.f) && acc(y.f)\nx.f := 1\ny.f := 2\n"


def test_other_contents_same_permission() -> None:
    assert check(START + "quasihavoc x.f\nassert perm(x.f) == write && y.f == 2") == PASSED
    assert check(START + "quasihavoc x.f\nassert x.f == 1", decisions=tape(0)) == FALSE
    assert check(START + "quasihavoc !b ==> x.f\nassert x.f == 1", decisions=tape(0)) == PASSED
    assert check("quasihavoc x.f") == PASSED


def test_many_at_once() -> None:
    every = "quasihavocall r: Ref :: r in Set(x) ==> r.f\n"
    assert check(START + every + "assert y.f == 2") == PASSED
    assert check(START + every + "assert x.f == 1", decisions=tape(0)) == FALSE
    twice = "quasihavocall k: Int :: k in Set(0, 1) ==> Seq(x, x)[k].f"
    assert check(START + twice) == "quasihavocall.failed:quasihavocall.not.injective"


def test_the_condition_must_be_defined() -> None:
    assert check("quasihavoc x.f > 0 ==> x.g") == "quasihavoc.failed:insufficient.permission"
