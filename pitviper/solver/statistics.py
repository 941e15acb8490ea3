"""How much work a session did."""

from __future__ import annotations

from pitviper.base.record import struct


@struct
class Statistics:
    """`resources` counts solver steps, the unit of limits; seconds are for people."""

    queries: int = 0
    proved: int = 0
    exhausted: int = 0
    without_solver: int = 0
    assertions: int = 0
    pushes: int = 0
    pops: int = 0
    nodes: int = 0
    resources: int = 0
    seconds: float = 0.0
