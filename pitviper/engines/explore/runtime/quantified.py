"""What the solver is told about quantifiers over infinitely many values."""

from __future__ import annotations

from fractions import Fraction

from pitviper.engines.explore.model.types import BOOLEAN, OBJECT, RATIONAL, Type
from pitviper.engines.explore.notes import GUESSED
from pitviper.engines.explore.runtime.run import Leak, Run, is_guarded, is_of, sort_of
from pitviper.engines.explore.runtime.value import Scalar, Sym, Value, term_of
from pitviper.terms import build
from pitviper.terms.term import Term, variable


def for_all(run: Run, method: str, *captured: Value) -> Value:
    """The truth of a quantifier inside of another one; its concrete half means nothing."""
    return Sym(value=False, term=_quantified(run, method, captured))


def tell(run: Run, method: str, *captured: Value) -> tuple[()]:
    """A quantifier holds, as a condition of the path that the solver must have seen.

    If its body has no value as a term, the run goes on with a guess.
    """
    try:
        term = _quantified(run, method, captured)
    except Leak:
        run.notes[GUESSED] = None
        return ()
    run.tell(term)
    return ()


def _quantified(run: Run, method: str, captured: tuple[Value, ...]) -> Term:
    params = run.model.methods[method].params[len(captured) :]
    variables = [variable(p.name, sort_of(p.type)) for p in params]
    values = [Sym(_any(p.type), v) for p, v in zip(params, variables, strict=True)]
    with run.binding():
        (body,) = run.functions[method](run, *captured, *values)
    assert isinstance(body, bool | Sym)
    guarded = [(p.type, v) for p, v in zip(params, variables, strict=True) if is_guarded(p.type)]
    if any(kind == OBJECT for kind, _ in guarded):
        run.tell_objects()
    guards = [is_of(kind, v) for kind, v in guarded]
    told = build.implies(build.conjoin(*guards), term_of(body))
    return build.forall(variables, told, (), "quantifier")


def _any(kind: Type) -> Scalar:
    if kind == BOOLEAN:
        return False
    return Fraction(0) if kind == RATIONAL else 0
