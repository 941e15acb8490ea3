"""`quasihavoc` and `quasihavocall`: what is held at some locations has any value from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitviper.engines.explore.model.term import Fresh
from pitviper.engines.explore.viper import assertions, quantifiers
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.emit import Emitter, Place, Scope, boolean, negated, text
from pitviper.engines.explore.viper.types import model_type
from pitviper.engines.explore.viper.viper_total import is_total
from pitviper.program import assertion as pa
from pitviper.program import stmt as ps

if TYPE_CHECKING:
    from pitviper.engines.explore.viper.program import Translation


def havoc(s: ps.Quasihavoc, sc: Scope, out: Emitter, tr: Translation) -> None:
    end = Place()
    if s.condition is not None:
        out.branch(negated(rules.lower(s.condition, sc, out, tr)), end)
    _forget(s.location, sc, out, tr)
    out.put(end)


def havoc_all(s: ps.QuasihavocAll, sc: Scope, out: Emitter, tr: Translation) -> None:
    """All that is held and meets the condition, which is about the state before."""
    before = sc.on(out.new_heap("heap.copy", sc.heap))
    sources = quantifiers.held_values((s.variables, s.location), before, tr)
    if sources is None:
        out.unsupported("quasihavocall with such a location")
        return
    if s.condition is not None and not is_total(s.condition):
        rules.lower(s.condition, quantifiers.any_values(s.variables, before, out), out, tr)

    def inside(inner: Scope) -> None:
        skip = Place()
        if s.condition is not None:
            out.branch(negated(rules.lower(s.condition, inner, out, tr)), skip)
        _forget(s.location, inner.on(sc.heap), out, tr)
        out.put(skip)

    quantifiers.nest(list(zip(s.variables, sources, strict=True)), before, inside, out)


def _forget(location: pa.Location, sc: Scope, out: Emitter, tr: Translation) -> None:
    """The value of a field or the contents of a predicate instance, where any is held."""
    if isinstance(location, pa.Wand):
        out.unsupported("quasihavoc of wands")
        return
    end = Place()
    at = assertions.arguments_of(location, sc, out, tr)
    held = assertions.held_term(location, at, sc.heap)
    out.branch(negated(boolean("less", assertions.NO_AMOUNT, held)), end)
    match location:
        case pa.FieldLocation(_, field):
            value = out.keep(Fresh(model_type(tr.program.fields[field].type), field))
            out.native("heap.write", sc.heap, *at, text(field), value)
        case pa.PredicateLocation(predicate):
            out.native("heap.forget", sc.heap, text(predicate), *at)
    out.put(end)
