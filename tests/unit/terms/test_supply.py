"""Fresh symbols."""

from __future__ import annotations

from pitviper.terms.sort import BOOL, INT
from pitviper.terms.supply import Supply


def test_names_depend_on_the_order_of_requests_only() -> None:
    supply = Supply()
    names = [supply.name("x"), supply.name("y"), supply.name("x")]
    assert names == ["x@0", "y@0", "x@1"]
    assert [Supply().name("x")] == ["x@0"]


def test_kinds_of_fresh_symbols() -> None:
    supply = Supply()
    assert supply.constant("c", INT).sort is INT
    assert supply.function("c", (INT,), BOOL).name == "c@1"
    assert supply.variable("c", BOOL).name == "c@2"
