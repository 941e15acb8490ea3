"""Models as plain data."""

from __future__ import annotations

from pitviper.solver.model import Element, FunctionTable, Model, Structure
from pitviper.terms.sort import REF


def test_tables_have_a_default() -> None:
    table = FunctionTable({(1, Element(REF, "r")): 5}, default=7)
    assert table(1, Element(REF, "r")) == 5
    assert table(2, Element(REF, "r")) == 7
    assert FunctionTable({})(1) is None


def test_values_are_compared_by_content() -> None:
    assert Structure("pair", (1, 2)) == Structure("pair", (1, 2))
    assert Model().constants == {}
