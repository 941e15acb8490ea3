from __future__ import annotations

from dataclasses import replace

from pitviper.plugins.build import all_statements
from pitviper.program.stmt import While
from tests.unit.plugins.encoded_texts import (
    complaints_about,
    encode,
    encode_program,
    fail_all,
    method_lines,
    program_of,
    told,
)

HEAP = """
field f: Int
field next: Ref
field items: Seq[Ref]
"""


def lines_of(text: str, name: str = "m") -> list[str]:
    encoded = encode(HEAP + text)
    assert complaints_about(encoded) == []
    lines = method_lines(encoded, name)
    return lines[lines.index("{") + 1 : -1]


def test_a_recursive_call_is_checked_in_front() -> None:
    assert lines_of("method m(n: Int) decreases n { m(n - 1) }") == [
        "if (aside) {",
        "assert (decreasing(n - 1, n): Bool) && (bounded(n): Bool)",
        "inhale false",
        "}",
        "m(n - 1)",
    ]


def test_measures_are_those_of_the_pre_state_and_of_the_call() -> None:
    lines = lines_of("method m(x: Ref) requires acc(x.f) decreases x.f { x.f := x.f - 1  m(x) }")

    assert "assert (decreasing(x.f, old(x.f)): Bool) && (bounded(old(x.f)): Bool)" in lines


def test_bound_variables_of_a_measure_capture_nothing() -> None:
    lines = lines_of(
        """
        method m(b: Bool) decreases (forall i: Int :: i > 0 ==> b) { var i: Bool  m(i) }
        """
    )

    callee, caller = "(forall i_1: Int :: i_1 > 0 ==> i)", "(forall i_0: Int :: i_0 > 0 ==> b)"

    assert any(f"decreasing({callee}, {caller})" in line for line in lines)


def test_bound_variables_of_a_loop_differ_from_the_locals_of_its_body() -> None:
    lines = lines_of(
        """
        method m(s: Seq[Int]) {
          while (exists i: Int :: i in s)
            decreases (forall i: Int :: i in s) if (exists i: Int :: i > |s|)
          { var i: Int := 0 }
        }
        """
    )

    assert any("(exists i_1: Int :: (i_1 in s))" in line for line in lines)


def test_calls_of_methods_without_a_promise() -> None:
    text = """
    method other()
    method star() decreases *
    method assumed() decreases _
    method m() decreases { other() star() assumed() }
    """
    lines = lines_of(text)

    assert lines.count("assert false") == 2
    assert lines[-1] == "assumed()"


def test_a_method_without_tuple_checks_no_calls() -> None:
    text = "method other() method m() { other() m() }"

    assert lines_of(text) == ["other()", "m()"]


def test_mutual_recursion_compares_tuples() -> None:
    text = """
    method m(n: Int) decreases n, 1 { other(n) }
    method other(n: Int) decreases n, 0 { m(n - 1) }
    """
    lines = lines_of(text)

    assert lines[1] == (
        "assert (decreasing(n, n): Bool) && (bounded(n): Bool)"
        " || n == n && (decreasing(0, 1): Bool) && (bounded(1): Bool)"
    )


def test_padding_and_types_decide_comparisons() -> None:
    text = """
    method m(n: Int, b: Bool) decreases n { longer(n, b) typed(b) empty() }
    method longer(n: Int, b: Bool) decreases n, b { m(n, b) }
    method typed(b: Bool) decreases b { m(0, b) }
    method empty() decreases { m(0, true) }
    """
    lines = lines_of(text)
    asserted = [line for line in lines if line.startswith("assert")]
    smaller = "(decreasing(n, n): Bool) && (bounded(n): Bool)"

    assert asserted == [f"assert {smaller} || n == n", "assert false", "assert false"]
    assert "assert (decreasing(n, n): Bool) && (bounded(n): Bool)" in lines_of(text, "longer")
    assert not [line for line in lines_of(text, "empty") if line.startswith("assert")]


def test_unfolds_tell_what_was_inside_if_instances_are_measured() -> None:
    """What a pair brings need not be what went in, so it tells nothing."""
    predicates = """
    predicate leaf(x: Ref)
    predicate node(x: Ref, p: Perm) {
      acc(x.items) && (let y == (x) in acc(leaf(y), p)) &&
      (x == null ? leaf(x) : node(x, p)) && [leaf(x), true] &&
      (forall i: Int :: 0 <= i && i < |x.items| ==> acc(node(x.items[i], p), 1/2))
    }
    """
    lines = lines_of(
        predicates
        + "method m(r: Ref) requires node(r, write) decreases node(r, write)"
        + "{ unfold node(r, write) }"
    )
    outer = "old[before_unfold](PI_node(r, write))"

    assert lines == [
        "label before_unfold",
        "unfold acc(node(r, write), write)",
        f"inhale (let y_0 == (r) in nestedPredicates(PI_leaf(y_0), {outer}))"
        f" && (r == null ==> nestedPredicates(PI_leaf(r), {outer}))"
        f" && (!(r == null) ==> nestedPredicates(PI_node(r, write), {outer}))"
        " && (forall i_0: Int :: { PI_node(r.items[i_0], write) }"
        " 0 <= i_0 && i_0 < |r.items| ==>"
        f" nestedPredicates(PI_node(r.items[i_0], write), {outer}))",
    ]


def test_unfolds_stay_alone_if_no_instances_are_measured() -> None:
    text = """
    predicate list(x: Ref) { acc(x.next) && (x.next != null ==> list(x.next)) }
    method m(x: Ref) requires list(x) decreases 3 { unfold list(x) }
    """

    assert lines_of(text) == ["unfold acc(list(x), write)"]


# ---------------------------------------------------------------- loops


def test_a_loop_compares_start_and_end_of_an_iteration() -> None:
    text = """
    method m(n: Int) {
      var i: Int := 0
      while (i < n) decreases n - i { i := i + 1 }
    }
    """

    assert lines_of(text)[2:] == [
        "while (i < n)",
        "{",
        "var i_at_start: Int",
        "i_at_start := i",
        "i := i + 1",
        "if (aside) {",
        "assert i < n ==> (decreasing(n - i, n - i_at_start): Bool)"
        " && (bounded(n - i_at_start): Bool)",
        "inhale false",
        "}",
        "}",
    ]


def test_a_loop_remembers_the_heap_if_its_measure_reads_it() -> None:
    lines = lines_of(
        """
        method m(x: Ref) requires acc(x.f) {
          while (x.f > 0) invariant acc(x.f) decreases x.f if x.f > 3 { x.f := x.f - 1 }
        }
        """
    )

    assert "label iteration" in lines
    assert [line for line in lines if line.startswith("assert")] == [
        "assert old[iteration](x.f > 3) && x.f > 0 ==> x.f > 3",
        "assert old[iteration](x.f > 3) && x.f > 0 && x.f > 3 ==>"
        " (decreasing(x.f, old[iteration](x.f)): Bool) && (bounded(old[iteration](x.f)): Bool)",
    ]


def test_a_method_with_tuple_enters_only_loops_that_end() -> None:
    lines = lines_of(
        """
        method m(n: Int) decreases n if n > 1 {
          while (n > 0) decreases n if n > 2 decreases _ if n == 1 { }
          while (n > 3) { }
        }
        """
    )

    assert "assert n > 1 && n > 0 ==> n > 2 || n == 1" in lines
    assert "assert n > 1 && n > 3 ==> false" in lines


def test_clauses_of_loops_are_gone_afterwards() -> None:
    encoded = encode("method m(b: Bool) { while (b) decreases b { while (b) decreases _ { } } }")
    loops = [s for s in all_statements(encoded.program) if isinstance(s, While)]

    assert len(loops) == 2
    assert [loop.decreases for loop in loops] == [(), ()]


def test_calls_inside_loops_and_branches_are_checked() -> None:
    lines = lines_of(
        """
        method m(n: Int) decreases n {
          while (n > 0) decreases _ { if (n > 1) { m(n - 1) } }
        }
        """
    )

    assert sum("decreasing(n - 1, n)" in line for line in lines) == 1


# ---------------------------------------------------------------- findings


def test_failures_are_told_at_calls_loops_and_clauses() -> None:
    encoded = encode(
        """
method m(n: Int)
  decreases n if n > 0
{
  var r: Int
  r := other(n)
  while (n > 0)
    decreases n
  {
    m(n)
  }
  while (n > 1) { }
}
method other(n: Int) returns (r: Int)
"""
    )

    assert told(encoded, *fail_all(encoded)) == [
        ("termination.failed:termination.condition.false", 6, "m"),
        ("termination.failed:tuple.condition.false", 10, "m"),
        ("termination.failed:tuple.false", 10, "m"),
        ("termination.failed:tuple.false", 8, "m"),
        ("termination.failed:termination.condition.false", 12, "m"),
    ]
    texts = {f.message for f in encoded.translate(fail_all(encoded))}
    assert "Loop might not terminate. Termination measure might not decrease" in str(texts)
    assert "Method might not terminate. Required termination condition might not hold." in texts


def test_missing_orders_are_reported() -> None:
    """The checker rejects such a program; one that is built by a tool may get here."""
    program = program_of("\n\nmethod m(n: Int) decreases n { m(n) }")
    encoded = encode_program(replace(program, domains={}))

    assert [(d.code, d.span.line) for d in encoded.diagnostics if d.span] == [
        ("consistency.error", 3)
    ]
