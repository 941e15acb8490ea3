"""Printing and formatting keep the meaning: of random trees, and of the programs of the suite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitviper.source.diagnostic import Severity
from pitviper.source.span import SourceFile
from pitviper.syntax import tree
from pitviper.syntax.format.formatter import format_source
from pitviper.syntax.parse.parser import Parsed, parse_expression, parse_file
from pitviper.syntax.print.printer import print_expr, print_file
from pitviper.syntax.token import KEYWORDS, SMOKE_KEYWORDS
from tests.property import syntax_trees
from tests.property.scrambled_text import (
    annotation_targets,
    comments_of,
    scramble,
    tokens_of,
)

SUITE = Path(__file__).parents[3] / "shared" / "suite"
LARGEST = 110_000
"""Larger programs of the suite take minutes in all; they are of the same kind as the others."""
MANY = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))


def parsed(text: str) -> Parsed:
    return parse_file(SourceFile(Path("p.vpr"), text), KEYWORDS | SMOKE_KEYWORDS)


parsed("")  # raises the recursion limit before Hypothesis remembers it


def formatted(text: str) -> str:
    result = format_source(SourceFile(Path("p.vpr"), text))
    assert result.text is not None, result.diagnostics
    return result.text


def check_formatting(text: str) -> None:
    """Tokens, comments, tree and annotated lines stay; formatting again changes nothing."""
    new = formatted(text)
    assert formatted(new) == new
    assert [tokens_of(new).kinds, comments_of(new)] == [tokens_of(text).kinds, comments_of(text)]
    assert all(line == line.rstrip() for line in new.split("\n"))
    assert "\n\n\n" not in new or "/*" in new
    old_targets, new_targets = annotation_targets(text), annotation_targets(new)
    assert [a for a, _ in new_targets] == [a for a, _ in old_targets]
    for (_, old_words), (_, new_words) in zip(old_targets, new_targets, strict=True):
        assert new_words[: len(old_words)] == old_words
        assert bool(new_words) == bool(old_words)


# ---------------------------------------------------------------- random trees


def test_a_macro_body_may_be_a_call_in_parentheses() -> None:
    (macro,) = parsed("define M (f(x)) && b").tree.members
    assert isinstance(macro, tree.Define)
    assert macro.params is None


def printed(file: tree.File) -> str:
    text = print_file(file)
    return text


def test_the_strategies_build_every_node_class() -> None:
    bases = {tree.Node, tree.Statement, tree.Declaration}
    classes = {c for c in vars(tree).values() if isinstance(c, type) and issubclass(c, tree.Node)}
    assert classes - bases == syntax_trees.covered


@MANY
@given(syntax_trees.exprs)
def test_an_expression_is_printed_and_parsed(e: tree.Expr) -> None:
    found, diagnostics = parse_expression(SourceFile(Path("e.vpr"), print_expr(e)))
    assert found == e, diagnostics


@MANY
@given(syntax_trees.files)
def test_a_file_is_printed_and_parsed(file: tree.File) -> None:
    found = parsed(printed(file))
    assert found.tree == file, found.diagnostics


@MANY
@given(syntax_trees.files)
def test_printed_text_is_formatted_already(file: tree.File) -> None:
    text = printed(file)
    assert formatted(text) == text


@MANY
@given(syntax_trees.files, st.randoms(use_true_random=False))
def test_formatting_keeps_tokens_comments_and_meaning(file: tree.File, random: Random) -> None:
    text = scramble(printed(file), random)
    old = parsed(text).tree
    assert old == file, text
    check_formatting(text)
    assert parsed(formatted(text)).tree == file


# ---------------------------------------------------------------- the suite


def _folders() -> list[Path]:
    """Folders of about a hundred programs at most."""
    return sorted(
        [f for f in SUITE.glob("*/*") if f.is_dir() and f.name != "all"]
        + [f for f in SUITE.glob("silver/all/*") if f.is_dir()]
    )


def _accepted(folder: Path) -> Iterator[tuple[SourceFile, tree.File]]:
    for path in sorted(folder.rglob("*.vpr")):
        if path.stat().st_size > LARGEST:
            continue
        source = SourceFile(path, path.read_text(encoding="utf-8"))
        result = parse_file(source)
        if not any(d.severity is Severity.ERROR for d in result.diagnostics):
            yield source, result.tree


needs_suite = pytest.mark.skipif(not SUITE.exists(), reason=f"no suite of programs at {SUITE}")


@needs_suite
@pytest.mark.parametrize("folder", _folders(), ids=lambda folder: folder.name)
def test_programs_of_the_suite_are_printed_and_parsed(folder: Path) -> None:
    for source, file in _accepted(folder):
        again = parse_file(SourceFile(source.path, print_file(file)))
        assert again.tree == file, source.path


@needs_suite
@pytest.mark.parametrize("folder", _folders(), ids=lambda folder: folder.name)
def test_programs_of_the_suite_are_formatted(folder: Path) -> None:
    for source, _ in _accepted(folder):
        check_formatting(source.text)
