"""Static analysis: what it says, that it saves questions to the solver, and how it is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitviper.cli.main import main
from pitviper.driver.front.frontend import load_text
from pitviper.engines.explore.analysis.model_facts import model_facts
from pitviper.engines.explore.model.program import Assign, Call, Method, Model, Return
from pitviper.engines.explore.model.term import Literal, Local, Operation
from pitviper.engines.explore.model.types import BOOLEAN, INT
from pitviper.engines.explore.options import SearchOptions
from pitviper.engines.explore.report.statics import static_methods
from pitviper.engines.explore.runtime.ending import Status
from pitviper.engines.explore.search.compile import compile_model
from pitviper.engines.explore.search.engine import Search, Solvers
from pitviper.engines.explore.viper.calls import entry_name
from pitviper.engines.explore.viper.program import model_of
from pitviper.results.exploration import StaticMethod, Unreached
from pitviper.solver.z3.session import Z3Session
from tests.unit.engines.explore.exploring import explored

RANGES = """method m(x: Int, y: Int, z: Int) returns (r: Int)
  requires x > 10
  requires y > 10 && z > 10
{
  r := 0
  if (x + y > 5) { r := 1 } else { r := 2 }
  if (x > 100 && r == 1) { assert x + z > 50; r := 3 }
  assert r >= 0 && y + z != 3
}
"""
"""A run knows ranges of what it compared with numbers, but not those of sums."""

DEAD = """method m(b: Bool) returns (r: Int)
{
  var q: Int
  var chosen: Int
  inhale chosen > 3
  r := chosen
  goto done
  r := 9
  label done
  if (b) { r := q }
}
"""

LOOP = """method m(n: Int, start: Int, more: Int) returns (i: Int)
  requires start >= 0
  requires more >= 1
{
  i := start
  while (i < n)
    invariant 0 <= i
  {
    assert i >= 0
    i := i + more
  }
  assert i >= 0
}
"""


def _static(text: str, method: str = "m") -> StaticMethod:
    front = load_text(text, "s.vpr")
    assert front.program is not None, front.errors
    model, _ = model_of(front.program, (method,))
    (found,) = static_methods(model, (method,))
    return found


def _questions(text: str, *, pruned: bool) -> tuple[int, list[Status]]:
    """Paths for which a search looked for values, and how its runs ended."""
    front = load_text(text, "s.vpr")
    assert front.program is not None, front.errors
    model, _ = model_of(front.program, ("m",))
    code = compile_model(model, model_facts(model) if pruned else {})
    session = Z3Session()
    try:
        search = Search(code, entry_name("m"), Solvers(session, None), SearchOptions(runs=60))
        nodes = list(search.nodes())
        return len(nodes) - 1, [node.status for node in nodes if node.run is not None]
    finally:
        session.close()


def test_what_is_known_at_block_entries_prunes_paths() -> None:
    with_facts, ends = _questions(RANGES, pruned=True)
    without, all_ends = _questions(RANGES, pruned=False)

    assert ends == all_ends
    assert (with_facts, without) == (4, 8)


def test_invariants_spare_attacks_in_every_iteration() -> None:
    with_facts, ends = _questions(LOOP, pruned=True)
    without, _ = _questions(LOOP, pruned=False)

    assert Status.FAILED not in ends
    assert with_facts * 1.9 < without


def test_facts_come_from_the_precondition_and_go_into_calls() -> None:
    text = """method k(i: Int) returns (r: Int) requires i > 3 { if (i > 1) { r := 1 } }
method m(x: Int) { var r: Int; if (x > 7) { r := k(x) } }
"""
    found = _static(text, "k")

    assert found.blocks[0].known == ("i in 4..",)
    assert [e.feasible for e in found.edges if e.condition] == [False, True]
    assert (found.paths, found.left) == (2, 1)


def test_methods_that_call_themselves_are_not_assumed_about() -> None:
    text = """method m(x: Int) requires x == 5 || x == 6 {
  if (x == 5) { m(x + 1) } }"""

    assert _static(text).blocks[0].known == ()


def test_methods_that_the_runtime_runs_by_name_are_not_assumed_about() -> None:
    x, result = Local("x", INT), Local("r", BOOLEAN)
    above = Operation("less", (Literal(3, INT), x), BOOLEAN)
    body = Method("body", "body", (x,), (result,), (Assign(result, above), Return()))
    five = Literal(5, INT)
    main_code = (
        Call("body", (five,), (result,)),
        Assign(result, Operation("for_all", (), BOOLEAN, "body")),
        Return(),
    )
    plain = Method("m", "m", (), (), (main_code[0], main_code[2]))
    named = Method("m", "m", (), (), main_code)

    assert model_facts(Model({"m": plain, "body": body}))["body"].entries[0].texts() == ["x in 5"]
    assert model_facts(Model({"m": named, "body": body}))["body"].entries == {}


def test_numbers_of_the_graph() -> None:
    found = _static(LOOP)

    assert found.paths is None
    assert len(found.loops) == 1
    head = found.blocks[found.loops[0]]
    assert "i in 0.." in head.known
    assert dict(found.versions)["i"] >= 2


def test_dead_code_and_variables_with_any_value() -> None:
    found = _static(DEAD)

    assert found.dead_lines == (8,)
    assert found.any_value == ("q",)  # `chosen` is chosen by an assumption


def test_code_behind_a_known_condition_is_dead() -> None:
    found = _static(
        "method m(x: Int) returns (r: Int) requires x > 3\n{\nif (x < 0) {\nr := 1\n}\n}"
    )

    assert found.dead_lines == (4,)


def test_users_see_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "s.vpr"
    program.write_text(RANGES)

    assert main(["explore", "--static", str(program)]) == 0
    out = capsys.readouterr().out
    assert "method m:" in out
    assert "paths: 4 (2 feasible)" in out
    assert "known x in 11.." in out
    assert "(never)" in out
    assert main(["explore", "--static", "--format", "json", str(program)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "static-method"
    assert found["blocks"][0]["known"] == ["x in 11..", "y in 11..", "z in 11.."]
    assert list({e[3] for e in found["edges"]} - {True}) == [False]


REASONS = """method m(a: Int)
  requires a > 0
{
  var r: Int := 1
  if (r > 2) { r := 7 }
  if (a < 0) { r := 8 }
  if (a == 77) { r := 9 }
}
"""


@pytest.mark.parametrize(("runs", "last"), [(10, None), (2, Unreached.OPEN)])
def test_a_block_without_runs_says_why(runs: int, last: Unreached | None) -> None:
    picture = explored(REASONS, runs=runs).picture
    assert picture is not None
    known = Unreached.EXCLUDED if last is None else Unreached.OPEN
    inside = {block.lines[0]: block.why for block in picture.blocks}
    assert inside["5: r := 7"] is Unreached.DEAD
    assert inside["6: r := 8"] is known
    assert inside["7: r := 9"] is last
