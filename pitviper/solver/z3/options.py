"""Settings of the solver that decide what it proves."""

from __future__ import annotations

from enum import Enum
from typing import Final

from pitviper.base.record import record

_ARITHMETICS: Final = (2, 6)
"""The solvers for arithmetic that Z3 has: simplex as it was, and as it is."""


class Way(Enum):
    """How the solver searches."""

    USUAL = "as chosen"
    OTHER_SPLITS = "with splits chosen by activity"
    OTHER_ARITHMETIC = "with the arithmetic that was not chosen"


@record
class Z3Options:
    """Part of every cache key. `further` comes last, in the notation of Z3's command line.

    With `profile`, Z3 writes to standard error how often it instantiated each quantifier. With
    `models` it goes on until it has a model of the quantifiers, which it then vouches for.
    """

    arith_solver: int = 2
    seed: int = 0
    type_check: bool = False
    profile: bool = False
    models: bool = False
    further: tuple[tuple[str, str], ...] = ()

    @property
    def counts_instances(self) -> bool:
        """Whether the solver tells how often it used each quantifier, by its name."""
        return self.profile or ("smt.qi.profile", "true") in self.further

    def settings(self, way: Way = Way.USUAL) -> dict[str, str]:
        """Quantifiers are instantiated by triggers only, unless models are wanted."""
        arithmetic = self.arith_solver
        if way is Way.OTHER_ARITHMETIC:
            arithmetic = next(a for a in _ARITHMETICS if a != arithmetic)
        return {
            "auto_config": "false",
            "smt.mbqi": "true" if self.models else "false",
            "smt.case_split": "1" if way is Way.OTHER_SPLITS else "3",
            "smt.delay_units": "true",
            "smt.qi.eager_threshold": "10",
            "smt.qi.max_multi_patterns": "1000",
            "smt.arith.solver": str(arithmetic),
            "smt.random_seed": str(self.seed),
            **({"smt.qi.profile": "true"} if self.profile else {}),
            **dict(self.further),
        }


def solver_settings(options: Z3Options, way: Way = Way.USUAL) -> dict[str, str]:
    """All that a solver is told: signals are our own affair."""
    return {"ctrl_c": "false", **options.settings(way)}
