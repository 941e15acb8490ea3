"""Hypothesis strategies for small programs with quantified permissions, and inputs for them.

The programs are accepted by the front end, but many of them are wrong. They treat objects of two
sets and a sequence, which may overlap in any way.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pitviper.engines.concrete.options import Inputs, Tape
from pitviper.engines.shared.values import Ref, Value
from tests.property.strategies_programs import MAIN, Case

MEMBERS = """\
field f: Int
predicate cell(r: Ref) { acc(r.f) }
predicate cells(u: Set[Ref]) { forall r: Ref :: r in u ==> acc(r.f) }
function value(u: Set[Ref], r: Ref): Int
  requires r in u && (forall k: Ref :: k in u ==> acc(k.f, 1/4))
{ r.f }
function content(r: Ref): Int requires cell(r) { unfolding cell(r) in r.f }
"""
PARAMS = "s: Set[Ref], t: Set[Ref], q: Seq[Ref], x: Ref, y: Ref, n: Int"
SETS = (
    "s", "s", "t", "t", "(s union t)", "(s intersection t)", "(s setminus t)", "Set(x)",
    "Set(x, y)", "(s union Set(x))", "(s setminus Set(y))",
)  # fmt: skip
REFS = ("x", "x", "y", "y", "q[0]", "q[1]")
AMOUNTS = ("1/4", "1/2", "3/4", "write", "(n > 0 ? 1/2 : 1/4)", "(n > 0 ? write : none)")
CONDITIONS = ("", "", " && r != x", " && r != y", " && !(r in t)", " && r in s", " && n > 0")
INDICES = ("0 <= i && i < |q| ==> acc(q[i].f, {})", "1 <= i && i < 2 ==> acc(q[i].f, {})",
           "0 <= i && i < |q| - 1 ==> acc(q[i + 1].f, {})",
           "0 <= i && i < |q| ==> acc(q[|q| - 1 - i].f, {})")  # fmt: skip


class Writer:
    """Writes statements at random."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def program(self) -> str:
        different = "forall i: Int, j: Int :: 0 <= i && i < j && j < |q| ==> q[i] != q[j]"
        known = ("x in s", "y in s", "x != y", "q[0] in s", "!(x in t)")
        before = ["|q| >= 2", different]
        before += [self._any(self.many, self.many, self.one) for _ in range(self._upto(3))]
        before += [fact for fact in known if self._random.random() < 0.4]
        body = [self.statement() for _ in range(self._upto(5))]
        lines = [f"method {MAIN}({PARAMS})", *[f"  requires {clause}" for clause in before], "{"]
        return "\n".join([MEMBERS, *lines, *body, f"assert {self.fact()}", "}", ""])

    def many(self) -> str:
        amount = self._one_of(*AMOUNTS, "wildcard")
        if self._random.random() < 0.3:
            return f"(forall i: Int :: {self._one_of(*INDICES).format(amount)})"
        where = f"r in {self._one_of(*SETS)}{self._one_of(*CONDITIONS)}"
        return (
            f"(forall r: Ref :: {where} ==> acc({self._one_of('r.f', 'r.f', 'cell(r)')}, {amount}))"
        )

    def one(self) -> str:
        location = self._one_of("{}.f", "{}.f", "cell({})").format(self._one_of(*REFS))
        return f"acc({location}, {self._one_of(*AMOUNTS)})"

    def fact(self) -> str:
        ref, amount = self._one_of(*REFS), self._one_of("none", "1/2", "3/4", "write")
        where = f"r in {self._one_of(*SETS)}{self._one_of(*CONDITIONS)}"
        number, compare = self._one_of("n", "0", "1", "x.f"), self._one_of("==", ">=", "!=")
        return self._one_of(
            f"{self._one_of('x', 'y')} in {self._one_of(*SETS)}",
            f"perm({ref}.f) {compare} {amount}",
            f"perm(cell({ref})) {compare} {amount}",
            f"{ref}.f {compare} {number}",
            f"(forall r: Ref :: {where} ==> r.f {compare} {number})",
            f"(forall r: Ref :: {where} ==> perm(r.f) {compare} {amount})",
            f"value({self._one_of(*SETS)}, {ref}) == {self._one_of('n', 'value(s, y)', 'x.f')}",
            f"content({ref}) == {self._one_of('n', 'content(y)')}",
            f"(forperm r: Ref [r.f] :: r.f {compare} {number})",
            f"(unfolding cells({self._one_of('s', 't')}) in x.f {compare} {number})",
            f"old({ref}.f) == {ref}.f",
        )

    def statement(self) -> str:
        return self._any(
            lambda: f"inhale {self._any(self.many, self.one, self.fact)}",
            lambda: f"exhale {self._any(self.many, self.one)}",
            lambda: f"exhale {self.many()} && {self.one()}",
            lambda: f"{self._one_of(*REFS)}.f := {self._one_of('n', '0', 'y.f')}",
            lambda: f"{self._one_of('fold', 'unfold')} acc(cells({self._one_of('s', 't')}), 1/2)",
            lambda: f"{self._one_of('fold', 'unfold')} cell({self._one_of('x', 'y')})",
            lambda: f"quasihavoc {self._one_of(*REFS)}.f",
            lambda: f"quasihavocall r: Ref :: r in {self._one_of(*SETS)} ==> r.f",
            lambda: f"if (n > 0) {{ {self.statement()} }} else {{ {self.statement()} }}",
            lambda: f"assert {self.fact()}",
        )

    def _one_of(self, *texts: str) -> str:
        return self._random.choice(texts)

    def _any(self, *rules: Callable[[], str]) -> str:
        return self._random.choice(rules)()

    def _upto(self, most: int) -> int:
        return self._random.randint(1, most)


@st.composite
def quantified_inputs(draw: DrawFn) -> Inputs:
    objects = [Ref(number) for number in range(1, 5)]
    one, some = st.sampled_from(objects), st.frozensets(st.sampled_from(objects))
    arguments: dict[str, Value] = {
        "s": draw(some),
        "t": draw(some),
        "q": tuple(draw(st.permutations(objects)))[: draw(st.integers(2, 4))],
        "x": draw(one),
        "y": draw(one),
        "n": draw(st.integers(-1, 2)),
    }
    return Inputs(arguments, {(at, "f"): draw(st.integers(0, 2)) for at in objects})


def quantified_cases() -> SearchStrategy[Case]:
    texts = st.randoms(use_true_random=False).map(lambda random: Writer(random).program())
    return st.builds(Case, texts, quantified_inputs(), st.builds(Tape, then=st.integers(0, 3)))
