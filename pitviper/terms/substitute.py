"""Replacing terms inside terms, without capture.

Terms are deep graphs: nothing here recurses except into the body of a quantifier, and every node is
visited once per call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pitviper.terms.build import apply, rebuild, requantify
from pitviper.terms.sort import SortError, TermError
from pitviper.terms.symbol import Function
from pitviper.terms.term import App, Quantified, Term, Var, variable


def subterms(*roots: Term) -> Iterator[Term]:
    """Every term inside the roots once, arguments before the terms they occur in."""
    done: set[Term] = set()
    stack = list(reversed(roots))
    while stack:
        term = stack[-1]
        if term in done:
            stack.pop()
            continue
        pending = [arg for arg in term.args if arg not in done]
        if pending:
            stack.extend(reversed(pending))
        else:
            stack.pop()
            done.add(term)
            yield term


def substitute(term: Term, replacements: Mapping[Term, Term]) -> Term:
    """The term with every key replaced by its value, all at once.

    Keys are variables, constants or larger terms. An occurrence is left alone where a quantifier
    binds one of its variables; bound variables are renamed where they would capture one of a value.
    """
    for old, new in replacements.items():
        if old.sort is not new.sort:
            raise SortError(f"{old!r}: {old.sort} replaced by {new!r}: {new.sort}")
    useful = _useful(replacements, term)
    return _replace_all((term,), useful)[0] if useful else term


def instantiate(term: Quantified, values: Sequence[Term]) -> Term:
    """The body of a quantifier for the given values of its variables."""
    if len(values) != len(term.variables):
        raise TermError(f"{len(values)} values for the variables of {term!r}")
    return substitute(term.body, dict(zip(term.variables, values, strict=True)))


def with_symbols(term: Term, names: Mapping[Function, Function]) -> Term:
    """The term with other function symbols, inside of quantifiers and their triggers as well."""
    done: dict[Term, Term] = {}
    for part in subterms(term):
        args = tuple([done[arg] for arg in part.args])
        if isinstance(part, App) and isinstance(part.symbol, Function) and part.symbol in names:
            done[part] = apply(names[part.symbol], *args)
        elif args == part.args:
            done[part] = part
        elif isinstance(part, Quantified):
            done[part] = requantify(part, part.variables, args)
        else:
            done[part] = rebuild(part, args)
    return done[term]


def _useful(replacements: Mapping[Term, Term], term: Term) -> dict[Term, Term]:
    """Without those that change nothing: variables that do not occur are known at once."""
    return {
        old: new
        for old, new in replacements.items()
        if old is not new and (not isinstance(old, Var) or old in term.free)
    }


def _replace_all(roots: tuple[Term, ...], replacements: dict[Term, Term]) -> list[Term]:
    done = dict(replacements)
    stack = list(roots)
    while stack:
        term = stack[-1]
        if term in done:
            stack.pop()
            continue
        if isinstance(term, Quantified):
            done[term] = _replace_below(term, replacements)
            continue
        pending = [arg for arg in term.args if arg not in done]
        if pending:
            stack.extend(reversed(pending))
            continue
        args = tuple([done[arg] for arg in term.args])
        done[term] = term if args == term.args else rebuild(term, args)
    return [done[root] for root in roots]


def _replace_below(term: Quantified, replacements: dict[Term, Term]) -> Term:
    bound = set(term.variables)
    inner = {
        old: new for old, new in _useful(replacements, term).items() if bound.isdisjoint(old.free)
    }
    if not inner:
        return term
    variables = _apart(term, inner)
    inner.update(
        (old, new) for old, new in zip(term.variables, variables, strict=True) if old is not new
    )
    args = tuple(_replace_all(term.args, inner))
    return term if args == term.args else requantify(term, variables, args)


def _apart(term: Quantified, replacements: Mapping[Term, Term]) -> tuple[Var, ...]:
    """The variables of the quantifier, renamed where a value to be put inside mentions them."""
    incoming = {v for new in replacements.values() for v in new.free}
    if incoming.isdisjoint(term.variables):
        return term.variables
    taken = {v.name for v in incoming} | {v.name for v in (*term.free, *term.variables)}
    renamed = []
    for old in term.variables:
        new = old
        if old in incoming:
            name = old.name
            while name in taken:
                name += "'"
            taken.add(name)
            new = variable(name, old.sort)
        renamed.append(new)
    return tuple(renamed)
