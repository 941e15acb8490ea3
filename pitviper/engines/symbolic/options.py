"""What a user can choose about symbolic execution."""

from __future__ import annotations

from pitviper.base.record import record


@record
class Options:
    """`respect_function_amounts`: amounts in function preconditions count exactly, as before 2025.

    `join`: merge the states at the end of branches where their heaps have the same chunks.

    `infer_ghost`: where a permission is missing, try fold and unfold statements that bring it, no
    more than `infer_depth` in a row.

    `judge_again`: nothing is trusted that was found well-formed before, so that every use is judged
    again. What verifies must verify like that, too: a search for mistakes of ours compares.
    """

    respect_function_amounts: bool = False
    join: bool = True
    infer_ghost: bool = False
    infer_depth: int = 3
    judge_again: bool = False
