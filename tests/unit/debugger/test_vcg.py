"""The debugger on failed assertions of the second verifier."""

from __future__ import annotations

from pitviper.driver.debug.debugging import DebugSession, open_debugger
from pitviper.driver.verify.options import VerifyOptions
from tests.unit.debugger.sessions import PROGRAMS, ids, outcome, problem, said


def opened_vcg(name: str) -> DebugSession:
    return open_debugger(PROGRAMS / f"{name}.vpr", VerifyOptions(backend="vcg"))


def test_assumptions_and_goals_of_the_second_verifier() -> None:
    session = opened_vcg("missing_invariant")

    assert "r@1 == 2 * n@0" in said(session, "show goal")
    assert outcome(session, "prove") == "not proved"
    assert outcome(session, "assume r == 2 * (n - left@1)") == "not proved"
    assert outcome(session, "assume left >= 0") == "proved"
    assert len(ids(session, "minimise")) == 3
    assert "(check-sat)" in said(session, "export smt")


def test_both_verifiers_fail_in_the_same_places() -> None:
    session = opened_vcg("gaussian_sum")

    listed = said(session, "errors")
    assert "gaussian_sum.vpr@21.10--21.38" in listed and "gaussian_sum.vpr@34.3--34.13" in listed
    session.execute("choose 0")
    assert outcome(session, "assert r == i * (i - 1) / 2") == "proved"


def test_what_needs_recorded_states_says_so() -> None:
    session = opened_vcg("missing_invariant")

    assert problem(session, "path")[0] == "this obligation has no recorded steps"
    assert problem(session, "counterexample")[0].startswith("counterexamples are made from")
    assert problem(session, "assert condition")[0].startswith("undeclared identifier")
