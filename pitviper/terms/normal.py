"""Applications in normal form: simplified where a rule applies, otherwise as they stand.

A term found in the table of its symbol went through the rules when it was made, so finding it is
all there is to do. Terms that were kept on purpose although a rule applies are in another table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pitviper.terms.operators import ITE
from pitviper.terms.symbol import Args, Function, FunctionKind, Operator, Symbol
from pitviper.terms.term import App, Term, new_application

Rule: TypeAlias = Callable[..., Term | None]
"""Takes the arguments of an application; None means that the rule does not apply."""

RULES: dict[Operator, tuple[Rule, ...]] = {}
"""Filled once, by `simplify`; the first rule that applies wins."""


def make(symbol: Symbol, args: Args) -> Term:
    entry = symbol.terms.get(args)
    if entry is not None:
        found = entry()
        if found is not None:
            return found
    sort = symbol.result_sort(args)
    if isinstance(symbol, Operator):
        for rule in RULES[symbol]:
            simpler = rule(*args)
            if simpler is not None:
                return simpler
    elif symbol.undoes is not None or symbol.kind is FunctionKind.SELECTOR:
        undone = _undo(symbol, args)
        if undone is not None:
            return undone
    return new_application(symbol, args, sort, symbol.terms)


def unsimplified(symbol: Symbol, args: Args) -> App:
    """The application as it stands, even if it is trivial: for facts that are wanted as hints.

    A fact `t == t` says nothing, but it makes `t` known to the solver, where triggers find it.
    """
    simple = make(symbol, args)
    if isinstance(simple, App) and simple.symbol is symbol and simple.args == args:
        return simple
    table = symbol.unsimplified
    entry = table.get(args)
    found = entry() if entry is not None else None
    return found or new_application(symbol, args, symbol.result_sort(args), table)


def is_unsimplified(term: App) -> bool:
    """Whether the term was kept on purpose, so that rebuilding it must keep it too."""
    table = term.symbol.unsimplified
    return bool(table) and term.args in table


def _undo(symbol: Function, args: Args) -> Term | None:
    """fst(pair(a, b)) is a; out(in(x)) is x; both through a conditional whose arms allow it."""
    if len(args) != 1:
        return None
    arg = args[0]
    if not isinstance(arg, App):
        return None
    if arg.symbol is ITE:
        then, other = _inside(symbol, arg.args[1]), _inside(symbol, arg.args[2])
        if then is not None and other is not None:
            return make(ITE, (arg.args[0], then, other))
        return None
    return _inside(symbol, arg)


def _inside(symbol: Function, term: Term) -> Term | None:
    if not isinstance(term, App) or not isinstance(term.symbol, Function):
        return None
    if symbol.undoes is term.symbol:
        return term.args[0]
    if symbol.kind is term.symbol.kind or term.symbol.kind is not FunctionKind.CONSTRUCTOR:
        return None
    return _field(symbol, term) if symbol.kind is FunctionKind.SELECTOR else None


def _field(symbol: Function, term: App) -> Term | None:
    """The argument that a selector reads; nothing if it belongs to another constructor."""
    for candidate in term.sort.constructors:
        if candidate.name == term.symbol.name:
            for (name, _), arg in zip(candidate.fields, term.args, strict=True):
                if name == symbol.name:
                    return arg
    return None
