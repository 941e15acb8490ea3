"""What a command line was meant to say that has a command or an option that is not there."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Iterable

from pitviper.base.similar import nearest
from pitviper.source.reading import ENDINGS

WORDS = {
    "help": "pitviper --help",
    "version": "pitviper --version",
    "prove": "pitviper verify FILE",
    "proof": "pitviper verify FILE",
    "run": "pitviper verify FILE`, or `pitviper explore FILE",
    "test": "pitviper explore FILE",
    "tests": "pitviper explore FILE",
    "lint": "pitviper check FILE",
    "typecheck": "pitviper check FILE",
    "parse": "pitviper check FILE",
    "fmt": "pitviper format FILE",
    "model": "pitviper counterexample FILE",
    "ide": "pitviper serve FILE",
    "web": "pitviper serve FILE",
    "install": "pip install pitviper",
    "silicon": "pitviper verify FILE",
    "carbon": "pitviper verify --backend vcg FILE",
}
"""Commands of other tools, and what stands for them here."""

VALUES = {"silicon": "symbolic", "carbon": "vcg", "boogie": "vcg", "se": "symbolic", "all": "both"}
"""Values of options as other tools call them."""


ALIKE = 0.75
"""How much of two names of options is the same, of one, where one is meant by the other."""


def of_command(word: str, commands: Collection[str]) -> str:
    """What is told about a word in the place of a command."""
    if word.endswith(ENDINGS) or os.path.exists(word):
        return f"say what to do with {word}: `pitviper verify {word}`"
    meant = WORDS.get(word.lower())
    if meant is not None:
        return f"there is no command {word}: try `{meant}`"
    close = nearest(word, commands, 0.6)
    hint = f": did you mean `{close}`?" if close else ""
    return f"there is no command {word}{hint}"


def of_options(words: list[str], parser: argparse.ArgumentParser) -> str:
    """What is told about words that nobody understands; the parser is that of the command."""
    options = [word.partition("=")[0] for word in words if word.startswith("-")]
    if not options:
        return f"too much is given: {', '.join(words)}"
    known = list(parser._option_string_actions)
    return "; ".join([_of_option(option, known) for option in options])


def _of_option(option: str, known: list[str]) -> str:
    letters = option.lstrip("-").replace("_", "-")
    close: str | None
    if len(letters) == 1:
        beginning = [each for each in known if each.startswith(f"--{letters}")]
        close = beginning[0] if len(beginning) == 1 else None
    else:
        close = nearest(f"--{letters}", known, ALIKE)
    if close == option:
        return f"{option} stands after the command"
    return f"there is no option {option}" + (f": did you mean {close}?" if close else "")


def of_value(word: str, choices: Iterable[str]) -> str:
    """What is told about a value that is none of those there are."""
    names = [str(choice) for choice in choices]
    told = VALUES.get(word.lower())
    close = told if told in names else nearest(word, names)
    hint = f": did you mean {close}?" if close else ""
    return f"one of {', '.join(names)} is expected, not {word}{hint}"
