"""`unfolding P in A` and its kind with an impure body.

The typed program has no such assertion, and Viper accepts it only below `assume`, which takes the
permissions out of the body.
"""

from __future__ import annotations

from collections.abc import Callable

from pitviper.base.record import field, record
from pitviper.program import expr as x
from pitviper.program.assertion import Star

IMPURE_BODY = "the body of unfolding, applying and asserting must be pure"


@record
class Ghost(Star):
    """`wrap` puts the operation around a pure body; the impure body is the only conjunct."""

    wrap: Callable[[x.Expr], x.Expr] = field(compare=False, repr=False)
