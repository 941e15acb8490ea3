"""Numbers, truths and resources: expressions by their type, about what is held."""

from __future__ import annotations

from collections.abc import Callable

from pitviper.driver.fuzz import further
from pitviper.driver.fuzz.notes import HALVES, REFS, Notes, Resource


class Facts(Notes):
    """Writes what clauses and statements say."""

    def _paired(self, clause: str) -> str:
        """The clause, now and then as one or both sides of a pair.

        NOTE(pairs). Where one side is assumed of what another execution established (calls, loops,
        instances, wands), a pair may promise more than is owed: who gets it, gets it. All judges
        have to mean the same by that.
        """
        looks = "perm" in clause and self._chance(0.9)  # contracts look at amounts in pairs only
        if not looks and not (self._has("pairs") and self._chance(0.25)):
            return clause
        return self._any(
            f"[true, {clause}]", f"[true, {clause}]", f"[{clause}, true]", f"[{clause}, {clause}]"
        )

    def _held_in_pair(self, held: Resource) -> str:
        """What is held, now and then another amount of it for who gets it than for who gives it."""
        if not self._has("pairs") or self._chance(0.7):
            return held.text
        other = Resource(held.place, self._any("write", *HALVES))
        return self._any(
            f"[{held.text}, {other.text}]", f"[{other.text}, {held.text}]", f"[true, {held.text}]"
        )

    def _either(self, clause: str) -> str:
        """The clause, now and then as a side of any pair: for states that nobody else made."""
        looks = "perm" in clause and self._chance(0.9)
        if self._has("choices") and self._chance(0.5):
            clause = further.chosen(self._random, clause, self._resource().text)
        if not looks and not (self._has("pairs") and self._chance(0.3)):
            return clause
        other = self._any("true", self._truth(0), self._resource().text)
        return self._any(f"[{clause}, {other}]", f"[{other}, {clause}]", f"[{clause}, {clause}]")

    def _resource(self) -> Resource:
        ref = self._any(*REFS)
        places = [f"{ref}.f", f"{ref}.f", f"{ref}.g"]
        for shape in self._predicates:
            places += [self._instance(shape, ref, self._any(*REFS))] * 2
        if self._sized:
            places += [f"sized({ref}, {self._any('n', '0')}, {self._any('p', '1/2', 'write')})"] * 2
        return Resource(self._random.choice(places), self._amount())

    def _many(self, name: str) -> str:
        amount = self._any("write", "1/2", "wildcard" if self._has("amounts") else "1/4")
        if self._has("amounts") and self._chance(0.4):  # others for each, none for some
            other = self._any("1/2", "write", "p")
            amount = self._any("p", f"(r == {self._any(*REFS)} ? none : {other})")
        place = "r.f"
        if self._predicates and self._predicates[0].arity == 1 and self._chance(0.3):
            place = f"{self._predicates[0].name}(r)"
        guard = self._any("", "", " && r != x", " && b", " && r != null")
        return f"(forall r: Ref :: r in {name}{guard} ==> acc({place}, {amount}))"

    def _number(self, depth: int = 1) -> str:
        atoms = [*self._ints, "0", "1", "2", "o"]
        reads = [place for place in self._held if place.endswith(".f")]
        atoms += reads * 2
        atoms += [f"old({read})" for read in reads[:1] if read[0] in REFS]
        moment = self._random.choice(self._moments)
        atoms += [f"old[{moment}]({read})" for read in reads[:1] if read[0] in REFS]
        if self._has("looking"):
            atoms += [f"old[{moment}]({read})" for read in reads if read[0] in REFS]
            atoms.append(r"(n \ m)")
        for function in self._functions:
            ref = self._random.choice(reads)[0] if reads else "x"
            atoms.append(function.format(x=ref if ref in REFS else "x"))
        if self._predicates and self._chance(0.2):
            shape = self._predicates[0]
            ref = self._any(*REFS)
            part = self._any("write", "1/2", "wildcard")
            atoms.append(f"(unfolding acc({self._instance(shape, ref, ref)}, {part}) in {ref}.f)")
        if self._has("data"):
            atoms += ["|s|", "s[0]", "|t|", "d.mark", "k[n]", "|s ++ Seq(n)|", "|t union Set(n)|"]
        if self._has("choices") and depth and self._chance(0.2):
            claim = self._any(self._truth(0), self._resource().text)
            return further.asserting(self._random, claim, self._number(0))
        if depth and self._chance(0.4):
            op = self._any("+", "-", "*", "+", "\\", "%")
            right = self._any("2", "3") if op in "\\%" else self._number(depth - 1)
            return f"({self._number(depth - 1)} {op} {right})"
        return self._random.choice(atoms)

    def _truth(self, depth: int = 1) -> str:
        if depth and self._chance(0.25):
            left, right = self._truth(depth - 1), self._truth(depth - 1)
            return f"({left} {self._any('&&', '||', '==>')} {right})"
        choices: list[Callable[[], str]] = [
            lambda: f"{self._number()} {self._any('<', '<=', '==', '!=', '>')} {self._number()}",
            lambda: self._any("b", "!b", "x == y", "x != null", "y == z", "x != z"),
            self._about_amount,
        ]
        if self._has("quantified"):
            choices += [self._quantified, self._quantified]
        if self._has("data"):
            choices.append(self._about_data)
        if self._predicates:
            choices.append(self._unfolded)
        if self._has("looking"):
            choices += [self._looking, self._looking]
        if self._has("layers"):
            choices.append(self._deep)
        if self._list:
            choices += [lambda: further.list_truth(self._random, self._list, self._any(*REFS))] * 2
        if self._has("crowds"):
            choices += [lambda: further.crowd_truth(self._random)] * 2
        return self._random.choice(choices)()

    def _looking(self) -> str:
        """About all that is held, here or at a moment of the past."""
        place = self._some_held() or "x.f"
        moment = self._random.choice(self._moments)
        bound = f"{self._any('>=', '==', '<')} {self._any('none', '1/2', 'write')}"
        choices = [
            f"(forperm r: Ref [r.f] :: r.f {self._any('>=', '!=', '>')} {self._any('0', 'n')})",
            f"(forperm r: Ref [r.f] :: r == {self._any(*REFS)})",
            f"(forperm r: Ref [r.g] :: {self._any('r.g != r', 'r != x', 'r.g == null')})",
            f"old[{moment}](perm({place}) {bound})",
            f"(let e == (perm({place})) in e {bound})",
            f"old[{moment}](forperm r: Ref [r.f] :: r.f != n)",
        ]
        for shape in self._predicates[:1]:
            names = "r, r" if shape.arity == 2 else "r"
            if shape.arity == 1:
                choices.append(f"(forperm r: Ref [{shape.name}({names})] :: r != x)")
        return self._random.choice(choices)

    def _deep(self) -> str:
        """Unfolding and quantifiers inside of each other."""
        ref = self._any(*REFS)
        bound = f"{self._any('>=', '<', '==')} {self._any('n', '0')}"
        size = f"{self._any('n', '0')}, {self._any('p', '1/2', 'write')}"
        inside = f"acc(sized({ref}, {size}), {self._any('write', '1/2', 'wildcard')})"
        named = f"{self._any('first', 'second')}"
        applied = f"first({ref})" if named == "first" else f"second({ref}, n)"
        return self._any(
            f"(unfolding {inside} in {applied} {bound})",
            f"(unfolding {inside} in (forall i: Int :: i > 0 ==> i + {ref}.f {bound}))",
            f"(forall i: Int :: i >= n ==> (unfolding {inside} in {ref}.f <= i))",
            f"(forall r: Ref :: r == {ref} ==> (unfolding sized(r, {size}) in r.f {bound}))",
            f"(exists i: Int :: i {bound} && {applied} > i)",
            f"(forall i: Int :: (exists j: Int :: j > i && j {bound}))",
            f"({applied} {bound})",
        )

    def _about_amount(self) -> str:
        place = self._some_held() or "x.f"
        amount = self._any("none", "1/2", "write", "p")
        return f"perm({place}) {self._any('>=', '==', '<=', '>')} {amount}"

    def _unfolded(self) -> str:
        shape = self._random.choice(self._predicates)
        ref = self._any(*REFS)
        part = self._any("write", "1/2", "wildcard")
        held = f"acc({self._instance(shape, ref, self._any(*REFS))}, {part})"
        return f"(unfolding {held} in {self._any(f'{ref}.f > 0', f'{ref}.f == n', 'x != y')})"

    def _quantified(self) -> str:
        name = self._any("u", "v", "(u union v)", "(u intersection v)")
        compared = f"{self._any('>=', '==', '!=')} {self._any('0', 'n')}"
        return self._any(
            f"(forall r: Ref :: r in {name} ==> r.f {compared})",
            f"(forall r: Ref :: r in {name} ==> r != {self._any(*REFS)})",
            f"(forperm r: Ref [r.f] :: r.f {self._any('>=', '!=')} n)",
            f"(forall r: Ref :: r in {name} ==> perm(r.f) >= {self._any('1/2', 'none')})",
            f"{self._any(*REFS)} in {name}",
            f"(exists r: Ref :: r in {name} && r != x)",
        )

    def _about_data(self) -> str:
        return self._any(
            "n in s", "n in t", "n in k", "d.isLeaf", "d == Leaf()", "s == Seq(n)",
            "s[0..1] == s", "t subset Set(n, m)", "d == Node(Leaf(), n)", "(n in s) == (m in s)",
            "(forall i: Int :: 0 <= i && i < |s| ==> s[i] >= n)", "|t| > 0",
            "(exists i: Int :: i in t && i > n)", "Seq(n, m)[1] == m", "|Set(n, m)| == 2",
            "(Multiset(n, m) union Multiset(n)) == Multiset(n, n, m)", "k[n := m][n] == m",
            "domain(k) == Set(n)", "(s ++ Seq(n))[|s|] == n", "Node(d, n).left == d",
            "m in range(k)", "range(Map(n := m)) == Set(m)", "n in [0..m)", "s[0 := n][0] == n",
            "(n in Multiset(n, m)) == 1", "|[n..m)| == m - n",
        )  # fmt: skip
