"""Random programs with much of the language in them: many are wrong, all are accepted."""

from __future__ import annotations

from random import Random

MEMBERS = """field f: Int  field g: Ref  field q: Seq[Int]
adt Tree { Leaf()  Node(left: Tree, mark: Int) }
domain Size { function size(i: Int): Int  function odd(r: Ref): Bool  function zero(): Int
  axiom { forall i: Int :: { size(i) } size(i) >= 0 && size(i) >= i }
  axiom { zero() == 0 } }
predicate cell(r: Ref) { acc(r.f) && acc(r.g) }
predicate list(r: Ref) { r != null ==> acc(r.f) && acc(r.g) && list(r.g) }
function sum(i: Int): Int requires i >= 0 ensures result >= i { i == 0 ? 0 : i + sum(i - 1) }
function some(i: Int): Int ensures result > i
function value(r: Ref): Int requires acc(r.f, 1/2) { r.f }
function unseen(r: Ref): Int requires acc(r.f, wildcard)
function inside(r: Ref): Int requires cell(r) { unfolding cell(r) in r.f }
method bump(r: Ref, by: Int) returns (o: Int) requires acc(r.f)
  ensures acc(r.f) && r.f == old(r.f) + by && o == old(r.f)
{ o := r.f; r.f := r.f + by }
method vague(r: Ref) returns (o: Int) requires acc(r.f) ensures acc(r.f) && r.f >= o
{ o := 3; r.f := 4 }
method keep(r: Ref) requires acc(r.f, 1/2) ensures acc(r.f, 1/4)
{ exhale acc(r.f, 1/4) }
method any(i: Int) returns (o: Int, r: Ref) ensures o > i && acc(r.f)
"""

PARAMS = (
    "a: Int, b: Int, c: Bool, x: Ref, y: Ref, s: Seq[Int], t: Set[Int], u: Set[Ref], p: Perm, "
    "d: Tree, m: Map[Int, Int], k: Multiset[Int], e: Seq[Ref]"
)
NAMES = [part.split(":")[0].strip() for part in PARAMS.replace("Map[Int, Int]", "Map").split(",")]

BEFORE = (
    "acc(x.f)", "acc(x.g)", "acc(y.f, 1/2)", "acc(x.q)", "|s| <= 2", "|s| == 2", "|t| <= 2",
    "|u| <= 2", "|m| <= 1", "|k| <= 2", "|e| == 1", "cell(y)", "acc(cell(y), 1/2)", "list(x)",
    "x != y", "a >= 0", "a < b", "c", "p > none", "acc(x.f, p)", "p >= none && acc(y.g, p)",
    "(c ==> acc(x.f))", "(forall r: Ref :: r in u ==> acc(r.f))", "size(a) == b", "b > 0",
    "(forall i: Int :: 0 <= i && i < |s| ==> s[i] > 0)", "x in u", "acc(x.g) && x.g == y",
    "d.isNode", "0 < a && a <= 3", "unfolding acc(cell(y), 1/2) in y.f > 0", "x.g == null",
)  # fmt: skip

INTS = (
    "a", "b", "0", "1", "2", "-1", "v", "w", "|s|", "|t|", "|m|", "|k|", "x.f", "y.f", "x.g.f",
    "s[0]", "s[a]", "(a \\ b)", "(a % 3)", "(a + b)", "(a - v)", "(a * 2)", "(v * v)", "old(x.f)",
    "old[l](x.f)", "(c ? a : b)", "value(y)", "unseen(x)", "unseen(y)", "some(a)", "sum(a)",
    "sum(3)", "size(a)", "zero()", "inside(y)", "m[a]", "(a in k)", "|x.q|", "x.q[0]", "d.mark",
    "(let j == (a + 1) in j * 2)", "(unfolding cell(y) in y.f)", "|s ++ s|", "|t union Set(a)|",
    "e[0].f", "(b \\ 2)", "(unfolding list(x) in (x != null ? x.f : 0))",
)  # fmt: skip

TRUTHS = (
    "c", "x == y", "x == null", "x in u", "y in u", "x.g == y", "x.g == null", "a in s", "a in t",
    "a in m", "odd(x)", "odd(y)", "d.isLeaf", "d == Leaf()", "e[0] == x", "perm(x.f) == write",
    "perm(y.f) > none", "perm(x.f) == p", "t subset Set(a, b)", "s == Seq(a)", "x.q == s",
    "(forall i: Int :: 0 <= i && i < |s| ==> s[i] >= a)", "(exists i: Int :: i in t && i > a)",
    "(forall i: Int :: i in t ==> i != b)", "(forall r: Ref :: r in u ==> r != x)",
    "(forall i: Int :: b > 0 && 0 <= i && i < a \\ b ==> i < 9)", "|u setminus Set(x)| < |u|",
    "(forperm r: Ref [r.f] :: r.f != 7)", "s[0..1] == s", "old(x.g) == x.g", "k == Multiset(a)",
    "(forall i: Int, j: Int :: 0 <= i && i < j && j < |s| ==> s[i] != s[j])",
)  # fmt: skip

RESOURCES = (
    "acc(x.f)", "acc(x.f, 1/2)", "acc(y.f, 1/2)", "acc(x.f, p)", "acc(x.g)", "acc(y.f, wildcard)",
    "cell(y)", "acc(cell(y), 1/2)", "list(x)", "(c ==> acc(x.f))", "acc(x.q)", "acc(e[0].f, 1/4)",
    "(forall r: Ref :: r in u ==> acc(r.f, 1/2))", "(a > 0 ? acc(x.f) : acc(y.f, 1/2))",
    "(forall i: Int :: 0 <= i && i < |e| ==> acc(e[i].f))", "list(x.g)",
)  # fmt: skip

SIMPLE = (
    "v := {i}", "w := {i}", "x.f := {i}", "y.f := {i}", "x.g := y", "x.g := null", "x.q := s",
    "z := new(f, g)", "z := x.g", "z := y", "v := bump(x, {i})", "v := vague(x)", "keep(y)",
    "v, z := any({i})", "unfold cell(y)", "fold cell(y)", "unfold acc(cell(y), 1/2)",
    "unfold list(x)", "fold list(x)", "fold acc(cell(y), 1/2)", "assert {b}", "assert {b}",
    "assert {r}", "inhale {b}", "exhale {r}", "inhale {r}", "assert {i} <= {i}",
    "assert {i} == {i}", "label l{n}", "z.f := {i}", "assert z != x", "assert {r} && {b}",
    "var h{n}: Int; assert h{n} != {i}", "exhale {r} && {b}", "inhale {r} && {b}",
)  # fmt: skip


CHOOSING = ("inhale", "any(", "new(", "var h", "vague")
"""Statements after which the solver chooses values."""


class Writer:
    def __init__(self, seed: int, *, pure: bool = False) -> None:
        self._random = Random(seed)
        self._numbers = 0
        self._simple = tuple([s for s in SIMPLE if not pure or not any(c in s for c in CHOOSING)])

    def program(self) -> str:
        random = self._random
        before = [f"  requires {self._any(BEFORE)}" for _ in range(random.randint(1, 6))]
        before.sort(key=lambda clause: "acc" not in clause and "cell" not in clause)
        after = [f"  ensures {self._after()}" for _ in range(random.randint(0, 2))]
        lines = [f"method main({PARAMS}) returns (o: Int)", *before, *after, "{"]
        lines += ["var v: Int := 0; var w: Int := a; var z: Ref := x", "label l"]
        lines += [self.statement(2) for _ in range(random.randint(1, 5))]
        return MEMBERS + "\n".join([*lines, "}", ""])

    def _any(self, choices: tuple[str, ...]) -> str:
        return self._random.choice(choices)

    def _after(self) -> str:
        return self._any((self._any(RESOURCES), self.truth(), f"{self._any(RESOURCES)} && c"))

    def number(self) -> str:
        return self._any(INTS)

    def truth(self) -> str:
        kind = self._random.randrange(6)
        if kind == 0:
            return f"({self.truth()} {self._any(('&&', '||', '==>'))} {self.truth()})"
        if kind == 1:
            return f"!({self._any(TRUTHS)})"
        if kind <= 3:
            return f"{self.number()} {self._any(('<', '<=', '==', '!=', '>'))} {self.number()}"
        return self._any(TRUTHS)

    def statement(self, depth: int) -> str:
        kind = self._random.randrange(12) if depth else 11
        if kind <= 1:
            return f"if ({self.truth()}) {{\n{self._block(depth)}\n}} else {{\n{self._block(0)}\n}}"
        if kind == 2:
            return self._loop(depth)
        self._numbers += 1
        text = self._any(self._simple).replace("{n}", str(self._numbers))
        while "{" in text:
            for hole, fill in (("{i}", self.number), ("{b}", self.truth)):
                if hole in text:
                    text = text.replace(hole, fill(), 1)
            text = text.replace("{r}", self._any(RESOURCES), 1)
        return text

    def _block(self, depth: int) -> str:
        made = [
            self.statement(depth - 1 if depth else 0) for _ in range(self._random.randint(1, 2))
        ]
        return "\n".join(made)

    def _loop(self, depth: int) -> str:
        self._numbers += 1
        name = f"n{self._numbers}"
        bound = self._any(("a", "2", "|s|", "3"))
        held = [f"invariant {self._any(RESOURCES)}" for _ in range(self._random.randint(0, 2))]
        known = f"invariant 0 <= {name}" + self._any(("", f" && {name} <= {bound}"))
        leave = f"if ({self.truth()}) {{ goto out{name} }}\n" if self._random.random() < 0.3 else ""
        body = f"{leave}{self._block(depth - 1)}\n{name} := {name} + 1"
        head = f"while ({name} < {bound}) {known} {' '.join(held)} {{"
        return f"var {name}: Int := 0\n{head}\n{body}\n}}\nlabel out{name}"


def random_program(seed: int, *, pure: bool = False) -> str:
    """Some of them are rejected: `perm` in contracts, variables of the body in postconditions.

    With `pure`, nothing in the main method is chosen by others but its inputs.
    """
    return Writer(seed, pure=pure).program()
