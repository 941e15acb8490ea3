"""The checker as a whole: annotated programs, order and number of its findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.checking.check import check_members
from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import load
from pitviper.results.annotations import Output, match_outputs, read_annotations
from tests.unit.checking.check_texts import check, errors, found

PROGRAMS = Path(__file__).parents[2] / "programs" / "types"


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.vpr")), ids=lambda path: path.stem)
def test_program(path: Path) -> None:
    outputs = tuple(
        [
            Output(error.code, error.span.line, error.message)
            for error in load(path).errors
            if error.span is not None
        ]
    )
    assert outputs
    assert match_outputs(outputs, read_annotations(path.read_text(), path)).mismatches == ()


@pytest.mark.smoke
def test_an_empty_program_is_a_program() -> None:
    checked = check_members((), CheckOptions())
    assert checked.program is not None
    assert checked.diagnostics == ()


def test_a_program_with_errors_is_not_handed_on() -> None:
    checked = check("method m() { nope() }")
    assert checked.program is None
    assert [d.code for d in checked.diagnostics] == ["typechecker.error"]


def test_findings_are_in_source_order() -> None:
    text = "method m() {\n nope() }\nfield f: Nope\nmethod n() {\n assert nope }\nfield f: Int"
    assert [line for _, line, _ in found(text)] == [2, 3, 5, 6]


def test_all_consistency_errors_come_together() -> None:
    """Those that lowering finds itself, and those of the typed program."""
    text = """
        field f: Int
        predicate P(x: Ref) { acc(x.f) }
        method m(x: Ref) {
          assert unfolding P(x) in acc(x.f)
          assert wildcard > none
        }
    """
    assert [(code, line) for code, line, _ in found(text)] == [
        ("consistency.error", 5),
        ("consistency.error", 6),
    ]


def test_one_finding_for_one_place() -> None:
    """A let that is tried out with several types does not repeat what is wrong in it."""
    text = "method m() { assert let a == (1/2) in nope > a }"
    assert len(errors(text)) == 1


def test_clashes_name_the_other_place() -> None:
    (error,) = errors("field f: Int\nmethod f()")
    assert error.message == "duplicate identifier `f` at test.vpr@2.8 and at test.vpr@1.7"
    assert [related.span.line for related in error.related] == [1]
