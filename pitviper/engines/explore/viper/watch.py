"""Expressions that somebody asks about while a run stands still, as methods of a model.

The method takes what is known where the run stands: the variables, the heap, and the heaps of
`old`. Its only result is the value.
"""

from __future__ import annotations

from pitviper.engines.explore.model.program import Method, Model
from pitviper.engines.explore.model.term import Local, Term
from pitviper.engines.explore.model.types import BOOLEAN, HEAP
from pitviper.engines.explore.options import ModelOptions
from pitviper.engines.explore.viper import assertions
from pitviper.engines.explore.viper import expressions as rules
from pitviper.engines.explore.viper.calls import OLD, heap_at, passed_name, variable
from pitviper.engines.explore.viper.emitter import HEAP_NAME, TRUE, Emitter, Obligation, Scope
from pitviper.engines.explore.viper.program import Translation
from pitviper.engines.explore.viper.types import model_type
from pitviper.program.assertion import Assertion, Impure
from pitviper.program.expr import Var
from pitviper.program.member import Program

NAME = "expression"
ERROR = "assert.failed"
"""What a failed check is told as; the reason behind it is what counts."""


def expression_model(
    e: Assertion, known: tuple[tuple[Var, ...], tuple[str, ...]], around: Model, program: Program
) -> Model:
    """A model with one method for the expression, beside the functions and predicates it needs.

    `known` are the variables and the labels that have been passed.
    """
    tr = Translation(program, ModelOptions())
    tr.methods[NAME] = _method(e, known, tr)
    tr.translate_needed()
    tables = {**tr.tables, **around.tables}
    return Model(tr.methods, around.fields, around.data, tables)


def _method(
    e: Assertion, known: tuple[tuple[Var, ...], tuple[str, ...]], tr: Translation
) -> Method:
    variables, labels = known
    out = Emitter(NAME)
    out.span = e.span
    params = [variable(v) for v in variables]
    heap = Local(HEAP_NAME, HEAP)
    heaps: dict[str | None, Local] = {None: OLD, **{label: heap_at(label) for label in labels}}
    names: dict[str, Term] = {v.name: v for v in params}
    sc = Scope(names, heap, heap, heaps, Obligation(ERROR, e.span, NAME))
    for label in labels:
        out.assign(passed_name(label), TRUE)
    if isinstance(e, Impure):
        result = Local("%result", BOOLEAN)
        assertions.check_only(e, sc, out, tr)
        out.assign(result, TRUE)
    else:
        result = Local("%result", model_type(e.type))
        out.assign(result, rules.lower(e, sc, out, tr))
    inputs = [heap, *heaps.values(), *params]
    return out.method(NAME, tuple(inputs), (result,))
