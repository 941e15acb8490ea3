"""Annotated programs through the whole front end: each error on its line, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.front.frontend import load, load_text
from pitviper.results.annotations import Output, match_outputs, read_annotations

PROGRAMS = Path(__file__).parents[3] / "programs" / "consistency"


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


WARNINGS = [
    (
        "field f: Int function g(r: Ref): Int requires acc(r.f, 1/2)",
        "typechecker.warning",
        "Permission amount 1 / 2 in a function is treated like wildcard"
        " if positive and none otherwise.",
    ),
    (
        "method run() { label here invariant true }",
        "verifier.warning",
        "Label here declares an invariant, but is not the head of a loop."
        " The invariant will be ignored.",
    ),
    (
        "import <decreases/declaration.vpr> domain Mine { axiom { bounded(null) } }",
        "typechecker.warning",
        "Domain Mine constrains the well-founded order of type Ref"
        " and should be named <Type>WellFoundedOrder instead.",
    ),
]


@pytest.mark.parametrize(("text", "code", "message"), WARNINGS, ids=range(len(WARNINGS)))
def test_warning(text: str, code: str, message: str) -> None:
    result = load_text(text)
    assert result.errors == ()
    assert [(w.code, w.message) for w in result.warnings] == [(code, message)]


SILENT = [
    "field f: Int function g(r: Ref, b: Bool): Int requires acc(r.f) && acc(r.f, b ? write : none)",
    "method run(b: Bool) { label here invariant true if (b) { goto here } }",
    "import <decreases/all.vpr>",
    "import <decreases/declaration.vpr> domain RefWellFoundedOrder { axiom { bounded(null) } }",
]


@pytest.mark.parametrize("text", SILENT, ids=range(len(SILENT)))
def test_no_warning(text: str) -> None:
    assert load_text(text).diagnostics == ()
