"""The engines that a run can use: each by its options, or both of them."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.base.record import field, record
from pitviper.engines.symbolic.options import Options as SymbolicOptions
from pitviper.engines.vcg.options import Options as VcgOptions


@record
class Both:
    """Two verifiers that know nothing of each other: where they differ, one of them is wrong."""

    symbolic: SymbolicOptions = field(default_factory=SymbolicOptions)
    vcg: VcgOptions = field(default_factory=VcgOptions)


EngineOptions: TypeAlias = SymbolicOptions | VcgOptions | Both

BACKENDS = ("symbolic", "vcg", "both")

__all__ = ["BACKENDS", "Both", "EngineOptions", "SymbolicOptions", "VcgOptions"]
