"""Functions without permissions: those of domains, and the operations of ADTs."""

from __future__ import annotations

from typing import TypeAlias

from pitviper.engines.concrete.rules import evaluate as rules
from pitviper.engines.concrete.run import Run
from pitviper.engines.concrete.state import State
from pitviper.engines.concrete.values.choose import force, place_of
from pitviper.engines.concrete.values.unknown import Raw
from pitviper.engines.shared.values import Constructed, Value, references_in
from pitviper.program.expr import Construct, Destruct, Discriminate, DomainApp, Expr
from pitviper.program.member import DomainFunction
from pitviper.program.types import Type

SymbolApp: TypeAlias = DomainApp | Construct | Destruct | Discriminate


def apply_symbol(st: State, e: SymbolApp, run: Run) -> Raw:
    match e:
        case DomainApp():
            return _apply_domain_function(e, rules.evaluate_all(st, e.args, run), run)
        case Construct(constructor, args):
            return Constructed(constructor, rules.evaluate_all(st, args, run))
        case Destruct():
            return _destruct(st, e, run)
        case Discriminate(receiver, constructor):
            return _constructed(st, receiver, run).constructor == constructor


def _apply_domain_function(e: DomainApp, args: tuple[Value, ...], run: Run) -> Raw:
    meaning = run.inputs.interpretation.functions.get(e.function)
    _refuse_generic(e, args, run)
    if meaning is not None:
        value = meaning(args)
        if value is None:
            run.cannot(f"the interpretation of {e.function} has no value here", e)
        run.objects.note(value)
        return value
    domain = run.program.domains[e.domain]
    function = next(f for f in domain.functions if f.name == e.function)
    if e.function in run.constraints.functions or function.interpretation is not None:
        run.cannot(f"{e.function} has no interpretation", e)
    if domain.name in run.inputs.interpretation.domains:
        run.cannot(f"the interpretation of {domain.name} lacks {e.function}", e)
    return _uninterpreted(e, function, args, run)


def _refuse_generic(e: DomainApp, args: tuple[Value, ...], run: Run) -> None:
    """A value decided for a stand-in would not hold for the objects that it stands for."""
    if any(ref.is_generic for arg in args for ref in references_in(arg)):
        run.cannot(f"{e.function} on all objects", e)


def _uninterpreted(
    e: DomainApp, function: DomainFunction, args: tuple[Value, ...], run: Run
) -> Raw:
    """Any value does, but always the same one; unique constants differ from each other."""
    key = (e.function, e.type_args, args)
    if key not in run.memo.domain:
        hole = run.hole(e.type, f"the value of {e.function}", horizon=0)
        if function.unique:
            for other in _unique_values(e.domain, e.type_args, run):
                run.unknowns.exclude(hole, other)
            force(hole, run)
        run.memo.domain[key] = hole
    return run.unknowns.look(run.memo.domain[key])


def _unique_values(domain: str, type_args: tuple[Type, ...], run: Run) -> list[Value]:
    unique = [f.name for f in run.program.domains[domain].functions if f.unique]
    keys = [(name, type_args, ()) for name in unique]
    return [force(run.memo.domain[key], run) for key in keys if key in run.memo.domain]


def _constructed(st: State, e: Expr, run: Run) -> Constructed[Value]:
    value = rules.evaluate(st, e, run)
    assert isinstance(value, Constructed)
    return value


def _destruct(st: State, e: Destruct, run: Run) -> Raw:
    """Total: on another constructor, any value does, but always the same one."""
    receiver = _constructed(st, e.receiver, run)
    place = place_of(e, receiver.constructor, run.program)
    if place is not None:
        return receiver.args[place]
    key = (e.argument, (), (receiver,))
    if key not in run.memo.domain:
        run.memo.domain[key] = run.hole(e.type, f"{e.argument} of another constructor", horizon=0)
    return run.unknowns.look(run.memo.domain[key])
