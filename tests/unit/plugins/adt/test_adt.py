from __future__ import annotations

import pytest

from pitviper.plugins.options import PluginOptions
from pitviper.program.expr import Construct, Destruct, Discriminate
from pitviper.program.print.printer import member_text
from pitviper.program.walk import descendants
from tests.unit.plugins.encoded_texts import complaints_about, encode

LIST = """
adt List[T] {
  Nil()
  Cons(head: T, tail: List[T])
}
"""


def domain_lines(text: str, name: str) -> list[str]:
    domain = encode(text).program.domains[name]
    return [line.strip() for line in member_text(domain).splitlines()]


@pytest.mark.smoke
def test_the_domain_of_a_list() -> None:
    assert domain_lines(LIST, "List") == [
        "domain List[T] {",
        "function Nil(): List[T]",
        "function Cons(head: T, tail: List[T]): List[T]",
        "function get_List_head(value: List[T]): T",
        "function get_List_tail(value: List[T]): List[T]",
        "function List_tag(value: List[T]): Int",
        "axiom { (List_tag((Nil(): List[T])): Int) == 1 }",
        "axiom { (forall head: T, tail: List[T] :: { (Cons(head, tail): List[T]) }"
        " (List_tag((Cons(head, tail): List[T])): Int) == 0"
        " && (get_List_head((Cons(head, tail): List[T])): T) == head"
        " && (get_List_tail((Cons(head, tail): List[T])): List[T]) == tail) }",
        "axiom { (forall value: List[T] :: { (List_tag(value): Int) }"
        " { (get_List_head(value): T) } { (get_List_tail(value): List[T]) }"
        " value == (Nil(): List[T]) || value =="
        " (Cons((get_List_head(value): T), (get_List_tail(value): List[T])): List[T])) }",
        "}",
    ]


def test_tags_follow_the_alphabet() -> None:
    lines = domain_lines("adt Color { Red() Blue() Green() }", "Color")

    assert "axiom { Color_tag(Blue()) == 0 }" in lines
    assert "axiom { Color_tag(Green()) == 1 }" in lines
    assert "axiom { Color_tag(Red()) == 2 }" in lines


def test_operations_become_applications() -> None:
    encoded = encode(
        LIST
        + """
        field f: List[Int]
        method m(xs: List[Int], r: Ref) returns (b: Bool)
          requires acc(r.f)
        {
          b := xs.isCons && r.f.head == 1 && Cons(1, Nil()) == xs.tail
        }
        """
    )
    text = member_text(encoded.program.methods["m"])

    assert "(List_tag(xs): Int) == 0" in text
    assert "(get_List_head(r.f): Int) == 1" in text
    assert "(Cons(1, (Nil(): List[Int])): List[Int]) == (get_List_tail(xs): List[Int])" in text
    assert complaints_about(encoded) == []


def test_no_trace_of_the_type_is_left() -> None:
    encoded = encode(
        LIST
        + """
        domain D { function of(xs: List[Int]): Set[List[Int]]  axiom { of(Nil()) == Set(Nil()) } }
        predicate P(x: Ref, xs: List[Bool]) { xs.isNil }
        function g(xs: List[Seq[List[Int]]]): Map[Int, List[Int]] { Map(1 := Nil()) }
        """
    )
    removed = (Construct, Destruct, Discriminate)
    nodes = [
        node
        for table in (encoded.program.domains, encoded.program.functions)
        for member in table.values()
        for node in descendants(member)
    ]

    assert encoded.program.adts == {}
    assert not [node for node in nodes if isinstance(node, removed)]
    assert "AdtType" not in repr(encoded.program)


def test_names_of_the_program_are_left_alone() -> None:
    encoded = encode(LIST + "field List_tag: Int method get_List_head(value: Int)")
    domain = encoded.program.domains["List"]

    assert [f.name for f in domain.functions][2:] == [
        "get_List_head_0",
        "get_List_tail",
        "List_tag_0",
    ]
    assert complaints_about(encoded) == []


# ---------------------------------------------------------------- derived relation


TREE = "adt Tree { Leaf() Node(left: Tree, weight: Int, right: Tree) } derives { contains %s }"


def test_arguments_are_contained_unless_left_out() -> None:
    text = "import <adt/derives.vpr>\n" + TREE % "without weight, right"
    axioms = [line for line in domain_lines(text, "Tree") if "contains" in line]

    assert axioms == [
        "axiom { (forall left: Tree, weight: Int, right: Tree :: { Node(left, weight, right) }"
        " (contains(left, Node(left, weight, right)): Bool)) }"
    ]


def test_without_the_import_nothing_is_derived() -> None:
    assert not [line for line in domain_lines(TREE % "", "Tree") if "contains" in line]


def test_containment_is_transitive_for_the_types_of_the_program() -> None:
    encoded = encode(
        """
        import <adt/derives.vpr>
        adt Box[T] { Empty() Full(item: T) } derives { contains }
        method m(b: Box[Box[Int]]) { assert contains(1, b) }
        """
    )
    domain = encoded.program.domains["ContainsTransitivity"]
    axioms = [line.strip() for line in member_text(domain).splitlines() if "axiom" in line]

    assert len(axioms) == 1
    assert "inner: Int, middle: Box[Int], outer: Box[Box[Int]]" in axioms[0]
    assert complaints_about(encoded) == []


def test_types_that_contain_larger_instances_of_themselves_come_to_an_end() -> None:
    encoded = encode(
        """
        import <adt/derives.vpr>
        adt Pair[T] { Both(one: T, two: T) } derives { contains }
        adt Nest[T] { Stop() Deep(inside: Nest[Pair[T]]) } derives { contains }
        method m(n: Nest[Int]) { assert n == n }
        """
    )

    assert 0 < len(encoded.program.domains["ContainsTransitivity"].axioms) < 50


# ---------------------------------------------------------------- order


def test_parts_come_first_in_the_order_of_a_type() -> None:
    lines = domain_lines(
        LIST + "function f(xs: List[Int]): Int decreases xs { 0 }", "ListWellFoundedOrder"
    )

    assert lines == [
        "domain ListWellFoundedOrder[T] {",
        "axiom { (forall head: T, tail: List[T] :: { (Cons(head, tail): List[T]) }"
        " (rank(head): Int) < (rank((Cons(head, tail): List[T])): Int)"
        " && (rank(tail): Int) < (rank((Cons(head, tail): List[T])): Int)) }",
        "axiom { (forall small: List[T], large: List[T] :: { (decreasing(small, large): Bool) }"
        " (decreasing(small, large): Bool) == (rank(small): Int) < (rank(large): Int)) }",
        "axiom { (forall value_0: List[T] :: { (bounded(value_0): Bool) }"
        " (bounded(value_0): Bool)) }",
        "}",
    ]


def test_a_program_without_measures_needs_no_order() -> None:
    assert "ListWellFoundedOrder" not in encode(LIST).program.domains


def test_an_order_of_the_program_is_kept() -> None:
    text = (
        LIST
        + """
        import <decreases/declaration.vpr>
        domain ListWellFoundedOrder[T] { axiom { forall x: List[T] :: { bounded(x) } bounded(x) } }
        """
    )
    domains = encode(text).program.domains

    assert len(domains["ListWellFoundedOrder"].axioms) == 1
    assert "AdtRank" not in domains


def test_no_order_where_termination_is_not_checked() -> None:
    text = LIST + "function f(xs: List[Int]): Int decreases xs { 0 }"
    encoded = encode(text, PluginOptions(termination=False))

    assert "ListWellFoundedOrder" not in encoded.program.domains
