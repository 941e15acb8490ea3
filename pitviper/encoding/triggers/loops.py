"""Triggers that feed themselves: what an instance says makes the next, larger one match.

`forall l: T, r: T :: size(node(l, r)) == 1 + size(l) + size(r)` by `{size(l), size(r)}` has
`size(node(l, r))` in each instance, which matches `size(l)` again, beside every other size: the
solver goes on without end. A single term that matches itself is another matter: a definition that
is opened step by step (`sum(s)` by `sum(s[1..])`) is meant to.

NOTE(operations). Where a single term makes a value of the one type that is quantified over, as in
`forall a: T, b: T :: add(a, b) == (some(a) && some(b) ? ... : none())`, sets of several terms make
that value for every two that were seen: `{some(a), some(b)}` goes on where another axiom, such as
those of an algebraic data type, looks at what was made. Who speaks of a sum has it as a term.
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.program import expr as pe
from pitviper.program import types as pt
from pitviper.program.node import Node
from pitviper.program.walk import children, descendants, free_vars, rewrite

Terms = tuple[pe.Expr, ...]
_Values = dict[str, Node]


def without_loops(
    sets: list[Terms], bodies: tuple[Node, ...], names: frozenset[str]
) -> list[Terms]:
    """The sets, less those of several terms that feed themselves, if one term alone is a set."""
    alone: list[Terms] = [terms for terms in sets if len(terms) == 1]
    if not alone:
        return sets
    if any(_is_operation(terms[0], names) for terms in alone):
        return alone
    said = [node for body in bodies for node in descendants(body)]
    return [t for t in sets if len(t) == 1 or not _feeds_itself(t, said, names)]


def _is_operation(term: pe.Expr, names: frozenset[str]) -> bool:
    """Whether a term is of the type that all variables have, one that nothing is known of."""
    made = term.type
    variables = [n for n in descendants(term) if isinstance(n, pe.Var) and n.name in names]
    return isinstance(made, pt.DomainType) and all(v.type == made for v in variables)


def _feeds_itself(terms: Terms, said: list[Node], names: frozenset[str]) -> bool:
    """Whether all terms match what an instance says or what made it match, one of them deeper."""
    return any(_is_larger(values, names) for values in _matches(terms, said, names, {}))


def _is_larger(values: _Values, names: frozenset[str]) -> bool:
    return any(not isinstance(v, pe.Var) and free_vars(v) & names for v in values.values())


def _matches(
    terms: Terms, said: list[Node], names: frozenset[str], values: _Values
) -> Iterator[_Values]:
    if not terms:
        yield values
        return
    for node in (terms[0], *said):
        found = _matched(terms[0], node, names, values)
        if found is not None:
            yield from _matches(terms[1:], said, names, found)


def _matched(pattern: pe.Expr, node: Node, names: frozenset[str], known: _Values) -> _Values | None:
    """The values of the variables for which the pattern is the node, beside what is known."""
    values = dict(known)
    todo: list[tuple[Node, Node]] = [(pattern, node)]
    while todo:
        one, other = todo.pop()
        if isinstance(one, pe.Var) and one.name in names:
            if values.setdefault(one.name, other) != other:
                return None
        elif type(one) is type(other):
            todo += zip(children(one), children(other), strict=False)
        else:
            return None
    return values if _instance(pattern, values) == node else None


def _instance(pattern: pe.Expr, values: _Values) -> Node:
    def rule(node: Node) -> Node | None:
        return values.get(node.name) if isinstance(node, pe.Var) else None

    return rewrite(pattern, rule)
