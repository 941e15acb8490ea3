"""What the types of a language with classes tell of objects: inputs with others are not tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pitviper.base.record import replace
from pitviper.engines.explore.model.term import Term
from pitviper.engines.explore.model.types import OBJECT
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.emitter import NOTHING, Emitter, Scope, boolean, number
from pitviper.program.classes import CLASS
from pitviper.program.expr import FunctionApp, Var
from pitviper.program.types import INT, REF

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation

_OBJECT = Var("the object", REF)


def assume_class(
    value: Term, numbers: Sequence[int], sc: Scope, out: Emitter, tr: Translation
) -> None:
    """It is `null`, or an object of one of some classes; without numbers nothing is known."""
    if not numbers:
        return
    named = sc.binding({_OBJECT.name: value})
    kind = rules.lower(FunctionApp(CLASS, (_OBJECT,), INT), named, out, tr)
    classes = [boolean("equal", kind, number(n)) for n in numbers]
    out.assume(boolean("or", boolean("equal", value, replace(NOTHING, type=OBJECT)), *classes))
