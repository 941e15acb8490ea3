"""Programs of two text files: wrong ones are verified by no engine, right ones by both."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitviper
from pitviper.driver.verify.options import VerifyOptions

HERE = Path(__file__).parent
BOTH = pytest.mark.parametrize("backend", ["symbolic", "vcg"])


def programs(name: str) -> dict[str, str]:
    _, *parts = (HERE / name).read_text().split("\n== ")
    return {title: text for title, _, text in (part.partition("\n") for part in parts)}


WRONG, RIGHT = programs("wrong.txt"), programs("right.txt")


def is_verified(text: str, backend: str) -> bool:
    done = pitviper.verify(text, name="it.cool", options=VerifyOptions(backend=backend))
    assert not any("front end" in (problem.help or "") for problem in done.problems)
    if not done.front.accepted:
        return False
    return all(member.verdict.value == "verified" for member in done.members.values())


@BOTH
@pytest.mark.parametrize("title", WRONG)
def test_nothing_wrong_is_verified(title: str, backend: str) -> None:
    assert not is_verified(WRONG[title], backend)


@BOTH
@pytest.mark.parametrize("title", RIGHT)
def test_what_is_right_is_verified(title: str, backend: str) -> None:
    assert is_verified(RIGHT[title], backend)
