from __future__ import annotations

import pytest

from pitviper.plugins.options import PluginOptions
from tests.unit.plugins.encoded_texts import (
    complaints_about,
    encode,
    fail_all,
    method_lines,
    program_of,
    told,
)

OTHERS = """
field f: Int
field next: Ref
predicate list(x: Ref) { acc(x.next) && (x.next != null ==> list(x.next)) }
function diverges(n: Int): Int decreases *
"""


def body_of_proof(text: str, name: str = "g_termination_proof") -> list[str]:
    encoded = encode(OTHERS + text)
    assert complaints_about(encoded) == []
    lines = method_lines(encoded, name)
    return lines[lines.index("{") + 1 : -1]


@pytest.mark.smoke
def test_a_recursive_call_is_checked_where_it_is_evaluated() -> None:
    assert body_of_proof("function g(n: Int): Int decreases n { n == 0 ? 1 : g(n - 1) }") == [
        "if (aside) {",
        "inhale !(n == 0)",
        "assert (decreasing(n - 1, n): Bool) && (bounded(n): Bool)",
        "inhale false",
        "}",
    ]


def test_a_call_out_of_the_recursion_needs_the_clause_of_the_callee() -> None:
    assert body_of_proof("function g(n: Int): Int decreases { diverges(n) }") == [
        "if (aside) {",
        "assert false",
        "inhale false",
        "}",
    ]


def test_functions_without_a_tuple_are_not_proved() -> None:
    encoded = encode(
        OTHERS
        + """
        function star(n: Int): Int decreases * { star(n) }
        function assumed(n: Int): Int decreases _ { assumed(n) }
        function silent(n: Int): Int { silent(n) }
        """
    )

    assert encoded.program.methods == {}


def test_harmless_calls_leave_no_proof() -> None:
    encoded = encode(
        """
        function g(n: Int): Int requires h(n) > 0 ensures result == h(n) decreases { h(n) }
        function h(n: Int): Int decreases _
        """
    )

    assert encoded.program.methods == {}


def test_clauses_are_gone_afterwards() -> None:
    encoded = encode("function g(n: Int): Int decreases n { g(n) }")

    assert encoded.program.functions["g"].decreases == ()


def test_without_the_plugin_clauses_are_dropped_unchecked() -> None:
    text = "function g(n: Int): Int decreases n { g(n) }"
    encoded = encode(text, PluginOptions(termination=False))

    assert encoded.program.functions["g"].decreases == ()
    assert encoded.program.methods == {}


# ---------------------------------------------------------------- conditions


def test_conditions_of_caller_and_callee() -> None:
    lines = body_of_proof("function g(n: Int): Int decreases n if n > 3 { g(n - 1) }")

    assert [line for line in lines if line.startswith("assert")] == [
        "assert n > 3 ==> n - 1 > 3",
        "assert n > 3 && n - 1 > 3 ==> (decreasing(n - 1, n): Bool) && (bounded(n): Bool)",
    ]


def test_the_caller_is_measured_in_the_state_of_the_call() -> None:
    lines = body_of_proof(
        "function g(x: Ref): Int requires acc(x.f) decreases x.f { x.f > 0 ? g(x) : 0 }"
    )

    assert "assert (decreasing(x.f, old(x.f)): Bool) && (bounded(old(x.f)): Bool)" in lines


def test_the_condition_of_a_callee_outside() -> None:
    lines = body_of_proof(
        """
        function sometimes(n: Int): Int decreases n if n > 0 decreases _ if n == -7
        function g(n: Int): Int decreases { sometimes(n + 1) }
        """
    )

    assert "assert n + 1 > 0 || n + 1 == -7" in lines


def test_a_partner_without_tuple() -> None:
    lines = body_of_proof(
        """
        function h(n: Int): Int decreases _ { g(n) }
        function g(n: Int): Int decreases n { h(n) }
        """
    )

    assert [line for line in lines if line.startswith("assert")] == ["assert false"]


# ---------------------------------------------------------------- evaluation


@pytest.mark.parametrize(
    ("body", "assumed"),
    [
        ("n > 1 && n > 2 && diverges(n) > 0", ["inhale n > 1", "inhale n > 2"]),
        ("n > 1 || n > 2 || diverges(n) > 0", ["inhale !(n > 1)", "inhale !(n > 2)"]),
        ("n > 1 ==> diverges(n) > 0", ["inhale n > 1"]),
        ("n > 1 ? true : diverges(n) > 0", ["inhale !(n > 1)"]),
        ("asserting (n > 1) in diverges(n) > 0", ["assert n > 1"]),
        ("forall i: Int :: i > n ==> diverges(i) > 0", ["inhale i_0 > n"]),
        ("let i == (n + 1) in i > 2 ==> diverges(i) > 0", ["inhale i_0 > 2"]),
    ],
)
def test_what_is_assumed_at_a_call(body: str, assumed: list[str]) -> None:
    lines = body_of_proof(f"function g(n: Int): Bool decreases {{ {body} }}")
    at = lines.index("assert false")

    assert lines[at - len(assumed) : at] == assumed


def test_nothing_is_assumed_behind_the_last_call() -> None:
    lines = body_of_proof(
        "function g(n: Int): Bool decreases { diverges(n) > 0 && n > 1 && n > 2 }"
    )

    assert not [line for line in lines if line.startswith("inhale n")]


def test_a_let_is_an_assignment_and_quantified_variables_are_locals() -> None:
    lines = body_of_proof(
        """
        function g(n: Int): Bool decreases {
          (let i == (n + 1) in diverges(i) > 0) && (forall i: Int :: diverges(i) > 0)
        }
        """
    )

    assert lines[:2] == ["var i_0: Int", "i_0 := n + 1"]
    assert "var i_1: Int" in lines


def test_conditions_with_bound_variables_move_into_the_proof() -> None:
    lines = body_of_proof(
        """
        function g(n: Int): Bool decreases (forall i: Int :: i > n) {
          (forall i: Int :: g(i)) && (exists i: Int :: i > n) && g(n)
        }
        """
    )

    assert "inhale (exists i: Int :: i > n)" in lines


def test_arguments_are_evaluated_before_the_call() -> None:
    lines = body_of_proof("function g(n: Int): Int decreases n { g(g(n - 1)) }")
    asserted = [line for line in lines if line.startswith("assert")]

    assert "decreasing(n - 1, n)" in asserted[0]
    assert "decreasing(g(n - 1), n)" in asserted[1]


def test_terms_in_triggers_are_not_evaluated() -> None:
    encoded = encode(
        OTHERS + "function g(n: Int): Bool decreases { forall i: Int :: { diverges(i) } i == i }"
    )

    assert encoded.program.methods == {}


def test_a_permission_quantifier_speaks_of_what_is_held() -> None:
    text = """
    function g(x: Ref): Bool decreases
      requires acc(x.f) && [forperm y: Ref [y.f] :: diverges(y.f) > 0, true]
    """
    lines = body_of_proof(text, "g_pres_termination_proof")

    assert lines == [
        "if (aside) {",
        "inhale acc(x.f, wildcard)",
        "var y_0: Ref",
        "inhale perm(y_0.f) > none",
        "assert false",
        "inhale false",
        "}",
    ]


# ---------------------------------------------------------------- contracts


def test_preconditions_are_evaluated_one_after_the_other() -> None:
    text = "function g(x: Ref): Int requires acc(x.f) requires diverges(x.f) > 0 decreases { 0 }"
    lines = method_lines(encode(OTHERS + text), "g_pres_termination_proof")

    assert lines == [
        "method g_pres_termination_proof(x: Ref)",
        "{",
        "if (aside) {",
        "inhale acc(x.f, wildcard)",
        "assert false",
        "inhale false",
        "}",
        "}",
    ]


def test_postconditions_are_evaluated_for_any_result() -> None:
    text = """
    function g(n: Int): Int
      requires n > 0 ensures result == n ensures diverges(result) > 0 decreases
    """
    lines = method_lines(encode(OTHERS + text), "g_posts_termination_proof")

    assert lines == [
        "method g_posts_termination_proof(n: Int)",
        "requires n > 0",
        "{",
        "var returned: Int",
        "if (aside) {",
        "inhale returned == n",
        "assert false",
        "inhale false",
        "}",
        "}",
    ]


def test_in_preconditions_only_a_total_condition_counts() -> None:
    text = """
    function total(x: Ref, n: Int): Int
      requires acc(x.f) && diverges(n) > 0 decreases n if n > 0
    function partial(x: Ref, n: Int): Int
      requires acc(x.f) && diverges(n) > 0 decreases n if x.f > 0
    """
    encoded = encode(OTHERS + text)

    assert "assert n > 0 ==> false" in method_lines(encoded, "total_pres_termination_proof")
    assert "assert false" in method_lines(encoded, "partial_pres_termination_proof")


# ---------------------------------------------------------------- permissions


def test_amounts_in_functions_are_some_or_none() -> None:
    text = """
    function g(x: Ref, p: Perm, b: Bool, s: Set[Ref]): Int
      requires acc(x.f) && acc(x.f, 1/2) && acc(x.f, none) && acc(x.f, p)
      requires acc(x.f, b ? wildcard : none)
      requires forall y: Ref :: y in s ==> acc(y.f, p)
      requires unfolding list(x) in x.next == null
      decreases
    { diverges(0) }
    """
    lines = method_lines(encode(OTHERS + text), "g_termination_proof")

    assert lines[1:5] == [
        "requires acc(x.f, wildcard) && acc(x.f, wildcard) && acc(x.f, none)"
        " && (p > none ==> acc(x.f, wildcard))",
        "requires (b ? write : none) > none ==> acc(x.f, wildcard)",
        "requires (forall y: Ref :: (y in s) && p > none ==> acc(y.f, wildcard))",
        "requires (unfolding acc(list(x), wildcard) in x.next == null)",
    ]


def test_amounts_are_kept_where_they_have_their_exact_meaning() -> None:
    text = "function g(x: Ref): Int requires acc(x.f, 1/2) decreases { diverges(0) }"
    options = PluginOptions(respect_function_pre_perm_amounts=True)

    lines = method_lines(encode(OTHERS + text, options), "g_termination_proof")
    assert lines[1] == "requires acc(x.f, 1 / 2)"


def test_unfolding_tells_what_was_inside() -> None:
    lines = body_of_proof(
        """
        function g(x: Ref): Int requires list(x) decreases list(x)
        { unfolding list(x) in (x.next == null ? 0 : g(x.next)) }
        """
    )

    assert lines == [
        "if (aside) {",
        "label before_unfold",
        "unfold acc(list(x), wildcard)",
        "inhale x.next != null ==>"
        " nestedPredicates(PI_list(x.next), old[before_unfold](PI_list(x)))",
        "inhale !(x.next == null)",
        "assert (decreasing(PI_list(x.next), old(PI_list(x))): Bool)"
        " && (bounded(old(PI_list(x))): Bool)",
        "inhale false",
        "}",
    ]


def test_other_measures_need_no_facts_about_instances() -> None:
    lines = body_of_proof(
        """
        function g(x: Ref, n: Int): Int requires list(x) decreases n
        { unfolding list(x) in (x.next == null ? 0 : g(x.next, n - 1)) }
        """
    )

    assert not [line for line in lines if "nested" in line or "label" in line]


# ---------------------------------------------------------------- findings


def test_failures_are_told_at_the_call() -> None:
    encoded = encode(
        """
function g(n: Int): Int
  requires h(n) > 0
  ensures n > 0 ==> result == g(n)
  decreases n if n > 0
{
  g(n)
}
function h(n: Int): Int
"""
    )

    assert told(encoded, *fail_all(encoded)) == [
        ("termination.failed:termination.condition.false", 3, "g"),
        ("termination.failed:tuple.condition.false", 4, "g"),
        ("termination.failed:tuple.false", 4, "g"),
        ("termination.failed:tuple.condition.false", 7, "g"),
        ("termination.failed:tuple.false", 7, "g"),
    ]


def test_proofs_belong_to_their_function() -> None:
    encoded = encode("function g(n: Int): Int decreases n { g(n) }")

    assert encoded.owners == {"g_termination_proof": "g"}


def test_names_of_proofs_are_new() -> None:
    encoded = encode("method g_termination_proof() function g(n: Int): Int decreases n { g(n) }")

    assert encoded.owners == {"g_termination_proof_0": "g"}


def test_a_program_without_clauses_stays_what_it_is() -> None:
    program = program_of(OTHERS.replace(" decreases *", ""))

    assert encode(OTHERS.replace(" decreases *", "")).program == program


def test_only_measures_that_are_proved_count() -> None:
    text = "function g(n: Int): Int decreases n { n <= 0 ? 1 : g(n - 1) }"
    assert encode(OTHERS + text).program.functions["g"].measured
    unproved = encode(OTHERS + text, PluginOptions(termination=False))
    assert not unproved.program.functions["g"].measured
