"""Keeps tests of programs: what the tests of replay share."""

from __future__ import annotations

from pathlib import Path

from pitviper.driver.explore.explore import explore_file
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.explore.tests import explorer_of, save_tests

CALLS = """field f: Int
method bump(x: Ref) requires acc(x.f) ensures acc(x.f)
{
  x.f := x.f + 1
}
method m(x: Ref)
  requires acc(x.f)
{
  x.f := 3
  bump(x)
  assert x.f == 3
}
"""


def kept_tests(folder: Path, text: str, method: str = "m", file: str = "p.vpr") -> list[Path]:
    """The tests that an exploration of a program keeps."""
    program = folder / file
    program.write_text(text)
    front, done = explore_file(program, ExploreOptions(methods=(method,)))
    assert done is not None
    return save_tests(folder / "t", done.methods[0], explorer_of(front, ExploreOptions()))


def failing_test(folder: Path, text: str, method: str = "m") -> Path:
    """The first one that fails."""
    return next(p for p in kept_tests(folder, text, method) if "passed" not in p.name)
