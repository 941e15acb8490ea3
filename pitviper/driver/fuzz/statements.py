"""Statements without other statements inside, but for the scripts of packages."""

from __future__ import annotations

from pitviper.driver.fuzz import further
from pitviper.driver.fuzz.facts import Facts
from pitviper.driver.fuzz.notes import REFS, Resource


class Statements(Facts):
    """Writes single statements, and notes what they change of what is held."""

    def _assign(self) -> list[str]:
        if self._chance(0.4):
            name = self._fresh("i")
            line = f"var {name}: Int := {self._number()}"
            self._ints.append(name)
            return [line]
        own = [name for name in self._ints if name not in ("n", "m")]
        return [f"{self._random.choice(['o', *own])} := {self._number()}"]

    def _store(self) -> list[str]:
        place = self._some_held(ending=".f", whole=True)
        if place is None:
            return []
        other = self._some_held(ending=".g", whole=True)
        if other is not None and self._chance(0.1):
            return [f"{other} := {self._any(*REFS, 'null')}"]
        return [f"{place} := {self._number()}"]

    def _check(self) -> list[str]:
        if self._chance(0.3):
            place = self._some_held()
            if place is not None:
                return [f"assert {Resource(place, self._held.get(place, 'write')).text}"]
        return [f"assert {self._either(self._truth())}"]

    def _moment(self) -> list[str]:
        name = self._fresh("k")
        self._moments.append(name)
        return [f"label {name}"]

    def _doubt(self) -> list[str]:
        return [f"refute {self._any('false', self._truth(0))}"]

    def _fold_sized(self) -> list[str]:
        first = self._some_held(ending=".f")
        ref = first[:-2] if first is not None else self._any(*REFS)
        amount = self._held.pop(f"{ref}.f", "write")
        size = f"{self._any('n', '0')}, {self._any(amount, 'p', '1/2')}"
        instance = Resource(f"sized({ref}, {size})", self._any("write", "write", "1/2", "wildcard"))
        if "wildcard" in size:
            return []
        lines = [f"fold {instance.text}"]
        if self._chance(0.4):
            return [*lines, f"unfold {instance.text}"]
        self._gain(instance)
        return lines

    def _take(self) -> list[str]:
        if self._chance(0.25):
            return [f"inhale {self._truth()}"]
        gained = self._resource()
        self._gain(gained)
        if self._chance(0.2):
            return [f"inhale (b ==> {gained.text})"]
        return [f"inhale {self._either(gained.text)}"]

    def _give(self) -> list[str]:
        place = self._some_held()
        if place is None:
            return []
        held = self._held.pop(place, "write")
        amount = self._any(held, held, "1/2", "wildcard", "1/4")
        if amount != held:
            self._held[place] = "1/2"
        return [f"exhale {self._either(Resource(place, amount).text)}"]

    def _allocate(self) -> list[str]:
        if self._chance(0.5):
            return []
        name = self._fresh("w")
        self._gain(Resource(f"{name}.f", "write"))
        return [f"var {name}: Ref", f"{name} := new(f)", f"assert {name} != {self._any(*REFS)}"]

    def _fold(self) -> list[str]:
        shape = self._random.choice(self._predicates)
        ref, other = self._any(*REFS), self._any(*REFS)
        first = self._some_held(ending=".f")
        if first is not None and self._chance(0.8):
            ref = first[:-2]
        amount = self._any("write", "write", "1/2", "wildcard" if self._has("amounts") else "write")
        instance = Resource(self._instance(shape, ref, other), amount)
        lines = []
        for part in shape.parts:
            owned = part.given(ref, other)
            if owned.place not in self._held and self._chance(0.7):
                lines.append(f"inhale {owned.text}")
            self._held.pop(owned.place, None)
        self._gain(instance)
        return [*lines, f"fold {instance.text}"]

    def _unfold(self) -> list[str]:
        found = [at for at in self._held if at[0] == "p" and at[1:2].isdigit()]
        if not found:
            return self._fold()
        place = self._random.choice(found)
        amount = self._held.pop(place)
        name, _, rest = place.partition("(")
        shape = next(s for s in self._predicates if s.name == name)
        x, _, y = rest[:-1].partition(", ")
        for part in shape.parts:
            owned = part.given(x, y or "y")
            whole = amount == "write"
            self._gain(Resource(owned.place, owned.amount if whole else "1/2"))
        return [f"unfold {Resource(place, amount).text}"]

    def _call(self) -> list[str]:
        assert self._callees is not None
        place = self._some_held(ending=".f", whole=self._callees[0] == "write")
        if place is None:
            return []
        target = self._random.choice(["o", *[i for i in self._ints if i not in ("n", "m")]])
        self._held[place] = self._callees[1]
        return [f"{target} := call({place[:-2]}, {self._number()})"]

    def _take_many(self) -> list[str]:
        kind = self._any("inhale", "exhale", "exhale", "assert")
        return [f"{kind} {self._many(self._any('u', 'v'))}"]

    def _havoc(self) -> list[str]:
        guard = self._any("", "b ==> ", "n > 0 ==> ") if self._has("looking") else ""
        if self._has("looking") and self._chance(0.5):
            return [f"quasihavoc {guard}{self._some_held() or 'x.f'}"]
        if not self._has("quantified"):
            return [f"quasihavocall r: Ref :: {guard or 'r != x ==> '}r.f"]
        return [
            self._any(
                f"quasihavoc {self._any(*REFS)}.f",
                f"quasihavocall r: Ref :: r in {self._any('u', 'v')} ==> r.f",
                f"{self._any(*REFS)}.f := {self._number(0)}",
            )
        ]

    def _package(self) -> list[str]:
        wild = ("wildcard",) if self._has("amounts") else ()
        left = Resource(f"{self._any(*REFS)}.f", self._any("write", "1/2", *wild))
        right = self._some_held() or "x.f"
        fact = self._any("true", f"{left.place} == old({left.place})", f"{left.place} > 0")
        if self._has("choices"):
            fact = self._any(fact, f"{left.place} == {further.LEFT}({left.place})")
            for function in self._functions[:1]:
                applied = function.format(x=self._any(*REFS))
                fact = further.in_a_wand(self._random, fact, applied, left.place)
        if self._has("looking"):
            fact = self._any(fact, f"perm({left.place}) >= 1/2", f"perm({right}) > none")
        goal = Resource(right, self._any("write", "1/2", *wild)).text
        both = self._any(goal, left.text, f"{left.text} && {goal}")
        wand = f"{self._any(left.text, f'{left.text} && {left.place} > 0')} --* {both}"
        if self._chance(0.3) and f"old({left.place})" not in fact and left.text in both:
            known = "true" if further.LEFT in fact else self._paired(fact)
            wand = f"{left.text} && {known} --* {both} && {self._paired(fact)}"
        self._wands.append((wand, left.text))
        part = f"acc({left.place}, {self._any('1/2', '1/4', *wild)})"
        script = self._any(
            "",
            "",
            f" {{ assert {left.place} == {left.place} }}",
            f" {{ exhale {part}\ninhale {part} }}",
        )
        if self._has("quantified") and self._chance(0.4):
            crowd = self._many(self._any("u", "v"))
            wand = self._any(f"{left.text} --* {crowd}", f"{crowd} --* {both}")
            self._wands[-1] = (wand, wand.split(" --* ", maxsplit=1)[0])
        if self._predicates and self._chance(0.3):
            shape = self._random.choice(self._predicates)
            inside = self._instance(shape, left.place[:-2], left.place[:-2])
            wand = f"{left.text} --* {inside}"
            script = f" {{ fold {inside} }}"
            self._wands[-1] = (wand, left.text)
        if self._list and self._chance(0.5):
            ref, other = self._any(*REFS), self._any(*REFS)
            wand, script = further.list_wand(self._random, self._list, ref, other)
            self._wands[-1] = (wand, wand.split(" --* ", maxsplit=1)[0])
        if len(self._wands) > 1 and self._chance(0.2):
            earlier, owed = self._random.choice(self._wands[:-1])
            wand = f"{owed} && ({earlier}) --* {self._any(owed, goal, 'true')}"
            script = f" {{ apply {earlier} }}"
            self._wands[-1] = (wand, owed)
        return [f"package {wand}{script}"]

    def _apply(self) -> list[str]:
        if not self._wands:
            return self._package()
        wand, left = self._random.choice(self._wands)
        if self._chance(0.3):
            return [f"assert applying ({wand}) in {self._truth(0)}"]
        return [f"inhale {left}", f"apply {wand}"] if self._chance(0.4) else [f"apply {wand}"]
