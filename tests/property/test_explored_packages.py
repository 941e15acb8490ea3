"""Random packages: what exploration proves is not refuted, what it fails is not verified."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from pitviper.driver.explore.explore import Explorer
from pitviper.driver.explore.options import ExploreOptions
from pitviper.driver.front.frontend import load
from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.engines.explore.options import SearchOptions
from pitviper.results.exploration import Claim
from pitviper.results.verdict import Verdict

OBJECTS = ("x", "y", "z")
PARTS = ("1/4", "1/2", "write")


class Programs:
    """Methods that hold enough for wands which mostly work, and then claim something."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def program(self, count: int) -> str:
        methods = [self._method(number) for number in range(count)]
        return "\n".join(["field f: Int", "field b: Bool", *methods])

    def _method(self, number: int) -> str:
        choose, chance = self._random.choice, self._random.random
        held = [f"acc({o}.f, {choose(('write', 'write', '1/2'))})" for o in OBJECTS]
        held += [f"acc({o}.b, {choose(('write', '1/2'))})" for o in OBJECTS if chance() < 0.6]
        held += [f"{o}.f == {self._random.randint(0, 2)}" for o in OBJECTS if chance() < 0.5]
        lines = [f"method m{number}(x: Ref, y: Ref, z: Ref, c: Bool)"]
        lines += [f"  requires {' && '.join(held)}", "{"]
        wands: list[str] = []
        lines += [f"  {self._statement(wands)}" for _ in range(self._random.randint(1, 4))]
        return "\n".join([*lines, f"  {self._claim()}", "}"])

    def _statement(self, wands: list[str]) -> str:
        choose, chance = self._random.choice, self._random.random()
        if chance < 0.5 or not wands:
            wands.append(self._wand())
            return f"package {wands[-1]}{self._script(wands)}"
        if chance < 0.75:
            return f"apply {choose(wands)}"
        if chance < 0.85:
            return f"exhale {choose(wands)}"
        return f"{choose(('inhale', 'exhale'))} acc({choose(OBJECTS)}.f, {choose(PARTS)})"

    def _script(self, wands: list[str]) -> str:
        chance, place = self._random.random(), self._random.choice(OBJECTS)
        if chance < 0.6:
            return ""
        if chance < 0.75:
            return f" {{ assert acc({place}.f, {self._random.choice(PARTS)}) }}"
        if chance < 0.85:
            return f" {{ if (c) {{ assert acc({place}.f, 1/4) }} }}"
        wands.append(self._wand())
        return f" {{ package {wands[-1]} }}"

    def _wand(self) -> str:
        choose, chance = self._random.choice, self._random.random
        one, other = choose(OBJECTS), choose(OBJECTS)
        place = f"{one}.{choose(('f', 'f', 'b'))}"
        own = f"acc({place}, {choose(('write', '1/2'))})"
        fact = f"{place} == {self._random.randint(0, 1)}" if place.endswith("f") else place
        left = choose(("true", own, own, f"{own} && {fact}", "x == y", "c", "false"))
        if left == own and chance() < 0.2:
            left = f"{own} && acc({other}.f, 1/4)"
        right = [own] if left.startswith(own) else []
        if chance() < 0.8:
            condition = choose((place if left.startswith(own) else "c", "c", "x == y"))
            condition = "c" if condition.endswith(".f") else condition
            part = f"acc({other}.f, {choose(PARTS)})"
            right.append(choose((part, f"({condition} ==> {part})")))
        if right[:1] == [own] and chance() < 0.4:
            right.append(choose((f"{place} == old[lhs]({place})", fact)))
        return f"{left} --* {' && '.join(right) or 'true'}"

    def _claim(self) -> str:
        choose, place = self._random.choice, self._random.choice(OBJECTS)
        return choose(
            (
                f"assert acc({place}.f, {choose(PARTS)})",
                f"assert acc({place}.f, 1/4) && {place}.f == {self._random.randint(0, 2)}",
                f"assert perm({place}.f) == {choose(('none', *PARTS))}",
                "assert false",
            )
        )


@pytest.mark.parametrize("seed", (2, 3))
def test_exploration_and_the_verifier_do_not_contradict_each_other(
    seed: int, tmp_path: Path
) -> None:
    file = tmp_path / "packages.vpr"
    file.write_text(Programs(seed).program(20), encoding="utf-8")
    with open_verifier(VerifyOptions()) as verifier:
        members = verifier.verify(verifier.read(file)).members
    front = load(file)
    assert front.program is not None
    options = ExploreOptions(search=SearchOptions(runs=60, nodes=300))
    explorer = Explorer(front.program, str(file), options)
    found: Counter[tuple[Claim, Verdict]] = Counter()
    for name in explorer.methods:
        found[explorer.explore(name).claim, members[name].verdict] += 1
    explorer.close()

    assert found[Claim.FAILS, Verdict.VERIFIED] == 0
    assert found[Claim.PROVED, Verdict.REFUTED] == 0
    assert found[Claim.FAILS, Verdict.REFUTED] >= 5
    assert found[Claim.PROVED, Verdict.VERIFIED] >= 1
