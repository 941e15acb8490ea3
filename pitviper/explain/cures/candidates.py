"""What may cure a finding, in the order in which it is believed."""

from __future__ import annotations

from collections.abc import Iterator

from pitviper.explain.advice.case import Case, reads_heap
from pitviper.explain.cures import declared, formulas, instances, needs, promises, states, wands
from pitviper.explain.cures.definitions import of_functions_applied, of_old, rebuilt
from pitviper.explain.cures.edit import Candidate, Pool
from pitviper.explain.cures.effects import promised_change
from pitviper.explain.cures.forgotten import (
    accumulated,
    begun_with_first,
    for_what_is_done,
    kept_earlier,
    one_of_two,
    stepping,
)
from pitviper.explain.cures.instances import swapped
from pitviper.explain.cures.invariants import (
    of_the_middle,
    of_the_step,
    of_unset,
    pools,
    turned,
)
from pitviper.explain.cures.jumps import kept_by_labels
from pitviper.explain.cures.many import told_apart
from pitviper.explain.cures.meant import as_conjoined, as_divided
from pitviper.explain.cures.measures import other_measures
from pitviper.explain.cures.mutations import (
    as_promised,
    assigned_otherwise,
    misplaced,
    slips,
    tightened,
    weakened,
)
from pitviper.explain.cures.permissions import permission_cures
from pitviper.program import expr as x
from pitviper.program.walk import descendants

PLACES = ("seq.index.length", "seq.index.negative", "division.by.zero", "map.key.contains")
"""Reasons that are about a value that an expression cannot have."""


def candidates(case: Case) -> Iterator[Candidate | Pool]:
    match case.finding.reason:
        case "insufficient.permission":
            yield from wands.kept_outside(case)
            yield from pools(case)
            yield from misplaced(case)
            yield from permission_cures(case)
        case "assertion.false" if _is_another_state(case):
            yield from states.kept(case)
        case "assertion.false":
            yield from _of_false(case)
        case "wand.not.found":
            yield from wands.turned_round(case)
            yield from wands.made_before(case)
        case "qp.not.injective":
            yield from told_apart(case)
        case "tuple.false":
            yield from stepping(case)
            yield from other_measures(case)
        case "negative.permission":
            yield from formulas.of_amounts(case)
        case reason if reason in PLACES:
            yield from one_of_two(case)
            yield from formulas.of_quantifiers(case)
            yield from formulas.of_empty(case)
            yield from pools(case)
            yield from tightened(case)
            yield from formulas.reordered(case)
            yield from slips(case)
            yield from formulas.of_sizes(case)
            yield from formulas.of_clauses(case)
            yield from needs.asked_for(case)
            yield from needs.tested(case)


def _of_false(case: Case) -> Iterator[Candidate | Pool]:
    """What may make a claim true that is false."""
    yield from as_divided(case)
    yield from as_conjoined(case)
    yield from states.at_a_label(case)
    yield from kept_by_labels(case)
    yield from of_old(case)
    yield from promised_change(case)
    yield from of_unset(case)
    yield from one_of_two(case)
    yield from begun_with_first(case)
    yield from kept_earlier(case)
    yield from for_what_is_done(case)
    yield from of_the_middle(case)
    yield from turned(case)
    yield from pools(case)
    yield from of_the_step(case)
    yield from promises.promised(case)
    yield from promises.of_functions(case)
    yield from instances.opened(case)
    yield from formulas.of_arguments(case)
    if case.finding.error == "fold.failed":
        yield from swapped(case)
    yield from formulas.of_base(case)
    yield from declared.of_axioms(case)
    yield from declared.of_cases(case)
    yield from declared.of_constructors(case)
    yield from weakened(case)
    yield from needs.of_an_iteration(case)
    yield from assigned_otherwise(case)
    yield from needs.of_instance(case)
    yield from tightened(case)
    if needs.is_of_an_argument(case):
        yield from needs.asked_for(case)
    yield from formulas.reordered(case)
    yield from accumulated(case)
    yield from formulas.promised_less(case)
    yield from rebuilt(case)
    yield from slips(case)
    yield from as_promised(case)
    yield from of_functions_applied(case)
    yield from formulas.of_assertion(case)
    yield from needs.asked_for(case)
    yield from needs.of_the_written(case)
    yield from needs.only_where_it_stays(case)
    yield from needs.tested(case)


def _is_another_state(case: Case) -> bool:
    """Whether the formula speaks of a state that is not meant, by a label or an `old` in vain.

    What is said about that is better than an edit that makes it true.
    """
    nodes = () if case.part is None else descendants(case.part)
    return any(
        isinstance(node, x.Old) and (node.label is not None or not reads_heap(node.operand))
        for node in nodes
    )
