"""Findings speak of data types as the source does, in both engines."""

from __future__ import annotations

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions
from pitviper.plugins.adt.domain import symbols_of
from pitviper.plugins.adt.words import translation
from pitviper.plugins.names import Names
from pitviper.results.finding import Finding
from pitviper.source.span import NO_SPAN
from tests.unit.plugins.encoded_texts import program_of

TREE = "adt Tree[T] { Leaf() Node(item: T, left: Tree[T], right: Tree[T]) }\n"
SAID = [
    ("get_Tree_item(t) > 0", "t.item > 0"),
    ("(get_Tree_item((get_Tree_left(t): Tree[Int])): Int) > 0", "t.left.item > 0"),
    ("(Tree_tag(t): Int) == 1", "t.isNode"),
    ("!((Tree_tag(t): Int) == 0)", "!t.isLeaf"),
    ("old((Tree_tag(t): Int) == 0)", "old(t.isLeaf)"),
    ("(Tree_tag((b ? t : u)): Int) == 0 && b", "(b ? t : u).isLeaf && b"),
    ("get_Tree_left(s[i + 1]) == u", "s[i + 1].left == u"),
    ("t == (Node(1, (Leaf(): Tree[Int]), u): Tree[Int])", "t == Node(1, Leaf(), u)"),
    ("(Tree_tag(t): Int) == 7", "Tree_tag(t) == 7"),
    ("my_get_Tree_left(t) == x.Node(y)", "my_get_Tree_left(t) == x.Node(y)"),
    ("Tree_tag(t == 1", "Tree_tag(t == 1"),
]


@pytest.mark.parametrize(("encoded", "source"), SAID)
def test_texts_of_the_encoding_in_words_of_the_source(encoded: str, source: str) -> None:
    program = program_of(TREE)
    translate = translation(program, symbols_of(program, Names(program)))
    finding = Finding("assert.failed", "assertion.false", NO_SPAN, "m", encoded, held=(encoded,))
    (told,) = translate((finding,), None)
    assert (told.message, told.held) == (source, (source,))


PROGRAM = (
    TREE
    + """
field count: Int
predicate P(t: Tree[Int]) { true }
method opened(t: Tree[Int], b: Bool) requires t.isNode
{ if (t.left.isNode && t.left.item > 0) { unfold P((b ? t : t.left).right) }
  elseif (t == Node(1, Leaf(), Leaf())) { exhale P(Node(2, t.left, Leaf())) } }
method twice(t: Tree[Int], x: Ref) requires t.isNode && P(t.left) && acc(x.count)
{ exhale P(t.left)
  if (!t.right.isLeaf) { exhale P(t.left) } }
method loop(t: Tree[Int]) requires t.isNode
{ var i: Int := 0
  while (i < t.item) invariant t.isNode ==> i <= t.item { i := i + 1 } }
"""
)


@pytest.mark.parametrize("backend", ["symbolic", "vcg"])
def test_no_name_of_the_encoding_is_shown(backend: str) -> None:
    result = pitviper.verify(PROGRAM, options=VerifyOptions(backend=backend))
    shown = repr([(f.message, f.conditions, f.history, f.held) for f in result.findings])
    assert len(result.findings) == 4
    assert "t.left.isNode && t.left.item > 0" in shown
    assert "get_Tree" not in shown
    assert "Tree_tag" not in shown
    assert "): Tree[Int]" not in shown


CLAIMS = [
    (
        "Node(1, Leaf(), Leaf()).item == 2",
        "it is false for `t == Leaf()`, and for all other values",
    ),
    ("Leaf().item == 2", "`item` belongs to `Node`, and `Leaf` has none"),
    ("t.isNode ==> t.item == 2", "ask for it, `requires t.isNode ==> t.item == 2`"),
]


@pytest.mark.parametrize(("claim", "advised"), CLAIMS)
def test_a_claim_about_a_value_that_is_built(claim: str, advised: str) -> None:
    program = f"{TREE}method m(t: Tree[Int]) {{ assert {claim} }}"
    (problem,) = pitviper.verify(program).problems
    assert f"Assertion {claim} might" in problem.message
    assert advised in (problem.help or "")
