"""What the themes `lists`, `crowds` and `choices` write: texts, given what was decided so far.

Lists are instances that contain instances without an end, with functions that go down in them.
Crowds are locations by the places of a sequence, in contracts, functions, instances and wands.
Choices put assertions into conditions and names, and expressions behind claims.
"""

from __future__ import annotations

import re
from random import Random

from pitviper.base.record import record

LEFT = "old[lhs]"
"""The state of the left-hand side of a wand."""


@record
class Crowd:
    """Some places of the sequence `q`: text of the condition on `i`."""

    where: str

    def holds(self, place: str, amount: str) -> str:
        return f"(forall i: Int :: {self.where} ==> acc({place}, {amount}))"

    def says(self, claim: str) -> str:
        return f"(forall i: Int :: {self.where} ==> {claim})"


ALL = Crowd("0 <= i && i < |q|")
SOME = (
    ALL,
    ALL,
    Crowd("1 <= i && i < |q|"),
    Crowd("0 <= i && i < |q| && i != n"),
    Crowd("0 <= i && i < |q| && b"),
    Crowd("i in [0..|q|)"),
)
DIFFERENT = "(forall i: Int, j: Int :: 0 <= i && i < j && j < |q| ==> q[i] != q[j])"
"""All places of the sequence are different references."""


def list_members(random: Random, name: str) -> list[str]:
    """A predicate that contains itself, and a function that goes down in it."""
    amount = random.choice(("write", "wildcard", "1/2"))
    held = f"acc({name}(a), {amount})"
    step = random.choice(("1 + down(a.g)", "a.f + down(a.g)", "(down(a.g) > 0 ? down(a.g) : 1)"))
    fact = random.choice(("true", "a.f > 0", "a.g != a"))
    promise = random.choice(("true", "result > 0", "result >= 0", "result != 7"))
    return [
        f"predicate {name}(a: Ref)",
        f"{{ acc(a.f) && acc(a.g) && {fact} && (a.g != null ==> {name}(a.g)) }}",
        "function down(a: Ref): Int",
        f"  requires {held}",
        f"  ensures {promise}",
        f"{{ unfolding {held} in (a.g == null ? {random.choice(('1', 'a.f', '0'))} : {step}) }}",
    ]


def list_truth(random: Random, name: str, ref: str) -> str:
    """About what a list contains, one and two steps down."""
    part = random.choice(("write", "1/2", "wildcard"))
    outer = f"unfolding acc({name}({ref}), {part}) in"
    inner = f"unfolding acc({name}({ref}.g), {part}) in"
    goal = random.choice((f"{ref}.g.f > 0", f"{ref}.g != {ref}", f"{ref}.g.g != {ref}", "x != y"))
    return random.choice(
        (
            f"({outer} {ref}.g == {random.choice(('y', 'null', ref))})",
            f"({outer} {ref}.g != null ==> down({ref}) == 1 + down({ref}.g))",
            f"({outer} {ref}.g != null ==> ({inner} {goal}))",
            f"down({ref}) {random.choice(('>', '==', '!='))} {random.choice(('0', '1', 'n'))}",
        )
    )


def list_wand(random: Random, name: str, ref: str, other: str) -> tuple[str, str]:
    """A wand that gives back a list for a part of it, and the script that packages it."""
    script = f" {{ fold {name}({ref}) }}"
    owed = random.choice((f"{name}({other})", f"{name}({other}) && {other} == {ref}.g"))
    if "&&" in owed:
        owed = f"{name}({other}) && acc({ref}.g, 1/2) && {ref}.g == {other}"
    return f"{owed} --* {name}({ref})", script


def crowd_members(random: Random) -> list[str]:
    """A function, a predicate and a method about all references of a sequence."""
    amount = random.choice(("write", "1/2", "wildcard"))
    held = ALL.holds("q[i].f", amount)
    value = random.choice(("(|q| == 0 ? 0 : q[0].f)", "|q|", "(|q| > 1 ? q[0].f + q[1].f : 1)"))
    promise = random.choice(("true", "result >= 0", "|q| == 0 ==> result == 0"))
    kept = random.choice(
        ("true", ALL.says("q[i].f == old(q[i].f)"), ALL.says("q[i].f >= n"), "|q| > 0")
    )
    some = random.choice(SOME[:3])
    return [
        "function total(q: Seq[Ref]): Int",
        f"  requires {held}",
        f"  ensures {promise}",
        f"{{ {value} }}",
        "predicate crowd(q: Seq[Ref])",
        f"{{ {ALL.holds('q[i].f', random.choice(('write', '1/2')))} }}",
        "method each(q: Seq[Ref], n: Int)",
        f"  requires {ALL.holds('q[i].f', 'write')} && {DIFFERENT}",
        f"  ensures {some.holds('q[i].f', random.choice(('write', '1/2')))}",
        f"  ensures {kept if some is ALL else 'true'}",
    ]


def crowd_clauses(random: Random) -> list[str]:
    """What a method may ask of the sequence, and of what it holds."""
    amount = random.choice(("write", "write", "1/2", "wildcard"))
    return [
        random.choice(("|q| == 2", "|q| >= 1", "|q| <= 2", "q == Seq(x, y)", "x in q")),
        random.choice((DIFFERENT, DIFFERENT, "true")),
        random.choice((random.choice(SOME).holds("q[i].f", amount), "crowd(q)")),
    ]


def crowd_truth(random: Random) -> str:
    compared = random.choice((">= 0", "== n", "!= m", "> x.f"))
    return random.choice(
        (
            random.choice(SOME).says(f"q[i].f {compared}"),
            f"|q| > 1 ==> q[1].f {compared}",
            f"total(q) {compared.replace('x.f', '0')}",
            "(forall r: Ref :: r in q ==> r.f >= n)",
            f"|q| > 0 && perm(q[0].f) {random.choice(('> none', '== write', '>= 1/2'))}",
            "old(total(q)) == total(q)",
            f"(unfolding acc(crowd(q), {random.choice(('write', '1/2'))}) in total(q) >= n)",
            "(forall i: Int :: 0 <= i && i < |q| ==> perm(q[i].f) == write)",
            "(let e == (q[0 := y]) in |e| == |q|)",
        )
    )


def crowd_statement(random: Random) -> list[str]:
    amount = random.choice(("write", "1/2", "wildcard", "1/4"))
    part = random.choice(SOME).holds("q[i].f", amount)
    place = random.choice(("q[0].f", "q[|q| - 1].f", "q[n].f"))
    return random.choice(
        (
            [f"exhale {part}"],
            [f"inhale {part}"],
            [f"exhale {part}", f"inhale {part}"],
            [f"assert {part}"],
            [f"{place} := {random.choice(('n', '0', 'm + 1'))}"],
            ["fold crowd(q)", f"assert {crowd_truth(random)}"],
            ["unfold crowd(q)"],
            ["each(q, n)"],
            [f"package {part} --* {ALL.holds('q[i].f', amount)}"],
            [f"package acc({random.choice('xy')}.f) --* {part}"],
        )
    )


def chosen(random: Random, clause: str, other: str) -> str:
    """The clause in one branch of a condition, behind a name, or as it is."""
    kind = random.randrange(4)
    if kind == 0:
        return f"({random.choice(('b', 'n > 0', 'x == y'))} ? {clause} : {other})"
    if kind == 1:
        found = re.search(r"\b([xyz])\b", clause)
        if found is not None and "--*" not in clause:
            inside = re.sub(rf"\b{found[1]}\b", "e", clause)
            return f"(let e == ({found[1]}) in {inside})"
    return clause


def asserting(random: Random, claim: str, body: str) -> str:
    """An expression that makes sense only where a claim holds."""
    guarded = random.choice(("", "", "b ==> ", "n > 0 ==> "))
    return f"(asserting ({guarded}{claim}) in {body})"


def in_a_wand(random: Random, fact: str, applied: str, place: str) -> str:
    """A fact of a side of a wand, now and then about a function: of the moment when the wand is
    made, or of the side, behind a condition or in a pair."""
    return random.choice(
        (
            fact,
            f"({place} > 5 ==> old({applied}) > 0)",
            f"({place} == 0 ==> {applied} > 0)",
            f"[true, {applied} > 0]",
            f"[{applied} > 0, true]",
        )
    )
