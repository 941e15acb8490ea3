"""What may cure a finding, in the order in which it is believed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitviper.explain.advice.case import Case, reads_heap
from pitviper.explain.cures import claims, declared, formulas, needs, promises, states
from pitviper.explain.cures.branches import (
    begun_later,
    chained,
    compared_with_another,
    of_another_constructor,
    while_the_other,
)
from pitviper.explain.cures.clauses import strict
from pitviper.explain.cures.clauses.axioms import one_more
from pitviper.explain.cures.clauses.borders import (
    asked_as_promised,
    asked_too_much,
    promised_too_little,
)
from pitviper.explain.cures.clauses.order import said_later
from pitviper.explain.cures.clauses.predicates import with_fact, with_null
from pitviper.explain.cures.constructors import of_its_constructor
from pitviper.explain.cures.definitions import (
    as_defined,
    defined_otherwise,
    of_functions_applied,
    of_old,
    of_the_next_part,
    rebuilt,
)
from pitviper.explain.cures.edit import Candidate, Pool
from pitviper.explain.cures.effects import promised_change
from pitviper.explain.cures.elements import different_elements
from pitviper.explain.cures.forgotten import (
    accumulated,
    begun_with_first,
    by_induction,
    counted_in,
    for_what_is_done,
    kept_earlier,
    one_of_two,
    set_when_made,
    stepping,
)
from pitviper.explain.cures.lemmas import by_lemma
from pitviper.explain.cures.loops.closed import kept_closed
from pitviper.explain.cures.loops.conditions import as_bounded, bounded_first, other_end
from pitviper.explain.cures.loops.invariants import (
    of_the_middle,
    of_the_step,
    of_unset,
    one_ahead,
    pools,
    turned,
)
from pitviper.explain.cures.loops.jumps import kept_by_labels
from pitviper.explain.cures.loops.measures import other_measures
from pitviper.explain.cures.loops.steps import stepped_at_last
from pitviper.explain.cures.loops.updates import forgotten_updates
from pitviper.explain.cures.meant import as_conjoined, as_divided, as_seen
from pitviper.explain.cures.misplaced import (
    as_promised,
    element_or_index,
    misplaced,
    missing_case,
    once_more,
    other_argument,
    other_branch,
    other_callee,
    other_field,
    other_object,
    other_order,
    other_results,
)
from pitviper.explain.cures.mutations import (
    assigned_otherwise,
    slips,
    tightened,
    weakened,
)
from pitviper.explain.cures.numbers import other_number
from pitviper.explain.cures.permissions import instances, wands
from pitviper.explain.cures.permissions.closed import of_a_closed_set
from pitviper.explain.cures.permissions.instances import swapped
from pitviper.explain.cures.permissions.many import of_two_names, told_apart
from pitviper.explain.cures.permissions.missing import permission_cures
from pitviper.explain.cures.permissions.ranges import whole_range
from pitviper.explain.cures.triggers import other_trigger
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
            yield from said_later(case)
            yield from kept_closed(case)
            yield from whole_range(case)
            yield from asked_as_promised(case)
            yield from with_null(case)
            yield from of_a_closed_set(case)
            yield from permission_cures(case)
        case "assertion.false" if _is_another_state(case):
            yield from states.kept(case)
        case "assertion.false":
            yield from _of_false(case)
        case "wand.not.found":
            yield from wands.turned_round(case)
            yield from wands.kept_by_loop(case)
            yield from wands.made_before(case)
        case "qp.not.injective":
            yield from told_apart(case)
        case "tuple.false":
            yield from stepping(case)
            yield from other_order(case)
            yield from other_measures(case)
        case "negative.permission":
            yield from formulas.of_amounts(case)
        case reason if reason in PLACES:
            yield from one_of_two(case)
            yield from said_later(case)
            yield from bounded_first(case)
            yield from formulas.of_quantifiers(case)
            yield from formulas.of_empty(case)
            yield from pools(case)
            yield from promised_too_little(case)
            yield from stepped_at_last(case)
            yield from tightened(case)
            yield from formulas.reordered(case)
            yield from slips(case)
            yield from formulas.of_sizes(case)
            yield from formulas.of_clauses(case)
            yield from needs.asked_for(case)
            yield from needs.tested(case)


def _of_false(case: Case) -> Iterator[Candidate | Pool]:
    """What may make a claim true that is false."""
    for rule in _RULES:
        yield from rule(case)


def _of_a_call(case: Case) -> Iterator[Candidate]:
    if case.finding.error == "call.precondition":
        yield from other_order(case)
    yield from asked_too_much(case)


def _of_a_fold(case: Case) -> Iterator[Candidate]:
    if case.finding.error == "fold.failed":
        yield from swapped(case)


def _of_an_argument(case: Case) -> Iterator[Candidate]:
    if needs.is_of_an_argument(case):
        yield from needs.asked_for(case)


_RULES: tuple[Callable[[Case], Iterator[Candidate | Pool]], ...] = (
    as_divided,
    as_conjoined,
    as_seen,
    states.at_a_label,
    states.at_the_start,
    kept_by_labels,
    of_old,
    other_results,
    other_callee,
    other_field,
    set_when_made,
    other_argument,
    element_or_index,
    promised_change,
    of_unset,
    one_of_two,
    begun_with_first,
    _of_a_call,
    as_defined,
    weakened,
    one_ahead,
    kept_earlier,
    other_object,
    for_what_is_done,
    of_the_middle,
    turned,
    other_branch,
    chained,
    compared_with_another,
    of_another_constructor,
    begun_later,
    counted_in,
    forgotten_updates,
    other_end,
    pools,
    of_the_next_part,
    of_the_step,
    by_induction,
    by_lemma,
    other_trigger,
    promised_too_little,
    promises.promised,
    promises.of_functions,
    instances.opened,
    formulas.of_arguments,
    _of_a_fold,
    formulas.of_base,
    declared.of_axioms,
    declared.of_cases,
    declared.of_constructors,
    of_its_constructor,
    different_elements,
    of_two_names,
    needs.of_an_iteration,
    needs.of_a_branch,
    assigned_otherwise,
    needs.of_instance,
    tightened,
    _of_an_argument,
    formulas.reordered,
    strict.promised_less,
    strict.promised_at_border,
    rebuilt,
    needs.of_the_argument,
    claims.of_constructors,
    claims.of_collections,
    claims.of_number,
    missing_case,
    claims.of_another,
    with_fact,
    slips,
    stepped_at_last,
    other_number,
    formulas.of_changed_arguments,
    accumulated,
    strict.promised_border,
    as_bounded,
    as_promised,
    once_more,
    while_the_other,
    of_functions_applied,
    claims.of_assertion,
    claims.of_opposite,
    one_more,
    defined_otherwise,
    needs.of_a_divisor,
    needs.of_a_length,
    needs.asked_for,
    needs.of_the_tested,
    needs.of_the_written,
    needs.of_the_others,
    of_a_closed_set,
    needs.of_a_step,
    needs.only_where_it_stays,
    needs.tested,
)
"""In the order in which they are believed."""


def _is_another_state(case: Case) -> bool:
    """Whether the formula speaks of a state that is not meant, by a label or an `old` in vain.

    What is said about that is better than an edit that makes it true.
    """
    nodes = () if case.part is None else descendants(case.part)
    return any(
        isinstance(node, x.Old) and (node.label is not None or not reads_heap(node.operand))
        for node in nodes
    )
