"""What a client of ViperServer asks for: the command line of Silicon or Carbon, in our words."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pitviper.base.record import record
from pitviper.servers.work.worker import Line

BACKENDS: Final = {"silicon": "symbolic", "carbon": "vcg"}
"""The names of Viper's verifiers, with those of ours that are built like them."""

Translate = Callable[[list[str]], tuple[list[str], list[str]]]
"""Words of a command line of Silicon or Carbon to words of ours, and notes about them."""

_VALUED: Final = (
    *("--timeout", "--errors", "--select", "--cache"),
    *("--jobs", "--solver-log", "--assertTimeout", "--counterexample"),
)
"""Options with a value; those of the second line are for a terminal, and change no answer here."""

_FLAGS: Final = {
    "--enableSmokeDetection": "smoke",
    "--respectFunctionPrePermAmounts": "exact_amounts",
    "--disableTerminationPlugin": "no_termination",
}
"""Options that change what is verified, with their names in requests to workers."""


@record
class Asked:
    """A verification that a client wants; `wrong` are words that mean nothing here."""

    verifier: str
    file: Path
    timeout: float | None = None
    errors: int | None = None
    select: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    remembers: bool = True
    wrong: tuple[str, ...] = ()

    def choices(self) -> Line:
        """Returns what was chosen beside engine and time, as workers read it."""
        return {"errors": self.errors, **dict.fromkeys(self.flags, True)}


def words_of(line: str) -> list[str]:
    """Returns the words of a command line; quotes hold blanks, backslashes are letters."""
    reader = shlex.shlex(line, posix=True)
    reader.whitespace_split, reader.escape, reader.commenters = True, "", ""
    try:
        return list(reader)
    except ValueError:  # a quote that is not closed
        return line.replace('"', " ").replace("'", " ").split()


def asked_for(verifier: str, words: list[str], file: Path, translate: Translate) -> Asked:
    """Returns what a command line of Viper's tools asks for; options without effect are dropped."""
    ours, _ = translate(words)
    values: dict[str, str] = {}
    flags: list[str] = []
    wrong: list[str] = []
    rest = iter(ours)
    for word in rest:
        name, given, value = word.partition("=")
        if name in _VALUED:
            values[name] = value if given else next(rest, "")
        elif word in _FLAGS:
            flags.append(_FLAGS[word])
        else:
            wrong.append(word)
    timeout, errors = _number(values.get("--timeout")), _number(values.get("--errors"))
    return Asked(
        verifier,
        file,
        timeout or None,
        None if errors is None else int(errors),
        tuple([name for name in values.get("--select", "").split(",") if name]),
        tuple(flags),
        values.get("--cache") != "off",
        tuple(wrong),
    )


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
