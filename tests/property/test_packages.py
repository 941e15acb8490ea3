"""Random packages: what the second verifier proves about footprints, the first does not refute."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pitviper.driver.verify.options import VerifyOptions
from pitviper.driver.verify.verify import open_verifier
from pitviper.results.verdict import Verdict

OBJECTS = ("x", "y", "z")
AMOUNTS = ("1/4", "1/4", "1/2", "write")


class Programs:
    """Methods that package and apply wands over three objects, then claim something."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def program(self, count: int) -> str:
        methods = [self._method(number) for number in range(count)]
        return "\n".join(["field f: Int", "field b: Bool", *methods])

    def _method(self, number: int) -> str:
        lines = [f"method m{number}(x: Ref, y: Ref, z: Ref, c: Bool)"]
        lines += [f"  requires {self._assertion(7)}", "{"]
        wands: list[str] = []
        for _ in range(self._random.randint(2, 6)):
            lines.append(f"  {self._statement(wands)}")
        return "\n".join([*lines, f"  {self._claim()}", "}"])

    def _statement(self, wands: list[str]) -> str:
        choose, chance = self._random.choice, self._random.random()
        if chance < 0.45 or not wands:
            wands.append(self._wand(2))
            return f"package {wands[-1]}{self._script(wands)}"
        if chance < 0.7:
            return f"apply {choose(wands)}"
        if chance < 0.8:
            return f"inhale {self._assertion(1)}"
        if chance < 0.9:
            held = choose(OBJECTS)
            return f"if (perm({held}.f) == write) {{ {held}.f := {self._random.randint(0, 2)} }}"
        return f"exhale {self._assertion(1)}"

    def _script(self, wands: list[str]) -> str:
        chance = self._random.random()
        if chance < 0.5:
            return ""
        if chance < 0.7:
            return f" {{ assert {self._assertion(1)} }}"
        if chance < 0.8:
            return f" {{ if (c) {{ assert {self._assertion(1)} }} }}"
        inner = self._wand(1)
        wands.append(inner)
        return f" {{ package {inner} }}"

    def _wand(self, size: int) -> str:
        return f"{self._assertion(size)} --* {self._assertion(size + 1)}"

    def _assertion(self, most: int) -> str:
        choose = self._random.choice
        parts: list[str] = []
        for _ in range(self._random.randint(0, most)):
            place, chance = choose(OBJECTS), self._random.random()
            if chance < 0.6:
                parts.append(f"acc({place}.f, {choose(AMOUNTS)})")
            elif chance < 0.75:
                parts.append(f"acc({place}.b, {choose(('1/2', 'write'))})")
            else:
                known = [f"{o}.b" for o in OBJECTS if f"acc({o}.b" in " ".join(parts)]
                condition = choose(["x == y", "c", *known])
                parts.append(f"({condition} ==> acc({place}.f, {choose(AMOUNTS)}))")
        return " && ".join(parts) or "true"

    def _claim(self) -> str:
        choose = self._random.choice
        place, amount = choose(OBJECTS), choose(("none", "1/4", "1/2", "3/4", "write"))
        return choose(
            [
                f"assert perm({place}.f) == {amount}",
                f"assert perm({place}.f) >= {amount}",
                f"assert perm({place}.f) <= {amount}",
                f"if (perm({place}.f) > none) {{ assert {place}.f == 0 }}",
                "assert false",
            ]
        )


@pytest.mark.parametrize("seed", range(2))
def test_the_second_verifier_proves_nothing_that_the_first_refutes(
    seed: int, tmp_path: Path
) -> None:
    file = tmp_path / "packages.vpr"
    file.write_text(Programs(seed).program(25), encoding="utf-8")
    verdicts: dict[str, dict[str, Verdict]] = {}
    for backend in ("symbolic", "vcg"):
        with open_verifier(VerifyOptions(backend=backend)) as verifier:
            done = verifier.verify(verifier.read(file))
        verdicts[backend] = {name: member.verdict for name, member in done.members.items()}
    verified = [n for n, v in verdicts["vcg"].items() if v is Verdict.VERIFIED]

    assert len(verdicts["vcg"]) == 25
    assert len(verified) >= 3
    assert all(verdicts["symbolic"][name] is Verdict.VERIFIED for name in verified)
