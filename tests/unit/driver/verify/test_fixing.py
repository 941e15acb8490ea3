"""Inferred statements are written where they belong, and the program is verified with them."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
from pitviper.cli.main import main
from pitviper.driver.verify.fixing import fixed

HEAD = "field f: Int\nfield next: Ref\npredicate cell(x: Ref) { acc(x.f) }\n"
LIST = HEAD + "predicate list(x: Ref) { x != null ==> acc(x.f) && acc(x.next) && list(x.next) }\n"

PROGRAMS = {
    "lines of their own": (
        HEAD + "method m(x: Ref)\n  requires cell(x)\n  ensures cell(x)\n{\n  x.f := 1\n}\n",
        "{\n  unfold cell(x)\n  x.f := 1\n  fold cell(x)\n}\n",
    ),
    "one line": (
        HEAD + "method m(x: Ref) requires cell(x) ensures cell(x) { x.f := 1 }",
        "{ unfold cell(x); x.f := 1 fold cell(x); }",
    ),
    "a loop": (
        HEAD
        + "method m(x: Ref, n: Int)\n  requires cell(x)\n  ensures cell(x)\n{\n"
        + "  var i: Int := 0\n  while (i < n)\n    invariant cell(x)\n  {\n"
        + "    x.f := i\n    i := i + 1\n  }\n}\n",
        "    unfold cell(x)\n    x.f := i\n    i := i + 1\n    fold cell(x)\n  }\n",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_statements_are_in_their_places(name: str) -> None:
    program, expected = PROGRAMS[name]
    result = pitviper.verify(program, options=pitviper.VerifyOptions(infer_ghost=True))
    steps = [step for outcome in result.members.values() for step in outcome.inferred]
    done = fixed(result.front.source, steps)
    assert done.left_out == ()
    assert expected in done.text
    assert pitviper.verify(done.text)


def test_what_only_some_paths_need_is_left_out() -> None:
    program = (
        HEAD
        + "method m(x: Ref, b: Bool)\n  requires cell(x)\n{\n"
        + "  if (b) {\n    unfold cell(x)\n  }\n  x.f := 1\n}\n"
    )
    result = pitviper.verify(program, options=pitviper.VerifyOptions(infer_ghost=True))
    steps = [step for outcome in result.members.values() for step in outcome.inferred]
    done = fixed(result.front.source, steps)
    assert [reason for _, reason in done.left_out] == ["only some of the paths there need it"]
    assert done.text == program


def test_nothing_is_written_into_a_macro() -> None:
    program = (
        HEAD
        + "define set(c) {\n  c.f := 1\n}\n"
        + "method m(x: Ref)\n  requires cell(x)\n{\n  set(x)\n}\n"
    )
    result = pitviper.verify(program, options=pitviper.VerifyOptions(infer_ghost=True))
    steps = [step for outcome in result.members.values() for step in outcome.inferred]
    done = fixed(result.front.source, steps)
    assert [reason for _, reason in done.left_out] == ["a macro stands there, which others may use"]
    assert done.text == program


def test_the_command_shows_what_changes_and_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.vpr"
    program = PROGRAMS["lines of their own"][0]
    file.write_text(program)
    assert main(["verify", "--fix", "--diff", str(file)]) == 0
    assert "+  unfold cell(x)\n" in capsys.readouterr().out
    assert file.read_text() == program
    assert main(["verify", "--fix", str(file)]) == 0
    assert f"wrote {file}" in capsys.readouterr().out
    assert main(["verify", str(file)]) == 0


def test_nothing_is_written_that_is_not_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.vpr"
    program = HEAD + "method m(x: Ref)\n  requires cell(x)\n{\n  x.f := 1\n  assert x.f == 2\n}\n"
    file.write_text(program)
    assert main(["verify", "--fix", str(file)]) == 1
    assert file.read_text() == program


def test_what_fits_not_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.vpr"
    file.write_text("method m() { }")
    assert main(["verify", "--fix", "--format", "json", str(file)]) == 2
    assert main(["verify", "--diff", str(file)]) == 2
    assert main(["verify", "--fix", "--backend", "vcg", str(file)]) == 2
