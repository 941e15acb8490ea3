"""The session of the report on debugging for Silicon (Figures 2 to 5), command by command."""

from __future__ import annotations

from tests.unit.debugger.sessions import ids, opened, outcome, problem, said


def test_figure_2_errors_are_listed_and_one_is_chosen() -> None:
    session = opened("gaussian_sum")

    listed = said(session, "errors").splitlines()
    assert listed == [
        " [0] Assert might fail. Assertion r == n.val * (n.val + 1) \\ 2 might not hold. "
        "(gaussian_sum.vpr@21.10--21.38)",
        " [1] Assignment might fail. There might be insufficient permission to access x.val "
        "(gaussian_sum.vpr@34.3--34.13)",
    ]
    assert "inside gaussian_sum" in said(session, "choose 0")


def test_figure_3_the_obligation_in_viper_terms() -> None:
    session = opened("gaussian_sum")

    assert (
        said(session, "choose 0")
        == """\
error:
    gaussian_sum.vpr@21.10--21.38 (inside gaussian_sum)
    Assert might fail. Assertion r == n.val * (n.val + 1) \\ 2 might not hold.

branch conditions:
    old[debug@2#l:11](n@0.val) <= i@2

store:
    n -> n@0
    i -> i@2
    r -> r@2

heap:
    n@0.val -> old[debug@2#l:11](n@0.val)  # write

assumptions:
    [0] unfolded ge0(n)  (line 6)
      [3] n@0 != null
      [4] 0 <= old[debug@1#l:8](n@0.val)  (line 26)
    [7] 0 <= old[debug@1#l:8](n@0.val)  (line 14)
    [8] 0 <= old[debug@1#l:8](n@0.val)  (line 15)
    [9] loop invariant
      [11] r@2 == i@2 * (i@2 - 1) \\ 2  (line 13)
      [12] i@2 <= old[debug@2#l:11](n@0.val)  (line 14)
      [13] 0 <= old[debug@2#l:11](n@0.val)  (line 15)
    [14] old[debug@2#l:11](n@0.val) <= i@2  (line 11)

goal:
    r@2 == old[debug@2#l:11](n@0.val) * (old[debug@2#l:11](n@0.val) + 1) \\ 2
    that is: r == n.val * (n.val + 1) / 2
"""
    )


def test_figure_4_another_assertion_is_set_and_proved() -> None:
    session = opened("gaussian_sum")
    session.execute("choose 0")
    value = "old[debug@2](n@0.val)"

    assert outcome(session, "prove") == "not proved"
    assert outcome(session, f"assert r@2 == {value} * ({value} + 1) / 2") == "not proved"
    assert outcome(session, f"assert r@2 == {value} * ({value} - 1) / 2") == "proved"
    with_line = "old[debug@2#l:11](n@0.val)"
    assert outcome(session, f"ass r@2 == {with_line} * ({with_line} - 1) / 2") == "proved"
    assert outcome(session, "a r == n.val * (n.val - 1) / 2") == "proved"
    assert outcome(session, "assert") == "not proved"  # the goal of the obligation again


def test_figure_5_assumptions_are_removed() -> None:
    session = opened("gaussian_sum")
    session.execute("choose 0")
    assert outcome(session, "assert r == n.val * (n.val - 1) / 2") == "proved"

    assert outcome(session, "ra 14,1,2") != "proved"  # the loop may not be over
    assert outcome(session, "restore 14") == "proved"
    assert outcome(session, "remove 9") != "proved"  # a group goes with all its children
    assert "(removed)" in said(session, "show assumptions")
    assert outcome(session, "restore all") == "proved"
    assert ids(session, "minimise") == [11, 12, 14]


def test_adding_assumptions() -> None:
    session = opened("gaussian_sum")
    session.execute("choose 0")

    assert outcome(session, "assume n.val == 0") == "proved"
    assert said(session, "undo") == "undone\n"
    assert outcome(session, "prove") == "not proved"
    assert said(session, "redo") == "done again\n"
    assert outcome(session, "prove") == "proved"
    said(session, "reset")
    assert outcome(session, "prove") == "not proved"
    refused = said(session, "assume i > n.val")
    assert "contradicts what is known" in refused and "[12]" in refused
    assert "not proved, so not added" in said(session, "lemma i == 7")
    assert outcome(session, "lemma i == n.val") == "not proved"


def test_bad_input_is_answered_and_the_session_goes_on() -> None:
    session = opened("gaussian_sum")

    assert problem(session, "prove")[0] == "choose an error first: `choose 0`"
    session.execute("choose 0")
    said, place = problem(session, "assert x > 0")
    assert said.startswith("undeclared identifier `x`")
    assert place == "x"
    assert problem(session, "assert r@2 == true")[1] == "true"
    assert problem(session, "assert r@7 == 0") == (
        "there is no `r@7`: known versions are r@2",
        "r@7",
    )
    assert problem(session, "assert old[debug@9](n.val) == 0")[1] == "debug@9"
    assert problem(session, "assert r@2 == (")[0].startswith("expected an expression")
    assert problem(session, "remove 999")[1] == "999"
    assert problem(session, "remove 1,x") == ("`x` is no number", "x")
    assert problem(session, "frobnicate 1")[1] == "frobnicate"
    assert problem(session, "choose 17")[0] == "there is no error 17: choose 0 to 1"
    assert problem(session, "goto 9999")[0].startswith("there is no step 9999")
    assert problem(session, "print x")[1] == "x"
    assert problem(session, "solver yices")[1] == "yices"
    assert problem(session, "solver limit x")[0] == "a limit is a number of resources"
    assert problem(session, "export pdf")[0].startswith("use `export smt`")
    assert problem(session, "assert 1 / 0 == 1")[0].endswith("Divisor 0 might be zero.")
    assert outcome(session, "prove") == "not proved"
