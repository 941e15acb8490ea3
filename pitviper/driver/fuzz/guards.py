"""What the theme `guards` writes: assertions whose parts make sense only behind others.

Functions that require something stand behind conditions of every kind: aliases, amounts, values,
contents of instances, permissions that exclude each other. Such assertions are judged once, where
they are written, and used in other states: in contracts, instances, invariants and wands.
"""

from __future__ import annotations

from random import Random

REFS = ("x", "y")
INSTANCE = "box"
"""A predicate with an arbitrary assertion inside."""

MEMBERS = (
    "function root(i: Int): Int requires i > 0 ensures i > 0 && result == i { i }",
    "function apart(a: Ref, c: Ref): Bool requires a != c ensures a != c { true }",
    "function part(q: Perm): Bool requires q > none ensures q > none { true }",
    "predicate full(a: Ref) { acc(a.f) && a.f > 0 }",
)


class Guarded:
    """Writes an assertion over `x`, `y`, `n`, `b` and `p`, left to right; `read` may be read."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._read: list[str] = []
        self._full: list[str] = []

    def text(self, parts: int = 4) -> str:
        """Some conjuncts; what one of them holds is there for those behind it."""
        return " && ".join([self._conjunct() for _ in range(self._random.randint(1, parts))])

    def _any(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _conjunct(self) -> str:
        kind = self._random.randrange(8)
        if kind < 3:
            return self._held()
        if kind < 6:
            return self._applied()
        before = list(self._read), list(self._full)
        inside = self.text(2)
        self._read, self._full = before
        condition = self._condition()
        return f"({condition} ==> {inside})" if kind == 6 else f"({condition} ? {inside} : true)"

    def _held(self) -> str:
        ref = self._any(*REFS)
        amount = self._any("write", "write", "1/2", "1/4", "p", "wildcard", "(b ? 1/2 : none)")
        if self._random.random() < 0.25:
            self._full.append(ref)
            return f"acc(full({ref}), {self._any('write', '1/2', 'wildcard')})"
        if self._random.random() < 0.15:
            part = self._any("1/2", "write")
            return f"(forall r: Ref :: r == {ref} && {self._condition()} ==> acc(r.f, {part}))"
        self._read.append(f"{ref}.f")
        known = "p >= none && " if amount == "p" else ""
        return f"{known}acc({ref}.f, {amount})"

    def _condition(self) -> str:
        values = [f"{read} {self._any('> 0', '== 0')}" for read in self._read]
        facts = ("b", "!b", "x == y", "x != y", "n > 0", "n == 0", "p > none", "p == write")
        return self._any(*facts, *values)

    def _number(self) -> str:
        return self._any("n", "0", "1", "n - 1", *self._read, *self._read)

    def _applied(self) -> str:
        """A function, with or without what it requires."""
        number = self._number()
        needed, application = self._random.choice(
            (
                (f"{number} > 0", f"root({number}) > 0"),
                (f"{number} > 0", f"root({number}) > 0"),
                ("x != y", "apart(x, y)"),
                ("p > none", "part(p)"),
                (f"{number} != 0", f"10 \\ {number} != 11"),
            )
        )
        if self._full and self._random.random() < 0.3:
            ref = self._random.choice(self._full)
            return f"(unfolding acc(full({ref}), wildcard) in root({ref}.f) > 0)"
        return self._any(
            f"({needed} ==> {application})",
            f"{needed} && {application}",
            f"({self._condition()} ==> {application})",
            f"(asserting ({needed}) in {application})",
            f"[true, {application}]",
            f"[{application}, {self._any('true', needed)}]",
            f"[{needed}, {application}]",
            f"(let e == ({number}) in (e > 0 ==> root(e) > 0))",
            application,
        )


_PARAMETERS = "x: Ref, y: Ref, n: Int, p: Perm, b: Bool"


def guard_members(random: Random) -> list[str]:
    """Functions with preconditions, an instance and a method with arbitrary contracts."""
    return [
        *MEMBERS,
        f"predicate {INSTANCE}({_PARAMETERS})",
        f"{{ {Guarded(random).text()} }}",
        f"method need({_PARAMETERS})",
        f"  requires {Guarded(random).text()}",
        f"  ensures {Guarded(random).text(2)}",
    ]


def guard_statement(random: Random) -> list[str]:
    """A use of such an assertion, in a state that it was not judged in."""
    first, second = random.choice(REFS), random.choice(REFS)
    number, amount = random.choice(("n", "0", "1")), random.choice(("p", "1/2", "write"))
    given = f"{first}, {second}, {number}, {amount}, {random.choice(('b', 'true', 'false'))}"
    instance = f"acc({INSTANCE}({given}), {random.choice(('write', '1/2', 'wildcard'))})"
    wand = f"{Guarded(random).text(2)} --* {Guarded(random).text(2)}"
    return random.choice(
        (
            [f"need({given})"],
            [f"fold {instance}"],
            [f"fold {instance}", f"unfold {instance}"],
            [f"inhale {instance}", f"unfold {instance}"],
            [f"inhale {instance}", f"assert (unfolding {instance} in true)"],
            [f"inhale {wand}", f"apply {wand}"],
            [f"package {wand}"],
            [f"package {wand}", f"apply {wand}"],
            [f"inhale {Guarded(random).text(3)}"],
            [f"exhale {Guarded(random).text(3)}"],
        )
    )


def guard_clause(random: Random) -> str:
    """For a contract or an invariant."""
    return Guarded(random).text(3)
