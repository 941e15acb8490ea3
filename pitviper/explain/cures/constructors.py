"""That a value is made by the constructor whose part is read: it is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, reads_heap
from pitviper.explain.advice.facts.parts import owner_of, where_unknown
from pitviper.explain.cures.edit import Candidate, never_called
from pitviper.explain.cures.needs import at_the_start, facts_needed
from pitviper.explain.writing import requires
from pitviper.program import expr as x
from pitviper.program.member import Function, Method
from pitviper.program.print.expressions import text_of
from pitviper.program.walk import descendants, free_vars


def of_its_constructor(case: Case) -> Iterator[Candidate]:
    """`requires o.isSome` for a claim about `o.value`, of which more is said where there is one."""
    member, part = case.member, case.part
    if not isinstance(member, Method | Function) or member.body is None or part is None:
        return
    known, own = {param.name for param in member.params}, set(descendants(part))
    asked = set[str]()
    for fact in facts_needed(case):
        early = at_the_start(case, fact)
        for node in () if early is None else descendants(early):
            if not isinstance(node, x.Destruct) or reads_heap(node.receiver):
                continue
            owner = owner_of(node, case.program)
            test = f"{text_of(node.receiver)}.is{owner}"
            if owner is None or not free_vars(node.receiver) <= known or test in asked:
                continue
            asked.add(test)
            edits = requires(member, test)
            yield Candidate(
                edits,
                f"{where_unknown(node, case.program)}: ask for it, `requires {test}`",
                within=False,
                weak=node in own and case.finding.error == "postcondition.violated",
                never=never_called(member, edits),
            )
