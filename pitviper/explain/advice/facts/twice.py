"""A quantified permission that may be about one object twice, and what says that it is not."""

from __future__ import annotations

from pitviper.base.record import record
from pitviper.explain.advice.case import Case, conjuncts, quote, substituted
from pitviper.explain.advice.cures import Said, in_general
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.member import Function, Method
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of


@record
class Twice:
    """A quantified permission in which an object may come twice, and what says that none does.

    Where the object is the same for all values, nothing says that: `fact` is None.
    """

    quantifier: a.QuantifiedPermission
    variable: x.Var
    receiver: x.Expr
    fact: str | None


def twice_of(case: Case) -> Twice | None:
    """The quantified permission that may be about one object twice."""
    if case.finding.reason != "qp.not.injective" or case.construct is None:
        return None
    found = [n for n in descendants(case.construct) if isinstance(n, a.QuantifiedPermission)]
    if case.part is not None:
        inside = [n for n in found if any(d is case.part for d in descendants(n))]
        found = inside or found
    if not found or len(found[0].variables) != 1 or not isinstance(found[0].resource, a.Access):
        return None
    node, place = found[0], found[0].resource.location
    if isinstance(place, a.PredicateLocation) and not place.args:
        return None
    variable, receiver = node.variables[0], _receiver(place)
    if variable.name not in free_vars(place):
        return Twice(node, variable, receiver, None)
    if wording_of(case.finding.span) is not VIPER:
        other = x.Var(f"{variable.name}2", variable.type, span=variable.span)
        return Twice(node, variable, receiver, _told_apart(node, receiver, other))
    if not isinstance(place, a.FieldLocation):
        return None
    return Twice(node, variable, receiver, _differ(case, node, receiver))


def _differ(case: Case, node: a.QuantifiedPermission, receiver: x.Expr) -> str:
    """That the objects of a quantifier differ: `0 <= i && i < j && j < |s| ==> s[i] != s[j]`."""
    variable = node.variables[0]
    other = x.Var(_other_name(case, variable), variable.type, span=variable.span)

    def renamed(part: Node) -> Node:
        return substituted(part, (variable,), (other,))

    bounds = [] if isinstance(node.condition, x.BoolLit) else conjuncts(node.condition)
    is_number = str(variable.type) == "Int"
    sides = [_side(bound, variable.name) if is_number else "" for bound in bounds]
    low = [text_of(b) for b, side in zip(bounds, sides, strict=True) if side != "above"]
    high = [text_of(renamed(b)) for b, side in zip(bounds, sides, strict=True) if side != "below"]
    sign = "<" if is_number else "!="
    supposed = " && ".join([*low, f"{variable.name} {sign} {other.name}", *high])
    return (
        f"forall {variable.name}: {variable.type}, {other.name}: {variable.type} :: {supposed} ==> "
        f"{text_of(receiver)} != {text_of(renamed(receiver))}"
    )


def _other_name(case: Case, variable: x.Var) -> str:
    """`j` beside `i`, if the member has no other use for it."""
    nodes = () if case.member is None else descendants(case.member)
    known = {node.name for node in nodes if isinstance(node, x.Var)}
    following = _NEXT.get(variable.name, "")
    return following if following and following not in known else f"{variable.name}2"


_NEXT = {"i": "j", "j": "k", "k": "l", "m": "n", "x": "y", "r": "q", "a": "b", "p": "q", "n": "m"}


def _side(bound: Node, name: str) -> str:
    """Whether a bound says that a variable is `above` or `below` a value that it has no part in.

    What bounds the smaller one from below is true of the larger one, and the other way round.
    """
    match bound:
        case x.Compare(x.CompareOp.LE | x.CompareOp.LT, low, high):
            pass
        case x.Compare(x.CompareOp.GE | x.CompareOp.GT, high, low):
            pass
        case _:
            return ""
    if isinstance(high, x.Var) and high.name == name and name not in free_vars(low):
        return "below"
    if isinstance(low, x.Var) and low.name == name and name not in free_vars(high):
        return "above"
    return ""


def not_injective(case: Case) -> Said:
    """A rule: which object may come twice, and where to say that it does not."""
    found = twice_of(case)
    if found is None:
        return None
    node = found.quantifier
    lead = in_words(case, found)
    if found.fact is None:
        return in_general(f"{lead}: ask for it once, without `forall`")
    late = _said_later(case, node, found.receiver)
    if late is not None:
        return (
            f"line {late} says that no object comes twice, but too late: clauses are read in their "
            "order, so move it before this one"
        )
    word = word_of_clause(case, found)
    if word is not None and wording_of(case.finding.span) is VIPER:
        return in_general(f"{lead}: {DENIED[word]}, before this `{word}`: `{word} {found.fact}`")
    if wording_of(case.finding.span) is not VIPER:
        return in_general(f"say first that no object comes twice: `{found.fact}`")
    return in_general(f"{lead}: say first that none does: `{found.fact}`")


DENIED = {"requires": "ask that none does", "ensures": "promise that none does"}
"""What is said of objects that may come twice, by the word of the clause."""


def in_words(case: Case, found: Twice) -> str:
    """Which object may stand twice, or is the same for all values."""
    receiver, name = quote(found.receiver) or "the receiver", found.variable.name
    if found.fact is None:
        return f"`{receiver}` does not depend on `{name}`, and is one object for all of them"
    match found.receiver:
        case x.SeqIndex(x.Var(whole)):
            return f"one object may stand twice in `{whole}`"
        case _:
            return f"one object may be `{receiver}` for two values of `{name}`"


def word_of_clause(case: Case, found: Twice) -> str | None:
    """`requires` of a quantifier in a precondition; `ensures` where it is about results.

    What a postcondition says of parameters only has to be asked for.
    """
    if not isinstance(case.member, Method | Function):
        return None
    own = {"requires": case.member.preconditions, "ensures": case.member.postconditions}
    known = {param.name for param in case.member.params}
    for word, clauses in own.items():
        if any(clause.span.encloses(found.quantifier.span) for clause in clauses):
            is_asked = word == "ensures" and free_vars(found.quantifier) <= known
            return None if is_asked else word
    return None


def _receiver(place: a.FieldLocation | a.PredicateLocation) -> x.Expr:
    return place.receiver if isinstance(place, a.FieldLocation) else place.args[0]


def _told_apart(node: a.QuantifiedPermission, receiver: x.Expr, other: x.Var) -> str:
    """That the objects of a quantifier differ, as object languages write it."""
    variable, span = node.variables[0], node.span

    def renamed(part: x.Expr) -> x.Expr:
        found = substituted(part, (variable,), (other,))
        assert isinstance(found, x.Expr)
        return found

    parts = renamed(node.condition), x.NotEqual(variable, other, span=span)
    differ = x.NotEqual(receiver, renamed(receiver), span=span)
    inner = x.Implies(x.And(parts, span=span), differ, span=span)
    of_other = x.Forall((other,), (), inner, span=span)
    whole = x.Implies(node.condition, of_other, span=span)
    return text_of(x.Forall((variable,), (), whole, span=span))


def _said_later(case: Case, many: Node, receiver: x.Expr) -> int | None:
    """The line of a clause behind this one that says of such objects that they differ."""
    if not isinstance(case.member, Method | Function):
        return None
    for clauses in (case.member.preconditions, case.member.postconditions):
        if not any(inner is many for clause in clauses for inner in descendants(clause)):
            continue
        for clause in clauses:
            for node in descendants(clause):
                if not isinstance(node, x.Forall) or node.span.start <= many.span.start:
                    continue
                if any(_tells_apart(inner, receiver) for inner in descendants(node)):
                    return clause.span.line
    return None


def _tells_apart(node: Node, receiver: x.Expr) -> bool:
    """Whether a formula says that two such objects differ."""
    if not isinstance(node, x.NotEqual) or type(node.left) is not type(receiver):
        return False
    return bool(free_vars(node.left) & free_vars(receiver))
