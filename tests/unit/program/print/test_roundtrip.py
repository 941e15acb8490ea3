"""What the printer writes is read as the same program: random formulas, and one of everything."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.program import assertion as a
from pitviper.program import expr as x
from pitviper.program.member import Program
from pitviper.program.pairs import with_lifted_pairs
from pitviper.program.print.printer import assertion_text, program_text
from pitviper.program.stmt import Assert
from pitviper.program.types import BOOL, INT, PERM, REF, MapType, MultisetType, SeqType, SetType
from pitviper.program.walk import descendants

DECLARATIONS = """
field f: Int
field g: Ref
predicate P(r: Ref, n: Int)
predicate Q(r: Ref) { acc(r.f) && acc(r.g) }
function h(n: Int): Int
domain D[T] { function make(t: T): D[T]  function take(d: D[T]): T  function size(d: D[T]): Int }
adt List[T] { Nil() Cons(value: T, tail: List[T]) }
"""

HEAD = (
    "method run(i: Int, j: Int, b: Bool, c: Bool, r: Ref, q: Ref, p: Perm, s: Seq[Int],"
    " t: Set[Int], m: Multiset[Int], d: Map[Int, Int]) { label l "
)


def read(text: str) -> Program:
    result = load_text(text)
    assert result.errors == (), text
    assert result.program is not None
    return result.program


Make = Callable[["Formulas"], x.Expr]


class Formulas:
    """Random typed formulas in the scope of HEAD; every binder gets a name of its own."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.bound: list[x.Var] = []
        self.names = 0

    def pick(self, depth: int, leaves: list[x.Expr], makers: list[Make]) -> x.Expr:
        if depth <= 0 or self.random.random() < 0.15:
            return self.random.choice(leaves)
        return self.random.choice(makers)(self)

    def fresh(self) -> x.Var:
        self.names += 1
        return x.Var(f"v{self.names}", INT)

    def number(self, depth: int) -> x.Expr:
        n = depth - 1
        ops = list(x.IntOp)
        leaves: list[x.Expr] = [x.IntLit(7), x.Var("i", INT), x.Var("j", INT), *self.bound]
        return self.pick(depth, leaves, [
            lambda g: x.IntArith(g.random.choice(ops), g.number(n), g.number(n)),
            lambda g: x.Negate(g.number(n)),
            lambda g: x.Conditional(g.truth(n), g.number(n), g.number(n)),
            lambda g: x.FieldRead(g.reference(n), "f", INT),
            lambda g: x.FunctionApp("h", (g.number(n),), INT, g.random.random() < 0.3),
            lambda g: x.Old(g.random.choice([None, "l"]), g.number(n)),
            lambda g: x.Unfolding(g.predicate(n), g.amount(n), g.number(n)),
            lambda g: x.SeqIndex(g.sequence(n), g.number(n), INT),
            lambda g: x.MapLookup(g.map(n), g.number(n), INT),
            lambda g: x.MultisetCount(g.number(n), x.Var("m", MultisetType(INT))),
            lambda g: x.Cardinality(g.random.choice([g.sequence, g.set, g.map])(n)),
            lambda g: g.let(n),
        ])  # fmt: skip

    def let(self, depth: int) -> x.Expr:
        bound, variable = self.number(depth), self.fresh()
        return x.Let(variable, bound, self.under((variable,), lambda: self.number(depth)))

    def under(self, variables: tuple[x.Var, ...], make: Callable[[], x.Expr]) -> x.Expr:
        self.bound += variables
        made = make()
        del self.bound[len(self.bound) - len(variables) :]
        return made

    def truth(self, depth: int) -> x.Expr:
        n = depth - 1
        leaves: list[x.Expr] = [x.BoolLit(value=True), x.Var("b", BOOL), x.Var("c", BOOL)]
        comparisons = list(x.CompareOp)
        return self.pick(depth, leaves, [
            lambda g: x.Not(g.truth(n)),
            lambda g: x.And(g.several(g.truth, n)),
            lambda g: x.Or(g.several(g.truth, n)),
            lambda g: x.Implies(g.truth(n), g.truth(n)),
            lambda g: x.Conditional(g.truth(n), g.truth(n), g.truth(n)),
            lambda g: x.Equal(g.truth(n), g.truth(n)),
            lambda g: x.NotEqual(g.number(n), g.number(n)),
            lambda g: x.Equal(g.amount(n), g.amount(n)),
            lambda g: x.Equal(g.reference(n), x.NullLit()),
            lambda g: x.Compare(g.random.choice(comparisons), g.number(n), g.number(n)),
            lambda g: x.Compare(g.random.choice(comparisons), g.amount(n), g.amount(n)),
            lambda g: x.SeqContains(g.number(n), g.sequence(n)),
            lambda g: x.SetContains(g.number(n), g.set(n)),
            lambda g: x.MapContains(g.number(n), g.map(n)),
            lambda g: x.Subset(g.set(n), g.set(n)),
            lambda g: x.InhaleExhaleExpr(g.truth(n), g.truth(n)),
            lambda g: x.Asserting(g.assertion(n), g.truth(n)),
            lambda g: x.Applying(g.wand(n), g.truth(n)),
            lambda g: g.quantifier(n),
        ])  # fmt: skip

    def several(self, make: Callable[[int], x.Expr], depth: int) -> tuple[x.Expr, ...]:
        return tuple([make(depth) for _ in range(self.random.randint(2, 3))])

    def quantifier(self, depth: int) -> x.Expr:
        variables = (self.fresh(), self.fresh())
        trigger = x.Trigger(tuple([x.FunctionApp("h", (v,), INT) for v in variables]))
        kind = self.random.choice([x.Forall, x.Exists])
        body = self.under(variables, lambda: self.truth(depth))
        return kind(variables, (trigger, trigger), body, self.random.choice([None, 3]))

    def amount(self, depth: int) -> x.Expr:
        n = depth - 1
        leaves: list[x.Expr] = [x.PermLit(x.PermConstant.WRITE), x.Var("p", PERM)]
        own = [x.PermOp.ADD, x.PermOp.SUB, x.PermOp.MUL, x.PermOp.DIV]
        return self.pick(depth, leaves, [
            lambda g: x.PermArith(g.random.choice(own), g.amount(n), g.amount(n)),
            lambda g: x.PermArith(x.PermOp.INT_MUL, g.number(n), g.amount(n)),
            lambda g: x.PermArith(x.PermOp.INT_DIV, g.amount(n), g.number(n)),
            lambda g: x.PermArith(x.PermOp.FRACTION, g.number(n), g.number(n)),
            lambda g: x.Negate(g.amount(n)),
            lambda g: x.CurrentPerm(g.random.choice([g.field, g.predicate, g.wand])(n)),
        ])  # fmt: skip

    def reference(self, depth: int) -> x.Expr:
        leaves: list[x.Expr] = [x.Var("r", REF), x.Var("q", REF)]
        return self.pick(depth, leaves, [
            lambda g: x.FieldRead(g.reference(depth - 1), "g", REF),
            lambda g: x.Conditional(g.truth(0), g.reference(0), g.reference(0)),
        ])  # fmt: skip

    def sequence(self, depth: int) -> x.Expr:
        n, seq = depth - 1, SeqType(INT)
        return self.pick(depth, [x.Var("s", seq), x.SeqLit((), seq)], [
            lambda g: x.SeqLit((g.number(n), g.number(n)), seq),
            lambda g: x.SeqAppend(g.sequence(n), g.sequence(n)),
            lambda g: x.SeqTake(g.sequence(n), g.number(n)),
            lambda g: x.SeqDrop(g.sequence(n), g.number(n)),
            lambda g: x.SeqUpdate(g.sequence(n), g.number(n), g.number(n)),
            lambda g: x.SeqRange(g.number(n), g.number(n)),
        ])  # fmt: skip

    def set(self, depth: int) -> x.Expr:
        n, kind = depth - 1, SetType(INT)
        return self.pick(depth, [x.Var("t", kind), x.SetLit((), kind)], [
            lambda g: x.SetLit((g.number(n),), kind),
            lambda g: x.SetBinary(g.random.choice(list(x.SetOp)), g.set(n), g.set(n)),
            lambda g: x.MapDomain(g.map(n), kind),
        ])  # fmt: skip

    def map(self, depth: int) -> x.Expr:
        n, kind = depth - 1, MapType(INT, INT)
        return self.pick(depth, [x.Var("d", kind), x.MapLit((), kind)], [
            lambda g: x.MapLit(((g.number(n), g.number(n)),), kind),
            lambda g: x.MapUpdate(g.map(n), g.number(n), g.number(n)),
        ])  # fmt: skip

    def field(self, depth: int) -> a.FieldLocation:
        return a.FieldLocation(self.reference(depth), "f")

    def predicate(self, depth: int) -> a.PredicateLocation:
        return a.PredicateLocation("Q", (self.reference(depth),))

    def wand(self, depth: int) -> a.Wand:
        return a.Wand(self.assertion(depth), self.assertion(depth))

    def assertion(self, depth: int) -> a.Assertion:
        """Impure ones; a conjunction is never directly inside another."""
        n = depth - 1
        kind = self.random.randint(0, 6) if depth > 0 else 0
        match kind:
            case 0:
                return a.Access(self.field(n), self.amount(n))
            case 1:
                return a.Star((self.truth(n), a.Access(self.predicate(n), self.amount(n))))
            case 2:
                return a.Guarded(self.truth(n), self.assertion(n))
            case 3:
                return a.Choice(self.truth(n), self.assertion(n), self.truth(n))
            case 4:
                return a.InhaleExhale(self.assertion(n), self.assertion(n))
            case 5:
                return self.binding(n)
            case _:
                return self.wand(n)

    def binding(self, depth: int) -> a.Binding:
        bound, variable = self.number(depth), self.fresh()
        location = a.PredicateLocation("P", (x.Var("r", REF), variable))
        return a.Binding(variable, bound, a.Access(location, x.PermLit(x.PermConstant.WRITE)))


@pytest.mark.parametrize("seed", range(60))
def test_random_formulas_come_back(seed: int) -> None:
    formulas = Formulas(seed)
    made = [formulas.truth(4) for _ in range(8)] + [formulas.assertion(3) for _ in range(6)]
    text = " ".join([f"assert {assertion_text(formula)}" for formula in made])
    method = read(f"{DECLARATIONS} {HEAD} {text} }}").methods["run"]
    assert method.body is not None
    back = [s.assertion for s in method.body.statements if isinstance(s, Assert)]
    for formula, again in zip(made, back, strict=True):
        assert again == with_lifted_pairs(formula), assertion_text(formula)


EVERYTHING = """
import <decreases/all.vpr>
field f: Int, next: Ref
@opaque() function fac(n: Int): Int
  requires n >= 0
  decreases n if n > 0
  ensures result > 0
  decreases _
{ n == 0 ? 1 : n * fac(n - 1) }
predicate list(r: Ref) { acc(r.f) && acc(r.next, 1/2) && (r.next != null ==> list(r.next)) }
predicate token()
domain Pair[A, B] {
  function pair(a: A, B): Pair[A, B]
  function first(p: Pair[A, B]): A
  unique function origin(): Int
  axiom { forall a: A, b: B :: {pair(a, b)} first(pair(a, b)) == a }
}
domain Byte interpretation (SMTLIB: "(_ BitVec 8)", Boogie: "bv8") {
  function add(x: Byte, y: Byte): Byte interpretation "bvadd"
}
adt Tree[T] { Leaf() Node(left: Tree[T], value: T, right: Tree[T]) }
method swap(r: Ref, q: Ref) returns (old_f: Int)
  requires acc(r.f) && acc(q.f)
  ensures acc(r.f) && acc(q.f) && r.f == old(q.f)
  decreases *
{
  old_f := r.f
  r.f := q.f
  q.f := old_f
  r.f, old_f := both()
}
method both() returns (a: Int, b: Int)
method everything(s: Seq[Int], xs: Set[Ref], t: Tree[Int]) returns (r: Ref)
{
  r := new(*)
  var i: Int := 0
  label start
  while (i < |s|) invariant 0 <= i <= |s| decreases |s| - i {
    var k: Int := i
    @note("one", "two") i := k + 1
    if (s[i] == 1) { goto end } elseif (i > 3) { assert old[start](true) } else { assume i < 3 }
  }
  fold acc(list(r), wildcard)
  unfold list(r)
  inhale forall x: Ref :: {x.f} x in xs ==> acc(x.f) && acc(x.next, i > 0 ? write : none)
  exhale [acc(r.f), true]
  assume acc(r.f, 1/3)
  package acc(r.f) --* acc(r.f) && r.f == old[lhs](r.f) { assert true }
  { apply acc(r.f) --* acc(r.f) && r.f == old[lhs](r.f) }
  package true --* true
  { var inner: Ref; inner := null }
  quasihavoc i > 0 ==> r.f
  quasihavocall x: Ref :: x in xs ==> list(x)
  refute first(pair(1, true)) == 1
  assert forperm x: Ref [x.f] :: x.f > 0
  assert (Leaf(): Tree[Int]) != t && t.isNode ==> t.left.isLeaf && t.value == 1
  assert @weight("7") forall x: Int :: {fac(x)} x > 0 ==> @reveal() fac(x) > 0
  assert exists m: Map[Int, Int] :: m == Map(1 := 2)[3 := 4] && 3 in domain(m) && m[3] in range(m)
  label end
}
"""


@pytest.mark.smoke
def test_one_of_everything_comes_back() -> None:
    program = read(EVERYTHING)
    assert read(program_text(program)) == program


def test_printing_is_stable() -> None:
    text = program_text(read(EVERYTHING))
    assert program_text(read(text)) == text


def test_the_random_formulas_are_of_every_kind() -> None:
    seen: set[str] = set()
    for seed in range(60):
        formulas = Formulas(seed)
        for _ in range(8):
            for formula in (formulas.truth(4), formulas.assertion(3)):
                seen |= {type(node).__name__ for node in descendants(formula)}
    assert len(seen) > 45, sorted(seen)
