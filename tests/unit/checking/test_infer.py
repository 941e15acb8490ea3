"""Types of expressions: overloading, inference, mismatches."""

from __future__ import annotations

import pytest

from pitviper.checking.infer import Alternative, Signature, _matches, _Partial
from pitviper.checking.types import NOTHING
from pitviper.program.expr import IntLit
from pitviper.program.print.printer import stmt_text
from pitviper.program.types import INT
from pitviper.source.span import NO_SPAN
from tests.unit.checking.check_texts import asserted, check, complaints, lowered, messages, method
from tests.unit.checking.check_texts import warnings as warnings_of

UNCONSTRAINED = "unconstrained type parameter, substituting default type Int"


# ---------------------------------------------------------------- division


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("k := 1/2", "k := 1 \\ 2"),
        ("q := 1/2", "q := 1 / 2"),
        ("k := n \\ 2", "k := n \\ 2"),
        ("k := 1/2 + 3", "k := 1 \\ 2 + 3"),
        ("q := 1/2 + 1/3", "q := 1 / 2 + 1 / 3"),
        ("k := -(7/2)", "k := -(7 \\ 2)"),
        ("k := b ? 7/2 : n", "k := (b ? 7 \\ 2 : n)"),
        ("q := b ? 1/2 : none", "q := (b ? 1 / 2 : none)"),
        ("k := one$(7/2)", "k := one$(7 \\ 2)"),
        ("q := p / 2", "q := p / 2"),
        ("q := p / p", "q := p / p"),
        ("q := n / n", "q := n / n"),
    ],
)
def test_the_context_chooses_between_fraction_and_quotient(source: str, expected: str) -> None:
    text = method(source) + "\nfunction one$(i: Int): Int"
    program = check(text).program
    assert program is not None
    body = program.methods["m"].body
    assert body is not None
    assert stmt_text(body.statements[0]) == expected


def test_alone_a_division_is_a_fraction() -> None:
    assert asserted("1/2 == 2/4") == "1 / 2 == 2 / 4"
    assert asserted("1/2 < 2/3") == "1 / 2 < 2 / 3"
    assert asserted("7/2 == n") == "7 \\ 2 == n"
    assert asserted("n < 7/2") == "n < 7 \\ 2"


def test_products_of_permissions_and_integers_have_the_integer_first() -> None:
    assert lowered("q := p * n") == ["q := n * p"]
    assert lowered("q := n * p") == ["q := n * p"]
    assert lowered("q := p * p") == ["q := p * p"]
    assert lowered("q := 3 * (1/2)") == ["q := 3 * (1 / 2)"]
    assert lowered("k := 3 * (7/2)") == ["k := 3 * (7 \\ 2)"]


# ---------------------------------------------------------------- empty collections


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("s == Seq()", "s == Seq[Int]()"),
        ("Seq() == s", "Seq[Int]() == s"),
        ("s ++ Seq() == s", "s ++ Seq[Int]() == s"),
        ("t union Set() == t", "(t union Set[Ref]()) == t"),
        ("Seq() ++ Seq() == s", "Seq[Int]() ++ Seq[Int]() == s"),
        ("(b ? Seq() : s) == s", "(b ? Seq[Int]() : s) == s"),
        ("Seq(Seq(), s) == Seq()", "Seq(Seq[Int](), s) == Seq[Seq[Int]]()"),
        ("Seq()[0 := n] == s", "Seq[Int]()[0 := n] == s"),
        ("Map(1 := Set()) == Map(2 := t)", "Map(1 := Set[Ref]()) == Map(2 := t)"),
        ("1 in domain(Map())[2..3]", ""),
    ],
)
def test_empty_literals_get_their_type_from_the_context(source: str, expected: str) -> None:
    if expected:
        assert asserted(source) == expected
    else:
        assert len(messages(source)) == 1


def test_a_type_that_stays_open_is_int_with_a_warning() -> None:
    assert asserted("|Seq()| == 0") == "|Seq[Int]()| == 0"
    assert warnings_of(method("assert |Seq()| == 0")) == [UNCONSTRAINED]
    assert warnings_of(method("assert |Seq[Ref]()| == 0")) == []


# ---------------------------------------------------------------- generic functions


def test_type_arguments_follow_from_arguments_or_context() -> None:
    assert asserted("unbox(box(n)) == n") == ("(unbox((box(n): Box[Int])): Int) == n")
    assert lowered("var c: Box[Ref] := any()")[1] == "c := (any(): Box[Ref])"
    assert messages("box(n) == box(b)") == [
        "found incompatible type `Box[Bool]`, expected `Box[Int]`"
    ]
    assert warnings_of(method("assert any() == any()")) == [UNCONSTRAINED]


def test_inside_its_domain_a_parameter_stands_for_itself() -> None:
    text = """
        domain Q[T] {
          function mk(x: T): Q[T]
          function nothing(): Q[T]
          function count(): Int
          axiom { nothing() == nothing() }
          axiom { count() == 0 }
          axiom { forall x: T :: { mk(x) } mk(x) != nothing() }
        }
        method m() { assert count() == 0 }
    """
    assert warnings_of(text) == [UNCONSTRAINED]


def test_ascription_decides() -> None:
    assert asserted("(any(): Box[Ref]) == any()") == "(any(): Box[Ref]) == (any(): Box[Ref])"
    assert messages("(pure(1): Bool)") == ["found incompatible type `Int`, expected `Bool`"]
    assert messages("(P(x, 1): Bool)") == ["predicate call cannot have an explicit type"]


def test_algebraic_data_types() -> None:
    assert asserted("Cons(n, Nil()).tail == Nil()") == (
        "(Cons(n, (Nil(): List[Int])): List[Int]).tail == (Nil(): List[Int])"
    )
    assert messages("Cons(1, Cons(true, Nil())) == Nil()") == [
        "found incompatible type `List[Bool]`, expected `List[Int]`"
    ]
    assert messages("x.tail == Nil()") == [
        "found incompatible receiver type `Ref` when destructing adt field `tail`, expected an adt"
    ]
    assert messages("Nil().f == 1") == ["found incompatible type `List[_]`, expected `Ref`"]
    assert messages("x.isNil") == ["found incompatible type `Ref`, expected `List[_]`"]


# ---------------------------------------------------------------- let


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("k := let v == (7/2) in v", "k := (let v == (7 \\ 2) in v)"),
        ("q := let v == (1/2) in v", "q := (let v == (1 / 2) in v)"),
        ("assert let v == (7/2) in v == n", "assert (let v == (7 \\ 2) in v == n)"),
        ("assert let v == (Seq()) in v == s", "assert (let v == (Seq[Int]()) in v == s)"),
        (
            "assert let v == (Set()) in |v| == 0 ==> v == t",
            "assert (let v == (Set[Ref]()) in |v| == 0 ==> v == t)",
        ),
        (
            "k := let v == (7/2) in let w == (5/2) in v + w",
            "k := (let v == (7 \\ 2) in (let w == (5 \\ 2) in v + w))",
        ),
    ],
)
def test_the_type_of_a_let_may_follow_from_its_body(source: str, expected: str) -> None:
    assert lowered(source) == [expected]


def test_nested_lets_of_undecided_type_take_no_exponential_time() -> None:
    depth = 60
    fractions = "".join(f"let v{i} == (1/2) in " for i in range(depth))
    assert messages(f"{fractions} nope") == ["undeclared identifier `nope`"]
    sequences = "".join(f"let v{i} == (Seq()) in " for i in range(depth))
    assert messages(f"{sequences} |v0| == 0") == []


# ---------------------------------------------------------------- mismatches


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("n + b == 1", "`b` is a `Bool`: `+` needs numbers"),
        ("-x == 1", "`x` is a `Ref`: `-` needs numbers"),
        ("n * s == 1", "`s` is a `Seq[Int]`: `*` needs numbers"),
        ("n < x", "`x` is a `Ref`: `<` needs numbers"),
        ("n == x", "found incompatible type `Ref`, expected `Int`"),
        ("n", "found incompatible type `Int`, expected `Bool`"),
        ("n && b", "found incompatible type `Int`, expected `Bool`"),
        ("b ? n : b", "found incompatible type `Bool`, expected `Int`"),
        ("x in s", "found incompatible type `Ref`, expected `Int`"),
        ("s ++ t == s", "found incompatible type `Set[Ref]`, expected `Seq[Int]`"),
        ("s union t == t", "found incompatible type `Seq[Int]`, expected `Set[_]`"),
        ("|n| == 1", "found incompatible type `Int`, expected `Seq[_]`"),
        ("n[0] == 1", "found incompatible type `Int`, expected `Seq[_]`"),
        ("s[b] == 1", "found incompatible type `Bool`, expected `Int`"),
        ("s[0 := x] == s", "found incompatible type `Ref`, expected `Int`"),
        ("Seq(1, b) == s", "found incompatible type `Bool`, expected `Int`"),
        ("acc(x.f, 1)", "found incompatible type `Int`, expected `Perm`"),
        ("acc(n.f)", "found incompatible type `Int`, expected `Ref`"),
        ("P(n, n)", "found incompatible type `Int`, expected `Ref`"),
        ("pure(1, 2) == 1", "wrong number of arguments"),
        ("pure(nope, nope) == 1", "undeclared identifier `nope`"),
        ("P(x)", "wrong number of arguments"),
        ("nope(1)", "undeclared call `nope`, expected function or predicate"),
        ("x.nope == 1", "undeclared field `nope`"),
        ("result == 1", "`result` can only be used in function postconditions"),
        ("new() == x", "unexpected use of `new` as an expression"),
        ("#nope(x) == #P(x, 1)", "undeclared call `nope`, expected predicate"),
        ("acc(fun(x))", "specified location is not a field nor a predicate"),
        ("perm(Nil().tail) == none", "specified location is not a field nor a predicate"),
    ],
)
def test_mismatches_are_reported_once(source: str, expected: str) -> None:
    assert expected in messages(source)
    assert len(set(messages(source))) <= 2


def test_a_method_is_no_function() -> None:
    assert messages("one(1) == 1") == [
        "invalid method call `one` in expression position, expected function or predicate"
    ]


def test_impure_formulas_are_no_values() -> None:
    impure = "found an assertion about permissions, expected a value of `Bool`"
    assert messages("!acc(x.f)") == [impure]
    assert messages("acc(x.f) || b") == [impure]
    assert messages("acc(x.f) ==> b") == [impure]
    assert messages("boolean(acc(x.f))") == [impure]
    assert messages("(acc(x.f) ? 1 : 2) == 1") == [impure]
    assert messages("exists z: Ref :: acc(z.f)") == [impure]
    assert messages("forperm z: Ref [z.f] :: acc(z.f)") == [impure]
    assert messages("boolean(P(x, 1))") == ["found a predicate, expected a value of `Bool`"]
    assert messages("boolean(true --* b)") == ["found a magic wand, expected a value of `Bool`"]
    assert messages("old(acc(x.f))") == ["argument is not pure"]
    assert messages("acc(x.f) == b") == ["argument is not pure"]
    assert complaints("refute acc(x.f)") == [(1, impure)]


def test_reported_expressions_cause_no_further_errors() -> None:
    assert messages("nope + 1 == b") == ["undeclared identifier `nope`"]
    assert set(messages("nope.g.f == nope[0]")) == {"undeclared identifier `nope`"}
    assert messages("(b ? nope : 1) && true") == ["undeclared identifier `nope`"]
    assert messages("Seq(nope, 1) == t") == ["undeclared identifier `nope`"]
    assert complaints("k := pure(nope)\nnope := 1\nq := nope2()") == [
        (1, "undeclared identifier `nope`"),
        (2, "undeclared identifier `nope`, expected parameter or local variable"),
        (3, "undeclared call `nope2`, expected function or method"),
    ]


def test_an_unknown_type_is_a_type_of_its_own() -> None:
    assert complaints("var v: Nope := 1\nvar w: Seq[Nope] := Seq(v)") == [
        (1, "undeclared type `Nope`"),
        (1, "found incompatible type `Int`, expected `Nope`"),
        (2, "undeclared type `Nope`"),
    ]


def test_type_arguments_are_counted() -> None:
    assert [line for line, _ in complaints("var v: Box\nvar w: Box[Int, Int]\nvar u: D[]")] == [
        1,
        2,
        3,
    ]
    assert complaints("var v: Box[Int]\nvar u: D") == []


def test_the_choices_for_operands_are_kept_in_a_chain() -> None:
    """A tuple that is made anew for each of many elements takes time that grows with its square."""
    node = Alternative(INT, NOTHING, lambda _: IntLit(0, span=NO_SPAN))
    signature = Signature((INT,) * 3, INT)
    (first,) = _matches([_Partial(signature, NOTHING, None)], 0, (node,))
    (second,) = _matches([first], 1, (node,))
    assert second.chosen is not None
    assert second.chosen.before is first.chosen
    assert second.choices() == [node, node]
