"""What a user can choose about symbolic execution."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`respect_function_amounts`: amounts in function preconditions count exactly, as before 2025.

    `join`: merge the states at the end of branches where their heaps have the same chunks.
    """

    respect_function_amounts: bool = False
    join: bool = True
