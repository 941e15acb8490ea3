"""Edits that say that objects differ: those of a quantified permission, or of two names."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, place_of, reads_heap
from pitviper.explain.advice.facts.twice import DENIED, Twice, in_words, twice_of, word_of_clause
from pitviper.explain.cures.edit import Candidate, never_called, statement_at
from pitviper.explain.cures.mutations import steps_before
from pitviper.explain.writing import axiom_of, in_front_of, inserted, replaced, requires
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import stmt as s
from pitviper.program.member import Domain, Function, Method, Predicate
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars


def told_apart(case: Case) -> Iterator[Candidate]:
    """An axiom, where the objects are values of a domain's function; else a clause in front.

    What is the same object for all values is asked for once.
    """
    found = twice_of(case)
    if found is None:
        return
    if found.fact is None:
        yield from _once(case, found)
        return
    receiver = found.receiver
    if isinstance(receiver, x.DomainApp):
        yield from _by_axiom(case, receiver, found.variable)
    word, lead = word_of_clause(case, found), in_words(case, found)
    if word is not None:
        for clause in _clauses(case):
            if clause.span.encloses(found.quantifier.span):
                yield Candidate(
                    (inserted(clause, f"{found.fact}\n  {word} "),),
                    f"{lead}: {DENIED[word]}, before this `{word}`: `{word} {found.fact}`",
                    within=False,
                    further=True,
                )
    elif isinstance(case.member, Method):
        yield from _in_the_body(case, case.member, found.fact, lead)
    elif isinstance(case.member, Predicate):
        yield Candidate(
            (inserted(found.quantifier, f"({found.fact}) && "),),
            f"{lead}: say that none does, before this: `({found.fact}) && ...`",
            within=False,
        )


def _clauses(case: Case) -> Iterator[a.Assertion]:
    if isinstance(case.member, Method | Function):
        yield from (*case.member.preconditions, *case.member.postconditions)


def _once(case: Case, found: Twice) -> Iterator[Candidate]:
    """`acc(x.f)` for `forall i: Int :: range ==> acc(x.f)`."""
    text = found.quantifier.resource.span.text
    yield Candidate(
        (replaced(found.quantifier, text),),
        f"{in_words(case, found)}: write `{text}` without `forall`",
        within=False,
        further=True,
    )


def _in_the_body(case: Case, method: Method, fact: str, lead: str) -> Iterator[Candidate]:
    """What is asked of callers, or of nobody in front of an `inhale`."""
    edits = requires(method, fact)
    yield Candidate(
        edits,
        f"{lead}: ask that none does, `requires {fact}`",
        within=False,
        further=True,
        never=never_called(method, edits),
    )
    around = statement_at(method, case.finding.span)
    if around is not None and isinstance(around[0], s.Inhale):
        said = f"inhale {fact}"
        edit = in_front_of(around[0], [said])
        yield Candidate(
            (edit,),
            f"{lead}: say that none does, before this `inhale`: `{said}`",
            further=True,
        )


def _by_axiom(case: Case, receiver: x.DomainApp, variable: x.Var) -> Iterator[Candidate]:
    """`loc(a, i) != loc(a, j)` for all `a`, as callers could not prove it."""
    domain = case.program.domains[receiver.domain]
    if domain.type_params or any(not isinstance(arg, x.Var) for arg in receiver.args):
        return
    names = [arg.name for arg in receiver.args if isinstance(arg, x.Var)]
    if names.count(variable.name) != 1 or not free_vars(receiver) <= set(names):
        return
    yield from _by_inverse(domain, receiver, variable)
    other = f"{variable.name}2"
    one = text_of(receiver)
    two = f"{receiver.function}({', '.join([other if n == variable.name else n for n in names])})"
    bound = [f"{arg.span.text}: {arg.type}" for arg in receiver.args]
    bound.append(f"{other}: {variable.type}")
    clause = (
        f"axiom {{ forall {', '.join(bound)} :: {{ {one}, {two} }} {variable.name} != {other} ==> "
        f"{one} != {two} }}"
    )
    yield Candidate(
        (axiom_of(domain, clause),),
        f"nothing says that `{receiver.function}` has different values for different "
        f"`{variable.name}`: add `{clause}` to `{domain.name}`",
        within=False,
        further=True,
    )


def _by_inverse(domain: Domain, receiver: x.DomainApp, variable: x.Var) -> Iterator[Candidate]:
    """`index(slot(a, i)) == i`, where a function is declared that no axiom speaks of."""
    used = {n.function for d in domain.axioms for n in descendants(d) if isinstance(n, x.DomainApp)}
    for function in domain.functions:
        if function.name in used or [p.type for p in function.params] != [receiver.type]:
            continue
        if function.result != variable.type:
            continue
        bound = ", ".join([f"{arg.span.text}: {arg.type}" for arg in receiver.args])
        one = text_of(receiver)
        clause = (
            f"axiom {{ forall {bound} :: {{ {one} }} {function.name}({one}) == {variable.name} }}"
        )
        yield Candidate(
            (axiom_of(domain, clause),),
            f"nothing says that `{receiver.function}` has different values for different "
            f"`{variable.name}`, and `{function.name}` has no axiom: add `{clause}` to "
            f"`{domain.name}`",
            within=False,
            further=True,
        )


def of_two_names(case: Case) -> Iterator[Candidate]:
    """A claim about a field of one object, and a later line that writes that of another one."""
    member, part = case.member, case.part
    if not isinstance(member, Method) or member.body is None or not isinstance(part, x.Expr):
        return
    known = {param.name for param in member.params}
    reads = {text_of(n): n for n in descendants(part) if isinstance(n, x.FieldRead)}
    steps = [n for n in steps_before(member.body, case) if isinstance(n, s.FieldAssign)]
    for read in reads.values():
        own = text_of(read.receiver)
        first = [n for n in steps if n.field == read.field and text_of(n.receiver) == own]
        start = first[-1].span.start if first else -1
        for later in [n for n in steps if n.field == read.field and n.span.start > start]:
            if text_of(later.receiver) == own:
                continue
            place = place_of(later).removeprefix(text_of(later.receiver))
            overwrites = (
                f"overwrites what line {first[-1].span.line} writes"
                if first
                else f"writes `{own}{place}`, too"
            )
            for one, two in _apart(read.receiver, later.receiver):
                if (
                    reads_heap(one)
                    or reads_heap(two)
                    or not free_vars(one) | free_vars(two) <= known
                ):
                    continue
                fact = f"{text_of(one)} != {text_of(two)}"
                edits = requires(member, fact)
                yield Candidate(
                    edits,
                    f"if `{text_of(one)} == {text_of(two)}`, line {later.span.line} "
                    f"{overwrites}: ask that they are different, `requires {fact}`",
                    within=False,
                    never=never_called(member, edits),
                )


def _apart(left: x.Expr, right: x.Expr) -> Iterator[tuple[x.Expr, x.Expr]]:
    """What tells two objects apart: the places `i` and `j` of `xs[i]` and `xs[j]`, or they."""
    match left, right:
        case x.SeqIndex(one, i), x.SeqIndex(two, j) if text_of(one) == text_of(two):
            yield i, j
        case x.DomainApp(), x.DomainApp() if left.function == right.function:
            pairs = zip(left.args, right.args, strict=True)
            others = [(one, two) for one, two in pairs if text_of(one) != text_of(two)]
            if len(others) == 1:
                yield others[0]
    yield left, right
