"""Simplification rules of connectives, equality, conditionals."""

from __future__ import annotations

from typing import Final

from pitviper.terms import operators as op
from pitviper.terms.normal import Rule, make
from pitviper.terms.sort import BOOL
from pitviper.terms.symbol import Args, Function, FunctionKind, Operator
from pitviper.terms.term import FALSE, TRUE, App, Literal, Term, application


def negate_simple(a: Term) -> Term | None:
    """Literals; not not a is a; the negation of a comparison is the opposite comparison."""
    if isinstance(a, Literal):
        return TRUE if a is FALSE else FALSE
    if isinstance(a, App):
        if a.symbol is op.NOT:
            return a.args[0]
        if a.symbol is op.LESS:
            return make(op.AT_MOST, (a.args[1], a.args[0]))
        if a.symbol is op.AT_MOST:
            return make(op.LESS, (a.args[1], a.args[0]))
    return None


def conjunction(*args: Term) -> Term | None:
    """Flat, without `true`, without repetitions; false if an argument or a contradiction is."""
    return _junction(op.AND, args, TRUE, FALSE)


def disjunction(*args: Term) -> Term | None:
    """Flat, without `false`, without repetitions; true if an argument or a tautology is."""
    return _junction(op.OR, args, FALSE, TRUE)


def _junction(
    operator: Operator, args: tuple[Term, ...], neutral: Term, absorbing: Term
) -> Term | None:
    parts: dict[Term, None] = {}
    for arg in args:
        if arg is absorbing:
            return absorbing
        if isinstance(arg, App) and arg.symbol is operator:
            parts.update(dict.fromkeys(arg.args))
        elif arg is not neutral:
            parts[arg] = None
    if any(_opposite(part) in parts for part in parts):
        return absorbing
    if len(parts) < 2:
        return next(iter(parts), neutral)
    flat = tuple(parts)
    return None if flat == args else application(operator, flat)


def _opposite(part: Term) -> Term | None:
    """A term known to be its negation, looked for in one of the two directions only."""
    if isinstance(part, App):
        if part.symbol is op.NOT:
            return part.args[0]
        if part.symbol is op.LESS:
            entry = op.AT_MOST.terms.get((part.args[1], part.args[0]))
            return entry() if entry is not None else None
    return None


def implication(a: Term, b: Term) -> Term | None:
    """A literal on either side; a => a."""
    if a is TRUE:
        return b
    if a is FALSE or b is TRUE or a is b:
        return TRUE
    if b is FALSE:
        return make(op.NOT, (a,))
    return None


def equal_identical(a: Term, b: Term) -> Term | None:
    """a = a; two different literals; terms that start with different constructors."""
    if a is b:
        return TRUE
    if isinstance(a, Literal) and isinstance(b, Literal):
        return FALSE
    first, second = _constructor(a), _constructor(b)
    if first is not None and second is not None and first is not second:
        return FALSE
    return None


def _constructor(term: Term) -> Function | None:
    if isinstance(term, App) and isinstance(term.symbol, Function):
        return term.symbol if term.symbol.kind is FunctionKind.CONSTRUCTOR else None
    return None


def equal_truth(a: Term, b: Term) -> Term | None:
    """An equation with a truth value is the other side or its negation; a = not a is false."""
    if a.sort is not BOOL:
        return None
    if a is TRUE:
        return b
    if a is FALSE:
        return make(op.NOT, (b,))
    if b is TRUE or b is FALSE:
        return equal_truth(b, a)
    if _opposite(a) is b or _opposite(b) is a:
        return FALSE
    return None


def equal_ordered(a: Term, b: Term) -> Term | None:
    """A literal stands on the right."""
    if isinstance(a, Literal):
        return make(op.EQUAL, (b, a))
    return None


def equal_choice(a: Term, b: Term) -> Term | None:
    """(c ? 1 : 0) = 0 is decided per arm if all three are literals."""
    return decide_per_arm(op.EQUAL, a, b)


def decide_per_arm(operator: Operator, a: Term, b: Term) -> Term | None:
    """A comparison between a literal and a conditional with literals as its arms."""
    if isinstance(b, Literal) and (arms := _literal_arms(a)):
        condition, then, other = arms
        return make(op.ITE, (condition, make(operator, (then, b)), make(operator, (other, b))))
    if isinstance(a, Literal) and (arms := _literal_arms(b)):
        condition, then, other = arms
        return make(op.ITE, (condition, make(operator, (a, then)), make(operator, (a, other))))
    return None


def _literal_arms(term: Term) -> tuple[Term, ...] | None:
    if not isinstance(term, App) or term.symbol is not op.ITE:
        return None
    return term.args if all(isinstance(arm, Literal) for arm in term.args[1:]) else None


def distinct_small(*args: Term) -> Term | None:
    """Fewer than three terms need no `distinct`; a repeated term makes it false."""
    if len(args) < 2:
        return TRUE
    if len(set(args)) < len(args):
        return FALSE
    if len(args) == 2:
        return make(op.NOT, (make(op.EQUAL, args),))
    return None


def choice_decided(condition: Term, then: Term, other: Term) -> Term | None:
    """A literal condition, or two equal arms."""
    if condition is TRUE or then is other:
        return then
    return other if condition is FALSE else None


def choice_positive(condition: Term, then: Term, other: Term) -> Term | None:
    """The condition is no negation."""
    if isinstance(condition, App) and condition.symbol is op.NOT:
        return make(op.ITE, (condition.args[0], other, then))
    return None


def choice_of_truth(condition: Term, then: Term, other: Term) -> Term | None:
    """Conditionals between truth values are connectives if an arm is a literal."""
    if then is TRUE:
        return make(op.OR, (condition, other))
    if then is FALSE:
        return make(op.AND, (make(op.NOT, (condition,)), other))
    if other is TRUE:
        return make(op.IMPLIES, (condition, then))
    if other is FALSE:
        return make(op.AND, (condition, then))
    return None


def choice_repeated(condition: Term, then: Term, other: Term) -> Term | None:
    """An arm that asks for the same condition again is replaced by the side it would choose."""
    if isinstance(then, App) and then.symbol is op.ITE and then.args[0] is condition:
        return make(op.ITE, (condition, then.args[1], other))
    if isinstance(other, App) and other.symbol is op.ITE and other.args[0] is condition:
        return make(op.ITE, (condition, then, other.args[2]))
    return None


LOGIC_RULES: Final[dict[Operator, tuple[Rule, ...]]] = {
    op.NOT: (negate_simple,),
    op.AND: (conjunction,),
    op.OR: (disjunction,),
    op.IMPLIES: (implication,),
    op.EQUAL: (equal_identical, equal_truth, equal_ordered, equal_choice),
    op.DISTINCT: (distinct_small,),
    op.ITE: (choice_decided, choice_positive, choice_of_truth, choice_repeated),
}


def select_stored(array: Term, *index: Term) -> Term | None:
    """The value written at this index last; writes at other indices are passed by."""
    start = array
    while isinstance(array, App) and array.symbol is op.STORE:
        written = array.args[1:-1]
        if written == index:
            return array.args[-1]
        if not _differ(written, index):
            break
        array = array.args[0]
    if array is start:
        return None
    return application(op.SELECT, (array, *index))


def store_again(array: Term, *rest: Term) -> Term | None:
    """Of two writes in a row at one index only the second counts."""
    if isinstance(array, App) and array.symbol is op.STORE and array.args[1:-1] == rest[:-1]:
        return make(op.STORE, (array.args[0], *rest))
    return None


def store_same(array: Term, *rest: Term) -> Term | None:
    """A write of what is there already."""
    value = rest[-1]
    if isinstance(value, App) and value.symbol is op.SELECT and value.args == (array, *rest[:-1]):
        return array
    return None


def _differ(first: Args, second: Args) -> bool:
    """Whether some component differs for syntactic reasons: literals, constructors."""
    return any(make(op.EQUAL, pair) is FALSE for pair in zip(first, second, strict=True))


ARRAY_RULES: Final[dict[Operator, tuple[Rule, ...]]] = {
    op.SELECT: (select_stored,),
    op.STORE: (store_again, store_same),
}
