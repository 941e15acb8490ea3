"""Sums inside triggers: replaced by variables, since the solver does not match up to arithmetic.

`forall i :: {a[i + 1]} B(i)` becomes `forall u :: {a[u]} B(u - 1)`. A variable that still occurs
elsewhere in the trigger stays: `forall i :: {a[i], a[i + 1]} B(i)` becomes
`forall i, u :: {a[i], a[u]} u == i + 1 ==> B(i)`, with `u` for `i + 1` in `B` as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pitviper.base.record import record
from pitviper.encoding.triggers.witnesses import instances
from pitviper.terms import build as tb
from pitviper.terms import operators as op
from pitviper.terms.substitute import substitute, subterms
from pitviper.terms.symbol import FunctionKind, Operator
from pitviper.terms.term import App, Quantified, Term, Triggers, Var

_SUMS = (op.PLUS, op.MINUS)


def for_all_matching(
    variables: Sequence[Var],
    body: Term,
    patterns: Triggers,
    name: str = "",
    weight: int | None = None,
) -> Term:
    """`build.forall`, where each pattern with sums inside gets a quantifier of its own."""
    each = _each(tuple(variables), body, patterns, tb.implies)
    return tb.conjoin(*[tb.forall(vs, inner, found, name, weight) for vs, inner, found in each])


def exists_matching(
    variables: Sequence[Var],
    body: Term,
    patterns: Triggers,
    name: str = "",
    weight: int | None = None,
) -> Term:
    """`build.exists`, likewise; without a pattern, values are named (NOTE(named))."""
    if not patterns:
        named = instances(variables, body)
        return tb.disjoin(*named, tb.exists(variables, body, (), name, weight))
    each = _each(tuple(variables), body, patterns, tb.conjoin)
    return tb.disjoin(*[tb.exists(vs, inner, found, name, weight) for vs, inner, found in each])


@record
class Solved:
    """A pattern without sums, over other variables. `premise` says what these stand for."""

    variables: tuple[Var, ...]
    pattern: Pattern
    premise: Term
    names: dict[Term, Term]
    values: dict[Term, Term]

    def within(self, body: Term) -> Term:
        """The body of the quantifier, in terms of the new variables."""
        return substitute(substitute(body, self.names), self.values)


def _each(
    variables: tuple[Var, ...],
    body: Term,
    patterns: Triggers,
    under: Callable[[Term, Term], Term],
) -> list[tuple[tuple[Var, ...], Term, Triggers]]:
    """Variables, body and patterns of each quantifier; `under` puts a premise before a body."""
    solved = [(pattern, without_sums(variables, pattern)) for pattern in patterns]
    plain = tuple([pattern for pattern, found in solved if found is None])
    own: list[tuple[tuple[Var, ...], Term, Triggers]] = [
        (s.variables, under(s.premise, s.within(body)), (s.pattern,))
        for _, s in solved
        if s is not None
    ]
    return [(variables, body, plain), *own] if plain or not own else own


def without_sums(variables: tuple[Var, ...], pattern: Pattern) -> Solved | None:
    """None if there are no sums, or if they do not determine the variables they mention."""
    sums = _outermost_sums(variables, pattern)
    if not sums:
        return None
    names = _named(sums, pattern)
    general = tuple([substitute(term, names) for term in pattern])
    missing = {v for s in sums for v in s.free if v in variables}
    missing -= {v for term in general for v in term.free}
    values: dict[Term, Term] = {}
    premises = dict(names)
    while missing:
        found = _next_solved(premises, missing)
        if found is None:
            return None
        total, variable = found
        value = substitute(_solution(total, variable, premises.pop(total)), values)
        values[variable] = value
        missing.discard(variable)
    kept = tuple([v for v in variables if v not in values])
    new = tuple([v for v in names.values() if isinstance(v, Var)])
    equations = [tb.equal(name, substitute(total, values)) for total, name in premises.items()]
    return Solved((*kept, *new), general, tb.conjoin(*equations), names, values)


def _outermost_sums(variables: tuple[Var, ...], pattern: Pattern) -> list[Term]:
    found: dict[Term, None] = {}
    todo = list(reversed(pattern))
    while todo:
        term = todo.pop()
        if not any(v in variables for v in term.free):
            continue
        if isinstance(term, App) and term.symbol in _SUMS:
            found[term] = None
        else:
            todo.extend(reversed(term.args))
    return list(found)


def _named(sums: list[Term], pattern: Pattern) -> dict[Term, Term]:
    taken = {v.name for term in pattern for v in term.free}
    names: dict[Term, Term] = {}
    for total in sums:
        number = len(names)
        while f"sum@{number}" in taken:
            number += 1
        taken.add(f"sum@{number}")
        names[total] = tb.variable(f"sum@{number}", total.sort)
    return names


def _next_solved(sums: dict[Term, Term], missing: set[Var]) -> tuple[Term, Var] | None:
    """A sum that determines one of the missing variables, given all others it mentions."""
    for total in sums:
        unknown = [v for v in total.free if v in missing]
        if len(unknown) == 1 and _coefficient(total, unknown[0]) in (1, -1):
            return total, unknown[0]
    return None


def _coefficient(term: Term, variable: Var) -> int | None:
    """How often a variable occurs in a sum; None if it also occurs inside another term."""
    if term is variable:
        return 1
    if variable not in term.free:
        return 0
    if isinstance(term, App) and term.symbol in _SUMS:
        first = _coefficient(term.args[0], variable)
        second = _coefficient(term.args[1], variable)
        if first is None or second is None:
            return None
        return first + second if term.symbol is op.PLUS else first - second
    return None


def _solution(total: Term, variable: Var, name: Term) -> Term:
    """The value of the variable if the sum has the value `name`."""
    zero = tb.integer(0) if variable.sort is tb.integer(0).sort else tb.NONE
    rest = substitute(total, {variable: zero})
    if _coefficient(total, variable) == 1:
        return tb.minus(name, rest)
    return tb.minus(rest, name)


Pattern = tuple[Term, ...]

_INNER = (op.PLUS, op.MINUS, op.TIMES, op.DIVIDE, op.DIV, op.MOD, op.TO_REAL, op.SELECT)
"""Operators that may stand inside a pattern, though not at its head."""


def is_matchable(pattern: Pattern) -> bool:
    """Whether all terms are applications of declared symbols, without logic anywhere inside."""
    return all(_is_head(term) and not obstacles(term) for term in pattern)


def obstacles(term: Term) -> tuple[Term, ...]:
    """The outermost parts of a term that no trigger may have: connectives, choices, comparisons."""
    found: dict[Term, None] = {}
    todo = [term]
    while todo:
        part = todo.pop()
        if _is_obstacle(part):
            found[part] = None
        else:
            todo.extend(part.args)
    return tuple(found)


def _is_obstacle(term: Term) -> bool:
    match term:
        case App(symbol=symbol):
            return isinstance(symbol, Operator) and symbol not in _INNER
        case Quantified():
            return True
        case _:
            return False


def _is_head(term: Term) -> bool:
    """What a match starts from: not an operation that the solver gives a meaning."""
    return (
        isinstance(term, App)
        and not isinstance(term.symbol, Operator)
        and term.symbol.kind is not FunctionKind.TEXT
    )


MAX_PATTERNS = 6


def term_triggers(variables: Sequence[Var], terms: Sequence[Term]) -> tuple[Pattern, ...]:
    """Smallest terms inside the given ones that mention all variables; if there are none, as many
    terms together as it takes."""
    inner = {v for t in subterms(*terms) if isinstance(t, Quantified) for v in t.variables}
    candidates = [
        t for t in subterms(*terms) if _mentions(t, variables, inner) and is_matchable((t,))
    ]
    wanted = set(variables)
    single = [t for t in candidates if wanted <= set(t.free)]
    if single:
        return tuple([(t,) for t in _smallest(single)[:MAX_PATTERNS]])
    chosen: list[Term] = []
    covered: set[Var] = set()
    for term in reversed(candidates):
        if not wanted & set(term.free) <= covered:
            chosen.append(term)
            covered |= set(term.free)
    return (tuple(chosen),) if chosen and wanted <= covered else ()


def _mentions(term: Term, variables: Sequence[Var], inner: set[Var]) -> bool:
    return (
        isinstance(term, App)
        and any(v in term.free for v in variables)
        and inner.isdisjoint(term.free)
    )


def _smallest(terms: list[Term]) -> list[Term]:
    """Without those that have another one inside."""
    return [t for t in terms if not any(s is not t and s in set(subterms(t)) for s in terms)]
