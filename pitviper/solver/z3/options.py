"""Settings of the solver that decide what it proves."""

from __future__ import annotations

from pitviper.base.record import record


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

    def settings(self, *, otherwise: bool = False) -> dict[str, str]:
        """Quantifiers are instantiated by triggers only, unless models are wanted.

        `otherwise` is for a second search, which chooses its splits in another way.
        """
        return {
            "auto_config": "false",
            "smt.mbqi": "true" if self.models else "false",
            "smt.case_split": "1" if otherwise else "3",
            "smt.delay_units": "true",
            "smt.qi.eager_threshold": "10",
            "smt.qi.max_multi_patterns": "1000",
            "smt.arith.solver": str(self.arith_solver),
            "smt.random_seed": str(self.seed),
            **({"smt.qi.profile": "true"} if self.profile else {}),
            **dict(self.further),
        }
