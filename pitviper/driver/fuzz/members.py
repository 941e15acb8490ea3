"""Predicates, functions and a method to call, with their contracts."""

from __future__ import annotations

from pitviper.driver.fuzz import further
from pitviper.driver.fuzz.facts import Facts
from pitviper.driver.fuzz.notes import HALVES, PredicateShape, Resource


class Members(Facts):
    """Writes what stands beside the method that is judged."""

    def _predicate(self) -> list[str]:
        name = f"p{len(self._predicates)}"
        arity = 2 if self._chance(0.3) else 1
        amount = self._any("write", "write", "write", *HALVES) if self._has("amounts") else "write"
        parts = [Resource("{x}.f", amount)]
        facts: list[str] = []
        if self._chance(0.4):
            parts.append(Resource("{x}.g", self._any("write", "1/2")))
            facts += [self._any("{x}.g != {x}", "({x}.g != null ==> acc({x}.g.f, 1/2))", "true")]
            if self._has("nesting"):
                facts.append(f"({{x}}.g != null ==> {self._inner(name, arity)})")
        if arity == 2:
            other = self._any("{y}.f", "{y}.g")
            parts.append(Resource(other, self._any("write", "1/2")))
            facts.append(self._any("({x} == {y} ==> {x}.f > 0)", "{x} != {y}", "{x}.f >= 0"))
        if self._chance(0.3):
            facts.append(self._any("{x}.f > 0", "{x}.f != 7", "({x} == null ==> false)"))
        body = " && ".join([*map(self._held_in_pair, parts), *map(self._paired, facts)])
        if self._has("nesting") and self._predicates and self._chance(0.3):
            inner = self._random.choice(self._predicates)
            body += f" && {self._instance(inner, '{x}', '{x}')}"
        params = "a: Ref, c: Ref" if arity == 2 else "a: Ref"
        self._predicates.append(PredicateShape(name, arity, tuple(parts)))
        return [f"predicate {name}({params})", f"{{ {body.format(x='a', y='c')} }}"]

    def _inner(self, name: str, arity: int) -> str:
        amount = self._any("write", "write", "1/2", "wildcard")
        args = "{x}.g, {y}" if arity == 2 else "{x}.g"
        return f"acc({name}({args}), {amount})"

    def _layers(self) -> list[str]:
        """Functions that speak of each other in contracts, and a predicate with a part in it."""
        amount = self._any("wildcard", "1/2", "1/4")
        self._functions += ["second({x}, n)", "first({x})"]
        self._sized = True
        divided = r"10 \ first(a)"
        return [
            f"{self._any('', '@opaque() ')}function first(a: Ref): Int",
            f"  requires acc(a.f, {amount})",
            f"  ensures {self._paired(self._any('true', 'result >= a.f', 'result > 0'))}",
            f"{{ {self._any('a.f', 'a.f + 1', 'a.f * a.f', 'a.f > 0 ? a.f : 1')} }}",
            "function second(a: Ref, i: Int): Int",
            f"  requires acc(a.f, {amount}) && {self._paired('first(a) > ' + self._any('0', 'i'))}",
            f"  ensures {self._paired(self._any('true', 'result > i', 'result == first(a)'))}",
            f"{{ {self._any('first(a)', 'first(a) + a.f', divided, 'i + 1')} }}",
            "predicate sized(a: Ref, i: Int, q: Perm)",
            f"{{ q >= none && {self._any('i >= 0', 'true')} && acc(a.f, q) && "
            f"{self._any('true', '(q > none ==> a.f > i)')} }}",
        ]

    def _list_members(self) -> list[str]:
        self._list = f"p{len(self._predicates)}"
        parts = (Resource("{x}.f", "write"), Resource("{x}.g", "write"))
        self._predicates.append(PredicateShape(self._list, 1, parts))
        self._functions.append("down({x})")
        return further.list_members(self._random, self._list)

    def _function(self) -> list[str]:
        name = f"h{len(self._functions)}"
        kind = self._random.randrange(4)
        if kind == 0:
            low = self._any("0", "1")
            self._functions.append(f"{name}(n)" if self._chance(0.5) else f"{name}(2)")
            return [
                f"function {name}(i: Int): Int",
                "  decreases i",
                self._any("  requires i >= 0", "  requires i <= 3 && i >= 0"),
                f"  ensures {self._paired(self._any('result >= i', 'result > i', 'true'))}",
                f"{{ i <= {low} ? {self._any('0', 'i', '1')} : i + {name}(i - 1) }}",
            ]
        if kind == 1 and self._predicates:
            shape = self._predicates[0]
            held = (
                f"acc({self._instance(shape, 'a', 'a')}, {self._any('wildcard', '1/2', 'write')})"
            )
            self._functions.append(f"{name}({{x}})")
            looked = self._any("true", "true", "a.f > 0", "a.f >= 0")
            inside = "true" if looked == "true" else f"(unfolding {held} in {looked})"
            return [
                f"function {name}(a: Ref): Int",
                f"  requires {held} && {self._paired(inside)}",
                f"  ensures {self._paired(self._any('result > 0', 'true', 'true'))}",
                f"{{ unfolding {held} in a.f }}",
            ]
        amount = self._any("wildcard", "1/2", "write", "1/4")
        self._functions.append(f"{name}({{x}})")
        needed = self._paired(self._any("a.f >= 0", "true", "a != null"))
        owed = self._paired(self._any("result == a.f", "true", "result >= 0", "result > a.f"))
        return [
            f"function {name}(a: Ref): Int",
            f"  requires acc(a.f, {amount}) && {needed}",
            f"  ensures {owed}",
            f"{{ {self._any('a.f', 'a.f + 1', '(a.f > 0 ? a.f : -a.f)', '2 * a.f')} }}",
        ]

    def _callee(self) -> list[str]:
        amount = self._any("write", "write", "1/2")
        after = self._any("write", amount, amount, "1/4") if amount == "write" else amount
        value = self._any("a.f == old(a.f)", "a.f == old(a.f) + i", "r == a.f", "a.f >= i", "true")
        self._callees = amount, after
        needed = ["true", "i >= 0", "a.f > 0"]
        if self._has("looking"):
            needed += ["perm(a.f) >= 1/2", "(forperm r: Ref [r.f] :: r.f >= i)"]
        needs = self._paired(self._any(*needed))
        body = self._any("{ r := a.f }", "{ a.f := a.f + i }", "{ r := i  a.f := i }", "")
        lines = [
            "method call(a: Ref, i: Int) returns (r: Int)",
            f"  requires {self._held_in_pair(Resource('a.f', amount))} && {needs}",
            f"  ensures {self._held_in_pair(Resource('a.f', after))} && {self._paired(value)}",
        ]
        return [*lines, body] if body else lines
