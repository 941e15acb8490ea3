"""What a front end built wrongly is told at its place; what the checker builds is right."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import cast

import pytest

import pitviper
from pitviper.base.deep_stack import run_deep
from pitviper.base.record import names_of, replace
from pitviper.driver.front.frontend import load, load_text
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program import member as m
from pitviper.program import stmt as s
from pitviper.program.node import Node
from pitviper.program.types import BOOL, INT, PERM, REF, DomainType, SeqType, Type
from pitviper.program.validate import faults
from pitviper.program.walk import descendants, rewrite
from pitviper.source.span import SourceFile, Span

ROOT = Path(__file__).parents[3]
PROGRAMS = sorted([*ROOT.glob("tests/programs/**/*.vpr"), *ROOT.glob("examples/**/*.[vc]*")])

X, B, R = x.Var("x", INT), x.Var("b", BOOL), x.Var("r", REF)
ONE, NULL, TRUE = x.IntLit(1), x.NullLit(), x.BoolLit(value=True)
FULL = x.PermLit(x.PermConstant.WRITE)


def program(*statements: s.Stmt, **more: object) -> m.Program:
    """A method `m` with the parameters x, b and r; a field, function, predicate and callee."""
    method = m.Method("m", (X, B, R), (), (), (), (), s.Block(statements))
    method = replace(method, **more)  # type: ignore[arg-type]
    callee = m.Method("callee", (X,), (x.Var("y", INT),), (), (), (), None)
    function = m.Function("f", (X,), BOOL, (), (), (), None)
    predicate = m.Predicate("P", (R,), None)
    return m.Program(
        {"value": m.Field("value", INT)},
        {"m": method, "callee": callee},
        {"f": function},
        {"P": predicate},
        {},
        {},
    )


def claim(e: a.Assertion) -> m.Program:
    return program(s.Assert(e))


WRONG = [
    (claim(X), "a formula has to be of type Bool, and is of Int"),
    (claim(x.Var("z", BOOL)), "the variable `z` is not declared here"),
    (claim(x.Equal(x.Var("b", INT), ONE)), "the variable `b` is of type Bool, and here of Int"),
    (claim(x.Equal(X, NULL)), "the right side of an equation has to be of type Int"),
    (claim(x.And((B,))), "at least two operands"),
    (claim(x.Compare(x.CompareOp.LT, R, R)), "the operand has to be of type Int or Perm"),
    (claim(x.FunctionApp("g", (), BOOL)), "there is no function `g`"),
    (claim(x.FunctionApp("f", (), BOOL)), "function `f` has 1 parameters, and is given 0"),
    (claim(x.FunctionApp("f", (R,), BOOL)), "argument 1 of function `f` has to be of type Int"),
    (claim(x.Not(x.FunctionApp("f", (X,), INT))), "the value of function `f` is of type Bool"),
    (claim(a.Access(a.FieldLocation(R, "other"), FULL)), "there is no field `other`"),
    (claim(a.Access(a.FieldLocation(X, "value"), FULL)), "the receiver of `value` has to be of"),
    (claim(a.Access(a.PredicateLocation("Q", ()), FULL)), "there is no predicate `Q`"),
    (claim(a.Access(a.PredicateLocation("P", (R,)), ONE)), "the amount has to be of type Perm"),
    (claim(x.Equal(x.Result(INT), ONE)), "`result` stands outside"),
    (claim(x.Forall((x.Var("i", INT),), (), x.Var("i", INT))), "the body has to be of type Bool"),
    (claim(x.Equal(x.SeqIndex(X, ONE, INT), ONE)), "the collection has to be a Seq"),
    (claim(x.Equal(x.Old("nowhere", X), X)), "there is no label `nowhere`"),
    (claim(x.Equal(x.MapLookup(X, ONE, INT), ONE)), "the collection has to be a Map"),
    (claim(x.Equal(x.DomainApp("D", "d", (), (), INT), ONE)), "there is no function `d` in"),
    (claim(x.Discriminate(R, "Cons")), "about values of an ADT only"),
    (program(s.Declare(x.Var("x", BOOL))), "the variable `x` is declared with two types"),
    (program(s.Declare(x.Var("t", DomainType("T")))), "there is no type `T`"),
    (program(s.Declare(x.Var("a|b", INT))), "'a|b' is no name"),
    (program(s.LocalAssign(X, TRUE)), "the value of `x` has to be of type Int"),
    (program(s.FieldAssign(R, "value", NULL)), "it has to be of type Int, and is of Ref"),
    (program(s.New(R, ("nothing",))), "there is no field `nothing`"),
    (program(s.MethodCall("nobody", (), ())), "there is no method `nobody`"),
    (program(s.MethodCall("callee", (ONE,), ())), "returns 1 values, for 0 targets"),
    (program(s.MethodCall("callee", (ONE,), (B,))), "the target `b` has to be of type Int"),
    (program(s.Goto("nowhere")), "there is no label `nowhere`"),
    (program(s.If(X, s.Block(()), s.Block(()))), "the condition has to be of type Bool"),
    (program(s.Fold(a.PredicateLocation("P", (X,)), FULL)), "argument 1 of predicate `P`"),
    (program(s.Fold(a.PredicateLocation("P", (R,)), FULL)), "predicate `P` has no body to fold"),
    (
        claim(x.Unfolding(a.PredicateLocation("P", (R,)), FULL, TRUE)),
        "predicate `P` has no body to fold or unfold",
    ),
    (program(name="n"), "it stands in the table as `m`"),
    (program(name="callee"), "another member has this name"),
    (program(preconditions=(X,)), "a formula has to be of type Bool"),
    (program(preconditions=[TRUE]), "`preconditions` of a Method has to be a tuple, but is a list"),
    (program(body=3), "`body` of a Method has to be a Block or None, but is a int"),
    (claim(cast(x.Expr, None)), "`assertion` of a Assert has to be of the family Assertion"),
    (
        claim(x.Not(cast(x.Expr, a.Star((TRUE, TRUE))))),
        "`operand` of a Not has to be of the family",
    ),
    (claim(x.Equal(x.IntLit(cast(int, "1")), ONE)), "`value` of a IntLit has to be a int"),
]


@pytest.mark.parametrize(("wrong", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_mistake_of_a_front_end_is_told(wrong: m.Program, said: str) -> None:
    found = faults(wrong)
    assert any(said in fault.message for fault in found), [fault.message for fault in found]
    done = pitviper.verify_program(wrong)
    assert done.verdict is pitviper.Verdict.REJECTED
    assert {d.code for d in done.diagnostics} == {"frontend.error"}


def test_a_program_without_places_is_verified() -> None:
    y = x.Var("y", INT)
    claimed = s.Assert(x.Compare(x.CompareOp.LE, X, X))
    good = program(claimed, s.Declare(y), s.MethodCall("callee", (X,), (y,)))
    assert faults(good) == ()
    assert pitviper.verify_program(good).verdict is pitviper.Verdict.VERIFIED


def test_a_fault_stands_at_its_place() -> None:
    source = SourceFile(Path("a.mine"), "one two")
    wrong = program(s.Assert(x.Var("z", BOOL, span=Span(source, 4, 7))))
    (problem,) = pitviper.verify_program(wrong, source=source).problems
    assert problem.span is not None
    assert problem.span.text == "two"


def test_contracts_hold_what_they_can_hold() -> None:
    wrong = program(preconditions=(x.Old(None, B),))
    (problem,) = pitviper.verify_program(wrong).problems
    assert "Old expressions are not allowed in preconditions" in problem.message


@pytest.mark.parametrize("start", range(4))
def test_what_the_checker_builds_is_right(start: int) -> None:
    for path in PROGRAMS[start::4]:
        found = load(path).program
        if found is not None:
            assert run_deep(lambda built=found: faults(built)) == (), path  # type: ignore[misc]


MIXED = """
field value: Int  field next: Ref  field items: Seq[Int]
function sum(s: Seq[Int]): Int { |s| == 0 ? 0 : s[0] + sum(s[1..]) }
predicate list(n: Ref) { acc(n.value) && acc(n.next) && (n.next != null ==> list(n.next)) }
method m(n: Ref, k: Int, some: Set[Int], half: Perm) returns (r: Int)
  requires list(n) && k in some && half > none
  ensures list(n)
{
  unfold list(n)
  n.value := k + 1
  r := let z == (n.value) in z * 2
  var c: Ref := new(value, items)
  c.items := Seq(1, r)
  while (r > 0) invariant acc(c.items) && |c.items| > 0 { r := r - c.items[0] }
  assert forall i: Int :: 0 <= i && i < k ==> i < k
  exhale acc(c.value, 1/2)
  fold list(n)
}
"""
OTHERS: dict[Type, x.Expr] = {
    INT: ONE, BOOL: TRUE, REF: NULL, PERM: FULL, SeqType(INT): x.SeqRange(ONE, ONE)
}  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_no_engine_crashes_on_what_a_front_end_builds(seed: int) -> None:
    """Expressions and names are exchanged at random: rejected, or verified without a crash."""
    random = Random(seed)
    whole = load_text(MIXED).program
    assert whole is not None
    method = whole.methods["m"]
    nodes = [n for n in descendants(method) if hasattr(n, "type") or "name" in names_of(n)]
    hit = random.choice(nodes)
    other = random.choice(list(OTHERS.values()))

    def rule(node: Node) -> Node | None:
        return other if node == hit and not isinstance(node, m.Method) else None

    changed = replace(whole, methods={"m": rewrite(method, rule)})
    for backend in ("symbolic", "vcg"):
        done = pitviper.verify_program(changed, options=pitviper.VerifyOptions(backend=backend))
        assert [outcome.crash for outcome in done.members.values() if outcome.crash] == []
