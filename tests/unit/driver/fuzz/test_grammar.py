"""What the grammar of the fuzzer writes."""

from __future__ import annotations

from collections import Counter
from random import Random

from pitviper.driver.front.frontend import load_text
from pitviper.driver.fuzz.grammar import random_program
from pitviper.driver.verify.options import VerifyOptions
from pitviper.program.member import all_members
from pitviper.program.walk import descendants

NEW = {"lists", "crowds", "choices", "guards"}


def test_themes_write_what_they_are_there_for_and_most_of_it_is_read() -> None:
    seen: Counter[str] = Counter()
    texts = [random_program(Random(f"grammar/{number}")) for number in range(240)]
    chosen = [written for written in texts if NEW & set(written.themes)][:70]
    for written in chosen:
        front = load_text(written.text, "fuzz.vpr", VerifyOptions().check, ())
        if front.program is None:
            seen["rejected"] += 1
            continue
        for member in all_members(front.program):
            seen.update([type(node).__name__ for node in descendants(member)])

    assert len(chosen) == 70
    assert seen["rejected"] < 20
    wanted = ("Asserting", "Binding", "Choice", "QuantifiedPermission", "Unfolding", "Package")
    assert [name for name in wanted if not seen[name]] == []
