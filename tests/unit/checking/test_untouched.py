"""`@untouched()` makes a function stand for a part of the heap."""

from __future__ import annotations

import pytest

from pitviper.checking.options import CheckOptions
from pitviper.driver.front.frontend import load_text
from pitviper.program.types import STATE

TEXT = "field f: Int @untouched() function all(x: Ref): Int requires acc(x.f)"


def test_its_type_is_that_of_states() -> None:
    program = load_text(TEXT).program
    assert program is not None
    assert program.functions["all"].result == STATE


@pytest.mark.parametrize(
    ("text", "strict", "problem"),
    [
        (TEXT, True, "`@untouched` is an extension of Pitviper"),
        (f"{TEXT} {{ 3 }}", False, "a function with `@untouched()` has no body"),
        (
            f"{TEXT} method m(x: Ref) requires acc(x.f) {{ var n: Int := all(x) }}",
            False,
            "found incompatible type `state of the heap`, expected `Int`",
        ),
    ],
)
def test_what_it_cannot_be(text: str, strict: bool, problem: str) -> None:
    front = load_text(text, options=CheckOptions(strict=strict))
    assert problem in [d.message for d in front.diagnostics]
