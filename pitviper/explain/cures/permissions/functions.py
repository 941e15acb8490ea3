"""What a function may look at: the fields that its body reads, or a predicate around them."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.writing import replaced, requires
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.member import Function
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants


def read_by_function(case: Case) -> Iterator[Candidate]:
    """All that a function reads of its parameters, or a predicate of them that has it."""
    function = case.member
    if not isinstance(function, Function) or not isinstance(function.body, x.Expr):
        return
    if case.finding.error != "function.not.wellformed":
        return
    params = {param.name for param in function.params}
    if any(isinstance(n, x.Unfolding) for n in descendants(function.body)):
        return  # what is opened has the fields
    reads = [
        n
        for n in descendants(function.body)
        if isinstance(n, x.FieldRead) and isinstance(n.receiver, x.Var)
    ]
    reads = [n for n in reads if isinstance(n.receiver, x.Var) and n.receiver.name in params]
    if not reads or function.preconditions:
        return
    text = " && ".join(dict.fromkeys([f"acc({text_of(n)}, wildcard)" for n in reads]))
    yield from _by_predicate(case, function, reads)
    yield Candidate(
        requires(function, text),
        f"a function may look at what its precondition holds: add `requires {text}`",
        within=False,
    )


def _by_predicate(case: Case, function: Function, reads: list[x.FieldRead]) -> Iterator[Candidate]:
    """`requires list(x)` and `unfolding list(x) in ...`, of a predicate with all these fields."""
    assert isinstance(function.body, x.Expr)
    receivers = {text_of(n.receiver) for n in reads}
    fields = {n.field for n in reads}
    calls_itself = any(
        isinstance(n, x.FunctionApp) and n.function == function.name
        for n in descendants(function.body)
    )
    for predicate in case.program.predicates.values():
        if predicate.body is None or len(predicate.params) != 1 or len(receivers) != 1:
            continue
        has = {
            n.field
            for n in descendants(predicate.body)
            if isinstance(n, a.FieldLocation) and n.receiver == predicate.params[0]
        }
        is_recursive = any(
            isinstance(n, a.PredicateLocation) and n.predicate == predicate.name
            for n in descendants(predicate.body)
        )
        if not fields <= has or (calls_itself and not is_recursive):
            continue
        instance, body = f"{predicate.name}({min(receivers)})", function.body.span.text
        amount = f"acc({instance}, wildcard)" if not calls_itself else instance
        looked = f"unfolding {amount} in {body}"
        yield Candidate(
            (*requires(function, amount), replaced(function.body, looked)),
            f"a function may look at what its precondition holds: add `requires {amount}`, and "
            f"write `{looked}` for its body",
            within=False,
        )
