"""Functions whose values the solver chooses: domain functions, and functions without body."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from pitviper.engines.explore.model.program import Signature
from pitviper.engines.explore.model.types import BOOLEAN, INT, OBJECT, RATIONAL, Type, is_token
from pitviper.engines.explore.notes import GUESSED
from pitviper.engines.explore.runtime.arrays import place
from pitviper.engines.explore.runtime.ending import Leak, Status
from pitviper.engines.explore.runtime.equality import conjunction, equal
from pitviper.engines.explore.runtime.heap import Contents, Heap
from pitviper.engines.explore.runtime.inputs import Footprint, is_guarded, is_of, sort_of
from pitviper.engines.explore.runtime.resources import find
from pitviper.engines.explore.runtime.run import Run
from pitviper.engines.explore.runtime.shape import shape
from pitviper.engines.explore.runtime.value import Scalar, Sym, Value, plain, ref, term_of
from pitviper.terms import build
from pitviper.terms.sort import BOOL
from pitviper.terms.term import Term, variable


def apply_table(run: Run, function: Signature, args: tuple[Value, ...]) -> Value:
    """The value of the table for these arguments.

    Where axioms speak about the function, the solver must have seen the application before its
    value can be trusted: if it has not, the run is solved and started again.
    """
    if not function.sayable:
        run.end(Status.UNSUPPORTED, f"the axioms of domain {function.domain}")
    if function.place:
        return place(run, function, args)
    kinds = (*function.args, function.result)
    if not all(_is_simple(kind) for kind in kinds):
        return _by_shape(run, function, args)
    decided = [shape(run, a) for a in args]
    symbol = build.function(
        function.name, tuple([sort_of(k) for k in function.args]), sort_of(function.result)
    )
    term = build.apply(symbol, *[term_of(a) for a in decided])
    if term.free:
        return Sym(_value(run, function, ()), term)
    key = (function.name, tuple([plain(a) for a in decided]))
    if function.known or run.path.has_told:
        for kind, arg in zip(function.args, decided, strict=True):
            if kind == OBJECT:
                run.fact(is_of(kind, term_of(arg)))
        _require_seen(run, term)
    if key not in run.inputs.tables:
        run.inputs.tables[key] = _value(run, function, key[1])
    value = run.inputs.tables[key]
    if function.result == OBJECT:
        return _reference(run, term, int(value))
    return Sym(value, term)


def _is_simple(kind: Type) -> bool:
    return kind in (INT, BOOLEAN, RATIONAL, OBJECT) or is_token(kind)


def _require_seen(run: Run, term: Term) -> None:
    mention = build.apply(build.function("%seen", (term.sort,), BOOL), term)
    if mention in run.path.known:
        return
    seen = run.path.is_foreseen
    run.fact(mention)
    if not seen:
        run.end(Status.RETRY)


def _value(run: Run, function: Signature, args: tuple[Scalar, ...]) -> Scalar:
    run.choosing(f"{function.name}({', '.join(map(str, args))})")
    table = run.inputs.assignment.tables.get(function.name)
    default: Scalar = 1 if function.result == OBJECT else 0
    value = default if table is None else table[0].get(args, table[1])
    if not args:  # a constant, for the solver
        value = run.inputs.assignment.values.get(function.name, value)
    if function.result == BOOLEAN:
        return bool(value)
    return Fraction(value) if function.result == RATIONAL else int(value)


def _reference(run: Run, term: Term, value: int) -> Value:
    """Which object a function gives: null, one met before, or another one."""
    for option in (*range(run.inputs.objects + 1), *[-n for n in range(1, run.inputs.made + 1)]):
        if run.branch(Sym(value == option, build.equal(term, build.integer(option)))):
            return ref(option)
    run.inputs.objects = new = run.inputs.objects + 1
    run.met(new)
    run.require(Sym(value == new, build.equal(term, build.integer(new))))
    return ref(new)


def _by_shape(run: Run, function: Signature, args: tuple[Value, ...]) -> Value:
    """A function on collections or data: equal arguments are found by comparing shapes."""
    if run.path.bound:
        raise Leak
    if function.known:
        run.end(Status.UNSUPPORTED, f"axioms about {function.name} with collections")
    return _looked_up(run, function, (args, (), []))


_Application: TypeAlias = tuple[tuple[Value, ...], Footprint, list[Contents]]
"""Arguments and values, the places of these values, and the inside of predicate instances."""


def _looked_up(run: Run, function: Signature, at: _Application) -> Value:
    """The value chosen before for equal arguments on an equal part of the heap, or a new one.

    What is inside of predicate instances is compared only if everything else is equal.
    """
    args, footprint, contents = at
    known = run.inputs.shaped.setdefault((function.name, footprint), [])
    for before, inside, value in known:
        same = conjunction([equal(run, a, b) for a, b in zip(args, before, strict=True)])
        if run.branch(same) and _is_same_inside(run, function.name, contents, inside):
            return value
    made = run.fresh(function.result, f"{function.name}()")
    known.append((args, contents, made))
    return made


def abstract(run: Run, name: str, heap: Heap, *args: Value) -> tuple[Value]:
    """A function without a body that is known, which depends on a part of the heap."""
    cells = sorted(heap.cells.items(), key=lambda item: item[0])
    parts = [(p, i) for p in sorted(heap.instances) for i in heap.instances[p]]
    places = [key for key, _ in cells]
    listed = [(0, predicate) for predicate, _ in parts]
    values = [cell.value for _, cell in cells]
    inner = [arg for _, i in parts for arg in i.args]
    contents = [i.contents for _, i in parts]
    application = ((*args, *values, *inner), (*places, *listed), contents)
    return (_looked_up(run, run.model.tables[name], application),)


def _is_same_inside(run: Run, name: str, ones: list[Contents], others: list[Contents]) -> bool:
    """Whether predicate instances have the same values inside; of unknown ones that is a guess."""
    pairs = list(zip(ones, others, strict=True))
    found = [same_contents(run, one, other) for one, other in pairs]
    if any(same is False for same in found):
        return False
    if any(same is None for same in found):
        run.notes[f"{name} depends on the contents of predicate instances"] = None
        return False
    return run.branch(conjunction([same for same in found if same is not None]))


def same_contents(run: Run, one: Contents, other: Contents) -> Value | None:
    """Whether two predicate instances have the same inside; None if nobody has looked."""
    if one is other:
        return True
    if one.heap is None or other.heap is None or one.heap.wands or other.heap.wands:
        return None
    mine, its = one.heap, other.heap
    if mine.cells.keys() != its.cells.keys():
        return False
    same: list[Value | None] = []
    for key, cell in mine.cells.items():
        same.append(equal(run, cell.value, its.cells[key].value))
    for predicate in {**mine.instances, **its.instances}:
        held, listed = mine.instances.get(predicate, []), its.instances.get(predicate, [])
        if len(held) != len(listed):
            return False
        for instance in held:
            position = find(run, its, predicate, instance.args)
            if position is None:
                return False
            same.append(same_contents(run, instance.contents, listed[position].contents))
    if any(part is None for part in same):
        return None
    return conjunction([part for part in same if part is not None])


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
