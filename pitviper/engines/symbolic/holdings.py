"""What is held beside a missing permission, in words."""

from __future__ import annotations

from pitviper.engines.symbolic.history import Location
from pitviper.engines.symbolic.origins import Origins
from pitviper.engines.symbolic.state import State
from pitviper.explain.final_expression import FinalExpressions, names_in
from pitviper.terms import build as tb

MOST = 5
"""Locations that are named."""


def similar_held(st: State, lacking: Location, origins: Origins) -> tuple[str, ...]:
    """The locations of the same field or predicate that are held: `acc(y.f, 1/2)`."""
    shown = FinalExpressions(origins, names_in(st, origins))
    texts = []
    for chunk in st.held.of(lacking.resource)[:MOST]:
        place = shown.location(chunk.resource, chunk.args)
        whole = chunk.amount is tb.WRITE
        texts.append(f"acc({place})" if whole else f"acc({place}, {shown.text(chunk.amount)})")
    return tuple(texts)
