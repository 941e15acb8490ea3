"""A method that has not changed is not explored again while a file is watched."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.explore.explore import Kept, explore_file
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.work.stop import Stop

TEXT = """domain D { function d(): Int axiom { d() > 0 } }
function f(n: Int): Int { n + 1 }
method callee(n: Int) returns (r: Int) { r := f(n) }
method first(n: Int) { var r: Int  r := callee(n)  assert r > n }
method second(n: Int) { assert n != 12 }
"""


class Begun(Stop):
    """Notes the methods that are explored."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def begins(self, method: str, total: int) -> None:
        self.names.append(method)


@pytest.mark.parametrize(
    ("before", "after", "again"),
    [
        ("n != 12", "n != 13", ["second"]),
        ("{ r := f(n) }", "{ r := n }", ["callee", "first"]),
        ("{ n + 1 }", "{ n + 2 }", ["callee", "first"]),
        ("d() > 0", "d() > 1", ["callee", "first", "second"]),
        ("method second", "\n\nmethod second", ["second"]),  # it stands elsewhere
        ("}\nfunction", "}  // a comment\nfunction", []),
    ],
)
def test_only_what_has_changed_is_explored_again(
    before: str, after: str, again: list[str], tmp_path: Path
) -> None:
    path, kept, options = tmp_path / "p.vpr", Kept(), ExploreOptions(workers=0)
    path.write_text(TEXT, encoding="utf-8")
    _, first = explore_file(path, options, Begun(), kept)
    path.write_text(TEXT.replace(before, after), encoding="utf-8")
    begun = Begun()
    _, second = explore_file(path, options, begun, kept)
    _, anew = explore_file(path, options)

    assert begun.names == again
    assert first is not None and second is not None and anew is not None
    claims = {method.method: method.claim for method in second.methods}
    assert claims == {method.method: method.claim for method in anew.methods}
