"""What the types of a language with classes tell of objects: inputs with others are not tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.base.record import replace
from pitviper.engines.explore.model.term import Term
from pitviper.engines.explore.model.types import OBJECT
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.emitter import NOTHING, Emitter, Scope, boolean, number
from pitviper.program.classes import CLASS, Known, fits
from pitviper.program.expr import FunctionApp, Var
from pitviper.program.types import INT, REF, Type
from pitviper.source.span import NO_SPAN

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation

_OBJECT = Var("the object", REF)


def assume_class(
    value: tuple[Term, Type], known: Known | None, sc: Scope, out: Emitter, tr: Translation
) -> None:
    """What is known of a value of a type of the core: it is `null`, or an object of some classes;
    or the elements of a collection are.
    """
    term, type_ = value
    if known is None:
        return
    if known.inside:
        whole = Var("the collection", type_)
        fact = fits(whole, known, NO_SPAN)
        out.assume(rules.lower(fact, sc.binding({whole.name: term}), out, tr))
        return
    named = sc.binding({_OBJECT.name: term})
    kind = rules.lower(FunctionApp(CLASS, (_OBJECT,), INT), named, out, tr)
    classes = [boolean("equal", kind, number(n)) for n in known.numbers]
    out.assume(boolean("or", boolean("equal", term, replace(NOTHING, type=OBJECT)), *classes))
