"""Functions are explored like methods."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.base.usage_error import UsageError
from pitviper.cli.main import main
from pitviper.driver.explore.explore import explore_file
from pitviper.driver.explore.options import ExploreOptions
from pitviper.results.exploration import Claim, Unreached
from tests.unit.engines.explore.exploring import explored

TEXT = """field val: Int
function good(n: Int): Int requires n >= 0 ensures result >= n { n + 1 }
function bad(n: Int): Int ensures result > n { n > 5 ? n : n + 1 }
function undefined(x: Ref): Int requires acc(x.val, 1/2) ensures result <= 10 { 10 / x.val }
function quiet(n: Int): Int { n }
function abstract(n: Int): Int ensures result > 0
predicate p(x: Ref) { acc(x.val) }
method m() { assert quiet(3) == 3 }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "f.vpr"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_functions_that_promise_something_are_explored(file: Path) -> None:
    _, done = explore_file(file, ExploreOptions())
    assert done is not None
    claims = {one.method: one.claim for one in done.methods}

    assert claims == {
        "m": Claim.PROVED,
        "good": Claim.PROVED,
        "bad": Claim.FAILS,
        "undefined": Claim.FAILS,
    }
    assert [one.method for one in done.methods if one.is_function] == ["good", "bad", "undefined"]


def test_failures_are_those_of_the_function(file: Path) -> None:
    _, done = explore_file(file, ExploreOptions(methods=("bad", "undefined")))
    assert done is not None
    found = [run for one in done.methods for run in one.certain_failures]

    assert [(r.finding.id, r.finding.span.line) for r in found if r.finding] == [
        ("postcondition.violated:assertion.false", 3),
        ("function.not.wellformed:division.by.zero", 4),
    ]
    assert found[0].test is not None
    assert dict(found[0].test.inputs) == {"n": "6"}


def test_any_function_with_a_body_can_be_named(file: Path) -> None:
    _, done = explore_file(file, ExploreOptions(methods=("quiet",)))
    assert done is not None

    assert [(one.method, one.claim) for one in done.methods] == [("quiet", Claim.PROVED)]


@pytest.mark.parametrize(
    ("name", "why"),
    [("p", "is a predicate"), ("abstract", "has no body"), ("what", "there is no method")],
)
def test_what_cannot_be_explored_is_said(file: Path, name: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        explore_file(file, ExploreOptions(methods=(name,)))


def test_tests_of_functions_are_replayed(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = tmp_path / "tests"
    main(["explore", str(file), "--method", "bad", "--save-tests", str(tests)])
    (failing,) = tests.glob("bad-*-postcondition*.json")

    assert "fails   function bad" in capsys.readouterr().out
    assert main(["replay", str(failing)]) == 1 or "postcondition" in capsys.readouterr().out


def test_what_is_only_assumed_of_a_promise_is_assumed_by_runs(tmp_path: Path) -> None:
    path = tmp_path / "f.vpr"
    path.write_text("""function f(x: Int): Int ensures [result > 5, true] { x }
function g(x: Int): Int ensures [true, result > 5] { x }
method right(x: Int) { var y: Int := f(x); assert y > 5 }
method wrong(x: Int) { var y: Int := f(x); assert y > 6 }
""")
    _, done = explore_file(path, ExploreOptions())
    assert done is not None
    claims = {one.method: one.claim for one in done.methods}
    assert claims["right"] is Claim.PROVED
    assert claims["wrong"] is Claim.FAILS
    assert (claims["f"], claims["g"]) == (Claim.PROVED, Claim.FAILS)


def test_a_function_has_a_graph_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "f.vpr"
    path.write_text(
        """function down(n: Int): Int
  requires 0 <= n && n < 4
  ensures result == 0
{
  n == 0
    ? 0
    : (n < 0
        ? down(5)
        : down(n - 1))
}
""",
        encoding="utf-8",
    )
    _, done = explore_file(path, ExploreOptions())
    assert done is not None
    (picture,) = [one.picture for one in done.methods if one.picture is not None]
    blocks = {b.lines[0]: b for b in picture.blocks}
    places = {b.number: b.lines[0] for b in picture.blocks}
    edges = [(places[e.source], places[e.target], e.label) for e in picture.edges]

    assert picture.method == "down"
    assert ("5: n == 0", "6: 0", "true") in edges
    assert ("7: n < 0", "9: down(n - 1)", "false") in edges
    assert blocks["8: down(5)"].why is Unreached.EXCLUDED
    assert blocks["9: down(n - 1)"].runs > 0
    assert done.methods[0].static.paths == 3


@pytest.mark.parametrize(
    "where", ["assert half(n) * 2 <= n", "var h: Int := half(n); assert h * 2 <= n"]
)
def test_what_a_function_without_body_promises_only_to_others_is_assumed(where: str) -> None:
    """Also where it is applied inside of an assertion, whose other side counts."""
    function = "function half(n: Int): Int ensures [result * 2 <= n, result == 7]\n"
    assert explored(f"{function}method m(n: Int) {{ {where} }}").claim is Claim.PROVED
    assert explored(f"{function}method m(n: Int) {{ assert half(n) == 7 }}").claim is Claim.FAILS
