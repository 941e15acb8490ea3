from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.source.span import SourceFile
from pitviper.syntax.parse.lexer import versioned_tokens, versions_in
from pitviper.syntax.parse.parser import parse_expression
from pitviper.syntax.print.expressions import print_expr


def source(text: str) -> SourceFile:
    return SourceFile(Path("<input>"), text)


@pytest.mark.parametrize(
    "text",
    [
        "x@2 + 1",
        "old[debug@4#l:21](n@1.val) == 0",
        "r@f2.0.f == wildcard@0",
        "x$1@3 in Seq(x@0)",
    ],
)
def test_names_with_versions_are_names(text: str) -> None:
    file = source(text)
    parsed, problems = parse_expression(file, versioned_tokens(file))

    assert problems == ()
    assert parsed is not None and print_expr(parsed) == text


def test_versions_are_found_with_their_places() -> None:
    file = source("x@2 == old[debug@1](y@0.f)")

    assert [(name, span.text) for name, span in versions_in(file)] == [
        ("x@2", "x@2"),
        ("debug@1", "debug@1"),
        ("y@0", "y@0"),
    ]


def test_an_at_sign_elsewhere_is_still_wrong() -> None:
    file = source("x @ 2")
    parsed, problems = parse_expression(file, versioned_tokens(file))

    assert parsed is None and len(problems) == 1
