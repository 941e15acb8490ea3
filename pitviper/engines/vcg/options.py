"""What a user can choose about verification conditions."""

from __future__ import annotations

from pitviper.base.record import record


@record
class Options:
    """`respect_function_amounts`: amounts in function preconditions count exactly, as before 2025.

    `whole`: prove a member by one formula first, and obligation by obligation only if that fails.
    """

    respect_function_amounts: bool = False
    whole: bool = False
