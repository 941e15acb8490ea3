"""What a user may switch in the front end."""

from __future__ import annotations

from pitviper.base.record import record


@record
class CheckOptions:
    """`respect_function_perm_amounts`: exact amounts in functions, hence no warning about them."""

    respect_function_perm_amounts: bool = False
    smoke_detection: bool = False
