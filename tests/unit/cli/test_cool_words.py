"""Sub-commands on wrong twins of the examples of the object language.

Nothing that a user sees holds a generated name or a word that only Viper has.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pitviper.cli.main import main
from tests.unit.languages.cool.twins import TWINS, Twin

SCRIPT = (
    "show all", "why-not", "path", "path all", "suggest", "source", "show old", "counterexample",
    "help", "errors",
)  # fmt: skip

_WORDS = re.compile(
    r"\$|%[a-z]|\b(Ref\d*|Int|Bool|Seq|Set|Perm|fold|unfold|unfolding|folding|inhale|exhale"
    r"|function|Viper)\b|\[\]\.elems|\.elems\[|object\.class|array\.length|\buntouched [A-Z]"
)
"""Words of Viper, and names that only the core has."""

COMMANDS = (
    ("check",),
    ("format", "--diff"),
    ("verify", "--cache", "off"),
    ("verify", "--cache", "off", "--format", "json"),
    ("verify", "--cache", "off", "--format", "sarif"),
    ("verify", "--cache", "off", "--suggest"),
    ("verify", "--cache", "off", "--no-inference"),
    ("verify", "--cache", "off", "--backend", "vcg"),
    ("verify", "--cache", "off", "--profile"),
    ("counterexample",),
    ("debug",),
    ("explore", "--runs", "15"),
    ("wizard", "--runs", "8"),
)
SELECTING = ("verify", "counterexample", "debug")
QUICK = ("bank", "ring", "stack")
OPEN = {
    ("visitor", "debug"): "steps that the language adds are shown as `inhale`",
    ("union", "counterexample"): "a condition that is not confirmed is shown as the core has it",
    ("union", "debug"): "the assignment of an element is shown as one of `elems`",
}
"""What is not in words of the language yet."""

Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("PITVIPER_DAEMON", "off")
    script = tmp_path / "script.txt"
    script.write_text("\n".join(SCRIPT) + "\n")

    def told(words: tuple[str, ...], path: Path, select: str = "") -> str:
        more: list[str] = []
        if words[0] == "debug":
            more = ["--commands", str(script)]
        if select and words[0] in SELECTING:
            more += ["--select", select]
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        code = main([*words, *more, str(path)])
        found = capsys.readouterr()
        assert code in (0, 1, 4), found.err
        return found.out + found.err

    return told


def complaints(text: str) -> list[str]:
    """The lines that a user of the object language cannot know how to read."""
    lines = [line for line in text.splitlines() if '"$schema"' not in line]
    return [line for line in lines if _WORDS.search(line)]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("twin", [t for t in TWINS if t.name in QUICK], ids=lambda t: t.name)
def test_what_is_wrong_is_told_in_words_of_the_language(
    twin: Twin, words: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    path = tmp_path / f"{twin.name}.cool"
    path.write_text(twin.text)
    assert complaints(run(words, path, twin.select)) == []


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("twin", [t for t in TWINS if t.name not in QUICK], ids=lambda t: t.name)
def test_what_is_wrong_with_the_others_is_told_so(
    twin: Twin, words: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    path = tmp_path / f"{twin.name}.cool"
    path.write_text(twin.text)
    found = complaints(run(words, path, twin.select))
    if (twin.name, words[0]) in OPEN:
        assert found, "mended: take it out of the list"
    else:
        assert found == []
