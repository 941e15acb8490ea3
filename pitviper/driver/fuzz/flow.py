"""Branches, loops and jumps: statements with others inside."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.driver.fuzz import further, guards
from pitviper.driver.fuzz.notes import REFS, Resource
from pitviper.driver.fuzz.statements import Statements


class Flow(Statements):
    """Writes any statement; after the arms of a branch, what both leave is held."""

    def _statement(self, depth: int) -> list[str]:
        rules: list[Callable[[], list[str]]] = [
            self._assign, self._store, self._check, self._check, self._take, self._give,
            self._allocate,
        ]  # fmt: skip
        if self._predicates:
            rules += [self._fold, self._unfold, self._fold]
        if self._callees is not None:
            rules.append(self._call)
        if self._has("quantified"):
            rules += [self._take_many, self._havoc]
        if self._has("wands"):
            rules += [self._package, self._package, self._apply]
        if self._has("looking"):
            rules += [self._moment, self._doubt, self._havoc]
        if self._sized:
            rules += [self._fold_sized, self._fold_sized]
        if self._has("crowds"):
            rules += [lambda: further.crowd_statement(self._random)] * 3
        if self._has("guards"):
            rules += [lambda: guards.guard_statement(self._random)] * 4
        if depth:
            rules.append(lambda: self._branch(depth - 1))
            if self._has("loops"):
                rules += [lambda: self._loop(depth - 1)] * 2
            if self._has("jumps"):
                rules += [self._jump, self._jump, self._back]
        return self._random.choice(rules)()

    def _branch(self, depth: int) -> list[str]:
        condition = self._truth()
        before, ints = dict(self._held), list(self._ints)
        then = self._block(depth)
        after, self._held, self._ints = self._held, dict(before), list(ints)
        otherwise = self._block(depth)
        self._ints = ints
        self._held = {at: a for at, a in self._held.items() if after.get(at) == a}
        self._held = {at: a for at, a in self._held.items() if at[0] != "w"}
        return [f"if ({condition}) {{", *then, "} else {", *otherwise, "}"]

    def _block(self, depth: int) -> list[str]:
        lines: list[str] = []
        wands, moments = list(self._wands), list(self._moments)
        for _ in range(self._random.randint(1, 3)):
            lines += self._statement(depth)
        self._wands, self._moments = wands, moments
        return lines

    def _loop(self, depth: int) -> list[str]:
        count, bound = self._fresh("i"), self._any("2", "n", "m", "3")
        held = dict(self._held)
        kept = [at for at in held if at[0] in (*REFS, "p") and self._chance(0.7)]
        clauses = [f"0 <= {count}"] + [Resource(at, held[at]).text for at in kept]
        if self._chance(0.5):
            clauses.append(
                f"{count} <= {bound}"
                if bound.isdigit()
                else f"({bound} >= 0 ==> {count} <= {bound})"
            )
        if self._chance(0.6 if self._has("looking") else 0.3):
            clauses.append(self._truth())
        if self._has("guards"):
            clauses.append(guards.guard_clause(self._random))
        self._ints.append(count)
        ints, wands = list(self._ints), list(self._wands)
        self._held = {at: held[at] for at in kept}
        body = self._block(depth)
        self._held, self._ints, self._wands = held, ints, wands
        return [
            f"var {count}: Int := 0",
            f"while ({count} < {bound})",
            *[f"  invariant {self._paired(clause)}" for clause in clauses],
            "{",
            *body,
            f"{count} := {count} + 1",
            "}",
        ]

    def _jump(self) -> list[str]:
        if not self._labels or self._chance(0.3):
            self._labels.append(self._fresh("l"))
        label = self._random.choice(self._labels)
        if self._chance(0.5):
            return [f"if ({self._truth()}) {{", *self._check(), f"goto {label}", "}"]
        return [f"if ({self._truth()}) {{", f"goto {label}", "} else {", *self._statement(0), "}"]

    def _back(self) -> list[str]:
        """A loop by `goto`, with its invariant at the label."""
        count, label = self._fresh("i"), self._fresh("h")
        kept = [at for at in self._held if at[0] in REFS and self._chance(0.7)]
        clauses = [f"0 <= {count}", *[Resource(at, self._held[at]).text for at in kept]]
        self._ints.append(count)
        held = dict(self._held)
        body = self._statement(0)
        self._held = held
        return [
            f"var {count}: Int := 0",
            f"label {label}",
            *[f"  invariant {clause}" for clause in clauses],
            *[line for line in body if not line.startswith("var ")],
            f"{count} := {count} + 1",
            f"if ({count} < 2) {{",
            f"goto {label}",
            "}",
        ]
