"""Brackets behind a type: those of an array are refused, those of `forperm` are its own."""

from __future__ import annotations

import pytest

from pitviper.driver.front.frontend import load_text


@pytest.mark.parametrize("type_", ["Int[10]", "Bool[]", "Ref[3]"])
def test_an_array_is_told_to_be_a_sequence(type_: str) -> None:
    front = load_text(f"method m(a: {type_}) {{ }}")
    (found,) = front.diagnostics
    assert front.program is None
    assert f"`Seq[{type_.partition('[')[0]}]`" in (found.help or "")


def test_forperm_may_touch_its_type() -> None:
    front = load_text("field f: Int\nmethod m() { assert forperm y:Ref[y.f] :: false }")
    assert front.program is not None
