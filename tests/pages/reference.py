"""Pages of the reference that are made from the program itself.

`python -m tests.pages.reference` writes them; a test compares.
"""

from __future__ import annotations

import argparse
import re

from pitviper.cli.main import COMMANDS, full_parser, sub_parsers
from pitviper.results.catalogue import CONSTRUCTS, FRONT, REASONS, WARNINGS, Entry
from pitviper.results.exit_code import EXPLANATION
from tests.pages.run import ROOT

FOLDER = ROOT / "docs" / "reference"
MADE = "<!-- made by `python -m tests.pages.reference`: do not edit -->"


def commands_page() -> str:
    """Every command with every option, as the parser knows them."""
    parsers = sub_parsers(full_parser())
    parts = [
        MADE,
        "# Commands and options",
        "`pitviper COMMAND --help` shows the options used most, `--help-all` what is here.",
        "```text\n" + EXPLANATION.rstrip() + "\n```",
    ]
    return "\n\n".join([*parts, *[_command(name, parsers[name]) for name in COMMANDS]]) + "\n"


def _command(name: str, parser: argparse.ArgumentParser) -> str:
    rows = [row for action in parser._actions for row in _row(action)]
    examples = re.search(r"examples:\n((?:  .*\n)+)", parser.format_help())
    shown = "" if examples is None else re.sub(r"^  ", "", examples[1], flags=re.MULTILINE)
    return "\n\n".join(
        [
            f"## pitviper {name}",
            " ".join((parser.description or "").split()),
            "\n".join(["| option | meaning |", "|---|---|", *rows]),
            f"```sh\n{shown.rstrip()}\n```",
        ]
    )


def _row(action: argparse.Action) -> list[str]:
    if action.help == argparse.SUPPRESS or "--help" in action.option_strings:
        return []
    values = "|".join(map(str, action.choices or ()))
    metavar = action.metavar if isinstance(action.metavar, str) else "VALUE"
    value = "" if action.nargs == 0 else f" {values or metavar}"
    names = ", ".join(action.option_strings)
    name = f"{names}{value}" if names else metavar if action.metavar else values
    meaning = " ".join((action.help or "").split())
    return [f"| `{_cell(name.strip())}` | {_cell(meaning)} |"]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def errors_page() -> str:
    """Every id, with what `pitviper explain` says."""
    parts = [
        MADE,
        "# Ids of errors",
        "The id of a failed check has two halves, `CONSTRUCT:REASON`: what was checked, and why\n"
        "it failed. `pitviper explain ID` tells the same in the terminal.",
        "## Constructs",
        *[f"### {name}\n\n{text}" for name, text in CONSTRUCTS.items()],
        "## Reasons",
        *[_entry(name, entry) for name, entry in REASONS.items()],
        "## Rejected programs",
        *[_entry(name, entry) for name, entry in FRONT.items()],
        "## Warnings, and what is no error of the program",
        *[_entry(name, entry) for name, entry in WARNINGS.items()],
    ]
    return "\n\n".join(parts) + "\n"


def _entry(name: str, entry: Entry) -> str:
    return "\n\n".join(
        [
            f"### {name}",
            entry.meaning,
            f"**What to do.** {entry.cure}",
            *([f"Has it:\n\n```viper\n{entry.bad}\n```"] if entry.bad else []),
            *([f"Has it not:\n\n```viper\n{entry.good}\n```"] if entry.good else []),
        ]
    )


PAGES = {"commands.md": commands_page, "errors.md": errors_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")
