"""Numbers that only keep names apart are left out, and two variables never look like one."""

from __future__ import annotations

import pytest

from pitviper.base.written import Written, as_written, bound_as_written


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("forall n$3: Ref :: { n$3.left } n$3 in nodes", "forall n: Ref :: { n.left } n in nodes"),
        ("tmp$0 := c.val", "tmp := c.val"),
        ("c.val := tmp$12 + 1", "c.val := tmp + 1"),
        ("x.n == n$1", "x.n == n"),
        ("k$1 == k + 1", "k$1 == k + 1"),
        ("forall n$0: Ref :: n$0 != n", "forall n$0: Ref :: n$0 != n"),
        ("forall n$0: Ref :: n$0 != n$1", "forall n$0: Ref :: n$0 != n$1"),
        ("b ? n$1 : n", "b ? n$1 : n"),
        ("let y$2 == (3) in y$2 > x", "let y == (3) in y > x"),
        ("own$1 == 3", "own$1 == 3"),
    ],
)
def test_a_text_of_its_own(text: str, shown: str) -> None:
    assert as_written(text, "method m(own$1: Int)") == shown


def test_texts_that_are_read_together_keep_their_names_apart() -> None:
    together = Written(["n", "n$1 in nodes", "forall n$2: Ref :: n$2 != null", "k$1 > 0"], "")
    assert together.text("n$1 in nodes") == "n$1 in nodes"
    assert together.text("forall n$2: Ref :: n$2 != null") == "forall n: Ref :: n != null"
    assert together.text("k$1 > 0") == "k > 0"


def test_only_variables_of_quantifiers_change_where_a_text_can_be_typed_in() -> None:
    text = "(forall n$3: Ref :: (n$3 in nodes@0) ==> n$3 != k$1@2)"
    assert bound_as_written(text, "") == "(forall n: Ref :: (n in nodes@0) ==> n != k$1@2)"
