"""Bodies of predicates that lack a fact, or the case that there is no object.

predicate account(a: Ref) { acc(a.balance) }    // ensures m >= 0: && a.balance >= 0
predicate list(l: Ref) { acc(l.next) && list(l.next) }    // fold list(null): l != null ==> ...
"""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.base.record import replace
from pitviper.explain.advice.case import Case, reads_heap, substituted
from pitviper.explain.advice.permissions.nothing import null_case
from pitviper.explain.cures.edit import Candidate
from pitviper.explain.cures.needs import at_the_start, facts_needed, plain
from pitviper.explain.writing import replaced
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Method, Predicate
from pitviper.program.node import Node
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars
from pitviper.results.wording import VIPER, wording_of
from pitviper.source.edit import Edit
from pitviper.source.span import Span


def with_fact(case: Case) -> Iterator[Candidate]:
    """What a claim needs of the fields that an instance has: its predicate may say it.

    It is weak where no other member has to fold the instance, which would show that it fits.
    """
    method = case.member
    if not isinstance(method, Method) or wording_of(method.span) is not VIPER:
        return
    if case.finding.error not in ("postcondition.violated", "assert.failed"):
        return
    opened = {text_of(n.predicate): n for n in descendants(method) if isinstance(n, s.Unfold)}
    for fact in _facts_at_start(_opened(case)):
        for node in opened.values():
            predicate = case.program.predicates[node.predicate.predicate]
            said = _in_formals(fact, node.predicate, predicate)
            if said is not None and predicate.body is not None:
                yield Candidate(
                    (_with_conjunct(predicate.body, said),),
                    f"after `{node.span.text}` (line {node.span.line}) only what the body of "
                    f"`{predicate.name}` says is known: add `{said}` to it in line "
                    f"{predicate.body.span.line}",
                    within=False,
                    weak=not _is_made_elsewhere(case, predicate),
                )


def _facts_at_start(case: Case) -> Iterator[Node]:
    """What has to be true at the failing place, in terms of the start of the body."""
    if isinstance(case.member, Method) and case.member.body is not None:
        for fact in facts_needed(case):
            early = at_the_start(case, fact)
            if early is not None:
                yield early


def _opened(case: Case) -> Case:
    """The claim without the `unfolding` around it."""
    inside = case.part
    while isinstance(inside, x.Unfolding):
        inside = inside.body
    return replace(case, part=inside)


def _in_formals(fact: Node, of: a.PredicateLocation, predicate: Predicate) -> str | None:
    """A fact about the fields of an argument, in the words of the predicate."""
    args = [arg for arg in of.args if isinstance(arg, x.Var)]
    if not isinstance(fact, x.Compare | x.NotEqual) or len(args) != len(of.args):
        return None
    names = {arg.name for arg in args}
    if not reads_heap(fact) or not free_vars(fact) <= names:
        return None
    held = {
        n.field
        for n in descendants(predicate.body or fact)
        if isinstance(n, a.FieldLocation) and n.receiver in predicate.params
    }
    if any(isinstance(n, x.FieldRead) and n.field not in held for n in descendants(fact)):
        return None
    return _plain(substituted(fact, tuple(args), predicate.params))


def _plain(fact: Node) -> str:
    """`n >= 0` for `n + 1 > 0`."""
    match fact:
        case x.Compare(
            x.CompareOp.GT, x.IntArith(x.IntOp.ADD, left, x.IntLit(1)), x.IntLit(0) as zero
        ):
            return f"{text_of(left)} >= {text_of(zero)}"
        case _:
            return plain(fact)


def _with_conjunct(body: a.Assertion, said: str) -> Edit:
    if isinstance(body, a.Guarded | x.Implies | x.Conditional):
        return replaced(body, f"({body.span.text}) && {said}")
    end = Span(body.span.file, body.span.end, body.span.end)
    return Edit(end, f" && {said}")


def _is_made_elsewhere(case: Case, predicate: Predicate) -> bool:
    """Whether another method folds an instance that it has not opened."""
    for method in case.program.methods.values():
        if method is case.member or method.body is None:
            continue
        nodes = list(descendants(method.body))
        folds = [n for n in nodes if isinstance(n, s.Fold)]
        opened = [n for n in nodes if isinstance(n, s.Unfold)]
        made = [n for n in folds if n.predicate.predicate == predicate.name]
        if made and not any(n.predicate.predicate == predicate.name for n in opened):
            return True
    return False


def with_null(case: Case) -> Iterator[Candidate]:
    """An instance of `null` is folded, and the body has permissions in every case."""
    said = null_case(case)
    if said is not None:
        body, text = said
        assert isinstance(case.construct, s.Fold)
        yield Candidate(
            (replaced(body, text),),
            f"`{text_of(case.construct.predicate)}` is about `null` here, and `null` has no "
            f"fields: `{case.construct.predicate.predicate}` lacks that case, write `{text}` for "
            f"its body in line {body.span.line}",
            within=False,
        )
