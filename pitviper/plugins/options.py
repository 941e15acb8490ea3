"""What a user may choose about the language plugins."""

from __future__ import annotations

from pitviper.base.record import record


@record
class PluginOptions:
    """Named as in the tools of the language.

    Without `termination` the decreases clauses are dropped unchecked. Termination proofs of
    functions treat permission amounts as functions do: only zero or not counts, unless
    `respect_function_pre_perm_amounts`.
    """

    smoke_detection: bool = False
    termination: bool = True
    respect_function_pre_perm_amounts: bool = False
