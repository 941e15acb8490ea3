"""What a user can choose about verification conditions."""

from __future__ import annotations

from pitviper.base.record import record


@record
class Options:
    """`respect_function_amounts`: amounts in function preconditions count exactly, as before 2025.

    `whole`: prove a member by one formula first, and obligation by obligation only if that fails.

    `told`: for people, who want to know what is held where permission is missing. This verifier has
    no states to look into, so symbolic execution is asked; it changes no verdict.

    `judge_again`: nothing is trusted that was found well-formed before, so that every use is judged
    again. What verifies must verify like that, too: a search for mistakes of ours compares.
    """

    respect_function_amounts: bool = False
    whole: bool = False
    told: bool = False
    judge_again: bool = False
